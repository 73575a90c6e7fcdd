"""GL's functions by name, with plain data in and out; `GL.error` checks for errors.

``gl.call("glTexParameteriv", 0x0DE1, 0x2802, [0x2900])``: numbers as they are (for a pointer an offset into the bound
buffer), None for null, lists as arrays, bytes and str as bytes; a bytearray or writable memoryview is written into.
``gl.read("glGetTexParameterfv", 0x0DE1, 0x1004, count=4)`` returns what is written.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from statetracker.errors import ArgumentError, CallFailed, NoDevice, UnknownName
from statetracker.spellings import STAGE_NUMBERS, looked_up

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cffi import FFI

#: glGetError() -> name. Source: GL 4.6, 2.3.1.
ERRORS: Final = {
    0: "GL_NO_ERROR",
    0x0500: "GL_INVALID_ENUM",
    0x0501: "GL_INVALID_VALUE",
    0x0502: "GL_INVALID_OPERATION",
    0x0503: "GL_STACK_OVERFLOW",
    0x0504: "GL_STACK_UNDERFLOW",
    0x0505: "GL_OUT_OF_MEMORY",
    0x0506: "GL_INVALID_FRAMEBUFFER_OPERATION",
    0x0507: "GL_CONTEXT_LOST",
}

#: Stage -> GL's number of that kind of shader.
STAGES: Final = {stage: number for number, stage in STAGE_NUMBERS.items()}

_TYPES: Final = """
typedef unsigned int GLenum; typedef unsigned int GLuint; typedef unsigned int GLbitfield; typedef int GLint;
typedef int GLsizei; typedef int GLfixed; typedef unsigned char GLboolean; typedef unsigned char GLubyte;
typedef signed char GLbyte; typedef short GLshort; typedef unsigned short GLushort; typedef float GLfloat;
typedef float GLclampf; typedef double GLdouble; typedef double GLclampd; typedef char GLchar; typedef char GLcharARB;
typedef unsigned int GLhandleARB; typedef unsigned short GLhalf; typedef void GLvoid;
typedef intptr_t GLintptr; typedef intptr_t GLsizeiptr; typedef int64_t GLint64; typedef uint64_t GLuint64;
typedef intptr_t GLintptrARB; typedef intptr_t GLsizeiptrARB; typedef int64_t GLint64EXT; typedef uint64_t GLuint64EXT;
typedef void *GLsync; typedef void *GLDEBUGPROC; typedef void *GLDEBUGPROCARB; typedef void *GLVULKANPROCNV;
typedef void *GLeglImageOES; typedef void *GLeglClientBufferEXT; struct _cl_context; struct _cl_event;
"""


@cache
def prototypes() -> dict[str, str]:
    """Map every known function to its C prototype."""
    lines = (Path(__file__).parent / "gl_calls.txt").read_text(encoding="ascii").splitlines()
    rows = [line for line in lines if line and not line.startswith("#")]
    return {row[: row.index("(")].split()[-1].lstrip("*"): row for row in rows}


class GL:
    """The functions of the current context."""

    def __init__(self, ffi: FFI, address: Callable[[bytes], Any]) -> None:
        self._ffi = ffi
        self._address = address
        self._functions: dict[str, tuple[Any, tuple[Callable[[object], object] | None, ...]]] = {}
        if "GLenum" not in ffi.list_types()[0]:
            ffi.cdef(_TYPES)

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function.

        Args:
            name: As GL spells it.
            *arguments: As the module's first lines say.

        Returns:
            A number, a str where GL returns text, None where it returns nothing.

        Raises:
            UnknownName: A function not in the list.
            NoDevice: The driver lacks it.
            ArgumentError: A wrong count of arguments or one that is no such value.
        """
        function, converters = self._functions.get(name) or self._load(name)
        if len(arguments) != len(converters):
            raise ArgumentError(name, arguments, accepted=f"{len(converters)} arguments", hint=prototypes()[name])
        try:
            plain = [
                value if convert is None else convert(value)
                for value, convert in zip(arguments, converters, strict=True)
            ]
            answer = function(*plain)
        except (TypeError, ValueError, OverflowError, BufferError) as error:
            raise ArgumentError(name, arguments, accepted=prototypes()[name], hint=f"{error}.") from error
        return self._plain(answer)

    def read(self, name: str, *arguments: object, count: int = 1) -> list[Any]:
        """Call a getter and give the ``count`` values behind its last parameter (zero where it wrote none)."""
        function = (self._functions.get(name) or self._load(name))[0]
        array = self._ffi.new(f"{self._ffi.typeof(function).args[-1].item.cname}[]", count)
        self.call(name, *arguments, array)
        return list(array)

    def names(self, name: str, count: int = 1) -> list[int]:
        """Call a glGen or glCreate function of the form (count, names) and give the names."""
        array = self._ffi.new("GLuint[]", count)
        self.call(name, count, array)
        return list(array)

    def text(self, value: str) -> Any:
        """Make a C string for a place inside an array; it lives as long as it is kept."""
        return self._ffi.new("char[]", value.encode())

    def error(self) -> str:
        """Take the oldest error that glGetError reports, by name."""
        code = self.call("glGetError")
        return ERRORS.get(code, f"{code:#06x}")

    def has(self, name: str) -> bool:
        """Return whether the list and the driver have the function."""
        return name in prototypes() and bool(self._address(name.encode()))

    def _load(self, name: str) -> tuple[Any, tuple[Callable[[object], object] | None, ...]]:
        row = prototypes().get(name)
        if row is None:
            raise UnknownName("GL function", name, accepted="a function of bindings/gl_calls.txt")
        address = self._address(name.encode())
        if not address:
            raise NoDevice("GL", f"this driver has no {name}", value=name)
        kind = self._ffi.typeof(row.rstrip(";").replace(f"{name}(", "(*)(", 1))
        function = self._ffi.cast(kind, address)
        converters = tuple(self._converter(kind) for kind in kind.args)
        self._functions[name] = (function, converters)
        return self._functions[name]

    def _converter(self, kind: Any) -> Callable[[object], object] | None:
        if kind.kind != "pointer":
            return None
        ffi = self._ffi

        def convert(value: object) -> object:
            match value:
                case None:
                    return ffi.NULL
                case int():
                    return ffi.cast(kind, value)
                case str():
                    return ffi.new("char[]", value.encode())
                case bytes() | bytearray() | memoryview():
                    return ffi.cast(kind, ffi.from_buffer(value))
                case list() | tuple():
                    return ffi.new(f"{kind.item.cname}[]", value)
                case _:
                    return value

        return convert

    def _plain(self, answer: Any) -> Any:
        if not isinstance(answer, self._ffi.CData):
            return answer
        if not answer:
            return None
        if self._ffi.typeof(answer).cname not in {"unsigned char *", "char *"}:
            return answer
        return cast("bytes", self._ffi.string(answer)).decode()


