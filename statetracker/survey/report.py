"""`portability`: one state on all 7,003 rows of the device corpus, what would make it portable, and a page of that.

See docs/portability.md.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.devices import corpus
from statetracker.errors import ArgumentError
from statetracker.frontend import convert
from statetracker.gl import Sampler, Texture
from statetracker.pages import filled
from statetracker.survey.changes import Change, cheapest
from statetracker.survey.outcomes import KINDS, Outcome, Outcomes, any_screen, device_classes, reports_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps.devices import DeviceRow
    from statetracker.gl.facts import TextureFacts

#: Vendor ids of the corpus -> names. Source: the PCI ID repository; VkVendorId.
VENDORS: Final = {
    0x1002: "AMD",
    0x1010: "Imagination",
    0x106B: "Apple",
    0x10DE: "NVIDIA",
    0x13B5: "Arm",
    0x1414: "Microsoft",
    0x144D: "Samsung",
    0x14E4: "Broadcom",
    0x19E5: "Huawei",
    0x1AE0: "Google",
    0x1ED5: "Moore Threads",
    0x5143: "Qualcomm",
    0x8086: "Intel",
    0x10002: "VeriSilicon",
    0x10005: "Mesa (software)",
    0x4D4F4351: "Qualcomm",  # by ACPI, below Direct3D 12
}

_AIMS: Final = {"native": 0, "exact": 1}  # the worst rank of an outcome that meets each
_SHOWN: Final = 12  # vendors and groups in text


class Share(NamedTuple):
    """A share of all: capability vectors, rows of devices, public reports."""

    vectors: int
    devices: int
    reports: int

    @classmethod
    def of(cls, rows: tuple[DeviceRow, ...]) -> Share:
        """Count rows."""
        return cls(len({row.vector for row in rows}), len(rows), reports_of(rows))


class Group(NamedTuple):
    """The devices on which the same becomes of the state.

    Attributes:
        outcome: What becomes of it.
        rows: The devices.
    """

    outcome: Outcome
    rows: tuple[DeviceRow, ...]

    @property
    def share(self) -> Share:
        """Their share of all."""
        return Share.of(self.rows)


class Portability(NamedTuple):
    """The outcomes of one state on every device of the corpus.

    Attributes:
        groups: Best outcome first, and of one kind the one with most reports.
        native: The cheapest change that makes it native on most devices; None where it is already, or none does.
        exact: The same, for native or exact with the shader's help.
        classes: How many classes of devices the rules can distinguish.
        lacking: The format that some devices cannot sample, which no sampler can change; empty where all can.
        searched: Whether changes were looked for.
    """

    groups: tuple[Group, ...]
    native: Change | None
    exact: Change | None
    classes: int
    lacking: str = ""
    searched: bool = True

    @property
    def kinds(self) -> dict[str, Share]:
        """Every kind of outcome, best first -> how many have it."""
        rows: dict[str, list[DeviceRow]] = {kind: [] for kind in KINDS}
        for group in self.groups:
            rows[group.outcome.kind] += group.rows
        return {kind: Share.of(tuple(these)) for kind, these in rows.items()}

    @property
    def vendors(self) -> dict[str, dict[str, int]]:
        """Vendor, most reports first -> kind -> reports."""
        counted: dict[str, dict[str, int]] = {}
        for group in self.groups:
            for row in group.rows:
                counts = counted.setdefault(vendor_name(row.vendor_id), dict.fromkeys(KINDS, 0))
                counts[group.outcome.kind] += row.reports
        return dict(sorted(counted.items(), key=lambda one: -sum(one[1].values())))

    @property
    def best(self) -> Group:
        """The class in which least is missing; of several, the one with the most reports."""
        return self.groups[0]

    @property
    def worst(self) -> Group:
        """The class in which most is missing."""
        return self.groups[-1]

    def of(self, name: str) -> list[tuple[DeviceRow, Outcome]]:
        """Return rows that a device's name (or part of it, ids, ``#REPORT``) fits, and the state's outcome there."""
        from statetracker.caps.devices import searching

        where = {row: group.outcome for group in self.groups for row in group.rows}
        return [(row, where[row]) for row in searching(name)]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, but for floats that are no numbers."""
        return {
            "all": Share.of(corpus())._asdict(),
            "kinds": {kind: share._asdict() for kind, share in self.kinds.items()},
            "vendors": self.vendors,
            "lacking": self.lacking,
            "native": self.native and self.native.to_dict(),
            "exact": self.exact and self.exact.to_dict(),
            "groups": [
                group.outcome.to_dict() | group.share._asdict() | {"rows": [row.newest_report for row in group.rows]}
                for group in self.groups
            ],
        }

    def __str__(self) -> str:
        """Shares, vendors, groups, changes: a page of text."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        whole = Share.of(corpus())
        yield f"{'':13}{'vectors':>9}{'devices':>9}{'reports':>9}"
        for kind, share in (*self.kinds.items(), ("all", whole)):
            counts = "".join(f"{count:9,}" for count in share)
            yield f"{kind:13}{counts} {share.reports / whole.reports:7.2%}"
        yield ""
        for group in self.groups[:_SHOWN]:
            yield f"{group.share.reports / whole.reports:7.2%}  {group.outcome}"
            yield f"{'':9}{', '.join(names_of(group.rows))}"
        if len(self.groups) > _SHOWN:
            yield f"{'':9}{len(self.groups) - _SHOWN} more outcomes: --json has all"
        yield from ("", *self.advice) if self.advice else ()

    @property
    def advice(self) -> list[str]:
        """A sentence on native, and one on exact: the cheapest change, and what it leaves; empty without a search."""
        return [self._advice(aim) for aim in _AIMS] if self.searched else []

    def _advice(self, aim: str) -> str:
        word = "native" if aim == "native" else "exact, by the sampler or with the shader's help,"
        every = f"wherever {self.lacking} can be sampled" if self.lacking else "everywhere"
        if all(group.outcome.rank <= _AIMS[aim] or not group.outcome.samples for group in self.groups):
            return f"It is {word} {every}."
        change: Change | None = getattr(self, aim)
        if change is None:
            return f"No change of one or two members makes it {word} on more devices."
        but = f", but for {change.missed:,} of {reports_of(corpus()):,} reports," if change.missed else ""
        return f"It is {word} {every}{but} with {change}."


def portability(
    sampler: Sampler | None,
    texture: Texture | TextureFacts,
    *,
    dialect: str = "mesa22",
    unit_lod_bias: float = 0.0,
    seamless: bool = False,
    glsl130: bool = True,
    bindless: bool = False,
    changes: bool = True,
) -> Portability:
    """Convert a state natively for every device of the corpus, and sort the outcomes.

    Devices of which a conversion reads the same share it. Old reports count like new ones, and one made before
    an extension existed cannot list it. ``changes``: look for the cheapest change, too. The other arguments, and what
    is raised, are as in `statetracker.convert`.
    """
    if isinstance(texture, Texture):
        sampler, texture = texture.sampler if sampler is None else sampler, texture.facts()
    if not isinstance(sampler, Sampler):
        raise ArgumentError("sampler", sampler, accepted="a Sampler, or None with a Texture that has its own")
    options: dict[str, Any] = {"dialect": dialect, "unit_lod_bias": unit_lod_bias, "seamless": seamless}
    options |= {"glsl130": glsl130, "bindless": bindless}
    facts = texture
    first = convert(sampler, facts, any_screen(), **options)
    classes = device_classes(first.view)
    reports = [reports_of(one.rows) for one in classes] if changes else []
    become = Outcomes([one.screen for one in classes], first.view, facts, options).of
    outcomes: dict[Outcome, list[DeviceRow]] = {}
    ranks = {}
    for number, one in enumerate(classes):
        seen = become(number, sampler)
        if seen.samples:
            ranks[number] = seen.rank
        outcomes.setdefault(seen, []).extend(one.rows)
    order = sorted(ranks, key=lambda number: -ranks[number])  # where it is likely to fail comes first
    lacking = first.view.format if any(not seen.samples for seen in outcomes) else ""

    def missing(aim: str) -> Change | None:
        def missed(changed: Sampler, stop: int) -> int:
            count = 0
            for number in order:
                if count >= stop:
                    break
                count += reports[number] * (become(number, changed).rank > _AIMS[aim])
            return count

        return cheapest(sampler, missed, aim=aim, integer=facts.is_integer) if changes else None

    groups = [Group(seen, tuple(rows)) for seen, rows in outcomes.items()]
    groups.sort(key=lambda group: (group.outcome.rank, len(group.outcome.work), -reports_of(group.rows)))
    return Portability(tuple(groups), missing("native"), missing("exact"), len(classes), lacking, changes)


def names_of(rows: tuple[DeviceRow, ...], most: int = 3) -> list[str]:
    """Return the names with most reports among rows."""
    counts = Counter[str]()
    for row in rows:
        counts[row.name] += row.reports
    return [name for name, _ in counts.most_common(most)]


def vendor_name(number: int) -> str:
    """Return a vendor's name, or its id in hexadecimal."""
    return VENDORS.get(number, f"{number:#x}")


