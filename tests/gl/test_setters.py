"""`statetracker.gl.setters`: every parameter, every wrap mode, the compare-first rule, the exact errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.gl import Context, Limits, Process
from statetracker.gl import enums as e
from statetracker.gl.floats import TEXTURE_FORMS, floats_of
from statetracker.gl.limits import PROFILES
from statetracker.gl.parameters import PARAMETERS, Parameter

Make = Callable[..., Context]
ROWS = tuple(PARAMETERS.values())
FILTERING = [row for row in ROWS if row.filtering]
ENUMS = [row for row in FILTERING if row.kind == "enum"]
NONE, ENUM, VALUE, OPERATION = "GL_NO_ERROR", "GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION"
TWO_D = "GL_TEXTURE_2D"

#: The specification's table, once more: pname -> a value that differs from the default, a bad value, its two errors.
# fmt: off
VALUES: dict[str, tuple[Any, Any, str, str]] = {
    "MAG_FILTER":                 (0x2600,       0x2700,  ENUM,  ENUM),
    "MIN_FILTER":                 (0x2703,       0x2704,  ENUM,  ENUM),
    "WRAP_S":                     (0x812F,       0x2902,  ENUM,  ENUM),
    "WRAP_T":                     (0x8370,       0x2902,  ENUM,  ENUM),
    "WRAP_R":                     (0x812F,       0x2902,  ENUM,  ENUM),
    "BORDER_COLOR":               ([1, 0, 0, 1], None,    "",    ""),
    "MIN_LOD":                    (-3.5,         None,    "",    ""),
    "MAX_LOD":                    (7.25,         None,    "",    ""),
    "LOD_BIAS":                   (0.5,          None,    "",    ""),
    "COMPARE_MODE":               (0x884E,       1,       ENUM,  ENUM),
    "COMPARE_FUNC":               (0x0207,       0x0208,  ENUM,  ENUM),
    "MAX_ANISOTROPY":             (4.0,          0.5,     VALUE, VALUE),
    "CUBE_MAP_SEAMLESS":          (1,            2,       VALUE, ENUM),
    "SRGB_DECODE":                (0x8A4A,       0x8A4B,  ENUM,  ENUM),
    "REDUCTION_MODE":             (0x8007,       0x8006,  ENUM,  ENUM),
    "BASE_LEVEL":                 (2,            -1,      ENUM,  VALUE),
    "MAX_LEVEL":                  (3,            -1,      ENUM,  VALUE),
    "DEPTH_TEXTURE_MODE":         (0x1906,       0x1907,  ENUM,  ENUM),
    "DEPTH_STENCIL_TEXTURE_MODE": (0x1901,       0x84F9,  ENUM,  ENUM),
    "SWIZZLE_R":                  (0x1906,       2,       ENUM,  ENUM),
    "SWIZZLE_G":                  (0,            2,       ENUM,  ENUM),
    "SWIZZLE_B":                  (1,            2,       ENUM,  ENUM),
    "SWIZZLE_A":                  (0x1903,       2,       ENUM,  ENUM),
    "SWIZZLE_RGBA":               ([1, 0, 0x1903, 0x1904], [2, 0, 0, 0], ENUM, ENUM),
    "GENERATE_MIPMAP":            (1,            None,    "",    ""),
    "PRIORITY":                   (0.5,          None,    "",    ""),
}
# fmt: on


def short(row: Parameter) -> str:
    return e.TextureParameter(row.pname).name


def on_sampler(gl: Context, name: int, pname: object, value: Any, form: str = "") -> str:
    form = form or ("fv" if isinstance(value, list) else "f" if isinstance(value, float) else "i")
    gl.call(f"glSamplerParameter{form}", name, pname, value)
    return gl.glGetError()


def on_texture(gl: Context, pname: object, value: Any, form: str = "", target: str = TWO_D) -> str:
    vector = "iv" if pname == e.TextureParameter.SWIZZLE_RGBA else "fv"
    form = form or (vector if isinstance(value, list) else "f" if isinstance(value, float) else "i")
    gl.call(f"glTexParameter{form}", target, pname, value)
    return gl.glGetError()


def stored(gl: Context, row: Parameter, name: int) -> object:
    texture = gl.textures[name]
    assert texture is not None
    return getattr(texture.sampler if row.filtering else texture, row.field)


def test_every_parameter_has_a_row_here_and_every_row_a_parameter() -> None:
    assert set(VALUES) == {p.name for p in e.TextureParameter} == {short(row) for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=short)
def test_sampler_objects_take_filtering_parameters_only(gl: Context, smp: int, row: Parameter) -> None:
    """Levels, swizzles and modes belong to textures: INVALID_ENUM."""
    expected = NONE if row.on_sampler else ENUM
    assert row.on_sampler == row.filtering
    assert on_sampler(gl, smp, row.pname, VALUES[short(row)][0]) == expected


@pytest.mark.parametrize("row", ROWS, ids=short)
def test_textures_take_every_parameter(gl: Context, tex: int, row: Parameter) -> None:
    before = stored(gl, row, tex)
    assert on_texture(gl, row.pname, VALUES[short(row)][0]) == NONE
    assert stored(gl, row, tex) != before


@pytest.mark.parametrize("row", [r for r in ROWS if VALUES[short(r)][1] is not None], ids=short)
def test_a_bad_value_on_a_texture_is_its_error_and_changes_nothing(gl: Context, tex: int, row: Parameter) -> None:
    before = stored(gl, row, tex)
    assert on_texture(gl, row.pname, VALUES[short(row)][1]) == VALUES[short(row)][3]
    assert stored(gl, row, tex) == before


@pytest.mark.parametrize("row", [r for r in FILTERING if VALUES[short(r)][1] is not None], ids=short)
def test_a_bad_value_on_a_sampler_object_is_its_error(gl: Context, smp: int, row: Parameter) -> None:
    assert on_sampler(gl, smp, row.pname, VALUES[short(row)][1]) == VALUES[short(row)][2]


@pytest.mark.parametrize("row", ENUMS, ids=short)
def test_every_member_of_a_family_is_accepted(gl: Context, smp: int, row: Parameter) -> None:
    for value in row.family or ():
        assert on_sampler(gl, smp, row.pname, int(value)) == NONE
        assert on_texture(gl, row.pname, int(value)) == NONE


@pytest.mark.parametrize("row", [row for row in ROWS if row.texture_gate.desktop], ids=short)
def test_a_parameter_goes_with_its_extension(make: Make, row: Parameter) -> None:
    """INVALID_ENUM, also for a good value; but comparison of sampler objects is ignored in silence."""
    gl = make(lacking=row.texture_gate.desktop or ())
    assert on_texture(gl, row.pname, VALUES[short(row)][0]) == ENUM
    if row.on_sampler:
        (smp,) = gl.glGenSamplers(1)
        before = gl.samplers[smp].state()
        expected = NONE if short(row).startswith("COMPARE") else ENUM
        assert on_sampler(gl, smp, row.pname, VALUES[short(row)][0]) == expected
        assert gl.samplers[smp].state() == before


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("row", ROWS, ids=short)
def test_a_texture_parameter_goes_with_its_profile(make: Make, row: Parameter, profile: str) -> None:
    gl = make(profile)
    assert on_texture(gl, row.pname, VALUES[short(row)][0]) == (NONE if row.texture_gate.allows(gl.limits) else ENUM)


def test_rectangles_neither_repeat_nor_have_mipmaps(gl: Context) -> None:
    """Each other enum is taken; sampler objects do not know."""
    refused = {f"WRAP_{axis} {wrap.name}" for axis in "STR" for wrap in e.Wrap if not wrap.name.startswith("CLAMP")}
    refused |= {f"MIN_FILTER {mode.name}" for mode in e.MinFilter if "MIPMAP" in mode.name}
    for row in ENUMS:
        for value in row.family or ():
            error = on_texture(gl, row.pname, int(value), target="GL_TEXTURE_RECTANGLE")
            assert error == (ENUM if f"{short(row)} {value.name}" in refused else NONE)


def test_rectangles_have_level_0_only(gl: Context) -> None:
    """BASE_LEVEL is INVALID_OPERATION, MAX_LEVEL INVALID_VALUE."""
    assert on_texture(gl, "GL_TEXTURE_BASE_LEVEL", 1, target="GL_TEXTURE_RECTANGLE") == OPERATION
    assert on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 1, target="GL_TEXTURE_RECTANGLE") == VALUE
    assert on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 0, target="GL_TEXTURE_RECTANGLE") == NONE
    assert on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 1, target="GL_TEXTURE_2D_MULTISAMPLE") == NONE


@pytest.mark.parametrize("target", ["RECTANGLE", "2D_MULTISAMPLE", "2D_MULTISAMPLE_ARRAY"])
@pytest.mark.parametrize("level", [-1, -(1 << 31)])
def test_a_negative_base_level_is_first_of_all_not_0(gl: Context, target: str, level: int) -> None:
    """INVALID_OPERATION where level 0 is the only one; MAX_LEVEL is INVALID_VALUE, as every target's levels are."""
    assert on_texture(gl, "GL_TEXTURE_BASE_LEVEL", level, target=f"GL_TEXTURE_{target}") == OPERATION
    assert on_texture(gl, "GL_TEXTURE_MAX_LEVEL", level, target=f"GL_TEXTURE_{target}") == VALUE
    assert on_texture(gl, "GL_TEXTURE_BASE_LEVEL", level, target="GL_TEXTURE_2D") == VALUE


