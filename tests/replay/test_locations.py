"""The recorded piglit programs: every uniform location that is counted is the one GL gave."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from statetracker.replay.glsl import LinkedProgram, link, stage_samplers
from statetracker.replay.share_group import SHADER_STAGES
from statetracker.trace.apitrace import DumpCall, open_dump

PROGRAMS = sorted((Path(__file__).parents[1] / "data" / "programs").glob("*.dump.txt.gz"))


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
                self.stage[call.result] = SHADER_STAGES[args["type"] if "type" in args else args["shaderType"]]
            case "glShaderSource" | "glShaderSourceARB":
                self.source[args.get("shader", args.get("shaderObj"))] = "".join(args["string"])
            case "glAttachShader" | "glAttachObjectARB":
                self.attached[args.get("program", args.get("containerObj"))].append(args.get("shader", args.get("obj")))
            case "glLinkProgram" | "glLinkProgramARB":
                self.link(args.get("program", args.get("programObj")))
            case "glCreateShaderProgramv":
                stage = SHADER_STAGES[args["type"]]
                self.linked[call.result] = link({stage: stage_samplers(["".join(args["strings"])])})

    def link(self, program: object) -> None:
        sources: defaultdict[str, list[str]] = defaultdict(list)
        for shader in self.attached[program]:
            sources[self.stage[shader]].append(self.source[shader])
        self.linked[program] = link({stage: stage_samplers(texts) for stage, texts in sources.items()})


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_every_uniform_location_is_the_one_gl_gave(path: Path) -> None:
    shaders = Shaders()
    with open_dump(path) as dump:
        for call in dump:
            assert isinstance(call, DumpCall)
            shaders.take(call)
            if call.name.startswith("glGetUniformLocation"):
                program = shaders.linked[call.args.get("program", call.args.get("programObj"))]
                assert program.locations.get(str(call.args["name"]), -1) == call.result, call
