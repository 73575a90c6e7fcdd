"""The page of a `Portability`: one HTML file that needs no network, with a chart and a filter.

Needs the extra ``report`` (jinja2). See docs/portability.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker.errors import MissingExtra
from statetracker.survey.classes import reports_of
from statetracker.survey.outcomes import KINDS
from statetracker.survey.report import names_of, vendor_name

if TYPE_CHECKING:
    from statetracker.survey.report import Portability

__all__ = ["as_page"]


def as_page(found: Portability, *, title: str, state: str) -> str:
    """Give the page's HTML; ``title`` names the state, ``state`` is the state in words.

    found   what `portability` gave

    Raises `MissingExtra`.
    """
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtra("the page", "jinja2", "report") from error
    template = (Path(__file__).parent / "page.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["thousands"] = lambda value: f"{value:,}"
    return environment.from_string(template).render(
        title=title,
        state=state,
        meanings=KINDS,
        kinds=found.kinds,
        whole=sum(share.reports for share in found.kinds.values()),
        groups=[(group, group.share, ", ".join(names_of(group.rows))) for group in found.groups],
        advice=found.advice,
        vendors=list(found.vendors),
        data=_embedded(found),
    )


def _embedded(found: Portability) -> Any:  # noqa: ANN401 (Markup, of a library that is loaded late)
    """What the script shows: the kinds, and a row of texts and numbers for each row of the corpus."""
    from markupsafe import Markup

    vendors = {name: number for number, name in enumerate(found.vendors)}
    rows = [
        [row.name or "(no name)", vendors[vendor_name(row.vendor_id)], number, row.reports, row.newest_report,
         ", ".join(row.drivers)]
        for number, group in enumerate(found.groups)
        for row in sorted(group.rows, key=lambda row: -reports_of((row,)))
    ]  # fmt: skip
    groups = [[group.outcome.rank, str(group.outcome)] for group in found.groups]
    data = {"kinds": list(KINDS), "vendors": list(vendors), "groups": groups, "rows": rows}
    return Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))  # noqa: S704 (no tag can be in it)
