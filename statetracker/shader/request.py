"""What is asked of the rewrite, and what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Request = Mapping[tuple[int, int], "str | WrapAxes | Sequence[str | WrapAxes]"]

__all__ = ["Lowered", "Note", "WrapAxes", "wanted"]

_LETTERS = "str"


class WrapAxes(NamedTuple):
    """The axes of one sampler that wrap with GL_CLAMP and with GL_MIRROR_CLAMP_EXT: letters of ``str``."""

    clamp: str = ""
    mirror: str = ""

    def modes(self) -> tuple[str, str, str]:
        """For s, t and r: ``clamp``, ``mirror`` or nothing."""
        first, second, third = (
            "clamp" if one in self.clamp else "mirror" if one in self.mirror else "" for one in _LETTERS
        )
        return first, second, third


class Note(NamedTuple):
    """One instruction of the module that was read, and what became of it.

    offset       the word at which it stood; in a specialised function, where the original stood
    instruction  ``OpImageSampleImplicitLod``
    descriptor   (set, binding) of its sampler; None where that is not known
    reason       what was done, or why nothing was
    """

    offset: int
    instruction: str
    descriptor: tuple[int, int] | None
    reason: str


class Lowered(NamedTuple):
    """The answer of `lower`.

    module      the new module's bytes; the bytes given, where nothing had to change
    rewritten   instructions whose coordinates are clamped now
    inexact     those of them that are exact under a condition only, and under which
    left        instructions on such samplers that need no clamp: cubes, fetches, queries
    unresolved  instructions that would have to be rewritten and could not be
    """

    module: bytes
    rewritten: tuple[Note, ...]
    inexact: tuple[Note, ...]
    left: tuple[Note, ...]
    unresolved: tuple[Note, ...]


class Elements(NamedTuple):
    """A descriptor's share: one entry an array element, or one for ``all`` of them."""

    modes: tuple[tuple[str, str, str], ...]
    all: bool

    def of(self, element: int) -> tuple[str, str, str]:
        """The modes of one element; beyond the list nothing is clamped."""
        if self.all:
            return self.modes[0]
        return self.modes[element] if element < len(self.modes) else ("", "", "")


def wanted(clamp: Request) -> dict[tuple[int, int], Elements]:
    """Check a request: every value letters, `WrapAxes`, or a sequence of these, one an array element."""
    found = {}
    for key, value in clamp.items():
        if isinstance(value, str | WrapAxes):
            elements = Elements((_axes(key, value).modes(),), all=True)
        else:
            elements = Elements(tuple(_axes(key, one).modes() for one in value), all=False)
        if any(any(modes) for modes in elements.modes):
            found[key] = elements
    return found


def _axes(key: tuple[int, int], value: str | WrapAxes) -> WrapAxes:
    axes = value if isinstance(value, WrapAxes) else WrapAxes(value)
    both = axes.clamp + axes.mirror
    if any(one not in _LETTERS for one in both) or len(set(both)) < len(both):
        hint = "An axis wraps one way: name each once."
        raise ArgumentError(f"axes of {key[0]}:{key[1]}", both, accepted="letters of str, each once", hint=hint)
    return axes
