"""The recorded piglit programs: every call is read, and every uniform location is the one GL gave."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from statetracker.trace.apitrace import DumpCall, Name, open_dump
from statetracker.trace.cases import Problem
from statetracker.trace.gallium import BindSamplers, CreateSampler, open_states
from statetracker.trace.glsl import LinkedProgram, link, stage_samplers

PROGRAMS = sorted((Path(__file__).parents[1] / "data" / "programs").glob("*.dump.txt.gz"))
STAGES = {
    0x8B31: "vertex",
    0x8B30: "fragment",
    0x8DD9: "geometry",
    0x8E88: "tess-ctrl",
    0x8E87: "tess-eval",
    0x91B9: "compute",
}


def every_program(test: Any) -> Any:
    return pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.partition(".")[0])(test)


@every_program
def test_every_call_is_read_and_every_gl_name_is_known(path: Path) -> None:
    with open_dump(path) as dump:
        for call in dump:
            assert isinstance(call, DumpCall), call
            assert not [v for v in call.args.values() if isinstance(v, Name) and v.startswith("GL_")]


class Shaders:
    """The shaders and programs of one dump."""

    def __init__(self) -> None:
        self.stage: dict[object, str] = {}
        self.source: dict[object, str] = {}
        self.attached: defaultdict[object, list[object]] = defaultdict(list)
        self.linked: dict[object, LinkedProgram] = {}

    def take(self, call: DumpCall) -> None:
        args: dict[str, Any] = call.args
        match call.name:
            case "glCreateShader" | "glCreateShaderObjectARB":
                self.stage[call.result] = STAGES[args["type"] if "type" in args else args["shaderType"]]
            case "glShaderSource" | "glShaderSourceARB":
                self.source[args.get("shader", args.get("shaderObj"))] = "".join(args["string"])
            case "glAttachShader" | "glAttachObjectARB":
                self.attached[args.get("program", args.get("containerObj"))].append(args.get("shader", args.get("obj")))
            case "glLinkProgram" | "glLinkProgramARB":
                self.link(args.get("program", args.get("programObj")))
            case "glCreateShaderProgramv":
                stage = STAGES[args["type"]]
                self.linked[call.result] = link(
                    {stage: stage_samplers(["".join(args["strings"])], stage)}, separable=True
                )

    def link(self, program: object) -> None:
        sources: defaultdict[str, list[str]] = defaultdict(list)
        for shader in self.attached[program]:
            sources[self.stage[shader]].append(self.source[shader])
        self.linked[program] = link({stage: stage_samplers(texts, stage) for stage, texts in sources.items()})


@every_program
def test_every_uniform_location_is_the_one_gl_gave(path: Path) -> None:
    shaders = Shaders()
    with open_dump(path) as dump:
        for call in dump:
            assert isinstance(call, DumpCall)
            shaders.take(call)
            if call.name.startswith("glGetUniformLocation"):
                program = shaders.linked[call.args.get("program", call.args.get("programObj"))]
                assert not program.problems
                assert program.locations.get(str(call.args["name"]), -1) == call.result, call


@every_program
def test_every_state_that_is_bound_was_created(path: Path) -> None:
    created: set[tuple[int, int]] = set()
    with open_states(path.with_name(path.name.replace(".dump.txt.gz", ".states.jsonl.gz"))) as states:
        for event in states:
            assert not isinstance(event, Problem), event
            if isinstance(event, CreateSampler):
                created.add((event.context, event.handle))
            elif isinstance(event, BindSamplers):
                assert {(event.context, h) for h in event.handles if h is not None} <= created
