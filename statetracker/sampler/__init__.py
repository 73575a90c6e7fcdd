"""GL sampler and texture state in, ``pipe_sampler_state`` out. Names are loaded on first use.

Read in this order: `tables`, `dialects` (what differs between releases), `rules` (every rule of the conversion),
`conversion` (which applies them, also to a whole stage, and says what is left for the shader), `explanation` (the same,
watched), `memo` (the same bytes, remembered), `unsupported` (what a shader cannot do either).
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.sampler.conversion import RULES as RULES
    from statetracker.sampler.conversion import Converter as Converter
    from statetracker.sampler.conversion import SlotInput as SlotInput
    from statetracker.sampler.conversion import converter as converter
    from statetracker.sampler.conversion import external_slots as external_slots
    from statetracker.sampler.conversion import lowering as lowering
    from statetracker.sampler.conversion import sampler_state as sampler_state
    from statetracker.sampler.conversion import stage_records as stage_records
    from statetracker.sampler.dialects import DIALECTS as DIALECTS
    from statetracker.sampler.dialects import Dialect as Dialect
    from statetracker.sampler.dialects import dialect as dialect
    from statetracker.sampler.dialects import key_rule as key_rule
    from statetracker.sampler.explanation import Explanation as Explanation
    from statetracker.sampler.explanation import MemberStep as MemberStep
    from statetracker.sampler.explanation import explain as explain
    from statetracker.sampler.gl_side import quantize_lod_bias as quantize_lod_bias
    from statetracker.sampler.rules import Rule as Rule
    from statetracker.sampler.unsupported import UnsupportedClamp as UnsupportedClamp
    from statetracker.sampler.unsupported import unsupported_clamps as unsupported_clamps

_MODULES = {
    "conversion": (
        *("RULES", "Converter", "converter", "sampler_state"),
        *("SlotInput", "external_slots", "lowering", "stage_records"),
    ),
    "dialects": ("DIALECTS", "Dialect", "dialect", "key_rule"),
    "explanation": ("Explanation", "MemberStep", "explain"),
    "gl_side": ("quantize_lod_bias",),
    "rules": ("Rule",),
    "unsupported": ("UnsupportedClamp", "unsupported_clamps"),
}

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
