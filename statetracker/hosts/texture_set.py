"""`Shader`, and `TextureSet`, the textures of one bind of a renderer with the answer to it."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.frontend.bound_view import SHAPES
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.gl.enums import Target
from statetracker.gl.facts import changes
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.shader.linked import sampled_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from statetracker.frontend.slot_lowering import BoundSlot
    from statetracker.gl.completeness import ViewRange
    from statetracker.hosts.modules import Modules
    from statetracker.pipe import Lowering
    from statetracker.shader.linked import SampledVariable

#: What a variable of a shader takes.
PAIR: Final = "(sampler or None, texture, image), and for an array of samplers a sequence of these"
#: Sets of textures that a shader remembers, and answers that a set does.
_SETS: Final = 4096
_ANSWERS: Final = 8
#: Target -> what samples it, as `SampledVariable.shape` says; rectangles are 2D ones outside GL.
_SHAPES: Final[dict[int, set[str]]] = {
    target: {SHAPES.get(target, "BUFFER") + "_MS" * ("MULTISAMPLE" in target.name)}
    | ({"RECT"} if target is Target.TEXTURE_RECTANGLE else set())
    for target in Target
}
#: What an incomplete texture's texels are like, by the shader's.
_BLACK: Final = {"float": "RGBA8", "sint": "RGBA8I", "uint": "RGBA8UI"}


class Stage(NamedTuple):
    """One stage of a `Shader`.

    Attributes:
        name: ``fragment`` or ``vertex``.
        module: Its module's name in `Modules`.
        slots: The slots of the shader that it samples, in the order of its own.
        places: (set, binding) -> slot of the stage, or the slots of an array.
    """

    name: str
    module: str
    slots: tuple[int, ...]
    places: dict[tuple[int, int], int | tuple[int, ...]]

    def slots_of(self, place: tuple[int, int]) -> tuple[int, ...]:
        """Return the shader's slots that a place samples, one for each element."""
        own = self.places[place]
        return tuple(self.slots[at] for at in ((own,) if isinstance(own, int) else own))

    def elements(self, values: Iterable[tuple[tuple[int, int], int]]) -> tuple[int, ...]:
        """Return the shader's slot of each element of the stage's uniform block."""
        return tuple(self.slots_of(place)[element] for place, element in values)


class Shader:
    """A program's shaders, as `Renderer.shader` took them.

    Args:
        modules: Stage -> its SPIR-V.
        store: Where the modules are kept.
        layouts: The host's bind group layouts, or their like.
        glsl130: It is GLSL 1.30 or later.

    Attributes:
        variables: What it samples, over all stages.
        names: Names of the variables.
        given: Takes out of a mapping what the variables are given, in their order.
        stages: Each `Stage`.
        count: How many slots there are.
        taken: Places of what else is bound to it.
        placed: Stage -> where its renderer binds its uniform block, and its combined samplers.
        only: Stage without samplers -> its one variant.
        sampled_as: Slot -> the stage that samples it, the last of several, and its number there.
        plans: The work for each slot -> what the renderer's variants for it come to.
        fresh: How many sets of textures were made since they were looked through, which was in frame ``aged``.
    """

    def __init__(
        self, modules: Mapping[str, bytes], store: Modules, layouts: tuple[Any, ...], *, glsl130: bool
    ) -> None:
        self.layouts, self.glsl130, self.store = layouts, glsl130, store
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
                known = next((other for other in self.variables if other.name == one.name), None)
                if known is not None and known.elements != one.elements:
                    accepted = f"{known.elements} elements, as in the other stage"
                    raise ArgumentError(one.name, f"{one.elements} elements", accepted=accepted)
                if known is None:
                    first[one.name] = count
                    count += one.elements
                    self.variables.append(one)
                own = tuple(range(len(slots), len(slots) + one.elements))
                places[one.place] = own if one.elements > 1 else own[0]
                slots += range(first[one.name], first[one.name] + one.elements)
            self.stages.append(Stage(stage, store.add(module), tuple(slots), places))
        self.count, self.fresh, self.aged = count, 0, 0
        self.modules = dict(modules)
        self.placed: dict[str, tuple[tuple[int, int], Mapping[Any, Any]]] = {}
        self.only: dict[str, Any] = {}
        last = {slot: (one.name, own) for one in self.stages for own, slot in enumerate(one.slots)}
        self.sampled_as = [last[slot] for slot in range(count)]
        self.plans: BoundedMemo[tuple[Lowering, ...], Any] = BoundedMemo(_SETS)
        self.names = tuple(one.name for one in self.variables)
        self.given: Callable[[Any], tuple[Any, ...]]
        if len(self.names) > 1:
            self.given = itemgetter(*self.names)
        else:
            self.given = lambda textures: tuple([textures[name] for name in self.names])
        self.sets: BoundedMemo[tuple[object, ...], TextureSet] = BoundedMemo(_SETS)

    def __repr__(self) -> str:
        return f"Shader({', '.join(self.names)})"


