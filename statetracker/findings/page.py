"""The page of an `Inspection`: one HTML file that needs no network: findings, frames, states with their pictures.

Needs the extras ``report`` (jinja2, Pillow) and ``batch`` (NumPy). See docs/inspect.md.
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.findings.devices import outcome_on, result_on
from statetracker.findings.inspector import FRAME_COUNTS
from statetracker.findings.rules import RULES, SEVERITIES
from statetracker.pages import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.caps import Screen
    from statetracker.findings.inspector import Inspection
    from statetracker.findings.lookups import Use

#: States with a picture; the others are only named.
_PICTURES: Final = 60
#: Findings of a rule that the page shows.
_SHOWN: Final = 50
_SIZE: Final = 96
_BARS: Final = 240
_COLOURS: Final = {"creates": "#1f77b4", "binds": "#2ca02c", "errors": "#c62828", "vain": "#e69100", "draws": "#7e57c2"}


def as_page(made: Inspection, device: Screen | None = None, lines: Sequence[str] = ()) -> str:
    """Return the page's HTML.

    Args:
        made: What `inspect` gave.
        device: Say of each state what becomes of it there.
        lines: Sentences for the top, such as ``str(everywhere(made.uses))``.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    found = [
        (kind, means, [(RULES[rule], rows[:_SHOWN], len(rows) - _SHOWN) for rule, rows in _by_rule(made, kind).items()])
        for kind, means in SEVERITIES.items()
    ]
    values = {
        "title": Path(made.path).name,
        "made": made,
        "device": device and device.name,
        "lines": lines,
        "counts": {kind: len(rows) for kind, rows in made.severities.items()},
        "found": found,
        "timeline": _timeline(made),
        "states": [_state(use, made, device, picture=n < _PICTURES) for n, use in enumerate(made.uses)],
    }
    return filled(Path(__file__).parent / "page.html.j2", "the page", values)


def _by_rule(made: Inspection, kind: str) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = {}
    for one in made.severities[kind]:
        rows.setdefault(one.rule, []).append(one)
    return rows


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


def _state(use: Use, made: Inspection, device: Screen | None, *, picture: bool) -> dict[str, Any]:
    units, named = ", ".join(map(str, use.units)), list(use.textures)
    textures = ", ".join(named[:4]) + f" and {len(named) - 4} more" * (len(named) > 4)
    return {
        "what": str(use),
        "users": f"{', '.join(use.stages)} stage, unit {units}, {textures}",
        "draws": use.draws,
        "call": use.call,
        "became": str(outcome_on(use, device)) if device is not None else "",
        "picture": _picture(use, device or made.screen) if picture else "",
    }


def _picture(use: Use, screen: Screen) -> str:
    from statetracker.frontend.explained import preview_of
    from statetracker.reference.picture import titled

    image = next(iter(titled(preview_of(result_on(use, screen), size=_SIZE)).values()))
    data = BytesIO()
    image.save(data, "PNG", optimize=True)
    return b64encode(data.getvalue()).decode()
