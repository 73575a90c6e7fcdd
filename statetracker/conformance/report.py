"""The report of live runs: one HTML file that needs no network and can be read on a phone.

Needs the extra ``report`` (jinja2).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.conformance.drivers import driver as driver_named
from statetracker.conformance.judge import NOT_SHOWN
from statetracker.conformance.tally import ROWS
from statetracker.pages import filled
from statetracker.pipe import TexWrap
from statetracker.pipe.state import FIELD_NAMES
from statetracker.replay.comparison import CHECKED_BY_INFOS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.conformance.tally import Tally


def render(tallies: Sequence[Tally], *, seed: int) -> str:
    """Return the report's HTML for some runs; raises `MissingExtra` without jinja2."""
    values = {"runs": [_run(tally) for tally in tallies], "seed": seed}
    return filled(Path(__file__).parent / "report.html.j2", "the report", values)


def _run(tally: Tally) -> dict[str, Any]:
    fine = not tally.differ and not tally.failures
    return {
        "tally": tally,
        "fine": fine,
        "verdict": "agrees" if fine else f"{tally.differ} differ, {len(tally.failures)} lost",
        "share": f"{tally.agree / tally.cases:.3%}" if tally.cases else "no case",
        "compared": [(_compared(name, tally), count) for name, count in sorted(tally.compared.items())],
        "infos": infos_text(tally),
        "shapes": sorted(tally.info_shapes.items()),
        "by_infos": CHECKED_BY_INFOS if tally.infos else (),
        "members": list(_members(tally)),
        "rules": list(_rules(tally)),
        "rows": [(name, [(row, tally.rows[name, row]) for row in rows]) for name, rows in ROWS.items()],
        "maps": list(_maps(tally)),
        "caps": sorted({**tally.header.get("caps", {}), **tally.header.get("capsf", {})}.items()),
    }


_COMPARED: Final = {
    "record": "with all 36 bytes",
    "printed": "with what the trace prints",
    "errors": "with the GL errors only (nothing was bound, or the driver refused the case)",
}

#: How the trace calls a member that it prints as floats.
_PRINTED: Final = ".f"


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


def _rules(tally: Tally) -> Any:
    why = tally.rules_not_hit()
    for name, count in tally.rules.items():
        yield name, count, tally.rules_differ[name], why.get(name, "")


def _maps(tally: Tally) -> Any:
    """For every kind of format: the filters that occurred, and a line of cells for every wrap."""
    for kind in sorted({kind for _, _, kind in tally.cells}):
        filters = sorted({name for _, name, of in tally.cells if of == kind})
        lines = []
        for wrap in TexWrap:
            keys = [(wrap.name, name, kind) for name in filters]
            lines.append(
                (wrap.name, [(tally.cells[key], _colour(tally.cells[key], tally.cells_differ[key])) for key in keys])
            )
        yield kind, filters, lines


def _colour(count: int, differ: int) -> str:
    if not differ:
        return "rgba(46, 125, 50, 0.35)"
    return f"rgba(198, 40, 40, {0.2 + 0.6 * differ / count:.2f})"
