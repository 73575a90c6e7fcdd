"""The request and the result of the clamp rewrite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe.lowering import Lowering

if TYPE_CHECKING:
    Request = Mapping[tuple[int, int], "str | Lowering | Sequence[str | Lowering]"]

__all__ = ["Lowered", "Note", "descriptor", "wanted"]

_LETTERS = "str"


class Note(NamedTuple):
    """One instruction of the module that was read, and its outcome.

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


def descriptor(field: str, value: object) -> tuple[int, int]:
    """Check a (set, binding)."""
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, int) and one >= 0 for one in value):
        return value
    raise ArgumentError(field, value, accepted="(set, binding), two whole numbers from 0")


def wanted(clamp: Request) -> dict[tuple[int, int], Elements]:
    """Check a request: every value letters, a `Lowering`, or a sequence of these, one an array element."""
    if not isinstance(clamp, Mapping):
        raise ArgumentError("clamp", clamp, accepted="a mapping: (set, binding) -> axes")
    masks = {}
    for key, value in clamp.items():
        descriptor("clamp", key)
        if not isinstance(value, Sequence):
            raise _no_axes(key, value, "; for an array of samplers a sequence of these")
        alone = isinstance(value, str | Lowering)
        each: Sequence[object] = (value,) if alone else value
        elements = Elements(tuple(_modes(key, one) for one in each), all=alone)
        if any(any(modes) for modes in elements.modes):
            masks[key] = elements
    return masks


def _no_axes(key: tuple[int, int], value: object, more: str = "") -> ArgumentError:
    accepted = f"letters of str, each once, or a Lowering{more}"
    return ArgumentError(f"axes of {key[0]}:{key[1]}", value, accepted=accepted, hint="An axis wraps one way.")


def _modes(key: tuple[int, int], value: object) -> tuple[str, str, str]:
    """For s, t and r: ``clamp``, ``mirror`` or nothing."""
    axes = Lowering(value) if isinstance(value, str) else value
    if not isinstance(axes, Lowering) or not isinstance(axes.clamp, str) or not isinstance(axes.mirror, str):
        raise _no_axes(key, value)
    both = axes.clamp + axes.mirror
    if any(one not in _LETTERS for one in both) or len(set(both)) < len(both):
        raise _no_axes(key, both)
    s, t, r = ("clamp" if one in axes.clamp else "mirror" if one in axes.mirror else "" for one in _LETTERS)
    return s, t, r
