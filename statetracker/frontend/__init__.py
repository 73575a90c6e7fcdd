"""The calls of a front end's loop: `convert` with all its answers, whole stages, user policy.

The names are loaded on first use: `convert` needs none of the rest.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.frontend.bound_stage import BoundStage as BoundStage
    from statetracker.frontend.bound_stage import FrameCounts as FrameCounts
    from statetracker.frontend.policy import Policy as Policy
    from statetracker.frontend.policy import PolicyFields as PolicyFields
    from statetracker.frontend.result import Result as Result
    from statetracker.frontend.result import convert as convert
    from statetracker.frontend.sharing import SamplerPlan as SamplerPlan
    from statetracker.frontend.sharing import plan_samplers as plan_samplers
    from statetracker.frontend.slot_lowering import BoundSlot as BoundSlot
    from statetracker.frontend.slot_lowering import SlotView as SlotView
    from statetracker.frontend.slot_lowering import clamp_request as clamp_request
    from statetracker.frontend.stage import StageResult as StageResult
    from statetracker.frontend.stage import convert_handle as convert_handle
    from statetracker.frontend.stage import convert_slots as convert_slots
    from statetracker.frontend.stage import convert_stage as convert_stage
    from statetracker.frontend.stage_watch import CLAMP_EVENTS as CLAMP_EVENTS
    from statetracker.frontend.stage_watch import ClampEvent as ClampEvent
    from statetracker.frontend.stage_watch import ClampWatch as ClampWatch
    from statetracker.frontend.stage_watch import StencilWatch as StencilWatch
    from statetracker.frontend.stage_watch import stage_masks as stage_masks
    from statetracker.frontend.stage_watch import stage_stencil as stage_stencil
    from statetracker.frontend.stage_watch import variant_keys as variant_keys
    from statetracker.frontend.tracker import LoggedTracker as LoggedTracker
    from statetracker.frontend.tracker import StateTracker as StateTracker

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

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
