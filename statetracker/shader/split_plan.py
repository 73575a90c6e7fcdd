"""Plan of a split of combined image samplers: what its caller says, their uses, the places of their parts.

`wanted` checks the former; `Uses` goes from the variables to the instructions that sample; `chosen_places` takes what
the caller says, else places that are free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import count
from typing import Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe.enums import Func, TexFilter, TexMipfilter
from statetracker.pipe.lowering import Lowering, LoweringValues
from statetracker.shader.block_values import Descriptor
from statetracker.shader.origin import ACCESS_CHAINS, descriptor_of, leaf, resources
from statetracker.shader.request import Note, descriptor
from statetracker.shader.sample_ops import SAMPLING, compares
from statetracker.spirv import Instruction, Module, ids_in
from statetracker.spirv.names import Op, StorageClass

Pair = tuple[Descriptor, Descriptor]
Place = tuple[int, ...]
Places = Mapping[Place, Pair]

#: Who reads SPIR-V: wgpu (naga), Dawn (Tint), a browser (WGSL that naga writes).
JUDGES: Final = ("wgpu", "dawn", "browser")
_COMPARES: Final = ("never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always")
_FUNCS: Final = dict(zip(_COMPARES, Func, strict=True))
#: Key of a descriptor, as wgpu-py has it -> what it is by itself, and the words that it may be.
_WORDS: Final[Mapping[str, tuple[str | None, tuple[str | None, ...]]]] = {
    "compare": (None, (*_FUNCS, None)),
    **{f"address_mode_{axis}": ("clamp-to-edge", ("repeat", "mirror-repeat", "clamp-to-edge")) for axis in "uvw"},
    **{f"{part}_filter": ("nearest", ("nearest", "linear")) for part in ("mag", "min", "mipmap")},
}
_FINITE: Final = 3.4028234663852886e38  # the greatest of 32 bits
_LIMITS: Final = {"lod_min_clamp": 0.0, "lod_max_clamp": 32.0}


class BoundSampler(NamedTuple):
    """A GPUSamplerDescriptor that will be bound, as far as the shader does its work.

    Attributes:
        wraps: Address modes of u, v and w.
        filters: Magnification, minification, between levels: whether they are linear.
        limits: The least and the greatest level of detail.
        compare: The comparison; None: there is none.
        fixed: The texture's depth is of fixed point: references are clamped to [0, 1].
    """

    wraps: tuple[str, ...]
    filters: tuple[bool, ...]
    limits: tuple[float, float]
    compare: Func | None
    fixed: bool

    @classmethod
    def of(cls, place: Descriptor, members: object) -> BoundSampler:
        """Read a descriptor of wgpu-py's names, such as ``result.webgpu``; raises `ArgumentError`."""
        if isinstance(members, cls):
            return members
        name = f"samplers of {place[0]}:{place[1]}"
        if not isinstance(members, Mapping):
            raise ArgumentError(name, members, accepted="a GPUSamplerDescriptor, such as result.webgpu")
        limits = {key: members.get(key, default) for key, default in _LIMITS.items()}
        for key, value in limits.items():
            if not isinstance(value, int | float) or not -_FINITE <= value <= _FINITE:
                raise ArgumentError(f"{key} of {name}", value, accepted="a finite number of levels")
        said = {key: members.get(key, default) for key, (default, _) in _WORDS.items()}
        for key, value in said.items():
            if value not in _WORDS[key][1]:
                raise ArgumentError(f"{key} of {name}", value, accepted=", ".join(map(str, _WORDS[key][1])))
        func, *wraps = (said[key] for key in ("compare", "address_mode_u", "address_mode_v", "address_mode_w"))
        filters = tuple(said[f"{part}_filter"] == "linear" for part in ("mag", "min", "mipmap"))
        texture = getattr(getattr(members, "texture", None), "name", "")
        fixed = texture.startswith(("depth16", "depth24"))
        least, most = map(float, limits.values())
        return cls(tuple(wraps), filters, (least, most), _FUNCS.get(func), fixed)

    @property
    def lowering(self) -> Lowering | None:
        """The work of filtering its comparisons texel by texel; None where all filters are nearest."""
        if not any(self.filters):
            return None
        mag, least, mip = self.filters
        return Lowering(
            filter_texels=True,
            mag_img_filter=TexFilter(mag),
            min_img_filter=TexFilter(least),
            min_mip_filter=TexMipfilter(mip),
            compare_func=self.compare,
            fixed_depth=self.fixed,
        )

    @property
    def values(self) -> LoweringValues:
        """The numbers of `lowering`."""
        return LoweringValues(min_lod=self.limits[0], max_lod=self.limits[1])


