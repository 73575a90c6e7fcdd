"""GL sampler and texture state in, ``pipe_sampler_state`` out.

Read in this order: `tables` (GL value to pipe value), `dialects` (what differs between releases), `rules` (every rule
of the conversion, one after the other; `tail_rules` for what follows word 0), `conversion` (which applies them),
`explanation` (the same, watched), `memo` (the same bytes, remembered).
`slots` does it for a whole shader stage, `shader_needs` says what is left for the shader, `losses` what a shader cannot
make up for either, `batch` and `batch_lowering` do many at once.

The names are loaded on first use: a conversion needs no explanation.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.sampler.conversion import RULES, Converter, converter, sampler_state
    from statetracker.sampler.dialects import DIALECTS, Dialect, dialect, key_rule
    from statetracker.sampler.explanation import Explanation, MemberStep, explain
    from statetracker.sampler.gl_side import quantize_lod_bias
    from statetracker.sampler.losses import ClampLoss, clamp_losses
    from statetracker.sampler.rules import Rule
    from statetracker.sampler.shader_needs import ClampMasks, Lowering, WrapMasks, clamp_masks, lowering, wrap_masks
    from statetracker.sampler.slots import SlotInput, external_slots, stage_records

__all__ = [
    "DIALECTS",
    "RULES",
    "ClampLoss",
    "ClampMasks",
    "Converter",
    "Dialect",
    "Explanation",
    "Lowering",
    "MemberStep",
    "Rule",
    "SlotInput",
    "WrapMasks",
    "clamp_losses",
    "clamp_masks",
    "converter",
    "dialect",
    "explain",
    "external_slots",
    "key_rule",
    "lowering",
    "quantize_lod_bias",
    "sampler_state",
    "stage_records",
    "wrap_masks",
]

_MODULES = {
    "ClampLoss": "losses",
    "ClampMasks": "shader_needs",
    "Converter": "conversion",
    "DIALECTS": "dialects",
    "Dialect": "dialects",
    "Explanation": "explanation",
    "Lowering": "shader_needs",
    "MemberStep": "explanation",
    "RULES": "conversion",
    "Rule": "rules",
    "SlotInput": "slots",
    "WrapMasks": "shader_needs",
    "clamp_losses": "losses",
    "clamp_masks": "shader_needs",
    "converter": "conversion",
    "dialect": "dialects",
    "explain": "explanation",
    "external_slots": "slots",
    "key_rule": "dialects",
    "lowering": "shader_needs",
    "quantize_lod_bias": "gl_side",
    "sampler_state": "conversion",
    "stage_records": "slots",
    "wrap_masks": "shader_needs",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'statetracker.sampler' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"statetracker.sampler.{module}"), name)
    globals()[name] = value
    return value
