"""GL sampler and texture state in, ``pipe_sampler_state`` out. Names are loaded on first use.

Read in this order: `tables`, `dialects` (what differs between releases), `rules` (every rule of the conversion),
`conversion` (which applies them, also to a whole stage, and says what is left for the shader), `explanation` (the same,
watched), `memo` (the same bytes, remembered), `unsupported` (what a shader cannot do either).
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.sampler.conversion import (
        RULES,
        Converter,
        SlotInput,
        converter,
        external_slots,
        lowering,
        sampler_state,
        stage_records,
    )
    from statetracker.sampler.dialects import DIALECTS, Dialect, dialect, key_rule
    from statetracker.sampler.explanation import Explanation, MemberStep, explain
    from statetracker.sampler.gl_side import quantize_lod_bias
    from statetracker.sampler.rules import Rule
    from statetracker.sampler.unsupported import UnsupportedClamp, unsupported_clamps

__all__ = [
    "DIALECTS",
    "RULES",
    "Converter",
    "Dialect",
    "Explanation",
    "MemberStep",
    "Rule",
    "SlotInput",
    "UnsupportedClamp",
    "converter",
    "dialect",
    "explain",
    "external_slots",
    "key_rule",
    "lowering",
    "quantize_lod_bias",
    "sampler_state",
    "stage_records",
    "unsupported_clamps",
]

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

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
