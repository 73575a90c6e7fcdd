"""Internal formats of textures: names, components, numbers; which are compressed, copied, multisampled, mipmapped.

One row a format in ``internal_formats.csv``, read on first use, under every spelling of its name. What a driver stores
it as is in `statetracker.caps.storage`. Source: docs/textures.md (GL 4.6 compatibility profile, 8.5 and 8.7; base
formats and kinds as Mesa 22.3 has them); GLES 3.2, table 8.10 and 8.14.4; tried on Mesa 22.3.6, llvmpipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from statetracker.errors import ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: What components a format has; it decides how a border colour is read.
BASE_FORMATS: Final = (
    *("RED", "RG", "RGB", "RGBA", "ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "INTENSITY"),
    *("DEPTH_COMPONENT", "DEPTH_STENCIL", "STENCIL_INDEX", "YCBCR"),
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

    Args:
        name: The registry's first name, without ``GL_``; ``"1"`` to ``"4"`` for component counts.
        number: The GLenum.
        base_format: One of `BASE_FORMATS`.
        kind: One of `KINDS`; ``ds`` is packed depth-stencil.
        sized: glTexStorage takes it. Mesa's answer: it takes legacy sized formats (LUMINANCE8), component counts and a
            few unsized ones (SRGB, RED_SNORM) too, where GL asks for INVALID_ENUM.
        compressed: Its name asks for compression; a driver may still store plain texels.
        extensions: A desktop context needs any one of these, with ``GL_``; empty: always there.
        specific: Of a generic compressed one, the format that an image made in it has; empty: itself, or a plain one.
        desktop: What desktop GL does with it: ``c`` copies, ``s`` samples, ``m`` mipmaps. ``b``: buffer textures have
            it, also in GLES; ``o``: in compatibility contexts alone.
        gles: The same of GLES.
        gles_types: Pixel types that fill it in GLES, without ``GL_``; ``none``: no pixels do, though GLES knows it.
        view_class: Formats of one class may be read as one another in views; empty: it is only like itself.
    """

    __slots__ = (
        *("base_format", "compressed", "desktop", "extensions", "gles", "gles_types", "kind", "name", "number"),
        *("sized", "specific", "view_class"),
    )

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Copy and unpickle as the one object of its number."""
        return internal_format_named, (self.name,)

    # fmt: off
    def __init__(
        self, name: str, number: str, base_format: str, kind: str, sized: str, compressed: str, extensions: str,
        specific: str = "", desktop: str = "", gles: str = "", gles_types: str = "", view_class: str = "",
    ) -> None:
        self.name = name
        self.number = int(number, 0)
        self.base_format = base_format
        self.kind = kind
        self.sized = sized == "yes"
        self.compressed = compressed == "yes"
        self.extensions = tuple(extensions.split())
        self.specific = specific
        self.desktop = desktop
        self.gles = gles
        self.gles_types = tuple(gles_types.split())
        self.view_class = view_class

    # fmt: on

    @property
    def is_integer(self) -> bool:
        """True where a texel is an unnormalised integer: int, uint and stencil alone, but not packed depth-stencil."""
        return self.kind in _INTEGER_KINDS

    def __repr__(self) -> str:
        """Show the name, which is enough to know which it is."""
        return f"InternalFormat({self.name})"


def internal_format(value: int) -> InternalFormat | None:
    """Look a value up by GLenum; None for a number that is no internal format of textures."""
    if not _BY_NUMBER:
        _load()
    return _BY_NUMBER.get(value)


def internal_format_named(name: str) -> InternalFormat:
    """Look up by name.

    Args:
        name: Any of the registry's names, with or without ``GL_``, in any case, ``-`` for ``_``; ``"1"`` to ``"4"``.

    Raises:
        UnknownName: There is no such name, or it is no internal format of textures.
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

    plain = word.replace("UNORM", "").replace("FLOAT", "F").replace("UINT", "UI").replace("SINT", "I")  # WebGPU's names
    near = [plain] if plain in _BY_NAME else get_close_matches(word, _BY_NAME, n=3)
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


def given_format(value: int | str) -> InternalFormat:
    """Read an internal format: a name in any spelling, or a GLenum."""
    if isinstance(value, str):
        return internal_format_named(value)
    fmt = internal_format(value)
    if fmt is None:
        raise ArgumentError("internal_format", value, accepted="an internal format of textures")
    return fmt


class Family(NamedTuple):
    """A kind of compression: what its formats have in common.

    Attributes:
        volumes: Whether 3D textures have images in it.
        online: Whether GL compresses texels to it: glTexImage and glCopyTexImage take it.
        gles: GLES 3 has it of itself: a 3D texture's is another error there.
    """

    volumes: bool
    online: bool
    gles: bool = False


#: Formats that name no compression though they are sized; the others of their like are unsized to Mesa.
GENERIC: Final = ("COMPRESSED_RED", "COMPRESSED_RG")
# fmt: off
#: A part of a format's name -> its family; no name has two of them but ETC2_EAC, whose two are alike.
FAMILIES: Final[Mapping[str, Family]] = {
    #               3D               from texels
    "_S3TC":  Family(volumes=False, online=True),
    "_FXT1":  Family(volumes=False, online=True),
    "_RGTC":  Family(volumes=False, online=True),
    "_LATC":  Family(volumes=False, online=True),
    "_3DC_":  Family(volumes=False, online=True),
    "_BPTC_": Family(volumes=True,  online=True),
    "ETC1_":  Family(volumes=False, online=False),
    "_ETC2":  Family(volumes=False, online=False, gles=True),
    "_EAC":   Family(volumes=False, online=False, gles=True),
    "_ASTC_": Family(volumes=True,  online=False),
}
# fmt: on


def family_of(known: InternalFormat) -> Family | None:
    """Return the family of a specific compressed format; None for every other format."""
    if not known.compressed or not known.sized or known.name in GENERIC:
        return None
    return next((family for part, family in FAMILIES.items() if part in known.name), None)


def has_copies(known: InternalFormat, *, gles: bool) -> bool:
    """Return whether there is a framebuffer from which images of a format can be copied."""
    return "c" in (known.gles if gles else known.desktop)


def has_samples(known: InternalFormat, *, gles: bool) -> bool:
    """Return whether multisample images can have a format."""
    return "s" in (known.gles if gles else known.desktop)


def has_mipmaps(known: InternalFormat, *, gles: bool) -> bool:
    """Return whether mipmaps of a format can be generated."""
    return "m" in (known.gles if gles else known.desktop)
