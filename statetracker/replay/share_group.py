"""The objects of a share group: shaders, named strings (ARB_shading_language_include), display lists.

Source: docs/streams.md (GL 4.6 compatibility, 7.1 and 21.4), docs/glsl.md (recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from statetracker.gl.names import glenum
from statetracker.replay.calls import Allowance, at_once, nothing, result_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.trace.apitrace import DumpCall

_GL_NAMES: Final = {
    **{stage: stage.upper() for stage in ("vertex", "geometry", "fragment", "compute")},
    "tess-ctrl": "TESS_CONTROL",
    "tess-eval": "TESS_EVALUATION",
}
#: GL's shader types -> stages.
SHADER_STAGES: Final = {glenum(f"GL_{name}_SHADER"): stage for stage, name in _GL_NAMES.items()}
#: Stages -> their bits in glUseProgramStages.
STAGE_BITS: Final = {stage: glenum(f"GL_{name}_SHADER_BIT") for stage, name in _GL_NAMES.items()}
_ENABLED: Final = re.compile(
    r"^[ \t]*#[ \t]*extension[ \t]+GL_ARB_shading_language_include[ \t]*:[ \t]*(?:require|enable|warn)\b", re.MULTILINE
)
#: Characters of a token, about.
_TOKEN: Final = 4
_INCLUDE: Final = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>)[ \t]*$", re.MULTILINE)

_COMPILE_AND_EXECUTE: Final = glenum("GL_COMPILE_AND_EXECUTE")
_DRAWING: Final = ("glBegin", "glDraw", "glMultiDraw", "glRect", "glBitmap", "glCopyPixels", "glEvalMesh", "glCallList")
_LISTS: Final = "display lists"
#: How deep lists may call lists.
_DEEPEST: Final = 64
#: How many lists one-byte names may mean.
_BYTES: Final = 256


class Shader:
    """A shader object: its stage, its source, and the source it was compiled from (None: not, or in vain).

    A deleted one keeps its name while it is attached: ``attached`` counts to how many programs.
    """

    def __init__(self, stage: str, name: int = 0) -> None:
        self.stage = stage
        self.name = name
        self.attached = 0
        self.deleted = False
        self.source = ""
        self.compiled: str | None = None


class Shaders:
    """The shader objects, by name."""

    def __init__(self, allowance: Allowance | None = None) -> None:
        self.allowance = allowance or Allowance()
        self.named_strings = NamedStrings(self.allowance)
        self.objects: dict[int, Shader] = {}

    def glCreateShader(self, call: DumpCall, kind: int) -> None:
        name = result_name(call)
        if kind in SHADER_STAGES and name:
            self.objects[name] = Shader(SHADER_STAGES[kind], name)

    def glShaderSource(self, shader: int, _count: int, strings: object, *_lengths: object) -> None:
        if shader in self.objects:
            self.objects[shader].source = joined(strings)

    def glCompileShader(self, shader: int, _count: int = 0, paths: object = (), *_lengths: object) -> None:
        """GL must take all of its paths."""
        obj = self.objects.get(shader)
        searched = [str(path) for path in paths] if isinstance(paths, tuple) else []
        if obj is not None and all(map(is_search_path, searched)):
            obj.compiled = self.named_strings.expand(obj.source, searched)

    glCompileShaderInclude = glCompileShader

    def report_failure(self, shader: int) -> None:
        """Undo a compile that GL reported as failed: the shader cannot be linked."""
        if shader in self.objects:
            self.objects[shader].compiled = None

    def glDeleteShader(self, shader: int) -> None:
        """Delete a shader, unless it is attached."""
        if shader in self.objects:
            self.objects[shader].deleted = True
            self._forget(self.objects[shader])

    def attach(self, shader: Shader, count: int) -> None:
        """Count a program to which a shader is attached (1), or no longer is (-1)."""
        shader.attached += count
        self._forget(shader)

    def _forget(self, shader: Shader) -> None:
        if shader.deleted and not shader.attached and self.objects.get(shader.name) is shader:
            del self.objects[shader.name]


def is_search_path(path: str) -> bool:
    """Return whether GL takes a path: absolute, without empty parts, no slash at its end."""
    return path.startswith("/") and not path.endswith("/") and "//" not in path


class NamedStrings:
    """The named strings; a negative length is all of a text."""

    def __init__(self, allowance: Allowance | None = None) -> None:
        self._allowance = allowance or Allowance()
        self._texts: dict[str, str] = {}

    def glNamedString(self, _kind: int, name_length: int, name: str, length: int, text: str) -> None:
        """Keep a named string; a name that GL does not take changes nothing."""
        path = _cut(name, name_length)
        if is_search_path(path):
            self._texts[posixpath.normpath(path)] = _cut(text, length)

    def glDeleteNamedString(self, length: int, name: str) -> None:
        self._texts.pop(posixpath.normpath(_cut(name, length)), None)

    def expand(self, source: str, paths: Sequence[str] = ()) -> str:
        """Fill in what a source includes; raises `Spent`.

        Relative names are looked for in ``paths``, in this order; absolute names need none.

        A source that does not enable the extension stays as it is, and so does the line of a name that is not defined,
        or that includes itself: the compiler refuses it where it is reached.
        """
        if not self._texts or _ENABLED.search(source) is None:
            return source
        return self._expand(source, paths, ())

    def _expand(self, source: str, paths: Sequence[str], open_: tuple[str, ...]) -> str:
        def text_of(line: re.Match[str]) -> str:
            name = self._find(line[1] or line[2], paths)
            if name is None or name in open_:
                return line[0]
            self._allowance.take("included texts", 1 + len(self._texts[name]) // _TOKEN)
            return self._expand(self._texts[name], paths, (*open_, name))

        return _INCLUDE.sub(text_of, source)

    def _find(self, name: str, paths: Sequence[str]) -> str | None:
        """Return the name of the string that is meant, None where there is none."""
        whole = [name] if name.startswith("/") else [f"{path}/{name}" for path in paths]
        names = (posixpath.normpath(full) for full in whole if is_search_path(full))
        return next((full for full in names if full in self._texts), None)


def joined(strings: object) -> str:
    """Return the text of an array of strings."""
    return "".join(str(part) for part in strings) if isinstance(strings, tuple) else str(strings or "")


def _cut(text: object, length: object) -> str:
    return str(text)[:length] if isinstance(length, int) and length >= 0 else str(text)


class DisplayLists:
    """The lists of a share group, and the one that a context is compiling.

    Args:
        allowance: Of the recording: each list that is run, and each of its calls, takes one.
        shared: Those of another context of the group; None: there is none.

    Attributes:
        called: Number of the call that runs a list, the outermost.
    """

    def __init__(self, allowance: Allowance, shared: DisplayLists | None = None) -> None:
        self.allowance = allowance
        self.lists: dict[int, tuple[DumpCall, ...]] = {} if shared is None else shared.lists
        self.drawing: set[int] = set() if shared is None else shared.drawing
        self.base = self.called = 0
        self._name = 0
        self._calls: list[DumpCall] | None = None
        self._executes = False
        self._running: list[int] = []

    @property
    def compiling(self) -> bool:
        return self._calls is not None

    @property
    def running(self) -> bool:
        return bool(self._running)

    @property
    def compiles_only(self) -> bool:
        """True where calls go into a list and are not executed now."""
        return self._calls is not None and not self._executes and not self._running

    def glNewList(self, name: int, mode: int) -> None:
        if name > 0 and self._calls is None:
            self._name, self._calls, self._executes = name, [], mode == _COMPILE_AND_EXECUTE

    def glEndList(self) -> None:
        if self._calls is not None:
            self.lists[self._name] = tuple(self._calls)
            self.drawing.discard(self._name)
            if any(call.name.startswith(_DRAWING) for call in self._calls):
                self.drawing.add(self._name)
            self._calls = None

    def keep(self, call: DumpCall) -> bool:
        """Take a call into the list that is compiled; whether that is all that happens to it now."""
        if self._calls is None or self._running or at_once(call.name):
            return False
        self._calls.append(call)
        return not self._executes

    glGenLists = nothing

    def glListBase(self, base: int) -> None:
        self.base = base

    def glDeleteLists(self, first: int, count: int) -> None:
        for name in [name for name in self.lists if first <= name < first + count]:
            del self.lists[name]

    def run(self, name: int, execute: Callable[[DumpCall], None], caller: DumpCall) -> None:
        """Execute a list's calls on the caller's thread; a list within itself is left out. Raises `Spent`."""
        self.allowance.take(_LISTS)
        if len(self._running) >= _DEEPEST or name in self._running:
            return
        self.called = self.called if self._running else caller.number
        self._running.append(name)
        try:
            for call in self.lists.get(name, ()):
                self.allowance.take(_LISTS)
                execute(call if call.thread == caller.thread else call._replace(thread=caller.thread))
        finally:
            self._running.pop()

    def guess(self, count: int) -> Sequence[int]:
        """Return the lists that a glCallLists with one-byte names is taken to mean: ``count`` from the base on.

        Lists that draw nothing come first: what they set is for those that draw.
        """
        self.allowance.take(_LISTS, len(self.lists))
        near = (name for name in self.lists if 0 <= name - self.base < _BYTES)
        chosen = sorted((name in self.drawing, name) for name in near)
        return [name for _, name in chosen[: max(0, count)]]
