"""Names of objects, as GL's calls give, take and refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError
from statetracker.gl.state import INVALID_OPERATION, INVALID_VALUE, ContextState
from statetracker.gl.values import object_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import EllipsisType

    from statetracker.gl.name_tables import NameTable

#: Why an object behind a bindless handle takes no change.
FROZEN: Final = "is referenced by a texture handle and can no longer change; accepted: an object without handles"

_SHOWN: Final = 8


def listed(objects: Mapping[int, object]) -> str:
    """The names that exist, for messages: the first few, and how many more."""
    names = [str(name) for name, item in sorted(objects.items()) if item is not None]
    more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return ", ".join([*names[:_SHOWN], *more]) or "none exists yet"


class ObjectNames(ContextState):
    """Counted arrays of names."""

    def new_names(
        self, call: str, count: int, given: Sequence[int] | EllipsisType | None, objects: NameTable[Any]
    ) -> list[int]:
        """Give free names, or take those that a recording got; a negative count is INVALID_VALUE, NULL gets none.

        given     ``...``: any free names; None is NULL; else the names themselves, from 1 on
        objects   the table that they are to be free in

        Raises `ArgumentError` for a name below 1.
        """
        if count < 0:
            self.fail(INVALID_VALUE, call, f"n={count} is negative; accepted: 0 or more")
            return []
        if given is None:
            return []
        if given is not ...:
            taken = object_names(count, given, "names") or []
            if any(name < 1 for name in taken):
                raise ArgumentError("names", given, accepted="names from 1 on")
            return taken
        return objects.free(count)

    def counted_names(self, call: str, count: object, names: object, argument: str) -> list[int]:
        """Read a counted array of names; a negative count is INVALID_VALUE and names nothing."""
        read = object_names(count, names, argument)
        if read is None:
            self.fail(INVALID_VALUE, call, f"n={count} is negative; accepted: 0 or more")
        return read or []

    def counted_bindings(self, call: str, first: int, count: object, names: object, argument: str) -> list[int]:
        """Read the names to bind from unit ``first`` on; without an array, ``count`` zeros."""
        if names is None and isinstance(count, int) and count >= 0:
            names = [0] * min(count, self.limits.max_combined_units + 1)
            count = len(names)
        units = self.limits.max_combined_units
        if isinstance(count, int) and count < 0:
            if first + count < 0:  # only their sum is looked at, as Mesa does
                self.fail(INVALID_OPERATION, call, f"first={first} and count={count}; accepted: a sum of 0 to {units}")
            return []
        bindings = self.counted_names(
            call, count, names if names is not None or not isinstance(count, int) else [], argument
        )
        if first < 0 or first + len(bindings) > units:
            message = f"first={first} and count={len(bindings)} go past the last unit; accepted: a sum of 0 to {units}"
            self.fail(INVALID_OPERATION, call, message)
            return []
        return bindings
