"""The page of an `Inspection`: one HTML file that needs no network: findings, frames, states with their pictures.

Needs the extras ``report`` (jinja2, Pillow) and ``batch`` (NumPy). See docs/inspect.md.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.findings.devices import looks_right, outcome_on, result_on
from statetracker.findings.lookups import FRAME_COUNTS
from statetracker.findings.rules import SEVERITIES, by_rule
from statetracker.pages import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.findings.inspector import Inspection

#: States with a picture; the others are only named.
_PICTURES: Final = 60
_SIZE: Final = 96
_BARS: Final = 240
_COLOURS: Final = {"creates": "#1f77b4", "binds": "#2ca02c", "errors": "#c62828", "vain": "#e69100", "draws": "#7e57c2"}


def as_page(made: Inspection, device: Screen | None = None, lines: Sequence[str] = ()) -> str:
    """Return the page's HTML.

    Args:
        made: What `inspect` gave.
        device: Say of each state what becomes of it there.
        lines: Sentences for the top, such as ``str(everywhere(made.uses, made.faults))``.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    from statetracker.frontend.explained import preview_of
    from statetracker.reference.picture import png, titled

    outcomes = [] if device is None else [outcome_on(use, device) for use in made.uses]
    results = [result_on(use, device or made.screen) for use in made.uses[:_PICTURES]]
    pictures = [png(titled(preview_of(result, size=_SIZE))["asked for"]) for result in results]
    values = {
        "title": Path(made.path).name,
        "made": made,
        "device": device and device.name,
        "right": looks_right(made, outcomes),
        "lines": lines,
        "means": SEVERITIES,
        "by_rule": by_rule,
        "timeline": _timeline(made),
        "states": list(zip_longest(made.uses, outcomes, pictures)),
    }
    return filled(Path(__file__).parent / "page.html.j2", "the page", values)


def _timeline(made: Inspection) -> list[tuple[str, str, int, list[tuple[float, float, float]]]]:
    """Return a row a count that is ever above 0: words, colour, the most in a frame, bars (left, height, width)."""
    step = max(1, -(-len(made.frames) // _BARS))
    rows = []
    for name, words in FRAME_COUNTS.items():
        values = [max(frame[name] for frame in made.frames[n : n + step]) for n in range(0, len(made.frames), step)]
        most = max(values, default=0)
        if most:
            bars = [(n / len(values), value / most, 1 / len(values)) for n, value in enumerate(values) if value]
            rows.append((words, _COLOURS[name], most, bars))
    return rows
