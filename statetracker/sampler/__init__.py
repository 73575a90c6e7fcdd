"""GL sampler and texture state in, ``pipe_sampler_state`` out: the heart.

Read in this order: `tables` (GL value to pipe value), `dialects` (what differs between releases), `rules` (every step
of the conversion, one after the other), `conversion` (the step that applies them),
`explanation` (the same step, watched).
`slots` does it for a whole shader stage, `shader_needs` says what is left for the shader, `losses` what even a
shader cannot mend, `batch` and `batch_lowering` do many at once.

The cost of a conversion is a table look-up and a pack: what depends on the texture, the screen and the dialect is
decided once for each kind of texture, what depends on the sampler's enums once for each part of them.

The names are loaded on first use: a conversion needs no explanation.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.sampler.conversion import Converter, convert, converter
    from statetracker.sampler.dialects import DIALECTS, Dialect, dialect, key_rule
    from statetracker.sampler.explanation import Explanation, Step, explain
    from statetracker.sampler.gl_side import quantize_lod_bias
    from statetracker.sampler.losses import ClampLoss, clamp_losses
    from statetracker.sampler.rules import RULES, Rule
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
    "Rule",
    "SlotInput",
    "Step",
    "WrapMasks",
    "clamp_losses",
    "clamp_masks",
    "convert",
    "converter",
    "dialect",
    "explain",
    "external_slots",
    "key_rule",
    "lowering",
    "quantize_lod_bias",
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
    "RULES": "rules",
    "Rule": "rules",
    "SlotInput": "slots",
    "Step": "explanation",
    "WrapMasks": "shader_needs",
    "clamp_losses": "losses",
    "clamp_masks": "shader_needs",
    "convert": "conversion",
    "converter": "conversion",
    "dialect": "dialects",
    "explain": "explanation",
    "external_slots": "slots",
    "key_rule": "dialects",
    "lowering": "shader_needs",
    "quantize_lod_bias": "gl_side",
    "stage_records": "slots",
    "wrap_masks": "shader_needs",
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
