"""What tests of streams share: small dumps written by hand, and what their replay samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from statetracker.caps import Screen
from statetracker.pipe import SamplerState
from statetracker.replay import Creates, DumpReplay
from statetracker.sampler import converter

if TYPE_CHECKING:
    from pathlib import Path

LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")
TEXTURE = """\
glBindTexture(target = GL_TEXTURE_2D, texture = {name})
glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = {format}, width = 8, height = 8, border = 0,\
 format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = NULL)
glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)
glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_LOD, param = {name})"""
TRIANGLE = "glBegin(mode = GL_TRIANGLES)\nglVertex2f(x = 0, y = 1)\nglEnd()"
SHADER = """\
glCreateShader(type = {kind}) = {shader}
glShaderSource(shader = {shader}, count = 1, string = &"{source}", length = NULL)
glCompileShader(shader = {shader})
glAttachShader(program = {program}, shader = {shader})"""


def texture(name: int, internal: str = "GL_RGBA8") -> str:
    """Calls that bind a complete texture, marked by its MIN_LOD, which is its name."""
    return TEXTURE.format(name=name, format=internal)


def program(name: int, **sources: str) -> str:
    """Calls that make and use a program; ``vertex="..."`` and so on are its sources."""
    kinds = {stage: f"GL_{stage.upper()}_SHADER" for stage in sources}
    shaders = [
        SHADER.format(kind=kinds[stage], shader=name * 10 + n, source=source, program=name)
        for n, (stage, source) in enumerate(sources.items(), 1)
    ]
    ends = (f"glLinkProgram(program = {name})", f"glUseProgram(program = {name})")
    return "\n".join([f"glCreateProgram() = {name}", *shaders, *ends])


class Sampled(Protocol):
    """Give the MIN_LODs of the states that calls create, in order."""

    def __call__(self, *calls: str, profile: str = "") -> list[int]:
        """Replay calls, written as a dump shows them; those without a number get their place."""
        ...


@pytest.fixture
def sampled(tmp_path: Path) -> Sampled:
    """Replay calls; the MIN_LODs of the created states. A call that makes no sense fails the test."""

    def replay(*calls: str, profile: str = "") -> list[int]:
        lines = [line for line in "\n".join(calls).splitlines() if line]
        path = tmp_path / "dump.txt"
        numbered = (line if line[:1].isdigit() else f"{n} {line}" for n, line in enumerate(lines))
        path.write_text("".join(f"{line}\n" for line in numbered))
        run = DumpReplay(str(path), LLVMPIPE, profile=profile)
        events = list(run)
        assert not run.problems
        made = [SamplerState.from_bytes(event.state) for event in events if isinstance(event, Creates)]
        return [int(state.min_lod) for state in made]

    return replay
