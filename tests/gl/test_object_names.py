"""`statetracker.gl.object_names` and `names`: how calls read names and numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Context
from statetracker.gl.names import scalar, vector
from statetracker.gl.object_names import object_names


@pytest.mark.parametrize("kind", ["Textures", "Samplers"])
def test_names_are_new_or_those_of_a_recording(gl: Context, kind: str) -> None:
    """The first free ones follow the highest."""
    assert gl.call(f"glGen{kind}", 2) == [1, 2]
    assert gl.call(f"glGen{kind}", 2, [9, 7]) == [9, 7]
    assert gl.call(f"glGen{kind}", 1) == [10]
    assert gl.call(f"glGen{kind}", 0) == []


@pytest.mark.parametrize(
    "call",
    [
        ("glGenSamplers", -1),
        ("glCreateSamplers", -1),
        ("glDeleteSamplers", -1, []),
        ("glGenTextures", -1),
        ("glDeleteTextures", -1, []),
        ("glCreateTextures", "GL_TEXTURE_2D", -1),
    ],
)
def test_a_negative_count_is_an_invalid_value(gl: Context, call: tuple[Any, ...]) -> None:
    gl.call(*call)
    assert gl.glGetError() == "GL_INVALID_VALUE"


@pytest.mark.parametrize("names", [(2, [1]), ("12", None), (1, ["a"]), (1, ...), (1.5, [1])])
def test_what_is_no_array_of_names_is_an_argument_error(names: tuple[Any, Any]) -> None:
    """A mistake in Python, not in GL."""
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
    """0 is the default object."""
    with pytest.raises(ArgumentError):
        gl.glGenTextures(1, [0])


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
    """A single value is an array of one."""
    assert vector(range(3)) == (0, 1, 2)
    assert vector("GL_CLAMP") == (0x2900,)
    with pytest.raises(ArgumentError):
        vector([])
