"""`Program`: what a linked program asks of samplers, as data. No source is read here.

Each stage has sampler *slots* (the program's sampler indices), packed from 0 in order of declaration; an array takes
one slot an element. A uniform declared in two stages is one uniform with a slot in each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SAMPLER_TARGETS", "STAGES", "Program", "SamplerUniform", "Slot", "sampler_target"]

T = e.Target

#: Shader stages, in pipeline order.
STAGES: Final = ("vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute")

#: GLSL sampler type, without ``i``/``u`` before and ``Shadow`` after it -> target.
SAMPLER_TARGETS: Final = {
    "sampler1D": T.TEXTURE_1D,
    "sampler2D": T.TEXTURE_2D,
    "sampler3D": T.TEXTURE_3D,
    "samplerCube": T.TEXTURE_CUBE_MAP,
    "sampler2DRect": T.TEXTURE_RECTANGLE,
    "sampler1DArray": T.TEXTURE_1D_ARRAY,
    "sampler2DArray": T.TEXTURE_2D_ARRAY,
    "samplerCubeArray": T.TEXTURE_CUBE_MAP_ARRAY,
    "samplerBuffer": T.TEXTURE_BUFFER,
    "sampler2DMS": T.TEXTURE_2D_MULTISAMPLE,
    "sampler2DMSArray": T.TEXTURE_2D_MULTISAMPLE_ARRAY,
    "samplerExternalOES": T.TEXTURE_EXTERNAL_OES,
}


def sampler_target(glsl_type: str) -> T:
    """Give the target a GLSL sampler type looks up; raises `ArgumentError` for any other type."""
    plain = glsl_type.removesuffix("Shadow")
    plain = plain[1:] if plain[:1] in ("i", "u") else plain
    if plain not in SAMPLER_TARGETS:
        raise ArgumentError("sampler type", glsl_type, accepted=", ".join(SAMPLER_TARGETS))
    return SAMPLER_TARGETS[plain]


class SamplerUniform(NamedTuple):
    """One sampler uniform.

    name      as declared
    type      GLSL type, ``"sampler2D"``
    size      elements of an array that have slots; 1 for no array
    stages    stages that use it
    binding   its initial unit; array elements count up from it
    bindless  whether a handle may stand in for the unit
    """

    name: str
    type: str
    size: int = 1
    stages: tuple[str, ...] = ("fragment",)
    binding: int = 0
    bindless: bool = False


class Slot(NamedTuple):
    """What one slot of a stage samples: the unit, the target, and whether it is a bindless uniform."""

    index: int  # type: ignore[assignment]  # not tuple's method
    unit: int
    target: int
    bindless: bool = False


class Program:
    """A linked program.

    samplers       its sampler uniforms, in order of declaration
    glsl_version   130, 450, 300 (for ES 3.00) ...; decides one swizzle rule

    Raises `ArgumentError` for an unknown stage or sampler type.
    """

    def __init__(self, samplers: Sequence[SamplerUniform] = (), *, glsl_version: int = 130) -> None:
        """Give every uniform its locations and its initial units."""
        self.samplers = tuple(samplers)
        self.glsl_version = glsl_version
        self.locations: dict[str, int] = {}
        self.units: list[int] = []
        for uniform in self.samplers:
            _check(uniform)
            self.locations[uniform.name] = len(self.units)
            for element in range(uniform.size):
                self.locations[f"{uniform.name}[{element}]"] = len(self.units)
                self.units.append(uniform.binding + element if uniform.binding else 0)

    def set_units(self, location: int, units: Sequence[int]) -> None:
        """Set the units of consecutive elements of one uniform; those past its end are ignored, as in GL."""
        room = len(self.units) - location
        for uniform in self.samplers:
            first = self.locations[uniform.name]
            if first <= location < first + uniform.size:
                room = first + uniform.size - location
        for offset, unit in enumerate(units[:room]):
            self.units[location + offset] = unit

    @property
    def glsl130(self) -> bool:
        """Whether the program counts as GLSL 1.30 or later (ES 3.x does, ES 1.00 does not)."""
        return self.glsl_version >= 130

    def slots(self, stage: str) -> list[Slot]:
        """The slots a stage uses, ascending."""
        found: list[Slot] = []
        for uniform in self.samplers:
            if stage not in uniform.stages:
                continue
            first = self.locations[uniform.name]
            target = int(sampler_target(uniform.type))
            for element in range(uniform.size):
                found.append(Slot(len(found), self.units[first + element], target, uniform.bindless))
        return found


def _check(uniform: SamplerUniform) -> None:
    for stage in uniform.stages:
        if stage not in STAGES:
            raise ArgumentError("stage", stage, accepted=", ".join(STAGES))
    if uniform.size < 1:
        raise ArgumentError("size", uniform.size, accepted="1 or more elements")
    if uniform.binding < 0:
        raise ArgumentError("binding", uniform.binding, accepted="a unit, 0 or more")
    sampler_target(uniform.type)