@pytest.mark.parametrize("row", FILTERING, ids=short)
@pytest.mark.parametrize("target", ["GL_TEXTURE_2D_MULTISAMPLE", "GL_TEXTURE_2D_MULTISAMPLE_ARRAY"])
def test_multisample_textures_refuse_what_filters_read(gl: Context, row: Parameter, target: str) -> None:
    """INVALID_ENUM by target, INVALID_OPERATION by name, but for a border as one value, as floats or as ints."""
    value = VALUES[short(row)][0]
    assert on_texture(gl, row.pname, value, target=target) == ENUM
    (tex,) = gl.glCreateTextures(target, 1)
    for form in ("fv", "iv", "Iiv", "Iuiv"):
        gl.call(f"glTextureParameter{form}", tex, row.pname, value)
        border = row.kind == "border" and form in ("fv", "iv")
        assert gl.glGetError() == (ENUM if border else OPERATION)
    for form in ("f", "i"):
        gl.call(f"glTextureParameter{form}", tex, row.pname, 1)
        assert gl.glGetError() == (ENUM if row.kind == "border" else OPERATION)


@pytest.mark.parametrize("row", [r for r in ROWS if not r.filtering and r.kind not in ("level", "swizzles")], ids=short)
def test_multisample_textures_keep_their_other_parameters(gl: Context, row: Parameter) -> None:
    """Swizzles and modes have nothing to do with filtering."""
    assert on_texture(gl, row.pname, VALUES[short(row)][0], target="GL_TEXTURE_2D_MULTISAMPLE") == NONE


