"""Random cases: GL calls that set up one texture, perhaps one sampler object, and how they are sampled.

A case is what a line of a recorded case file is (docs/case_files.md): ``calls``, the texture unit, and the shader that
samples it. Everything is drawn from a `random.Random`, so a seed repeats a case, and a hypothesis-made one shrinks it.
What it is drawn from, and how often each comes, is in `statetracker.conformance.weights`.
"""

from __future__ import annotations

import struct
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from statetracker.conformance.weights import (
    BIASES,
    BORDERS,
    ENUMS,
    FLOATS,
    FORMS,
    KINDS,
    MISTAKES,
    OF_TEXTURE,
    SHARED,
    SWIZZLES,
    TARGETS,
    TOGETHER,
    UNITS,
    WRONG,
    TargetForm,
)
from statetracker.gl.formats import InternalFormat, internal_formats

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@cache
def allocatable() -> tuple[InternalFormat, ...]:
    """Return internal formats that can be allocated without texels: no compressed ones, no YCbCr, none by number."""
    rows = (row for row in internal_formats() if not row.compressed and not row.name.isdigit())
    return tuple(row for row in rows if row.base_format != "YCBCR")


def cases_from(seed: int, count: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield ``count`` cases of a seed, from number ``first`` on: case n of a seed is always the same."""
    for number in range(first, first + count):
        yield case(Random(f"{seed}/{number}"), f"{seed}/{number}")  # noqa: S311 (no secret)


def case(random: Random, identity: int | str = 0) -> dict[str, Any]:
    """Draw one case.

    The frame of every case is: choose the unit, bind the texture, give it storage. What Mesa 22.3 does not survive is
    not generated (docs/conformance.md).

    Args:
        random: Where choices come from.
        identity: The case's ``id``.

    Returns:
        As recorded files have it: ``id``, ``calls`` (without answers), ``texture``, ``unit``, ``shader``.
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
    for share, kinds, parameters in TOGETHER:
        if random.random() < share and chosen.kind in kinds:
            calls += [_call("glTexParameteri", target, name, random.choice(of)) for name, of in parameters.items()]
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


def _weighted(random: Random, weights: dict[str, int]) -> str:
    return random.choices(list(weights), list(weights.values()))[0]


def _format(random: Random, form: TargetForm) -> InternalFormat:
    kinds = {name: kind.weight for name, kind in KINDS.items() if form.depth or name not in {"depth", "ds", "stencil"}}
    kind = _weighted(random, kinds)
    return random.choice(_formats(kind))


@cache
def _formats(kind: str) -> tuple[InternalFormat, ...]:
    return tuple(row for row in allocatable() if row.kind == kind)


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
        "size": [*size, *(1,) * (3 - len(size))],
        "levels": levels,
        "full_levels": full,
    }
    if chosen.sized and random.random() < 0.3:
        call = _call(f"glTexStorage{form.dims}D", target, levels, name, *size)
        return [call], texture | {"immutable": True, "format": None, "type": None}
    _, _, pixel_format, pixel_type = KINDS[chosen.kind]
    if chosen.name == "DEPTH32F_STENCIL8":
        pixel_type = "GL_FLOAT_32_UNSIGNED_INT_24_8_REV"
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
        name = random.choice(list(OF_TEXTURE))
        return _call(f"glTexParameter{random.choice(FORMS)}", target, name, random.choice(OF_TEXTURE[name]))
    form, name, value = _parameter(random, chosen)
    return _call(f"glTexParameter{form}", target, name, value)


def _set_sampler(random: Random, chosen: InternalFormat) -> dict[str, Any]:
    form, name, value = _parameter(random, chosen)
    return _call(f"glSamplerParameter{form}", "smp", name, value)


def _parameter(random: Random, chosen: InternalFormat) -> tuple[str, str, Any]:
    name, form = random.choice(SHARED), random.choice(FORMS)
    if name == "GL_TEXTURE_BORDER_COLOR":
        return _border(random, chosen)
    if name in FLOATS:
        if form in {"f", "fv"}:
            return form, name, _float(random, FLOATS[name])
        whole = int(max(-(2.0**31), min(2.0**31 - 1, random.choice(FLOATS[name]))))
        return form, name, abs(whole) if form == "Iuiv" else whole
    if random.random() < MISTAKES:
        return form, name, random.choice(WRONG)
    return form, name, random.choice(ENUMS[name])


def _border(random: Random, chosen: InternalFormat) -> tuple[str, str, Any]:
    """Return a border colour; mostly in the form that fits the format, sometimes in one that takes no array."""
    integer = chosen.is_integer
    if random.random() < MISTAKES:
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
    """Return a usual value, now and then any other; always one that float32 holds."""
    value = random.choice(usual) if random.random() < 0.8 else random.uniform(-20, 20)
    return value if isinstance(value, str) else struct.unpack("f", struct.pack("f", value))[0]


def _call(fn: str, *args: object) -> dict[str, Any]:
    return {"fn": fn, "args": list(args)}
