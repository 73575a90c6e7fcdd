"""Replaying recorded cases: GL calls in, the errors and the record of fragment slot 0 out.

Everything is computed from the calls, the screen and the shader's facts. Of what the driver did, only the storage
format that it chose is read, and only where the recording has it.
"""

from __future__ import annotations

from struct import error as StructError  # noqa: N812 (an exception, named as one)
from struct import pack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError, StateTrackerError, UnknownName
from statetracker.frontend.stage import StageResult, convert_stage
from statetracker.gl import Context, Limits, Process, Program, SamplerUniform, sampler_target
from statetracker.gl.names import number
from statetracker.pipe import SamplerState
from statetracker.pipe.layout import SHIFTS, WORD0
from statetracker.sampler import DIALECTS, explain

if TYPE_CHECKING:
    from statetracker.pipe.layout import Field
    from statetracker.sampler import Converter, Explanation

__all__ = [
    "PROCESS_CASES",
    "CaseResult",
    "Difference",
    "Replayer",
    "compare",
    "dialect_of",
    "expected_record",
]

#: Leading parts of a Mesa version -> the dialect that release speaks.
_SPEAKS: Final = {"21.": "mesa21", "22.": "mesa22", "24.": "mesa24"}

#: The recorder started a new process for every so many cases, counted from the first of a file.
PROCESS_CASES: Final = 150

_SPECIAL: Final = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_PREFIX: Final = "PIPE_FORMAT_"


def dialect_of(mesa_version: str) -> str:
    """Give the dialect of a Mesa version, mesa22 for an empty one; raises `UnknownName` for rules not known."""
    if not mesa_version:
        return "mesa22"
    for start, name in _SPEAKS.items():
        if mesa_version.startswith(start):
            return name
    known = ", ".join(f"{start}x" for start in _SPEAKS)
    hint = f"Name the rules to use with --dialect: {', '.join(DIALECTS)}."
    raise UnknownName("rules of Mesa", mesa_version, accepted=known, hint=hint)


class CaseResult(NamedTuple):
    """What a case gave.

    errors   one GL error name a call, in order
    record   the 36 bytes bound to fragment slot 0; None where nothing was drawn or nothing is bound
    stage    the whole stage, None where nothing was drawn
    context  the context after the calls
    """

    errors: list[str]
    record: bytes | None
    stage: StageResult | None
    context: Context


class Difference(NamedTuple):
    """One thing that came out otherwise than recorded: which, what was recorded, what we got."""

    what: str
    expected: object
    got: object


class Replayer:
    """Replays the cases of one file: one screen, one dialect, and the process state that cases share."""

    def __init__(self, chosen: Converter) -> None:
        """Prepare what all cases use."""
        self.converter = chosen
        self.limits: Limits = chosen.screen.gl_limits(release=chosen.dialect.gl_release)
        self.process = Process()
        self._programs: dict[tuple[str, int], Program] = {}

    def start(self, place: int) -> None:
        """Say which case comes next (from 0): a new process starts where the recorder started one."""
        if place % PROCESS_CASES == 0:
            self.process = Process()

    def run(self, data: dict[str, Any]) -> CaseResult:
        """Replay one case; raises `StateTrackerError` for calls or facts that make no sense."""
        context = Context(self.limits, process=self.process)
        names: dict[str, int] = {}
        errors = [_call(context, call, names) for call in data["calls"]]
        shader = data.get("shader")
        if not shader:
            return CaseResult(errors, None, None, context)
        stage = self._draw(context, data, shader)
        return CaseResult(errors, stage.records[0] if stage.records else None, stage, context)

    def explain(self, result: CaseResult, slot: int = 0) -> Explanation:
        """Explain the record that a case bound to a fragment slot; raises `ArgumentError` where none is bound."""
        if result.stage is None or slot not in result.stage.bound:
            raise ArgumentError("slot", slot, accepted="a slot that the case's draw bound a state to")
        bound = result.stage.bound[slot]
        return explain(
            bound.sampler,
            bound.texture,
            self.converter.screen,
            dialect=self.converter.dialect,
            unit=result.stage.units[slot],
            notes=(f"the fallback texture is sampled: {bound.incomplete}",) if bound.incomplete else (),
        )

    def _draw(self, context: Context, data: dict[str, Any], shader: dict[str, Any]) -> StageResult:
        storage = _stored(data.get("sampler_view"))
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
    """Give the format that the driver chose to store the texture in; None where the recording does not have it."""
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


