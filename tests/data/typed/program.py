"""A user's program, as type checkers see it: `accepted` is right and runs, of `refused` every marked line is wrong.

A mark that is not needed is an error itself (mypy --strict, and pyright's reportUnnecessaryTypeIgnoreComment).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_type

import statetracker as st
from statetracker.gl import Wrap
from statetracker.pipe import TexWrap

if TYPE_CHECKING:
    from typing import Unpack

    from statetracker.gl import SamplerFields


def made(**fields: Unpack[SamplerFields]) -> st.Sampler:
    """Keywords handed on."""
    return st.Sampler(**fields)


def accepted() -> None:
    """Every spelling, in constructors and setters; what is read has one type."""
    sampler = st.Sampler(wrap_s="repeat", border_color=(1, 0, 0, 1))
    st.Sampler(wrap="clamp", filter=("linear", 0x2600), compare_mode=True, min_lod=1, border_color_i=[1, -1, 0, 0])
    made(wrap_r=Wrap.CLAMP).copy(max_anisotropy=4).update(lod_bias=0.5, cube_map_seamless=True)
    sampler.wrap = "clamp"
    sampler.filter = ("linear", 0x2600)
    sampler.wrap_s = "repeat"
    sampler.wrap_t = 0x2900
    sampler.wrap_r = Wrap.CLAMP_TO_EDGE
    sampler.compare_mode = True
    sampler.min_lod = 2
    sampler.border_color = (1, 0.5, 0, 1)
    sampler.border_color = [0, 0, 0, 1]
    assert_type(sampler.wrap_s + 0, int)
    assert_type(st.Sampler().border_color, tuple[int, int, int, int])

    texture = st.Texture("2d", internal_format="RGBA8", size=(256, 256), swizzle="RGB1")
    texture.swizzle = ("red", 0x1904, "zero", "one")
    texture.depth_mode = "red"
    texture.max_level = 3
    texture.view_swizzle = [0, 1, 2, 5]
    assert_type(st.Texture().swizzle, tuple[int, ...])

    policy = st.Policy(max_anisotropy=4, force_mip_filter="nearest").replace(lod_quantum=0.25)
    assert_type(policy.max_anisotropy, float | None)
    state = st.SamplerState(wrap_s="REPEAT", wrap_t=TexWrap.CLAMP, wrap_r=2, border_color=(1.0, 0, 0, 1)).replace(
        lod_bias=1
    )
    assert_type(state.wrap_s, TexWrap)
    assert_type(st.convert(sampler, texture, st.Screen.named("llvmpipe"), policy=policy).pipe, st.SamplerState)


def refused(sampler: st.Sampler, texture: st.Texture, gl: st.Context) -> None:
    """Never called: misspelled names and values of the wrong kind."""
    st.Sampler(wrap_S="repeat")  # type: ignore[call-arg]
    st.Sampler(wrap_s=1.5)  # type: ignore[arg-type]
    st.Sampler(border_color="red")  # type: ignore[arg-type]
    sampler.update(warp="clamp")  # type: ignore[call-arg]
    sampler.copy(min_lod="0")  # type: ignore[arg-type]
    made(wrap_q=1)  # type: ignore[call-arg]
    sampler.wrap_S = "repeat"  # type: ignore[attr-defined]
    sampler.wrap_s = 1.5  # type: ignore[assignment]
    sampler.border_color = 1  # type: ignore[assignment]
    st.Texture(sise=(256, 256))  # type: ignore[arg-type]
    texture.depth_mode = None  # type: ignore[assignment]
    texture.base_levle = 1  # type: ignore[attr-defined]
    st.Policy(anisotropy=4)  # type: ignore[call-arg]
    st.Policy(max_anisotropy="4")  # type: ignore[arg-type]
    st.Policy().replace(lod_bias=1)  # type: ignore[call-arg]
    st.SamplerState(wrap_q="REPEAT")  # type: ignore[call-arg]
    st.SamplerState().replace(lod_bias="1")  # type: ignore[arg-type]
    gl.glDrawArrays("GL_TRIANGLES", 0, 3)  # type: ignore[attr-defined]
