"""`Renderer`: what the hosts for wgpu, Vulkan and moderngl have in common: shaders, sets of textures, draws.

A bind goes through the tracker each time, so it sees every change; what it comes to is remembered with the set of
textures, and looked at again only where an object of GL has changed. See docs/host_wgpu.md.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from statetracker.errors import ArgumentError, DeviceLost, DriverError
from statetracker.frontend import StateTracker, clamp_request, warm_start
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.gl.facts import changes
from statetracker.gl.texture import Texture
from statetracker.parts import identity
from statetracker.shader.glslang import compiled_text, is_module
from statetracker.shader.sampled_variables import sampled_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from statetracker.frontend import Policy
    from statetracker.frontend.bound_stage import BoundStage, FrameCounts
    from statetracker.frontend.slot_lowering import BoundSlot
    from statetracker.gl import Sampler
    from statetracker.gl.completeness import ViewRange
    from statetracker.hosts.modules import Modules, Variant
    from statetracker.shader.sampled_variables import SampledVariable

Draw = TypeVar("Draw")

_STAGES: Final = {"fragment": "frag", "vertex": "vert"}
_PAIR: Final = "(sampler or None, texture, image), and for an array of samplers a sequence of these"
#: Frames after which what was not drawn with is forgotten, at the latest after twice as many.
_FRAMES: Final = 64
#: Sets of textures that a shader remembers, and answers that a set does.
_SETS: Final = 4096
#: What an incomplete texture's texels are like, by the shader's.
_BLACK: Final = {"float": "RGBA8", "sint": "RGBA8I", "uint": "RGBA8UI"}
_ANSWERS: Final = 8
#: How many objects of a kind are kept.
_OBJECTS: Final = 4096
_KIND: Final = "samplers and modules"


class Stage(NamedTuple):
    """One stage of a `Shader`.

    name     ``fragment`` or ``vertex``
    module   its module's name in `Modules`
    slots    the slots of the shader that it samples, in the order of its own
    places   (set, binding) -> slot of the stage, or the slots of an array
    """

    name: str
    module: str
    slots: tuple[int, ...]
    places: dict[tuple[int, int], int | tuple[int, ...]]


class Shader:
    """A program's shaders, as `Renderer.shader` took them.

    variables   what it samples, over all stages
    names       of these
    stages      each `Stage`; ``modules``: its SPIR-V, as it was given
    count       how many slots there are
    taken       places of what else is bound to it
    layouts     the host's bind group layouts, or their like
    glsl130     it is GLSL 1.30 or later
    """

    def __init__(
        self, modules: Mapping[str, bytes], store: Modules, layouts: tuple[Any, ...], *, glsl130: bool
    ) -> None:
        self.layouts, self.glsl130 = layouts, glsl130
        self.taken: set[tuple[int, int]] = set()
        first: dict[str, int] = {}
        self.variables: list[SampledVariable] = []
        self.stages: list[Stage] = []
        count = 0
        for stage, module in modules.items():
            found, others = sampled_variables(module)
            self.taken |= others
            slots: list[int] = []
            places: dict[tuple[int, int], int | tuple[int, ...]] = {}
            for one in found:
                if one.name not in first:
                    first[one.name] = count
                    count += one.elements
                    self.variables.append(one)
                own = tuple(range(len(slots), len(slots) + one.elements))
                places[one.place] = own if one.elements > 1 else own[0]
                slots += range(first[one.name], first[one.name] + one.elements)
            self.stages.append(Stage(stage, store.add(module), tuple(slots), places))
        self.count = count
        self.modules = dict(modules)
        self.names = tuple(one.name for one in self.variables)
        self.sets: BoundedMemo[tuple[object, ...], TextureSet] = BoundedMemo(_SETS)

    def __repr__(self) -> str:
        return f"Shader({', '.join(self.names)})"


class TextureSet:
    """What one bind names: a sampler, a texture and an image for each slot of a shader.

    images    slot -> the host's image, None for one of an incomplete texture, of which GL sees black
    textures  slot -> what is sampled: the texture, or a black one
    stages    name and slots of each, as the tracker binds them
    stamp     the tokens that ``draw`` is right for
    """

    def __init__(self, shader: Shader, given: tuple[Any, ...]) -> None:
        """Sort out what a bind was given; raises `ArgumentError` for anything else."""
        self.given: list[tuple[Sampler | None, Texture, Any]] = []
        for variable, value in zip(shader.variables, given, strict=True):
            each = value if variable.elements > 1 else (value,)
            if not isinstance(each, tuple | list) or len(each) != variable.elements:
                raise ArgumentError(variable.name, value, accepted=f"{variable.elements} of {_PAIR}")
            for one in each:
                if not isinstance(one, tuple) or len(one) != 3 or not isinstance(one[1], Texture):
                    raise ArgumentError(variable.name, one, accepted=_PAIR)
                self.given.append(one)
        self.shader = shader
        self.variables = [one for one in shader.variables for _ in range(one.elements)]
        self.stamp: object = None
        self.draw: Any = None
        self.textures: list[Texture] = []
        self.images: list[Any] = []
        self.ranges: tuple[ViewRange, ...] = ()
        self.stages: list[tuple[str, tuple[tuple[Sampler | None, Texture], ...]]] = []
        self.answers: BoundedMemo[tuple[object, ...], Any] = BoundedMemo(_ANSWERS)
        self._black: dict[int, Texture] = {}

    def look(self) -> None:
        """Look at what may have changed of the textures: whether they are complete, and what of them is shown."""
        incomplete = [bool(texture.missing(sampler)) for sampler, texture, _ in self.given]
        textures = [self._black_of(at) if missing else self.given[at][1] for at, missing in enumerate(incomplete)]
        if [*map(id, textures)] != [*map(id, self.textures)]:
            self.textures = textures
            self.images = [None if missing else self.given[at][2] for at, missing in enumerate(incomplete)]
            pairs = [(None if missing else self.given[at][0], textures[at]) for at, missing in enumerate(incomplete)]
            self.stages = [(one.name, tuple(pairs[at] for at in one.slots)) for one in self.shader.stages if one.slots]
        self.ranges = tuple(texture.part() for texture in textures)

    def _black_of(self, at: int) -> Texture:
        """What GL samples in place of an incomplete texture: one texel, (0, 0, 0, 1), or depth 0."""
        variable, (sampler, texture, _) = self.variables[at], self.given[at]
        if at not in self._black:
            fmt = "DEPTH_COMPONENT32F" if variable.compares else _BLACK[variable.kind]
            self._black[at] = Texture(texture.target, fmt, levels=1)
            self._black[at].sampler.update(min_filter="nearest", mag_filter="nearest")
        own, asked = self._black[at].sampler, sampler or texture.sampler
        if variable.compares and (own.compare_mode, own.compare_func) != (asked.compare_mode, asked.compare_func):
            own.update(compare_mode=asked.compare_mode, compare_func=asked.compare_func)
        return self._black[at]


class DrawSlot(NamedTuple):
    """What one slot of a shader samples in a draw.

    variable   of the shader
    image      the host's; None: a black one, for the texture is incomplete
    texture    what GL knows of it
    bound      all else, as `BoundStage.slot` gives it
    """

    variable: SampledVariable
    image: Any
    texture: Texture
    bound: BoundSlot


class Renderer(ABC, Generic[Draw]):
    """What the three hosts are: `statetracker.hosts.wgpu`, ``vulkan`` and ``moderngl`` have each a `Renderer`.

    tracker   the `StateTracker` underneath
    modules   the variants of the shaders
    created   how many objects of each kind were made
    """

    #: Whose SPIR-V: of glslangValidator's ``vulkan`` or ``opengl``.
    flavour: ClassVar[str] = "vulkan"
    #: Kinds of objects that are forgotten where no draw needs them for a while.
    passing: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, driver: Any, modules: Modules, *, policy: Policy | None = None) -> None:
        self.tracker: StateTracker[Any] = StateTracker(driver.screen, driver, policy=policy)
        self.modules = modules
        self._shaders: list[Shader] = []
        self._frames = 0
        self._objects: dict[str, BoundedMemo[Any, Any]] = {}
        self.created: dict[str, int] = {}

    def shader(
        self, fragment: str | bytes, vertex: str | bytes | None = None, *, layouts: tuple[Any, ...] = (),
        glsl130: bool = True,
    ) -> Shader:  # fmt: skip
        """Take a program's shaders.

        fragment, vertex   GLSL, which glslangValidator compiles, or SPIR-V; None: the vertex stage is the host's
        layouts            what the host binds beside: see the host's own page
        glsl130            the program is GLSL 1.30 or later

        Raises `LibraryMissing` without glslangValidator, `FileError` with its first error, `ModuleError` for a broken
        module, `ArgumentError` for one whose samplers cannot be told apart.
        """
        given = {"fragment": fragment} if vertex is None else {"fragment": fragment, "vertex": vertex}
        modules = {stage: self._compiled(stage, source) for stage, source in given.items()}
        made = Shader(modules, self.modules, tuple(layouts), glsl130=glsl130)
        self._check(made)
        self._shaders.append(made)
        return made

    def _check(self, shader: Shader) -> None:
        """Raise `ArgumentError` for a shader that the host cannot draw with."""

    def _compiled(self, stage: str, source: str | bytes) -> bytes:
        if isinstance(source, str):
            return compiled_text(source, _STAGES[stage], self.flavour)
        if not isinstance(source, bytes | bytearray | memoryview) or not is_module(bytes(source)):
            hint = "WGSL is translated by naga: naga shader.wgsl shader.spv"
            raise ArgumentError(stage, source, accepted="GLSL as text, or SPIR-V as bytes", hint=hint)
        return bytes(source)

    def bind(self, shader: Shader, textures: Mapping[str, Any], *, seamless: bool = False) -> Draw:
        """Bind what a shader samples; equal requests get equal objects, and a draw where nothing changed the same one.

        textures   the name of each sampled variable -> (sampler or None, texture, image): GL's sampler object (None:
                   the texture's own) and texture, and the host's image of the latter; for an array a sequence of these
        seamless   the context's switch for seamless cubes

        GL sees an incomplete texture as black, and so does this. Raises `ArgumentError` for what is missing or no
        texture; `DeviceLost`, after which `lost` goes on; `DriverError` and what the host's API refuses.
        """
        known = self._set(shader, textures)
        tracker = self.tracker
        stamp = changes.last, tracker.generation, tracker.cso.cache.epoch, seamless
        if stamp != known.stamp:  # else no object of GL, no option and no handle has changed
            known.stamp = None
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
                known.answers.put(key, draw)
            known.draw, known.stamp = draw, (newest, tracker.generation, tracker.cso.cache.epoch, seamless)
        answer: Draw = known.draw
        return answer

    def _set(self, shader: Shader, textures: Mapping[str, Any]) -> TextureSet:
        try:
            given = tuple([textures[name] for name in shader.names])
        except (KeyError, TypeError):
            accepted = f"{', '.join(shader.names)} -> {_PAIR}"
            raise ArgumentError("textures", textures, accepted=accepted) from None
        try:
            known = shader.sets.newer.get(given) or shader.sets.promote(given)
        except TypeError:  # a list of an array's elements
            given = tuple(tuple(one) if isinstance(one, list) else one for one in given)
            known = shader.sets.get(given)
        if known is None:
            known = TextureSet(shader, given)
            shader.sets.put(given, known)
        return known

    def _answered(self, shader: Shader, known: TextureSet, bounds: dict[str, BoundStage[Any]]) -> Draw:
        slots: dict[int, DrawSlot] = {}
        variants = []
        for stage in shader.stages:
            request: Any = {}
            if stage.slots:
                bound = bounds[stage.name]
                request = clamp_request(bound.lowerings, stage.places)
                for own, slot in enumerate(stage.slots):
                    texture, image = known.textures[slot], known.images[slot]
                    slots[slot] = DrawSlot(known.variables[slot], image, texture, bound.slot(own))
            variants.append(self.modules.variant(stage.module, request, *self._places(shader, stage)))
        return self._draw(shader, [slots[at] for at in range(shader.count)], variants)

    def numbers(self, stage: Stage, variant: Variant, slots: list[DrawSlot]) -> bytes:
        """Return the bytes of a stage's uniform block; empty where it has none."""
        from statetracker.shader import border_values

        elements = []
        for place, element in variant.values:
            own = stage.places[place]
            at = own if isinstance(own, int) else own[element]
            elements.append(slots[stage.slots[at]].bound.values)
        return border_values(elements) if elements else b""

    @abstractmethod
    def _places(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        """Return the place of a stage's uniform block, and where its combined samplers go."""

    @abstractmethod
    def _draw(self, shader: Shader, slots: list[DrawSlot], variants: list[tuple[Any, Variant]]) -> Draw:
        """Make the answer of a bind: ``variants`` has each stage's key and variant."""

    def _once(self, kind: str, key: object, make: Callable[[], Any]) -> Any:
        """Return the object of a kind that is known by a key; it is made the first time."""
        memo = self._objects.get(kind)
        if memo is None:
            memo = self._objects[kind] = BoundedMemo(_OBJECTS)
        made = memo.get(key)
        if made is None:
            made = make()
            memo.put(key, made)
            self.created[kind] = self.created.get(kind, 0) + 1
        return made

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
        if self._frames % _FRAMES == 0:
            for shader in self._shaders:
                shader.sets.age()
            for kind in self.passing & self._objects.keys():
                self._objects[kind].age()
        return self.tracker.end_frame()

    def _lost(self, driver: Any) -> None:
        """Start over on another device: nothing of the old one is asked or destroyed."""
        self.tracker.device_lost(driver)
        for shader in self._shaders:
            shader.sets.clear()
        self._objects.clear()

    def save(self, path: str | Path) -> int:
        """Write the samplers that are live and the modules that were made to a file, for `warm`; returns how many.

        Raises `FileError` where it cannot be written.
        """
        states = [record.hex() for record in self.tracker.cso.cache.live_keys()]
        lines = [json.dumps(states), *map(json.dumps, self.modules.to_json())]
        warm_start.write_lines(path, _KIND, self._made_for(), lines)
        return len(states) + len(lines) - 1

    def warm(self, path: str | Path) -> int:
        """Make the samplers and take the modules of such a file, before the first frame; returns how many.

        Raises `FileError`, and has made nothing, for a file that is damaged or was written for another device, dialect
        or version.
        """
        first, *rows = warm_start.read_lines(path, _KIND, self._made_for())
        records = [warm_start.record_of(path, 2, one) for one in json.loads(first)]
        variants = self.modules.load([json.loads(row) for row in rows])
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
