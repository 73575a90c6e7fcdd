"""`statetracker.shader.lower` against native sampling, on the driver of this process, which must have every wrap.

Three pictures of a form and its states: the original module with samplers that have everything (what is right); the
lowered module with the samplers of a lesser device (`Device`); the original module with those.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from statetracker.conformance.pixels.clamp_run import BORDER, Comparison, Pictures
from statetracker.conformance.pixels.lacking import Device, lacking
from statetracker.pipe import Func, SamplerState, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.shader import border_values, lower

if TYPE_CHECKING:
    from statetracker.bindings.gl import GL
    from statetracker.conformance.pixels.clamp_forms import Form

__all__ = ["DEVICES", "WRAPS", "asked_for", "compare_lowered"]

#: Letter -> wrap.
WRAPS: Final = {
    "b": TexWrap.CLAMP_TO_BORDER,
    "c": TexWrap.CLAMP,
    "e": TexWrap.MIRROR_CLAMP_TO_EDGE,
    "m": TexWrap.MIRROR_CLAMP,
    "n": TexWrap.MIRROR_CLAMP_TO_BORDER,
    "r": TexWrap.REPEAT,
}
#: What devices lack, by name.
DEVICES: Final = {
    "edge": Device(),
    "predefined": Device("predefined", mirror_edge=True, bias=2.0),
    "no filtering": Device(mirror_edge=True, bias=2.0, filters=False),
}
#: Where GL finds the values, and the module its block.
_BLOCK: Final = (0, 7)


def asked_for(form: Form, wraps: str, **members: Any) -> SamplerState:
    """The state that a form asks for: ``wraps`` are letters of `WRAPS` for s, t and r."""
    mips = TexMipfilter.LINEAR if form.levels > 1 else TexMipfilter.NONE
    state = SamplerState(
        **dict(zip(("wrap_s", "wrap_t", "wrap_r"), (WRAPS[letter] for letter in wraps), strict=True)),
        min_img_filter=TexFilter.LINEAR,
        mag_img_filter=TexFilter.LINEAR,
        min_mip_filter=mips,
        lod_bias=form.sampler_bias,
        min_lod=-1000.0,
        max_lod=1000.0,
        compare_mode=TexCompare.R_TO_TEXTURE if form.shadow else TexCompare.NONE,
        compare_func=Func.LEQUAL,
        unnormalized_coords=form.target == "rect",
        border_color=struct.unpack("<4I", struct.pack("<4f", *BORDER)),
    )
    return state.replace(**members)


def compare_lowered(
    gl: GL, form: Form, wraps: tuple[str, ...], device: Device, size: tuple[int, ...] = (), **members: Any
) -> Comparison:
    """Draw a form's three pictures.

    wraps     letters of `WRAPS` for s, t and r: one text for each of the form's samplers
    members   more of the states' members
    """
    pictures = Pictures(gl, form, size)
    native = [asked_for(form, one, **members) for one in wraps]
    states, lowerings, values = zip(*(lacking(state, device) for state in native), strict=True)
    request = list(lowerings) if len(lowerings) > 1 else lowerings[0]
    result = lower(pictures.original, {(0, 0): request}, values=_BLOCK)
    block = {_BLOCK[1]: border_values([values[element] for _, element in result.values])} if result.values else None
    right = pictures.picture(pictures.original, native)
    ours = pictures.picture(result.module, states, uniform=block)
    alone = pictures.picture(pictures.original, states)
    pictures.close()
    largest, apart = (float(np.abs(picture - right).max()) for picture in (ours, alone))
    return Comparison(form.name, pictures.scenes[0].size, largest, apart, len(result.unresolved))
