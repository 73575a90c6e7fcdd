"""The traps: where a port of Mesa's sampler translation goes wrong by what several rules do together."""

from __future__ import annotations

from math import copysign, inf, isnan, nan
from typing import Any

import pytest

import statetracker as st
from statetracker.pipe import TexFilter, TexMipfilter, TexWrap

LLVMPIPE = st.Screen.named("llvmpipe")
EMULATES = LLVMPIPE.replace(emulate_gl_clamp=True)
B = (0.125, 0.25, 0.5, 0.75)
BI = (3, -5, 7, 11)
NEAREST = {"min_filter": "nearest", "mag_filter": "nearest"}
LINEAR: dict[str, Any] = {"min_filter": "linear", "mag_filter": "linear"}


def made(
    fields: dict[str, Any], texture: str | st.Texture = "RGBA8", screen: st.Screen = LLVMPIPE, **options: Any
) -> st.SamplerState:
    """Convert a sampler, NEAREST unless it says otherwise."""
    image = texture if isinstance(texture, st.Texture) else st.Texture("2d", texture)
    return st.convert(st.Sampler(**(NEAREST | fields)), image, screen, **options).pipe


def test_negative_zero_is_kept_in_max_lod_and_border_but_not_in_min_lod() -> None:
    """Trap 3: min_lod is the larger of itself and 0.0."""
    state = made({"min_lod": -0.0, "max_lod": -0.0, "border_color": (-0.0, 0, 0, 0)})
    assert (copysign(1, state.min_lod), copysign(1, state.max_lod)) == (1, -1)
    assert state.border_color == (0x80000000, 0, 0, 0)
    assert [made({"max_lod": lod}).max_lod for lod in (inf, -inf)] == [inf, -inf]


def test_nan_has_a_fate_in_every_member() -> None:
    """Trap 4: bias -16, min_lod 0, max_lod kept, anisotropy the driver's maximum, border kept to the bit."""
    state = made({"lod_bias": nan, "min_lod": nan, "max_lod": nan, "max_anisotropy": nan})
    assert (state.lod_bias, state.min_lod, state.max_anisotropy) == (-16.0, 0.0, 16)
    assert isnan(state.max_lod)
    payload = (0x7FC01234, 0xFFC00001, 0x7F800001, 0)
    assert made({"border_color_bits": payload, "wrap": "clamp-to-border"}).border_color == payload


def test_clamp_lowering_sees_gls_filters_of_an_integer_texture() -> None:
    """Trap 10: linear filters choose the border though the record says NEAREST."""
    state = made(LINEAR | {"wrap": "clamp"}, "RGBA32I", EMULATES.replace(force_integer_tex_nearest=True))
    assert (state.wrap_s, state.min_img_filter) == (TexWrap.CLAMP_TO_BORDER, TexFilter.NEAREST)


def test_stencil_border_is_integer_but_filters_are_not_forced() -> None:
    """Trap 11: packed stencil keeps mip NONE, an integer format does not."""
    border = {"border_color_i": BI, "wrap": "clamp-to-border"}
    packed = made(border, st.Texture("2d", "DEPTH24_STENCIL8", stencil_sampling=True))
    alone = made(border, "STENCIL_INDEX8")
    assert packed.border_color_is_integer
    assert alone.border_color_is_integer
    assert (packed.min_mip_filter, alone.min_mip_filter) == (TexMipfilter.NONE, TexMipfilter.NEAREST)


@pytest.mark.parametrize(
    ("texture", "words"), [("ALPHA", (0.75, 0.25, 0.5, 0.75)), ("LUMINANCE8_ALPHA8", (0.125, 0.75, 0.5, 0.75))]
)
def test_alpha_not_w_replaces_translation(texture: str, words: tuple[float, ...]) -> None:
    """Trap 12: one component is copied, the others keep the user's words."""
    zink = st.Screen.named("zink-lavapipe")
    assert made({"border_color": B, "wrap": "clamp-to-border"}, texture, zink).border_color_f == words


def test_swizzle_quirk_wins_over_the_others() -> None:
    """Trap 13: no alpha-not-w and no format where the swizzle is applied."""
    screen = LLVMPIPE.replace(
        apply_texture_swizzle_to_border_color=True, use_format_with_border_color=True, alpha_border_color_is_not_w=True
    )
    state = made({"border_color": B, "wrap": "clamp-to-border"}, "ALPHA8", screen)
    assert (state.border_color_f, state.border_color_format) == ((0.0, 0.0, 0.0, 0.75), "NONE")


def test_max_level_below_base_level_hides_that_a_texture_holds_integers() -> None:
    """Trap 28: it is complete without mipmaps, keeps its linear filters, and its border is no integer."""
    texture = st.Texture("2d", "RGBA32I", (4, 4), base_level=1, max_level=0)
    result = st.convert(st.Sampler(**LINEAR, wrap="clamp-to-border", border_color_i=BI), texture, LLVMPIPE)
    assert result.incomplete == ""
    assert (result.pipe.min_img_filter, result.pipe.min_mip_filter) == (TexFilter.LINEAR, TexMipfilter.NONE)
    assert not result.pipe.border_color_is_integer
