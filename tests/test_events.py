"""Events: silent until listened to, then reported with their room and facts, to structlog where it is configured."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
import structlog

import statetracker as st
from statetracker import events

Heard = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture
def heard() -> Iterator[Heard]:
    seen: Heard = []
    events.listen(lambda room, event, facts: seen.append((room, event, facts)))
    yield seen
    events.quiet()


def test_a_gl_error_is_reported_with_its_call(heard: Heard) -> None:
    st.Context().glBindSampler(0, 7)
    ((room, event, facts),) = heard
    assert (room, event, facts["error"], facts["call"]) == ("gl", "error", "GL_INVALID_OPERATION", "glBindSampler")


def test_a_listener_that_ends_or_adds_listening_leaves_the_event_to_the_others() -> None:
    heard: list[str] = []

    def once(room: str, *_: object) -> None:
        events.quiet()
        events.listen(once)
        heard.append(f"once {room}")

    events.listen(once)
    events.listen(lambda room, *_: heard.append(f"other {room}"))
    st.Context().glBindSampler(0, 7)
    events.quiet()
    assert heard == ["once gl", "other gl"]


def test_a_format_that_cannot_be_filtered_is_reported_once(heard: Heard) -> None:
    screen, texture = st.Screen.named("seed"), st.Texture(internal_format="RGBA32F")
    for _ in range(3):
        st.convert(st.Sampler(), texture, screen, dialect="seed")
    assert heard == [("sampler", "demotion", {"format": "R32G32B32A32_FLOAT", "screen": "seed"})]


@pytest.fixture
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    """What a user's own configuration of structlog receives."""
    seen: list[MutableMapping[str, Any]] = []

    def keep(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        seen.append(event)
        raise structlog.DropEvent

    structlog.configure(processors=[keep])
    yield seen
    structlog.reset_defaults()


def test_a_users_own_configuration_of_structlog_receives_events(logged: list[MutableMapping[str, Any]]) -> None:
    assert events.listening()
    st.Context().glBindSampler(0, 7)
    ((event),) = logged
    assert (event["room"], event["event"], event["error"]) == ("gl", "error", "GL_INVALID_OPERATION")


def test_structlog_that_nobody_configured_receives_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert not structlog.is_configured()
    assert not events.listening()
    st.Context().glBindSampler(0, 7)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import statetracker as st; st.Context().glBindSampler(0, 7)", ""),
        ("from statetracker.cli import main; main(['screens', 'llvmpipe'])", ""),
        ("from statetracker.cli import main; main(['--log', 'screens'])", "pip install structlog"),
    ],
)
def test_without_structlog_everything_works_but_log_which_says_so(program: str, said: str) -> None:
    hidden = f"import sys; sys.modules['structlog'] = None; {program}"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=True)
    assert said in done.stderr
    assert bool(said) == bool(done.stderr)


def test_log_on_the_command_line_writes_events_to_standard_error() -> None:
    text = '{"screen": "seed", "texture": {"internal_format": "R32F"}}'
    command = [sys.executable, "-m", "statetracker", "--log", "convert", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert "demotion" in done.stderr
    assert "R32_FLOAT" in done.stderr