class TextureSet:
    """The textures of one bind: a sampler, a texture and an image for each slot of a shader.

    Args:
        shader: What samples.
        given: The parts of each slot, in order.

    Attributes:
        images: Slot -> the host's image, None for one of an incomplete texture, of which GL sees black.
        textures: Slot -> what is sampled: the texture, or a black one.
        missing: Slot -> why GL sees black, as `Texture.missing` says; empty: it does not.
        stages: Name and slots of each, as the tracker binds them.
        version: The renderer's, and the switch for seamless cubes, that ``draw`` is right for.
        looked: The last change of any object of GL when `look` had looked.

    Raises:
        ArgumentError: A slot was given anything else.
    """

    def __init__(self, shader: Shader, given: tuple[Any, ...]) -> None:
        self.given: list[tuple[Sampler | None, Texture, Any]] = []
        for variable, value in zip(shader.variables, given, strict=True):
            each = value if variable.elements > 1 else (value,)
            if not isinstance(each, tuple | list) or len(each) != variable.elements:
                raise ArgumentError(variable.name, value, accepted=f"{variable.elements} of {PAIR}")
            for one in each:
                sampler, texture, _ = one if isinstance(one, tuple) and len(one) == 3 else (None, None, None)
                if not isinstance(texture, Texture) or not (sampler is None or isinstance(sampler, Sampler)):
                    hint = (
                        "It is a statetracker.Texture: renderer.texture(image) describes an image of wgpu or moderngl."
                    )
                    if isinstance(texture, Texture):
                        hint = f"The sampler is a statetracker.Sampler or None, not {sampler!r}."
                    raise ArgumentError(variable.name, one, accepted=PAIR, hint=hint)
                if variable.shape not in _SHAPES[texture.target]:
                    accepted = ", ".join(Target(at).name for at, shapes in _SHAPES.items() if variable.shape in shapes)
                    given_ = Target(texture.target).name
                    raise ArgumentError(f"texture of {variable.name}", given_, accepted=accepted)
                try:
                    hash(one)
                except TypeError:
                    raise ArgumentError(
                        f"image of {variable.name}", one[2], accepted="an object of the host's"
                    ) from None
                self.given.append(one)
        self.shader = shader
        self.variables = [one for one in shader.variables for _ in range(one.elements)]
        self.version: object = None
        self.looked: object = None
        self.draw: Any = None
        self.textures: list[Texture] = []
        self.missing: list[str] = []
        self.images: list[Any] = []
        self.ranges: tuple[ViewRange, ...] = ()
        self.stages: list[tuple[str, tuple[tuple[Sampler | None, Texture], ...]]] = []
        self.answers: BoundedMemo[tuple[object, ...], Any] = BoundedMemo(_ANSWERS)
        self._black: dict[int, Texture] = {}

    def look(self) -> None:
        """Look at what may have changed of the textures: whether they are complete, and what of them is shown."""
        self.missing = incomplete = [texture.missing(sampler) for sampler, texture, _ in self.given]
        textures = [self._black_of(at) if missing else self.given[at][1] for at, missing in enumerate(incomplete)]
        if [*map(id, textures)] != [*map(id, self.textures)]:
            for variable, missing, (_, texture, image) in zip(self.variables, incomplete, self.given, strict=True):
                if image is None and not missing:
                    raise ArgumentError(f"image of {variable.name}", None, accepted=f"the host's image of {texture}")
            self.textures = textures
            self.images = [None if missing else self.given[at][2] for at, missing in enumerate(incomplete)]
            pairs = [(None if missing else self.given[at][0], textures[at]) for at, missing in enumerate(incomplete)]
            self.stages = [(one.name, tuple(pairs[at] for at in one.slots)) for one in self.shader.stages if one.slots]
        self.ranges = tuple(texture.part() for texture in textures)
        self.looked = changes.last

    def slots(self, bound: list[BoundSlot]) -> list[DrawSlot]:
        """Return the slots of a draw, with what is bound to each."""
        return [*map(DrawSlot, self.variables, self.images, self.textures, bound, self.missing)]

    def _black_of(self, at: int) -> Texture:
        """Return what GL samples in place of an incomplete texture: one texel, (0, 0, 0, 1), or depth 0."""
        variable, (sampler, texture, _) = self.variables[at], self.given[at]
        if at not in self._black:
            fmt = "DEPTH_COMPONENT32F" if variable.compares else _BLACK[variable.kind]
            layers = 6 if texture.target == Target.TEXTURE_CUBE_MAP_ARRAY else 1
            self._black[at] = Texture(texture.target, fmt, (1, 1, layers), levels=1)
            self._black[at].sampler.update(min_filter="nearest", mag_filter="nearest")
        own, asked = self._black[at].sampler, sampler or texture.sampler
        if variable.compares and (own.compare_mode, own.compare_func) != (asked.compare_mode, asked.compare_func):
            own.update(compare_mode=asked.compare_mode, compare_func=asked.compare_func)
        return self._black[at]


class DrawSlot(NamedTuple):
    """A slot of a shader in a draw.

    Attributes:
        variable: Of the shader.
        image: The host's; None: a black one, for the texture is incomplete.
        texture: What GL knows of it.
        bound: All else, as `BoundStage.slot` gives it.
        missing: Why it is incomplete, as `Texture.missing` says.
    """

    variable: SampledVariable
    image: Any
    texture: Texture
    bound: BoundSlot
    missing: str
