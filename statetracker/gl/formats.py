"""Internal formats of textures: what each is called, which components it has, what kind of numbers they are.

One row a format in ``internal_formats.csv``, read on first use. A name is accepted in every spelling the registry
knows, so that ``ALPHA16F_ARB`` and ``ALPHA_FLOAT16_ATI`` are one `InternalFormat`. What a driver *stores* a format as
is no business of GL: that is `statetracker.caps.storage`.

Source: docs/textures.md (GL 4.6 compatibility profile, section 8.5; the OpenGL ES and vendor extensions named in the
table; base formats and kinds as Mesa 22.3 has them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What components a format has; it decides how a border colour is read.
BASE_FORMATS: Final = (
    "RED",
    "RG",
    "RGB",
    "RGBA",
    "ALPHA",
    "LUMINANCE",
    "LUMINANCE_ALPHA",
    "INTENSITY",
    "DEPTH_COMPONENT",
    "DEPTH_STENCIL",
    "STENCIL_INDEX",
    "YCBCR",
)
#: What kind of numbers the components are.
KINDS: Final = ("unorm", "snorm", "float", "int", "uint", "srgb", "depth", "ds", "stencil")

_INTEGER_KINDS: Final = ("int", "uint", "stencil")
_BY_NUMBER: Final[dict[int, InternalFormat]] = {}
_BY_NAME: Final[dict[str, InternalFormat]] = {}
#: Component counts 1 to 4, GL 1.0's internal formats: numbers whose registry names mean something else.
_COUNTS: Final = range(1, 5)


class InternalFormat:
    """One internal format. Treat it as a constant; there is one object a number.

    name          the registry's first name, without ``GL_``; ``"1"`` to ``"4"`` for component counts
    number        the GLenum
    base_format   one of `BASE_FORMATS`
    kind          one of `KINDS`; ``ds`` is packed depth-stencil
    sized         glTexStorage takes it. Mesa's answer: it takes legacy sized formats (LUMINANCE8), component counts and
                  a few unsized ones (SRGB, RED_SNORM) too, where GL asks for INVALID_ENUM
    compressed    its name asks for compression; a driver may still store plain texels
    extensions    a desktop context needs any one of these, with ``GL_``; empty: always there
    """

    __slots__ = ("base_format", "compressed", "extensions", "kind", "name", "number", "sized")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Copy and unpickle as the one object of its number."""
        return internal_format_named, (self.name,)

    def __init__(
        self, name: str, number: str, base_format: str, kind: str, sized: str, compressed: str, extensions: str
    ) -> None:
        """Take a row of the table, as text."""
        self.name = name
        self.number = int(number, 0)
        self.base_format = base_format
        self.kind = kind
        self.sized = sized == "yes"
        self.compressed = compressed == "yes"
        self.extensions = tuple(extensions.split())

    @property
    def is_integer(self) -> bool:
        """Whether a texel is an unnormalised integer: int, uint and stencil alone, but not packed depth-stencil."""
        return self.kind in _INTEGER_KINDS

    def __repr__(self) -> str:
        """The constructor's first argument is enough to know which it is."""
        return f"InternalFormat({self.name})"


def internal_format(value: int) -> InternalFormat | None:
    """Look a value up by GLenum; None for a number that is no internal format of textures."""
    if not _BY_NUMBER:
        _load()
    return _BY_NUMBER.get(value)


def internal_format_named(name: str) -> InternalFormat:
    """Look up by name.

    name    any of the registry's names, with or without ``GL_``, in any case, ``-`` for ``_``; ``"1"`` to ``"4"``

    Raises `UnknownName` where there is no such name, or where it is no internal format of textures.
    """
    if not _BY_NAME:
        _load()
    try:
        return _BY_NAME[name]
    except KeyError:
        pass
    word = name.upper().replace("-", "_").removeprefix("GL_")
    fmt = _BY_NAME.get(word) or _by_other_name(word)
    if fmt is None:
        _refuse(name, word)
    _BY_NAME[name] = fmt
    return fmt


def internal_formats() -> Iterator[InternalFormat]:
    """Go through all internal formats, in the order of their numbers."""
    if not _BY_NUMBER:
        _load()
    return iter(tuple(_BY_NUMBER.values()))


def _by_other_name(word: str) -> InternalFormat | None:
    from statetracker.gl.names import registered

    value = registered(word)
    return None if value is None or value in _COUNTS else _BY_NUMBER.get(value)


def _refuse(name: str, word: str) -> NoReturn:
    from difflib import get_close_matches

    near = get_close_matches(word, _BY_NAME, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else ""
    raise UnknownName("internal_format", name, accepted="an internal format of textures", hint=hint)


def _load() -> None:
    import csv
    from pathlib import Path

    with Path(__file__).with_name("internal_formats.csv").open(encoding="ascii", newline="") as lines:
        rows = csv.reader(line for line in lines if not line.startswith("#"))
        next(rows)
        for row in rows:
            fmt = InternalFormat(*row)
            _BY_NUMBER[fmt.number] = fmt
            _BY_NAME[fmt.name.upper()] = fmt
