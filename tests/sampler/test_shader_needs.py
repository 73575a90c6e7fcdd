"""`statetracker.sampler.shader_needs`: what no sampler state can say."""

from __future__ import annotations

from itertools import product

import pytest

from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture, Wrap
from statetracker.sampler import ClampMasks, Lowering, clamp_masks, lowering

PLAIN = Texture("2d", "RGBA8").facts()
RECTANGLE = Texture("rectangle", "RGBA8").facts()
EMULATES = Screen(emulate_gl_clamp=True)


@pytest.mark.parametrize("wraps", list(product([Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT, Wrap.REPEAT], repeat=3)))
@pytest.mark.parametrize("emulates", [False, True])
def test_clamped_axes_are_saturated_where_clamp_is_emulated(wraps: tuple[Wrap, ...], emulates: bool) -> None:
    """Each axis for itself, CLAMP and its mirror."""
    s, t, r = wraps
    needs = lowering(Sampler(wrap_s=s, wrap_t=t, wrap_r=r), PLAIN, Screen(emulate_gl_clamp=emulates))
    assert needs[:3] == tuple(emulates and wrap != Wrap.REPEAT for wrap in wraps)


@pytest.mark.parametrize("wrap", [w for w in Wrap if w not in (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT)])
def test_other_wraps_need_no_shader(wrap: Wrap) -> None:
    """Hardware has them."""
    assert lowering(Sampler(wrap=wrap), PLAIN, EMULATES) == Lowering()


@pytest.mark.parametrize("fields", [{"min_filter": "linear"}, {"min_filter": "nearest"}])
def test_masks_follow_gls_wrap_whatever_it_was_lowered_to(fields: dict[str, str]) -> None:
    """Border or edge, the coordinate is saturated."""
    assert lowering(Sampler(wrap="clamp", **fields), PLAIN, EMULATES).axes == 7


@pytest.mark.parametrize("lowers", [False, True])
def test_rectangle_has_texel_coordinates_that_a_shader_may_have_to_normalise(lowers: bool) -> None:
    """Saturation is to its size either way."""
    needs = lowering(Sampler(), RECTANGLE, Screen(lower_rect_tex=lowers))
    assert (needs.texel_coords, needs.normalize_rect, needs.needed) == (True, lowers, lowers)


def test_lowering_is_a_variant_key() -> None:
    """Equal needs are one key; a needless one says so."""
    needs = lowering(Sampler(wrap_s="clamp"), PLAIN, EMULATES)
    assert {needs: "variant"}[Lowering(saturate_s=True)] == "variant"
    assert needs.needed
    assert not Lowering(texel_coords=True).needed


@pytest.mark.parametrize("axes", range(8))
def test_axes_are_bits(axes: int) -> None:
    """1 S, 2 T, 4 R."""
    assert Lowering(bool(axes & 1), bool(axes & 2), bool(axes & 4)).axes == axes


def test_stage_masks_gather_slots() -> None:
    """Bit n is slot n, one mask an axis."""
    slots = [
        (0, Lowering(saturate_s=True)),
        (5, Lowering(saturate_s=True, saturate_r=True)),
        (31, Lowering(saturate_t=True)),
    ]
    assert clamp_masks(slots) == ClampMasks(s=0b100001, t=1 << 31, r=0b100000)
    assert clamp_masks([]) == ClampMasks() == (0, 0, 0)


def test_plain_texture_needs_no_normalisation_where_rectangles_do() -> None:
    """A driver without rectangle textures still has all others."""
    assert not lowering(Sampler(), PLAIN, Screen(lower_rect_tex=True)).needed
