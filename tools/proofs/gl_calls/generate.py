"""Random sequences of calls on textures, samplers and units: mostly sensible, about few names, with slips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from statetracker.gl.enums import TextureParameter
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from statetracker.gl.parameters import Parameter
    from tools.proofs.gl_calls.sides import Call

__all__ = ["sequences"]

# fmt: off
#: What is drawn more often stands more often.
TARGETS: Final = (
    *("TEXTURE_2D",) * 6, *("TEXTURE_CUBE_MAP", "TEXTURE_3D", "TEXTURE_2D_ARRAY", "TEXTURE_RECTANGLE") * 2,
    "TEXTURE_1D", "TEXTURE_1D_ARRAY", "TEXTURE_CUBE_MAP_ARRAY", "TEXTURE_BUFFER", "TEXTURE_2D_MULTISAMPLE",
    "TEXTURE_2D_MULTISAMPLE_ARRAY", "TEXTURE_CUBE_MAP_NEGATIVE_X", "PROXY_TEXTURE_2D", 0x1234,
)
IMAGE_TARGETS: Final = {
    1: ("TEXTURE_1D", "TEXTURE_1D", "PROXY_TEXTURE_1D"),
    2: ("TEXTURE_2D",) * 5 + ("TEXTURE_CUBE_MAP_POSITIVE_X", "TEXTURE_CUBE_MAP_NEGATIVE_Z", "TEXTURE_RECTANGLE",
        "TEXTURE_1D_ARRAY", "PROXY_TEXTURE_2D", "PROXY_TEXTURE_CUBE_MAP", "PROXY_TEXTURE_RECTANGLE"),
    3: ("TEXTURE_3D", "TEXTURE_2D_ARRAY") * 2 + ("TEXTURE_CUBE_MAP_ARRAY", "PROXY_TEXTURE_3D",
        "PROXY_TEXTURE_2D_ARRAY"),
}
STORAGE_TARGETS: Final = IMAGE_TARGETS | {
    2: ("TEXTURE_2D",) * 4 + ("TEXTURE_CUBE_MAP",) * 2 + ("TEXTURE_RECTANGLE", "TEXTURE_1D_ARRAY", "PROXY_TEXTURE_2D"),
}
#: Internal formats with pixels that fill them.
FORMATS: Final = (
    *(("RGBA8", "RGBA", "UNSIGNED_BYTE"),) * 4, ("RGB8", "RGB", "UNSIGNED_BYTE"), ("R8", "RED", "UNSIGNED_BYTE"),
    ("RGBA", "RGBA", "UNSIGNED_BYTE"), ("RGB", "RGB", "UNSIGNED_BYTE"), ("RGBA16F", "RGBA", "HALF_FLOAT"),
    ("RGBA32F", "RGBA", "FLOAT"), ("R32F", "RED", "FLOAT"), ("SRGB8_ALPHA8", "RGBA", "UNSIGNED_BYTE"),
    ("DEPTH_COMPONENT24", "DEPTH_COMPONENT", "UNSIGNED_INT"),
    ("DEPTH24_STENCIL8", "DEPTH_STENCIL", "UNSIGNED_INT_24_8"),
    ("DEPTH_COMPONENT32F", "DEPTH_COMPONENT", "FLOAT"), ("DEPTH_COMPONENT16", "DEPTH_COMPONENT", "UNSIGNED_SHORT"),
    ("STENCIL_INDEX8", "STENCIL_INDEX", "UNSIGNED_BYTE"), ("RGBA8UI", "RGBA_INTEGER", "UNSIGNED_BYTE"),
    ("R32I", "RED_INTEGER", "INT"), ("RGB10_A2", "RGBA", "UNSIGNED_INT_2_10_10_10_REV"),
    ("R11F_G11F_B10F", "RGB", "UNSIGNED_INT_10F_11F_11F_REV"), ("RGB9_E5", "RGB", "UNSIGNED_INT_5_9_9_9_REV"),
    ("LUMINANCE8", "LUMINANCE", "UNSIGNED_BYTE"), ("ALPHA8", "ALPHA", "UNSIGNED_BYTE"),
    ("COMPRESSED_RGBA_S3TC_DXT1_EXT", "RGBA", "UNSIGNED_BYTE"), ("COMPRESSED_RGB8_ETC2", "RGB", "UNSIGNED_BYTE"),
    ("YCBCR_MESA", "YCBCR_MESA", 0x85BA), ("R8", "RED_INTEGER", "UNSIGNED_BYTE"), ("RGBA8", "RGB", "UNSIGNED_INT_24_8"),
    (0x1234, "RGBA", "UNSIGNED_BYTE"),
)
CAPS: Final = ("TEXTURE_1D", "TEXTURE_2D", "TEXTURE_3D", "TEXTURE_CUBE_MAP", "TEXTURE_RECTANGLE",
               "TEXTURE_CUBE_MAP_SEAMLESS", "TEXTURE_2D_ARRAY")
QUERIES: Final = ("TEXTURE_IMMUTABLE_FORMAT", "TEXTURE_IMMUTABLE_LEVELS", "TEXTURE_VIEW_NUM_LEVELS", "TEXTURE_TARGET",
                  "TEXTURE_RESIDENT", "IMAGE_FORMAT_COMPATIBILITY_TYPE", 0x1234)
LEVEL_QUERIES: Final = ("TEXTURE_WIDTH", "TEXTURE_HEIGHT", "TEXTURE_DEPTH", "TEXTURE_INTERNAL_FORMAT",
                        "TEXTURE_COMPRESSED", "TEXTURE_SAMPLES", "TEXTURE_FIXED_SAMPLE_LOCATIONS", 0x1234)
FLOATS: Final = (0.0, 1.0, -1.5, 2.5, 4.0, 16.0, 1000.0, -1000.0, 0.5, 1e20, 3e9, float("nan"), float("inf"), -0.0)
INTS: Final = (0, 1, 2, 3, -1, 5, 1000, 0x7FFFFFFF, -0x80000000, 257)
BASE_LEVELS: Final = (0, 0, 1, 2, 3, 5)
COLOURS: Final = (0.0, 1.0, 2.0, -1.0, 0.5, 1.5, float("nan"))
# fmt: on

FORMS: Final = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
VECTORS: Final = FORMS[2:]

one = st.sampled_from
targets = one(TARGETS)
textures = one((1, 2, 3, 1, 2, 3, 4, 5, 0, 77, 0xFFFFFFFF))
samplers = one((1, 2, 1, 2, 3, 0, 77))
units = one((0, 1, 0, 1, 2, 8, 191, 192))
enums = units.map(lambda unit: 0x84C0 + unit)
sizes = one((1, 2, 4, 8, 4, 3, 16, 0, -1, 16385))
levels = one((0, 0, 0, 0, 1, 2, 3, 14, 15, -1))
borders = one((0,) * 9 + (1,))
formats = one(FORMATS).map(lambda row: row[0])


def call(name: str, *arguments: SearchStrategy[Any] | object) -> SearchStrategy[Call]:
    """Return a call; arguments that are no strategies are as they are."""
    drawn = [a if isinstance(a, st.SearchStrategy) else st.just(a) for a in arguments]
    return st.tuples(st.just(name), *drawn)


def _value(row: Parameter, form: str) -> SearchStrategy[Any]:
    """One value of a parameter, in a form's type: an accepted one, or another."""
    if row.field == "base_level":  # larger ones make Mesa read past its images, and crash
        levels_of_form = [-1, *BASE_LEVELS] if form != "Iuiv" else list(BASE_LEVELS)
        return one([float(level) for level in levels_of_form] if form in {"f", "fv"} else levels_of_form)
    family = one([int(member) for member in row.family]) if row.family else one((0, 1))
    if form in {"f", "fv"}:
        numbers = one(FLOATS)
        return family.map(float) | numbers if row.family or row.kind in {"bool", "flag"} else numbers
    ints = one(INTS) if form != "Iuiv" else one([value & 0xFFFFFFFF for value in INTS])
    return st.one_of(family, family, ints) if row.family or row.kind in {"bool", "flag"} else ints