VALIDATED = ("DEPTH_STENCIL_TEXTURE_MODE", "SRGB_DECODE", "REDUCTION_MODE")


@pytest.mark.parametrize("row", [r for r in ENUMS if short(r) not in VALIDATED], ids=short)
def test_a_stored_value_is_never_looked_at_again(gl: Context, smp: int, tex: int, row: Parameter) -> None:
    """Equal values are accepted unseen: even one that is no member of the family."""
    texture = gl.textures[tex]
    assert texture is not None
    for sampler in (gl.samplers[smp], texture.sampler):
        sampler.store(row.field, 0x1234)
    assert on_sampler(gl, smp, row.pname, 0x1234) == NONE
    assert on_texture(gl, row.pname, 0x1234) == NONE


@pytest.mark.parametrize("name", VALIDATED)
def test_three_texture_parameters_are_validated_before_they_are_compared(gl: Context, tex: int, name: str) -> None:
    row = PARAMETERS[e.TextureParameter[name]]
    texture = gl.textures[tex]
    assert texture is not None
    (texture.sampler if row.filtering else texture).store(row.field, 0x1234)
    assert on_texture(gl, row.pname, 0x1234) == ENUM


def test_anisotropy_keeps_a_stored_bad_value_silently(gl: Context, smp: int) -> None:
    gl.samplers[smp].store("max_anisotropy", 0.5)
    assert on_sampler(gl, smp, "GL_TEXTURE_MAX_ANISOTROPY", 0.5) == NONE


def test_minus_zero_over_zero_is_no_change(gl: Context, smp: int) -> None:
    on_sampler(gl, smp, "GL_TEXTURE_LOD_BIAS", -0.0)
    assert math.copysign(1.0, gl.samplers[smp].lod_bias) == 1.0


