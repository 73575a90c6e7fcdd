"""`statetracker.sampler.conversion`: what GL asks for and the shader must do."""

from __future__ import annotations

from itertools import product

import pytest

from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture, Wrap
from statetracker.pipe import Lowering
from statetracker.sampler import lowering

PLAIN = Texture("2d", "RGBA8").facts()
RECTANGLE = Texture("rectangle", "RGBA8").facts()
CLAMPS = (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT)
EMULATES = Screen(emulate_gl_clamp=True)


@pytest.mark.parametrize("wraps", list(product([Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT, Wrap.REPEAT], repeat=3)))
@pytest.mark.parametrize("emulates", [False, True])
def test_clamped_axes_are_clamped_where_clamp_is_emulated(wraps: tuple[Wrap, ...], emulates: bool) -> None:
    """Each axis for itself, CLAMP and its mirror."""
    s, t, r = wraps
    seen = lowering(Sampler(wrap_s=s, wrap_t=t, wrap_r=r), PLAIN, Screen(emulate_gl_clamp=emulates))
    letters = ["".join(x for x, w in zip("str", wraps, strict=True) if emulates and w == wrap) for wrap in CLAMPS]
    assert seen == Lowering(clamp=letters[0], mirror=letters[1])


@pytest.mark.parametrize("lowers", [False, True])
def test_rectangle_has_texel_coordinates_that_a_shader_may_have_to_normalise(lowers: bool) -> None:
    """Clamping is to its size either way."""
    seen = lowering(Sampler(), RECTANGLE, Screen(lower_rect_tex=lowers))
    assert (seen.texel_coords, seen.normalize, seen.needed) == (True, lowers, lowers)


@pytest.mark.parametrize("has_samplers", [False, True])
def test_a_buffer_texture_has_no_sampler_to_clamp_unless_the_driver_says_so(has_samplers: bool) -> None:
    """A sampler object may be bound to its unit nevertheless."""
    screen, buffer = EMULATES.replace(texture_buffer_sampler=has_samplers), Texture("buffer", "RGBA8").facts()
    assert lowering(Sampler(wrap="clamp"), buffer, screen).needed is has_samplers


def test_plain_texture_needs_no_normalisation_where_rectangles_do() -> None:
    """A driver without rectangle textures still has all others."""
    assert not lowering(Sampler(), PLAIN, Screen(lower_rect_tex=True)).needed
