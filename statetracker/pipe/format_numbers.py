"""The number that each release of Mesa gives a pipe format: what a driver's copy of border_color_format holds.

Our own records have the numbers of Mesa 22.3 everywhere; `in_release` and `from_release` change a record's number where
a driver's copy goes out or comes in. Only what was recorded is here: between two formats of one shift nothing was
inserted; a number outside of these ranges is refused. Source: docs/sampler_state.md.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import RECORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BASE: Final = "22.3"

# fmt: off
#: Release -> (first and last number of Mesa 22.3, how far they moved up).
SHIFTS: Final[Mapping[str, tuple[tuple[int, int, int], ...]]] = {
    "22.3": ((0, 418, 0),),
    "24.1": ((0, 137, 0), (140, 260, 2), (281, 289, 6), (384, 384, 7)),
    "25.0": ((0, 137, 0), (140, 161, 2), (181, 219, 8), (237, 258, 11), (281, 289, 15)),
}
# fmt: on


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


@cache
def _numbers(release: str) -> dict[int, int]:
    """Return number of Mesa 22.3 -> number of a release; between two releases formats have the numbers of both."""
    rows = SHIFTS.get(release)
    if rows is not None:
        return {number: number + shift for first, last, shift in rows for number in range(first, last + 1)}
    before = [known for known in SHIFTS if _order(known) < _order(release)]
    after = [known for known in SHIFTS if _order(known) > _order(release)]
    if not before or not after:
        return {0: 0}
    older, newer = _numbers(before[-1]), _numbers(after[0])
    return {number: there for number, there in older.items() if newer.get(number) == there}


@cache
def _names(release: str) -> dict[int, int]:
    return {there: number for number, there in _numbers(release).items()}


def number_in(fmt: str | int, release: str) -> int:
    """Return a release's number of a format, by its name, with or without prefix, or our number.

    Raises `UnknownName` where it is not known.
    """
    known = pipe_format(fmt)
    number = _numbers(release).get(known.number)
    if number is None:
        hint = "That release's number of it was never recorded."
        raise UnknownName(f"number in Mesa {release} of format", known.name, accepted="recorded formats", hint=hint)
    return number


def format_in(number: int, release: str) -> str:
    """Name the format that a release gives a number; raises `UnknownName` where it is not known."""
    known = _names(release).get(number)
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
