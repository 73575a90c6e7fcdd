"""Names of objects: `NameTable`, which has the objects of one kind, and how calls read names and list them.

Source: observed on Mesa 22.3.6 (docs/textures.md, names).
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, TypeVar

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = TypeVar("Kind")

#: Why an object behind a bindless handle takes no change.
FROZEN: Final = "is referenced by a texture handle and can no longer change; accepted: an object without handles"

_SHOWN: Final = 8
#: The largest name that is never given.
_LAST: Final = 0xFFFFFFFE


class NameTable(dict[int, Kind]):
    """Objects by name. Names follow the highest that was ever in use, so that none is given twice.

    Near the end of 32 bits the first gap that is large enough is taken instead.
    """

    highest = 0  # of a copy, too, whose objects come before it

    def __setitem__(self, name: int, item: Kind) -> None:
        super().__setitem__(name, item)
        self.highest = max(self.highest, name)

    def free(self, count: int) -> list[int]:
        """Return the names that the next call gives, one after another."""
        first = self.highest + 1
        if self.highest + count >= _LAST:
            first = 1
            while taken := [name for name in range(first, first + count) if name in self]:
                first = taken[-1] + 1
        return list(range(first, first + count))


def listed(objects: Mapping[int, object]) -> str:
    """Return the names that exist, for messages: the first few, and how many more."""
    names = [name for name, item in objects.items() if item is not None]
    more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return ", ".join([*map(str, nsmallest(_SHOWN, names)), *more]) or "none exists yet"


def object_names(count: object, names: object, argument: str) -> list[int] | None:
    """Read a counted array of object names; None for a negative count, which is GL's business to refuse.

    Args:
        count: How many, or the array itself where ``names`` is left out: ``glDeleteTextures([1, 2])``.
        names: None is NULL, an array without names whatever the count says; ``...`` is left out.
        argument: What GL calls ``names``; named in the error.

    Raises:
        ArgumentError: It is no array of names, or one that is shorter than its count.
    """
    if (names is None or names is ...) and isinstance(count, Iterable) and not isinstance(count, str):
        names, count = list(count), None
    if names is None and isinstance(count, int):
        return None if count < 0 else []
    given = [names] if isinstance(names, int) else names
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise ArgumentError(argument, names, accepted="an array of object names")
    read = list(given)
    if any(not isinstance(name, int) for name in read):
        raise ArgumentError(argument, names, accepted="an array of object names")
    if count is None:
        return read
    if not isinstance(count, int) or count > len(read):
        raise ArgumentError(argument, names, accepted=f"{count!r} object names")
    return None if count < 0 else read[:count]