def build(gl: GL, stages: Mapping[str, str | bytes], *, entry: str = "main") -> int:
    """Compile and link a program.

    Args:
        gl: Makes the calls.
        stages: Stage (`STAGES`) -> GLSL text, or the bytes of a SPIR-V module (GL_ARB_gl_spirv).
        entry: The entry point of SPIR-V modules.

    Returns:
        The program's name.

    Raises:
        CallFailed: It does not compile or link; the compiler's or linker's text says why.
    """
    program: int = gl.call("glCreateProgram")
    try:
        for stage, source in stages.items():
            shader = gl.call("glCreateShader", looked_up("stage", stage, STAGES))
            gl.call("glAttachShader", program, shader)
            gl.call("glDeleteShader", shader)  # it goes with the program
            if isinstance(source, bytes):
                gl.call("glShaderBinary", 1, [shader], 0x9551, source, len(source))
                gl.call("glSpecializeShader", shader, entry, 0, None, None)
            else:
                gl.call("glShaderSource", shader, 1, [gl.text(source)], None)
                gl.call("glCompileShader", shader)
            _check(gl, "Shader", shader, 0x8B81, f"{stage} shader")
        gl.call("glLinkProgram", program)
        _check(gl, "Program", program, 0x8B82, "program")
    except BaseException:
        gl.call("glDeleteProgram", program)
        raise
    return program


def _check(gl: GL, kind: str, name: int, status: int, what: str) -> None:
    if gl.read(f"glGet{kind}iv", name, status)[0]:
        return
    log = bytearray(max(1, gl.read(f"glGet{kind}iv", name, 0x8B84)[0]))
    gl.call(f"glGet{kind}InfoLog", name, len(log), None, log)
    text = bytes(log).rstrip(b"\0").decode(errors="replace").strip()
    raise CallFailed("GL", f"compiling or linking the {what}", text or "no reason given")