@pytest.mark.parametrize("name", ["MIN_LOD", "MAX_LOD", "LOD_BIAS"])
def test_nan_is_always_stored(gl: Context, smp: int, name: str) -> None:
    """It equals nothing, itself included, so each call is a change."""
    on_sampler(gl, smp, e.TextureParameter[name], math.nan)
    token = gl.samplers[smp].token
    assert on_sampler(gl, smp, e.TextureParameter[name], math.nan) == NONE
    assert gl.samplers[smp].token != token


@pytest.mark.parametrize(("value", "kept"), [(100.0, 16.0), (math.nan, 16.0), (math.inf, 16.0), (2.5, 2.5), (1.0, 1.0)])
def test_anisotropy_is_stored_up_to_the_drivers_maximum(gl: Context, smp: int, value: float, kept: float) -> None:
    """NaN passes every test and gives the maximum."""
    assert on_sampler(gl, smp, "GL_TEXTURE_MAX_ANISOTROPY", value) == NONE
    assert gl.samplers[smp].max_anisotropy == kept


def test_only_ten_unsupported_anisotropy_calls_on_textures_complain_in_a_process() -> None:
    """Contexts share the count; sampler objects always complain and are not counted."""
    process = Process()
    first, second = Context(process=process), Context(process=process)
    (smp,) = first.glGenSamplers(1)
    errors = [on_texture((first, second)[n % 2], "GL_TEXTURE_MAX_ANISOTROPY", 2.0) for n in range(12)]
    assert errors == [ENUM] * 10 + [NONE] * 2
    assert on_sampler(first, smp, "GL_TEXTURE_MAX_ANISOTROPY", 2.0) == ENUM
    assert on_texture(Context(), "GL_TEXTURE_MAX_ANISOTROPY", 2.0) == ENUM


@pytest.mark.parametrize(("value", "error", "kept"), [(257, NONE, True), (256, NONE, False), (2, VALUE, False)])
def test_sampler_seamless_looks_at_eight_bits(gl: Context, smp: int, value: int, error: str, kept: bool) -> None:
    assert on_sampler(gl, smp, "GL_TEXTURE_CUBE_MAP_SEAMLESS", value) == error
    assert gl.samplers[smp].cube_map_seamless is kept


@pytest.mark.parametrize("form", ["i", "f"])
def test_scalar_forms_refuse_border_colours_and_swizzle_rgba(gl: Context, smp: int, form: str) -> None:
    assert on_sampler(gl, smp, "GL_TEXTURE_BORDER_COLOR", 1, form) == ENUM
    assert on_texture(gl, "GL_TEXTURE_BORDER_COLOR", 1, form) == ENUM
    assert on_texture(gl, "GL_TEXTURE_SWIZZLE_RGBA", 1, form) == ENUM


def test_swizzle_components_before_a_bad_one_are_applied(gl: Context, tex: int) -> None:
    assert on_texture(gl, "GL_TEXTURE_SWIZZLE_RGBA", [1, 0, 2, 0x1903], "iv") == ENUM
    texture = gl.textures[tex]
    assert texture is not None
    assert texture.swizzle == (1, 0, 0x1905, 0x1906)


def test_borders_are_clamped_only_where_hardware_lacks_float_textures(make: Make) -> None:
    """And only by the forms that give floats; NaN gives 0."""
    for lacking, expected in (((), [2.0, -1.0]), (("GL_ARB_texture_float",), [1.0, 0.0])):
        gl = make(lacking=lacking)
        on_texture(gl, "GL_TEXTURE_BORDER_COLOR", [2.0, -1.0, 0.5, math.nan])
        words = gl.bound(e.Target.TEXTURE_2D).sampler.border_color
        assert floats_of(words)[:2] == expected
        assert words[3] == (0 if lacking else 0x7FC00000)


def test_sampler_objects_never_clamp_borders(make: Make) -> None:
    gl = make(lacking=("GL_ARB_texture_float",))
    (smp,) = gl.glGenSamplers(1)
    on_sampler(gl, smp, "GL_TEXTURE_BORDER_COLOR", [2.0, 0.0, 0.0, 0.0])
    assert gl.samplers[smp].border_color[0] == 0x40000000


