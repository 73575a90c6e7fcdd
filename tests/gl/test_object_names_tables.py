"""`statetracker.gl.object_names`: which names Gen and Create calls give. Every answer observed on Mesa 22.3.6."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl.object_names import NameTable


@pytest.mark.parametrize("kind", ["Textures", "Samplers"])
def test_no_name_is_given_twice(gl: Context, kind: str) -> None:
    """Names follow the highest that was ever in use, deleted or not."""
    assert gl.call(f"glGen{kind}", 3) == [1, 2, 3]
    gl.call(f"glDelete{kind}", 2, [1, 3])
    assert gl.call(f"glGen{kind}", 2) == [4, 5]


def test_names_of_an_application_count(gl: Context) -> None:
    """Bound without a Gen call, and deleted again."""
    gl.glBindTexture("GL_TEXTURE_2D", 100)
    gl.glDeleteTextures(1, [100])
    assert gl.glGenTextures(2) == [101, 102]


def test_after_the_last_name_the_first_gap_is_taken(gl: Context) -> None:
    """One that has room for all of them."""
    gl.glBindTexture("GL_TEXTURE_2D", 0xFFFFFFFF)
    assert gl.glGenTextures(3) == [1, 2, 3]
    gl.glDeleteTextures(1, [2])
    assert gl.glGenTextures(2) == [4, 5]
    assert gl.glGenTextures(1) == [2]


def test_names_go_up_to_the_last_but_one() -> None:
    """Two do not fit after 0xFFFFFFFC, one does."""
    names: NameTable[None] = NameTable()
    names[0xFFFFFFFC] = None
    assert names.free(2) == [1, 2]
    assert names.free(1) == [0xFFFFFFFD]
    names[0xFFFFFFFD] = None
    assert names.free(1) == [1]


@pytest.mark.parametrize("call", [("glGenTextures",), ("glGenSamplers",), ("glCreateTextures", "GL_TEXTURE_2D")])
def test_null_gets_no_names(gl: Context, call: tuple[str, ...]) -> None:
    """A negative count is an error with NULL, too."""
    assert gl.call(*call, 2, None) == []
    assert gl.call(*call, 1) == [1]
    gl.call(*call, -1, None)
    assert gl.glGetError() == "GL_INVALID_VALUE"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda gl: pickle.loads(pickle.dumps(gl))])  # noqa: S301 (our own)
def test_a_copy_of_a_context_gives_names_after_those_of_the_first(copied: Callable[[Context], Context]) -> None:
    gl = Context()
    gl.glBindTexture("GL_TEXTURE_2D", 7)
    assert copied(gl).glGenTextures(1) == [8]
