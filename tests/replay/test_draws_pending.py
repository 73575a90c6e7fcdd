"""Vertices that wait after glEnd, and which calls draw them: what glBindTextures unbinds before is not seen by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.replay.conftest import TRIANGLE, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

UNBIND = "glBindTextures(first = 0, count = 1, textures = NULL)"
TEXTURED = texture(1), "glEnable(cap = GL_TEXTURE_2D)"
VIEWPORT = "glViewport(x = 0, y = 0, width = {}, height = 60)"
MAKE_CURRENT = "glXMakeCurrent(dpy = 0x1, drawable = 1, ctx = 0x{}) = True"
CREATE = (
    "glXCreateContextAttribsARB(dpy = 0x1, config = 0x2, share_context = {}, direct = True, "
    "attrib_list = {{GLX_CONTEXT_MAJOR_VERSION_ARB, 2, 0}}) = 0x{}"
)


@pytest.mark.parametrize(
    "call",
    [
        "glFlush()",
        "glFinish()",
        "glClear(mask = GL_COLOR_BUFFER_BIT)",
        "glReadPixels(x = 0, y = 0, width = 1, height = 1, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = &0)",
        "glGetTexImage(target = GL_TEXTURE_2D, level = 0, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = &0)",
        "glLoadIdentity()",
        "glRasterPos2f(x = 0, y = 0)",
        "glScissor(x = 0, y = 0, width = 5, height = 5)",
        VIEWPORT.format(64),
        "glBlendFunc(sfactor = GL_ONE, dfactor = GL_ONE)",
        "glPointSize(size = 2)",
        "glColor4f(red = 1, green = 1, blue = 1, alpha = 1)",
        "glNormal3f(nx = 0, ny = 0, nz = 1)",
        "glMaterialf(face = GL_FRONT, pname = GL_SHININESS, param = 3)",
        "glLightModeli(pname = GL_LIGHT_MODEL_TWO_SIDE, param = 1)",
        "glActiveTexture(texture = GL_TEXTURE1)\nglActiveTexture(texture = GL_TEXTURE0)",
        "glDisable(cap = GL_BLEND)\nglEnable(cap = GL_BLEND)",
        "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, param = GL_CLAMP)",
        "glPushAttrib(mask = GL_CURRENT_BIT)",
        "glNewList(list = 9, mode = GL_COMPILE)\nglEndList()",
        "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 0)",
        "glPushMatrix()\nglTranslatef(x = 1, y = 0, z = 0)\nglPopMatrix()",
        "glXSwapBuffers(dpy = 0x1, drawable = 1)",
    ],
)
def test_calls_that_change_or_look_draw_what_waits(sampled: Sampled, call: str) -> None:
    assert sampled(VIEWPORT.format(60), *TEXTURED, TRIANGLE, call, UNBIND) == [1]


@pytest.mark.parametrize(
    "call",
    [
        "",
        VIEWPORT.format(60),
        "glMatrixMode(mode = GL_MODELVIEW)",
        "glBlendFunc(sfactor = GL_ONE, dfactor = GL_ZERO)",
        "glHint(target = GL_PERSPECTIVE_CORRECTION_HINT, mode = GL_DONT_CARE)",
        "glPushMatrix()",
        "glPushMatrix()\nglPopMatrix()",
        "glGetError() = GL_NO_ERROR",
        "glPixelStorei(pname = GL_UNPACK_ALIGNMENT, param = 1)",
        "glEnable(cap = GL_TEXTURE_2D)",
        "glDisable(cap = GL_BLEND)",
        "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, param = GL_REPEAT)",
        "glActiveTexture(texture = GL_TEXTURE0)",
        "glGenTextures(n = 1, textures = &7)",
        "glGenBuffers(n = 1, buffers = &7)",
        "glCreateShader(type = GL_FRAGMENT_SHADER) = 5",
        "glCallList(list = 9)",
        "glRectf(x1 = 0, y1 = 0, x2 = 1, y2 = 1)",
        "glBegin(mode = GL_TRIANGLES)\nglEnd()",
        "glBindTextureUnit(unit = 5, texture = 0)",
    ],
)
def test_calls_that_change_nothing_leave_it_waiting(sampled: Sampled, call: str) -> None:
    assert sampled(VIEWPORT.format(60), *TEXTURED, TRIANGLE, call, UNBIND) == []


def test_an_attribute_that_the_waiting_vertices_have_is_only_set(sampled: Sampled) -> None:
    colour = "glColor3f(red = 1, green = 1, blue = 1)"
    coloured = TRIANGLE.replace("glVertex2f", f"{colour}\nglVertex2f")
    assert sampled(*TEXTURED, coloured, colour, UNBIND) == []
    assert sampled(*TEXTURED, coloured, "glNormal3f(nx = 0, ny = 0, nz = 1)", UNBIND) == [1]


def test_states_that_were_popped_are_not_known(sampled: Sampled) -> None:
    popped = "glPushAttrib(mask = GL_VIEWPORT_BIT)\nglPopAttrib()"
    assert sampled(VIEWPORT.format(60), *TEXTURED, popped, TRIANGLE, VIEWPORT.format(60), UNBIND) == [1]


def test_a_call_that_only_goes_into_a_list_draws_nothing(sampled: Sampled) -> None:
    compiling = "glNewList(list = 9, mode = GL_COMPILE)"
    calls = (*TEXTURED, compiling, TRIANGLE, "glLoadIdentity()", "glEndList()", UNBIND)
    assert sampled(*calls) == []


def test_the_triangles_of_a_list_are_drawn_after_what_waits(sampled: Sampled) -> None:
    kept = f"glNewList(list = 9, mode = GL_COMPILE)\n{texture(2)}\n{TRIANGLE}\nglEndList()"
    assert sampled(kept, *TEXTURED, TRIANGLE, "glCallList(list = 9)") == [1, 2]


def test_another_context_that_is_made_current_comes_after_what_waits(sampled: Sampled) -> None:
    contexts = CREATE.format("NULL", "a"), CREATE.format("0xa", "b")
    change = texture(1), "glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_LOD, param = 5)"
    first = (*contexts, MAKE_CURRENT.format("a"), *TEXTURED, TRIANGLE)
    assert sampled(*first, MAKE_CURRENT.format("b"), *change) == [1]
    assert sampled(*first, MAKE_CURRENT.format("a"), UNBIND) == []
