"""Recorded GL programs: the replay creates the states that Mesa created in the same run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState
from statetracker.replay import Binds, Creates, Deletes, DumpReplay, RecordedStates, compare_states
from statetracker.replay.dumps import printed
from statetracker.sampler import converter
from statetracker.trace.gallium import BindSamplers, CreateSampler, DeleteSampler, open_states

DATA = Path(__file__).parents[1] / "data" / "programs"
PROGRAMS = sorted(path.name.removesuffix(".dump.txt.gz") for path in DATA.glob("*.dump.txt.gz"))
LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")


def folded(binds: list[tuple[str, tuple[object, ...]]]) -> list[tuple[str, tuple[object, ...]]]:
    """Without binds that repeat what the stage has."""
    last: dict[str, tuple[object, ...]] = {}
    kept = []
    for stage, states in binds:
        if last.get(stage) != states:
            last[stage] = states
            kept.append((stage, states))
    return kept


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_replay_creates_binds_and_deletes_what_was_recorded_in_the_recorded_order(name: str) -> None:
    """And nothing in a program is a problem, a doubt or unmodelled."""
    run = DumpReplay(str(DATA / f"{name}.dump.txt.gz"), LLVMPIPE)
    events = list(run)
    assert (run.problems, run.replay.doubts, run.replay.unmodelled) == ([], [], {})
    recorded = RecordedStates(str(DATA / f"{name}.states.jsonl.gz"))
    assert recorded.complete
    seen = compare_states([event.state for event in run.created], recorded.states)
    assert (seen.missing, seen.extra, seen.order, seen.own[0]) == ([], [], None, seen.own[1])
    states = {e.id: printed(SamplerState.from_bytes(e.state).to_trace()) for e in events if isinstance(e, Creates)}
    ours: list[tuple[str, tuple[object, ...]]] = [
        (e.stage, tuple(None if i is None else states[i] for i in e.ids)) for e in events if isinstance(e, Binds)
    ]
    theirs: list[tuple[str, tuple[object, ...]]] = []
    handles: dict[tuple[int, int], object] = {}
    deleted = 0
    with open_states(DATA / f"{name}.states.jsonl.gz") as trace:
        for event in trace:
            deleted += isinstance(event, DeleteSampler)
            if isinstance(event, CreateSampler):
                handles[event.context, event.handle] = printed(event.state)
            elif isinstance(event, BindSamplers):
                bound = (None if h is None else handles[event.context, h] for h in event.handles)
                theirs.append((event.stage, tuple(bound)))
    assert folded(ours) == folded(theirs)
    assert sum(isinstance(event, Deletes) for event in events) == deleted


def test_what_is_no_record_or_no_state_of_a_trace_is_refused_and_not_compared() -> None:
    state = SamplerState(max_lod=8.0)
    assert compare_states([bytes(state)], [state.to_trace()]).same
    assert compare_states([state], [state.to_trace()]).same  # type: ignore[list-item]
    shapes: list[tuple[str, Any, Any]] = [
        ("ours", [Creates(0, 0, bytes(state), None)], []),
        ("ours", bytes(state), []),
        ("ours", [36], []),
        ("recorded", [], [state]),
        ("recorded", [], [state.to_dict()]),
        ("recorded", [], [{}]),
        ("recorded", [], state.to_trace()),
        ("recorded", [], None),
    ]
    for name, ours, recorded in shapes:
        with pytest.raises(ArgumentError, match=f"^{name}=.*accepted: ") as caught:
            compare_states(ours, recorded)
        assert caught.value.field == name
