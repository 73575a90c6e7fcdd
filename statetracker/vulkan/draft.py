"""`Draft`: a create info in the making, and what the rules note beside it.

The rules of `statetracker.vulkan.rules` write into a draft one after the other. A member starts as the record has it;
the address modes stay ``PIPE_TEX_WRAP`` until the rule that gives them Vulkan's names.
"""

from __future__ import annotations

from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe.enums import Func, TexFilter, TexMipfilter
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import MASKS, RECORD, RECORD_BYTES, SHIFTS
from statetracker.pipe.lowering import NO_LOWERING, LoweringValues
from statetracker.pipe.state import SamplerState
from statetracker.vulkan.device import device_of
from statetracker.vulkan.dialects import vulkan_dialect
from statetracker.vulkan.enums import BorderChoice, BorderColor, SamplerAddressMode, SamplerReductionMode
from statetracker.vulkan.info import CHAINED, MEMBERS, SamplerCreateInfo, Unsupported
from statetracker.vulkan.views import SELECTORS, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.caps import Screen
    from statetracker.vulkan.dialects import VulkanDialect

#: The members of the address modes, of S, T and R.
ADDRESSES: Final = ("address_mode_u", "address_mode_v", "address_mode_w")
#: From this number on there is no mip filter; 3 has no name.
NO_MIPS: Final = int(TexMipfilter.NONE)

#: What an explanation watches: every member, and the chain.
TRACKED: Final = tuple(member.attribute for member in (*MEMBERS, *CHAINED))

_CLAMP_TO_BORDER: Final = SamplerAddressMode.CLAMP_TO_BORDER
#: Members that are enums -> number -> member; a reduction mode may be None.
_NAMED: Final[Mapping[str, Mapping[int | None, IntEnum | None]]] = {
    member.attribute: {None: None, **{int(named): named for named in member.type}}
    for member in (*MEMBERS, *CHAINED)
    if issubclass(member.type, IntEnum)
}
_COPIED: Final = (*(name for name in TRACKED if name not in _NAMED), "border", "dialect", "unsupported")


