"""`statetracker.gl.object_names`: how calls read names, and which names Gen and Create give (seen on Mesa 22.3.6)."""

from __future__ import annotations

import copy
import math
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Context
from statetracker.gl.names import scalar, vector
from statetracker.gl.object_names import NameTable, object_names


@pytest.mark.parametrize("kind", ["Textures", "Samplers"])
def test_names_are_new_or_those_of_a_recording(gl: Context, kind: str) -> None:
    assert gl.call(f"glGen{kind}", 2) == [1, 2]
    assert gl.call(f"glGen{kind}", 2, [9, 7]) == [9, 7]
    assert gl.call(f"glGen{kind}", 1) == [10]
    assert gl.call(f"glGen{kind}", 0) == []


@pytest.mark.parametrize("names", [(2, [1]), ("12", None), (1, ["a"]), (1, ...), (1.5, [1])])
def test_what_is_no_array_of_names_is_an_argument_error(names: tuple[Any, Any]) -> None:
    with pytest.raises(ArgumentError):
        object_names(*names, "names")


@pytest.mark.parametrize("kind", ["Textures", "Samplers"])
def test_deleting_the_names_of_null_deletes_nothing(gl: Context, kind: str) -> None:
    """As Mesa does. An array that was left out is a mistake in Python."""
    gl.call(f"glGen{kind}", 2)
    gl.call(f"glDelete{kind}", 2, None)
    assert gl.glGetError() == "GL_NO_ERROR"
    assert gl.call(f"glGen{kind}", 1) == [3]
    gl.call(f"glDelete{kind}", -1, None)
    assert gl.glGetError() == "GL_INVALID_VALUE"
    with pytest.raises(ArgumentError, match="an array of object names"):
        gl.call(f"glDelete{kind}", 2)


def test_names_start_at_one(gl: Context) -> None:
    with pytest.raises(ArgumentError):
        gl.glGenTextures(1, [0])


@pytest.mark.parametrize("name", [1.5, "wall", object()])
def test_what_is_no_name_makes_no_texture(gl: Context, name: Any) -> None:
    """Before, it became a texture's name, after which glGenTextures, or every error message, raised TypeError."""
    with pytest.raises(ArgumentError, match="a whole number"):
        gl.glBindTexture("GL_TEXTURE_2D", name)
    assert gl.textures == {}
    assert gl.glGenTextures(2) == [1, 2]


def test_a_push_costs_no_more_where_there_are_many_textures(gl: Context) -> None:
    gl.glBindTextureUnit(0, max(gl.glGenTextures(50_000)))
    gl.glBindTexture("GL_TEXTURE_2D", 7)
    start = time.process_time()
    for _ in range(1000):
        gl.glPushAttrib(0x40000)
        gl.glPopAttrib()
    assert time.process_time() - start < 1  # before, 4 s


def test_messages_list_a_few_names_and_count_the_rest(gl: Context) -> None:
    gl.glGenSamplers(20)
    gl.glBindSampler(0, 99)
    assert gl.messages[-1].message.endswith("accepted: 1, 2, 3, 4, 5, 6, 7, 8, 12 more")


@pytest.mark.parametrize(
    ("given", "read"), [("GL_CLAMP", 0x2900), (1.5, 1.5), (True, 1), (10**400, math.inf), (-(10**400), -math.inf)]
)
def test_a_value_is_a_number_or_a_word(given: object, read: float) -> None:
    """Too large an int is infinite, as a float would be."""
    assert scalar(given) == read


def test_an_array_may_be_any_iterable_but_not_empty() -> None:
    assert vector(range(3)) == (0, 1, 2)
    assert vector("GL_CLAMP") == (0x2900,)
    with pytest.raises(ArgumentError):
        vector([])


@pytest.mark.parametrize("kind", ["Textures", "Samplers"])
def test_no_name_is_given_twice(gl: Context, kind: str) -> None:
    """Names follow the highest that was ever in use, deleted or not."""
    assert gl.call(f"glGen{kind}", 3) == [1, 2, 3]
    gl.call(f"glDelete{kind}", 2, [1, 3])
    assert gl.call(f"glGen{kind}", 2) == [4, 5]


def test_after_the_last_name_the_first_gap_is_taken(gl: Context) -> None:
    gl.glBindTexture("GL_TEXTURE_2D", 0xFFFFFFFF)
    assert gl.glGenTextures(3) == [1, 2, 3]
    gl.glDeleteTextures(1, [2])
    assert gl.glGenTextures(2) == [4, 5]
    assert gl.glGenTextures(1) == [2]


def test_names_go_up_to_the_last_but_one() -> None:
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
