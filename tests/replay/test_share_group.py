"""Display lists of a stream; ARB_shading_language_include: named strings, and what Mesa 22.3.6 makes of them."""

from __future__ import annotations

import pytest

from statetracker.gl import Context
from statetracker.gl.names import glenum
from statetracker.replay.programs import Programs
from statetracker.replay.share_group import NamedStrings, Shaders, is_search_path
from statetracker.trace.apitrace import DumpCall
from tests.replay.conftest import TRIANGLE, Sampled, program, texture

TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
SAMPLER = (
    "glGenSamplers(count = 1, samplers = &3)\n"
    "glSamplerParameteri(sampler = 3, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)\n"
    "glSamplerParameterf(sampler = 3, pname = GL_TEXTURE_MIN_LOD, param = 7)"
)
BASE = "pname = GL_TEXTURE_MIN_LOD, param = 5"


@pytest.mark.parametrize(
    ("call", "after_compiling", "after_calling"),
    [
        ("glBindTextures(first = 0, count = 1, textures = NULL)", [], []),
        ("glBindTextureUnit(unit = 0, texture = 0)", [], []),
        ("glBindSamplers(first = 0, count = 1, samplers = &3)", [7], [7]),
        (f"glTextureParameterf(texture = 1, {BASE})", [5], [5]),
        (f"glTextureParameterfEXT(texture = 1, target = GL_TEXTURE_2D, {BASE})", [1], [1, 5]),
        (f"glTexParameterf(target = GL_TEXTURE_2D, {BASE})", [1], [1, 5]),
        ("glBindSampler(unit = 0, sampler = 3)", [1], [1, 7]),
    ],
)
def test_calls_that_mesa_never_compiles_are_executed_at_once(
    sampled: Sampled, call: str, after_compiling: list[int], after_calling: list[int]
) -> None:
    compiled = (
        *TEXTURED,
        SAMPLER,
        "glNewList(list = 9, mode = GL_COMPILE)",
        call,
        "glEndList()",
        TRIANGLE,
        "glFlush()",
    )
    assert sampled(*compiled) == after_compiling
    assert sampled(*compiled, "glCallList(list = 9)", TRIANGLE) == after_calling


CONTEXTS = (
    "@0 glXCreateContext(dpy = 0x1, vis = 0x2, shareList = NULL, direct = True) = 0x10\n"
    "@0 glXMakeCurrent(dpy = 0x1, drawable = 1, ctx = 0x10) = True\n"
    "@1 glXCreateContext(dpy = 0x1, vis = 0x2, shareList = 0x10, direct = True) = 0x20\n"
    "@1 glXMakeCurrent(dpy = 0x1, drawable = 1, ctx = 0x20) = True"
)


def on(thread: int, *calls: str) -> str:
    return "\n".join(f"@{thread} {call}" for call in "\n".join(calls).splitlines())


def test_a_list_takes_only_the_calls_of_the_context_that_compiles_it(sampled: Sampled) -> None:
    compiling = "glNewList(list = 9, mode = GL_COMPILE)"
    assert sampled(CONTEXTS, on(1, compiling), on(0, *TEXTURED, TRIANGLE), on(1, "glEndList()")) == [1]


def test_a_list_is_executed_in_the_context_that_calls_it(sampled: Sampled) -> None:
    compiled = on(1, "glNewList(list = 9, mode = GL_COMPILE)", TRIANGLE, "glEndList()")
    assert sampled(CONTEXTS, on(0, *TEXTURED), compiled, on(0, "glCallList(list = 9)")) == [1]
    assert sampled(CONTEXTS, on(0, *TEXTURED), compiled, on(1, "glCallList(list = 9)")) == []


LIBRARY = "uniform sampler2D inc;\nvec4 g() { return texture(inc, vec2(0.5)); }\n"
ENABLE = "#extension GL_ARB_shading_language_include : require\n"
NAMED = {
    "/lib.glsl": LIBRARY,
    "/d/a.glsl": '#include "b.glsl"\n',
    "/d/b.glsl": LIBRARY,
    "/d/c.glsl": "#include <b.glsl>\n",
    "/d/abs.glsl": '#include "/lib.glsl"\n',
    "/def.glsl": "#define g() vec4(1)\n",
    "/self.glsl": '#include "/self.glsl"\n',
}


FRAGMENT = glenum("GL_FRAGMENT_SHADER")


def gives(name: int) -> DumpCall:
    """A call that made an object of that name."""
    return DumpCall(0, "", {}, result=name)


def programs() -> Programs:
    made = Programs(Context(), "llvmpipe", Shaders(), {})
    for name, text in NAMED.items():
        made.shaders.named_strings.glNamedString(0, -1, name, -1, text)
    made.glCreateProgram(gives(1))
    return made


