"""`Renderer`: what the hosts for wgpu, Vulkan and moderngl have in common: shaders, sets of textures, draws.

A bind goes through the tracker each time, so it sees every change; what it comes to is remembered with the set of
textures, and looked at again only where an object of GL has changed. See docs/host_wgpu.md.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar
from weakref import WeakSet

from statetracker.errors import ArgumentError, DeviceLost, DriverError, FileError
from statetracker.frontend import StateTracker, clamp_request, warm_start
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.gl.facts import changes
from statetracker.hosts.texture_set import PAIR, DrawSlot, Shader, TextureSet
from statetracker.jobs import identity
from statetracker.shader.glslang import is_module, version_of
from statetracker.shader.linked import linked, separate_samplers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from statetracker.caps import Screen
    from statetracker.frontend import Policy
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.slot_lowering import BoundSlot
    from statetracker.hosts.modules import Modules, Variant
    from statetracker.hosts.texture_set import Stage

Draw = TypeVar("Draw")

_STAGES: Final = {"fragment": "frag", "vertex": "vert"}
#: Frames after which what was not drawn with is forgotten, at the latest after twice as many.
_FRAMES: Final = 64
#: So many new sets of textures of a shader are looked through earlier: those of objects made anew do not pile up.
_FEW: Final = 256
#: What is forgotten leaves by and by, a sixteenth in a frame, so that none pays for a whole level.
_SHARE: Final = 16
#: How many objects of a kind are kept.
_OBJECTS: Final = 4096
_KIND: Final = "samplers and modules"


class Renderer(ABC, Generic[Draw]):
    """The base of the three hosts: `statetracker.hosts.wgpu`, ``vulkan`` and ``moderngl`` have each a `Renderer`.

    Args:
        driver: Whose handles it binds.
        modules: The variants of the shaders.
        policy: A user's overrides.

    Attributes:
        tracker: The `StateTracker` underneath.
        created: How many objects of each kind were made.
    """

    #: Whose SPIR-V: of glslangValidator's ``vulkan`` or ``opengl``.
    flavour: ClassVar[str] = "vulkan"
    #: Kinds of objects that are forgotten where no draw needs them for a while.
    passing: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, driver: Any, modules: Modules, *, policy: Policy | None = None) -> None:
        self.tracker: StateTracker[Any] = StateTracker(driver.screen, driver, policy=policy)
        self.modules = modules
        self._shaders: WeakSet[Shader] = WeakSet()
        self._frames = self._made = self._turns = 0
        self._rewrites: int | None = None  # modules that a frame may make; the rest is drawn by data, and waits
        self._waiting: dict[TextureSet, None] = {}
        self._leaving: list[object] = []
        self._objects: defaultdict[str, BoundedMemo[Any, Any]] = defaultdict(lambda: BoundedMemo(_OBJECTS))
        self.created: dict[str, int] = {}

    def shader(
        self, fragment: str | bytes, vertex: str | bytes | None = None, *, layouts: tuple[Any, ...] = (),
        glsl130: bool = True,
    ) -> Shader:  # fmt: skip
        """Take a program's shaders.

        Args:
            fragment: GLSL, which glslangValidator compiles, or SPIR-V.
            vertex: Likewise; None: the host's own.
            layouts: What the host binds beside: see the host's own page.
            glsl130: The program is GLSL 1.30 or later.

        Raises:
            LibraryMissing: glslangValidator is not installed.
            FileError: The GLSL does not compile; the error has the compiler's first one.
            ModuleError: A broken module.
            ArgumentError: The module's samplers cannot be told apart, or have no texture.
        """
        given = {"fragment": fragment} if vertex is None else {"fragment": fragment, "vertex": vertex}
        modules = {stage: self._compiled(stage, source) for stage, source in given.items()}
        if isinstance(fragment, str) and isinstance(vertex, str):
            modules, _ = linked(modules, units=False)
        made = Shader(modules, self.modules, tuple(layouts), glsl130=glsl130)
        if not made.variables and not layouts:
            for name in chain(*map(separate_samplers, modules.values())):
                hint = (
                    f"Write `uniform sampler2D {name};` and `texture({name}, ...)`: GL has no sampler without a texture"
                )
                raise ArgumentError(name, "a sampler without a texture", accepted="both in one variable", hint=hint)
        self._check(made)
        self._shaders.add(made)
        return made

    def _check(self, shader: Shader) -> None:
        """Raise `ArgumentError` for a shader that the host cannot draw with."""

    def _compiled(self, stage: str, source: str | bytes, *, bindings: bool = True) -> bytes:
        if isinstance(source, str) and version_of(source) is not None:
            return self.modules.compiled(source, _STAGES[stage], self.flavour, bindings=bindings)
        if not isinstance(source, bytes | bytearray | memoryview) or not is_module(bytes(source)):
            hint = (
                "WGSL has textures and samplers apart. Write the shader in GLSL, or call what st.sample_function prints"
            )
            accepted = "GLSL as text, with its #version, or SPIR-V as bytes"
            raise ArgumentError(stage, source, accepted=accepted, hint=hint)
        return bytes(source)

    @property
    def screen(self) -> Screen:
        """The device's screen: ``st.convert(sampler, texture, renderer.screen).explain()`` says why."""
        return self.tracker.screen

    def bind(self, shader: Shader, textures: Mapping[str, Any], *, seamless: bool = False) -> Draw:
        """Bind what a shader samples; equal requests get equal objects, and a draw where nothing changed the same one.

        GL sees an incomplete texture as black, and so does this.

        Args:
            shader: What `shader` gave.
            textures: The name of each sampled variable -> (sampler or None, texture, image): GL's sampler object (None:
                the texture's own) and texture, and the host's image of the latter; for an array a sequence of these.
                Other names are ignored.
            seamless: The context's switch for seamless cubes.

        Raises:
            ArgumentError: A texture is missing, or is none; or another renderer's shader.
            DeviceLost: The device is gone; `lost` goes on. A bind that makes nothing does not notice.
            DriverError: The host's API refuses a sampler.
            CallFailed: It refuses anything else.
        """
        try:
            known = shader.sets.newer[shader.given(textures)]
        except (KeyError, TypeError, AttributeError):
            known = self._set(shader, textures)
        tracker = self.tracker
        epoch = tracker.cso.cache.epoch
        version = changes.last, tracker.generation, epoch, seamless, self.modules  # a call of `version` costs more
        if version != known.version:
            if shader.store is not self.modules:
                raise ArgumentError("shader", shader, accepted="what this renderer's shader(...) gave, not another's")
            known.version = None
            if known.looked is not changes.last:
                known.look()
            newest = changes.last
            try:
                bounds = {name: tracker.bind(name, slots, seamless, shader.glsl130) for name, slots in known.stages}
            except DriverError as error:
                if isinstance(error.__cause__, DeviceLost):
                    raise error.__cause__ from None
                raise
            key = (*bounds.values(), *known.ranges, *map(id, known.images))
            draw = known.answers.get(key)
            if draw is None:
                draw = self._answered(shader, known, bounds)
                if known not in self._waiting:
                    known.answers.put(key, draw)
            known.draw, known.version = draw, (newest, tracker.generation, tracker.cso.cache.epoch, *version[3:])
        answer: Draw = known.draw
        return answer

    def _set(self, shader: Shader, textures: Mapping[str, Any]) -> TextureSet:
        try:
            given = shader.given(textures)
        except (KeyError, TypeError, AttributeError):
            raise _misfit(shader, textures) from None
        try:
            known = shader.sets.get(given)
        except TypeError:  # lists, or what is no texture
            given = _as_tuples(given)
            try:
                known = shader.sets.get(given)
            except TypeError:
                known = None
        if known is None:
            known = TextureSet(shader, given)  # which refuses what cannot be hashed
            shader.fresh += 1
            shader.sets.put(given, known)
        return known

    def _answered(self, shader: Shader, known: TextureSet, bounds: dict[str, BoundStage[Any]]) -> Draw:
        bound = [self._by_view(bounds[name].slot(own)) for name, own in shader.sampled_as]
        self._waiting.pop(known, None)
        plan = None
        if self._rewrites is not None and self.modules.made >= self._made + self._rewrites:
            plan = self._plan(shader, known.slots(bound), self.modules.known)
            if plan is None:
                bound = [self._by_data(slot) for slot in bound]
                if self._rewrites:
                    self._waiting[known] = None
        slots = known.slots(bound)
        return self._draw(shader, slots, plan or self._plan(shader, slots, self.modules.variant))

    def _plan(self, shader: Shader, slots: list[DrawSlot], find: Callable[..., Variant | None]) -> Any:
        """Return what `_planned` makes of the variants that slots need; None where ``find`` lacks one.

        It is remembered by the shader's work, which most sets of textures share, unless samplers decide too.
        """
        work = tuple([slot.bound.lowering for slot in slots])
        plan = shader.plans.get(work)
        if plan is None:
            found = [self._variant(shader, stage, slots, find) for stage in shader.stages]
            variants = [one for one, _ in found if one is not None]
            if len(variants) == len(found):
                plan = self._planned(shader, variants)
                if all(by_work for _, by_work in found):
                    shader.plans.put(work, plan)
        return plan

    def _planned(self, _shader: Shader, variants: list[Variant]) -> Any:
        """Return what `_draw` needs of a shader's variants, whatever is bound."""
        return variants

    def _variant(
        self, shader: Shader, stage: Stage, slots: list[DrawSlot], find: Callable[..., Variant | None]
    ) -> tuple[Variant | None, bool]:
        """Return a stage's variant, as ``find`` gives it, and whether its lowerings alone decide which it is.

        A stage without samplers has no other than the first.
        """
        if stage.name in shader.only:
            return shader.only[stage.name], True
        lowerings = {own: slots[slot].bound.lowering for own, slot in enumerate(stage.slots)}
        block, places = self._placed(shader, stage)
        asked = stage.module, clamp_request(lowerings, stage.places), block, self._merged(places, stage, slots)
        variant = find(*asked)
        if not stage.slots:
            shader.only[stage.name] = variant
        if variant is None or not variant.unresolved:
            return variant, True
        samplers = self._samplers(stage, variant, slots)
        return find(*asked, samplers) if samplers else variant, False

    def _by_view(self, slot: BoundSlot) -> BoundSlot:
        """Return a slot whose sampler is made for its view, where the host can and the shader then filters."""
        return slot

    def _by_data(self, slot: BoundSlot) -> BoundSlot:
        """Return a slot whose state is read of its values, where the host and the texture allow it."""
        return slot

    def numbers(self, stage: Stage, variant: Variant, slots: list[DrawSlot]) -> bytes:
        """Return the bytes of a stage's uniform block; empty where it has none."""
        return b"".join(slots[at].bound.numbers for at in stage.elements(variant.values))

    def _placed(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        """Return what `_places` does, which never changes."""
        if stage.name not in shader.placed:
            shader.placed[stage.name] = self._places(shader, stage)
        return shader.placed[stage.name]

    @abstractmethod
    def _places(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        """Return the place of a stage's uniform block, and where its combined samplers go."""

    def _merged(self, places: Mapping[Any, Any], _stage: Stage, _slots: list[DrawSlot]) -> Mapping[Any, Any]:
        """Return the places with one for the sampler that slots share."""
        return places

    def _samplers(self, _stage: Stage, _variant: Variant, _slots: list[DrawSlot]) -> Mapping[Any, Any]:
        """Return the samplers that a variant has to be made for, by place: the shader does work of theirs."""
        return {}

    @abstractmethod
    def _draw(self, shader: Shader, slots: list[DrawSlot], plan: Any) -> Draw:
        """Make the answer of a bind, with what `_planned` gave."""

    def _once(self, kind: str, key: object, make: Callable[[], Any]) -> Any:
        """Return the object of a kind that is known by a key; it is made the first time."""
        made = self._objects[kind].get(key)
        if made is None:
            made = self._made_by(make, kind)
            self._objects[kind].put(key, made)
            self.created[kind] = self.created.get(kind, 0) + 1
        return made

    def _made_by(self, make: Callable[[], Any], _kind: str) -> Any:
        """Return what a function of the host's API makes."""
        return make()

    @property
    def version(self) -> tuple[object, ...]:
        """Another value once a draw that was bound before may be wrong; while it is equal, draws may be kept.

        It differs after a change of any sampler, texture or unit, which a new one is too, after another policy or
        device, once a sampler was evicted, and while draws wait for modules of their own.
        """
        return changes.last, self.tracker.generation, self.tracker.cso.cache.epoch, self._turns

    @property
    def policy(self) -> Policy:
        """The user's overrides; another one holds from the next bind on."""
        return self.tracker.policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self.tracker.policy = policy

    def end_frame(self) -> FrameCounts:
        """End a frame, as `StateTracker.end_frame`; what was not drawn with for a while is forgotten."""
        self._frames += 1
        self._made = self.modules.made
        for known in [*islice(self._waiting, self._rewrites)]:
            self._turns += 1
            del self._waiting[known]
            known.version = None  # its next bind asks for its own module again
        counts = self.tracker.end_frame()
        del self._leaving[-_SHARE - len(self._leaving) // _SHARE :]
        for shader in self._shaders:
            old = self._frames - shader.aged
            if old >= _FRAMES or (shader.fresh >= _FEW and old > 1):
                self._age(shader.sets)
                shader.aged, shader.fresh = self._frames, 0
        if self._frames % _FRAMES == 0:
            for kind in self.passing & self._objects.keys():
                self._age(self._objects[kind])
        return counts

    def _age(self, memo: BoundedMemo[Any, Any]) -> None:
        self._leaving += memo.older.items()
        memo.age()

    def _lost(self, driver: Any) -> None:
        """Start over on another device: nothing of the old one is asked or destroyed."""
        self.tracker.device_lost(driver)
        self.tracker.screen = driver.screen
        for shader in self._shaders:
            shader.sets.clear()
            shader.plans.clear()
        self._objects.clear()
        self._waiting.clear()
        self._leaving.clear()

    def save(self, path: str | Path) -> int:
        """Write live samplers, modules that were made and compiled GLSL to a file, for `warm`.

        Returns how many samplers and modules those are.

        Args:
            path: Of the file.

        Raises:
            FileError: It cannot be written.
        """
        states = [record.hex() for record in self.tracker.cso.cache.live_keys()]
        modules = self.modules.to_json()
        lines = [json.dumps(states), *map(json.dumps, modules)]
        warm_start.write_lines(path, _KIND, self._made_for(), lines)
        return len(states) + sum("key" in row for row in modules)

    def warm(self, path: str | Path) -> int:
        """Take samplers, modules and GLSL of such a file; call it before `shader`.

        Returns how many samplers and modules those are.

        Args:
            path: Of the file.

        Raises:
            FileError: The file is damaged, or was written for another device, dialect or version. Nothing is made then.
        """
        lines = warm_start.read_lines(path, _KIND, self._made_for())
        try:
            first, *rows = map(json.loads, lines)
            records = [warm_start.record_of(path, 2, one) for one in first]
            variants = self.modules.load(rows)
        except (ValueError, TypeError, RecursionError):
            raise FileError(str(path), None, "damaged: it is not what `save` wrote") from None
        warm_start.create(records, self.tracker.cso)
        self._warmed(variants)
        return len(records) + len(variants)

    def _warmed(self, variants: list[Variant]) -> None:
        """Make what the device makes of modules, before they are drawn with."""

    def _made_for(self) -> dict[str, object]:
        return {"release": identity(), **warm_start.made_for(self.tracker.screen, self.tracker.dialect)}

    def destroy(self) -> None:
        """Delete every sampler; nothing is to be bound afterwards."""
        self.tracker.destroy()


def _misfit(shader: object, textures: object) -> ArgumentError:
    """Return the error for a shader that is none, and for textures that lack one of its variables."""
    if not isinstance(shader, Shader):
        return ArgumentError("shader", shader, accepted="what renderer.shader(...) gave")
    if not isinstance(textures, Mapping):
        return ArgumentError("textures", textures, accepted=f"a mapping: {', '.join(shader.names)} -> {PAIR}")
    missing = next(name for name in shader.names if name not in textures)
    hint = f"The shader samples {', '.join(shader.names)}; each takes {PAIR}."
    return ArgumentError("textures", [*textures], accepted=f"with {missing!r} among them", hint=hint)


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value
