"""Events: silent until somebody listens, then told with their room and facts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import statetracker as st
from statetracker import events


@pytest.fixture
def heard() -> Iterator[list[tuple[str, str, dict[str, Any]]]]:
    found: list[tuple[str, str, dict[str, Any]]] = []
    events.listen(lambda room, event, facts: found.append((room, event, facts)))
    yield found
    events.quiet()


def test_nobody_listens_at_first() -> None:
    assert not events.listening()


def test_a_gl_error_is_told_with_its_call(heard: list[tuple[str, str, dict[str, Any]]]) -> None:
    st.Context().glBindSampler(0, 7)
    ((room, event, facts),) = heard
    assert (room, event, facts["error"], facts["call"]) == ("gl", "error", "GL_INVALID_OPERATION", "glBindSampler")


def test_a_format_that_cannot_be_filtered_is_told_once(heard: list[tuple[str, str, dict[str, Any]]]) -> None:
    screen, texture = st.Screen.named("seed"), st.Texture(internal_format="RGBA32F")
    for _ in range(3):
        st.convert(st.Sampler(), texture, screen, dialect="seed")
    assert heard == [("sampler", "demotion", {"format": "R32G32B32A32_FLOAT", "screen": "seed"})]


def test_log_on_the_command_line_writes_events_to_standard_error() -> None:
    text = '{"screen": "seed", "texture": {"internal_format": "R32F"}}'
    command = [sys.executable, "-m", "statetracker", "--log", "convert", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert "demotion" in done.stderr
    assert "R32_FLOAT" in done.stderr
