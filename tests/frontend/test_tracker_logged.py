"""`LoggedTracker`: a tracker that writes what it binds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import statetracker as st
from statetracker.cso import RecordingDriver
from statetracker.errors import FileError
from statetracker.frontend import LoggedTracker

TEXTURE = st.Texture(internal_format="RGBA8", size=(64, 64))
BUFFER = st.Texture("buffer", "RGBA8")
SCREEN = st.Screen.named("llvmpipe")


def lines(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_is_bound_is_written_as_it_was_asked_for(tmp_path: Path) -> None:
    one, two = st.Sampler(lod_bias=0.3), st.Sampler(lod_bias=0.7)
    policy = st.Policy(lod_quantum=1, force_nearest=True)
    with LoggedTracker(tmp_path / "run", SCREEN, RecordingDriver(), policy=policy) as tracker:
        for slots in (((one, TEXTURE),), ((one, TEXTURE),), {2: (two, TEXTURE), 3: (None, BUFFER)}):
            tracker.bind("frag", slots)
        tracker.end_frame()
        tracker.bind("fragment", ((one, TEXTURE),))
    head, *events = lines(tmp_path / "run")
    assert (head["statetracker"], head["version"], head["name"]) == ("run", 1, "llvmpipe")  # type: ignore[index]
    records = [
        st.convert(sampler, TEXTURE, SCREEN, policy=st.Policy(force_nearest=True, canonical=False))
        for sampler in (one, two)
    ]
    assert events == [
        ["create", 0, bytes(records[0]).hex()],
        ["bind", "MESA_SHADER_FRAGMENT", 0, [0]],
        ["create", 1, bytes(records[1]).hex()],
        ["bind", "MESA_SHADER_FRAGMENT", 0, [None, None, 1]],
        ["frame"],
        ["bind", "MESA_SHADER_FRAGMENT", 0, [0]],
    ]


def test_it_binds_as_any_tracker(tmp_path: Path) -> None:
    plain, logged = RecordingDriver(), RecordingDriver()
    trackers = (st.StateTracker(SCREEN, plain), LoggedTracker(tmp_path / "run", SCREEN, logged))
    samplers = [st.Sampler(max_lod=n) for n in range(3)]
    for tracker in trackers:
        for n in (0, 1, 1, 2, 0):
            tracker.bind("fragment", ((samplers[n], TEXTURE),))
        tracker.destroy()
    assert logged.events == plain.events


def test_a_bind_that_raises_is_not_written(tmp_path: Path) -> None:
    tracker = LoggedTracker(tmp_path / "run", SCREEN, RecordingDriver())
    with pytest.raises(st.StateTrackerError):
        tracker.bind("fragment", ((st.Sampler(), "no texture"),))  # type: ignore[arg-type]
    tracker.destroy()
    assert len(lines(tmp_path / "run")) == 1


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        LoggedTracker(tmp_path / "no" / "folder", SCREEN, RecordingDriver())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said_and_everything_is_deleted_all_the_same() -> None:
    driver = RecordingDriver()
    tracker = LoggedTracker("/dev/full", SCREEN, driver)
    slots = ((st.Sampler(), TEXTURE),)
    tracker.bind("fragment", slots)
    with pytest.raises(FileError, match="/dev/full"):
        tracker.end_frame()
    assert tracker.bind("fragment", slots).changed == {}
    with pytest.raises(FileError, match="No space left"):
        tracker.destroy()
    assert [event[0] for event in driver.events] == ["create", "bind", "bind", "delete"]
