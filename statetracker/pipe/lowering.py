"""`Lowering`: what no sampler state can express, and the shader must do. One record from GL to the rewrite.

It is hashable and in a shader variant's key, so it holds no number that may change from state to state: those are
`LoweringValues`, an element of a uniform block. `WrapMasks` is GL_CLAMP's share of a whole stage, as bit masks over
sampler indices. Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from math import isfinite
from operator import attrgetter
from struct import Struct
from struct import error as StructError  # noqa: N812 (a class)
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe.enums import Func, TexCompare, TexFilter, TexMipfilter, TexReduction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.pipe.state import SamplerState

#: Axes as bits (1 S, 2 T, 4 R) -> as letters.
AXES: Final = ("", "s", "t", "st", "r", "sr", "tr", "str")
_BITS: Final = {letters: bits for bits, letters in enumerate(AXES)}


class Lowering(NamedTuple):
    """The shader's work for one sampler; `AXIS_MEMBERS` are axes, letters of ``str``.

    Attributes:
        clamp: Axes that wrap with GL_CLAMP, on a sampler with CLAMP_TO_BORDER: clamp the coordinate to [0, 1] (to [0,
            size] where ``texel_coords``), after projection; never an array layer.
        mirror: Axes that wrap with GL_MIRROR_CLAMP_EXT: clamp the coordinate's absolute value likewise.
        fold: Axes of a mirrored clamp that the device lacks: take the coordinate's absolute value; the wrap mode does
            the rest.
        border: Axes that wrap with CLAMP_TO_BORDER: mix in the border colour, by ``route``.
        half_border: Axes that wrap with GL_CLAMP: mix it in up to a half, on a sampler with CLAMP_TO_EDGE.
        normalize: Divide the coordinates by the texture's size: the driver has no rectangles.
        cube_edges: Sample the faces of a cube one by one: the device always looks across edges.
        add_lod_bias: Add the part of the LOD bias beyond the device's samplers.
        limit_lod: Clamp the level of detail: the sampler's limits were opened to whole levels.
        filter_texels: Filter texels in the shader: the device cannot filter the format, or not by ``reduction``; its
            sampler is NEAREST.
        second_sampler: Bind `SamplerCreateInfo.depth_border_sampler` for 24-bit depth that the device keeps in floats.
        swizzle: Four letters of ``RGBA01``: what the program sees as red, green, blue and alpha of the texels, for the
            device's views have no swizzle.
        texel_coords: The coordinates are texels: a rectangle texture.
        repeat: Axes of a cube's face that repeat within it, of ``cube_edges``; else axes whose texel index repeats, of
            ``filter_texels`` on a sampler that others share.
        mirror_repeat: Axes whose texel index repeats mirrored, likewise.
        reflect: Axes of MIRROR_CLAMP_TO_BORDER and GL_MIRROR_CLAMP_EXT: the coordinate is mirrored at zero, not the
            texel's index.
        route: What the sampler reads where the border is: ``edge``, ``predefined`` (transparent black), or nothing
            where the shader mixes in no border.
        ones: Channels of ``rgba`` in which the view reads transparent black as 1; of route ``predefined``.
        min_img_filter: As the state asks, whatever the device's sampler has.
        mag_img_filter: Likewise; so is min_mip_filter.
        compare_func: The comparison, of which the shader answers for the border; None: the state does not compare.
        fixed_depth: References and border depths are clamped to [0, 1]: the format is of fixed point.
        anisotropic: The sampler is anisotropic: the shader keeps gradients where it can.
        reduction: What filtered texels become: their mean, the least or the greatest; of ``filter_texels``, and of the
            two levels of ``fold`` with an offset.
        dynamic: Wraps and filters, of ``filter_texels``, are read of `LoweringValues.sampling`: they are in no key. See
            `as_values`.
    """

    clamp: str = ""
    mirror: str = ""
    fold: str = ""
    texel_coords: bool = False
    normalize: bool = False
    cube_edges: bool = False
    add_lod_bias: bool = False
    second_sampler: bool = False
    border: str = ""
    half_border: str = ""
    limit_lod: bool = False
    filter_texels: bool = False
    swizzle: str = ""
    repeat: str = ""
    reflect: str = ""
    route: str = ""
    ones: str = ""
    min_img_filter: TexFilter = TexFilter.NEAREST
    mag_img_filter: TexFilter = TexFilter.NEAREST
    min_mip_filter: TexMipfilter = TexMipfilter.NEAREST
    compare_func: Func | None = None
    fixed_depth: bool = False
    anisotropic: bool = False
    reduction: TexReduction = TexReduction.WEIGHTED_AVERAGE
    mirror_repeat: str = ""
    dynamic: bool = False

    @property
    def work(self) -> dict[str, str | bool]:
        """The members that are work to do, by name; empty where the shader has nothing to do."""
        return {name: value for name in WORK if (value := getattr(self, name))}

    @property
    def needed(self) -> bool:
        """True where there is any work."""
        return any(_WORK_OF(self))

    @property
    def unswizzled(self) -> Lowering:
        """The work without the swizzle, which alone does not depend on how the state samples."""
        return self._replace(swizzle="") if self.swizzle else self

    @property
    def covered(self) -> str:
        """The axes on which the shader mixes in the border."""
        return AXES[_BITS[self.border] | _BITS[self.half_border]]

    @property
    def reads_values(self) -> bool:
        """True where the shader reads `LoweringValues`: all work but a coordinate or a reference that is moved."""
        mixed = self.normalize and self.min_img_filter != self.mag_img_filter
        both = self.fixed_depth and bool(self.clamp or self.mirror)  # whose offset is of each level
        return mixed or both or any(_VALUED_OF(self))

    @property
    def changes_levels(self) -> bool:
        """True if the device's sampler chooses other levels than the state: a level query must not ask it alone."""
        return self.add_lod_bias or self.limit_lod or self.filter_texels

    def joined(self, other: Lowering) -> Lowering:
        """Return the work of both; what is no work is the other's where that says something, else this one's."""
        if other == NO_LOWERING:
            return self
        if self == NO_LOWERING:
            return other
        rows = zip(_DEFAULTS, self, other, strict=True)
        both: dict[str, Any] = {name: two if two != default else one for (name, default), one, two in rows}
        bits = {name: _BITS[getattr(self, name)] | _BITS[getattr(other, name)] for name in AXIS_MEMBERS}
        bits["fold"] &= ~bits["mirror"]  # which takes the coordinate's absolute value as it is
        return Lowering(**both | {name: AXES[axes] for name, axes in bits.items()})

    def sampled_as(self, state: SamplerState) -> Lowering:
        """Return the same work, with how a state samples."""
        if self.dynamic:
            return self
        compares = state.compare_mode == TexCompare.R_TO_TEXTURE
        return self._replace(
            min_img_filter=TexFilter(state.min_img_filter),
            mag_img_filter=TexFilter(state.mag_img_filter),
            min_mip_filter=TexMipfilter(state.min_mip_filter),
            compare_func=Func(state.compare_func) if compares else None,
            anisotropic=state.max_anisotropy > 1,
        )

    def as_values(self) -> tuple[Lowering, int]:
        """Return the work of every state that filters texels like this one, and what this one samples.

        The former still has the comparison, the reduction and what follows from the texture: its view, seams, size. The
        latter is `LoweringValues.sampling`.
        """
        numbers = {name: _BITS[getattr(self, name)] for name in ("repeat", "mirror_repeat", "reflect", "fold")}
        between = self.min_mip_filter == TexMipfilter.LINEAR
        numbers |= {"min": self.min_img_filter, "mag": self.mag_img_filter, "between": between}
        kept = {name: getattr(self, name) for name in _OF_TEXTURES}
        work = Lowering(filter_texels=True, limit_lod=True, add_lod_bias=True, border="str", route="edge", dynamic=True)
        return work._replace(**kept), sum(int(number) << SAMPLING[name] for name, number in numbers.items())

    def __repr__(self) -> str:
        """``Lowering(clamp='st')``: the members that say something."""
        said = ((name, value) for name, value in self._asdict().items() if value != self._field_defaults[name])
        words = (f"{name}={getattr(value, 'name', None) or repr(value)}" for name, value in said)
        return f"Lowering({', '.join(words)})"

    def __str__(self) -> str:
        """In words: ``clamp st, mirror r, normalize``; ``nothing`` where the shader has nothing to do."""
        words = [f"{name.replace('_', ' ')}{'' if on is True else f' {on}'}" for name, on in self.work.items()]
        if self.filter_texels and not self.cube_edges:
            wraps = {"repeat": self.repeat, "mirror repeat": self.mirror_repeat}
            words += [f"{name} {axes}" for name, axes in wraps.items() if axes]
        if self.dynamic:
            words = ["sample by data" if word == "filter texels" else word for word in words]
        if self.reduction:
            words.append(f"by {self.reduction.name.lower()}")
        if self.route:
            words.append(f"by {self.route}")
        if self.texel_coords and (self.clamp or self.mirror):
            words.append("in texels")
        return ", ".join(words) or "nothing"


