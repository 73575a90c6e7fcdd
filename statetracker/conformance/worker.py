"""The child process of a live run: cases in on standard input, the driver's answers out on standard output.

``python -m statetracker.conformance.worker`` in an environment of `drivers.environment`. The first line out is a header
as recorded case files have it; then one line a case, in order. It is a process of its own: drivers crash and hang.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings import egl
from statetracker.bindings.gl import build
from statetracker.conformance.capture import FILE_VARIABLE, InfoTail
from statetracker.conformance.pipe_tail import PipeTail, Slot, screen_answers
from statetracker.conformance.readback import read_back
from statetracker.errors import CallFailed, StateTrackerError
from statetracker.gl.names import glenum
from statetracker.gl.program import sampler_target

if TYPE_CHECKING:
    from statetracker.bindings.gl import GL

_SPECIAL: Final = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_OK: Final = "GL_NO_ERROR"
_FIXED: Final = ("GL_TEXTURE_1D", "GL_TEXTURE_2D", "GL_TEXTURE_3D", "GL_TEXTURE_CUBE_MAP", "GL_TEXTURE_RECTANGLE")
_LIMITS: Final = {
    "GL_MAX_TEXTURE_SIZE": "glGetIntegerv",
    "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS": "glGetIntegerv",
    "GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT": "glGetFloatv",
    "GL_MAX_TEXTURE_LOD_BIAS": "glGetFloatv",
}


#: A vertex shader that puts the point into the middle of the target.
_POINT: Final = """\
#version 120
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0; }
"""

#: Sampler type without prefix and ``Shadow`` -> components of its coordinate, and the extension that it needs.
_COORDINATES: Final = {
    "sampler1D": (1, ""),
    "sampler2D": (2, ""),
    "sampler3D": (3, ""),
    "samplerCube": (3, ""),
    "sampler2DRect": (2, "GL_ARB_texture_rectangle"),
    "sampler1DArray": (2, "GL_EXT_texture_array"),
    "sampler2DArray": (3, "GL_EXT_texture_array"),
    "samplerCubeArray": (4, "GL_ARB_texture_cube_map_array"),
}


def draw_to_fixed_point(gl: GL) -> None:
    """Bind a target of 4 x 4 texels in a new context: some getters of compatibility contexts depend on its kind."""
    (framebuffer,), (target,) = gl.names("glGenFramebuffers"), gl.names("glGenRenderbuffers")
    gl.call("glBindRenderbuffer", 0x8D41, target)
    gl.call("glRenderbufferStorage", 0x8D41, 0x8058, 4, 4)
    gl.call("glBindFramebuffer", 0x8D40, framebuffer)
    gl.call("glFramebufferRenderbuffer", 0x8D40, 0x8CE0, 0x8D41, target)
    gl.call("glClear", 0x4000)  # from now on GL knows its kind


class LiveDriver:
    """A GL context of this process whose pipe calls are followed through Mesa's trace.

    ``trace`` is the file that GALLIUM_TRACE names.
    """

    def __init__(self, trace: str) -> None:
        self.context = egl.Context()
        self.gl: GL = self.context.gl
        self.tail = PipeTail(trace)
        self.answers = screen_answers(self.tail.new())
        capture = os.environ.get(FILE_VARIABLE)
        infos = InfoTail(capture) if capture else None
        self.infos = infos if infos and infos.exists else None  # the layer may not be installed
        self._programs: dict[tuple[str, int], int | str] = {}
        gl = self.gl
        draw_to_fixed_point(gl)
        (self._nothing_seen,) = gl.names("glGenQueries")
        gl.call("glBeginQuery", 0x8914, self._nothing_seen)
        gl.call("glEndQuery", 0x8914)

    def header(self) -> dict[str, Any]:
        """Describe the driver as the first line of a recorded case file."""
        gl = self.gl
        version = gl.call("glGetString", 0x1F02)
        names = [gl.call("glGetStringi", 0x1F03, place) for place in range(gl.read("glGetIntegerv", 0x821D)[0])]
        limits = {name: gl.read(getter, glenum(name))[0] for name, getter in _LIMITS.items()}
        self._drop_errors()  # of a limit whose extension the driver lacks
        return {
            "header": True,
            "oracle_version": 1,
            "driver": os.environ.get("GALLIUM_DRIVER", "default"),
            "gallium_driver": os.environ.get("GALLIUM_DRIVER", ""),
            "gl_renderer": gl.call("glGetString", 0x1F01),
            "gl_version": version,
            "glsl_version": gl.call("glGetString", 0x8B8C),
            "mesa_version": version.rpartition("Mesa ")[2].split()[0] if "Mesa " in version else "",
            "context": "compatibility",
            "faked_caps": {},
            "create_infos": self.infos is not None,
            "limits": limits,
            "gl_extensions": names,
            **self.answers,
        }

    def run(self, case: dict[str, Any]) -> dict[str, Any]:
        """Run one case; return it with the driver's answers, and leave default state behind."""
        names: dict[str, int] = {}
        try:
            return self._run(case, names)
        finally:
            self._reset(case.get("unit", 0), names)

    def _run(self, case: dict[str, Any], names: dict[str, int]) -> dict[str, Any]:
        calls = []
        for call in case["calls"]:
            error = self._call(call["fn"], call["args"], names)
            calls.append({"fn": call["fn"], "args": call["args"], "err": error})
            if error != _OK and call["fn"].startswith(("glTexImage", "glTexStorage")):
                return {"id": case["id"], "calls": calls, "skipped": f"{call['fn']}: {error}"}
        shader = case.get("shader")
        if not shader:
            return case | {"calls": calls}
        program: int | str = 0 if shader["fixed_function"] else self._program(shader["sampler_type"], shader["glsl"])
        if isinstance(program, str):
            return {"id": case["id"], "calls": calls, "skipped": f"shader: {program.splitlines()[0][:200]}"}
        result = case | {"calls": calls}
        if "texture" in case:
            result["gl_readback"] = read_back(self._ask, case["texture"]["target"], names.get("smp"))
        return result | self._draw(program, case.get("unit", 0))

    def _draw(self, program: int, unit: int) -> dict[str, Any]:
        gl = self.gl
        self.tail.poll()
        gl.call("glViewport", 0, 0, 4, 4)
        gl.call("glUseProgram", program)
        if program:
            gl.call("glUniform1i", gl.call("glGetUniformLocation", program, "tex"), unit)
        # Under a condition that is false drivers bind states but compile and run no shader: that is faster, and some
        # abort when they compile some combinations.
        gl.call("glBeginConditionalRender", self._nothing_seen, 0x8E13)
        gl.call("glBegin", 0)
        gl.call("glVertex2f", 0.0, 0.0)
        gl.call("glEnd")
        gl.call("glEndConditionalRender")
        gl.call("glFinish")
        error = gl.error()
        seen = self.tail.poll()
        problem = self.infos.follow(self.tail.made()) if self.infos else ""
        slots = seen.slots
        if not program:  # it leaves out a unit whose texture is incomplete: what is bound there is left from before
            slots = {number: slot for number, slot in slots.items() if slot.fresh}
        first = slots.get(0, Slot())
        facts: dict[str, Any] = {"draws": seen.draws, "draw_err": error}
        facts |= {"cso_created_by_draw": first.handle in seen.created}
        facts |= {"pipe_sampler_state": first.state, "sampler_view": first.view}
        if not program:
            facts |= self._fixed_function(slots)
        if first.state is None or first.handle is None:
            return facts | {"raw": None, "note": "nothing is sampled: no state and no view for slot 0"}
        if self.infos:
            facts |= {"vk_problem": problem} if problem else self.infos.of(first.handle)
        raw = first.raw()
        return facts | ({"raw": raw} if raw else {})

    def _fixed_function(self, slots: dict[int, Slot]) -> dict[str, Any]:
        """All slots, as one texture is drawn with, which newer releases bind at the slot of its unit."""
        records = {str(number): slot.raw() for number, slot in slots.items()}
        view = next((slot.view for slot in slots.values()), None)
        return {"unit_view": view} | ({"slots": records} if all(records.values()) else {})

    def _program(self, sampler_type: str, version: int) -> int | str:
        """Build the program for a sampler type once; the compiler's log where the driver refuses it."""
        key = sampler_type, version
        if key not in self._programs:
            try:
                stages: dict[str, str | bytes] = {"vertex": _POINT, "fragment": fragment_shader(sampler_type, version)}
                self._programs[key] = build(self.gl, stages)
            except CallFailed as error:
                self._programs[key] = str(error.code)
        return self._programs[key]

    def _call(self, fn: str, args: list[Any], names: dict[str, int]) -> str:
        values = [self._value(value, names) for value in args]
        if fn == "glActiveTexture" and values[0] < 0x84C0:
            values[0] += 0x84C0
        if fn.endswith("v") and fn.startswith(("glTexParameter", "glSamplerParameter", "glTexEnv")):
            values[-1] = values[-1] if isinstance(values[-1], list) else [values[-1], 0, 0, 0]
        self.gl.call(fn, *values)
        first = self.gl.error()
        if first != _OK:
            self._drop_errors()
        return first

    def _value(self, value: Any, names: dict[str, int]) -> Any:
        if isinstance(value, list):
            return [self._value(part, names) for part in value]
        if not isinstance(value, str):
            return value
        if value in _SPECIAL:
            return _SPECIAL[value]
        if value.startswith("GL_"):
            return glenum(value)
        if value not in names:
            names[value] = self.gl.names("glGenSamplers" if value.startswith("smp") else "glGenTextures")[0]
        return names[value]

    def _ask(self, fn: str, *args: object) -> list[Any] | None:
        values = [glenum(arg) if isinstance(arg, str) else arg for arg in args]
        answer = [self.gl.call(fn, *values)] if fn == "glIsEnabled" else self.gl.read(fn, *values, count=4)
        return answer if self.gl.error() == _OK else None

    def _reset(self, unit: int, names: dict[str, int]) -> None:
        gl = self.gl
        gl.call("glUseProgram", 0)
        gl.call("glActiveTexture", 0x84C0 + unit)
        gl.call("glTexEnvf", 0x8500, 0x8501, 0.0)
        for target in _FIXED:
            gl.call("glDisable", glenum(target))
        gl.call("glDisable", glenum("GL_TEXTURE_CUBE_MAP_SEAMLESS"))
        for name, value in names.items():
            gl.call("glDeleteSamplers" if name.startswith("smp") else "glDeleteTextures", 1, [value])
        gl.call("glActiveTexture", 0x84C0)
        self._drop_errors()

    def _drop_errors(self) -> None:
        while self.gl.error() != _OK:
            pass


