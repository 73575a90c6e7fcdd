"""The boundary set on devices: what is wrong there, and the figures of what is left, kept in left.csv for the docs.

Devices that a state cannot distinguish share its conversion; the rules of valid usage are checked on each.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.frontend.vulkan_view import vulkan_view, vulkan_violations
from statetracker.gl import Target
from statetracker.survey.outcomes import class_key
from tests.vulkan.boundary.forms import FORMS
from tests.vulkan.boundary.left import left_of, refused
from tests.vulkan.boundary.states import GlState, boundary_state
from tests.vulkan.devices import newest_rows, screen_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo

__all__ = ["ALL", "KEPT", "Figures", "Seen", "boundaries", "boundary", "figures", "kept", "states_by_kind"]

KEPT: Final = Path(__file__).with_name("left.csv")
#: The row that counts everything that was looked at.
ALL: Final = "all"


class Seen(NamedTuple):
    """What was seen of states on devices.

    Attributes:
        wrong: Rules broken, and losses that may not be left, each with where.
        left: (kind of loss, vector) -> states that leave it.
        plain: ... in a plain sample.
        examples: Kind of loss -> where it was seen first.
    """

    wrong: list[str]
    left: Counter[tuple[str, int]]
    plain: Counter[tuple[str, int]]
    examples: dict[str, str]

    @classmethod
    def nothing(cls) -> Seen:
        """Of no states yet."""
        return cls([], Counter(), Counter(), {})

    def add(self, other: Seen) -> None:
        """Add what was seen of later states."""
        self.wrong.extend(other.wrong)
        self.left.update(other.left)
        self.plain.update(other.plain)
        self.examples.update(other.examples | self.examples)

    def note(self, row: DeviceRow, left: Mapping[str, frozenset[str]], texture: str) -> None:
        """Count what a state leaves on a device; without forms it is the sampler's, whatever the form."""
        for loss, forms in {ALL: frozenset[str](), **left}.items():
            self.left[loss, row.vector] += 1
            self.plain[loss, row.vector] += not forms or "plain" in forms
            if loss not in self.examples:
                form = next((name for name in FORMS if name in forms), "any form")
                self.examples[loss] = "" if loss == ALL else f"{form}, {texture}, {row.name}"


class _Made(NamedTuple):
    info: SamplerCreateInfo
    left: Mapping[str, frozenset[str]]


def boundary(number: int, rows: Sequence[DeviceRow], *, every: int = 1) -> Seen:
    """Convert state ``number`` on devices; ``every``: on that part of the vectors that begins with the number."""
    seen, made = Seen.nothing(), dict[object, _Made]()
    state = boundary_state(number)
    texture = f"{state.texture.internal_format}, {Target(state.texture.target).name}"
    for row in rows:
        if (number - row.vector) % every:
            continue
        screen = screen_of(row)
        view = vulkan_view(state.texture, screen, state.glsl130)
        key = class_key(screen, view)
        if key not in made:
            made[key] = _made(state, screen)
        info, left = made[key]
        seen.note(row, left, texture)
        faults = [*vulkan_violations(info, view, screen), *refused(left)]
        seen.wrong.extend(f"{fault}\n  state {number}, {state}, on vector {row.vector}, {row}" for fault in faults)
    return seen


def boundaries(numbers: Iterable[int]) -> Seen:
    """Convert several states on every vector."""
    total = Seen.nothing()
    for number in numbers:
        total.add(boundary(number, newest_rows()))
    return total


def _made(state: GlState, screen: st.Screen) -> _Made:
    sampler, texture, seamless, glsl130 = state
    result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130)
    made = _Made(result.vulkan, left_of(state, screen, result))
    screen.derived.clear()  # plans for this texture: of no use to the next one, and much of 754 screens
    return made


class Figures(NamedTuple):
    """The figures of one kind.

    Attributes:
        vectors: Capability vectors with some state that has it.
        reports: Public reports of devices that have such a vector.
        states: Pairs of a vector and a state that have it, in some form of sampling.
        plain: ... in the plain form, without bias, offset, gradients and the like.
        part: Of ``states`` those in the part that a test run looks at.
        example: Where it was seen first.
    """

    vectors: int = 0
    reports: int = 0
    states: int = 0
    plain: int = 0
    part: int = 0
    example: str = ""


@cache
def _reports() -> Counter[int]:
    """How many public reports have a capability vector."""
    counts: Counter[int] = Counter()
    for row in corpus():
        counts[row.vector] += row.reports
    return counts


def figures(whole: Seen, part: Seen) -> dict[str, Figures]:
    """Kind -> figures, everything first, then what most states have."""
    by_kind: dict[str, list[int]] = {}
    for kind, vector in whole.left:
        by_kind.setdefault(kind, []).append(vector)
    states, plain, parts = map(states_by_kind, (whole.left, whole.plain, part.left))
    made = {
        kind: Figures(
            len(vectors),
            sum(_reports()[vector] for vector in vectors),
            states[kind],
            plain[kind],
            parts[kind],
            whole.examples[kind],
        )
        for kind, vectors in by_kind.items()
    }
    return dict(sorted(made.items(), key=lambda one: (one[0] != ALL, -one[1].states, one[0])))


def states_by_kind(counts: Counter[tuple[str, int]]) -> Counter[str]:
    """Add up the vectors."""
    states: Counter[str] = Counter()
    for (kind, _), count in counts.items():
        states[kind] += count
    return states


def kept() -> dict[str, Figures]:
    """The figures of the last whole run: kind -> figures."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return {kind: Figures._make((*map(int, numbers), example)) for kind, *numbers, example in rows}
