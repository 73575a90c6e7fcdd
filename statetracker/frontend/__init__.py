"""What a front end's loop calls: `convert` with all its answers, and the replay of a stream of calls."""

from __future__ import annotations

from statetracker.frontend.replay import CaseResult, Difference, Replayer, compare, dialect_of
from statetracker.frontend.result import Result, convert
from statetracker.frontend.stage import StageResult, convert_handle, convert_stage

__all__ = [
    "CaseResult",
    "Difference",
    "Replayer",
    "Result",
    "StageResult",
    "compare",
    "convert",
    "convert_handle",
    "convert_stage",
    "dialect_of",
]
