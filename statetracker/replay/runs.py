"""`Run`: what a program binds, frame by frame, of every kind of file that `replay` reads and of a run of the loop.

See docs/budget.md.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.caps import Screen
from statetracker.caps.files import screen_from
from statetracker.errors import RecordingError, StateTrackerError
from statetracker.pipe import SamplerState
from statetracker.pipe.layout import RECORD_BYTES
from statetracker.replay.cases import Recording
from statetracker.replay.dumps import DumpReplay
from statetracker.replay.states import Binds, Creates
from statetracker.sampler import converter
from statetracker.spellings import stage_named
from statetracker.trace import Problem
from statetracker.trace.gallium import BindSamplers, CreateSampler, first_slot, open_gallium_trace, open_states
from statetracker.trace.recording_file import Kept, cut_short, kind_of, open_recording
from statetracker.unpacking import DAMAGE, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: A stage, and the record of each slot from 0 on; None: it keeps what it had.
Bind: TypeAlias = tuple[str, tuple[bytes | None, ...]]
#: A frame's number from 0 or None (the next begins), and a bind or None.
_Step: TypeAlias = "Bind | None"

_STAGE: Final = "MESA_SHADER_"


class Run(NamedTuple):
    """The binds of a program.

    Attributes:
        path: The file.
        screen: The one that the records are for.
        dialect: Whose rules made them.
        frames: The binds of each, as asked for: no policy is applied.
        problems: What could not be read or replayed, as text, with the file: the first 1,000.
    """

    path: str
    screen: Screen
    dialect: str
    frames: list[list[Bind]]
    problems: Sequence[str] = ()

    @property
    def asked(self) -> dict[bytes, None]:
        """Every record that is bound, each once, in the order of the first binds."""
        binds = (records for frame in self.frames for _, records in frame)
        return dict.fromkeys(record for records in binds for record in records if record is not None)


def read_run(path: str, *, screen: Screen | None = None, dialect: str | None = None) -> Run:
    """Read the binds of a file at a path.

    A dump's frames end at its swaps; a case is a frame; traces, and a driver's log without ``["frame"]``, are one.

    Args:
        path: Of a dump, a trace, a driver's log or recorded cases.
        screen: None: the one that the file names, else llvmpipe's.
        dialect: None: that of the file, else mesa22.

    Raises:
        RecordingError: A file without a bind, or what replay refuses.
    """
    kind, problems = kind_of(path), Kept[str]()
    if kind == "cases":
        recording = Recording(path, screen=screen, dialect=dialect)
        run = Run(path, recording.screen, recording.dialect, list(_of_cases(recording, problems)), problems)
    elif kind == "run":
        run = _of_log(path, screen, dialect)
    else:
        chosen = screen or Screen.named("llvmpipe")
        rules = dialect or "mesa22"
        steps = _of_dump(path, chosen, rules, problems) if kind == "dump" else _of_trace(path, kind, problems)
        run = Run(path, chosen, rules, _framed(steps), problems)
    if not any(run.frames):
        raise RecordingError(path, None, "it binds no sampler state")
    return run


def _framed(steps: Iterable[_Step]) -> list[list[Bind]]:
    frames: list[list[Bind]] = [[]]
    for step in steps:
        if step is None:
            frames.append([])
        elif any(step[1]) and step != (frames[-1][-1] if frames[-1] else None):
            frames[-1].append(step)
    if not frames[-1] and len(frames) > 1:
        frames.pop()
    return frames


def _of_cases(recording: Recording, problems: Kept[str]) -> Iterator[list[Bind]]:
    for outcome in recording.outcomes():
        if isinstance(outcome, Problem):
            problems.add(str(outcome.error))
        elif outcome.result.stage is not None and any(outcome.result.stage.records):
            yield [("fragment", tuple(outcome.result.stage.records))]


def _of_dump(path: str, screen: Screen, dialect: str, problems: Kept[str]) -> Iterator[_Step]:
    dump = DumpReplay(path, converter(screen, dialect))
    records: dict[int | None, bytes | None] = {None: None}
    frame = 0
    for event in dump:
        while frame < bisect_left(dump.replay.swaps, event.call):
            frame += 1
            yield None
        if isinstance(event, Creates):
            records[event.id] = event.state
        elif isinstance(event, Binds):
            yield event.stage, (None,) * event.start + tuple(records[number] for number in event.ids)
    problems += dump.problems


def _of_trace(path: str, kind: str, problems: Kept[str]) -> Iterator[_Step]:
    records: dict[tuple[int, int | None], bytes] = {}
    with open_gallium_trace(path) if kind == "xml" else open_states(path) as events:
        for event in events:
            if isinstance(event, CreateSampler):
                try:
                    records[event.context, event.handle] = _printed_record(event.state)
                except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                    problem = f"call {event.call}: no state that can be read ({type(error).__name__}: {error})"
                    raise RecordingError(path, None, problem) from None
            elif isinstance(event, BindSamplers):
                bound = tuple(records.get((event.context, handle)) for handle in event.handles)
                yield event.stage, (None,) * event.start + bound
            elif isinstance(event, Problem):
                problems.add(str(event.error))
        if problems and not getattr(events, "complete", True):
            problems.pop()  # the end of a program that was killed


def _printed_record(state: dict[str, Any]) -> bytes:
    """Return a state's record as Mesa's trace prints it: floats have six digits, two members are not printed."""
    fields: dict[str, Any] = {
        name: float(value) if name.endswith(("_lod", "_bias")) else value for name, value in state.items()
    }
    border = fields.pop("border_color.f", None)
    if isinstance(border, list):
        fields["border_color"] = tuple(float(part) for part in border)
    fields["border_color_format"] = str(fields.get("border_color_format", "NONE")).removeprefix("PIPE_FORMAT_")
    return bytes(SamplerState(**fields))


def _of_log(path: str, screen: Screen | None, dialect: str | None) -> Run:
    head: dict[str, Any] = {}
    steps: list[_Step] = []
    records: dict[object, bytes | None] = {None: None}
    number = 0
    with open_recording(path) as stream:
        while line := _next_line(stream, path, number + 1):
            number += 1
            try:
                data = json.loads(line)
                if number == 1 and isinstance(data, dict):
                    head = data
                elif data[0] == "create":
                    records[data[1]] = _record(data[2])
                elif data[0] == "bind":
                    stage = stage_named(data[1].removeprefix(_STAGE))
                    start = first_slot(data[2], len(data[3]))
                    steps.append((stage, (None,) * start + tuple(records[one] for one in data[3])))
                elif data[0] == "frame":
                    steps.append(None)
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError, StateTrackerError) as error:
                if not line.endswith(b"\n"):
                    break  # the program crashed
                raise RecordingError(path, number, f"no event of a run ({type(error).__name__}: {error})") from None
    if head.get("version", 1) != 1:
        raise RecordingError(path, 1, f"version {head['version']} of the form; this is for version 1")
    chosen = screen or (screen_from(head, file=path, line=1) if "caps" in head else Screen.named("llvmpipe"))
    return Run(path, chosen, dialect or str(head.get("dialect", "mesa22")), _framed(steps))


def _next_line(stream: IO[bytes], path: str, number: int) -> bytes:
    """Read a line; empty at the end, and where a packed log breaks off: the program crashed."""
    try:
        return read_line(stream, path, number)
    except EOFError:
        return b""
    except DAMAGE as error:
        raise cut_short(path, number, error) from None


def _record(text: str) -> bytes:
    record = bytes.fromhex(text)
    if len(record) != RECORD_BYTES:
        raise ValueError(f"a record has {RECORD_BYTES} bytes")
    return record
