"""Random cases: GL calls that set up one texture, perhaps one sampler object, and how they are sampled.

A case is what a line of a recorded case file is (docs/case_files.md): ``calls``, the texture unit, and the shader that
samples it. Everything is drawn from a `random.Random`, so a seed repeats a case, and a hypothesis-made one shrinks it.
The weights lean towards what rules look at: borders of every kind, filters that formats forbid, values on the edge of
what is accepted, wrong values now and then.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl.formats import InternalFormat, internal_formats

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["KINDS", "TARGETS", "Kind", "TargetForm", "case", "format_and_type"]


class TargetForm(NamedTuple):
    """A texture target: its share, the dimensions of its images, GLSL's sampler, and what it can hold."""

    weight: int
    dims: int
    glsl: str
    layers: bool = False
    mipmaps: bool = True
    depth: bool = True
    fixed_function: bool = False


# fmt: off
TARGETS: Final = {
    #                                         weight dims  GLSL
    "GL_TEXTURE_2D":             TargetForm(8, 2, "sampler2D", fixed_function=True),
    "GL_TEXTURE_CUBE_MAP":       TargetForm(3, 2, "samplerCube", fixed_function=True),
    "GL_TEXTURE_2D_ARRAY":       TargetForm(2, 3, "sampler2DArray", layers=True),
    "GL_TEXTURE_RECTANGLE":      TargetForm(2, 2, "sampler2DRect", mipmaps=False, fixed_function=True),
    "GL_TEXTURE_CUBE_MAP_ARRAY": TargetForm(2, 3, "samplerCubeArray", layers=True),
    "GL_TEXTURE_1D":             TargetForm(2, 1, "sampler1D", fixed_function=True),
    "GL_TEXTURE_1D_ARRAY":       TargetForm(1, 2, "sampler1DArray", layers=True),
    "GL_TEXTURE_3D":             TargetForm(1, 3, "sampler3D", depth=False, fixed_function=True),
}
# fmt: on


class Kind(NamedTuple):
    """A kind of format: its share, the prefix of GLSL's samplers, and what glTexImage is given with it."""

    weight: int
    prefix: str
    pixel_format: str
    pixel_type: str


# fmt: off
KINDS: Final = {
    "unorm":   Kind(5, "",  "GL_RGBA",            "GL_UNSIGNED_BYTE"),
    "snorm":   Kind(2, "",  "GL_RGBA",            "GL_BYTE"),
    "float":   Kind(3, "",  "GL_RGBA",            "GL_FLOAT"),
    "srgb":    Kind(2, "",  "GL_RGBA",            "GL_UNSIGNED_BYTE"),
    "int":     Kind(3, "i", "GL_RGBA_INTEGER",    "GL_INT"),
    "uint":    Kind(3, "u", "GL_RGBA_INTEGER",    "GL_UNSIGNED_INT"),
    "depth":   Kind(3, "",  "GL_DEPTH_COMPONENT", "GL_FLOAT"),
    "ds":      Kind(3, "",  "GL_DEPTH_STENCIL",   "GL_UNSIGNED_INT_24_8"),
    "stencil": Kind(1, "u", "GL_STENCIL_INDEX",   "GL_UNSIGNED_BYTE"),
}
# fmt: on

WRAPS: Final = (
    *("GL_CLAMP_TO_BORDER", "GL_CLAMP_TO_BORDER", "GL_CLAMP", "GL_CLAMP", "GL_REPEAT", "GL_CLAMP_TO_EDGE"),
    *("GL_MIRRORED_REPEAT", "GL_MIRROR_CLAMP_EXT", "GL_MIRROR_CLAMP_TO_EDGE", "GL_MIRROR_CLAMP_TO_BORDER_EXT"),
)
MIN_FILTERS: Final = (
    *("GL_NEAREST", "GL_LINEAR", "GL_NEAREST_MIPMAP_NEAREST", "GL_LINEAR_MIPMAP_NEAREST"),
    *("GL_NEAREST_MIPMAP_LINEAR", "GL_LINEAR_MIPMAP_LINEAR"),
)
FUNCS: Final = (
    *("GL_NEVER", "GL_LESS", "GL_EQUAL", "GL_LEQUAL", "GL_GREATER", "GL_NOTEQUAL", "GL_GEQUAL", "GL_ALWAYS"),
)
LODS: Final = (0.0, -0.0, 0.5, 1.0, 1.25, 2.0, 3.0, 14.0, 0.001, -0.5, -1.0, -1000.0, 1000.0, 255.0, 1e30, -1e30)
BIASES: Final = (
    *(0.0, -0.0, 0.5, -1.0, 1 / 256, 1 / 512, 3 / 512, -1 / 512, 0.00196, 15.999, 16.0, 17.0, -16.0, -17.0, 20.0),
    *(-3.3, 0.1, 0.0009, 7.999, 1e30),
)
ANISOTROPIES: Final = (1.0, 1.5, 1.99, 2.0, 3.0, 4.0, 8.0, 15.9, 16.0, 17.0, 100.0, 0.5, -1.0, 0.0)
BORDERS: Final = (0.0, 0.5, 1.0, -1.0, 2.0, 0.25, -0.0, "inf", "-inf", "nan", 1e-40, 255.0)
WRONG: Final = ("GL_NONE", "GL_TEXTURE_2D", "GL_LINEAR_MIPMAP_LINEAR", "GL_REPEAT", "GL_LEQUAL")
FORMS: Final = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
SWIZZLES: Final = ("GL_RED", "GL_GREEN", "GL_BLUE", "GL_ALPHA", "GL_ZERO", "GL_ONE")
UNITS: Final = (0, 0, 0, 0, 1, 2, 3, 7)