def fragment_shader(sampler_type: str, version: int) -> str:
    """Write a fragment shader that samples ``tex`` once; raises `ArgumentError` for a type that GLSL does not have.

    Args:
        sampler_type: A GLSL sampler type, such as ``usampler2DArray`` or ``samplerCubeShadow``.
        version: GLSL version, 120 or later.
    """
    sampler_target(sampler_type)
    shadow = sampler_type.endswith("Shadow")
    plain = sampler_type.removesuffix("Shadow").lstrip("iu")
    components, extension = _COORDINATES[plain]
    function = "texture"
    if version < 130:
        old = "" if plain == "samplerCubeArray" else plain.removeprefix("sampler")
        function = ("shadow" if shadow else "texture") + old
    more = ""
    if shadow and plain == "samplerCubeArray":  # the reference value is an argument, and else the last component
        more = ", 0.5"
    elif shadow:
        components = 3 if plain == "sampler1D" else components + 1  # of 1D one component is not used
    coordinate = "0.5" if components == 1 else f"vec{components}(0.5)"
    value = f"{function}(tex, {coordinate}{more})"
    colour = value if sampler_type[0] == "s" and not shadow else f"vec4({value})"
    enabled = f"#extension {extension} : enable\n" if extension else ""
    return f"#version {version}\n{enabled}uniform {sampler_type} tex;\nvoid main() {{ gl_FragColor = {colour}; }}\n"


def main() -> int:
    """Answer cases until standard input ends."""
    # Control-C reaches all of a terminal's processes; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a driver prints is not an answer
    try:
        live = LiveDriver(os.environ["GALLIUM_TRACE"])
    except StateTrackerError as error:
        _say(out, {"failed": error.subject(), "hint": error.hint})
        return 2
    _say(out, live.header())
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = live.run(case)
        except StateTrackerError as error:
            answer = {"id": case.get("id"), "failed": str(error)}
        _say(out, answer)
    sys.stdout.flush()
    out.flush()
    os._exit(0)  # some drivers do not survive their own clean-up


def _say(out: Any, answer: dict[str, Any]) -> None:
    out.write(json.dumps(answer) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
