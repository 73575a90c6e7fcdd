"""`Watching`: a replay that looks on: what calls set, and by `Lookups` what the draws of each context sample."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from statetracker.findings.settings import CUBES, Settings, StageUse, Use, name_of, unread
from statetracker.gl import enums as e
from statetracker.gl.facts import changes
from statetracker.gl.names import gl_name
from statetracker.replay.calls import plain_name
from statetracker.replay.streams import StreamReplay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from statetracker.findings.rules import Key
    from statetracker.frontend.stage import StageResult
    from statetracker.gl import Slot
    from statetracker.replay.session import Session
    from statetracker.replay.states import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.apitrace import DumpCall

#: How calls begin that set what textures, samplers and units are.
_SETTING: Final = (
    *("glTexParameter", "glTextureParameter", "glMultiTexParameter", "glSamplerParameter"),
    *("glBindTexture", "glBindMultiTexture", "glBindSampler", "glActiveTexture"),
)
#: What is counted of each frame -> in words.
FRAME_COUNTS: Final = {
    "creates": "sampler states that are new",
    "binds": "changes of what units sample with",
    "errors": "GL errors",
    "vain": "calls that set what is set already",
    "draws": "draws",
}
#: Samplers that a stage of WebGPU has.
_WEBGPU: Final = 16
_IF_READ: Final = ", if the shader reads it: the recording does not show that"
_NO_CUBE: Final = "GL_TEXTURE_CUBE_MAP_SEAMLESS is on, and no draw samples a cube"
#: Lookups remembered, after which all are forgotten.
_REMEMBERED: Final = 1 << 15


class Lookups:
    """Looks at the draws of a context.

    ``seamless_at`` is the call that made cubes seamless, ``rejected`` how many draws were errors.

    Args:
        session: Whose draws they are.
        shared: What all contexts share: settings and notes, uses, guesses.
        where: Which context, for findings.
    """

    def __init__(self, session: Session, shared: Watching, where: str) -> None:
        self.session, self.shared, self.where = session, shared, where
        self.settings, self.notes = shared.settings, shared.settings.notes
        self.seamless_at: int | None = None
        self.rejected = 0
        self._known: dict[object, list[Key | Use]] = {}
        self._active: list[
            Key | Use | StageUse
        ] = []  # what is wrong with the last draws, and the states that they need
        self._call = self._begun = 0
        self._targets: set[int] = set()

    def drawn(self, call: int, stages: Sequence[tuple[str, Sequence[Slot], StageResult]]) -> None:
        """Look at a draw whose samplers may have changed: its call, and each stage with its slots."""
        self._settle(self.session.states.draws)
        self._call, self._active = call, []
        for stage, slots, result in stages:
            if len(slots) > _WEBGPU:
                what = f"it has {len(slots)}, WebGPU {_WEBGPU}"
                self._active.append(("stage-samplers", f"the {stage} stage{self.where}", what, None))
            program = self.session.programs.stage_program(stage)
            uniforms = {} if program is None else dict(enumerate(program.declared(stage)))
            looks = [self._looked(stage, slot, result, uniforms.get(slot.index, ("", ""))) for slot in slots]
            self._active += [one for look in looks for one in look]
            uses = tuple(one for look in looks for one in look if isinstance(one, Use))
            if uses:
                self._active.append(self.shared.stages.setdefault((stage, uses), StageUse(stage, uses, call)))
        if self.session.draws.fixed_function:
            self._active += self._turned_off()

    def _turned_off(self) -> Iterator[Key]:
        """Incomplete textures, which fixed function leaves out; no texture at all is a way to turn it off."""
        context = self.session.context
        for number, unit in context.units.items():
            for target in unit.enabled:
                now, texture = context.current(number, target), context.bound(target, number)
                if now.incomplete and texture.label:
                    self.settings.owner(texture, self.where).sample({})
                    what = f"{now.incomplete} (fixed function leaves the unit out)"
                    yield "incomplete", name_of(texture) + self.where, what, number

    def finish(self) -> None:
        """Count the last draws; seamless cubes without a cube have no effect."""
        self._settle(self.session.states.draws + 1)
        if self.seamless_at is not None and self._targets and self._targets.isdisjoint(CUBES):
            self.notes.add(("seamless", f"glEnable{self.where}", _NO_CUBE, None), self.seamless_at)

    def _settle(self, now: int) -> None:
        """Count the draws since the last look, which sampled the same; ``now`` is the number of the next one."""
        for one in self._active:
            if isinstance(one, Use | StageUse):
                one.draws += now - self._begun
            else:
                self.notes.add(one, self._call, now - self._begun)
        self._begun = now

    def _looked(self, stage: str, slot: Slot, result: StageResult, uniform: tuple[str, str]) -> list[Key | Use]:
        """Look at a slot, unless nothing has changed since the last look; ``uniform`` is its name and GLSL type."""
        sampler, texture = result.bound[slot.index].sampler, self.session.context.bound(slot.target, slot.unit)
        key = (stage, slot, result.units[slot.index], uniform, id(sampler), sampler.token, id(texture), texture.token)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[key] = self._look(stage, slot, result, uniform)
        return known

    def _look(self, stage: str, slot: Slot, result: StageResult, uniform: tuple[str, str]) -> list[Key | Use]:
        bound, unit, (name, kind) = result.bound[slot.index], result.units[slot.index], uniform
        texture, sampler = self.session.context.bound(slot.target, slot.unit), bound.sampler
        if bound.incomplete and sampler is bound.texture.sampler:  # then the fallback is bound, with one of its own
            sampler = texture.sampler
        self.settings.owner(texture, self.where).sampled = True
        holder = self.settings.owner(texture if sampler is texture.sampler else sampler, self.where)
        title, through = name_of(texture) + self.where, f"{name!r}, " if name else ""
        taken = {what.split("'")[1].partition("[")[0] for what in self.shared.guesses if what.endswith("taken as used")}
        place = f"({through}{stage} stage)" + _IF_READ * (name.partition("[")[0] in taken)
        if bound.incomplete:
            holder.sample({})
            mipmaps = f", and MIN_FILTER is {sampler.min_filter!r}{holder.since('min_filter')}" * sampler.uses_mipmaps
            return [("incomplete", title, f"{bound.incomplete}{mipmaps} {place}", slot.unit)]
        self._targets.add(texture.target)
        if texture.target == e.Target.TEXTURE_BUFFER:  # no sampler is bound for it
            return []
        content, facts, levels = sampler.content(), texture.facts(), texture.part().levels or 1
        use = self.shared.uses.get((content, facts, levels, unit))
        if use is None:
            use = Use(sampler.copy(), facts, levels, unit, self._call)
            self.shared.uses[content, facts, levels, unit] = use
        use.stages[stage] = use.textures[title] = use.units[slot.unit] = None
        holder.sample(unread(use))
        if holder.held is sampler and len(holder.contents) < 2:
            holder.contents.setdefault((id(self.session.share), content), self._call)
        since = holder.since("compare_mode")
        return [use, *((rule, title, f"{what} {place}", slot.unit) for rule, what in _mismatches(kind, use, since))]

    def refused(self, call: int) -> None:
        """Look at a draw that is an error: two types of samplers may share a unit."""
        self.rejected += 1
        seen: dict[int, tuple[int, str]] = {}
        for stage, program in self.session.programs.glsl_stages():
            for unit, target, name in program.units_in_use(stage):
                words = f"{name!r} ({gl_name(target, e.Target)}, {stage} stage)"
                before, other = seen.setdefault(unit, (target, words))
                if before != target:
                    self.notes.add(("refused-draw", f"unit {unit}{self.where}", f"{other} and {words}", unit), call)
                    return


def _mismatches(kind: str, use: Use, since: str) -> Iterator[tuple[str, str]]:
    """Yield what does not go together: a sampler's type in GLSL (empty: not known), its state and its texture."""
    reads, compares = f"{kind} reads {use.facts.internal_format}", use.sampler.compare_mode
    if kind.endswith("Shadow") and not use.depth:
        yield "no-depth", reads
    elif kind.endswith("Shadow") and not compares:
        yield "not-comparing", f"{kind}, and GL_TEXTURE_COMPARE_MODE is GL_NONE{since}"
    elif kind and not kind.endswith("Shadow") and use.depth and compares:
        yield "comparing", f"{kind}, and GL_TEXTURE_COMPARE_MODE is GL_COMPARE_REF_TO_TEXTURE{since}"
    whole = use.facts.is_integer or use.stencil
    if kind and whole != kind.startswith(("isampler", "usampler")):
        yield "other-type", reads