_MISTAKES: Final = 0.03
#: Parameters that samplers and textures share -> accepted values.
_ENUMS: Final = {
    "GL_TEXTURE_WRAP_S": WRAPS,
    "GL_TEXTURE_WRAP_T": WRAPS,
    "GL_TEXTURE_WRAP_R": WRAPS,
    "GL_TEXTURE_MIN_FILTER": MIN_FILTERS,
    "GL_TEXTURE_MAG_FILTER": ("GL_NEAREST", "GL_LINEAR"),
    "GL_TEXTURE_COMPARE_MODE": ("GL_COMPARE_REF_TO_TEXTURE", "GL_NONE"),
    "GL_TEXTURE_COMPARE_FUNC": FUNCS,
    "GL_TEXTURE_REDUCTION_MODE_EXT": ("GL_WEIGHTED_AVERAGE_EXT", "GL_MIN", "GL_MAX"),
    "GL_TEXTURE_SRGB_DECODE_EXT": ("GL_DECODE_EXT", "GL_SKIP_DECODE_EXT"),
    "GL_TEXTURE_CUBE_MAP_SEAMLESS": (0, 1, 1, 1),
}
#: What rules look at most.
_OFTEN: Final = (
    *("GL_TEXTURE_BORDER_COLOR",) * 3,
    *("GL_TEXTURE_WRAP_S", "GL_TEXTURE_WRAP_T", "GL_TEXTURE_WRAP_R") * 2,
    *("GL_TEXTURE_MIN_FILTER", "GL_TEXTURE_MAG_FILTER", "GL_TEXTURE_COMPARE_MODE"),
)
_FLOATS: Final = {
    "GL_TEXTURE_MIN_LOD": LODS,
    "GL_TEXTURE_MAX_LOD": LODS,
    "GL_TEXTURE_LOD_BIAS": BIASES,
    "GL_TEXTURE_MAX_ANISOTROPY_EXT": ANISOTROPIES,
}
_SHARED: Final = (*_ENUMS, *_FLOATS, *_OFTEN)
#: Parameters that only textures have.
_OF_TEXTURE: Final = {
    "GL_TEXTURE_BASE_LEVEL": (0, 0, 1, 2),
    "GL_TEXTURE_MAX_LEVEL": (0, 1, 3, 1000),
    "GL_DEPTH_STENCIL_TEXTURE_MODE": ("GL_STENCIL_INDEX", "GL_STENCIL_INDEX", "GL_DEPTH_COMPONENT"),
    "GL_DEPTH_TEXTURE_MODE": ("GL_LUMINANCE", "GL_RED", "GL_INTENSITY", "GL_ALPHA"),
    **{f"GL_TEXTURE_SWIZZLE_{channel}": SWIZZLES for channel in "RGBA"},
}


