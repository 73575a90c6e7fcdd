"""Which profile a context of a stream has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from statetracker.caps import Screen
from statetracker.replay import StreamReplay
from statetracker.replay.contexts import Contexts, profile_of
from statetracker.sampler import converter
from statetracker.trace.apitrace import DumpCall, Name, Value

MAJOR, MINOR, MASK = "GLX_CONTEXT_MAJOR_VERSION_ARB", "GLX_CONTEXT_MINOR_VERSION_ARB", "GLX_CONTEXT_PROFILE_MASK_ARB"
CORE, COMPATIBILITY = "GLX_CONTEXT_CORE_PROFILE_BIT_ARB", "GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB"


@pytest.mark.parametrize(
    ("major", "minor", "mask", "profile"),
    [
        (2, 1, CORE, "compatibility"), (3, 1, CORE, "compatibility"), (3, 1, COMPATIBILITY, "compatibility"),
        (3, 2, CORE, "core"), (3, 2, COMPATIBILITY, "compatibility"), (4, 5, 1, "core"), (4, 5, 2, "compatibility"),
    ],
)  # fmt: skip
def test_the_mask_of_profiles_counts_from_version_3_2_on(major: int, minor: int, mask: object, profile: str) -> None:
    assert profile_of((MAJOR, major, MINOR, minor, MASK, mask, 0)) == profile


def test_without_a_mask_core_is_what_one_gets_from_version_3_2_on() -> None:
    assert profile_of((MAJOR, 3, MINOR, 1, 0)) == "compatibility"
    assert profile_of((MAJOR, 3, MINOR, 2, 0)) == "core"
    assert profile_of(()) == profile_of(None) == "compatibility"


def test_a_mask_for_gles_counts_in_any_version() -> None:
    assert profile_of((MAJOR, 2, MINOR, 0, MASK, "GLX_CONTEXT_ES2_PROFILE_BIT_EXT", 0)) == "gles2"


def profiles(*calls: DumpCall) -> list[str]:
    """The profiles of the contexts that some calls make."""
    made: list[str] = []

    def make(profile: str, _share: object) -> Any:
        made.append(profile)
        return SimpleNamespace()

    contexts = Contexts(make)
    for call in calls:
        contexts.take(call)
    return made


def egl_context(*attributes: Value, thread: int = 0) -> DumpCall:
    args: dict[str, Value] = {"share_context": None, "attrib_list": (*attributes, Name("EGL_NONE"))}
    return DumpCall(1, "eglCreateContext", args, result=thread + 1, thread=thread)


def bind_api(name: str, thread: int = 0, *, result: str = "EGL_TRUE") -> DumpCall:
    return DumpCall(0, "eglBindAPI", {"api": Name(name)}, Name(result), thread=thread)


def test_egl_makes_gles_contexts_until_a_thread_chooses_another_api() -> None:
    """As EGL 1.5, 3.7 has it; recorded live with apitrace 11 on Mesa 22.3.6."""
    two, desktop = (Name("EGL_CONTEXT_MAJOR_VERSION"), 2), "EGL_OPENGL_API"
    assert profiles(egl_context(*two)) == ["gles2"]
    assert profiles(bind_api(desktop), egl_context(*two), egl_context(*two, thread=1)) == ["compatibility", "gles2"]
    assert profiles(bind_api(desktop), bind_api("EGL_OPENGL_ES_API"), egl_context(*two)) == ["gles2"]
    assert profiles(bind_api(desktop, result="EGL_FALSE"), egl_context(*two)) == ["gles2"]


@pytest.mark.parametrize(("result", "bound"), [("EGL_TRUE", True), ("EGL_FALSE", False)])
def test_a_context_that_egl_refused_is_not_current(result: str, *, bound: bool) -> None:
    contexts = Contexts(lambda *_: cast("Any", SimpleNamespace(draws=SimpleNamespace(flush=lambda: None))))
    before = contexts.current(None)
    contexts.take(egl_context())
    contexts.take(DumpCall(2, "eglMakeCurrent", {"ctx": 1}, Name(result)))
    assert (contexts.current(None) is not before) == bound


def test_calls_of_threads_with_contexts_make_no_context_for_a_stream_without_threads() -> None:
    replay = StreamReplay(converter(Screen.named("llvmpipe"), "mesa22"))
    replay.feed(egl_context(Name("EGL_CONTEXT_MAJOR_VERSION"), 2, thread=1))
    replay.feed(DumpCall(2, "eglMakeCurrent", {"ctx": 2}, Name("EGL_TRUE"), thread=1))
    replay.feed(DumpCall(3, "glBindTexture", {"target": 0x0DE1, "texture": 1}, thread=1))
    assert [session.context.limits.profile for session in replay.contexts.sessions] == ["gles32"]
    assert not replay.problems
