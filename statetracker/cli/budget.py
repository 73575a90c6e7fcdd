"""``statetracker budget``: how many samplers a program needs, and what to change so that they fit."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.descriptions import screen_named
from statetracker.cli.output import EXIT_DIFFERS, EXIT_FINE, ending_of, json_line, print_wrapped, table, write_file
from statetracker.replay.budgets import QUANTA, plan
from statetracker.replay.dumps import counted
from statetracker.replay.runs import read_run
from statetracker.vulkan.device import facts_of, limit_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps import Screen
    from statetracker.replay.budgets import MergePlan, Played

#: Where neither a limit nor a Vulkan device is given: the least that Vulkan allows a device.
_LEAST: Final = 4000
_COLUMNS: Final = ("peak live", "creates a frame", "most in a frame", "made again", "hit rate", "lost")
_SIZE: Final = (900, 260)


def budget_file(
    file: str, *, screen: str | None, dialect: str | None, limit: int | None, chart: str | None, as_json: bool
) -> int:
    """Plan for a file; gives `EXIT_DIFFERS` where no change of the policy fits. Raises `StateTrackerError`."""
    if chart is not None:
        ending_of("--chart", chart, ".html")
    run = read_run(file, screen=None if screen is None else screen_named(screen), dialect=dialect)
    most, colours = _limits(run.screen)
    made = plan(run, most if limit is None else limit)
    if chart is not None:
        write_file(chart, chart_of(made).encode())
    if as_json:
        json_line(_plain(made, colours))
    else:
        _show(made, colours)
    return EXIT_FINE if made.advice.fits(made.limit) else EXIT_DIFFERS


def _limits(screen: Screen) -> tuple[int, int | None]:
    """Return the most samplers of a screen's device, and custom border colours; None: not a Vulkan device."""
    if screen.vulkan is None:
        return _LEAST, None
    facts = facts_of(screen)
    samplers, colours = (
        int(limit_of(facts, f"max{name}")) for name in ("SamplerAllocationCount", "CustomBorderColorSamplers")
    )
    return samplers or _LEAST, colours


def _plain(made: MergePlan, colours: int | None) -> dict[str, object]:
    return {
        "file": made.run.path,
        "screen": made.run.screen.name,
        "limit": made.limit,
        "distinct": made.distinct._asdict(),
        "border_color_limit": colours,
        "live": [frame.live for frame in made.quanta[0].frames],
        "quanta": [{"lod_quantum": quantum, **row.to_dict()} for quantum, row in zip(QUANTA, made.quanta, strict=True)],
        "caches": [row.to_dict() for row in made.caches],
        "advice": {**made.advice.to_dict(), "fits": made.advice.fits(made.limit), "text": str(made)},
    }


def _show(made: MergePlan, colours: int | None) -> None:
    run, counts = made.run, made.distinct
    allowed = "" if colours is None else f" of {colours:,}"
    print_wrapped(
        f"{Path(run.path).name}: {counted(len(run.frames), 'frame')}, on {run.screen.name}\n"
        f"different samplers: {counts.records:,} as asked for, {counts.canonical:,} in canonical form,"
        f" {counts.infos:,} create infos, {counts.content:,} by content;"
        f" with a custom border colour {counts.colours:,}{allowed}"
    )
    print()
    shown = [
        ("off" if quantum is None else f"{quantum:g}", row) for quantum, row in zip(QUANTA, made.quanta, strict=True)
    ]
    _table("without a limit", "lod_quantum", shown)
    _table("with eviction", "cache", [(f"{row.eviction}, {row.policy.max_states:,}", row) for row in made.caches])
    print_wrapped(str(made))


def _table(title: str, name: str, rows: Iterable[tuple[str, Played]]) -> None:
    cells = [
        (label, f"{row.peak:,}", f"{row.creates / len(row.frames):.4g}", f"{row.hitch:,}", f"{row.again:,}",
         f"{row.hit_rate:.1%}", row.loss)
        for label, row in rows
    ]  # fmt: skip
    table(title, (name, *_COLUMNS), cells, right=_COLUMNS[:-1])
    print()


def chart_of(made: MergePlan) -> str:
    """Draw the live states over the frames, without a limit and as advised, as a page of HTML."""
    rows = (("#b33", "as it is", made.quanta[0]), ("#173", repr(made.advice.policy), made.advice))
    width, height = _SIZE
    top = max(made.limit if made.limit < 4 * made.quanta[0].peak else 0, *(row.peak for _, _, row in rows), 1)
    lines = []
    for colour, _, row in rows:
        step = width / max(len(row.frames) - 1, 1)
        live = [height - frame.live * height / top for frame in row.frames]
        points = " ".join(f"{n * step:.1f},{y:.1f}" for n, y in enumerate(live * 2 if len(live) == 1 else live))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    if made.limit <= top:
        y = f"{height - made.limit * height / top:.1f}"
        lines.append(f'<line x1="0" x2="{width}" y1="{y}" y2="{y}" stroke="#888" stroke-dasharray="6"/>')
    item = '<li style="color:{}">{}: at most {:,}</li>'
    named = "".join(item.format(colour, escape(name), row.peak) for colour, name, row in rows)
    title = f"{escape(Path(made.run.path).name)}: live samplers in {counted(len(made.run.frames), 'frame')}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<body style="font:15px sans-serif">'
        f"<h1>{title}</h1><ul>{named}<li>limit: {made.limit:,}</li></ul>"
        f'<svg viewBox="-10 -10 {width + 20} {height + 20}" width="100%">{"".join(lines)}</svg>'
        f"<p>{escape(str(made))}</p></body></html>\n"
    )