#: What `LoweringValues.sampling` says -> its first bit; wraps have a bit for each axis.
SAMPLING: Final = {
    "repeat": 0, "mirror_repeat": 3, "reflect": 6, "fold": 9, "min": 12, "mag": 13, "between": 14
}  # fmt: skip
_OF_TEXTURES: Final = (
    *("texel_coords", "normalize", "cube_edges", "swizzle", "compare_func", "fixed_depth", "reduction"),
)
#: Nothing to do.
NO_LOWERING: Final = Lowering()
_DEFAULTS: Final = tuple(NO_LOWERING._asdict().items())
#: Members that are axes.
AXIS_MEMBERS: Final = ("clamp", "mirror", "fold", "border", "half_border", "repeat", "reflect", "mirror_repeat")
#: Members that are work, in the order of the record.
WORK: Final = (
    *("clamp", "mirror", "fold", "normalize", "cube_edges", "add_lod_bias", "second_sampler"),
    *("border", "half_border", "limit_lod", "filter_texels", "fixed_depth", "swizzle"),
)
_WORK_OF: Final = attrgetter(*WORK)
_VALUED_OF: Final = attrgetter(
    "fold", "cube_edges", "add_lod_bias", "border", "half_border", "limit_lod", "filter_texels"
)


class ClampMasks(NamedTuple):
    """A stage's slots whose S, T and R coordinate the shader clamps: in s, t and r bit n is slot n, 0 to 31."""

    s: int = 0
    t: int = 0
    r: int = 0

    @property
    def any(self) -> bool:
        """True where some bit is set."""
        return bool(self.s | self.t | self.r)


