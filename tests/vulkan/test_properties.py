"""What holds for every device, record and view: nothing broken, nothing coarser where a device offers more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypothesis import assume, given
from hypothesis import strategies as some

from statetracker.caps import Screen, VulkanFacts
from statetracker.caps.vulkan_formats import vulkan_format
from statetracker.conformance.strategies import samplers, textures
from statetracker.frontend import convert
from statetracker.gl import MagFilter, MinFilter, Sampler, Texture
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.vulkan import BorderFallback, SamplerAddressMode, create_info, gl_formats, violations
from statetracker.vulkan.enums import CUSTOM_COLORS
from tests.vulkan.strategies import devices, pairs_of_devices, records, views

if TYPE_CHECKING:
    from statetracker.vulkan import SamplerCreateInfo, View

_LINEAR: Final = (MinFilter.LINEAR, MinFilter.LINEAR_MIPMAP_NEAREST, MinFilter.LINEAR_MIPMAP_LINEAR)
_MIP_LINEAR: Final = (MinFilter.NEAREST_MIPMAP_LINEAR, MinFilter.LINEAR_MIPMAP_LINEAR)
_DEPTH: Final = [name for name, row in gl_formats().items() if pipe_format(row.pipe_format).has_depth]
SLOTS = some.sampled_from([None, 0, 1])


def made(record: bytes, facts: VulkanFacts, view: View | None, slots: int | None) -> SamplerCreateInfo:
    return create_info(record, Screen.from_vulkan(facts), view=view, free_slots=slots)


def names_of(info: SamplerCreateInfo) -> set[str]:
    return {loss.name for loss in info.unsupported}


def same_colours(less: VulkanFacts, more: VulkanFacts) -> bool:
    """Whether the front end gives both devices the same colours: it puts some through the texture's swizzle."""
    before = (Screen.from_vulkan(facts).apply_texture_swizzle_to_border_color for facts in (less, more))
    return len(set(before)) == 1


def no_coarser(more: SamplerCreateInfo, less: SamplerCreateInfo) -> bool:
    """Whether a way of giving the border is as fine as another, or that of a sampler that has the swizzle too."""
    shown = more.border.fallback is BorderFallback.SWIZZLE_CORRECTED
    return shown or more.border.fallback <= less.border.fallback


@given(records(), pairs_of_devices(), some.none() | views(), SLOTS)
def test_a_device_that_offers_more_never_gets_a_coarser_border(
    record: bytes, pair: tuple[VulkanFacts, VulkanFacts], view: View | None, slots: int | None
) -> None:
    """Nor does one that the lesser device's sampler has become the shader's."""
    assume(same_colours(*pair))
    less, more = (made(record, facts, view, slots) for facts in pair)
    assert more.border.error == less.border.error == 0.0
    assert no_coarser(more, less)


@given(samplers(), textures(), pairs_of_devices())
def test_what_a_program_asks_gets_no_coarser_either(
    sampler: Sampler, texture: Texture, pair: tuple[VulkanFacts, VulkanFacts]
) -> None:
    """The same from GL's side, and for what else a device may lack."""
    assume(same_colours(*pair))
    less, more = (convert(sampler, texture, Screen.from_vulkan(facts)).vulkan for facts in pair)
    assert more.border.error == less.border.error == 0.0
    assert less.border.fallback < BorderFallback.NEAREST
    assert no_coarser(more, less)
    assert more.max_anisotropy >= less.max_anisotropy
    assert abs(more.lod_bias_rest) <= abs(less.lod_bias_rest)
    assert not names_of(less) & {"border", "border-swizzle", "mirror-border"}
    assert names_of(more) <= names_of(less) | {"anisotropy"}


