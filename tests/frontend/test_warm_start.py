"""The states of a run, created before the first frame of the next."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import statetracker as st
from statetracker.cso import POLICIES, RecordingDriver
from statetracker.errors import FileError

SCREEN = st.Screen.named("zink-lavapipe")
TEXTURE = st.Texture(internal_format="RGBA8", size=(64, 64))


def tracker(**options: object) -> tuple[st.StateTracker[int], RecordingDriver]:
    driver = RecordingDriver()
    return st.StateTracker(st.Screen.named("zink-lavapipe"), driver, **options), driver  # type: ignore[arg-type]


def draw(loop: st.StateTracker[int], count: int) -> None:
    for n in range(count):
        loop.bind(
            "fragment", ((st.Sampler(lod_bias=n / 8, wrap="clamp-to-border", border_color=(1, 0, n, 0)), TEXTURE),)
        )


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    loop, _ = tracker()
    draw(loop, 5)
    assert loop.save_states(tmp_path / "states") == 5
    return tmp_path / "states"


def test_what_was_saved_needs_no_create_in_the_next_run(saved: Path) -> None:
    loop, driver = tracker()
    assert loop.preload(saved) == 5
    before = len(driver.events)
    draw(loop, 5)
    assert [event[0] for event in driver.events[before:]] == ["bind"] * 5
    assert loop.end_frame().creates == 5  # those of the preload


@pytest.mark.parametrize("eviction", POLICIES)
def test_every_policy_gives_the_states_that_are_alive(eviction: str, tmp_path: Path) -> None:
    loop, _ = tracker(eviction=eviction, policy=st.Policy(max_states=16))
    draw(loop, 40)
    live = loop.cso.statistics().live
    assert loop.save_states(tmp_path / "states") == live >= 13
    again, driver = tracker()
    assert again.preload(tmp_path / "states") == live
    records = {event[2] for event in driver.events}
    draw(loop, 0)
    assert records == {key.hex() for key in loop.cso.cache.live_keys()}


def test_of_more_than_the_budget_the_last_ones_are_made(saved: Path) -> None:
    for policy in (st.Policy(max_states=2), st.Policy(unique_limit=2)):
        loop, driver = tracker(policy=policy)
        assert loop.preload(saved) == 2
        draw(loop, 5)
        assert [event[2] for event in driver.events[:2]] == saved.read_text().splitlines()[-2:]


def test_a_preload_of_what_is_there_makes_nothing(saved: Path) -> None:
    loop, _ = tracker()
    assert (loop.preload(saved), loop.preload(saved)) == (5, 0)


def refused(path: Path, loop: st.StateTracker[int] | None = None) -> str:
    made, driver = tracker()
    with pytest.raises(FileError) as caught:
        (loop or made).preload(path)
    assert driver.events == []
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_another_screen_dialect_or_form_is_refused_with_the_reason(saved: Path) -> None:
    driver = RecordingDriver()
    less = SCREEN.replace(texture_buffer_sampler=not SCREEN.texture_buffer_sampler)  # of the same name
    for loop, words in (
        (st.StateTracker(st.Screen.named("iris"), driver), r"for the screen 'zink-lavapipe .*not 'iris "),
        (st.StateTracker(less, driver), "for the screen"),
        (st.StateTracker(SCREEN, driver, dialect="mesa24"), "for the dialect '22.3', not '24.1'"),
    ):
        assert re.search(words, refused(saved, loop))
    assert driver.events == []
    head, _, body = saved.read_text().partition("\n")
    saved.write_text(json.dumps({**json.loads(head), "version": 2}) + "\n" + body)
    assert "version 2 of the form; this is for version 1" in refused(saved)


def test_every_damaged_byte_is_noticed(saved: Path) -> None:
    data = saved.read_bytes()
    for at in range(0, len(data), 7):
        saved.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert str(saved) in refused(saved)
    for at in range(0, len(data), 31):
        saved.write_bytes(data[:at])
        refused(saved)


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", "\x00", '{"statetracker": "run", "version": 1}'])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    assert "no file of states" in refused(tmp_path / "file")


def test_what_cannot_be_read_or_written_is_one_line(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path / "nothing")
    loop, _ = tracker()
    with pytest.raises(FileError, match="cannot be written"):
        loop.save_states(tmp_path / "no" / "folder")