def _values(row: Parameter, form: str) -> SearchStrategy[Any]:
    if not form.endswith("v"):
        return _value(row, form)
    if row.kind == "border" and form == "fv":
        return st.tuples(*[one(COLOURS)] * 4)
    return st.tuples(*[_value(row, form)] * 4)


def _setting(prefix: str, suffix: str, *before: SearchStrategy[Any]) -> SearchStrategy[Call]:
    """Any parameter in any form: ``prefix`` form ``suffix`` (before, pname, value)."""

    def made(place: tuple[Parameter, str]) -> SearchStrategy[Call]:
        row, form = place
        pname = gl_name(row.pname, TextureParameter).removeprefix("GL_") if row.pname else row.pname
        return call(f"{prefix}{form}{suffix}", *before, pname, _values(row, form))

    return st.tuples(one(list(PARAMETERS.values())), one(FORMS)).flatmap(made)


def _asking(prefix: str, suffix: str, *before: SearchStrategy[Any]) -> SearchStrategy[Call]:
    pnames = one([row.name.removeprefix("GL_") for row in PARAMETERS.values()]) | one(QUERIES)
    return one(VECTORS).flatmap(lambda form: call(f"{prefix}{form}{suffix}", *before, pnames))


def _image(dims: int, name: str = "glTexImage", ending: str = "", *before: SearchStrategy[Any]) -> SearchStrategy[Call]:
    whole = st.tuples(*before, one(IMAGE_TARGETS[dims]) | targets, levels, one(FORMATS), *[sizes] * dims, borders)
    n = len(before)

    def made(t: tuple[Any, ...]) -> Call:
        internal, form, kind = t[n + 2]
        return (f"{name}{dims}D{ending}", *t[: n + 2], internal, *t[n + 3 :], form, kind, None)

    return whole.map(made)