def as_page(answer: Portability, *, title: str, state: str) -> str:
    """Return one HTML file that needs no network, with a chart and a filter.

    Args:
        answer: What `portability` gave.
        title: Names the state.
        state: The state in words.

    Raises:
        MissingExtra: The extra ``report`` (jinja2) is not installed.
    """
    values = {
        "title": title,
        "state": state,
        "meanings": KINDS,
        "kinds": answer.kinds,
        "whole": sum(share.reports for share in answer.kinds.values()),
        "groups": [(group, group.share, ", ".join(names_of(group.rows))) for group in answer.groups],
        "advice": answer.advice,
        "vendors": list(answer.vendors),
        "data": _page_data(answer),
    }
    return filled(Path(__file__).parent / "page.html.j2", "the page", values)


def _page_data(answer: Portability) -> dict[str, object]:
    """Return what the script shows: the kinds, and a row of texts and numbers for each row of the corpus."""
    vendors = {name: number for number, name in enumerate(answer.vendors)}
    rows = [
        [row.name or "(no name)", vendors[vendor_name(row.vendor_id)], number, row.reports, row.newest_report,
         ", ".join(row.drivers)]
        for number, group in enumerate(answer.groups)
        for row in sorted(group.rows, key=lambda row: -reports_of((row,)))
    ]  # fmt: skip
    groups = [[group.outcome.rank, str(group.outcome)] for group in answer.groups]
    return {"kinds": list(KINDS), "vendors": list(vendors), "groups": groups, "rows": rows}
