"""Converts states on one capability vector of the corpus after the other, and counts the results."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import statetracker as st
from statetracker.caps.devices import corpus, device_facts
from statetracker.caps.vulkan_pipe import vulkan_format
from statetracker.vulkan import create_info, facts_of, violations
from statetracker.gl import Target
from tools.proofs.vulkan_sweep.figures import ALL, PART, reports
from tools.proofs.vulkan_sweep.forms import FORMS
from tools.proofs.vulkan_sweep.left import left_of, refused
from tools.proofs.vulkan_sweep.records import random_question
from tools.proofs.vulkan_sweep.states import BOUNDARY, GlState, boundary_state, random_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from statetracker.caps import VulkanFacts
    from statetracker.caps.devices import DeviceRow
    from statetracker.vulkan import SamplerCreateInfo, Violation

__all__ = ["Counts", "newest_rows", "part", "sweep"]

class Judged(NamedTuple):
    """A create info, the rules that it breaks, what it was made of, in full and in short, and what is left."""

    info: SamplerCreateInfo
    broken: list[Violation]
    words: str
    texture: str = ""
    left: Mapping[str, frozenset[str]] = MappingProxyType({})


class Counts(NamedTuple):
    """The counts of one device, or of many.

    states      kind of state -> how many
    violations  kind of state -> rules broken
    rules       rule -> how often it was
    fallbacks   way to say the border colour -> infos that took it
    unsupported name of what is unsupported -> infos that have it
    lowering    what the shader must do -> infos that need it
    left        (kind of loss, name of a figure) -> count, of the boundary set under ``native``
    examples    kind of loss -> where it was found first
    texts       rule, or kind of loss that may not be left -> where it was found first
    """

    states: Counter[str]
    violations: Counter[str]
    rules: Counter[str]
    fallbacks: Counter[str]
    unsupported: Counter[str]
    lowering: Counter[str]
    left: Counter[tuple[str, str]]
    examples: dict[str, str]
    texts: dict[str, str]

    @classmethod
    def nothing(cls) -> Counts:
        """The empty sum."""
        return cls(*(Counter() for _ in cls._fields[:-2]), {}, {})

    def add(self, other: Counts) -> None:
        """Add another's counts to these."""
        for mine, theirs in zip(self[:-2], other[:-2], strict=True):
            mine.update(theirs)
        for mine, theirs in zip(self[-2:], other[-2:], strict=True):
            for name, words in theirs.items():
                mine.setdefault(name, words)


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


def _converted(screen: st.Screen, states: Sequence[GlState], dialect: str, *, account: bool) -> Iterator[Judged]:
    for state in states:
        sampler, texture, seamless, glsl130 = state
        result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130, vulkan_dialect=dialect)
        left = left_of(state, screen, result) if account else {}
        words = f"{sampler!r} {texture!r} seamless={seamless} glsl130={glsl130}"
        name = f"{texture.internal_format}, {Target(texture.target).name}"
        yield Judged(result.vulkan, result.violations, words, name, left)


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
        yield Judged(info, broken, f"{record.hex()} {asked}")


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
) -> Counts:
    """Convert on one device.

    every     of the boundary set, every how many-th state, beginning with the vector's number
    randoms   random GL states
    records   random records, with whatever a caller may say beside them
    dialect   by whose rules; ``native`` breaks none, the others show that a sweep can find something, and what they
              leave is not counted
    """
    screen = st.Screen.from_vulkan(device_facts(row))
    rng = Random(f"{seed} {row.vector}")  # noqa: S311 (the same in every run)
    counts = Counts.nothing()
    native, boundary = dialect == "native", _boundary()[row.vector % every :: every]
    kinds: tuple[tuple[str, Iterator[Judged]], ...] = (
        ("boundary", _converted(screen, boundary, dialect, account=native)),
        ("random", _converted(screen, [random_state(rng) for _ in range(randoms)], dialect, account=False)),
        ("records", _asked(screen, records, rng, dialect)),
    )
    for kind, judged in kinds:
        for one in judged:
            _count(counts, kind, one.info, one.broken)
            where = f"  on vector {row.vector}, {row}\n  {one.words}"
            for violation in one.broken:
                counts.texts.setdefault(violation.rule, f"{violation}\n{where}")
            for loss in refused(one.left):
                counts.texts.setdefault(loss, f"{loss}\n{where}")
            _lost(counts, one, row.name)
    if native:
        counts.left[ALL, "states"] = counts.left[ALL, "plain"] = len(boundary)
        for loss in {loss for loss, _ in counts.left}:
            counts.left.update({(loss, "vectors"): 1, (loss, "reports"): reports(row.vector)})
    return counts


def _lost(counts: Counts, one: Judged, device: str) -> None:
    """Count what one state leaves; without forms it is the sampler's, whatever the form."""
    for loss, forms in one.left.items():
        counts.left[loss, "states"] += 1
        counts.left[loss, "plain"] += not forms or "plain" in forms
        form = next((name for name in FORMS if name in forms), "any form")
        counts.examples.setdefault(loss, f"{form}, {one.texture}, {device}")


def part() -> Counts:
    """The part of the boundary set that the tests do, on part of the vectors."""
    vectors, every = PART
    total = Counts.nothing()
    for row in newest_rows()[::vectors]:
        total.add(sweep(row, every=every, randoms=0, records=0))
    return total


def _count(counts: Counts, kind: str, info: SamplerCreateInfo, broken: list[Violation]) -> None:
    counts.states[kind] += 1
    counts.violations[kind] += len(broken)
    counts.rules.update(one.rule for one in broken)
    counts.fallbacks[info.border.fallback.label] += 1
    counts.unsupported.update({one.name for one in info.unsupported})
    counts.lowering.update(list(info.lowering.work))