def case(random: Random, identity: int | str = 0) -> dict[str, Any]:
    """Draw one case.

    random     where choices come from
    identity   the case's ``id``
    return     as recorded files have it: ``id``, ``calls`` (without answers), ``texture``, ``unit``, ``shader``

    The frame of every case is: choose the unit, bind the texture, give it storage. What Mesa 22.3 does not survive is
    not asked for (docs/conformance.md).
    """
    target = _weighted(random, {name: form.weight for name, form in TARGETS.items()})
    form = TARGETS[target]
    chosen = _format(random, form)
    unit = random.choice(UNITS)
    shader = _shader(random, target, chosen)
    calls = [_call("glActiveTexture", unit), _call("glBindTexture", target, "tex")]
    storage, texture = _storage(random, target, chosen)
    calls += storage
    calls += [_set_texture(random, target, chosen) for _ in range(random.randint(0, 11))]
    if chosen.kind in {"int", "uint", "stencil"} or random.random() < 0.25:
        calls += [
            _call("glTexParameteri", target, f"GL_TEXTURE_{which}_FILTER", "GL_NEAREST") for which in ("MIN", "MAG")
        ]
    if random.random() < 0.55:
        calls += [_set_sampler(random, chosen) for _ in range(random.randint(0, 12))]
        calls.append(_call("glBindSampler", unit, "smp"))
    if random.random() < 0.4:
        bias = _float(random, BIASES)
        one = random.random() < 0.5
        calls.append(
            _call("glTexEnvf" if one else "glTexEnvfv", "GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS", bias)
        )
    if random.random() < 0.3:
        calls.append(_call("glEnable", "GL_TEXTURE_CUBE_MAP_SEAMLESS"))
    if shader["fixed_function"]:
        calls.append(_call("glEnable", target))
    return {
        "id": identity,
        "calls": _survivable(calls, texture["levels"]),
        "texture": texture,
        "unit": unit,
        "shader": shader,
    }


def _survivable(calls: list[dict[str, Any]], levels: int) -> list[dict[str, Any]]:
    """Leave out what crashes: with a base level that has no image, a maximum level below it, or stencil mode."""
    named = {call["args"][1] for call in calls if len(call["args"]) > 1}
    if "GL_TEXTURE_BASE_LEVEL" not in named:
        return calls
    bases = [call["args"][2] for call in calls if call["args"][1:2] == ["GL_TEXTURE_BASE_LEVEL"]]
    if max(bases) < levels:
        return calls
    deadly = {"GL_TEXTURE_MAX_LEVEL", "GL_DEPTH_STENCIL_TEXTURE_MODE"}
    return [call for call in calls if len(call["args"]) < 2 or call["args"][1] not in deadly]


def format_and_type(chosen: InternalFormat) -> tuple[str, str]:
    """Give the pixel format and type that glTexImage takes with an internal format, when texels are null."""
    kind = KINDS[chosen.kind]
    if chosen.name == "DEPTH32F_STENCIL8":
        return kind.pixel_format, "GL_FLOAT_32_UNSIGNED_INT_24_8_REV"
    return kind.pixel_format, kind.pixel_type


def _weighted(random: Random, weights: dict[str, int]) -> str:
    return random.choices(list(weights), list(weights.values()))[0]


def _format(random: Random, form: TargetForm) -> InternalFormat:
    kinds = {name: kind.weight for name, kind in KINDS.items() if form.depth or name not in {"depth", "ds", "stencil"}}
    kind = _weighted(random, kinds)
    return random.choice(_formats(kind))


def _formats(kind: str) -> list[InternalFormat]:
    """The formats of a kind that every driver can be asked for without texels: no compressed ones, no YCbCr."""
    if not _BY_KIND:
        for found in internal_formats():
            if not found.compressed and found.base_format != "YCBCR" and not found.name.isdigit():
                _BY_KIND.setdefault(found.kind, []).append(found)
    return _BY_KIND[kind]


_BY_KIND: Final[dict[str, list[InternalFormat]]] = {}


def _shader(random: Random, target: str, chosen: InternalFormat) -> dict[str, Any]:
    form, kind = TARGETS[target], KINDS[chosen.kind]
    if form.fixed_function and not kind.prefix and random.random() < 0.12:
        return {"sampler_type": None, "glsl": 0, "fixed_function": True}
    prefix = kind.prefix
    if chosen.kind == "ds" and random.random() < 0.3:
        prefix = "u"
    shadow = chosen.kind in {"depth", "ds"} and not prefix and random.random() < 0.5
    versions = (130, 150) if prefix or form.layers else (120, 130, 150)
    late = form.glsl == "samplerCubeArray" or (prefix and form.glsl == "sampler2DRect")
    version = 150 if late else random.choice(versions)
    if shadow and form.glsl in {"samplerCube", "sampler3D"} and version < 130:
        version = 130
    name = prefix + form.glsl + ("Shadow" if shadow and form.glsl != "sampler3D" else "")
    return {"sampler_type": name, "glsl": version, "fixed_function": False}


