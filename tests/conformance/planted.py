"""A program that plants one fault in a rule table and lets a live run find it: what it saw, as JSON.

``python planted.py DRIVER TABLE KEY VALUE``: key and value are Python literals; text that begins so is a GL name, and a
value that is a dict changes some columns of a row.
The table is changed before anything reads it, which is why this is a process of its own.
"""

from __future__ import annotations

import json
import sys
from ast import literal_eval
from importlib import import_module
from typing import Any

from statetracker.conformance.shrink import FRAME
from statetracker.gl.names import glenum

TABLES = "statetracker.sampler.tables"
#: Tables that stand elsewhere.
ELSEWHERE = {"WRAPS": "statetracker.pipe.wraps"}


def main() -> None:
    """Plant, run until a mismatch shows, shrink, print."""
    driver, table, key, value = sys.argv[1:]
    rows: dict[Any, Any] = getattr(import_module(ELSEWHERE.get(table, TABLES)), table)
    place = literal_eval(key)
    place = glenum(place) if isinstance(place, str) and place.startswith("GL_") else place
    assert place in rows
    planted = literal_eval(value)
    rows[place] = rows[place]._replace(**planted) if isinstance(planted, dict) else planted
    report(driver, 3000)


def extra_calls(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of a case beside its frame."""
    return [call for call in case["calls"] if not call["fn"].startswith(FRAME)]


def report(driver: str, count: int) -> None:
    """Run until a mismatch shows, and print what it is."""
    from statetracker.conformance.run import conform

    tally = conform(driver, count=count, seed=5, stop_after=1)
    shown = [
        {
            "what": sorted({part.what for part in one.differences}),
            "extra": [call["fn"] for call in extra_calls(one.shrunk)],
            "test": one.test,
        }
        for one in tally.mismatches
    ]
    sys.stdout.write(json.dumps({"cases": tally.cases, "differ": tally.differ, "shown": shown}))


if __name__ == "__main__":
    main()
