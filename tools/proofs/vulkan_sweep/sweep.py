"""Converts random states and records on one capability vector of the corpus after the other, and counts the results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import statetracker as st
from statetracker.caps.devices import corpus, device_facts
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.vulkan import EDITIONS, create_info, facts_of, violations
from tools.proofs.vulkan_sweep.records import random_question
from tools.proofs.vulkan_sweep.states import GlState, random_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.caps import VulkanFacts
    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, Violation

__all__ = ["Counts", "newest_rows", "sweep"]


Judged = tuple["SamplerCreateInfo", "list[Violation]", str]


@dataclass
class Counts:
    """The counts of one device, or of many.

    states      kind of state -> how many
    violations  kind of state -> rules broken
    rules       rule -> how often it was
    fallbacks   way to say the border colour -> infos that took it
    unsupported name of what is unsupported -> infos that have it
    lowering    what the shader must do -> infos that need it
    left        (kind of loss, vector) -> states of the boundary set that leave it
    plain       ... in a plain sample
    examples    kind of loss -> where it was seen first
    texts       rule, or kind of loss that may not be left -> where it was seen first
    """

    states: Counter[str] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    lowering: Counter[str] = field(default_factory=Counter)
    left: Counter[tuple[str, int]] = field(default_factory=Counter)
    plain: Counter[tuple[str, int]] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Add another's counts to these."""
        for name, theirs in vars(other).items():
            mine = getattr(self, name)
            mine.update(theirs if isinstance(mine, Counter) else theirs | mine)

    def take(self, kind: str, info: SamplerCreateInfo, broken: Sequence[Violation], where: str) -> None:
        """Count one info: of which kind of states, which rules it breaks, where that was."""
        self.states[kind] += 1
        self.violations[kind] += len(broken)
        self.rules.update(one.rule for one in broken)
        self.fallbacks[info.border.fallback.label] += 1
        self.unsupported.update({one.name for one in info.unsupported})
        self.lowering.update(list(info.lowering.work))
        for one in broken:
            self.texts.setdefault(one.rule, f"{one}\n  {where}")


@cache
def newest_rows() -> tuple[DeviceRow, ...]:
    """Of each capability vector the row with the newest report."""
    rows: dict[int, DeviceRow] = {}
    for row in corpus():
        kept = rows.get(row.vector)
        if kept is None or row.newest_report > kept.newest_report:
            rows[row.vector] = row
    return tuple(rows[vector] for vector in sorted(rows))


def _converted(screen: st.Screen, states: Sequence[GlState], dialect: str) -> Iterator[Judged]:
    for sampler, texture, seamless, glsl130 in states:
        result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130, vulkan_dialect=dialect)
        yield result.vulkan, result.violations, f"{sampler!r} {texture!r} seamless={seamless} glsl130={glsl130}"


def _asked(screen: st.Screen, count: int, rng: Random, dialect: str) -> Iterator[Judged]:
    facts = facts_of(screen)
    for _ in range(count):
        record, asked = random_question(facts, rng)
        info = create_info(record, screen, dialect=dialect, **asked)
        view = asked.get("view")
        seen = None if view is None else vulkan_format(view.format, facts)
        if seen is not None and not _filterable(info, seen, facts):
            seen = None  # the front end would have made the filters NEAREST: no matter of a create info
        broken = violations(info, screen, view_format=seen)
        if info.depth_border_sampler is not None:
            broken += violations(info.depth_border_sampler, screen, view_format=seen)
        yield info, broken, f"{record.hex()} {asked}"


def _filterable(info: SamplerCreateInfo, name: str, facts: VulkanFacts) -> bool:
    linear = bool(info.mag_filter or info.min_filter or info.mipmap_mode) and not info.compare_enable
    return facts.filters(name) or not linear


def sweep(
    row: DeviceRow,
    *,
    randoms: int = 500,
    records: int = 500,
    seed: int = 0,
    dialect: str = "native",
    newest: bool = False,
) -> Counts:
    """Convert on one device.

    randoms   random GL states
    records   random records, with whatever a caller may say beside them
    dialect   by whose rules; ``native`` breaks none, the others show that a sweep can find something
    newest    judge by the newest rules, whatever the device's version
    """
    facts = device_facts(row)
    screen = st.Screen.from_vulkan(facts._replace(api=EDITIONS[-1]) if newest else facts)
    rng = Random(f"{seed} {row.vector}")  # noqa: S311 (the same in every run)
    counts = Counts()
    kinds: tuple[tuple[str, Iterator[Judged]], ...] = (
        ("random", _converted(screen, [random_state(rng) for _ in range(randoms)], dialect)),
        ("records", _asked(screen, records, rng, dialect)),
    )
    for kind, judged in kinds:
        for info, broken, words in judged:
            counts.take(kind, info, broken, f"on vector {row.vector}, {row}\n  {words}")
    return counts
