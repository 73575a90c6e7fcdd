"""Fixed function: which units are read, and their slots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.gl import Context
from statetracker.gl import units as c
from statetracker.gl.units import EnvUnit, read_units


def unit(index: int, mode: int = c.MODULATE, base: str = "RGBA", **env: int) -> EnvUnit:
    return EnvUnit(index, base, {c.ENV_MODE: mode, **{int(k[1:], 16): v for k, v in env.items()}})


def combine(index: int, parameters: dict[int, int], base: str = "RGBA") -> EnvUnit:
    return EnvUnit(index, base, {c.ENV_MODE: c.COMBINE, **parameters})


CONSTANTS = dict.fromkeys((c.SRC0_RGB, c.SRC0_RGB + 1), c.CONSTANT)
REPLACED = {c.COMBINE_RGB: c.REPLACE, c.COMBINE_ALPHA: c.REPLACE, c.SRC0_ALPHA: c.CONSTANT}
THREE = REPLACED | CONSTANTS | {c.COMBINE_RGB: c.INTERPOLATE}
AS_ALPHA = {c.SRC0_RGB: c.CONSTANT, c.OPERAND0_RGB + 1: c.SRC_ALPHA}
AS_ALPHA |= dict.fromkeys((c.SRC0_ALPHA, c.SRC0_ALPHA + 1), c.CONSTANT)

# fmt: off
READ = [
    #  what                                            units                                                 read
    ("slots are taken from the highest",               [unit(0), unit(1), unit(2)],                          [2, 1, 0]),
    ("one unit has slot 0, whatever its number",       [unit(1)],                                            [1]),
    ("REPLACE with RGBA kills everything before it",   [unit(0), unit(1, c.REPLACE)],                        [1]),
    ("REPLACE with ALPHA keeps the colour before it",  [unit(0), unit(1, c.REPLACE, "ALPHA")],               [1, 0]),
    ("REPLACE with RGB keeps no colour before it",     [unit(0, base="LUMINANCE"), unit(1, c.REPLACE, "RGB")], [1]),
    ("REPLACE with RGB keeps the alpha before it",     [unit(0, base="ALPHA"), unit(1, c.REPLACE, "RGB")],   [1, 0]),
    ("DECAL reads the colour before it",               [unit(0), unit(1, c.DECAL)],                          [1, 0]),
    ("COMBINE whose RGB reads none reads for alpha",
     [combine(0, {c.SRC0_RGB: c.CONSTANT, c.SRC0_RGB + 1: c.CONSTANT})],                                     [0]),
    ("COMBINE that names no texture reads none",
     [unit(0), combine(1, {c.SRC0_RGB: c.PRIMARY_COLOR, c.SRC0_ALPHA: c.PRIMARY_COLOR})],                    [0]),
    ("crossbar reads another unit's texture", [unit(0), combine(1, REPLACED | {c.SRC0_RGB: c.TEXTURE0})],    [0]),
    ("crossbar to a unit that is off reads none", [combine(1, REPLACED | {c.SRC0_RGB: c.TEXTURE0 + 5})],     []),
    ("INTERPOLATE has a third source", [combine(0, THREE)],                                                  []),
    ("and reads it", [combine(0, THREE | {c.SRC0_RGB + 2: c.TEXTURE})],                                      [0]),
    ("DOT3_RGBA writes alpha too", [unit(0), combine(1, CONSTANTS | {c.COMBINE_RGB: c.DOT3_RGBA})],          []),
    ("PREVIOUS read as alpha reads no colour", [unit(0, base="RGB"), combine(1, AS_ALPHA)],                  []),
    ("PREVIOUS read as alpha reads alpha", [unit(0, base="ALPHA"), combine(1, AS_ALPHA)],                    [0]),
]
# fmt: on


@pytest.mark.parametrize(("units", "read"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_units_that_are_read(units: list[EnvUnit], read: list[int]) -> None:
    assert read_units(units) == read


@pytest.mark.parametrize("base", ["ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "INTENSITY"])
def test_decal_does_not_read_textures_for_which_gl_leaves_it_undefined(base: str) -> None:
    assert read_units([unit(0), unit(1, c.DECAL, base)]) == [0]


@pytest.mark.parametrize("base", ["RGB", "RED", "RG"])
def test_decal_without_alpha_hides_the_colour_before_it(base: str) -> None:
    assert read_units([unit(0, base="RGB"), unit(1, c.DECAL, base)]) == [1]
    assert read_units([unit(0), unit(1, c.DECAL, base)]) == [1, 0]


@pytest.mark.parametrize("function", [c.MODULATE_ADD_ATI, c.MODULATE_SIGNED_ADD_ATI, c.MODULATE_SUBTRACT_ATI])
def test_functions_of_ati_have_a_third_source(function: int) -> None:
    sources = {c.COMBINE_RGB: function, c.COMBINE_ALPHA: c.REPLACE, c.SRC0_ALPHA: c.CONSTANT}
    sources |= {c.SRC0_RGB: c.ONE, c.SRC0_RGB + 1: c.ZERO, c.SRC0_RGB + 2: c.TEXTURE}
    assert read_units([combine(0, sources)]) == [0]
    assert read_units([combine(0, sources | {c.SRC0_RGB + 2: c.CONSTANT})]) == []


def test_combine4_has_four_sources_where_it_adds() -> None:
    sources = {c.ENV_MODE: c.COMBINE4_NV, c.COMBINE_RGB: c.ADD, c.COMBINE_ALPHA: c.REPLACE, c.SRC0_ALPHA: c.CONSTANT}
    sources |= {c.SRC0_RGB: c.ZERO, c.SRC0_RGB + 1: c.ZERO, c.SRC0_RGB + 2: c.ZERO}
    assert read_units([unit(0), combine(1, sources)]) == []
    assert read_units([unit(0), combine(1, sources | {c.SRC0_RGB + 3: c.PREVIOUS})]) == [0]


@given(st.lists(st.sampled_from([c.MODULATE, c.ADD, c.BLEND, c.REPLACE, c.DECAL, c.COMBINE]), max_size=8))
def test_a_unit_never_has_two_slots_and_the_last_is_always_read(modes: list[int]) -> None:
    seen = read_units([unit(i, mode) for i, mode in enumerate(modes)])
    assert len(set(seen)) == len(seen)
    assert seen[:1] == [len(modes) - 1][: len(modes)]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e20, 1.5, 2147483648.0])
def test_a_float_that_is_no_mode_is_an_error_of_gl(value: float) -> None:
    """As on Mesa 22.3.6; 8448.9 is MODULATE."""
    gl = Context()
    for name in ("GL_TEXTURE_ENV_MODE", "GL_COMBINE_RGB"):
        gl.glTexEnvf("GL_TEXTURE_ENV", name, value)
        assert gl.glGetError() == "GL_INVALID_ENUM"
    gl.glTexEnvf("GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE", 8448.9)
    assert gl.glGetError() == "GL_NO_ERROR"


def test_the_older_replace_is_a_mode_and_no_function() -> None:
    """REPLACE_EXT, as on Mesa 22.3.6."""
    gl = Context()
    gl.glTexEnvi("GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE", 0x8062)
    assert gl.glGetError() == "GL_NO_ERROR"
    gl.glTexEnvi("GL_TEXTURE_ENV", "GL_COMBINE_RGB", 0x8062)
    assert gl.glGetError() == "GL_INVALID_ENUM"
