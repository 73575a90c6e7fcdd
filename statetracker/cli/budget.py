"""``budget``: how many samplers a program needs, and what to change where that is too many."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.descriptions import screen_named
from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    ending_of,
    error,
    json_line,
    print_wrapped,
    table,
    write_file,
)
from statetracker.errors import ArgumentError, RecordingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps import Screen
    from statetracker.replay.budgets import MergePlan, Played

#: Where neither a limit nor a Vulkan device is given: the least that Vulkan allows a device.
_LEAST: Final = 4000
_COLUMNS: Final = ("peak live", "creates a frame", "most in a frame", "made again", "hit rate", "lost")
_SIZE: Final = (900, 260)
#: Stages in the table of WebGPU.
_SHOWN: Final = 12


def budget_file(
    file: str, *, screen: str | None, webgpu: bool, dialect: str | None, limit: int | None, chart: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Plan for a file; gives `EXIT_DIFFERS` where no change of the policy fits. Raises `StateTrackerError`."""
    from statetracker.replay.budgets import plan
    from statetracker.replay.runs import read_run

    if webgpu:
        if screen is not None or chart is not None:
            raise ArgumentError("--webgpu", chart or screen, accepted="--webgpu without a screen, a device or a chart")
        return _stages(file, dialect, limit, as_json=as_json)
    if chart is not None:
        ending_of("--chart", chart, ".html")
    run = read_run(file, screen=None if screen is None else screen_named(screen), dialect=dialect)
    most, colours = _limits(run.screen)
    made = plan(run, most if limit is None else limit)
    if chart is not None:
        write_file(chart, chart_of(made).encode())
    if as_json:
        json_line(_plan_data(made, colours))
    else:
        _show_plan(made, colours)
    return EXIT_FINE if made.advice.fits(made.limit) else EXIT_DIFFERS


def _stages(file: str, dialect: str | None, limit: int | None, *, as_json: bool) -> int:
    """Plan for the stages of a dump's draws on WebGPU; gives `EXIT_DIFFERS` where one keeps too many samplers."""
    from statetracker.findings import inspect
    from statetracker.findings.devices import MOST, STEPS, plans
    from statetracker.replay.dumps import counted
    from statetracker.trace.recording_file import kind_of

    if (kind := kind_of(file)) != "dump":
        raise RecordingError(file, None, f"of kind {kind!r}; --webgpu needs an apitrace dump, which has textures")
    run, most = inspect(file, dialect=dialect or "mesa22"), MOST if limit is None else limit
    made = plans(run.stages, most)
    over = sum(not one.plan.fits for one in made)
    if as_json:
        json_line({"file": file, "limit": most, "fits": not over, "stages": [one.to_dict() for one in made]})
    else:
        numbers = ("first call", "draws", "textures", *STEPS, "planned", "taps added")
        cells = [(one.use.stage, *map("{:,}".format, one.counts)) for one in made[:_SHOWN]]
        table("samplers of each stage that differs", ("stage", *numbers), cells, right=numbers)
        for one in made[:_SHOWN]:
            for why in one.left_over:
                print_wrapped(f"{one.use.stage} stage at call {one.use.call}: {why}")
        print_wrapped(f"{over} of {counted(len(made), 'stage')} with more than {most} samplers")
    for problem in run.problems[:10]:
        error(problem)
    return EXIT_FAILED if run.problems else EXIT_DIFFERS if over else EXIT_FINE


def _limits(screen: Screen) -> tuple[int, int | None]:
    """Return the most samplers of a screen's device, and custom border colours; None: not a Vulkan device."""
    if screen.vulkan is None:
        return _LEAST, None
    from statetracker.vulkan.device import facts_of, limit_of

    facts = facts_of(screen)
    samplers, colours = (
        int(limit_of(facts, f"max{name}")) for name in ("SamplerAllocationCount", "CustomBorderColorSamplers")
    )
    return samplers or _LEAST, colours


def _plan_data(made: MergePlan, colours: int | None) -> dict[str, object]:
    return {
        "file": made.run.path,
        "screen": made.run.screen.name,
        "limit": made.limit,
        "distinct": made.distinct._asdict(),
        "border_color_limit": colours,
        "live": [frame.live for frame in made.quanta[0].frames],
        "quanta": [{"lod_quantum": row.policy.lod_quantum, **row.to_dict()} for row in made.quanta],
        "caches": [row.to_dict() for row in made.caches],
        "advice": {**made.advice.to_dict(), "fits": made.advice.fits(made.limit), "text": str(made)},
    }


def _show_plan(made: MergePlan, colours: int | None) -> None:
    from statetracker.replay.dumps import counted

    run, counts = made.run, made.distinct
    allowed = "" if colours is None else f" of {colours:,}"
    print_wrapped(
        f"{Path(run.path).name}: {counted(len(run.frames), 'frame')}, on {run.screen.name}\n"
        f"different samplers: {counts.records:,} as asked for, {counts.canonical:,} in canonical form,"
        f" {counts.infos:,} create infos, {counts.content:,} by content;"
        f" with a custom border colour {counts.colours:,}{allowed}"
    )
    print()
    quanta = [row.policy.lod_quantum for row in made.quanta]
    words = ["off" if quantum is None else f"{quantum:g}" for quantum in quanta]
    _table("without a limit", "lod_quantum", zip(words, made.quanta, strict=True))
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
    from statetracker.replay.dumps import counted

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
