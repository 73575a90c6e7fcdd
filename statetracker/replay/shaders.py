"""Shader objects and named strings of a share group.

Source: docs/streams.md (GL 4.6 compatibility, 7.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl.registry import number
from statetracker.replay.calls import result_name
from statetracker.replay.includes import NamedStrings, is_search_path

if TYPE_CHECKING:
    from statetracker.replay.calls import Handlers
    from statetracker.trace.apitrace import DumpCall

__all__ = ["CALLS", "SHADER_STAGES", "WHOLE_CALLS", "Shader", "Shaders", "joined"]

#: GL's shader types -> stages.
SHADER_STAGES: Final = {
    number("GL_VERTEX_SHADER"): "vertex",
    number("GL_TESS_CONTROL_SHADER"): "tess-ctrl",
    number("GL_TESS_EVALUATION_SHADER"): "tess-eval",
    number("GL_GEOMETRY_SHADER"): "geometry",
    number("GL_FRAGMENT_SHADER"): "fragment",
    number("GL_COMPUTE_SHADER"): "compute",
}


class Shader:
    """A shader object: its stage, its source, and the source it was compiled from (None: not, or in vain)."""

    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.source = ""
        self.compiled: str | None = None


class Shaders:
    """The shader objects, by name, and the named strings. Handlers of calls take GL's arguments."""

    def __init__(self) -> None:
        self.named_strings = NamedStrings()
        self.objects: dict[int, Shader] = {}

    def create(self, call: DumpCall, kind: int) -> None:
        """``glCreateShader``."""
        name = result_name(call)
        if kind in SHADER_STAGES and name:
            self.objects[name] = Shader(SHADER_STAGES[kind])

    def set_source(self, shader: int, _count: int, strings: object, *_lengths: object) -> None:
        """``glShaderSource``."""
        if shader in self.objects:
            self.objects[shader].source = joined(strings)

    def compile(self, shader: int, _count: int = 0, paths: object = (), *_lengths: object) -> None:
        """``glCompileShader``, glCompileShaderIncludeARB: GL must take all of its paths."""
        found = self.objects.get(shader)
        searched = [str(path) for path in paths] if isinstance(paths, tuple) else []
        if found is not None and all(map(is_search_path, searched)):
            found.compiled = self.named_strings.expand(found.source, searched)

    def report_failure(self, shader: int) -> None:
        """Undo a compile that GL reported as failed: the shader cannot be linked."""
        if shader in self.objects:
            self.objects[shader].compiled = None

    def delete(self, shader: int) -> None:
        """``glDeleteShader``; what is attached stays attached."""
        self.objects.pop(shader, None)

    def name_string(self, _kind: int, name_length: int, name: str, length: int, text: str) -> None:
        """``glNamedStringARB``."""
        self.named_strings.define(_cut(name, name_length), _cut(text, length))

    def delete_string(self, length: int, name: str) -> None:
        """``glDeleteNamedStringARB``."""
        self.named_strings.delete(_cut(name, length))


def joined(strings: object) -> str:
    """The text of an array of strings."""
    return "".join(str(part) for part in strings) if isinstance(strings, tuple) else str(strings or "")


def _cut(text: object, length: object) -> str:
    """A text of a given length; negative: all of it."""
    return str(text)[:length] if isinstance(length, int) and length >= 0 else str(text)


#: Calls whose handlers take GL's arguments.
CALLS: Final[Handlers] = {
    "glShaderSource": Shaders.set_source,
    "glCompileShader": Shaders.compile,
    "glCompileShaderInclude": Shaders.compile,
    "glNamedString": Shaders.name_string,
    "glDeleteNamedString": Shaders.delete_string,
    "glDeleteShader": Shaders.delete,
}
#: Calls whose handlers take the call itself first, for its result.
WHOLE_CALLS: Final[Handlers] = {"glCreateShader": Shaders.create}
