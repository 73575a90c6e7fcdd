"""Layouts of ``pipe_sampler_state``: where each member lies, release by release.

The canonical record is 36 bytes, little-endian, in the layout of Mesa 22.3; members that an older release lacks
are 0. Older layouts are for exchange: `pack_as` writes them, `unpack_from` reads them back. Releases number pipe
formats differently, too: `in_release` and `from_release` change border_color_format where a driver's copy goes out or
comes in. Only what was recorded is here: between two formats of one shift nothing was inserted; a number outside of
these ranges is refused. ::

    word 0 (first bit = least significant)
      31..27   26..25    24     23    22..18    17   16..14    13    12   11..10    9    8..6   5..3   2..0
    |  pad   | reduc  | b int | cube | aniso  | unn |  func  | cmp | mag |  mip   | min |  r   |  t   |  s   |
    byte 4 lod_bias, 8 min_lod, 12 max_lod (float32); 16..31 border_color (4 words); 32 border_color_format

Masks, shifts, packing, the named view and the page docs/sampler_state.md all come from the tables below.
"""

from __future__ import annotations

from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple, SupportsBytes

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe.enums import Func, TexCompare, TexFilter, TexMipfilter, TexReduction, TexWrap
from statetracker.pipe.formats import pipe_format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import IntEnum

#: Size of the canonical record.
RECORD_BYTES: Final = 36

#: The canonical record: word 0, three floats as float32, the border colour's four words, the format number.
RECORD: Final = Struct("<IfffIIIII")


class Field(NamedTuple):
    """One bit-field of word 0: its C name, first bit, width in bits, and enum (None for a number or a flag)."""

    name: str
    first: int
    bits: int
    enum: type[IntEnum] | None


class TailField(NamedTuple):
    """One member after word 0: its C name, byte offset, number of 32-bit words and kind (float, bits, enum)."""

    name: str
    offset: int
    words: int
    kind: str


# fmt: off
WORD0: Final = (
    #     name                        first bits  enum
    Field("wrap_s",                       0,  3,  TexWrap),
    Field("wrap_t",                       3,  3,  TexWrap),
    Field("wrap_r",                       6,  3,  TexWrap),
    Field("min_img_filter",               9,  1,  TexFilter),
    Field("min_mip_filter",              10,  2,  TexMipfilter),
    Field("mag_img_filter",              12,  1,  TexFilter),
    Field("compare_mode",                13,  1,  TexCompare),
    Field("compare_func",                14,  3,  Func),
    Field("unnormalized_coords",         17,  1,  None),
    Field("max_anisotropy",              18,  5,  None),
    Field("seamless_cube_map",           23,  1,  None),
    Field("border_color_is_integer",     24,  1,  None),
    Field("reduction_mode",              25,  2,  TexReduction),
)

TAIL: Final = (
    #         name                   offset words kind
    TailField("lod_bias",                 4,  1,  "float"),
    TailField("min_lod",                  8,  1,  "float"),
    TailField("max_lod",                 12,  1,  "float"),
    TailField("border_color",            16,  4,  "bits"),
    TailField("border_color_format",     32,  1,  "enum"),
)
# fmt: on

SHIFTS: Final[Mapping[str, int]] = {field.name: field.first for field in WORD0}
MASKS: Final[Mapping[str, int]] = {field.name: ((1 << field.bits) - 1) << field.first for field in WORD0}


class Layout(NamedTuple):
    """A release's layout of the record.

    Attributes:
        name: The release or dialect.
        size: Of the whole record, in bytes.
        inverted: word-0 members whose bit has the opposite meaning there (``normalized_coords``).
        dropped: word-0 members that the release lacks.
        flag_word: Byte offset of a trailing word that holds ``border_color_is_integer``, or None.
        has_format: Whether ``border_color_format`` is there.
    """

    name: str
    size: int
    inverted: tuple[str, ...]
    dropped: tuple[str, ...]
    flag_word: int | None
    has_format: bool


class KeyRule(NamedTuple):
    """A cache's rule for equal records: a layout, and how many of its leading bytes count.

    Attributes:
        leading_bytes: 1 to the layout's size.
    """

    layout: str
    leading_bytes: int


_UN: Final = ("unnormalized_coords",)
_FLAG: Final = "border_color_is_integer"

# fmt: off
LAYOUTS: Final[Mapping[str, Layout]] = {
    #                   name      size  inverted  dropped                    flag_word has_format
    "22.3": Layout("22.3",    36,  (),       (),                        None,     True),
    "21.2": Layout("21.2",    32,  _UN,      (),                        None,     False),
    "21.0": Layout("21.0",    32,  _UN,      (_FLAG, "reduction_mode"), None,     False),
    "seed": Layout("seed",    36,  _UN,      (_FLAG, "reduction_mode"), 32,       False),
}
# fmt: on

# fmt: off
#: Release -> (first and last number of Mesa 22.3, how far they moved up).
FORMAT_SHIFTS: Final[Mapping[str, tuple[tuple[int, int, int], ...]]] = {
    "22.3": ((0, 418, 0),),
    "24.1": ((0, 137, 0), (140, 260, 2), (281, 289, 6), (384, 384, 7)),
    "25.0": ((0, 137, 0), (140, 161, 2), (181, 219, 8), (237, 258, 11), (281, 289, 15)),
}
# fmt: on


