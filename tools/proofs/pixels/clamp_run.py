"""Rewritten shaders against native GL_CLAMP on the driver of this process, which must know GL_CLAMP and SPIR-V.

Three pictures of a form: the original module with samplers that wrap with GL_CLAMP (what is right); the rewritten
module with the state that `st.convert` chooses for a screen without GL_CLAMP; the original module with that state.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.caps import Screen
from statetracker.frontend import clamp_request, convert
from statetracker.gl import Sampler, Texture
from statetracker.pipe import Lowering
from statetracker.reference import TARGETS
from statetracker.shader import lower
from tools.proofs.pixels.clamp_forms import BIAS, SIDE, Form, fragment, size_of
from tools.proofs.pixels.gl_draw import compiled, picture, sampler
from tools.proofs.pixels.scene import Canvas, Scene, gl_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from statetracker.bindings.gl import GL
    from statetracker.frontend import Result
    from statetracker.pipe import SamplerState
    from statetracker.shader import Lowered

__all__ = ["BORDER", "Comparison", "Pictures", "Stage", "bias_precision", "compare", "compiled", "resized", "sides"]

BORDER: Final = (2.0, 3.0, 5.0, 0.5)
_WRAPS: Final = {"c": "clamp", "m": "mirror-clamp-ext", "r": "repeat"}
_NATIVE: Final = Screen.named("llvmpipe")
_WITHOUT: Final = Screen.named("zink-lavapipe")


class Comparison(NamedTuple):
    """The comparison of one form.

    Attributes:
        largest: The largest difference of the rewritten module from native GL_CLAMP.
        alone: The same without the rewrite.
        unresolved: What the rewrite could not do.
    """

    largest: float
    alone: float
    unresolved: int

    @classmethod
    def of(cls, pictures: Iterable[NDArray[Any]], lowered: Lowered) -> Comparison:
        """Compare what is right, the rewritten module's picture, and the one without the rewrite."""
        right, ours, alone = pictures
        largest, apart = (float(np.abs(seen - right).max()) for seen in (ours, alone))
        return cls(largest, apart, len(lowered.unresolved))


def sides(form: Form, *, dialect: str = "mesa22", **members: Any) -> list[tuple[Result, Result]]:
    """For each element of a form's samplers, the native conversion and that for a screen without GL_CLAMP."""
    filters = {"min_filter": "linear-mipmap-linear" if form.levels > 1 else "linear", "mag_filter": "linear"}
    shadow = {"compare_mode": "compare-ref-to-texture", "compare_func": "lequal"} if form.shadow else {}
    target = {"rect": "rectangle", "cube": "cube-map"}.get(form.target, form.target)
    internal = "DEPTH_COMPONENT32F" if form.shadow else "RGBA32F"
    texture = Texture(target=target, internal_format=internal, size=size_of(form), levels=form.levels)
    pairs = []
    for wraps in form.wraps:
        s, t, r = (_WRAPS[letter] for letter in wraps)
        sampled = Sampler(
            wrap_s=s, wrap_t=t, wrap_r=r, border_color=BORDER, lod_bias=form.sampler_bias,
            **(filters | shadow | members),
        )  # fmt: skip
        pairs.append((convert(sampled, texture, _NATIVE), convert(sampled, texture, _WITHOUT, dialect=dialect)))
    return pairs


def _clamped(pair: tuple[Result, Result]) -> Lowering:
    """Clamps alone: GL has rectangles, and filters depth, whatever the screen without GL_CLAMP lacks beside it."""
    asked = pair[1].lowering
    return Lowering(asked.clamp, asked.mirror, texel_coords=asked.texel_coords)


class Pictures:
    """A form's textures and its module, drawn with samplers of any states."""

    def __init__(self, gl: GL, form: Form, size: tuple[int, ...] = ()) -> None:
        self.gl, self.form = gl, form
        texel_format = "DEPTH32F" if form.shadow else "RGBA32F"
        self.scenes = [
            Scene(Canvas(gl, SIDE), form.target, size or size_of(form), form.levels, texel_format, seed=7 + element)
            for element in range(len(form.wraps))
        ]
        self.original = compiled(fragment(form))

    def picture(
        self, module: bytes, states: Iterable[SamplerState], *, uniform: Mapping[int, bytes] = {}
    ) -> NDArray[Any]:
        """Draw a module, with a state for each texture; ``uniform``: binding -> content of a block."""
        samplers = []
        for state in states:
            parameters = gl_parameters(state)
            if self.form.target == "rect":
                del parameters[0x8072]
            border = struct.unpack("<4f", struct.pack("<4I", *state.border_color))
            samplers.append(sampler(self.gl, parameters, border))
        units = [(scene.gl_target.number, scene.name, name) for scene, name in zip(self.scenes, samplers, strict=True)]
        return picture(self.gl, module, SIDE, units, uniform=uniform)

    def close(self) -> None:
        """Delete the textures."""
        names = [scene.name for scene in self.scenes]
        self.gl.call("glDeleteTextures", len(names), names)


class Stage(Pictures):
    """Pictures of a form with the states of a screen that has GL_CLAMP and of one that has not, and its rewrite."""

    def __init__(
        self, gl: GL, form: Form, size: tuple[int, ...] = (), *, dialect: str = "mesa22", **members: Any
    ) -> None:
        super().__init__(gl, form, size)
        self.both = sides(form, dialect=dialect, **members)
        slots = tuple(range(len(form.wraps)))
        places: dict[tuple[int, int], Any] = {(0, 0): slots if len(slots) > 1 else 0}
        self.lowered = lower(self.original, clamp_request(dict(enumerate(map(_clamped, self.both))), places))

    @property
    def native(self) -> list[SamplerState]:
        """The states with GL_CLAMP."""
        return [native.pipe for native, _ in self.both]

    @property
    def chosen(self) -> list[SamplerState]:
        """The states without."""
        return [other.pipe for _, other in self.both]


def compare(gl: GL, form: Form, size: tuple[int, ...] = (), **members: Any) -> Comparison:
    """Draw a form's three pictures; ``members`` are more of the samplers' parameters."""
    stage = Stage(gl, form, size, **members)
    right = stage.picture(stage.original, stage.native)
    ours, alone = (stage.picture(module, stage.chosen) for module in (stage.lowered.module, stage.original))
    stage.close()
    return Comparison.of((right, ours, alone), stage.lowered)


def bias_precision(gl: GL, form: Form) -> float:
    """Return how exact the driver's own levels are: a biased sample against scaled gradients, both under GL_REPEAT."""
    axes = {1: "c.x", 2: "c.xy", 3: "c.xyz"}[TARGETS[form.target].axes]
    by_hand = f"textureGrad(s, AT, dFdx({axes}) * exp2({BIAS}), dFdy({axes}) * exp2({BIAS}))"
    repeated = form._replace(wraps=("rrr",), expression=f"texture(s, AT, {BIAS})")
    stage = Stage(gl, repeated)
    biased = stage.picture(stage.original, stage.native)
    scaled = stage.picture(compiled(fragment(repeated._replace(expression=by_hand))), stage.native)
    stage.close()
    return float(np.abs(biased - scaled).max())


def resized(form: Form, edge: int) -> tuple[int, ...]:
    """Return a size with that edge (and others nearby) for every axis that wraps; layers stay."""
    axes = TARGETS[form.target].axes
    layers = size_of(form)[axes:]
    return (*(max(1, edge - axis * 2) for axis in range(axes)), *layers)