class Watching(StreamReplay):
    """A replay whose calls and draws are looked at.

    ``uses`` has what draws need, ``stages`` what a stage needs at once, ``frames`` what each frame did.
    """

    def __init__(self, made: Converter, profile: str) -> None:
        self.settings = Settings()
        self.uses: dict[object, Use] = {}
        self.stages: dict[object, StageUse] = {}
        self.lookups: dict[Session, Lookups] = {}
        self.frames = [Counter[str]()]
        super().__init__(made, profile=profile)

    def finish(self) -> list[StreamEvent]:
        """Draw what is pending at the end of the stream, and record what shows only then."""
        events = super().finish()
        self.frames[-1]["draws"] += self.draws
        for look in self.lookups.values():
            look.finish()
        self.settings.finish()
        return events

    def _session(self, profile: str, share: Session | None) -> Session:
        session = super()._session(profile, share)
        number = len(self.lookups)
        where = f" of context {number}" if number else ""  # the first stands for calls without one
        look = self.lookups[session] = Lookups(session, self, where)
        session.states.watch, session.draws.refused = look.drawn, look.refused
        session.states.driver.emit = self._emit
        return session

    def _emit(self, event: StreamEvent) -> None:
        self._events.append(event)
        self.frames[-1][type(event).__name__.lower()] += 1

    def _handler(self, name: str) -> Callable[[DumpCall], None]:
        handler, plain = super()._handler(name), plain_name(name)
        if not name.startswith("gl") or name.startswith(("glGet", "glIs")):
            return handler
        return partial(self._watched, plain, handler, sets=plain.startswith(_SETTING))

    def _swap(self, call: DumpCall) -> None:
        super()._swap(call)
        if call.name.endswith("SwapBuffers"):
            self.frames[-1]["draws"] += self.draws
            self.frames.append(Counter(draws=-self.draws))
            self.settings.frame += 1

    def _watched(self, name: str, handler: Callable[[DumpCall], None], call: DumpCall, *, sets: bool) -> None:
        """Execute a call; note its GL errors, and where it ``sets`` something, what, or that it was set already."""
        session = self.contexts.current(call.thread)
        context, lists, before = session.context, session.lists, (changes.last, session.context.active)
        apart = name == "glEnable" and not context.seamless
        context.messages.clear()
        handler(call)
        for one in context.messages:
            self.settings.notes.add(("error", name, f"{one.error}: {one.message}", None), call.number)
        self.frames[-1]["errors"] += bool(context.messages)
        if apart and context.seamless:
            self.lookups[session].seamless_at = call.number
        elif sets and not (context.messages or session.vertices.begun is not None or lists.compiling or lists.running):
            changed = before != (changes.last, context.active)  # each change of an object or unit takes a token
            self.settings.take(self.lookups[session].where, context, name, call, changed=changed)
            self.frames[-1]["vain"] += not changed
