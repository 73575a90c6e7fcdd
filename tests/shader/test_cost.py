"""What a lowered instruction costs: samples, by form. Source: docs/shader_lowering.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import statetracker as st
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter, TexReduction
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Module
from tests.shader.modules import SIMPLE, Sample, module

LINEAR: Any = {
    "min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR, "min_mip_filter": TexMipfilter.NONE
}  # fmt: skip
MIPS: Any = LINEAR | {"min_mip_filter": TexMipfilter.LINEAR}
NEAREST_MIPS: Any = LINEAR | {"min_mip_filter": TexMipfilter.NEAREST}
NEAR: Any = {"mag_img_filter": TexFilter.NEAREST}
FAR: Any = {"min_img_filter": TexFilter.NEAREST}
MIN = TexReduction.MIN
GATHER = SIMPLE._replace(level="gather")
FOUR = GATHER._replace(offset="four")
CUBE = SIMPLE._replace(dim=3, level="lod")
IMPLICIT_CUBE = SIMPLE._replace(dim=3)
EDGES = Lowering(cube_edges=True)
DREF = SIMPLE._replace(dref=True)
OFFSET = SIMPLE._replace(offset="const")


def counted(form: Sample, lowering: Lowering) -> Counter[str]:
    """Sampling instructions of a lowered module, by name."""
    made, _ = module([form])
    result = st.lower(made, {(0, 0): lowering}, values=(1, 0))
    assert len(result.rewritten) == 1
    return Counter(one.name for one in Module.read(result.module).instructions if one.opcode in SAMPLES)


# fmt: off
ROWS = {
    "border on the edge":                 (SIMPLE, Lowering(border="st", route="edge", **LINEAR), 1),
    "border on the edge, mipmaps":        (SIMPLE, Lowering(border="st", route="edge", **MIPS), 2),
    "predefined":                         (SIMPLE, Lowering(border="st", route="predefined", **LINEAR), 1),
    "predefined, mipmaps":                (SIMPLE, Lowering(border="st", route="predefined", **MIPS), 1),
    "GL_CLAMP":                           (SIMPLE, Lowering(half_border="st", route="edge", **LINEAR), 1),
    "GL_CLAMP, mipmaps":                  (SIMPLE, Lowering(half_border="st", route="edge", **MIPS), 2),
    "fold":                               (SIMPLE, Lowering(fold="s", **MIPS), 1),
    "fold of an offset, mipmaps":         (OFFSET, Lowering(fold="s", **MIPS), 2),
    "LOD bias":                           (SIMPLE, Lowering(add_lod_bias=True, **MIPS), 1),
    "limits":                             (SIMPLE, Lowering(limit_lod=True, **MIPS), 1),
    "gather":                             (GATHER, Lowering(border="st", route="edge", **LINEAR), 1),
    "gather of a cube":                   (GATHER._replace(dim=3), EDGES._replace(**LINEAR), 4),
    "gather by four offsets":             (FOUR, Lowering(border="st", route="edge", **LINEAR), 4),
    "edges of a cube":                    (IMPLICIT_CUBE, EDGES._replace(**LINEAR), 1),
    "edges, anisotropy":                  (IMPLICIT_CUBE, EDGES._replace(anisotropic=True, **LINEAR), 2),
    "edges, an explicit level":           (CUBE, EDGES._replace(**NEAREST_MIPS), 1),
    "edges, explicit levels":             (CUBE, EDGES._replace(**MIPS), 2),
    "edges, a level of gradients":        (IMPLICIT_CUBE, EDGES._replace(**NEAREST_MIPS), 2),
    "edges, levels of gradients":         (IMPLICIT_CUBE, EDGES._replace(**MIPS), 3),
    "edges, sparse":                      (CUBE._replace(sparse=True), EDGES._replace(**LINEAR), 2),
    "edges, one axis repeats":            (CUBE, EDGES._replace(repeat="s", **LINEAR), 2),
    "edges, both repeat":                 (CUBE, EDGES._replace(repeat="st", **LINEAR), 4),
    "edges, both repeat, mipmaps":        (CUBE, EDGES._replace(repeat="st", **MIPS), 8),
    "edges, mixed filters":               (CUBE, EDGES._replace(**NEAREST_MIPS | NEAR), 2),
    "edges, mipmaps, minified linear":    (CUBE, EDGES._replace(**MIPS | NEAR), 6),
    "edges, mipmaps, magnified linear":   (CUBE, EDGES._replace(**MIPS | FAR), 2),
    "filtered, 1D":                       (SIMPLE._replace(dim=0), Lowering(filter_texels=True, **LINEAR), 2),
    "filtered, 2D":                       (SIMPLE, Lowering(filter_texels=True, **LINEAR), 4),
    "filtered, 3D":                       (SIMPLE._replace(dim=2), Lowering(filter_texels=True, **LINEAR), 8),
    "filtered, mipmaps":                  (SIMPLE, Lowering(filter_texels=True, **MIPS), 8),
    "filtered, a cube":                   (CUBE, Lowering(filter_texels=True, **LINEAR), 4),
    "filtered, a cube, mipmaps":          (CUBE, Lowering(filter_texels=True, cube_edges=True, **MIPS), 8),
    "the least texel":                    (SIMPLE, Lowering(filter_texels=True, reduction=MIN, **LINEAR), 4),
    "fold of an offset, mixed filters":   (OFFSET, Lowering(fold="s", **MIPS | NEAR), 5),
    "the same, nearest level":            (OFFSET, Lowering(fold="s", **NEAREST_MIPS | NEAR), 1),
    "filtered comparison of level 0":     (DREF, Lowering(filter_texels=True, compare_func=Func.LESS, **LINEAR), 1),
    "filtered comparison, mipmaps":       (DREF, Lowering(filter_texels=True, compare_func=Func.LESS, **MIPS), 8),
}
# fmt: on


@pytest.mark.parametrize(("form", "lowering", "samples"), ROWS.values(), ids=ROWS)
def test_a_form_takes_as_many_samples_as_the_docs_say(form: Sample, lowering: Lowering, samples: int) -> None:
    assert counted(form, lowering).total() == samples


@pytest.mark.parametrize("filters", [MIPS, MIPS | NEAR, LINEAR | NEAR])
def test_a_border_leaves_an_implicit_sample_as_it_stands(filters: Any) -> None:
    """The device's own level and anisotropy; the other sample is of the coarser level."""
    instructions = counted(SIMPLE, Lowering(border="st", route="edge", **filters))
    assert instructions["OpImageSampleImplicitLod"] == 1


@pytest.mark.parametrize(("form", "asked"), [(SIMPLE, 0), (OFFSET, 1)], ids=["without", "with"])
def test_a_fold_asks_for_the_size_with_an_offset_only(form: Sample, asked: int) -> None:
    """An offset is a share of it."""
    made, _ = module([form])
    result = st.lower(made, {(0, 0): Lowering(fold="s", **LINEAR)}, values=(1, 0))
    names = [one.name for one in Module.read(result.module).instructions]
    assert names.count("OpImageQuerySizeLod") == asked
