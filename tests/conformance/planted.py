"""A program that plants one fault and lets a live run find it: what it saw, as JSON.

``python planted.py DRIVER TABLE KEY VALUE`` changes a row of a rule table: key and value are Python literals; text that
begins so is a GL name, and a value that is a dict changes some columns. ``python planted.py DRIVER MODULE OLD NEW``,
with a dot in the module's name, changes text that stands once in it. It is done before anything reads what is changed,
which is why this is a process of its own.
"""

from __future__ import annotations

import json
import sys
from ast import literal_eval
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

TABLES = "statetracker.sampler.tables"
#: Tables that stand elsewhere.
ELSEWHERE = {"WRAPS": "statetracker.pipe.wraps"}


def main() -> None:
    """Plant, run until a mismatch shows, shrink, print."""
    driver, place, old, new = sys.argv[1:]
    if "." in place:
        plant_text(f"statetracker.{place}", old, new)
        report(driver, 500)
    else:
        plant_row(place, literal_eval(old), literal_eval(new))
        report(driver, 3000)


def plant_row(table: str, key: Any, value: Any) -> None:
    """Change a row of a table."""
    from statetracker.gl.names import glenum

    rows: dict[Any, Any] = getattr(import_module(ELSEWHERE.get(table, TABLES)), table)
    key = glenum(key) if isinstance(key, str) and key.startswith("GL_") else key
    assert key in rows
    rows[key] = rows[key]._replace(**value) if isinstance(value, dict) else value


def plant_text(module: str, old: str, new: str) -> None:
    """Have a module compiled of changed text; the disk never sees it."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if fullname != module:
            return original(loader, fullname)
        text = Path(loader.path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {fullname}"
        return compile(text.replace(old, new), loader.path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def extra_calls(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of a case beside its frame."""
    from statetracker.conformance.shrink import FRAME

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
