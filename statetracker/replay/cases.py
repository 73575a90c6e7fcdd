"""Recorded cases and files of them, replayed: GL calls in, the errors and the record of fragment slot 0 out.

Everything is computed from the calls, the screen and the shader's facts. Of what the driver did, only the storage
format that it chose is read, and only where the recording has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.files import screen_from
from statetracker.errors import ArgumentError, FileError, RecordingError, StateTrackerError, UnknownName
from statetracker.frontend.stage import StageResult, convert_stage
from statetracker.frontend.vulkan_view import vulkan_dialect_of
from statetracker.gl import Context, Limits, Process, Program, SamplerUniform, sampler_target
from statetracker.gl.names import glenum
from statetracker.replay.comparison import CaseResult, Difference, compare, info_differences, slot_differences
from statetracker.replay.states import explain_bound
from statetracker.sampler import converter
from statetracker.sampler.dialects import NEWEST, OLDEST, release_of
from statetracker.trace import CaseFile, Problem, open_cases

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statetracker.caps import Screen
    from statetracker.sampler import Converter, Explanation
    from statetracker.trace import Case

#: The recorder started a new process for every so many cases, counted from the first of a file.
PROCESS_CASES: Final = 150

_PREFIX: Final = "PIPE_FORMAT_"


def dialect_of(mesa_version: str) -> str:
    """Return the dialect of a Mesa version, ``"22.3.6"``; an empty one counts as 22.3.

    Args:
        mesa_version: As a recording's header has it.

    Raises:
        UnknownName: A version whose rules are not known.
    """
    release = release_of(mesa_version or "22.3")
    if release is None:
        hint = "Name the rules to use with --dialect: seed, or a release."
        raise UnknownName("rules of Mesa", mesa_version, accepted=f"{OLDEST} to {NEWEST}", hint=hint)
    return release


class Replayer:
    """Replays the cases of one file: one screen, one dialect, and the process state that cases share.

    Args:
        chosen: The rules, for a screen: `statetracker.sampler.converter` gives them.
    """

    def __init__(self, chosen: Converter) -> None:
        self.converter = chosen
        self.limits: Limits = chosen.screen.gl_limits(release=chosen.dialect.gl_release)
        self.process = Process()
        self._programs: dict[tuple[str, int], Program] = {}

    def start(self, place: int) -> None:
        """Begin the case at that place of its file, from 0: a new process starts where the recorder started one."""
        if place % PROCESS_CASES == 0:
            self.process = Process()

    def run(self, data: dict[str, Any]) -> CaseResult:
        """Replay one case; raises `StateTrackerError` for calls or facts that make no sense.

        Args:
            data: The case, as `Case.data` has it.
        """
        context = Context(self.limits, process=self.process)
        names: dict[str, int] = {}
        errors = [_call(context, call, names) for call in data["calls"]]
        shader = data.get("shader")
        if not shader:
            return CaseResult(errors, None, None, context)
        stage = self._draw(context, data, shader)
        return CaseResult(errors, stage.records[0] if stage.records else None, stage, context)

    def explain(self, result: CaseResult, slot: int = 0) -> Explanation:
        """Explain the record that a case bound to a fragment slot; raises `ArgumentError` where none is bound.

        Args:
            result: What `run` gave.
            slot: 0 to 31.
        """
        if result.stage is None or slot not in result.stage.bound:
            raise ArgumentError("slot", slot, accepted="a slot that the case's draw bound a state to")
        return explain_bound(result.stage.bound[slot], self.converter, result.stage.units[slot])

    def _draw(self, context: Context, data: dict[str, Any], shader: dict[str, Any]) -> StageResult:
        # A fixed-function unit that samples nothing may leave an older view where slot 0 looks.
        storage = _stored(data["unit_view"] if "unit_view" in data else data.get("sampler_view"))
        if storage is not None:
            for texture in context.textures.values():
                if texture is not None and texture.storage_format != storage:
                    texture.storage_format = storage
        if shader.get("fixed_function"):
            return convert_stage(context, self.converter, "fragment")
        glsl_type, version, unit = shader.get("sampler_type"), shader.get("glsl"), data.get("unit", 0)
        if not isinstance(glsl_type, str) or not isinstance(version, int):
            raise ArgumentError("shader", shader, accepted="'sampler_type' (text) and 'glsl' (a number)")
        program = self._programs.get((glsl_type, version))
        if program is None:
            sampler_target(glsl_type)
            program = Program([SamplerUniform("tex", glsl_type)], glsl_version=version)
            self._programs[glsl_type, version] = program
        program.units[0] = unit
        return convert_stage(context, self.converter, "fragment", program)


def _stored(view: object) -> str | None:
    """Return the format that the driver chose to store the texture in; None where the recording does not have it."""
    resource = view.get("resource") if isinstance(view, dict) else view
    named = resource.get("format") if isinstance(resource, dict) else resource
    if named is None:
        return None
    if not isinstance(resource, dict) or not isinstance(view, dict) or not isinstance(named, str):
        raise ArgumentError("sampler_view", view, accepted="an object, whose 'resource' is one with a 'format' (text)")
    return named.removeprefix(_PREFIX)


def _call(context: Context, call: dict[str, Any], names: dict[str, int]) -> str:
    fn = call["fn"]
    try:
        args = [_argument(context, value, names) for value in call["args"]]
        context.call(fn, *args)
    except StateTrackerError:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ArgumentError(fn, call["args"], accepted="the arguments of that GL call", hint=f"({error})") from None
    return context.glGetError()


#: Words of recordings -> their numbers; names of GL are added when they occur.
_WORDS: Final[dict[str, int | float]] = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def _argument(context: Context, value: object, names: dict[str, int]) -> object:
    if isinstance(value, str):
        known = _WORDS.get(value)
        if known is not None:
            return known
        if value.startswith("GL_"):
            known = _WORDS[value] = glenum(value)
            return known
        return _object(context, value, names)
    if isinstance(value, list):
        return [_argument(context, part, names) for part in value]
    if value is None or isinstance(value, int | float):
        return value
    raise ArgumentError("argument", value, accepted="a number, a GL name, an object's name, or a list of these")


def _object(context: Context, value: str, names: dict[str, int]) -> int:
    """Return the GL name of an object that the recording calls ``tex`` or ``smp``."""
    if value not in names:
        if not value.startswith(("smp", "tex")):
            raise UnknownName("argument", value, accepted="a GL_ name, 'tex', 'smp', 'nan', 'inf' or '-inf'")
        (names[value],) = (context.glGenSamplers if value.startswith("smp") else context.glGenTextures)(1)
    return names[value]


class Outcome(NamedTuple):
    """One case replayed.

    Attributes:
        case: As read.
        result: What it gave.
        differences: From what was recorded; None where nothing was recorded to compare with, or no check was requested.
    """

    case: Case
    result: CaseResult
    differences: list[Difference] | None


class Recording:
    """A recorded file ready to be replayed: the file, the screen, the dialect.

    Args:
        path: Of the file.
        screen: None: the one in the file's header.
        dialect: None: that of the Mesa version in the header.

    Raises:
        RecordingError: The header makes no sense.
        ScreenError: The header makes no sense.
    """

    def __init__(self, path: str | Path, *, screen: Screen | None = None, dialect: str | None = None) -> None:
        self.file: CaseFile = open_cases(path)
        header = self.file.header
        try:
            self.screen = screen or screen_from(header.data, file=self.file.path, line=1)
            self.dialect = dialect or dialect_of(header.mesa_version)
            self.replayer = Replayer(converter(self.screen, self.dialect))
        except StateTrackerError as error:
            self.file.close()
            if isinstance(error, FileError):
                raise
            raise RecordingError(self.file.path, 1, str(error)) from None

    def outcomes(self, *, check: bool = False) -> Iterator[Outcome | Problem]:
        """Replay every case; a line or a case that makes no sense gives a `Problem`, and the next goes on.

        Args:
            check: Compare with what was recorded.
        """
        with self.file:
            for item in self.file:
                if isinstance(item, Problem):
                    yield item
                    continue
                self.replayer.start(item.place)
                try:
                    result = self.replayer.run(item.data)
                    differences = self._differences(item.data, result) if check else None
                except StateTrackerError as error:
                    yield Problem(RecordingError(self.file.path, item.line, f"case {item.id}: {error}"))
                    continue
                yield Outcome(item, result, differences)

    def _differences(self, data: dict[str, Any], result: CaseResult) -> list[Difference] | None:
        """Compare errors and record, and create infos where the recording has them."""
        release = self.replayer.converter.dialect.formats
        differences = compare(data, result, release=release)
        if differences is not None and result.stage is not None:
            differences += slot_differences(data, result.stage.records, release)
        infos = info_differences(data, result.record, self.screen, vulkan_dialect_of(self.dialect))
        return differences if infos is None else [*(differences or ()), *infos]
