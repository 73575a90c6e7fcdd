"""Compare what a sequence of calls does on Mesa and here: errors, names, and then what every getter answers.

Also every internal format in every call that takes one, with every pixel format and type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.enums import Target
from statetracker.gl.formats import internal_formats
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.pixels import PIXEL_FORMATS
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.sides import BINDINGS, OK, Ours, on_mesa

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.proofs.gl_calls.sides import Call, Done

__all__ = ["FORMATS", "Compared", "compare", "differing", "format_calls", "questions"]

_PARAMETERS: Final = {row.name.removeprefix("GL_"): row for row in PARAMETERS.values()}
_LEVELS: Final = (0, 1)
_LEVEL: Final = ("TEXTURE_WIDTH", "TEXTURE_HEIGHT", "TEXTURE_DEPTH", "TEXTURE_INTERNAL_FORMAT", "TEXTURE_SAMPLES")
_ASKED: Final = ("TEXTURE_IMMUTABLE_LEVELS", "TEXTURE_VIEW_NUM_LAYERS")
_SWITCHES: Final = ("TEXTURE_1D", "TEXTURE_2D", "TEXTURE_3D", "TEXTURE_CUBE_MAP", "TEXTURE_RECTANGLE")
#: Names that sequences use without making them.
_NAMES: Final = (1, 2, 3, 77)
#: Units that sequences name; of others only those where something is bound are asked.
_UNITS: Final = (0, 1, 2, 8, 191)
_BIAS: Final = ("TEXTURE_FILTER_CONTROL", "TEXTURE_LOD_BIAS")


#: Numbers that are no internal format, pixel format or type, though GL has them for something.
_NONE: Final = (0, 5, 0x1234, 0x1900, 0x8000, 0x8C40)
FORMATS: Final = (*(known.number for known in internal_formats()), *_NONE)
_TYPES: Final = sorted(frozenset(_NONE).union(*(row.types for row in PIXEL_FORMATS.values())))
_SIZES: Final = {1: (12,), 2: (12, 12), 3: (12, 12, 12)}
_TARGETS: Final = (
    (1, "TEXTURE_1D"), (2, "TEXTURE_RECTANGLE"), (2, "TEXTURE_1D_ARRAY"), (2, "TEXTURE_CUBE_MAP_POSITIVE_X"),
    (2, "PROXY_TEXTURE_2D"), (3, "TEXTURE_3D"), (3, "TEXTURE_2D_ARRAY"), (3, "TEXTURE_CUBE_MAP_ARRAY"),
)  # fmt: skip
#: Pixels of each kind.
_PIXELS: Final = (
    ("RGBA", "UNSIGNED_BYTE"), ("RGBA_INTEGER", "UNSIGNED_BYTE"), ("DEPTH_COMPONENT", "UNSIGNED_INT"),
    ("DEPTH_STENCIL", "UNSIGNED_INT_24_8"), ("STENCIL_INDEX", "UNSIGNED_BYTE"), ("YCBCR_MESA", 0x85BA),
)  # fmt: skip


class Compared(NamedTuple):
    """A comparison.

    Attributes:
        problem: The first difference that is not listed, in words; empty where there is none.
        call: The name of the call with it.
        listed: The names of the listed departures that were met.
        calls: How many calls and questions agree.
    """

    problem: str
    call: str
    listed: tuple[str, ...]
    calls: int


def questions(ours: Ours) -> Iterator[Call]:
    """Ask for all state: units first, then sampler and texture objects, then which names are objects."""
    gl = ours.gl
    yield "glGetIntegerv", "ACTIVE_TEXTURE"
    used = {n for n, unit in gl.units.items() if n in _UNITS or unit.textures or unit.sampler or unit.lod_bias}
    for unit in sorted({0, gl.active, *used}):
        yield "glActiveTexture", 0x84C0 + unit
        yield "glGetIntegerv", "SAMPLER_BINDING"
        yield from (
            ("glGetIntegerv", asked) for target, asked in BINDINGS.items() if Target[target] in gl.availability.targets
        )
        yield "glGetTexEnvfv", *_BIAS
        yield from (("glIsEnabled", cap) for cap in _SWITCHES)
    yield "glIsEnabled", "TEXTURE_CUBE_MAP_SEAMLESS"
    for name in sorted(gl.samplers):
        yield from (("glGetSamplerParameterfv", name, pname) for pname, row in _PARAMETERS.items() if row.on_sampler)
        yield "glGetSamplerParameterIuiv", name, "TEXTURE_BORDER_COLOR"
    alive = [(name, texture.target) for name, texture in sorted(gl.textures.items()) if texture is not None]
    for name, target in (*alive, *((0, target) for target in sorted(gl.defaults))):
        yield from _of_texture(name, Target(target).name)
    for name in sorted({*gl.textures, *gl.samplers, *_NAMES}):
        yield "glIsTexture", name
        yield "glIsSampler", name


def _of_texture(name: int, target: str) -> Iterator[Call]:
    place = "TEXTURE_CUBE_MAP_NEGATIVE_Z" if target == "TEXTURE_CUBE_MAP" else target
    yield "glBindTexture", target, name
    yield from (("glGetTexParameterfv", target, pname) for pname in (*_PARAMETERS, *_ASKED))
    yield "glGetTexParameterIuiv", target, "TEXTURE_BORDER_COLOR"
    yield from (("glGetTexLevelParameteriv", place, level, pname) for level in _LEVELS for pname in _LEVEL)


def compare(profile: str, calls: Sequence[Call]) -> Compared:
    """Make the calls on both sides, and ask both."""
    ours = Ours(profile)
    here = ours.make(calls)
    asked = list(questions(ours))
    here += ours.make(asked)
    everything = [*calls, *asked]
    there = on_mesa(profile, everything)
    listed: list[str] = []
    for place, (call, mesa, own) in enumerate(zip(everything, there, here, strict=True)):
        if not _same(mesa, own):
            known = next((row for row in DEPARTURES if row.applies(calls, call, mesa, own)), None)
            if known is None:
                return Compared(f"{_shown(call)}: Mesa {_done(mesa)}, here {_done(own)}", call[0], tuple(listed), place)
            listed.append(known.name)
            if known.ends:
                return Compared("", "", tuple(listed), place)
    return Compared("", "", tuple(listed), len(everything))


def _same(mesa: Done, own: Done) -> bool:
    if mesa.error != own.error:
        return False
    if isinstance(mesa.value, tuple) and isinstance(own.value, tuple):
        return mesa.value[: len(own.value)] == own.value
    return own.value == mesa.value or mesa.error != OK


def _shown(call: Call) -> str:
    return f"{call[0]}({', '.join('NULL' if value is None else str(value) for value in call[1:])})"


def _done(done: Done) -> str:
    return done.error if done.value is None else f"{done.error} {done.value}"


def format_calls(fmt: int) -> Iterator[Call]:
    """Make all calls with one internal format."""
    flat = ("TEXTURE_2D", 0, fmt)
    for pixels in (*PIXEL_FORMATS, *_NONE):
        yield from (("glTexImage2D", *flat, 4, 4, 0, pixels, kind, None) for kind in _TYPES)
    yield "glCopyTexImage2D", *flat, 0, 0, 4, 4, 0
    yield "glCompressedTexImage2D", *flat, 12, 12, 0, 0, None
    for dims, target in _TARGETS:
        size = _SIZES[dims]
        yield from ((f"glTexImage{dims}D", target, 0, fmt, *size, 0, *pixels, None) for pixels in _PIXELS)
        yield f"glCompressedTexImage{dims}D", target, 0, fmt, *size, 0, 0, None
    yield "glGenTextures", len(_TARGETS) + 2
    for name, (dims, face) in enumerate(((2, "TEXTURE_2D"), *_TARGETS), 1):
        target = face.removesuffix("_POSITIVE_X")
        if not target.startswith("PROXY"):
            yield "glBindTexture", target, name
        yield f"glTexStorage{dims}D", target, 2, fmt, *_SIZES[dims]
    yield "glGenerateMipmap", "TEXTURE_2D"
    yield "glTexBuffer", "TEXTURE_BUFFER", fmt, 0
    yield "glTexImage2DMultisample", "TEXTURE_2D_MULTISAMPLE", 4, fmt, 4, 4, 1
    yield "glBindTexture", "TEXTURE_2D_MULTISAMPLE", len(_TARGETS) + 2
    yield "glTexStorage2DMultisample", "TEXTURE_2D_MULTISAMPLE", 4, fmt, 4, 4, 1


def differing(profile: str, fmt: int) -> list[str]:
    """Make the calls with an internal format on both sides; return what differs and is not listed."""
    made = list(format_calls(fmt))
    return [
        f"{call}: Mesa {mesa.error}, here {own.error}"
        for call, mesa, own in zip(made, on_mesa(profile, made), Ours(profile).make(made), strict=True)
        if mesa.error != own.error and not any(row.applies(made, call, mesa, own) for row in DEPARTURES)
    ]