def _storage(dims: int, name: str, ending: str, *before: SearchStrategy[Any]) -> SearchStrategy[Call]:
    return call(f"{name}{dims}D{ending}", *before, one((1, 1, 2, 3, 0, 9)), formats, *[sizes] * dims)


def _samples(dims: int, name: str, *before: SearchStrategy[Any]) -> SearchStrategy[Call]:
    counts, fixed = one((4, 1, 4, 2, 0, 64, -1)), one((1, 0))
    return call(f"{name}{dims}DMultisample", *before, counts, formats, *[sizes] * dims, fixed)


_names = st.lists(textures, max_size=3)
_sampler_names = st.lists(samplers, max_size=3)

NAMES = st.one_of(
    call("glGenTextures", one((1, 2, 3, -1))),  # for none Mesa searches all names, once 0xFFFFFFFF was in use
    call("glGenTextures", one((1, 2, 3))),
    call("glGenSamplers", one((1, 2, 3, 0, -1))),
    call("glCreateSamplers", one((1, 2))),
    call("glCreateTextures", targets, one((1, 2, -1))),
    _names.map(lambda names: ("glDeleteTextures", len(names), tuple(names))),
    _sampler_names.map(lambda names: ("glDeleteSamplers", len(names), tuple(names))),
    call("glIsTexture", textures),
    call("glIsSampler", samplers),
)
BINDS = st.one_of(
    *[call("glBindTexture", targets, textures)] * 3,
    call("glActiveTexture", enums),
    call("glBindSampler", units, samplers),
    call("glBindTextureUnit", units, textures),
    call("glBindMultiTextureEXT", enums, targets, textures),
    st.tuples(units, _names).map(lambda t: ("glBindTextures", t[0], len(t[1]), tuple(t[1]))),
    call("glBindTextures", units, one((0, 1, 2, 193, -1)), None),
    st.tuples(units, _sampler_names).map(lambda t: ("glBindSamplers", t[0], len(t[1]), tuple(t[1]))),
    call("glBindSamplers", units, one((0, 1, 2, 193, -1)), None),
)
SETTINGS = st.one_of(
    *[_setting("glTexParameter", "", targets), _setting("glSamplerParameter", "", samplers)] * 2,
    _setting("glTextureParameter", "", textures),
    _setting("glTextureParameter", "EXT", textures, targets),
    _setting("glMultiTexParameter", "EXT", enums, targets),
)
QUESTIONS = st.one_of(
    _asking("glGetTexParameter", "", targets),
    _asking("glGetSamplerParameter", "", samplers),
    _asking("glGetTextureParameter", "", textures),
    _asking("glGetTextureParameter", "EXT", textures, targets),
    _asking("glGetMultiTexParameter", "EXT", enums, targets),
    call("glGetTexLevelParameteriv", targets | one(IMAGE_TARGETS[2]), levels, one(LEVEL_QUERIES)),
    call("glGetTexLevelParameterfv", targets | one(IMAGE_TARGETS[3]), levels, one(LEVEL_QUERIES)),
    call("glGetTextureLevelParameteriv", textures, levels, one(LEVEL_QUERIES)),
)
IMAGES = st.one_of(
    *[_image(dims) for dims in (1, 2, 2, 2, 3, 3)],
    *[_image(dims, "glTextureImage", "EXT", textures) for dims in (2, 3)],
    *[_storage(dims, "glTexStorage", "", one(STORAGE_TARGETS[dims]) | targets) for dims in (1, 2, 2, 3)],
    *[_storage(dims, "glTextureStorage", "", textures) for dims in (1, 2, 2, 3)],
    *[_storage(dims, "glTextureStorage", "EXT", textures, one(STORAGE_TARGETS[dims]) | targets) for dims in (2, 3)],
    *[
        _samples(dims, name, one((f"TEXTURE_2D_MULTISAMPLE{array}", f"PROXY_TEXTURE_2D_MULTISAMPLE{array}")) | targets)
        for name in ("glTexImage", "glTexStorage")
        for dims, array in ((2, ""), (3, "_ARRAY"))
    ],
    *[_samples(dims, "glTextureStorage", textures) for dims in (2, 3)],
    call("glTexBuffer", "TEXTURE_BUFFER", one(("RGBA8", "R32F", "RGBA", "RGB8", "DEPTH_COMPONENT24")), 0),
    call("glCopyTexImage2D", one(IMAGE_TARGETS[2]) | targets, levels, formats, 0, 0, sizes, sizes, borders),
    call("glCompressedTexImage2D", one(IMAGE_TARGETS[2]), levels, formats, sizes, sizes, borders, 8, None),
    call("glGenerateMipmap", targets),
    call("glGenerateTextureMipmap", textures),
    call(
        "glTextureView", textures, targets, textures, formats,
        *[one((0, 0, 1)), one((1, 2, 9))] * 2,
    ),
)  # fmt: skip
UNITS = st.one_of(
    call("glTexEnvf", "TEXTURE_FILTER_CONTROL", "TEXTURE_LOD_BIAS", one(FLOATS)),
    call("glTexEnvi", one(("TEXTURE_FILTER_CONTROL", "TEXTURE_ENV")), "TEXTURE_LOD_BIAS", one(INTS)),
    call("glMultiTexEnvfEXT", enums, "TEXTURE_FILTER_CONTROL", "TEXTURE_LOD_BIAS", one(FLOATS)),
    *[call(name, one(CAPS)) for name in ("glEnable", "glDisable", "glIsEnabled")],
    *[call(name, one(CAPS), units) for name in ("glEnablei", "glDisablei", "glIsEnabledi")],
    call("glPushAttrib", one((0x40000, 0x2000, 0, 0x42000))),
    call("glPopAttrib"),
)


def sequences(least: int = 10, most: int = 24) -> SearchStrategy[list[Call]]:
    """Sequences of ``least`` to ``most`` calls; some are left out, so that shrinking can leave out all."""
    calls = st.one_of(st.none(), NAMES, BINDS, BINDS, SETTINGS, SETTINGS, IMAGES, IMAGES, QUESTIONS, UNITS)
    return st.lists(calls, min_size=least, max_size=most).map(lambda drawn: [one for one in drawn if one is not None])