def test_immutable_levels_clamp_what_is_set(gl: Context, tex: int) -> None:
    """Base to levels - 1, max between base and levels - 1; what was there before stays."""
    gl.glTexStorage2D(TWO_D, 3, "GL_RGBA8", 8, 8)
    texture = gl.textures[tex]
    assert texture is not None
    assert texture.max_level == 1000
    on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 1000)
    assert texture.max_level == 1000
    on_texture(gl, "GL_TEXTURE_BASE_LEVEL", 9)
    on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 0)
    assert (texture.base_level, texture.max_level) == (2, 2)


@pytest.mark.parametrize(("given", "kept"), [(0, 3), (1, 3), (3, 3), (4, 2), (9987, 2)])
def test_a_base_level_above_immutable_levels_holds_up_max_levels_below_it_alone(
    gl: Context, tex: int, given: int, kept: int
) -> None:
    """Storage of three levels under a base level of 3: Mesa clamps between 3 and 2. Observed on Mesa 22.3.6."""
    on_texture(gl, "GL_TEXTURE_BASE_LEVEL", 3)
    gl.glTexStorage2D(TWO_D, 3, "GL_RGBA8", 8, 8)
    on_texture(gl, "GL_TEXTURE_MAX_LEVEL", 7)
    on_texture(gl, "GL_TEXTURE_MAX_LEVEL", given)
    assert gl.textures[tex] is not None
    assert gl.glGetTextureParameteriv(tex, "GL_TEXTURE_MAX_LEVEL") == [kept]


def test_depth_texture_mode_red_needs_texture_rg(make: Make) -> None:
    assert on_texture(make(lacking=("GL_ARB_texture_rg",)), "GL_DEPTH_TEXTURE_MODE", "GL_RED") == ENUM


def test_legacy_parameters_say_nothing_to_samplers(gl: Context, tex: int) -> None:
    """GENERATE_MIPMAP takes any number, kept as a truth value; PRIORITY is clamped to [0, 1]."""
    texture = gl.textures[tex]
    assert texture is not None
    before = texture.sampler.state()
    on_texture(gl, "GL_GENERATE_MIPMAP", 7)
    for value, kept in ((0.5, 0.5), (3.0, 1.0), (3.0, 1.0)):
        on_texture(gl, "GL_TEXTURE_PRIORITY", value)
        assert texture.priority == kept
    assert texture.generate_mipmap is True
    assert texture.sampler.state() == before


def test_a_bad_value_is_answered_with_argument_value_and_choices(gl: Context, smp: int) -> None:
    on_sampler(gl, smp, "GL_TEXTURE_MAG_FILTER", "GL_LINEAR_MIPMAP_LINEAR")
    assert str(gl.messages[-1]) == (
        "GL_INVALID_ENUM in glSamplerParameteri: param=GL_LINEAR_MIPMAP_LINEAR is no GL_TEXTURE_MAG_FILTER here; "
        "accepted: GL_NEAREST, GL_LINEAR"
    )


def test_an_absent_parameter_is_answered_with_what_it_needs(make: Make) -> None:
    gl = make(lacking=("GL_ARB_stencil_texturing",))
    on_texture(gl, "GL_DEPTH_STENCIL_TEXTURE_MODE", "GL_STENCIL_INDEX")
    assert str(gl.messages[-1]) == (
        "GL_INVALID_ENUM in glTexParameteri: pname=GL_DEPTH_STENCIL_TEXTURE_MODE does not exist in this context; "
        "it needs desktop GL with GL_ARB_stencil_texturing, or GLES 3.1 or later"
    )


NUMBERS = st.one_of(st.integers(), st.floats(), st.sampled_from([int(v) for f in (e.Wrap, e.MinFilter) for v in f]))
PNAMES = st.one_of(st.sampled_from(sorted(PARAMETERS)), st.integers(0, 0xFFFF))
#: Every extension that a gate asks for.
EVERYTHING = Limits(
    extensions=frozenset(
        extension for row in ROWS for gate in (row.sampler_gate, row.texture_gate) for extension in gate.desktop or ()
    )
    | {"GL_EXT_texture_mirror_clamp", "GL_ARB_texture_mirror_clamp_to_edge"}
)


