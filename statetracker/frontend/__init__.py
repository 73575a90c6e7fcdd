"""The calls of a front end's loop: `convert` with all its answers, whole stages, user policy.

The names are loaded on first use: `convert` needs none of the rest.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.policy import Policy, PolicyFields
    from statetracker.frontend.result import Result, convert
    from statetracker.frontend.sharing import SamplerPlan, plan_samplers
    from statetracker.frontend.slot_lowering import BoundSlot, SlotView, clamp_request
    from statetracker.frontend.stage import StageResult, convert_handle, convert_slots, convert_stage
    from statetracker.frontend.stage_watch import (
        CLAMP_EVENTS,
        ClampEvent,
        ClampWatch,
        StencilWatch,
        stage_masks,
        stage_stencil,
        variant_keys,
    )
    from statetracker.frontend.tracker import LoggedTracker, StateTracker

__all__ = [
    "CLAMP_EVENTS",
    "BoundSlot",
    "BoundStage",
    "ClampEvent",
    "ClampWatch",
    "FrameCounts",
    "LoggedTracker",
    "Policy",
    "PolicyFields",
    "Result",
    "SamplerPlan",
    "SlotView",
    "StageResult",
    "StateTracker",
    "StencilWatch",
    "clamp_request",
    "convert",
    "convert_handle",
    "convert_slots",
    "convert_stage",
    "plan_samplers",
    "stage_masks",
    "stage_stencil",
    "variant_keys",
]

_MODULES = {
    "bound_stage": ("BoundStage", "FrameCounts"),
    "policy": ("Policy", "PolicyFields"),
    "result": ("Result", "convert"),
    "sharing": ("SamplerPlan", "plan_samplers"),
    "slot_lowering": ("BoundSlot", "SlotView", "clamp_request"),
    "stage": ("StageResult", "convert_handle", "convert_slots", "convert_stage"),
    "stage_watch": (
        "CLAMP_EVENTS",
        "ClampEvent",
        "ClampWatch",
        "StencilWatch",
        "stage_masks",
        "stage_stencil",
        "variant_keys",
    ),
    "tracker": ("LoggedTracker", "StateTracker"),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
