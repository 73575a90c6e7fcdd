"""Contexts without a window on the machine's EGL, and what is said where there is none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from statetracker.bindings import egl
from statetracker.errors import ArgumentError, NoDevice

LAST_LINE = "from statetracker.bindings import egl; print(egl.available().reason)"


def reason(**environment: str) -> str:
    """Ask a new process why it can make no context."""
    command = [sys.executable, "-c", LAST_LINE]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.live("egl")
@pytest.mark.parametrize("api", egl.APIS)
def test_a_context_of_every_kind_can_be_made(api: str) -> None:
    with egl.Context(api) as context:
        version = context.gl.call("glGetString", 0x1F02)
    assert version.startswith("OpenGL ES") == api.startswith("es")


@pytest.mark.live("egl")
def test_wanted_version_is_at_least_given() -> None:
    """Core contexts of 4.5 here."""
    with egl.Context("core", (4, 5), debug=True) as context:
        assert context.gl.read("glGetIntegerv", 0x821B) >= [4]
        assert context.gl.read("glGetIntegerv", 0x9126) == [1]  # the core profile


@pytest.mark.live("egl")
def test_contexts_are_apart_and_closing_twice_is_harmless() -> None:
    """Each has its own state; `make_current` goes back."""
    with egl.Context() as first:
        first.gl.call("glEnable", 0x0BE2)
        with egl.Context() as second:
            assert second.gl.read("glGetBooleanv", 0x0BE2) == [0]
            first.make_current()
            assert first.gl.read("glGetBooleanv", 0x0BE2) == [1]
            second.close()
        first.make_current()
        assert first.gl.error() == "GL_NO_ERROR"


@pytest.mark.live("egl")
def test_closing_a_context_leaves_the_current_one_current() -> None:
    """Without a current context Mesa takes every call, and answers nothing."""
    first = egl.Context()
    with egl.Context() as second:
        first.close()
        assert second.gl.names("glGenTextures") != [0]


@pytest.mark.live("egl")
def test_version_that_no_driver_has_is_refused() -> None:
    with pytest.raises(NoDevice, match=r"no core context of version 9\.9"):
        egl.Context("core", (9, 9))


@pytest.mark.live("egl")
def test_unknown_api_is_refused_with_the_choices() -> None:
    with pytest.raises(ArgumentError, match="compatibility, core, es2, es3"):
        egl.Context("glide")


@pytest.mark.live("egl")
def test_driver_that_does_not_exist_is_a_reason() -> None:
    """Mesa reads its variables once a process."""
    assert "no driver" in reason(MESA_LOADER_DRIVER_OVERRIDE="nothing", GALLIUM_DRIVER="nothing")


@pytest.mark.live("egl")
def test_library_that_is_no_egl_is_a_reason() -> None:
    """The variable names the mathematics library."""
    assert "libm.so.6 has no eglGetProcAddress" in reason(STATETRACKER_EGL_LIB="libm.so.6")
    assert "apt-get install libegl1" in reason(STATETRACKER_EGL_LIB="/nowhere/libEGL.so")
