"""``statetracker geometry``: recorded programs answered or compared, or one explained and drawn.

For a real geometry shader, SPIR-V or GLSL, it prints the dispatch mode and the reasons.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.cli.jsonl import RecordKind, answer_files, json_records
from statetracker.cli.output import EXIT_FAILED, EXIT_FINE, error, json_line, table, write_picture
from statetracker.errors import ArgumentError, FileError, ModuleError, RecordingError, StateTrackerError
from statetracker.files import file_errors
from statetracker.geometry import (
    POLICIES,
    answer,
    dispatch,
    explain,
    outcome,
    record_of_shader,
    shader_of_module,
    shader_of_record,
)
from statetracker.geometry.explanation import chart, png, svg
from statetracker.shader.glslang import compiled, is_module
from statetracker.spellings import looked_up
from statetracker.trace.recording_file import open_recording
from statetracker.unpacking import DAMAGE, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.cli.options import Given
    from statetracker.geometry import Decision, Lowered

_MODES: Final = ("DUAL_OBJECT", "DUAL_INSTANCE", "SINGLE")


def _count(_record: object, answer: Mapping[str, Any], counts: Counter[str]) -> None:
    out = answer["out"]
    counts["records"] += 1
    counts["spilled"] += bool(out["spills"])
    counts[out["mode"]["later"] if out["ok"] else "failed"] += 1


_PROGRAMS: Final = RecordKind(
    answer=answer,
    lacks=lambda record: "" if "out" in record else "has no out to compare with",
    add=_count,
    cells=lambda counts: {name: counts[name] for name in ("records", *_MODES, "failed", "spilled")},
)


def show_geometry(given: Given) -> int:
    """Explain shaders; or answer recorded programs, compare them, or explain one."""
    line = given.explain
    if any(map(is_shader, given.files)):
        for field, value, wanted in (("option", "--check", given.check), ("--explain", line, line is not None)):
            if wanted:
                raise ArgumentError(field, value, accepted="with files of records, not with shaders")
        return _explain_shaders(given)
    if line is not None or given.output is not None:
        if len(given.files) > 1 or given.check:
            raise ArgumentError("FILE", given.files[-1], accepted="one file, without --check, with --explain and -o")
        return _explain_line(given, given.files[0], line or 1)
    return answer_files(given.files, _PROGRAMS, check=given.check, as_json=given.as_json)


def _explain_line(given: Given, path: str, line: int) -> int:
    """Explain the decision for the program of one line, and draw its pressure where ``-o`` names a file."""
    record = next((one for number, one in json_records(path, Counter()) if number == line), None)
    if record is None:
        raise ArgumentError("--explain", line, accepted=f"the number of a line of {path} that has a program")
    program = record.get("in")
    if not isinstance(program, dict):
        raise FileError(path, line, "has no in to answer")
    decision = dispatch(shader_of_record(program), given.policy)
    steps = explain(decision)
    if given.as_json:
        json_line([step._asdict() for step in steps])
    else:
        table("", ("field", "value", "why"), steps)
    _draw(decision, given.output)
    return EXIT_FINE


def _draw(decision: Decision, output: str | None) -> None:
    """Draw a decision's pressure into a file, if any. Raises `ArgumentError` for another ending, `FileError`."""
    if output is not None:
        write_picture(output, png=lambda: png(chart(decision)), svg=lambda: svg(chart(decision)))


def is_shader(file: str) -> bool:
    """Return whether a file is a shader by its name or its first bytes; else it is a file of records."""
    if Path(file).suffix in {".geom", ".spv"}:
        return True
    try:
        with open_recording(file, again=True) as stream:
            return is_module(stream.read(4))
    except (RecordingError, *DAMAGE):
        return False


def _explain_shaders(given: Given) -> int:
    """Explain the decision for each shader; one that cannot be read is reported and skipped."""
    if given.output is not None and len(given.files) > 1:
        raise ArgumentError("-o", given.output, accepted="one shader at a time")
    records = [file for file in given.files if not is_shader(file)]
    if records:
        raise ArgumentError("FILE", records[0], accepted="shaders (.spv, .geom) alone; records in a call of their own")
    looked_up("policy", given.policy, POLICIES)  # not an error of one file
    worst = EXIT_FINE
    for file in given.files:
        try:
            lowered, decision = _decided(file, given.policy)
        except StateTrackerError as failure:
            error(str(failure))
            worst = EXIT_FAILED
            continue
        if given.as_json:
            json_line(_json(file, lowered, decision))
        else:
            _show(file, lowered, decision)
        _draw(decision, given.output)
    return worst


def _decided(file: str, policy: str) -> tuple[Lowered, Decision]:
    with file_errors(file, "read"), open_recording(file) as stream:
        data = read_document(stream, file)
    if not is_module(data) and Path(file).suffix == ".geom":
        data = _compiled(file)
    try:
        lowered = shader_of_module(data)
        return lowered, dispatch(lowered.shader, policy)
    except ModuleError as error:
        raise FileError(file, None, error.subject(), hint=error.hint) from None
    except ArgumentError as error:
        raise FileError(file, None, f"{error.subject()}; accepted: {error.accepted}", hint=error.hint) from None


def _compiled(file: str) -> bytes:
    """GLSL for Vulkan; where that fails, for OpenGL. Locations and bindings that are not given are assigned."""
    options = ("--auto-map-bindings", "--auto-map-locations")
    try:
        return compiled(file, "vulkan", options=options)
    except FileError:
        with suppress(FileError):
            return compiled(file, "opengl", options=options)
        raise


def _json(file: str, lowered: Lowered, decision: Decision) -> dict[str, object]:
    return {
        "file": file,
        "in": record_of_shader(lowered.shader),
        "out": outcome(decision),
        "reasons": [step._asdict() for step in explain(decision)],
        "remarks": [one._asdict() for one in lowered.remarks],
    }


def _show(file: str, lowered: Lowered, decision: Decision) -> None:
    shader, program = lowered.shader, lowered.shader.program
    invocations = f", {shader.invocations} invocations" if shader.invocations > 1 else ""
    title = (
        f"{Path(file).name}: {lowered.interface.input} in, {shader.output_type} of up to {shader.max_vertices} vertices"
        f" out{invocations}; {len(program.instructions)} back-end instructions, {len(program.vgrf_sizes)} values"
    )
    table(title, ("field", "value", "why"), explain(decision))
    if lowered.remarks:
        rows = [(one.offset or "", one.instruction, one.text) for one in lowered.remarks]
        table("remarks", ("word", "instruction", "remark"), rows, right=("word",))