def _storage(random: Random, target: str, chosen: InternalFormat) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    form = TARGETS[target]
    width = random.choice((4, 8, 16))
    square = "CUBE" in target
    height = width if square else random.choice((1, 2, 4, 5, 8, 16))
    size = [width] if form.dims == 1 else [width, height]
    if target == "GL_TEXTURE_1D_ARRAY":
        size = [width, random.randint(1, 4)]
    elif form.dims == 3:
        size.append(random.choice((6, 12)) if square else random.randint(1, 4))
    spatial = size[:-1] if form.layers else size
    full = max(spatial).bit_length() if form.mipmaps else 1
    levels = full if random.random() < 0.6 else random.randint(1, full)
    name = f"GL_{chosen.name}"
    texture: dict[str, Any] = {
        "target": target,
        "internalformat": name,
        "base_format": f"GL_{chosen.base_format}",
        "class": chosen.kind,
    }
    texture |= {"size": [*size, *(1,) * (3 - len(size))], "levels": levels, "full_levels": full}
    if chosen.sized and random.random() < 0.3:
        call = _call(f"glTexStorage{form.dims}D", target, levels, name, *size)
        return [call], texture | {"immutable": True, "format": None, "type": None}
    pixel_format, pixel_type = format_and_type(chosen)
    faces = [f"GL_TEXTURE_CUBE_MAP_{way}_{axis}" for axis in "XYZ" for way in ("POSITIVE", "NEGATIVE")]
    calls = []
    for level in range(levels):
        shrunk = [max(1, part >> level) for part in spatial] + size[len(spatial) :]
        for aim in faces if target == "GL_TEXTURE_CUBE_MAP" else (target,):
            rest = (name, *shrunk, 0, pixel_format, pixel_type, None)
            calls.append(_call(f"glTexImage{form.dims}D", aim, level, *rest))
    return calls, texture | {"immutable": False, "format": pixel_format, "type": pixel_type}


def _set_texture(random: Random, target: str, chosen: InternalFormat) -> dict[str, Any]:
    if random.random() < 0.3:
        if random.random() < 0.15:
            swizzles = [random.choice(SWIZZLES) for _ in range(4)]
            form = random.choice(("iv", "Iiv", "Iuiv"))
            return _call(f"glTexParameter{form}", target, "GL_TEXTURE_SWIZZLE_RGBA", swizzles)
        name = random.choice(list(_OF_TEXTURE))
        return _call(f"glTexParameter{random.choice(FORMS)}", target, name, random.choice(_OF_TEXTURE[name]))
    form, name, value = _parameter(random, chosen)
    return _call(f"glTexParameter{form}", target, name, value)


def _set_sampler(random: Random, chosen: InternalFormat) -> dict[str, Any]:
    form, name, value = _parameter(random, chosen)
    return _call(f"glSamplerParameter{form}", "smp", name, value)


def _parameter(random: Random, chosen: InternalFormat) -> tuple[str, str, Any]:
    name, form = random.choice(_SHARED), random.choice(FORMS)
    if name == "GL_TEXTURE_BORDER_COLOR":
        return _border(random, chosen)
    if name in _FLOATS:
        if form in {"f", "fv"}:
            return form, name, _float(random, _FLOATS[name])
        whole = int(max(-(2.0**31), min(2.0**31 - 1, random.choice(_FLOATS[name]))))
        return form, name, abs(whole) if form == "Iuiv" else whole
    if random.random() < _MISTAKES:
        return form, name, random.choice(WRONG)
    return form, name, random.choice(_ENUMS[name])


def _border(random: Random, chosen: InternalFormat) -> tuple[str, str, Any]:
    """A border colour; mostly in the form that fits the format, sometimes in one that takes no array."""
    integer = chosen.is_integer
    if random.random() < _MISTAKES:
        return random.choice("if"), "GL_TEXTURE_BORDER_COLOR", 1
    form = random.choice(
        ("Iiv", "Iuiv", "Iiv", "Iuiv", "iv", "fv") if integer else ("fv", "fv", "fv", "iv", "Iiv", "Iuiv")
    )
    if random.random() < 0.12:
        return form, "GL_TEXTURE_BORDER_COLOR", [0.0 if form == "fv" else 0] * 4
    if form == "fv":
        return form, "GL_TEXTURE_BORDER_COLOR", [_float(random, BORDERS) for _ in range(4)]
    low = 0 if form == "Iuiv" else -(2**31)
    high = 2**32 - 1 if form == "Iuiv" else 2**31 - 1
    words = [random.choice((0, 1, 2, 255, 65536, high, low, random.randint(low, high))) for _ in range(4)]
    return form, "GL_TEXTURE_BORDER_COLOR", words


def _float(random: Random, usual: Sequence[float | str]) -> float | str:
    """A usual value, now and then any other; always one that float32 holds."""
    value = random.choice(usual) if random.random() < 0.8 else random.uniform(-20, 20)
    return value if isinstance(value, str) else struct.unpack("f", struct.pack("f", value))[0]


def _call(fn: str, *args: object) -> dict[str, Any]:
    return {"fn": fn, "args": list(args)}
