"""Recorded GL programs: the replay creates the states that Mesa created in the same run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.pipe import SamplerState
from statetracker.replay import Agreement, Binds, Creates, Deletes, DumpReplay, RecordedStates, compare_states
from statetracker.replay.dumps import printed
from statetracker.sampler import converter
from statetracker.trace.gallium import BindSamplers, CreateSampler, DeleteSampler, open_states

DATA = Path(__file__).parents[1] / "data" / "programs"
PROGRAMS = sorted(path.name.removesuffix(".dump.txt.gz") for path in DATA.glob("*.dump.txt.gz"))
LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")

#: Programs whose states come in another order than recorded -> why. None so far.
OTHER_ORDER: dict[str, str] = {}
#: Programs whose binds, equal neighbours folded, are others than recorded -> why.
OTHER_BINDS: dict[str, str] = {}


def replayed(name: str) -> tuple[DumpReplay, list[Creates | Binds | Deletes]]:
    run = DumpReplay(str(DATA / f"{name}.dump.txt.gz"), LLVMPIPE)
    return run, list(run)


def compared(name: str) -> Agreement:
    run, _ = replayed(name)
    recorded = RecordedStates(str(DATA / f"{name}.states.jsonl.gz"))
    assert recorded.complete
    return compare_states([event.state for event in run.created], recorded.states)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_replay_creates_the_recorded_states_in_the_recorded_order(name: str) -> None:
    seen = compared(name)
    assert not seen.missing
    assert not seen.extra
    assert seen.own[0] == seen.own[1]
    assert (seen.order is None) == (name not in OTHER_ORDER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_in_a_program_is_a_problem_or_unmodelled(name: str) -> None:
    run, _ = replayed(name)
    assert not run.problems
    assert not run.replay.doubts
    assert not run.replay.unmodelled


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
def test_the_replay_binds_what_was_recorded_stage_by_stage(name: str) -> None:
    _, events = replayed(name)
    states = {e.id: printed(SamplerState.from_bytes(e.state).to_trace()) for e in events if isinstance(e, Creates)}
    ours: list[tuple[str, tuple[object, ...]]] = [
        (e.stage, tuple(None if i is None else states[i] for i in e.ids)) for e in events if isinstance(e, Binds)
    ]
    theirs: list[tuple[str, tuple[object, ...]]] = []
    handles: dict[tuple[int, int], object] = {}
    with open_states(DATA / f"{name}.states.jsonl.gz") as recorded:
        for event in recorded:
            if isinstance(event, CreateSampler):
                handles[event.context, event.handle] = printed(event.state)
            elif isinstance(event, BindSamplers):
                bound = (None if h is None else handles[event.context, h] for h in event.handles)
                theirs.append((event.stage, tuple(bound)))
    assert (folded(ours) == folded(theirs)) == (name not in OTHER_BINDS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_state_is_deleted_as_often_as_recorded(name: str) -> None:
    _, events = replayed(name)
    with open_states(DATA / f"{name}.states.jsonl.gz") as recorded:
        deleted = sum(isinstance(event, DeleteSampler) for event in recorded)
    assert sum(isinstance(event, Deletes) for event in events) == deleted
