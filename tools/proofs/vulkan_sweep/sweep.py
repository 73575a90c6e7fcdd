"""Converts states on one capability vector of the corpus after the other, and counts the results."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import statetracker as st
from statetracker.caps.devices import corpus, device_facts
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.vulkan import EDITIONS, create_info, facts_of, violations
from tools.proofs.vulkan_sweep.records import random_question
from tools.proofs.vulkan_sweep.states import BOUNDARY, GlState, boundary_state, random_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.caps import VulkanFacts
    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, Violation

__all__ = ["Counts", "newest_rows", "sweep"]


Judged = tuple["SamplerCreateInfo", "list[Violation]", str]


class Counts(NamedTuple):
    """The counts of one device, or of many.

    states      kind of state -> how many
    violations  kind of state -> rules broken
    rules       rule -> how often it was
    fallbacks   way to say the border colour -> infos that took it
    unsupported name of what is unsupported -> infos that have it
    lowering    what the shader must do -> infos that need it
    texts       rule -> where it was broken first
    """

    states: Counter[str]
    violations: Counter[str]
    rules: Counter[str]
    fallbacks: Counter[str]
    unsupported: Counter[str]
    lowering: Counter[str]
    texts: dict[str, str]

    @classmethod
    def nothing(cls) -> Counts:
        """The empty sum."""
        return cls(*(Counter() for _ in cls._fields[:-1]), {})

    def add(self, other: Counts) -> None:
        """Add another's counts to these."""
        for mine, theirs in zip(self[:-1], other[:-1], strict=True):
            mine.update(theirs)
        for rule, words in other.texts.items():
            self.texts.setdefault(rule, words)


@cache
def newest_rows() -> tuple[DeviceRow, ...]:
    """Of each capability vector the row with the newest report."""
    rows: dict[int, DeviceRow] = {}
    for row in corpus():
        kept = rows.get(row.vector)
        if kept is None or row.newest_report > kept.newest_report:
            rows[row.vector] = row
    return tuple(rows[vector] for vector in sorted(rows))


@cache
def _boundary() -> tuple[GlState, ...]:
    return tuple(map(boundary_state, range(BOUNDARY)))


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
    every: int = 1,
    randoms: int = 500,
    records: int = 500,
    seed: int = 0,
    dialect: str = "native",
    newest: bool = False,
) -> Counts:
    """Convert on one device.

    every     of the boundary set, every how many-th state, beginning with the vector's number
    randoms   random GL states
    records   random records, with whatever a caller may say beside them
    dialect   by whose rules; ``native`` breaks none, the others show that a sweep can find something
    newest    judge by the newest rules, whatever the device's version
    """
    facts = device_facts(row)
    screen = st.Screen.from_vulkan(facts._replace(api=EDITIONS[-1]) if newest else facts)
    rng = Random(f"{seed} {row.vector}")  # noqa: S311 (the same in every run)
    counts = Counts.nothing()
    kinds: tuple[tuple[str, Iterator[Judged]], ...] = (
        ("boundary", _converted(screen, _boundary()[row.vector % every :: every], dialect)),
        ("random", _converted(screen, [random_state(rng) for _ in range(randoms)], dialect)),
        ("records", _asked(screen, records, rng, dialect)),
    )
    for kind, judged in kinds:
        for info, broken, words in judged:
            _count(counts, kind, info, broken)
            for one in broken:
                counts.texts.setdefault(one.rule, f"{one}\n  on vector {row.vector}, {row}\n  {words}")
    return counts


def _count(counts: Counts, kind: str, info: SamplerCreateInfo, broken: list[Violation]) -> None:
    counts.states[kind] += 1
    counts.violations[kind] += len(broken)
    counts.rules.update(one.rule for one in broken)
    counts.fallbacks[info.border.fallback.label] += 1
    counts.unsupported.update({one.name for one in info.unsupported})
    counts.lowering.update(list(info.lowering.work))
