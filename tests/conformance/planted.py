"""A program that plants one fault in a rule table and lets a live run find it: what was found, as JSON.

``python planted.py DRIVER TABLE KEY VALUE``: key and value are Python literals; text that begins so is a GL name.
The table is changed before anything reads it, which is why this is a process of its own.
"""

from __future__ import annotations

import json
import sys
from ast import literal_eval
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import statetracker
from statetracker.gl.names import number

if TYPE_CHECKING:
    from types import ModuleType

NAME = "statetracker.sampler.tables"


def main() -> None:
    """Plant, run until a mismatch shows, shrink, print."""
    driver, table, key, value = sys.argv[1:]
    rows: dict[Any, Any] = getattr(tables(), table)
    place = literal_eval(key)
    place = number(place) if isinstance(place, str) and place.startswith("GL_") else place
    assert place in rows
    rows[place] = literal_eval(value)

    from statetracker.conformance.run import conform
    from statetracker.conformance.shrink import extra_calls

    tally = conform(driver, count=3000, seed=5, stop_after=1)
    shown = [
        {
            "what": sorted({part.what for part in one.differences}),
            "extra": [call["fn"] for call in extra_calls(one.shrunk)],
            "test": one.test,
        }
        for one in tally.mismatches
    ]
    sys.stdout.write(json.dumps({"cases": tally.cases, "differ": tally.differ, "shown": shown}))


def tables() -> ModuleType:
    """Load the tables before the package that reads them: what is changed now is what the package finds."""
    path = Path(statetracker.__file__).parent / "sampler" / "tables.py"
    spec = spec_from_file_location(NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