_WORDS: dict[str, int | float] = dict(_SPECIAL)


def _argument(context: Context, value: object, names: dict[str, int]) -> object:
    if isinstance(value, str):
        known = _WORDS.get(value)
        if known is not None:
            return known
        if value.startswith("GL_"):
            known = _WORDS[value] = number(value)
            return known
        return _object(context, value, names)
    if isinstance(value, list):
        return [_argument(context, part, names) for part in value]
    if value is None or isinstance(value, int | float):
        return value
    raise ArgumentError("argument", value, accepted="a number, a GL name, an object's name, or a list of these")


def _object(context: Context, value: str, names: dict[str, int]) -> int:
    """Give the GL name of an object that the recording calls ``tex`` or ``smp``."""
    found = names.get(value)
    if found is None:
        if value.startswith("smp"):
            (found,) = context.glGenSamplers(1)
        elif value.startswith("tex"):
            (found,) = context.glGenTextures(1)
        else:
            raise UnknownName("argument", value, accepted="a GL_ name, 'tex', 'smp', 'nan', 'inf' or '-inf'")
        names[value] = found
    return found


def _fitting(value: int, field: Field) -> int:
    if not 0 <= value < 1 << field.bits:
        raise ArgumentError(f"raw.{field.name}", value, accepted=f"0 to {(1 << field.bits) - 1}")
    return value


def expected_record(raw: dict[str, Any]) -> bytes:
    """Pack a recording's ``raw`` member into 36 bytes; raises `ArgumentError` where a member is missing or bad."""
    try:
        word = 0
        for field in WORD0:
            word |= _fitting(int(raw[field.name]), field) << SHIFTS[field.name]
        floats = [int(raw[name], 16) for name in ("lod_bias", "min_lod", "max_lod")]
        border = [int(part, 16) for part in raw["border_color"]]
        return pack("<9I", word, *floats, *border, raw["border_color_format"])
    except ArgumentError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, StructError) as error:
        raise ArgumentError("raw", raw, accepted="the members of the struct", hint=f"({error!r})") from None


def compare(data: dict[str, Any], result: CaseResult) -> list[Difference] | None:
    """Compare with what was recorded, field by field; None where the recording has nothing to compare with."""
    errors = [call.get("err") for call in data["calls"]]
    known = any(err is not None for err in errors)
    found = [
        Difference(f"call {n} ({call['fn']})", err, got)
        for n, (call, err, got) in enumerate(zip(data["calls"], errors, result.errors, strict=True))
        if err is not None and err != got
    ]
    if "raw" in data:
        found += _compare_record(data["raw"], result.record)
        known = True
    elif data.get("pipe_sampler_state") is not None:
        found += _compare_printed(data["pipe_sampler_state"], result.record)
        known = True
    elif "skipped" in data and result.record is not None:
        found.append(Difference("state", None, result.record.hex()))
    return found if known else None


def _compare_printed(printed: dict[str, Any], record: bytes | None) -> list[Difference]:
    """Compare with what Mesa's trace prints, where the bytes themselves were not kept: floats have six digits there."""
    if record is None:
        return [Difference("state", printed, None)]
    made = SamplerState.from_bytes(record).to_trace()
    return [Difference(name, value, made.get(name)) for name, value in printed.items() if made.get(name) != value]


def _compare_record(raw: dict[str, Any] | None, record: bytes | None) -> list[Difference]:
    if raw is None or record is None:
        same = raw is None and record is None
        got = None if record is None else record.hex()
        return [] if same else [Difference("state", None if raw is None else expected_record(raw).hex(), got)]
    expected = expected_record(raw)
    if expected == record:
        return []
    wanted, made = SamplerState.from_bytes(expected).to_dict(), SamplerState.from_bytes(record).to_dict()
    differ = [name for name in wanted if repr(wanted[name]) != repr(made[name])]
    if not differ:
        return [Difference("state", expected.hex(), record.hex())]
    return [Difference(name, wanted[name], made[name]) for name in differ]