def samplers(head: str, paths: tuple[str, ...] = (), *, enable: str = ENABLE) -> list[str] | None:
    """The samplers of a program whose fragment shader begins like this; None for one that does not link."""
    made = programs()
    made.shaders.glCreateShader(gives(2), FRAGMENT)
    text = f"#version 150 compatibility\n{enable}{head}\nvoid main() {{ gl_FragColor = g(); }}\n"
    made.shaders.glShaderSource(2, 1, (text,), None)
    made.shaders.glCompileShader(2, len(paths), paths)
    made.glAttachShader(1, 2)
    made.glLinkProgram(1)
    seen = made.objects[1].executable
    return None if seen is None else [sampler.name for sampler in seen.linked.samplers]


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        ('#include "/lib.glsl"', ()),
        ("#include </lib.glsl>", ()),
        ('  # include "/lib.glsl"  ', ()),
        ('#include "/d/../lib.glsl"', ()),
        ('#include "/./lib.glsl"', ()),
        ('#include "/d/abs.glsl"', ()),
        ('#include "b.glsl"', ("/x", "/d")),
        ("#include <b.glsl>", ("/d",)),
        ('#include "../lib.glsl"', ("/d",)),
        ('#include "/d/a.glsl"', ("/d",)),
        ('#include "/d/c.glsl"', ("/d",)),
        ('#if 0\n#include "/none.glsl"\n#endif\n#include "/lib.glsl"', ()),
        ('/*\n#include "/none.glsl"\n*/\n#include "/lib.glsl"', ()),
    ],
)
def test_an_include_of_a_named_string_links(head: str, paths: tuple[str, ...]) -> None:
    assert samplers(head, paths) == ["inc"]


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        ('#include "//lib.glsl"', ()),
        ('#include "lib.glsl"', ()),
        ('#include "lib.glsl"', ("/",)),
        ('#include "/lib.glsl"', ("/d", "relative")),
        ('#include "/d/a.glsl"', ()),
        ('#include "/d/c.glsl"', ()),
        ('#include "/none.glsl"', ()),
        ('#include "/self.glsl"', ()),
        ('#define LIB "/lib.glsl"\n#include LIB', ()),
    ],
)
def test_an_include_of_no_named_string_does_not_link(head: str, paths: tuple[str, ...]) -> None:
    assert samplers(head, paths) is None


def test_the_extension_must_be_enabled() -> None:
    assert samplers('#include "/lib.glsl"', enable="") is None
    assert samplers('#include "/lib.glsl"', enable=ENABLE.replace("require", "disable")) is None
    assert samplers('#include "/lib.glsl"', enable=ENABLE.replace("require", "enable")) == ["inc"]


def test_a_string_may_be_included_twice() -> None:
    assert samplers('#include "/def.glsl"\n#include "/def.glsl"') == []


def test_the_text_of_the_time_of_compiling_counts() -> None:
    named = NamedStrings()
    named.glNamedString(0, -1, "/x", -1, "old")
    source = ENABLE + '#include "/x"'
    assert named.expand(source) == ENABLE + "old"
    named.glNamedString(0, -1, "/x", -1, r"new \1")
    assert named.expand(source) == ENABLE + r"new \1"
    named.glDeleteNamedString(-1, "/d/../x")
    assert named.expand(source) == source


@pytest.mark.parametrize("name", ["x", "", "/", "/x/", "//x", "/a//b"])
def test_a_name_that_gl_does_not_take_is_no_string(name: str) -> None:
    assert not is_search_path(name)
    named = NamedStrings()
    named.glNamedString(0, -1, "/y", -1, "text")
    named.glNamedString(0, -1, name, -1, "text")
    source = f'{ENABLE}#include "{name}"'
    assert named.expand(source, ["/a"]) == source


def test_a_separate_shader_program_includes_too() -> None:
    made = programs()
    source = f'#version 410\n{ENABLE}#include "/lib.glsl"\nout vec4 o; void main() {{ o = g(); }}'
    assert made.glCreateShaderProgramv(gives(3), FRAGMENT, 1, (source,)) == ()
    seen = made.objects[3].executable
    assert seen is not None
    assert [sampler.name for sampler in seen.linked.samplers] == ["inc"]


SAMPLES = "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }"
PLAIN = "void main() { gl_FragColor = vec4(1.0); }"


def test_a_deleted_shader_can_be_attached_while_another_program_has_it(sampled: Sampled) -> None:
    calls = ["glDeleteShader(shader = 11)", "glCreateProgram() = 2", "glAttachShader(program = 2, shader = 11)"]
    link = ["glLinkProgram(program = 2)", "glUseProgram(program = 2)"]
    assert sampled(texture(1), program(1, fragment=SAMPLES), *calls, *link, TRIANGLE) == [1]


@pytest.mark.parametrize("last", ["glDetachShader(program = 1, shader = 11)", "glDeleteProgram(program = 1)"])
def test_a_deleted_shader_goes_with_the_last_program_that_has_it(sampled: Sampled, last: str) -> None:
    calls = ["glUseProgram(program = 0)", "glDeleteShader(shader = 11)", last, "glCreateProgram() = 2"]
    gone = ["glAttachShader(program = 2, shader = 11)", "glLinkProgram(program = 2)", "glUseProgram(program = 2)"]
    assert sampled(texture(1), program(1, fragment=SAMPLES), *calls, *gone, TRIANGLE) == []


def test_a_deleted_shader_can_be_detached(sampled: Sampled) -> None:
    away = ["glDeleteShader(shader = 11)", "glDetachShader(program = 1, shader = 11)"]
    other = program(1, fragment=PLAIN).replace("11", "12").replace("glCreateProgram() = 1\n", "")
    assert sampled(texture(1), program(1, fragment=SAMPLES), *away, other, TRIANGLE) == []
