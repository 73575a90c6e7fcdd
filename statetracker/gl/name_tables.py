"""`NameTable`: the objects of one kind by name, and which names the next Gen or Create call gives.

Source: observed on Mesa 22.3.6 (docs/textures.md, names).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = TypeVar("Kind")

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

    def reserve(self, names: Iterable[int], item: Kind) -> None:
        """Give names one item, which stands for an object that is not made yet."""
        for name in names:
            self[name] = item

    def free(self, count: int) -> list[int]:
        """The names that the next call gives, one after another."""
        first = self.highest + 1
        if self.highest + count >= _LAST:
            first = 1
            while taken := [name for name in range(first, first + count) if name in self]:
                first = taken[-1] + 1
        return list(range(first, first + count))
