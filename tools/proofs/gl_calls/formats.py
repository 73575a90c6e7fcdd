"""Every internal format in every call that takes one, with every pixel format and type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.formats import internal_formats
from statetracker.gl.pixels import PIXEL_FORMATS
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.sides import Ours, on_mesa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.proofs.gl_calls.sides import Call

__all__ = ["FORMATS", "calls", "differing"]

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


def calls(fmt: int) -> Iterator[Call]:
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
    made = list(calls(fmt))
    return [
        f"{call}: Mesa {mesa.error}, here {own.error}"
        for call, mesa, own in zip(made, on_mesa(profile, made), Ours(profile).make(made), strict=True)
        if mesa.error != own.error and not any(row.applies(made, call, mesa, own) for row in DEPARTURES)
    ]
