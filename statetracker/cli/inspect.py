"""``statetracker inspect``: what a recorded program asks of textures, what is wrong with it, where it breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.descriptions import screen_named
from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    ending_of,
    error,
    info,
    json_line,
    print_wrapped,
    table,
    write_file,
)
from statetracker.errors import ArgumentError
from statetracker.findings import inspect
from statetracker.findings.devices import everywhere, needs, outcome_on
from statetracker.replay.dumps import counted

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.findings import Inspection
    from statetracker.survey import Outcome

_SHOWN = 15  # states in the table
_NO_LIMIT = 1 << 31  # what drivers say that have none


def inspect_file(
    file: str, *, screen: str | None, webgpu: bool, all_devices: bool, profile: str | None, html: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Inspect a dump; `EXIT_DIFFERS` where something is wrong or undefined. Raises `StateTrackerError`."""
    if html is not None:
        ending_of("--html", html, ".html")
    if webgpu and screen is not None:
        raise ArgumentError("--webgpu", screen, accepted="either --webgpu or a screen or a device")
    device = screen_named("webgpu" if screen is None else screen) if webgpu or screen is not None else None
    made = inspect(file, profile=profile or "")
    outcomes = [] if device is None else [outcome_on(use, device) for use in made.uses]
    lines, data = _elsewhere(made, device, outcomes, all_devices=all_devices)
    if html is not None:
        from statetracker.findings.page import as_page

        write_file(html, as_page(made, device, lines).encode())
    if as_json:
        json_line({**made.to_dict(), **data})
    elif made.calls:
        _show(made, device, outcomes, lines)
    for line in made.summary[1:]:
        info(f"{Path(file).name}: {line}")
    for problem in made.problems[:10]:
        error(problem)
    if made.problems:
        return EXIT_FAILED
    return EXIT_FINE if made.right else EXIT_DIFFERS


def _elsewhere(
    made: Inspection, device: Screen | None, outcomes: list[Outcome], *, all_devices: bool
) -> tuple[list[str], dict[str, object]]:
    """Return sentences and data on a device, where the states have these outcomes, and on all devices."""
    lines: list[str] = []
    data: dict[str, object] = {}
    if device is not None:
        wanted = needs(made.uses, device)
        data["on"] = {"device": device.name, "outcomes": [one.to_dict() for one in outcomes], "needs": wanted}
        lines += [
            f"The program needs {need:,} {what}; {device.name} has {f'{has:,}' if has < _NO_LIMIT else 'no limit'}."
            for what, (need, has) in wanted.items()
            if need
        ]
    if all_devices and made.uses:
        found = everywhere(made.uses)
        data["everywhere"] = found.to_dict()
        lines.append(str(found))
    black = len({one.subject for one in made.findings if one.rule == "incomplete"})
    if black and (all_devices or device is not None):
        lines.append(
            f"Not counted: {counted(black, 'texture')} sampled while incomplete, which is black on every device."
        )
    return lines, data


def _show(made: Inspection, device: Screen | None, outcomes: list[Outcome], lines: list[str]) -> None:
    print_wrapped(str(made))
    if device is not None:
        rows = sorted(zip(made.uses, outcomes, strict=True), key=lambda row: -row[1].rank)
        cells = [(str(use), f"{use.draws:,}", str(became)) for use, became in rows[:_SHOWN]]
        print()
        table(f"on {device.name}", ("what is sampled", "draws", "what becomes of it"), cells, right=("draws",))
        if len(rows) > _SHOWN:
            print(f"and {len(rows) - _SHOWN} more: --json has all")
    for line in lines:
        print_wrapped(f"\n{line}")
