"""The recorded piglit programs: every call is read, and every state that is bound was created."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from statetracker.trace.apitrace import DumpCall, Name, open_dump
from statetracker.trace.gallium import BindSamplers, CreateSampler, open_states
from statetracker.trace.recording_file import Problem

PROGRAMS = sorted((Path(__file__).parents[1] / "data" / "programs").glob("*.dump.txt.gz"))


def every_program(test: Any) -> Any:
    return pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.partition(".")[0])(test)


@every_program
def test_every_call_is_read_and_every_gl_name_is_known(path: Path) -> None:
    with open_dump(path) as dump:
        for call in dump:
            assert isinstance(call, DumpCall), call
            assert not [v for v in call.args.values() if isinstance(v, Name) and v.startswith("GL_")]


@every_program
def test_every_state_that_is_bound_was_created(path: Path) -> None:
    created: set[tuple[int, int]] = set()
    with open_states(path.with_name(path.name.replace(".dump.txt.gz", ".states.jsonl.gz"))) as states:
        for event in states:
            assert not isinstance(event, Problem), event
            if isinstance(event, CreateSampler):
                created.add((event.context, event.handle))
            elif isinstance(event, BindSamplers):
                assert {(event.context, h) for h in event.handles if h is not None} <= created
