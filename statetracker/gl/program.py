"""`Program`: the samplers of a linked program, as data. No source is read here.

Each stage has sampler *slots* (the program's sampler indices), packed from 0 in order of declaration; an array takes
one slot an element. A uniform declared in two stages is one uniform with a slot in each. Source: GL 4.6, 7.6 (uniforms)
and 7.10 (samplers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.facts import next_token
from statetracker.gl.targets import TARGETS
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

T = e.Target


#: GLSL sampler type, without ``i``/``u`` before and ``Shadow`` after it -> target.
SAMPLER_TARGETS: Final = {f"sampler{rule.glsl}": T(target) for target, rule in TARGETS.items()}


def sampler_target(glsl_type: str) -> T:
    """Return the target a GLSL sampler type looks up.

    Args:
        glsl_type: As GLSL spells it: ``sampler2D``, ``usampler2DArray``, ``samplerCubeShadow``.

    Raises:
        ArgumentError: Any other type.
    """
    if not is_sampler(glsl_type):
        raise ArgumentError("sampler type", glsl_type, accepted=", ".join(SAMPLER_TARGETS))
    return SAMPLER_TARGETS[_plain(glsl_type)]


def is_sampler(glsl_type: str) -> bool:
    """Return whether a GLSL type is a sampler's."""
    return _plain(glsl_type) in SAMPLER_TARGETS


def _plain(glsl_type: str) -> str:
    plain = glsl_type.removesuffix("Shadow")
    return plain[1:] if plain[:1] in ("i", "u") else plain


class SamplerUniform(NamedTuple):
    """One sampler uniform.

    Attributes:
        name: As declared.
        type: GLSL type, ``"sampler2D"``.
        size: Elements of an array that have slots; 1 for no array.
        stages: Stages that use it, as `spellings.stage_named` takes them.
        binding: Its initial unit, from which array elements count up; None: every element starts at unit 0.
        bindless: Whether a handle may stand in for the unit.
    """

    name: str
    type: str
    size: int = 1
    stages: tuple[str, ...] = ("fragment",)
    binding: int | None = None
    bindless: bool = False


class Slot(NamedTuple):
    """A slot of a stage: its unit and target.

    Attributes:
        index: The slot.
        unit: The texture unit.
        target: What is looked up there.
        bindless: A bindless uniform.
        shadow: Mesa takes the unit for one that a shadow sampler reads: the stage's slot of the *unit's* number is a
            shadow sampler (the mask has a bit a slot, and Mesa looks at the bit of the unit).
    """

    index: int  # type: ignore[assignment]  # not tuple's method
    unit: int
    target: int
    bindless: bool = False
    shadow: bool = False


