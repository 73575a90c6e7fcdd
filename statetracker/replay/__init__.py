"""Recorded programs and cases replayed: GL calls in, sampler states out, compared with what was recorded.

`DumpReplay` reads and replays an apitrace dump, `StreamReplay` calls from any reader, `Recording` a file of cases. GLSL
is not compiled: declarations, the names that main reaches and what the stream reports decide which samplers a program
uses; reading it needs the extra ``replay``, loaded with the first GLSL source. The names are loaded on first use.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.replay.budgets import Distinct as Distinct
    from statetracker.replay.budgets import MergePlan as MergePlan
    from statetracker.replay.budgets import Played as Played
    from statetracker.replay.budgets import plan as plan
    from statetracker.replay.budgets import play as play
    from statetracker.replay.cases import Recording as Recording
    from statetracker.replay.cases import Replayer as Replayer
    from statetracker.replay.cases import dialect_of as dialect_of
    from statetracker.replay.comparison import CaseResult as CaseResult
    from statetracker.replay.comparison import Difference as Difference
    from statetracker.replay.comparison import compare as compare
    from statetracker.replay.dumps import Agreement as Agreement
    from statetracker.replay.dumps import DumpReplay as DumpReplay
    from statetracker.replay.dumps import RecordedStates as RecordedStates
    from statetracker.replay.dumps import compare_states as compare_states
    from statetracker.replay.runs import Run as Run
    from statetracker.replay.runs import read_run as read_run
    from statetracker.replay.states import Binds as Binds
    from statetracker.replay.states import Creates as Creates
    from statetracker.replay.states import Deletes as Deletes
    from statetracker.replay.states import Maker as Maker
    from statetracker.replay.streams import StreamProblem as StreamProblem
    from statetracker.replay.streams import StreamReplay as StreamReplay
    from statetracker.trace.recording_file import kind_of as kind_of

__getattr__, __dir__, __all__ = on_first_use(
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
