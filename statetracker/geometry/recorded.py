"""Recorded questions answered: a line of a file of programs, completed.

See docs/geometry.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from statetracker.errors import ArgumentError
from statetracker.geometry.dispatch import POLICIES, Decision, Shader, dispatch
from statetracker.geometry.payload import DispatchMode
from statetracker.geometry.program import Program

_COUNTS: Final = ("vertices_in", "in_slots", "uniforms", "invocations", "max_vertices", "out_slots")
_FLAGS: Final = ("primitive_id", "uses_end_primitive")


def shader_of_record(asked: Mapping[str, Any]) -> Shader:
    """Return the shader that a record asked for.

    Args:
        asked: Its member ``in``.

    Raises:
        ArgumentError: A member is missing or wrong; the error names it.
    """
    for name in (*_COUNTS, *_FLAGS, "output_type", "vgrf_sizes", "instructions"):
        if name not in asked:
            raise ArgumentError(f"in.{name}", None, accepted="a value: the member is missing")
    for name in _COUNTS:
        if not isinstance(asked[name], int) or isinstance(asked[name], bool):
            raise ArgumentError(f"in.{name}", asked[name], accepted="a whole number")
    for name in ("vgrf_sizes", "instructions"):
        if not isinstance(asked[name], list):
            raise ArgumentError(f"in.{name}", asked[name], accepted="a list")
    for name in _FLAGS:
        if not isinstance(asked[name], bool):
            raise ArgumentError(f"in.{name}", asked[name], accepted="true or false")
    slots, fixed = _arrays(asked)
    program = Program.parse(asked["vgrf_sizes"], asked["instructions"], fixed)
    return Shader(
        program, output_type=asked["output_type"], array_slots=slots,
        **{name: asked[name] for name in (*_COUNTS, *_FLAGS)},
    )  # fmt: skip


def _arrays(asked: Mapping[str, Any]) -> tuple[int, list[int]]:
    """Scratch slots of arrays, and the registers of their messages: members that a record may leave out."""
    slots, fixed = asked.get("array_slots", 0), asked.get("relative", [])
    if not isinstance(slots, int) or isinstance(slots, bool) or slots < 0:
        raise ArgumentError("in.array_slots", slots, accepted="a whole number from 0")
    if not isinstance(fixed, list) or not all(isinstance(one, int) for one in fixed):
        raise ArgumentError("in.relative", fixed, accepted="a list of virtual registers")
    return slots, fixed


def record_of_shader(shader: Shader) -> dict[str, Any]:
    """Return the ``in`` of a record for a shader: what `shader_of_record` reads.

    ``array_slots`` and ``relative`` (registers never spilled) are there only where a shader indexes arrays at run time.
    """
    record = {name: getattr(shader, name) for name in (*_COUNTS, *_FLAGS, "output_type")}
    record["vgrf_sizes"] = list(shader.program.vgrf_sizes)
    record["instructions"] = [one.to_list() for one in shader.program.instructions]
    if shader.array_slots or shader.program.relative:
        record |= {"array_slots": shader.array_slots, "relative": sorted(shader.program.relative)}
    return record


def answer(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with its ``out``. Raises `ArgumentError` for a record without a program."""
    asked = record.get("in")
    if not isinstance(asked, Mapping):
        raise ArgumentError("in", asked, accepted="an object: the question")
    inputs = {name: value for name, value in record.items() if name != "out"}
    return {**inputs, "out": outcome(dispatch(shader_of_record(asked)))}


def outcome(decision: Decision) -> dict[str, Any]:
    """Return a decision as the ``out`` of a record."""
    shader = decision.shader
    layouts = {"dual_object": shader.payload(1), "interleaved": shader.payload(2)}
    layout = layouts["interleaved"]
    done = decision.chosen.allocation
    verdict: dict[str, Any] | None = None
    if decision.dual_object is not None:
        reason = decision.dual_object.allocation.reason
        verdict = {"ok": True} if reason is None else {"ok": False, "reason": reason}
    out: dict[str, Any] = {
        "payload_regs": {name: one.registers for name, one in layouts.items()},
        "urb_read_length": layout.urb_read_length,
        "dispatch_grf_start_reg": layout.dispatch_grf_start_reg,
        "curb_read_length": layout.curb_read_length,
        "live": [[-1, -1] if one.end < 0 else list(one) for one in decision.live],
        "dual_object": verdict,
        "ok": done.ok,
    }
    if done.ok:
        out |= {"mode": {policy: _mode(decision, policy).name for policy in POLICIES}, "total_grf": done.total_grf}
    else:
        out["reason"] = done.reason
    out["spills"] = done.spills
    if done.ok:
        out |= {
            "scratch_slots": done.scratch_slots,
            "scratch_bytes": decision.scratch_bytes,
            "n_instr": len(done.program.instructions),
            "n_vgrf": len(done.program.vgrf_sizes),
            "assignment": done.registers,
        }
    return {**out, "urb": decision.urb._asdict()}


def _mode(decision: Decision, policy: str) -> DispatchMode:
    if decision.fallback is None:
        return DispatchMode.DUAL_OBJECT
    return DispatchMode.DUAL_INSTANCE if decision.shader.invocations > 1 else POLICIES[policy]
