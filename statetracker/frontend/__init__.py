"""What a front end's loop calls: `convert` with all its answers, whole stages, user policy, the replay of recordings.

The names are loaded on first use: `convert` needs none of the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.policy import Policy
    from statetracker.frontend.replay import CaseResult, Difference, Replayer, compare, dialect_of
    from statetracker.frontend.result import Result, convert
    from statetracker.frontend.stage import StageResult, convert_handle, convert_stage
    from statetracker.frontend.tracker import StateTracker

__all__ = [
    "BoundStage",
    "CaseResult",
    "Difference",
    "FrameCounts",
    "Policy",
    "Replayer",
    "Result",
    "StageResult",
    "StateTracker",
    "compare",
    "convert",
    "convert_handle",
    "convert_stage",
    "dialect_of",
]

_MODULES = {
    "BoundStage": "bound_stage",
    "CaseResult": "replay",
    "Difference": "replay",
    "FrameCounts": "bound_stage",
    "Policy": "policy",
    "Replayer": "replay",
    "Result": "result",
    "StageResult": "stage",
    "StateTracker": "tracker",
    "compare": "replay",
    "convert": "result",
    "convert_handle": "stage",
    "convert_stage": "stage",
    "dialect_of": "replay",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'statetracker.frontend' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"statetracker.frontend.{module}"), name)
    globals()[name] = value
    return value