class Wanted(NamedTuple):
    """The caller's wishes for a module.

    Attributes:
        judges: Who will read it.
        samplers: Descriptor -> what will be bound.
        lengths: Descriptor -> the length of an array that has none; the samples of a texel where layers have several.
        blocks: ``flip`` or ``push constants`` -> (set, binding).
        taken: Places that are something else's.
    """

    judges: frozenset[str]
    samplers: dict[Descriptor, BoundSampler]
    lengths: dict[Descriptor, int]
    blocks: dict[str, Descriptor]
    taken: set[Descriptor]


def wanted(for_: object, samplers: object, lengths: object, blocks: object, taken: set[Descriptor]) -> Wanted:
    """Check what a caller says; raises `ArgumentError`."""
    if for_ is not None and for_ not in JUDGES:
        raise ArgumentError("for_", for_, accepted=f"{', '.join(JUDGES)}, or None for all of them")
    bound = {descriptor("samplers", key): BoundSampler.of(key, value) for key, value in _items("samplers", samplers)}
    long = {descriptor("lengths", key): _length(key, value) for key, value in _items("lengths", lengths)}
    placed = {}
    for key, value in _items("blocks", blocks):
        if key not in {"flip", "push constants"}:
            raise ArgumentError("blocks", key, accepted="flip, push constants")
        placed[key] = descriptor(f"blocks of {key}", value)
    return Wanted(frozenset(JUDGES if for_ is None else (str(for_),)), bound, long, placed, taken)


def _items(name: str, value: object) -> Iterable[tuple[Any, Any]]:
    if value is not None and not isinstance(value, Mapping):
        raise ArgumentError(name, value, accepted="a mapping, or None")
    return value.items() if isinstance(value, Mapping) else ()


