"""`statetracker.shader.lower` against native sampling, on the driver of this process, which must have every wrap.

Three pictures of a form and its states: the original module with samplers that have everything (what is right); the
lowered module with the samplers of a lesser device (`Device`); the original module with those.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.pipe import Func, SamplerState, TexCompare, TexFilter, TexMipfilter, TexWrap
from statetracker.shader import border_values, lower
from tools.proofs.pixels.clamp_forms import Form
from tools.proofs.pixels.clamp_run import BORDER, Comparison, Pictures, resized
from tools.proofs.pixels.lacking import Device, lacking, seamed

if TYPE_CHECKING:
    from random import Random

    from statetracker.bindings.gl import GL

__all__ = ["CUBES", "DEVICES", "WRAPS", "Case", "asked_for", "compare_lowered", "drawn_case"]

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
#: Name -> form of a cube without seams, on a device that always looks across edges. llvmpipe has the edge there,
#: whatever the wrap; no level is a tie.
CUBES: Final = {
    form.name: form
    for form in (
        Form("cube", "cube", "texture(s, AT)", ("eee",), size=(5, 5)),
        Form("cube lod", "cube", "textureLod(s, AT, 0.0)", ("eee",)),
        Form("cube mipmaps lod", "cube", "textureLod(s, AT, d * 3.9 + 0.033)", ("eee",), levels=5, size=(32, 32)),
        Form("cube gather", "cube", "textureGather(s, AT, 1)", ("eee",), size=(7, 7)),
    )
}
#: GL_TEXTURE_CUBE_MAP_SEAMLESS
_SEAMLESS: Final = 0x884F
#: How often a case has a size that is no power of two.
_OTHER_SIZE: Final = 0.7
#: Forms whose levels come close to the middle between two, where a driver may choose either.
_TIES: Final = ("level 1.5", "any level", "levels", "bias")
#: Where GL finds the values, and the module its block.
_BLOCK: Final = (0, 7)


class Case(NamedTuple):
    """One comparison: letters of `WRAPS` for each of the form's samplers, a name of `DEVICES`, a size, and members."""

    wraps: tuple[str, ...]
    device: str
    size: tuple[int, ...]
    members: dict[str, Any]


def drawn_case(form: Form, random: Random) -> Case:
    """Draw a case that llvmpipe samples as GL says.

    It does not where min and mag filters differ: GL_CLAMP reads the border for nearest fragments too, and a
    rectangle's level is multiplied by its size.
    """
    wraps = tuple("".join(random.choices("bcemnr", k=3)) for _ in form.wraps)
    minify, magnify = random.choices([*TexFilter], k=2)
    if form.target == "rect":
        wraps = tuple(one.replace("r", "b") for one in wraps)
    if form.target == "rect" or "offset" in form.name or any(set(one) & {"c", "m"} for one in wraps):
        magnify = minify
    members: dict[str, Any] = {
        "min_img_filter": minify,
        "mag_img_filter": magnify,
        "compare_func": random.choice([*Func]),
    }
    if form.levels > 1:
        tied = any(name in form.name for name in _TIES)
        low = random.choice((-1000.0, 0.0, 0.25, 1.0, 1.75))
        members |= {
            "min_mip_filter": random.choice([TexMipfilter.NONE, TexMipfilter.LINEAR] if tied else [*TexMipfilter]),
            "min_lod": low,
            "max_lod": random.choice([top for top in (0.0, 0.75, 2.0, 2.75, 1000.0) if top >= low]),
            "lod_bias": random.choice((0.0, 1.0, -1.0, 0.25, 3.25)),
        }
    # Of 12 texels a picture has a step of exactly one: either filter is right.
    alone = form.levels == 1 and minify == magnify and random.random() < _OTHER_SIZE
    size = resized(form, random.randint(1, 17)) if alone else ()
    return Case(wraps, random.choice([*DEVICES]), size, members)


def asked_for(form: Form, wraps: str, **members: Any) -> SamplerState:
    """Return the state that a form asks for: ``wraps`` are letters of `WRAPS` for s, t and r."""
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


def compare_lowered(gl: GL, form: Form, case: Case) -> Comparison:
    """Draw a form's three pictures."""
    pictures = Pictures(gl, form, case.size)
    native = [asked_for(form, one, **case.members) for one in case.wraps]
    cube = form.target == "cube"
    lesser = seamed if cube else lacking
    states, lowerings, values = zip(*(lesser(state, DEVICES[case.device]) for state in native), strict=True)
    request = list(lowerings) if len(lowerings) > 1 else lowerings[0]
    result = lower(pictures.original, {(0, 0): request}, values=_BLOCK)
    block = {_BLOCK[1]: border_values([values[element] for _, element in result.values])} if result.values else {}
    right = pictures.picture(pictures.original, native)
    if cube:
        gl.call("glEnable", _SEAMLESS)
    ours = pictures.picture(result.module, states, uniform=block)
    alone = pictures.picture(pictures.original, states)
    gl.call("glDisable", _SEAMLESS)
    pictures.close()
    return Comparison.of((right, ours, alone), result)