class Program:
    """A linked program.

    Args:
        samplers: Its sampler uniforms, in order of declaration.
        glsl_version: 130, 450, 300 (for ES 3.00) ...; decides one swizzle rule.
        slots: Stage -> (uniform, element) for each of its slots; by default every element of every uniform of the
            stage, in order of declaration.
        locations: Location -> (uniform, element); by default counted from 0, in order of declaration. What is given may
            have gaps for other uniforms; setting a location between does nothing.

    Attributes:
        token: A new integer after every change of ``units``, which `set_units` makes.

    Raises:
        ArgumentError: An unknown stage or sampler type, or a slot or location of an unknown element.
    """

    def __init__(
        self,
        samplers: Sequence[SamplerUniform] = (),
        *,
        glsl_version: int = 130,
        slots: Mapping[str, Sequence[tuple[str, int]]] | None = None,
        locations: Mapping[int, tuple[str, int]] | None = None,
    ) -> None:
        self.samplers = tuple(samplers)
        self.glsl_version = glsl_version
        self.units: list[int] = []
        self.token = next_token()
        self.complete = locations is None
        self._set: set[int] = set()
        self._first: dict[str, int] = {}
        self._uniforms = {uniform.name: uniform for uniform in self.samplers}
        for uniform in self.samplers:
            _check(uniform)
            self._first[uniform.name] = len(self.units)
            start = uniform.binding
            self.units += [0 if start is None else start + element for element in range(uniform.size)]
        self.locations: dict[str, int] = {}
        self.places: dict[int, int] = {}
        if locations is None:
            locations = dict(enumerate((u.name, element) for u in self.samplers for element in range(u.size)))
        for location, (name, element) in locations.items():
            self.place(location, name, element)
        self._slots = {
            stage_named(stage): tuple(
                (self._uniform(name, element), self._first[name] + element) for name, element in used
            )
            for stage, used in (self._declared() if slots is None else slots).items()
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore another program, with a token of its own, from a copy or a pickle."""
        vars(self).update(state, token=next_token())

    def _declared(self) -> dict[str, list[tuple[str, int]]]:
        slots: dict[str, list[tuple[str, int]]] = {}
        for uniform in self.samplers:
            for stage in dict.fromkeys(map(stage_named, uniform.stages)):
                slots.setdefault(stage, []).extend((uniform.name, element) for element in range(uniform.size))
        return slots

    def _uniform(self, name: str, element: int) -> SamplerUniform:
        uniform = self._uniforms.get(name)
        if uniform is None or not 0 <= element < uniform.size:
            words = ", ".join(f"{u.name}[0..{u.size - 1}]" for u in self.samplers) or "no sampler at all"
            raise ArgumentError("sampler", f"{name}[{element}]", accepted=words)
        return uniform

    def place(self, location: int, name: str, element: int = 0) -> None:
        """Make a location that of an element of a sampler uniform; raises `ArgumentError` for an unknown one.

        Args:
            location: What glGetUniformLocation gave.
            name: Of the uniform, without an index.
            element: Of its array, from 0.
        """
        self._uniform(name, element)
        place = self._first[name] + element
        before = self.locations.get(f"{name}[{element}]")
        if before is not None and before != location and self.places.get(before) == place:
            del self.places[before]
        self.places[location] = place
        self.locations[f"{name}[{element}]"] = location
        if element == 0:
            self.locations[name] = location

    def vacate(self, location: int) -> None:
        """Say that a location is no sampler's; setting it does nothing from now on."""
        self.places.pop(location, None)

    def set_units(self, location: int, units: Sequence[int]) -> None:
        """Set the units of consecutive elements of one uniform; those past its end are ignored, as in GL.

        Args:
            location: That of the first element; an unknown one is ignored.
            units: Their texture units, from 0.
        """
        place = self.places.get(location)
        if place is None:
            return
        end = next(end for uniform in self.samplers if (end := self._first[uniform.name] + uniform.size) > place)
        for at, unit in enumerate(units[: end - place], place):
            if self.units[at] != unit:
                self.token = next_token()
                self.units[at] = unit
            self._set.add(at)

    @property
    def glsl130(self) -> bool:
        """True where the program counts as GLSL 1.30 or later (ES 3.x does, ES 1.00 does not)."""
        return self.glsl_version >= 130

    def slots(self, stage: str) -> list[Slot]:
        """Return the slots a stage uses, ascending. Raises `UnknownName` for what is no stage."""
        used = self._slots.get(stage) or self._slots.get(stage_named(stage), ())
        shadows = {index for index, (uniform, _) in enumerate(used) if uniform.type.endswith("Shadow")}
        return [
            Slot(index, unit, int(sampler_target(uniform.type)), uniform.bindless, unit in shadows)
            for index, (uniform, place) in enumerate(used)
            for unit in (self.units[place],)
        ]

    def declared(self, stage: str) -> list[tuple[str, str]]:
        """Return the name and the GLSL type of what each slot of a stage reads, in the order of the slots."""
        return [(uniform.name, uniform.type) for uniform, _ in self._slots.get(stage, ())]

    def units_in_use(self, stage: str) -> list[tuple[int, int, str]]:
        """Return unit, target and name of each slot of a stage, for the rule that two types may not share a unit.

        Array elements whose unit was never set are left out: an array has slots up to its last element that is read,
        and GL's rule concerns only elements that are read. The rule is GL 4.6, section 11.1.3.11 (validation).
        """
        return [
            (self.units[place], int(sampler_target(uniform.type)), uniform.name)
            for uniform, place in self._slots.get(stage, ())
            if uniform.size == 1 or uniform.binding is not None or place in self._set
        ]


def _check(uniform: SamplerUniform) -> None:
    if uniform.size < 1:
        raise ArgumentError("size", uniform.size, accepted="1 or more elements")
    if uniform.binding is not None and uniform.binding < 0:
        raise ArgumentError("binding", uniform.binding, accepted="a unit, 0 or more")
    sampler_target(uniform.type)
