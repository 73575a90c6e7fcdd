"""Commands about a program: ``record`` its GL calls, ``inspect`` what it asks of textures, ``budget`` its samplers."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Final, cast

from statetracker.cli.descriptions import screen_named
from statetracker.cli.options import Given
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
    try_file,
    write_file,
)
from statetracker.errors import ArgumentError, LibraryMissing, RecordingError
from statetracker.files import file_errors, written_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.caps import Screen
    from statetracker.findings import Inspection
    from statetracker.replay.budgets import MergePlan, Played
    from statetracker.survey import Outcome

#: Seconds that a program gets to end after it was asked to.
_PATIENCE: Final = 10.0
_SHOWN = 15  # states in the table
_STAGES = 12  # stages in the table of WebGPU
_NO_LIMIT = 1 << 31  # what drivers say that have none
#: Where neither a limit nor a Vulkan device is given: the least that Vulkan allows a device.
_LEAST: Final = 4000
_COLUMNS: Final = ("peak live", "creates a frame", "most in a frame", "made again", "hit rate", "lost")
_SIZE: Final = (900, 260)


def record_program(given: Given) -> int:
    """Record a program until it ends, Ctrl-C, or some seconds; raises `StateTrackerError`."""
    name, *arguments = given.command
    tracer, program = shutil.which("apitrace"), shutil.which(name)
    if tracer is None:
        raise LibraryMissing("apitrace", tuple(os.get_exec_path()), package="apitrace")
    if program is None:
        raise ArgumentError("PROGRAM", name, accepted="a program on the PATH, or the path of one")
    place = given.output or f"{Path(program).name}.dump.txt.gz"
    try_file(place)
    with TemporaryDirectory(prefix="statetracker-record-") as folder:
        trace, pipe = Path(folder) / "gl.trace", Path(folder) / "mesa.xml"
        words = [tracer, "trace", *["--api=egl"] * given.egl, "-o", str(trace), program, *arguments]
        ended = _run(words, {**os.environ, "GALLIUM_TRACE": str(pipe)}, given.seconds)
        info(f"{Path(program).name}: {ended}")
        if not trace.exists():
            other = "without --egl" if given.egl else "with --egl, if it makes its context by EGL"
            error(f"{name} made no GL call that apitrace saw: try it {other}")
            return EXIT_FAILED
        dump = [tracer, "dump", "--color=never", "--multiline=no", "--thread-ids=yes", str(trace)]
        with subprocess.Popen(dump, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as printing:  # noqa: S603 (apitrace)
            _write(cast("IO[bytes]", printing.stdout), place)
        mesa = None
        if pipe.exists() and pipe.stat().st_size:  # Mesa was the driver: its own trace is kept beside the dump
            mesa = f"{place.removesuffix('.gz').removesuffix('.dump.txt')}.xml.gz"
            with pipe.open("rb") as source:
                _write(source, mesa)
    return _told(given, place, mesa)


def _run(words: list[str], environment: dict[str, str], seconds: float | None) -> str:
    """Run until the program ends, Ctrl-C, or the time is over; how it ended, in words."""
    process = subprocess.Popen(words, env=environment, start_new_session=True)  # noqa: S603 (the user's own program)
    try:
        return f"ended with {process.wait(seconds)}"
    except subprocess.TimeoutExpired:
        why = f"stopped after {seconds:g} s"
    except KeyboardInterrupt:
        why = "stopped"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
    return why


def _write(source: IO[bytes], place: str) -> None:
    """Write a stream to a file, packed where the name ends in .gz; raises `FileError`."""
    with (
        file_errors(place, "written"),
        written_whole(place) as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) if place.endswith(".gz") else file as stream,
    ):
        shutil.copyfileobj(source, stream)


def _told(given: Given, place: str, mesa: str | None) -> int:
    """Say what is in a dump; under ``check`` compare it with Mesa's trace."""
    from statetracker.findings import inspect

    made = inspect(place)
    if given.as_json:
        counts = {"calls": made.calls, "draws": made.draws, "frames": len(made.frames), "samplers": made.distinct}
        json_line({"dump": place, "mesa": mesa, **counts, "sampler_states": made.sampler_states})
    else:
        beside = f", Mesa's own trace {mesa}" if mesa else ""
        print_wrapped(f"{place}{beside}: {made.counts}\nstatetracker inspect {place} says what is wrong with them.")
    if not given.check:
        return EXIT_FINE
    if mesa is None:
        error("--check compares with Mesa's own trace, and Mesa was not the driver")
        return EXIT_FAILED
    from statetracker.cli.replay import replay_any

    others = dict.fromkeys(("screen", "dialect", "explain", "profile"))
    return replay_any(Given(files=[place, mesa], check=True, as_json=given.as_json, **others))