class WrapMasks(NamedTuple):
    """A stage's masks by wrap: bit n is the sampler index n, whatever unit it samples. No bit is in both triples.

    Attributes:
        clamp: Slots that wrap with GL_CLAMP.
        mirror: Slots that wrap with GL_MIRROR_CLAMP_EXT.
    """

    clamp: ClampMasks = ClampMasks()
    mirror: ClampMasks = ClampMasks()

    @property
    def merged(self) -> ClampMasks:
        """Both wraps as one triple, which is all that upstream has."""
        return ClampMasks._make(clamp | mirror for clamp, mirror in zip(self.clamp, self.mirror, strict=True))

    @property
    def any(self) -> bool:
        """True where some bit is set."""
        return self.clamp.any or self.mirror.any


def wrap_masks(slots: Iterable[tuple[int, Lowering]]) -> WrapMasks:
    """Gather the masks of a stage from its slots: (slot, lowering) pairs."""
    clamp, mirror = [0, 0, 0], [0, 0, 0]
    for slot, lowering in slots:
        for axes, masks in ((lowering.clamp, clamp), (lowering.mirror, mirror)):
            for axis in axes:
                masks["str".index(axis)] |= 1 << slot
    return WrapMasks(ClampMasks._make(clamp), ClampMasks._make(mirror))


_ELEMENT: Final = Struct("<4I7fI")
#: Bytes of an element, in std140.
ELEMENT_BYTES: Final = _ELEMENT.size
_SHARES: Final = (0.0, 0.5, 1.0)


class LoweringValues(NamedTuple):
    """The numbers that the shader reads for one sampler.

    Attributes:
        border: The border colour as the view shows it, four words: bits of floats, or integers; of a comparison the
            first is the border's depth.
        k: For s, t, r the least weight of the edge texel: 0 CLAMP_TO_BORDER, 0.5 GL_CLAMP, 1 every other wrap.
        lod_bias: The LOD bias that the device's sampler has, in levels.
        rest: Levels to add to it: the part beyond the device's limit.
        min_lod: The least level of detail that the state allows; may be infinite.
        max_lod: The greatest; may be infinite.
        sampling: Wraps and filters as bits, by `SAMPLING`, of a ``dynamic`` lowering; else 0. Without mipmaps the
            greatest level is below 1/2.
    """

    border: tuple[int, int, int, int] = (0, 0, 0, 0)
    k: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lod_bias: float = 0.0
    rest: float = 0.0
    min_lod: float = -1000.0
    max_lod: float = 1000.0
    sampling: int = 0

    def to_bytes(self) -> bytes:
        """Return the element: border, k and lod_bias, rest, limits, sampling. A max_lod below min_lod is min_lod.

        Raises:
            ArgumentError: A k that is not 0, 0.5 or 1, a NaN, an infinite bias, or what 32 bits do not hold.
        """
        if len(self.k) != len("str") or any(share not in _SHARES for share in self.k):
            raise ArgumentError("k", self.k, accepted="0, 0.5 or 1 for each of s, t and r")
        for name in ("lod_bias", "rest"):
            if not isfinite(getattr(self, name)):
                raise ArgumentError(name, getattr(self, name), accepted="a finite number of levels")
        for name in ("min_lod", "max_lod"):
            if getattr(self, name) != getattr(self, name):
                raise ArgumentError(name, getattr(self, name), accepted="a number of levels, or infinity")
        limits = self.min_lod, max(self.min_lod, self.max_lod)
        try:
            return _ELEMENT.pack(*self.border, *self.k, self.lod_bias, self.rest, *limits, self.sampling)
        except (OverflowError, StructError):
            raise ArgumentError("values", self, accepted="four words of border, and what 32 bits hold") from None
