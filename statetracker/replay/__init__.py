"""Recorded programs and cases replayed: GL calls in, sampler states out, compared with what was recorded.

`DumpReplay` reads and replays an apitrace dump, `StreamReplay` calls from any reader, `Recording` a file of cases. GLSL
is not compiled: declarations, the names that main reaches and what the stream reports decide which samplers a program
uses; reading it needs the extra ``replay``, loaded with the first GLSL source. The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.replay.budgets import Distinct, MergePlan, Played, plan, play
    from statetracker.replay.cases import Recording, Replayer, dialect_of
    from statetracker.replay.comparison import CaseResult, Difference, compare
    from statetracker.replay.dumps import Agreement, DumpReplay, RecordedStates, compare_states
    from statetracker.replay.runs import Run, read_run
    from statetracker.replay.states import Binds, Creates, Deletes, Maker
    from statetracker.replay.streams import StreamProblem, StreamReplay
    from statetracker.trace.recording_file import kind_of

__all__ = [
    "Agreement",
    "Binds",
    "CaseResult",
    "Creates",
    "Deletes",
    "Difference",
    "Distinct",
    "DumpReplay",
    "Maker",
    "MergePlan",
    "Played",
    "RecordedStates",
    "Recording",
    "Replayer",
    "Run",
    "StreamProblem",
    "StreamReplay",
    "compare",
    "compare_states",
    "dialect_of",
    "kind_of",
    "plan",
    "play",
    "read_run",
]

__getattr__, __dir__ = on_first_use(
    __name__,
    {
        "budgets": ("Distinct", "MergePlan", "Played", "plan", "play"),
        "cases": ("Recording", "Replayer", "dialect_of"),
        "comparison": ("CaseResult", "Difference", "compare"),
        "dumps": ("Agreement", "DumpReplay", "RecordedStates", "compare_states", "kind_of"),
        "runs": ("Run", "read_run"),
        "states": ("Binds", "Creates", "Deletes", "Maker"),
        "streams": ("StreamProblem", "StreamReplay"),
    },
)