def inspect_file(given: Given) -> int:
    """Inspect a dump; `EXIT_DIFFERS` where something is wrong or undefined. Raises `StateTrackerError`."""
    from statetracker.findings import inspect
    from statetracker.findings.devices import outcome_on

    if given.html is not None:
        ending_of("--html", given.html, ".html")
    if given.webgpu and given.screen is not None:
        raise ArgumentError("--webgpu", given.screen, accepted="either --webgpu or a screen or a device")
    name = "webgpu" if given.webgpu else given.screen
    device = None if name is None else screen_named(name)
    made = inspect(given.file, profile=given.profile or "")
    outcomes = [] if device is None else [outcome_on(use, device) for use in made.uses]
    lines, data = _elsewhere(made, device, outcomes, all_devices=given.all_devices)
    if given.html is not None:
        from statetracker.findings.inspector import as_page

        write_file(given.html, as_page(made, device, lines))
    if given.as_json:
        json_line({**made.to_dict(), **data})
    elif made.calls:
        _show_inspection(made, device, outcomes, lines)
    for line in made.summary[1:]:
        info(f"{Path(given.file).name}: {line}")
    for problem in made.problems[:10]:
        error(problem)
    if made.problems:
        return EXIT_FAILED
    return EXIT_FINE if made.right else EXIT_DIFFERS


def _elsewhere(
    made: Inspection, device: Screen | None, outcomes: list[Outcome], *, all_devices: bool
) -> tuple[list[str], dict[str, object]]:
    """Return sentences and data on a device, where the states have these outcomes, and on all devices."""
    from statetracker.findings.devices import everywhere, needs
    from statetracker.replay.dumps import counted

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
    if all_devices and (made.uses or made.faults):
        found = everywhere(made.uses, made.faults)
        data["everywhere"] = found.to_dict()
        lines.append(str(found))
    black = len({one.subject for one in made.findings if one.rule == "incomplete"})
    if black and (all_devices or device is not None):
        lines.append(
            f"Not counted: {counted(black, 'texture')} sampled while incomplete, which is black on every device."
        )
    return lines, data


def _show_inspection(made: Inspection, device: Screen | None, outcomes: list[Outcome], lines: list[str]) -> None:
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


def budget_file(given: Given) -> int:
    """Plan for a file; gives `EXIT_DIFFERS` where no change of the policy fits. Raises `StateTrackerError`."""
    from statetracker.replay.budgets import plan
    from statetracker.replay.runs import read_run

    screen, chart = given.screen, given.chart
    if given.webgpu:
        if screen is not None or chart is not None:
            raise ArgumentError("--webgpu", chart or screen, accepted="--webgpu without a screen, a device or a chart")
        return _stages(given)
    if chart is not None:
        ending_of("--chart", chart, ".html")
    run = read_run(given.file, screen=None if screen is None else screen_named(screen), dialect=given.dialect)
    most, colours = _limits(run.screen)
    made = plan(run, most if given.limit is None else given.limit)
    if chart is not None:
        write_file(chart, chart_of(made))
    if given.as_json:
        json_line(_plan_data(made, colours))
    else:
        _show_plan(made, colours)
    for problem in run.problems[:10]:
        error(problem)
    return EXIT_FAILED if run.problems else EXIT_FINE if made.advice.fits(made.limit) else EXIT_DIFFERS


def _stages(given: Given) -> int:
    """Plan for the stages of a dump's draws on WebGPU; gives `EXIT_DIFFERS` where one keeps too many samplers."""
    from statetracker.findings import inspect
    from statetracker.findings.devices import MOST, STEPS, plans
    from statetracker.replay.dumps import counted
    from statetracker.trace.recording_file import kind_of

    if (kind := kind_of(given.file)) != "dump":
        raise RecordingError(given.file, None, f"of kind {kind!r}; --webgpu needs an apitrace dump, which has textures")
    run, most = inspect(given.file, dialect=given.dialect or "mesa22"), MOST if given.limit is None else given.limit
    made = plans(run.stages, most)
    over = sum(not one.plan.fits for one in made)
    if given.as_json:
        json_line({"file": given.file, "limit": most, "fits": not over, "stages": [one.to_dict() for one in made]})
    else:
        numbers = ("first call", "draws", "textures", *STEPS, "planned", "taps added")
        cells = [(one.use.stage, *map("{:,}".format, one.counts)) for one in made[:_STAGES]]
        table("samplers of each stage that differs", ("stage", *numbers), cells, right=numbers)
        for one in made[:_STAGES]:
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
