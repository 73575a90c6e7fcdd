"""Geometry shader dispatch on gen7: the mode that fits the registers, with the registers, the spills and the reasons.

A program model of the vec4 back end (`Program`), its live intervals, the payload of each mode, register allocation with
spilling, and the choice (`dispatch`). `shader_of_module` takes a SPIR-V geometry shader there. See docs/geometry.md.
"""

from __future__ import annotations

from statetracker.geometry.allocator.allocate import FAILURES, Allocation, allocate
from statetracker.geometry.allocator.colouring import REGISTERS, colour
from statetracker.geometry.allocator.liveness import Interval, interfere, live_intervals, neighbours, pressure
from statetracker.geometry.allocator.spilling import insert_spill
from statetracker.geometry.dispatch import (
    POLICIES,
    Attempt,
    Decision,
    Shader,
    answer,
    dispatch,
    outcome,
    record_of_shader,
    shader_of_record,
)
from statetracker.geometry.explanation import Reason, explain, peak
from statetracker.geometry.payload import (
    MAX_INPUT_COMPONENTS,
    OUTPUTS,
    VERTICES_IN,
    Attribute,
    DispatchMode,
    FixUp,
    Payload,
    UrbSizes,
    check_input_components,
    cut_bits,
    fix_ups,
    instance_id,
    payload,
    scratch_bytes,
    scratch_encoding,
    urb_sizes,
)
from statetracker.geometry.program import Destination, Instruction, Program, Source
from statetracker.geometry.shader.lowering import Lowered, Remark, shader_of_module

__all__ = [
    "FAILURES",
    "MAX_INPUT_COMPONENTS",
    "OUTPUTS",
    "POLICIES",
    "REGISTERS",
    "VERTICES_IN",
    "Allocation",
    "Attempt",
    "Attribute",
    "Decision",
    "Destination",
    "DispatchMode",
    "FixUp",
    "Instruction",
    "Interval",
    "Lowered",
    "Payload",
    "Program",
    "Reason",
    "Remark",
    "Shader",
    "Source",
    "UrbSizes",
    "allocate",
    "answer",
    "check_input_components",
    "colour",
    "cut_bits",
    "dispatch",
    "explain",
    "fix_ups",
    "insert_spill",
    "instance_id",
    "interfere",
    "live_intervals",
    "neighbours",
    "outcome",
    "payload",
    "peak",
    "pressure",
    "record_of_shader",
    "scratch_bytes",
    "scratch_encoding",
    "shader_of_module",
    "shader_of_record",
    "urb_sizes",
]
