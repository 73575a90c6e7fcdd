"""Borders of every kind of format: a conversion for a device without custom colours, drawn by the machine's GL."""

from __future__ import annotations

import pytest

import statetracker as st
from statetracker.bindings.gl import GL
from tools.proofs.pixels.lowered_formats import LOOKS, Look, compare_format

pytestmark = pytest.mark.live("egl", "glslangValidator")

#: An Apple A12: neither custom border colours nor mirrored clamps.
DEVICE = st.Screen.device(report=38162)


@pytest.mark.parametrize("wrap", ["clamp-to-border", "clamp"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_border_is_what_the_format_shows_of_the_colour(gl: GL, look: Look, wrap: str) -> None:
    largest, alone = compare_format(gl, look, wrap, DEVICE)
    assert largest <= look.step
    if wrap == "clamp-to-border" or look.kind not in {"int", "uint"}:  # of integers GL_CLAMP is the edge
        assert alone > 0.2
