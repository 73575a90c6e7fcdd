"""The counts of a live run: totals, agreement per member, per rule and per kind of case; and their report.

It also counts which rows of the rule tables were exercised, and which could not be on this screen. A row is a rule of
`statetracker.sampler.RULES`, or a value that the tables translate: a wrap, a filter, a comparison, a reduction, a kind
of format.

The report is one HTML file that needs no network and can be read on a phone. It needs the extra ``report`` (jinja2).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.generate import allocatable
from statetracker.conformance.judge import NOT_SHOWN
from statetracker.conformance.weights import TARGETS
from statetracker.gl import Texture
from statetracker.gl.enums import CompareFunc, MagFilter, MinFilter, ReductionMode, Wrap
from statetracker.gl.facts import UNIT, UnitFacts
from statetracker.gl.formats import KINDS
from statetracker.gl.names import gl_name
from statetracker.pages import filled
from statetracker.pipe import SamplerState, TexWrap
from statetracker.pipe.state import FIELD_NAMES
from statetracker.replay.comparison import CHECKED_BY_INFOS
from statetracker.sampler import RULES
from statetracker.sampler import dialect as dialect_named
from statetracker.sampler.situation import ConversionKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import IntEnum

    from statetracker.caps import Screen
    from statetracker.conformance.judge import Verdict
    from statetracker.conformance.live import Answer, Failure
    from statetracker.gl import Sampler

#: Rules that a texture makes possible but that GL calls never reach.
NOT_THROUGH_GL: Final = {"anisotropy-limit": "GL limits the value before the conversion sees it"}

#: Table -> the values that are its rows, and the members of a sampler that hold them.
_VALUES: Final[Mapping[str, tuple[type[IntEnum], tuple[str, ...]]]] = {
    "wrap": (Wrap, ("wrap_s", "wrap_t", "wrap_r")),
    "min filter": (MinFilter, ("min_filter",)),
    "mag filter": (MagFilter, ("mag_filter",)),
    "compare func": (CompareFunc, ("compare_func",)),
    "reduction": (ReductionMode, ("reduction_mode",)),
}
#: Table -> its rows.
ROWS: Final[Mapping[str, Sequence[str]]] = {
    **{table: [gl_name(int(value), family) for value in family] for table, (family, _) in _VALUES.items()},
    "format": KINDS,
}

#: What a record was compared with -> in words.
_COMPARED: Final = {
    "record": "with all 36 bytes",
    "printed": "with what the trace prints",
    "errors": "with the GL errors only (nothing was bound, or the driver refused the case)",
}

#: How the trace calls a member that it prints as floats.
_PRINTED: Final = ".f"


class Mismatch(NamedTuple):
    """A case that differs: as run, as shrunk, what differs, and the explanation of our record."""

    case: dict[str, Any]
    shrunk: dict[str, Any]
    differences: list[Any]
    explanation: str
    test: str


@dataclass(eq=False)
class Tally:
    """Counts of a run. ``cells`` counts cases by (wrap, filter, kind of format): how many, and how many differ.

    ``reachable`` are the rules that some texture can make fire on this screen. ``interrupted``: the run did not come to
    its end; counted is what was run until then.
    """

    driver: str
    header: dict[str, Any]
    dialect: str
    note: str = ""
    reachable: frozenset[str] = frozenset()
    cases: int = 0
    agree: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    infos: int = 0
    info_shapes: Counter[str] = field(default_factory=Counter)
    members_differ: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=lambda: Counter({rule.name: 0 for rule in RULES}))
    rules_differ: Counter[str] = field(default_factory=Counter)
    rows: Counter[tuple[str, str]] = field(
        default_factory=lambda: Counter({(name, row): 0 for name, rows in ROWS.items() for row in rows})
    )
    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    cells_differ: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    failures: list[tuple[dict[str, Any], Failure]] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def differ(self) -> int:
        """Cases that differ."""
        return self.cases - self.agree - len(self.failures)

    @property
    def fine(self) -> bool:
        """True where nothing differs and nothing was lost."""
        return not self.differ and not self.failures

    def add(self, answer: Answer, verdict: Verdict | None) -> None:
        """Count one case; a failure has no verdict."""
        self.cases += 1
        if answer.failure is not None:
            self.failures.append((answer.case, answer.failure))
        if verdict is None:
            return
        differs = bool(verdict.differences)
        self.agree += not differs
        self.compared[verdict.compared] += 1
        self.infos += verdict.infos
        if verdict.infos:
            self.info_shapes.update(_shapes(answer.case))
        if "skipped" in answer.case:
            self.skipped[str(answer.case["skipped"])[:80]] += 1
        self.members_differ.update(one.what for one in verdict.differences)
        self.rules.update(verdict.rules)
        if differs:
            self.rules_differ.update(verdict.rules)
        if verdict.record is not None:
            if verdict.sampler is not None:
                self.rows.update(rows_of(verdict.sampler, str(answer.case.get("texture", {}).get("class"))))
            for cell in _cells(verdict.record, answer.case):
                self.cells[cell] += 1
                self.cells_differ[cell] += differs

    def rules_not_hit(self) -> dict[str, str]:
        """Name the table's rules that no case has exercised, each with the reason."""
        unreachable, possible = "no texture makes it fire on this screen", "possible here, but no case had it"
        return {
            rule.name: NOT_THROUGH_GL.get(rule.name, possible) if rule.name in self.reachable else unreachable
            for rule in RULES
            if not self.rules[rule.name]
        }

    def rows_not_hit(self) -> list[tuple[str, str]]:
        """Name the rows of the value tables that no case has exercised: (table, row)."""
        return [row for row, count in self.rows.items() if not count]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, ready for JSON."""
        return {
            "driver": self.driver,
            "renderer": self.header.get("gl_renderer"),
            "mesa_version": self.header.get("mesa_version"),
            "dialect": self.dialect,
            "note": self.note,
            "cases": self.cases,
            "agree": self.agree,
            "differ": self.differ,
            "failures": [{"id": case.get("id"), "kind": one.kind, "detail": one.detail} for case, one in self.failures],
            "skipped": dict(self.skipped),
            "compared": dict(self.compared),
            "create_infos": self.infos,
            "create_info_shapes": dict(self.info_shapes),
            "members_differ": dict(self.members_differ),
            "members": list(FIELD_NAMES),
            "rules": dict(self.rules),
            "rules_not_hit": self.rules_not_hit(),
            "rows": {f"{name}: {row}": count for (name, row), count in self.rows.items()},
            "mismatches": [
                {
                    "id": one.case.get("id"),
                    "differences": [list(map(str, part)) for part in one.differences],
                    "calls": one.shrunk["calls"],
                    "test": one.test,
                }
                for one in self.mismatches
            ],
            "seconds": round(self.seconds, 3),
        }


def _shapes(case: dict[str, Any]) -> set[str]:
    """Name what a case's create infos show: the kind of border colour, what is chained, a second sampler."""
    made = case.get("vk") or ()
    kinds = {"second sampler"} if len(made) > 1 else set()
    for info in made:
        kinds.add(str(info["borderColor"]).removeprefix("VK_BORDER_COLOR_"))
        part = info["pNext"]
        while part is not None:
            kinds |= {str(part["reductionMode"]).removeprefix("VK_SAMPLER_")} if "reductionMode" in part else set()
            part = part["pNext"]
    return kinds