@given(records(), devices(), some.none() | views(), SLOTS, some.booleans())
def test_no_record_breaks_a_rule_on_any_device(
    record: bytes, facts: VulkanFacts, view: View | None, slots: int | None, fits: bool
) -> None:
    """With `make sweep` of 380,000."""
    screen = Screen.from_vulkan(facts)
    info = create_info(record, screen, view=view, free_slots=slots, unnormalized_fits=fits)
    seen = None if view is None else vulkan_format(view.format, facts)
    for one in (info, info.depth_border_sampler):
        if one is not None:
            assert violations(one, screen) == []
            assert violations(one, screen, view_format=seen) == []
    assert names_of(info) <= {"anisotropy", "reduction", "comparison", "filtering", "conversion"}


@given(samplers(), textures(), devices(), some.booleans(), some.booleans())
def test_nothing_that_a_program_asks_breaks_a_rule_on_any_device(
    sampler: Sampler, texture: Texture, facts: VulkanFacts, seamless: bool, glsl130: bool
) -> None:
    """With `make sweep` 380,000 times."""
    result = convert(sampler, texture, Screen.from_vulkan(facts), seamless=seamless, glsl130=glsl130)
    assert result.violations == []


@given(records(), devices(), some.none() | views(), SLOTS)
def test_a_chained_colour_and_the_custom_border_colour_come_together_and_only_where_it_is_read(
    record: bytes, facts: VulkanFacts, view: View | None, slots: int | None
) -> None:
    info = made(record, facts, view, slots)
    for one in (info, info.depth_border_sampler):
        if one is not None:
            custom = one.custom_border_color is not None
            assert custom == (one.border_color in CUSTOM_COLORS)
            assert not custom or SamplerAddressMode.CLAMP_TO_BORDER in one.key
            assert not custom or {"VK_EXT_custom_border_color"} <= facts.extensions
            assert slots != 0 or not custom


@given(samplers(), some.sampled_from(_DEPTH), devices(), some.sampled_from(["2d", "cube-map"]), some.booleans())
def test_depth_keeps_linear_exactly_where_the_rules_let_it(
    sampler: Sampler, depth: str, facts: VulkanFacts, target: str, shaded: bool
) -> None:
    """04553 and 04770: where its format can be filtered, or is compared and not filtered by the shader."""
    screen = Screen.from_vulkan(facts)
    name = vulkan_format(screen.stores(depth), facts)
    result = convert(sampler, Texture(target, depth), screen, filter_in_shader=shaded)
    info, asked = result.vulkan, sampler.min_filter
    linear = sampler.mag_filter == MagFilter.LINEAR, asked in _LINEAR, asked in _MIP_LINEAR
    filters = facts.formats is None or (name is not None and facts.filters(name))
    refused = "comparison" in names_of(info)  # the device cannot compare it, and then it is not filtered either
    reduces = bool(result.lowering.reduction) and info.reduction_mode is None
    shader = shaded and any(linear) and (reduces or not (filters or refused))
    lets = (filters and not reduces) or (info.compare_enable and not shader)
    assert result.lowering.filter_texels == shader
    assert (int(info.mag_filter), int(info.min_filter), int(info.mipmap_mode)) == tuple(lets and one for one in linear)
    assert ("filtering" in names_of(info)) == (any(linear) and not (lets or shader or refused))


@given(records(), devices(), some.none() | views(), SLOTS)
def test_the_shader_is_given_no_more_than_it_needs(
    record: bytes, facts: VulkanFacts, view: View | None, slots: int | None
) -> None:
    """Values that no work reads stay out of the key of its variants; a route says how a border is mixed in."""
    info = made(record, facts, view, slots)
    work = info.lowering
    assert work.needed or work == NO_LOWERING
    assert bool(work.route) == bool(work.covered)
    assert work.route != "predefined" or not work.half_border
    assert not work.ones or work.route == "predefined"
    assert bool(work.border) == (info.border.fallback is BorderFallback.IN_SHADER)
    assert (work.clamp, work.mirror) == ("", "")
    assert info.lowering_values.k == tuple(
        0.0 if axis in work.border else 0.5 if axis in work.half_border else 1.0 for axis in "str"
    )
    kept = info.lowering_values.min_lod, info.lowering_values.max_lod
    assert work.limit_lod == (kept != (info.min_lod, info.max_lod))
    assert info.min_lod <= kept[0] <= kept[1] <= info.max_lod
