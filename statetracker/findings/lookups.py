"""`Lookups`: what the draws of a context sample, and what is wrong with it; `Use`: a state that some draw needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.findings.rules import Key
from statetracker.findings.settings import CUBES, FIELDS, Sampled, texture_name, unread
from statetracker.gl import enums as e
from statetracker.gl.names import gl_name
from statetracker.gl.sampler import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.findings.rules import Notes
    from statetracker.findings.settings import Settings
    from statetracker.frontend.stage import StageResult
    from statetracker.gl import Bound, Sampler, Slot, Texture, UnitFacts
    from statetracker.gl.facts import TextureFacts
    from statetracker.replay.session import Session

#: Samplers that a stage of WebGPU has.
_WEBGPU: Final = 16
_IF_READ: Final = ", if the shader reads it: the recording does not show that"
_NO_CUBE: Final = "GL_TEXTURE_CUBE_MAP_SEAMLESS is on, and no draw samples a cube"
#: Lookups remembered, after which all are forgotten.
_REMEMBERED: Final = 1 << 15
_FIELDS: Final = frozenset(FIELDS)


class Use:
    """A state that some draw needs.

    Args:
        sampler: As GL has it.
        facts: Of its texture.
        levels: How many the texture shows.
        unit: The facts of its unit.
        call: Of the first draw.

    Attributes:
        draws: How many draws sample with it.
        stages: Names of the stages that sample it.
        textures: Names of its textures.
        units: Numbers of its units.
    """

    __slots__ = ("call", "draws", "facts", "levels", "sampler", "stages", "textures", "unit", "units")

    def __init__(self, sampler: Sampler, facts: TextureFacts, levels: int, unit: UnitFacts, call: int) -> None:
        self.sampler, self.facts, self.levels, self.unit, self.call = sampler.copy(), facts, levels, unit, call
        self.draws = 0
        self.stages: dict[str, None] = {}
        self.textures: dict[str, None] = {}
        self.units: dict[int, None] = {}

    def __str__(self) -> str:
        """``texture 3 (RGBA8, 4 levels): wrap_s clamp, min_filter linear``."""
        levels = f", {self.levels} levels" if self.levels > 1 else ""
        names = list(self.textures)
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        settings = ", ".join(f"{name} {value}" for name, value in self.sampler.differing().items()) or "GL's defaults"
        return f"{names[0]}{others} ({self.facts.internal_format}{levels}): {settings}"

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {
            "sampler": self.sampler.differing(),
            "format": self.facts.internal_format,
            "target": gl_name(self.facts.target, e.Target),
            "levels": self.levels,
            "first_call": self.call,
            "draws": self.draws,
            "stages": list(self.stages),
            "textures": list(self.textures),
            "units": list(self.units),
        }


class Lookups:
    """Looks at the draws of a context.

    ``seamless_at`` is the call that made cubes seamless, ``rejected`` how many draws were errors.

    Args:
        session: Whose draws they are.
        notes: Where findings go.
        settings: Record which fields a lookup reads.
        uses: The states of all contexts, by content.
        guesses: What the replay takes for granted, in words.
        where: Which context, for findings.
    """

    def __init__(  # noqa: PLR0917 (made in one place)
        self,
        session: Session,
        notes: Notes,
        settings: Settings,
        uses: dict[object, Use],
        guesses: Mapping[str, int],
        where: str,
    ) -> None:
        self.session, self.notes, self.settings, self.where = session, notes, settings, where
        self.uses, self.guesses = uses, guesses
        self._known: dict[object, tuple[list[Key], Use | None]] = {}
        self._active: list[tuple[list[Key], Use | None]] = []
        self._call = self._begun = 0
        self._names: dict[int, str] = {}
        self.seamless_at: int | None = None
        self.rejected = 0
        self._targets: set[int] = set()

    def drawn(self, call: int, stages: Sequence[tuple[str, Sequence[Slot], StageResult]]) -> None:
        """Look at a draw whose samplers may have changed: its call, and each stage with its slots."""
        self._settle()
        self._call, self._active = call, []
        for stage, slots, result in stages:
            if len(slots) > _WEBGPU:
                what = f"it has {len(slots)}, WebGPU {_WEBGPU}"
                self._active.append(([("stage-samplers", f"the {stage} stage{self.where}", what, None)], None))
            uniforms = self._uniforms(stage)
            for slot in slots:
                bound, unit = result.bound[slot.index], result.units[slot.index]
                self._active.append(self._looked(stage, slot, bound, unit, uniforms.get(slot.index, ("", ""))))
        if self.session.draws.fixed_function:
            self._active.append((self._turned_off(), None))

    def _turned_off(self) -> list[Key]:
        """Incomplete textures, which fixed function leaves out; no texture at all is a way to turn it off."""
        context, keys = self.session.context, list[Key]()
        for number, unit in context.units.items():
            for target in unit.enabled:
                now = context.current(number, target)
                texture = context.bound(target, number)
                if now.incomplete and texture.label:
                    title = texture_name(texture) + self.where
                    self.settings.see(texture, title, _FIELDS)
                    what = f"{now.incomplete} (fixed function leaves the unit out)"
                    keys.append(("incomplete", title, what, number))
        return keys

    def finish(self) -> None:
        """Count the last draws; seamless cubes without a cube have no effect."""
        self._settle(last=True)
        if self.seamless_at is not None and self._targets and self._targets.isdisjoint(CUBES):
            self.notes.add(("seamless", f"glEnable{self.where}", _NO_CUBE, None), self.seamless_at)

    def _settle(self, *, last: bool = False) -> None:
        """Count the draws since the last look, which sampled the same."""
        now = self.session.states.draws + last
        for keys, use in self._active:
            for key in keys:
                self.notes.add(key, self._call, now - self._begun)
            if use is not None:
                use.draws += now - self._begun
        self._begun = now

    def _uniforms(self, stage: str) -> dict[int, tuple[str, str]]:
        """Slot -> name and type of its sampler; empty without GLSL."""
        program = self.session.programs.stage_program(stage)
        return {} if program is None else dict(enumerate(program.declared(stage)))

    def _looked(
        self, stage: str, slot: Slot, bound: Bound, unit: UnitFacts, uniform: tuple[str, str]
    ) -> tuple[list[Key], Use | None]:
        context = self.session.context
        texture = context.bound(slot.target, slot.unit)
        key = (stage, slot, unit, uniform, id(bound.sampler), bound.sampler.token, id(texture), texture.token)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[key] = self._look(stage, slot, texture, bound, unit, uniform)
        return known

    def _look(  # noqa: PLR0917 (one step of `_looked`)
        self, stage: str, slot: Slot, texture: Texture, bound: Bound, unit: UnitFacts, uniform: tuple[str, str]
    ) -> tuple[list[Key], Use | None]:
        name, kind = uniform
        title = texture_name(texture) + self.where
        through = f"{name!r}, " if name else ""
        place = f"({through}{stage} stage)" + _IF_READ * (name.partition("[")[0] in self._taken_as_used())
        self.settings.see(texture, title)
        if bound.incomplete:  # then the fallback is bound, with a sampler of its own
            sampler = texture.sampler if bound.sampler is bound.texture.sampler else bound.sampler
            self._read(texture, sampler, {}, sampled=False)
            default = " by default" * (sampler.min_filter == DEFAULTS["min_filter"])
            mipmaps = f", and MIN_FILTER is {sampler.min_filter!r}{default}" * sampler.uses_mipmaps
            return [("incomplete", title, f"{bound.incomplete}{mipmaps} {place}", slot.unit)], None
        self._targets.add(texture.target)
        facts, levels = bound.texture.facts(), bound.texture.part().levels or 1
        if texture.target == e.Target.TEXTURE_BUFFER:  # no sampler is bound for it
            return [], None
        self._read(texture, bound.sampler, unread(Sampled(bound.sampler, facts, levels, unit.seamless)))
        content = bound.sampler.content(), facts, levels, unit
        use = self.uses.get(content)
        if use is None:
            use = self.uses[content] = Use(bound.sampler, facts, levels, unit, self._call)
        use.stages[stage], use.textures[title], use.units[slot.unit] = None, None, None
        return [
            (rule, title, f"{what} {place}", slot.unit) for rule, what in _mismatches(kind, bound.sampler, facts)
        ], use

    def _taken_as_used(self) -> set[str]:
        """Samplers that are in the source, and of which nothing in the recording shows that they are active."""
        return {what.split("'")[1].partition("[")[0] for what in self.guesses if what.endswith("taken as used")}

    def _read(self, texture: Texture, sampler: Sampler, left: dict[str, str], *, sampled: bool = True) -> None:
        """Tell the settings which fields are read, all but some that are ``left``."""
        own = sampler is texture.sampler
        held, name = (texture, texture_name(texture) + self.where) if own else (sampler, self._sampler_name(sampler))
        owner = self.settings.see(held, name, _FIELDS - left.keys())
        if owner is None:
            return
        owner.why.update(left)
        if sampled and not own and len(owner.contents) < 2:
            owner.contents.setdefault((id(self.session.share), sampler.content()), self._call)

    def _sampler_name(self, sampler: Sampler) -> str:
        name = self._names.get(id(sampler))
        if name is None:
            found = {id(one): number for number, one in self.session.context.samplers.items()}
            self._names = {one: f"sampler {number}{self.where}" for one, number in found.items()}
            name = self._names.get(id(sampler), f"a sampler{self.where}")
        return name

    def refused(self, call: int) -> None:
        """Look at a draw that is an error: two types of samplers may share a unit."""
        self.rejected += 1
        seen: dict[int, tuple[int, str]] = {}
        for stage, program in self.session.programs.glsl_stages():
            for unit, target, name in program.units_in_use(stage):
                words = f"{name!r} ({gl_name(target, e.Target)}, {stage} stage)"
                before, other = seen.setdefault(unit, (target, words))
                if before != target:
                    key = "refused-draw", f"unit {unit}{self.where}", f"{other} and {words}", unit
                    self.notes.add(key, call)
                    return


def _mismatches(kind: str, sampler: Sampler, facts: TextureFacts) -> list[tuple[str, str]]:
    """Return what does not go together: a sampler's type in GLSL (empty: not known), its state and its texture."""
    if not kind:
        return []
    stencil = facts.stencil_sampling and facts.base_format != "DEPTH_COMPONENT"
    depth = facts.base_format.startswith("DEPTH") and not stencil
    found = []
    if kind.endswith("Shadow"):
        if not depth:
            found.append(("no-depth", f"{kind} reads {facts.internal_format}"))
        elif not sampler.compare_mode:
            found.append(("not-comparing", f"{kind}, and GL_TEXTURE_COMPARE_MODE is GL_NONE"))
    elif depth and sampler.compare_mode:
        found.append(("comparing", f"{kind}, and GL_TEXTURE_COMPARE_MODE is GL_COMPARE_REF_TO_TEXTURE"))
    whole = facts.is_integer or stencil
    if facts.target != e.Target.TEXTURE_BUFFER and whole != kind.startswith(("isampler", "usampler")):
        found.append(("other-type", f"{kind} reads {facts.internal_format}"))
    return found
