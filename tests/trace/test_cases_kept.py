"""What went wrong in a long stream: the first of it is kept, all of it is counted."""

from __future__ import annotations

from statetracker.caps import Screen
from statetracker.replay import StreamReplay
from statetracker.sampler import converter
from statetracker.trace.apitrace import DumpCall
from statetracker.trace.recording_file import MOST_KEPT, Kept

TIMES = MOST_KEPT + 5


def test_what_was_taken_away_stays_counted_and_leaves_room() -> None:
    kept: Kept[str] = Kept()
    kept.add("one")
    kept.clear()
    kept.add("two")
    assert kept == ["two"]
    assert kept.total == 2


def test_a_stream_keeps_as_many_problems_and_doubts_and_no_more() -> None:
    replay = StreamReplay(converter(Screen.named("llvmpipe"), "mesa22"))
    source = "#version 130\nvoid main() {}"
    for call in (
        DumpCall(0, "glCreateProgram", {}, result=1),
        DumpCall(0, "glCreateShader", {"type": 0x8B30}, result=2),
        DumpCall(0, "glShaderSource", {"shader": 2, "count": 1, "string": (source,), "length": None}),
        DumpCall(0, "glCompileShader", {"shader": 2}),
        DumpCall(0, "glAttachShader", {"program": 1, "shader": 2}),
        DumpCall(0, "glLinkProgram", {"program": 1}),
    ):
        replay.feed(call)
    for number in range(TIMES):
        replay.feed(DumpCall(number, "glGetUniformLocation", {"program": 1, "name": f"u{number}"}, result=number))
        replay.feed(DumpCall(number, "glBindTexture", {"target": 3553, "texture": "x"}))
    for seen in (replay.doubts, replay.problems):
        assert [problem.call for problem in seen] == list(range(MOST_KEPT))
        assert seen.total == TIMES