@given(
    PNAMES, st.sampled_from(sorted(TEXTURE_FORMS)), st.lists(NUMBERS, min_size=1, max_size=5), st.sampled_from(e.Target)
)
def test_setters_are_total(pname: int, form: str, values: list[float], target: e.Target) -> None:
    """Any number anywhere gives a GL error or none, also on targets that have no parameters."""
    gl = Context(EVERYTHING)
    (smp,) = gl.glGenSamplers(1)
    given = values if TEXTURE_FORMS[form].vector else values[0]
    for call, owner in (("glSamplerParameter", smp), ("glTexParameter", int(target))):
        gl.call(f"{call}{form}", owner, pname, given)
        assert gl.glGetError() in (NONE, ENUM, VALUE, OPERATION)


def test_other_missing_parameters_do_not_use_up_the_ten_complaints() -> None:
    """They complain every time; anisotropy counts its own."""
    gl = Context(Limits(profile="core"))
    (tex,) = gl.glGenTextures(1)
    gl.glBindTexture(TWO_D, tex)
    assert {on_texture(gl, "GL_TEXTURE_SRGB_DECODE_EXT", 0x8A4A) for _ in range(12)} == {ENUM}
    seen = [on_texture(gl, "GL_TEXTURE_MAX_ANISOTROPY", 2.0) for _ in range(12)]
    assert seen == [ENUM] * 10 + [NONE] * 2
    assert on_texture(gl, "GL_TEXTURE_SRGB_DECODE_EXT", 0x8A4A) == ENUM


def test_integer_borders_of_textures_are_clamped_where_they_become_floats(make: Make) -> None:
    """The iv form gives -1.0, which becomes 0; Iiv and Iuiv give words, which stay."""
    gl = make(lacking=("GL_ARB_texture_float",))
    for form, words in (("iv", (0, 0, 0, 0x3F800000)), ("Iiv", (0x80000000, 0xC0000000, 0xFFFFFFFF, 0x7FFFFFFF))):
        on_texture(gl, "GL_TEXTURE_BORDER_COLOR", [-(1 << 31), -(1 << 30), -1, (1 << 31) - 1], form)
        assert gl.bound(e.Target.TEXTURE_2D).sampler.border_color == words


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SRGB_DECODE", 0x8A4A), ("REDUCTION_MODE", 0x8007), ("CUBE_MAP_SEAMLESS", 1),
        ("DEPTH_STENCIL_TEXTURE_MODE", 0x1901), ("GENERATE_MIPMAP", 1), ("PRIORITY", 0.5),
    ],
)  # fmt: skip
def test_an_equal_value_that_is_validated_keeps_the_token_too(gl: Context, tex: int, name: str, value: float) -> None:
    texture = gl.textures[tex]
    assert texture is not None
    assert on_texture(gl, e.TextureParameter[name], value) == NONE
    before = (texture.token, texture.sampler.token)
    assert on_texture(gl, e.TextureParameter[name], value) == NONE
    assert (texture.token, texture.sampler.token) == before


@pytest.mark.parametrize("given", [[0.25], [0.25, 0.5], [0.25, 0.5, 0.75], [0.25, 0.5, 0.75, 1.0]])
def test_a_border_that_is_recorded_too_short_is_filled_up_with_zeros(gl: Context, smp: int, given: list[float]) -> None:
    """Recordings keep as many numbers as they printed."""
    on_sampler(gl, smp, "GL_TEXTURE_BORDER_COLOR", [9.0] * 4)
    on_sampler(gl, smp, "GL_TEXTURE_BORDER_COLOR", given, "fv")
    assert floats_of(gl.samplers[smp].border_color) == given + [0.0] * (4 - len(given))


def test_levels_of_a_mutable_texture_are_kept_as_given(gl: Context, tex: int) -> None:
    """Only storage that cannot change limits them; a base level may go below the one before."""
    texture = gl.textures[tex]
    assert texture is not None
    for base, last in ((5, 3), (2, 9)):
        on_texture(gl, "GL_TEXTURE_BASE_LEVEL", base)
        on_texture(gl, "GL_TEXTURE_MAX_LEVEL", last)
        assert (texture.base_level, texture.max_level) == (base, last)
    gl.glTexStorage2D(TWO_D, 4, "GL_RGBA8", 8, 8)
    for base in (2, 1):
        on_texture(gl, "GL_TEXTURE_BASE_LEVEL", base)
        assert texture.base_level == base