def _length(key: Descriptor, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= 1024:
        raise ArgumentError(f"lengths of {key[0]}:{key[1]}", value, accepted="a whole number from 1 to 1024")
    return value


def chosen_places(uses: Uses, places: object, elements: Mapping[int, int]) -> dict[int, Pair]:
    """Variable's id -> the places of its image and its sampler; see `statetracker.split_samplers`.

    ``elements`` has the element of an array that a variable was, by id; of those but the first the place has it as a
    third number.

    Of several variables at one place the first has what the caller says. An image whose place something else has, such
    as a buffer, which OpenGL numbers apart, gets a free one.
    """
    own: dict[int, Place] = {
        ident: (*descriptor_of(uses.module, one), *filter(None, [elements.get(ident)]))
        for ident, one in uses.combined.items()
        if ident not in uses.refused
    }
    chosen = _checked(places, dict.fromkeys(one for place in own.values() for one in (place[:2], place)))
    taken = {place for place, one in resources(uses.module) if one.result not in own}
    kept = set(own.values()) - chosen.keys()  # a place that is given up is free
    compares = {place: ident in uses.depth for ident, place in own.items()}
    shared: dict[Descriptor, bool] = {}  # a sampler's place -> whether its samples compare
    for place, pair in chosen.items():
        for part, one in enumerate(pair):
            if (one in taken or one in kept) and not (part and one in shared):
                raise ArgumentError(_field(place), one, accepted="a place that nothing else has")
            taken.add(one)
        if shared.setdefault(pair[1], compares[place]) != compares[place]:
            raise ArgumentError(_field(place), pair[1], accepted="samplers at one place that all compare, or none")
    pairs = {ident: chosen.pop(place) for ident, place in own.items() if place in chosen}
    images: dict[int, Descriptor] = {}
    for ident in sorted(own.keys() - pairs, key=lambda ident: ident not in uses.wanted["image"]):
        group, binding, *element = own[ident]
        if (group, binding) not in taken and not element:
            images[ident] = group, binding
            taken.add(images[ident])
    free = {group: ((group, at) for at in count() if (group, at) not in taken) for group, *_ in own.values()}
    for ident, (group, *_) in own.items():
        if ident not in pairs:
            pairs[ident] = images.get(ident) or next(free[group]), next(free[group])
    return pairs


def _field(place: Place) -> str:
    return f"places of {':'.join(map(str, place))}"


def _checked(places: object, combined: Collection[Place]) -> dict[Place, Pair]:
    """Descriptors of the module, the elements of arrays too, and two places for each."""
    if places is not None and not isinstance(places, Mapping):
        raise ArgumentError("places", places, accepted="(set, binding) -> (image's place, sampler's place), or None")
    checked = {}
    for place, pair in (places or {}).items():
        element = isinstance(place, tuple) and len(place) == 3 and all(isinstance(part, int) for part in place)
        if (place if element else descriptor("places", place)) not in combined:
            have = ", ".join(":".join(map(str, one)) for one in combined) or "none"
            raise ArgumentError(
                "places", ":".join(map(str, place)), accepted=f"combined samplers of the module: {have}"
            )
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(_field(place), pair, accepted="two places: the image's and the sampler's")
        checked[place] = descriptor(_field(place), pair[0]), descriptor(_field(place), pair[1])
    return checked


#: Instructions that speak of ids, and use none.
ABOUT: Final = (Op.Name, Op.Decorate, Op.DecorateId, Op.DecorateString, Op.GroupDecorate, Op.EntryPoint)
_WALKS: Final = (*ACCESS_CHAINS, Op.Load, Op.CopyObject)
_ONE: Final = (Op.TypePointer, Op.TypeSampledImage)  # but not a whole array
#: Where an image may not go: only variables say which one it is.
_ELSEWHERE: Final = (Op.FunctionCall, Op.Phi, Op.Select, Op.ReturnValue)
_LOST: Final = "the sampler goes where its variable is not known: to a function, a choice or a whole array"


class Uses:
    """Every use of the combined samplers of a module whose functions take none.

    Blocks stand in an order in which what is read was made before.

    Args:
        module: The module.

    Attributes:
        combined: Variable's id -> the variable.
        root: Id of a variable, a pointer, a loaded sampler or an image taken out of one -> its variable's id.
        images: Id of an image taken out -> the sampler's.
        samples: (instruction that samples, its variable's id).
        depth: Ids of variables that some sample compares.
        wanted: Part -> ids of which that part is read.
        refused: Variable's id -> why it stays combined.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.combined = {
            one.result: one
            for one in module.variables
            if one.words[2] == StorageClass.UniformConstant and leaf(module, one).opcode == Op.TypeSampledImage
        }
        self.root = {ident: ident for ident in self.combined}
        self.images: dict[int, int] = {}
        self.samples: list[tuple[Instruction, int]] = []
        self.depth: set[int] = set()
        self.wanted: dict[str, set[int]] = {"image": set(), "sampler": set()}
        self.refused: dict[int, Note] = {}
        roots = self.root.keys()
        for one in module.instructions:
            if not roots.isdisjoint(one.words) and one.opcode not in ABOUT and one.opcode != Op.Variable:
                self._follow(one)

    @property
    def gone(self) -> set[int]:
        """Ids that the parts take the place of."""
        return {ident for ident, variable in self.root.items() if variable not in self.refused}

    @property
    def moved(self) -> set[int]:
        """Ids of the variables that get places of their own."""
        return self.combined.keys() - self.refused.keys()

    def _follow(self, one: Instruction) -> None:
        first = one.words[2] if len(one.words) > 2 else 0
        if first not in self.root:
            self._others(one)
        elif one.opcode in _WALKS and self.module.definitions[one.words[0]].opcode in _ONE:
            self.root[one.result] = self.root[first]
        elif one.opcode == Op.Image:
            self.root[one.result], self.images[one.result] = self.root[first], first
            self._want("image", first)
        elif one.opcode in SAMPLING:
            self.samples.append((one, self.root[first]))
            self.depth.update([self.root[first]] * compares(one))
            self._want("image", first)
            self._want("sampler", first)
        else:
            self._others(one)

    def _others(self, one: Instruction) -> None:
        """Any other instruction: it may read an image that was taken out, but not pass samplers on."""
        for at in ids_in(self.module.definitions, one):
            ident = one.words[at]
            if ident in self.root and (ident not in self.images or one.opcode in _ELSEWHERE):
                place = descriptor_of(self.module, self.combined[self.root[ident]])
                self.refused[self.root[ident]] = Note(one.offset, one.name, place, _LOST)

    def _want(self, part: str, ident: int) -> None:
        """Record that a part of an id is read, and so of all that it comes of."""
        while ident not in self.wanted[part]:
            self.wanted[part].add(ident)
            if ident not in self.combined:
                ident = self.module.definitions[ident].words[2]
