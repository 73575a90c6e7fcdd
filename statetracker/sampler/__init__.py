"""GL sampler and texture state in, ``pipe_sampler_state`` out: the heart.

Read in this order: `tables` (GL value to pipe value), `dialects` (what differs between releases), `rules` (every step
of the conversion, one after the other), `conversion` (the step that applies them),
`explanation` (the same step, watched).
`slots` does it for a whole shader stage, `shader_work` says what is left for the shader, `unsupported` what not even a
shader can do, `batch` and `batch_lowering` do many at once.

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
    from statetracker.sampler.rules import RULES, Rule
    from statetracker.sampler.shader_work import lowering
    from statetracker.sampler.slots import SlotInput, external_slots, stage_records
    from statetracker.sampler.unsupported import UnsupportedClamp, unsupported_clamps

__all__ = [
    "DIALECTS",
    "RULES",
    "Converter",
    "Dialect",
    "Explanation",
    "Rule",
    "SlotInput",
    "Step",
    "UnsupportedClamp",
    "convert",
    "converter",
    "dialect",
    "explain",
    "external_slots",
    "key_rule",
    "lowering",
    "quantize_lod_bias",
    "stage_records",
    "unsupported_clamps",
]

_MODULES = {
    "Converter": "conversion",
    "DIALECTS": "dialects",
    "Dialect": "dialects",
    "Explanation": "explanation",
    "RULES": "rules",
    "Rule": "rules",
    "SlotInput": "slots",
    "Step": "explanation",
    "UnsupportedClamp": "unsupported",
    "convert": "conversion",
    "converter": "conversion",
    "dialect": "dialects",
    "explain": "explanation",
    "external_slots": "slots",
    "key_rule": "dialects",
    "lowering": "shader_work",
    "quantize_lod_bias": "gl_side",
    "stage_records": "slots",
    "unsupported_clamps": "unsupported",
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