def _layout(name: str) -> Layout:
    try:
        return LAYOUTS[name]
    except KeyError:
        raise ArgumentError("layout", name, accepted=", ".join(LAYOUTS)) from None


def pack_as(record: bytes | SupportsBytes, layout: str) -> bytes:
    """Write a canonical record in another release's layout.

    Args:
        record: 36 bytes, or a `SamplerState`; members that the layout lacks are lost.
        layout: A key of `LAYOUTS`.

    Returns:
        `Layout.size` bytes.

    Raises:
        ArgumentError: An unknown layout or a record of the wrong size.
    """
    rule = _layout(layout)
    if not isinstance(record, SupportsBytes):
        raise ArgumentError("record", record, accepted=f"a SamplerState, or {RECORD_BYTES} bytes")
    record = bytes(record)
    if len(record) != RECORD_BYTES:
        raise ArgumentError("record", f"{len(record)} bytes", accepted=f"{RECORD_BYTES} bytes")
    word = int.from_bytes(record[:4], "little")
    flag = word & MASKS[_FLAG]
    for name in rule.dropped:
        word &= ~MASKS[name]
    for name in rule.inverted:
        word ^= MASKS[name]
    packed = word.to_bytes(4, "little") + record[4:32]
    if rule.has_format:
        packed += record[32:]
    if rule.flag_word is not None:
        packed += (1 if flag else 0).to_bytes(4, "little")
    return packed


def unpack_from(packed: bytes, layout: str) -> bytes:
    """Read a record in another release's layout into the canonical one; members it lacks become 0.

    Args:
        packed: The record as that release keeps it, in the layout's size.
        layout: A key of `LAYOUTS`.

    Raises:
        ArgumentError: An unknown layout or the wrong number of bytes.
    """
    rule = _layout(layout)
    if len(packed) != rule.size:
        raise ArgumentError("packed", f"{len(packed)} bytes", accepted=f"{rule.size} bytes for layout {layout}")
    word = int.from_bytes(packed[:4], "little")
    for name in rule.inverted:
        word ^= MASKS[name]
    for name in rule.dropped:
        word &= ~MASKS[name]
    if rule.flag_word is not None and packed[rule.flag_word]:
        word |= MASKS[_FLAG]
    tail = packed[32:36] if rule.has_format else bytes(4)
    return word.to_bytes(4, "little") + packed[4:32] + tail


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


@cache
def _format_numbers(release: str) -> dict[int, int]:
    """Return number of Mesa 22.3 -> number of a release; between two releases formats have the numbers of both."""
    rows = FORMAT_SHIFTS.get(release)
    if rows is not None:
        return {number: number + shift for first, last, shift in rows for number in range(first, last + 1)}
    try:
        before = [known for known in FORMAT_SHIFTS if _order(known) < _order(release)]
    except (ValueError, AttributeError):
        return {}  # no release at all
    after = [known for known in FORMAT_SHIFTS if _order(known) > _order(release)]
    if not before or not after:
        return {0: 0}
    older, newer = _format_numbers(before[-1]), _format_numbers(after[0])
    return {number: there for number, there in older.items() if newer.get(number) == there}


@cache
def _formats_by_number(release: str) -> dict[int, int]:
    return {there: number for number, there in _format_numbers(release).items()}


def number_in(fmt: str | int, release: str) -> int:
    """Return a release's number of a format, by its name, with or without prefix, or our number.

    Raises `UnknownName` where it is not known.
    """
    known = pipe_format(fmt)
    number = _format_numbers(release).get(known.number)
    if number is None:
        hint = "That release's number of it was never recorded."
        raise UnknownName(f"number in Mesa {release} of format", known.name, accepted="recorded formats", hint=hint)
    return number


def format_in(number: int, release: str) -> str:
    """Name the format that a release gives a number; raises `UnknownName` where it is not known."""
    known = _formats_by_number(release).get(number)
    if known is None:
        hint = "It is not taken for the format that has this number in another release."
        raise UnknownName(f"format number of Mesa {release}", number, accepted="recorded formats", hint=hint)
    return pipe_format(known).name


def in_release(record: bytes, release: str) -> bytes:
    """Return our record, 36 bytes, with border_color_format as a driver of a release, ``"22.3"``, has it.

    Raises `UnknownName` for a format whose number there is not known, `ArgumentError` for a record of the wrong size.
    """
    return _renumbered(record, lambda number: number_in(number, release))


def from_release(record: bytes, release: str) -> bytes:
    """Take a release's record, 36 bytes, as ours; raises as `in_release` does."""
    return _renumbered(record, lambda number: pipe_format(format_in(number, release)).number)


def _renumbered(record: bytes, change: Callable[[int], int]) -> bytes:
    if len(record) != RECORD_BYTES:
        raise ArgumentError("record", f"{len(record)} bytes", accepted=f"{RECORD_BYTES} bytes")
    return record[:32] + change(int.from_bytes(record[32:], "little")).to_bytes(4, "little")
