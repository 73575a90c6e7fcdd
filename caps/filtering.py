"""Which formats a screen can filter linearly: the hook, as a callable or as a table.

Without a hook every format counts as filterable. With one, a format is looked up by its pipe name (and, for callables,
the resource's format). See docs/screens.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: (format of the view, format of the resource), both pipe names without prefix -> can it be filtered linearly.
LinearFiltering: TypeAlias = "Callable[[str, str], bool]"


class FormatFeatures:
    """A table of formats that can or cannot be filtered linearly.

    linear    pipe format name -> whether it can be filtered linearly
    default   the answer for formats that the table does not name

    Raises `ArgumentError` for a name that is no pipe format.
    """

    __slots__ = ("default", "linear")

    def __init__(self, linear: Mapping[str, bool], *, default: bool = True) -> None:
        from statetracker.pipe.formats import pipe_format

        checked: dict[str, bool] = {}
        for name, answer in linear.items():
            if not isinstance(answer, bool):
                raise ArgumentError("linear_filtering", {name: answer}, accepted="format name -> true or false")
            checked[pipe_format(name).name] = answer
        self.linear = checked
        self.default = default

    def __call__(self, view_format: str, resource_format: str) -> bool:
        """Whether a view of that format can be filtered linearly."""
        del resource_format
        return self.linear.get(view_format, self.default)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FormatFeatures):
            return NotImplemented
        return (self.linear, self.default) == (other.linear, other.default)

    def __hash__(self) -> int:
        return hash((frozenset(self.linear.items()), self.default))

    def __repr__(self) -> str:
        """How many formats are refused."""
        refused = sorted(name for name, ok in self.linear.items() if not ok)
        return f"FormatFeatures(refused={refused}, default={self.default})"