def _cells(record: bytes, case: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Name the cells of the heat map that a case lies in: one for each wrap it uses."""
    state = SamplerState.from_bytes(record)
    kind = str(case.get("texture", {}).get("class", "?"))
    mip = state.min_mip_filter.name
    image = f"{state.min_img_filter.name}/{state.mag_img_filter.name}" + ("" if mip == "NONE" else f" mip {mip}")
    return {(wrap.name, image, kind) for wrap in (state.wrap_s, state.wrap_t, state.wrap_r)}


def rows_of(sampler: Sampler, kind: str) -> list[tuple[str, str]]:
    """Name the rows that a sampler and a texture of a kind of format go through."""
    rows = [
        (table, row)
        for table, (family, members) in _VALUES.items()
        for row in sorted({gl_name(int(getattr(sampler, name)), family) for name in members})
    ]
    return [*rows, ("format", kind)]


def reachable_rules(screen: Screen, dialect: str) -> frozenset[str]:
    """Name the rules that some texture makes fire on a screen under a dialect; the others never can there."""
    names: set[str] = set()
    for target, row in product(TARGETS, allocatable()):
        facts = Texture(target, row.name).facts()
        for unit in (UnitFacts(glsl130=False), UNIT, UnitFacts(bindless=True)):
            situation = ConversionKey(screen, dialect_named(dialect), facts, unit)
            names |= {rule.name for rule in RULES if rule.name not in names and rule.build(situation) is not None}
    return frozenset(names)


def render(tallies: Sequence[Tally], *, seed: int) -> str:
    """Return the report's HTML for some runs; raises `MissingExtra` without jinja2."""
    values = {"runs": [_run(tally) for tally in tallies], "seed": seed}
    return filled(Path(__file__).parent / "report.html.j2", "the report", values)


def _run(tally: Tally) -> dict[str, Any]:
    why = tally.rules_not_hit()
    return {
        "tally": tally,
        "verdict": "agrees" if tally.fine else f"{tally.differ} differ, {len(tally.failures)} lost",
        "share": f"{tally.agree / tally.cases:.3%}" if tally.cases else "no case",
        "compared": [(_compared(name, tally), count) for name, count in sorted(tally.compared.items())],
        "infos": infos_text(tally),
        "shapes": sorted(tally.info_shapes.items()),
        "by_infos": CHECKED_BY_INFOS if tally.infos else (),
        "members": list(_members(tally)),
        "rules": [(name, count, tally.rules_differ[name], why.get(name, "")) for name, count in tally.rules.items()],
        "rows": [(name, [(row, tally.rows[name, row]) for row in rows]) for name, rows in ROWS.items()],
        "maps": list(_maps(tally)),
        "caps": sorted({**tally.header.get("caps", {}), **tally.header.get("capsf", {})}.items()),
    }


def _compared(name: str, tally: Tally) -> str:
    if name != "printed":
        return _COMPARED[name]
    hidden = " and ".join(NOT_SHOWN)
    how = f"{hidden} by create infos" if tally.infos else f"not {hidden}"
    return f"{_COMPARED[name]} ({how})"


def infos_text(tally: Tally) -> str:
    """One line on the compared create infos; empty for a driver that is not on Vulkan."""
    if not driver_named(tally.driver).on_vulkan:
        return ""
    if not tally.infos:
        return "not compared: no capture layer (Debian, Ubuntu: apt-get install gfxreconstruct)"
    device = "the device's own facts" if tally.header.get("vulkan") else "facts of lavapipe (the device reports none)"
    return f"{tally.infos:,} of vkCreateSampler compared, member by member; {device}"


def _members(tally: Tally) -> Any:
    for name in FIELD_NAMES:
        hidden = tally.infos if name in CHECKED_BY_INFOS else 0
        compared = tally.compared["record"] + (hidden if name in NOT_SHOWN else tally.compared["printed"])
        yield name, compared, tally.members_differ[name] + tally.members_differ[f"{name}{_PRINTED}"]
    for name, count in tally.members_differ.items():
        if name.removesuffix(_PRINTED) not in FIELD_NAMES:
            yield name, tally.infos if "VkSampler" in name else "", count


def _maps(tally: Tally) -> Any:
    """For every kind of format: the filters that occurred, and a line of cells for every wrap."""
    for kind in sorted({kind for _, _, kind in tally.cells}):
        filters = sorted({name for _, name, of in tally.cells if of == kind})
        yield kind, filters, [(w.name, [_cell(tally, (w.name, name, kind)) for name in filters]) for w in TexWrap]


def _cell(tally: Tally, key: tuple[str, str, str]) -> tuple[int, str]:
    """Return how many cases a cell has, and its colour."""
    count, differ = tally.cells[key], tally.cells_differ[key]
    return count, f"rgba(198, 40, 40, {0.2 + 0.6 * differ / count:.2f})" if differ else "rgba(46, 125, 50, 0.35)"
