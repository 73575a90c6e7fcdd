"""What `st.lower` says is not exact, and that it says so where it is so."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.pipe import Lowering, TexFilter, TexMipfilter
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE, Sample, module

MIPS: Any = {
    "min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR, "min_mip_filter": TexMipfilter.LINEAR
}  # fmt: skip
GRADIENTS = SIMPLE._replace(level="grad")
EXPLICIT = SIMPLE._replace(level="lod")
GATHER = SIMPLE._replace(level="gather")
CUBE = SIMPLE._replace(dim=3)
BORDER = Lowering(border="st", route="edge", anisotropic=True, **MIPS)


def remarks(form: Sample, lowering: Lowering) -> list[str]:
    """What is inexact of a form, in its first words."""
    result = st.lower(module([form])[0], {(0, 0): lowering}, values=(1, 0))
    assert len(result.rewritten) == 1
    return [note.reason.partition(":")[0] for note in result.inexact]


def test_given_gradients_that_take_the_rest_of_a_bias_are_within_the_precision_of_levels() -> None:
    assert remarks(GRADIENTS, Lowering(add_lod_bias=True, **MIPS)) == ["its LOD bias scales gradients"]
    assert remarks(EXPLICIT, Lowering(add_lod_bias=True, **MIPS)) == []


@pytest.mark.parametrize("form", [SIMPLE, GRADIENTS])
def test_a_device_chooses_where_it_samples_along_a_gradient(form: Sample) -> None:
    assert "anisotropy at a border" in remarks(form, BORDER)
    assert "anisotropy is lost" in remarks(form, Lowering(filter_texels=True, anisotropic=True, **MIPS))


@pytest.mark.parametrize("form", [EXPLICIT, GATHER])
def test_but_not_at_an_explicit_level_nor_in_a_gather(form: Sample) -> None:
    """They had the remark, and are not anisotropic."""
    assert remarks(form, BORDER) == []


def test_at_the_edges_of_faces_anisotropy_is_lost() -> None:
    edges = Lowering(cube_edges=True, anisotropic=True, **MIPS)
    assert "anisotropy is lost at the edges of a cube's faces" in remarks(CUBE, edges)
    assert remarks(CUBE._replace(level="lod"), edges) == []


def test_an_offset_that_is_folded_at_both_levels_loses_anisotropy() -> None:
    """Both levels are sampled by themselves. It went without a remark."""
    folded = Lowering(fold="st", anisotropic=True, **MIPS)
    for form in (SIMPLE, GRADIENTS):
        assert "anisotropy is lost" in remarks(form._replace(offset="const"), folded)
        assert remarks(form, folded) == []
    assert remarks(EXPLICIT._replace(offset="const"), folded) == []


@pytest.mark.parametrize(("level", "filters"), [(0.0, ""), (1.0, ", for a mipmap filter of LINEAR or NEAREST")])
def test_a_clamped_offset_at_a_constant_level_is_that_level_s(level: float, filters: str) -> None:
    """The sampler's bias and limits change the level; at level 0 it went without a remark."""
    form = EXPLICIT._replace(offset="const", numbers=EXPLICIT.numbers._replace(lod=level))
    result = st.lower(module([form])[0], {(0, 0): "st"})
    said = f"its offset is folded by the size of level {level:.0f}: exact for an LOD bias of 0, within LOD limits"
    assert [note.reason for note in result.inexact] == [said + filters]
    gathered = st.lower(module([GATHER._replace(offset="const")])[0], {(0, 0): "st"})
    assert gathered.rewritten
    assert not gathered.inexact


def test_a_sparse_sample_of_a_face_has_the_code_of_texels_across_its_edge() -> None:
    edges = Lowering(cube_edges=True, **MIPS)
    code = "the residency code is that of the texels across the face's edge"
    sparse = CUBE._replace(level="lod", sparse=True)
    assert remarks(sparse, edges) == [code]
    assert remarks(sparse._replace(sparse=False), edges) == []


@pytest.mark.parametrize("form", [SIMPLE, GRADIENTS])
def test_limits_between_levels_lose_anisotropy(form: Sample) -> None:
    """Of given gradients it went without a remark."""
    assert "anisotropy is lost" in remarks(form, Lowering(fold="st", limit_lod=True, anisotropic=True, **MIPS))
    assert "anisotropy is lost" not in remarks(form, Lowering(fold="st", limit_lod=True, **MIPS))


def test_nearest_filters_read_no_border_of_gl_clamp_and_no_neighbour_of_a_face() -> None:
    """They had remarks, and nothing is mixed in there."""
    nearest: Any = {**MIPS, "min_img_filter": TexFilter.NEAREST, "mag_img_filter": TexFilter.NEAREST}
    clamped = Lowering(half_border="st", fold="st", route="edge", anisotropic=True, **nearest)
    for form in (SIMPLE, SIMPLE._replace(sparse=True)):
        assert remarks(form, clamped) == []
        assert "anisotropy at a border" in remarks(form, clamped._replace(border="s", half_border="t"))
    faces = Lowering(cube_edges=True, add_lod_bias=True, anisotropic=True, **nearest)
    assert remarks(CUBE, faces) == ["its LOD bias scales gradients"]


def test_a_query_of_levels_is_answered_where_the_shader_filters() -> None:
    """The device's mipmap filter is NEAREST then: it would answer in whole levels. It was left alone."""
    result = st.lower(MODULES["query_lod_2d.frag"], {(0, 1): Lowering(filter_texels=True, **MIPS)}, values=(3, 7))
    assert [note.instruction for note in result.rewritten] == ["OpImageQueryLod"]
