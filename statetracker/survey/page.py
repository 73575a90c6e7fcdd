"""The page of a `Portability`: one HTML file that needs no network, with a chart and a filter.

Needs the extra ``report`` (jinja2). See docs/portability.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.pages import filled
from statetracker.survey.classes import reports_of
from statetracker.survey.outcomes import KINDS
from statetracker.survey.report import names_of, vendor_name

if TYPE_CHECKING:
    from statetracker.survey.report import Portability


def as_page(answer: Portability, *, title: str, state: str) -> str:
    """Return the page's HTML; ``title`` names the state, ``state`` is the state in words.

    answer  what `portability` gave

    Raises `MissingExtra`.
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
        "data": _data(answer),
    }
    return filled(Path(__file__).parent / "page.html.j2", "the page", values)


def _data(answer: Portability) -> dict[str, object]:
    """What the script shows: the kinds, and a row of texts and numbers for each row of the corpus."""
    vendors = {name: number for number, name in enumerate(answer.vendors)}
    rows = [
        [row.name or "(no name)", vendors[vendor_name(row.vendor_id)], number, row.reports, row.newest_report,
         ", ".join(row.drivers)]
        for number, group in enumerate(answer.groups)
        for row in sorted(group.rows, key=lambda row: -reports_of((row,)))
    ]  # fmt: skip
    groups = [[group.outcome.rank, str(group.outcome)] for group in answer.groups]
    return {"kinds": list(KINDS), "vendors": list(vendors), "groups": groups, "rows": rows}
