"""`statetracker.gl.getters`: what is answered in which form. `test_getters_recorded.py` compares with recordings."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from statetracker.gl import Context, Limits
from statetracker.gl import enums as e
from statetracker.gl.parameters import PARAMETERS

Make = Callable[..., Context]
FORMS = ("iv", "fv", "Iiv", "Iuiv")
BORDER, LOD, TWO_D = "GL_TEXTURE_BORDER_COLOR", "GL_TEXTURE_LOD_BIAS", "GL_TEXTURE_2D"


@pytest.mark.parametrize("pname", PARAMETERS, ids=lambda p: e.TextureParameter(p).name)
@pytest.mark.parametrize("form", FORMS)
def test_every_parameter_can_be_asked_for(gl: Context, smp: int, tex: int, pname: int, form: str) -> None:
    """Of textures all, of sampler objects those they have."""
    assert gl.call(f"glGetTexParameter{form}", TWO_D, pname) == gl.call(f"glGetTextureParameter{form}", tex, pname)
    assert gl.glGetError() == "GL_NO_ERROR"
    answer = gl.call(f"glGetSamplerParameter{form}", smp, pname)
    assert (answer is not None) == PARAMETERS[pname].on_sampler == (gl.glGetError() == "GL_NO_ERROR")


def test_a_samplers_border_comes_back_unclamped_as_floats(gl: Context, smp: int) -> None:
    gl.glSamplerParameterfv(smp, BORDER, [2.0, -1.0, 0.5, 1.0])
    assert gl.glGetSamplerParameterfv(smp, BORDER) == [2.0, -1.0, 0.5, 1.0]
    assert gl.glGetSamplerParameterIiv(smp, BORDER) == [0x40000000, 0xBF800000 - (1 << 32), 0x3F000000, 0x3F800000]
    assert gl.glGetSamplerParameterIuiv(smp, BORDER) == [0x40000000, 0xBF800000, 0x3F000000, 0x3F800000]


def test_a_samplers_border_as_ints_has_no_room_for_two(gl: Context, smp: int) -> None:
    """The smallest int stands for NaN and for what does not fit."""
    gl.glSamplerParameterfv(smp, BORDER, [2.0, math.nan, -1.0, 0.25])
    assert gl.glGetSamplerParameteriv(smp, BORDER) == [-(1 << 31), -(1 << 31), -2147483647, 536870911]


def test_a_textures_border_is_clamped_as_floats_and_ints(gl: Context) -> None:
    gl.glTexParameterfv(TWO_D, BORDER, [2.0, -1.0, math.nan, 0.5])
    assert gl.glGetTexParameterfv(TWO_D, BORDER) == [1.0, 0.0, 0.0, 0.5]
    assert gl.glGetTexParameteriv(TWO_D, BORDER) == [2147483647, 0, 0, 1073741823]
    assert gl.glGetTexParameterIuiv(TWO_D, BORDER) == [0x40000000, 0xBF800000, 0x7FC00000, 0x3F000000]


@pytest.mark.parametrize("profile", ["core", "gles32"])
def test_a_textures_border_is_clamped_as_floats_in_compatibility_contexts_only(make: Make, profile: str) -> None:
    """Other contexts do not clamp fragment colours; ints always are clamped. Observed on Mesa 22.3.6."""
    gl = make(profile)
    gl.glTexParameterfv(TWO_D, BORDER, [2.0, -1.0, 0.5, 1.5])
    assert gl.glGetTexParameterfv(TWO_D, BORDER) == [2.0, -1.0, 0.5, 1.5]
    assert gl.glGetTexParameteriv(TWO_D, BORDER) == [2147483647, 0, 1073741823, 2147483647]


# Observed live on Mesa 22.3.6: what is kept, and what iv, Iiv and Iuiv answer of a sampler object and of a texture.
# fmt: off
FLOATS = [
    #  kept            sampler: iv, Iiv, Iuiv                     texture: iv, Iiv, Iuiv
    (2.9,             (3, 2, 2),                                 (3, 3, 3)),
    (-2.9,            (-3, -2, 4294967294),                      (-3, -3, 4294967293)),
    (2.5,             (3, 2, 2),                                 (3, 3, 3)),
    (0.5,             (1, 0, 0),                                 (1, 1, 1)),
    (-0.5,            (-1, 0, 0),                                (-1, -1, 4294967295)),
    (0.49999997,      (0, 0, 0),                                 (0, 0, 0)),
    (-0.0,            (0, 0, 0),                                 (0, 0, 0)),
    (-1000.0,         (-1000, -1000, 4294966296),                (-1000, -1000, 4294966296)),
    (2147483520.0,    (2147483520,) * 3,                         (2147483520,) * 3),
    (3e9,             (-1294967296, -2147483648, 3000000000),    (2147483647,) * 3),
    (1e20,            (0, -2147483648, 0),                       (2147483647,) * 3),
    (-1e20,           (0, -2147483648, 0),                       (-2147483648, -2147483648, 2147483648)),
    (math.inf,        (0, -2147483648, 0),                       (2147483647,) * 3),
    (-math.inf,       (0, -2147483648, 0),                       (-2147483648, -2147483648, 2147483648)),
    (math.nan,        (0, -2147483648, 0),                       (-2147483648, -2147483648, 2147483648)),
]
# fmt: on


@pytest.mark.parametrize("pname", ["GL_TEXTURE_MIN_LOD", "GL_TEXTURE_MAX_LOD", LOD])
@pytest.mark.parametrize(("kept", "sampler", "texture"), FLOATS)
def test_floats_are_asked_for_as_ints(
    gl: Context, smp: int, pname: str, kept: float, sampler: tuple[int, ...], texture: tuple[int, ...]
) -> None:
    """Textures round and saturate in every form; sampler objects round in one, truncate in two, and wrap around."""
    gl.glSamplerParameterf(smp, pname, kept)
    gl.glTexParameterf(TWO_D, pname, kept)
    forms = ("iv", "Iiv", "Iuiv")
    assert [gl.call(f"glGetSamplerParameter{form}", smp, pname) for form in forms] == [[v] for v in sampler]
    assert [gl.call(f"glGetTexParameter{form}", TWO_D, pname) for form in forms] == [[v] for v in texture]


@pytest.mark.parametrize(
    ("form", "expected"), [("fv", 0.25), ("iv", 536870911), ("Iiv", 536870911), ("Iuiv", 536870911)]
)
def test_priority_is_mapped_by_every_form_of_ints(gl: Context, form: str, expected: float) -> None:
    gl.glTexParameterf(TWO_D, "GL_TEXTURE_PRIORITY", 0.25)
    assert gl.call(f"glGetTexParameter{form}", TWO_D, "GL_TEXTURE_PRIORITY") == [expected]


@pytest.mark.parametrize("profile", ["gles3", "gles31", "gles32"])
def test_gles_may_ask_a_sampler_object_whether_it_is_seamless(make: Make, profile: str) -> None:
    gl = make(profile)
    (smp,) = gl.glGenSamplers(1)
    seamless = "GL_TEXTURE_CUBE_MAP_SEAMLESS"
    assert (gl.glGetSamplerParameteriv(smp, seamless), gl.glGetError()) == ([0], "GL_NO_ERROR")
    gl.glSamplerParameteri(smp, seamless, 1)
    assert gl.glGetError() == "GL_INVALID_ENUM"
    assert (gl.glGetTexParameteriv(TWO_D, seamless), gl.glGetError()) == (None, "GL_INVALID_ENUM")


def test_the_anisotropy_getter_needs_its_extension_on_textures_only() -> None:
    gl = Context()
    (smp,) = gl.glGenSamplers(1)
    assert gl.glGetSamplerParameterfv(smp, "GL_TEXTURE_MAX_ANISOTROPY") == [1.0]
    assert gl.glGetTexParameterfv(TWO_D, "GL_TEXTURE_MAX_ANISOTROPY") is None
    assert gl.glGetError() == "GL_INVALID_ENUM"


@pytest.mark.parametrize("form", ["fv", "iv", "Iiv", "Iuiv"])
def test_a_sampler_objects_anisotropy_needs_its_extension_in_the_form_iv(form: str) -> None:
    """Observed on seven releases of Mesa, with the extension switched off."""
    for extensions, answered in ((frozenset[str](), form != "iv"), ({"GL_EXT_texture_filter_anisotropic"}, True)):
        gl = Context(Limits(extensions=frozenset(extensions)))
        (smp,) = gl.glGenSamplers(1)
        assert gl.call(f"glGetSamplerParameter{form}", smp, "GL_TEXTURE_MAX_ANISOTROPY") == ([1] if answered else None)
        assert gl.glGetError() == ("GL_NO_ERROR" if answered else "GL_INVALID_ENUM")


@pytest.mark.parametrize("profile", ["compatibility", "core", "gles32"])
@pytest.mark.parametrize("has", [False, True])
def test_mesa_24_answers_the_seamless_switch_in_integers_where_there_is_none(profile: str, *, has: bool) -> None:
    """In floats, and on sampler objects, where there is one. Observed on Mesa 24.0.5."""
    extensions = frozenset({"GL_AMD_seamless_cubemap_per_texture"} if has else ())
    for release, inverted in (("23.2", False), ("24.1", True), ("25.0", False)):
        gl = Context(Limits(profile=profile, extensions=extensions, release=release))
        gl.glBindTexture("GL_TEXTURE_2D", *gl.glGenTextures(1))
        there = has and profile != "gles32"
        for form in ("fv", "iv", "Iiv", "Iuiv"):
            answered = there != (inverted and form != "fv")
            answer = gl.call(f"glGetTexParameter{form}", "GL_TEXTURE_2D", "GL_TEXTURE_CUBE_MAP_SEAMLESS")
            assert (answer, gl.glGetError()) == (([0], "GL_NO_ERROR") if answered else (None, "GL_INVALID_ENUM")), form


@pytest.mark.parametrize("pname", ["REDUCTION_MODE_ARB", "CUBE_MAP_SEAMLESS", "SRGB_DECODE_EXT"])
def test_reduction_seamless_and_decode_getters_need_their_extensions_on_both(pname: str) -> None:
    """INVALID_ENUM without."""
    gl = Context()
    (smp,) = gl.glGenSamplers(1)
    assert gl.glGetSamplerParameteriv(smp, f"GL_TEXTURE_{pname}") is None
    assert gl.glGetTexParameteriv(TWO_D, f"GL_TEXTURE_{pname}") is None
    assert [m.error for m in gl.messages] == ["GL_INVALID_ENUM"] * 2


# fmt: off
ELSEWHERE = [
    ("GL_TEXTURE_TARGET",                   {"core": [0x0DE1], "compatibility": None, "gles32": None}),
    ("GL_TEXTURE_RESIDENT",                 {"core": None, "compatibility": [1], "gles32": None}),
    ("GL_IMAGE_FORMAT_COMPATIBILITY_TYPE",  {"core": [0x90C8], "compatibility": [0x90C8], "gles32": [0x90C8]}),
    ("GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES", {"core": None, "compatibility": None, "gles32": [1]}),
]
# fmt: on


@pytest.mark.parametrize(("pname", "answers"), ELSEWHERE)
def test_some_questions_exist_in_some_contexts(make: Make, pname: str, answers: dict[str, list[int] | None]) -> None:
    """Observed on Mesa 22.3.6."""
    assert {profile: make(profile).glGetTexParameteriv(TWO_D, pname) for profile in answers} == answers


def test_an_unknown_name_is_answered_with_the_known_ones(gl: Context, smp: int) -> None:
    """The message names argument, value and choices."""
    gl.glGetSamplerParameteriv(smp, "GL_TEXTURE_BASE_LEVEL")
    message = gl.messages[-1].message
    assert message.startswith("pname=GL_TEXTURE_BASE_LEVEL cannot be asked of a sampler object here; accepted: GL_TEX")
    gl.glGetTexParameteriv(TWO_D, 0x1234)
    said, accepted = gl.messages[-1].message.split("; accepted: ")
    assert said == "pname=0x1234 cannot be asked of a texture here"
    assert {"GL_TEXTURE_WRAP_S", "GL_TEXTURE_IMMUTABLE_LEVELS"} < set(accepted.split(", "))


# fmt: off
STORAGE = [
    #                  mutable  stored  a view of it
    ("IMMUTABLE_FORMAT",  0,    1,      1),
    ("IMMUTABLE_LEVELS",  0,    4,      4),
    ("VIEW_MIN_LEVEL",    0,    0,      1),
    ("VIEW_NUM_LEVELS",   0,    4,      1),
    ("VIEW_MIN_LAYER",    0,    0,      2),
    ("VIEW_NUM_LAYERS",   0,    6,      3),
]
# fmt: on


@pytest.mark.parametrize(("pname", "mutable", "stored", "view"), STORAGE)
def test_what_a_texture_has_of_its_storage_can_be_asked_for(
    gl: Context, pname: str, mutable: int, stored: int, view: int
) -> None:
    """A texture that has none answers 0 throughout. Observed on Mesa 22.3.6."""
    loose, whole = gl.glCreateTextures("GL_TEXTURE_2D_ARRAY", 2)
    (part,) = gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_2D_ARRAY", loose)
    gl.glTexImage3D("GL_TEXTURE_2D_ARRAY", 0, "GL_RGBA8", 8, 8, 6, 0, "GL_RGBA", "GL_UNSIGNED_BYTE", None)
    gl.glTextureStorage3D(whole, 4, "GL_RGBA8", 8, 8, 6)
    gl.glTextureView(part, "GL_TEXTURE_2D_ARRAY", whole, "GL_RGBA8", 1, 1, 2, 3)
    answers = [gl.glGetTextureParameteriv(name, f"GL_TEXTURE_{pname}") for name in (loose, whole, part)]
    assert answers == [[mutable], [stored], [view]]


@pytest.mark.usefixtures("tex")
def test_swizzles_are_asked_for_singly_and_together(gl: Context) -> None:
    zero, one, green, alpha = 0, 1, 0x1904, 0x1906
    gl.glTexParameteriv(TWO_D, "GL_TEXTURE_SWIZZLE_RGBA", [green, one, alpha, zero])
    singly = [gl.glGetTexParameteriv(TWO_D, f"GL_TEXTURE_SWIZZLE_{letter}") for letter in "RGBA"]
    assert singly == [[green], [one], [alpha], [zero]]
    assert gl.glGetTexParameterfv(TWO_D, "GL_TEXTURE_SWIZZLE_RGBA") == [green, one, alpha, zero]


LEVEL = "WIDTH HEIGHT DEPTH INTERNAL_FORMAT COMPRESSED SAMPLES FIXED_SAMPLE_LOCATIONS"
# fmt: off
IMAGES = [
    ("2D", (),                                                        [0, 0, 0, 0x1908, 0, 0, 1]),
    ("3D", ("3D", 1, "GL_RGBA8", 8, 4, 2),                            [8, 4, 2, 0x8058, 0, 0, 1]),
    ("2D", ("2D", 1, "GL_COMPRESSED_RGBA_S3TC_DXT5_EXT", 8, 4),       [8, 4, 1, 0x83F3, 1, 0, 1]),
    ("2D_MULTISAMPLE", ("2DMultisample", 4, "GL_RGBA8", 8, 4, False), [8, 4, 1, 0x8058, 0, 4, 0]),
    ("2D_MULTISAMPLE", ("2DMultisample", 4, "GL_RGBA8", 8, 4, True),  [8, 4, 1, 0x8058, 0, 4, 1]),
]
# fmt: on


@pytest.mark.parametrize(("target", "storage", "answers"), IMAGES)
def test_an_image_is_asked_for_by_everything_that_it_is(
    gl: Context, target: str, storage: tuple[str | int, ...], answers: list[int]
) -> None:
    """One that is not there has no size, and its samples stand where all do. Observed on Mesa 22.3.6."""
    (name,) = gl.glCreateTextures(f"GL_TEXTURE_{target}", 1)
    if storage:
        gl.call(f"glTextureStorage{storage[0]}", name, *storage[1:])
    asked = [gl.glGetTextureLevelParameteriv(name, 0, f"GL_TEXTURE_{word}") for word in LEVEL.split()]
    assert asked == [[answer] for answer in answers]


@pytest.mark.usefixtures("tex")
def test_levels_that_no_texture_can_have_are_refused(gl: Context) -> None:
    """The largest texture of 16384 texels has level 14; the message says so."""
    gl.glTexStorage2D(TWO_D, 1, "GL_RGBA8", 8, 4)
    assert gl.glGetTexLevelParameterfv(TWO_D, 0, "GL_TEXTURE_HEIGHT") == [4.0]
    assert gl.glGetTexLevelParameteriv(TWO_D, 0, "GL_TEXTURE_RED_SIZE") is None
    assert gl.glGetTexLevelParameteriv(TWO_D, -1, "GL_TEXTURE_WIDTH") is None
    assert [m.error for m in gl.messages] == ["GL_INVALID_ENUM", "GL_INVALID_VALUE"]
    assert gl.glGetTexLevelParameteriv(TWO_D, 14, "GL_TEXTURE_WIDTH") == [0]
    assert gl.glGetTexLevelParameteriv(TWO_D, 15, "GL_TEXTURE_WIDTH") is None
    last = gl.messages[-1]
    assert (last.error, last.message) == ("GL_INVALID_VALUE", "level=15 is no mipmap level; accepted: 0 to 14")
