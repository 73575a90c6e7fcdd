"""The ``pipe_sampler_state`` record, which a driver receives: its enums, layouts, cache keys and formats.

Names are Gallium's own. An enum class takes the C name without its prefix (``PIPE_TEX_WRAP_*`` is `TexWrap`), a member
takes the rest (`TexWrap.MIRROR_CLAMP`), its value is the C value. Record members keep their C spelling.
"""

from __future__ import annotations

from statetracker.pipe.enums import (
    BorderColorQuirk,
    Func,
    SwizzleSelector,
    TexCompare,
    TexFilter,
    TexMipfilter,
    TexReduction,
    TexWrap,
)
from statetracker.pipe.formats import PipeFormat, pipe_format, sampler_view_format
from statetracker.pipe.layout import (
    LAYOUTS,
    RECORD_BYTES,
    WORD0,
    KeyRule,
    Layout,
    format_in,
    from_release,
    in_release,
    number_in,
    pack_as,
    unpack_from,
)
from statetracker.pipe.lowering import ClampMasks, Lowering, LoweringValues, WrapMasks, wrap_masks
from statetracker.pipe.state import SamplerState, SamplerStateFields
from statetracker.pipe.wraps import READS_BORDER, WRAPS, WrapFacts

__all__ = [
    "LAYOUTS",
    "READS_BORDER",
    "RECORD_BYTES",
    "WORD0",
    "WRAPS",
    "BorderColorQuirk",
    "ClampMasks",
    "Func",
    "KeyRule",
    "Layout",
    "Lowering",
    "LoweringValues",
    "PipeFormat",
    "SamplerState",
    "SamplerStateFields",
    "SwizzleSelector",
    "TexCompare",
    "TexFilter",
    "TexMipfilter",
    "TexReduction",
    "TexWrap",
    "WrapFacts",
    "WrapMasks",
    "format_in",
    "from_release",
    "in_release",
    "number_in",
    "pack_as",
    "pipe_format",
    "sampler_view_format",
    "unpack_from",
    "wrap_masks",
]
