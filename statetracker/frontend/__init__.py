"""What a front end's loop calls: `convert` with all its answers, whole stages, user policy, the replay of recordings.

The names are loaded on first use: `convert` needs none of the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.frontend.agreement import Agreement, compare_states
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.clamp_masks import CLAMP_EVENTS, ClampEvent, ClampWatch, stage_masks, variant_keys
    from statetracker.frontend.clamp_requests import clamp_request
    from statetracker.frontend.policy import Policy
    from statetracker.frontend.replay import CaseResult, Difference, Replayer, compare, dialect_of
    from statetracker.frontend.result import Result, convert
    from statetracker.frontend.stage import StageResult, convert_handle, convert_slots, convert_stage
    from statetracker.frontend.stream import StreamProblem, StreamReplay
    from statetracker.frontend.stream_draws import Binds, Creates, Deletes, Maker
    from statetracker.frontend.stream_programs import Analysis, Linked
    from statetracker.frontend.tracker import StateTracker

__all__ = [
    "CLAMP_EVENTS",
    "Agreement",
    "Analysis",
    "Binds",
    "BoundStage",
    "CaseResult",
    "ClampEvent",
    "ClampWatch",
    "Creates",
    "Deletes",
    "Difference",
    "FrameCounts",
    "Linked",
    "Maker",
    "Policy",
    "Replayer",
    "Result",
    "StageResult",
    "StateTracker",
    "StreamProblem",
    "StreamReplay",
    "clamp_request",
    "compare",
    "compare_states",
    "convert",
    "convert_handle",
    "convert_slots",
    "convert_stage",
    "dialect_of",
    "stage_masks",
    "variant_keys",
]

_MODULES = {
    "Agreement": "agreement",
    "Analysis": "stream_programs",
    "Binds": "stream_draws",
    "BoundStage": "bound_stage",
    "CLAMP_EVENTS": "clamp_masks",
    "CaseResult": "replay",
    "ClampEvent": "clamp_masks",
    "ClampWatch": "clamp_masks",
    "Creates": "stream_draws",
    "Deletes": "stream_draws",
    "Difference": "replay",
    "FrameCounts": "bound_stage",
    "Linked": "stream_programs",
    "Maker": "stream_draws",
    "Policy": "policy",
    "Replayer": "replay",
    "Result": "result",
    "StageResult": "stage",
    "StateTracker": "tracker",
    "StreamProblem": "stream",
    "StreamReplay": "stream",
    "clamp_request": "clamp_requests",
    "compare": "replay",
    "compare_states": "agreement",
    "convert": "result",
    "convert_handle": "stage",
    "convert_slots": "stage",
    "convert_stage": "stage",
    "dialect_of": "replay",
    "stage_masks": "clamp_masks",
    "variant_keys": "clamp_masks",
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
