"""`statetracker.gl.context`: what GLES contexts lack."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from statetracker.gl import Context
from statetracker.gl.context import DESKTOP_CALLS

Make = Callable[..., Context]


def test_every_call_of_the_table_is_modelled_on_the_desktop(gl: Context) -> None:
    assert [name for name in DESKTOP_CALLS if gl.function(name) is None] == []


@pytest.mark.parametrize("profile", ["gles1", "gles32"])
@pytest.mark.parametrize("name", DESKTOP_CALLS)
def test_a_call_of_the_table_does_nothing_in_gles(make: Make, profile: str, name: str) -> None:
    gl = make(profile)
    assert gl.call(name, 1, "GL_TEXTURE_2D", 1) is None
    assert gl.glGetError() == "GL_INVALID_OPERATION"
    assert not any((gl.textures, gl.samplers, gl.units))