class Draft(SamplerCreateInfo):
    """The members so far, the record they came from, and everything a rule may ask.

    ``clamp`` to ``reflect`` are axes of `Lowering` as bits (1 S, 2 T, 4 R), ``normalize`` to ``swizzle`` as in
    `Lowering`.

    Args:
        state: The record.
        screen: For whose device.
        dialect: By whose rules.
        view: The view that will be sampled, or None.
        free_slots: Custom border colours that may still be made, if the device's limit is no less.
        unnormalized_fits: The caller samples with an explicit LOD on 1D or 2D views only.
        filter_in_shader: Formats that the device does not filter are left to the shader.

    Attributes:
        color: The border colour's four words.
        integer: The border colour is read as integers.
        retyped: Why it is not read by the record's flag; empty where it is.
        asked: The record's filters and comparison, whatever the sampler gets.
        because: Why anisotropy, reduction or comparison were last lowered.
        reduced: The reduction mode that is the shader's; 0 where none is.
    """

    because = retyped = route = swizzle = ""
    clamp = mirror = fold = border_bits = half = reflect = reduced = 0
    normalize = cube_edges = limit_lod = filter_texels = fixed_depth = False

    def __init__(
        self,
        state: SamplerState | bytes,
        screen: Screen,
        *,
        dialect: str | VulkanDialect,
        view: View | None = None,
        free_slots: int | None = None,
        unnormalized_fits: bool = False,
        filter_in_shader: bool = True,
    ) -> None:
        if view is not None and not isinstance(view, View):
            raise ArgumentError("view", view, accepted="a vulkan.View, or None")
        if view is not None and (len(view.swizzle) != 4 or not set(view.swizzle) <= set(SELECTORS)):
            raise ArgumentError("view.swizzle", view.swizzle, accepted=f"four letters of {SELECTORS}")
        if free_slots is not None and (not isinstance(free_slots, int) or free_slots < 0):
            raise ArgumentError("free_slots", free_slots, accepted="a number of colours, 0 or more, or None")
        word, bias, low, high, *rest = RECORD.unpack(_checked(state))
        self.dialect = vulkan_dialect(dialect)
        self.device = device_of(screen)
        self.view = view
        self.free_slots = inf if free_slots is None else free_slots
        self.unnormalized_fits = unnormalized_fits
        self.color: tuple[int, int, int, int] = (rest[0], rest[1], rest[2], rest[3])
        self.border_color_format: int = rest[4]
        self.integer = bool(word & MASKS["border_color_is_integer"])
        self.seamless_cube_map = bool(word & MASKS["seamless_cube_map"])
        self.unnormalized_coords = bool(word & MASKS["unnormalized_coords"])
        self.min_mip_filter: int = (word & MASKS["min_mip_filter"]) >> SHIFTS["min_mip_filter"]
        self.wraps = (word & 7, word >> 3 & 7, word >> 6 & 7)
        self.filter_in_shader = filter_in_shader
        self.lod_bias_rest = 0.0
        self.unsupported = ()
        self.border = BorderChoice()
        self.flags = 0
        self.mag_filter = word >> SHIFTS["mag_img_filter"] & 1
        self.min_filter = word >> SHIFTS["min_img_filter"] & 1
        self.mipmap_mode = word >> SHIFTS["min_mip_filter"] & 3
        self.address_mode_u, self.address_mode_v, self.address_mode_w = self.wraps
        self.mip_lod_bias = bias
        self.max_anisotropy = float((word & MASKS["max_anisotropy"]) >> SHIFTS["max_anisotropy"])
        self.anisotropy_enable = self.max_anisotropy > 1
        self.compare_enable = bool(word & MASKS["compare_mode"])
        self.compare_op = (word & MASKS["compare_func"]) >> SHIFTS["compare_func"]
        self.min_lod, self.max_lod = low, high
        self.limits = (low, high)
        mips = TexMipfilter(min(self.min_mip_filter, NO_MIPS))
        func = Func(self.compare_op) if self.compare_enable else None
        self.asked = (TexFilter(self.min_filter), TexFilter(self.mag_filter), mips, func)
        self.border_color = BorderColor.FLOAT_TRANSPARENT_BLACK
        self.unnormalized_coordinates = self.unnormalized_coords
        self.custom_border_color = self.component_mapping = None
        self.reduction_mode = (word & MASKS["reduction_mode"]) >> SHIFTS["reduction_mode"]

    @property
    def reads_border(self) -> bool:
        """True where an address mode reads the border colour; they must be settled."""
        return _CLAMP_TO_BORDER in (self.address_mode_u, self.address_mode_v, self.address_mode_w)

    @property
    def kind(self) -> str:
        """Kind of numbers that the border colour's words are read as: ``int`` or ``float``."""
        return "int" if self.integer else "float"

    @property
    def format_name(self) -> str | None:
        """The pipe format that the record gives for the border colour; None where it gives none that exists."""
        if not self.border_color_format:
            return None
        try:
            return pipe_format(self.border_color_format).name
        except UnknownName:
            return None

    def note_unsupported(
        self, name: str, member: str, wanted: object, got: object, size: float | None = None, *, because: str
    ) -> None:
        """Record what cannot be had; the arguments are the members of `Unsupported`."""
        self.because = because
        self.unsupported = (*self.unsupported, Unsupported(name, member, wanted, got, size, because))

    def limit_anisotropy(self, kept: float, because: str) -> None:
        """Keep less anisotropy; what is not more than 1 is none."""
        asked = self.max_anisotropy
        self.anisotropy_enable, self.max_anisotropy = kept > 1, kept
        if self.integers:
            self.because = f"{because}; of integers nothing is lost"
            return
        self.note_unsupported("anisotropy", "max_anisotropy", asked, kept, asked - max(kept, 1.0), because=because)

    def drop_reduction(self, because: str) -> None:
        """Drop the reduction mode, a MIN or MAX: it is the shader's, or lost; of a single texel it is nothing."""
        mode, self.reduction_mode = SamplerReductionMode(self.reduction_mode or 0), None
        if self.integers or not self.mixes:
            self.because = f"{because}; of one texel nothing is lost"
        elif self.dialect.clamp == "coverage" and self.shader_filters:
            self.reduced = int(mode)
            self.because = f"{because}; the shader reduces"
        else:
            self.note_unsupported("reduction", "reduction_mode", mode.name, "WEIGHTED_AVERAGE", because=because)

    @property
    def mixes(self) -> bool:
        """True where the record mixes texels."""
        minify, magnify, mips, _ = self.asked
        return TexFilter.LINEAR in (minify, magnify) or mips == TexMipfilter.LINEAR

    @property
    def seen(self) -> View | None:
        """The view, where the dialect looks at it."""
        return self.view if self.dialect.view == "yes" else None

    @property
    def integers(self) -> bool:
        """True where the view is known to be of integers, which nothing filters."""
        return self.seen is not None and pipe_format(self.seen.format).is_pure_integer

    @property
    def on_cube(self) -> bool:
        """True where the view is known to be a cube."""
        return self.seen is not None and self.seen.cube is True

    @property
    def shader_filters(self) -> bool:
        """True where the shader can filter the view: it is known, cube or not, and of no integers."""
        known = self.seen is not None and self.seen.cube is not None and not self.integers
        return known and self.filter_in_shader and self.dialect.filtering == "shader"

    def info(self) -> SamplerCreateInfo:
        """Return the create info as it stands, without a second sampler and without work for the shader."""
        info = SamplerCreateInfo()
        for name, members in _NAMED.items():
            setattr(info, name, members[getattr(self, name)])
        for name in _COPIED:
            setattr(info, name, getattr(self, name))
        info.lowering = NO_LOWERING
        info.lowering_values = LoweringValues()
        info.lod_bias_rest = 0.0
        info.depth_border_sampler = None
        return info


def _checked(state: SamplerState | bytes) -> bytes:
    accepted = f"a SamplerState or its {RECORD_BYTES} bytes"
    if not isinstance(state, SamplerState | bytes | bytearray | memoryview):
        raise ArgumentError("state", state, accepted=accepted)
    record = bytes(state)
    if len(record) != RECORD_BYTES:
        raise ArgumentError("state", f"{len(record)} bytes", accepted=accepted)
    return record
