"""``VkSamplerCreateInfo`` of any make, read as a sampler of GL; there and back."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as h

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e

DEVICE = st.Screen.device("NVIDIA GeForce RTX 3080")
COLOUR = st.Texture(internal_format="RGBA8", size=(64, 64))
DEPTH = st.Texture(internal_format="DEPTH_COMPONENT32F", size=(64, 64))
INTEGER = st.Texture(internal_format="RGBA8UI", size=(64, 64))
WRAPS = [
    e.Wrap.REPEAT,
    e.Wrap.CLAMP_TO_EDGE,
    e.Wrap.CLAMP_TO_BORDER,
    e.Wrap.MIRRORED_REPEAT,
    e.Wrap.MIRROR_CLAMP_TO_EDGE,
]
CUSTOM = "VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT"
REDUCTION = "VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO"
NUMBERS = {"VK_FILTER_LINEAR": 1, "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER": 3, "VK_COMPARE_OP_GREATER_OR_EQUAL": 6}

eighths = h.integers(0, 120).map(lambda n: n / 8)


@h.composite
def representable(draw: h.DrawFn) -> st.Sampler:
    """What Vulkan says in GL's own numbers: no GL_CLAMP, biases in 256ths, LODs that limit, a colour that is read."""
    wraps = draw(h.tuples(*[h.sampled_from(WRAPS)] * 3))
    mipmapped = draw(h.booleans())
    comparing: list[dict[str, Any]] = [{"compare_mode": True, "compare_func": func} for func in e.CompareFunc]
    comparison = draw(h.sampled_from([{}, *comparing]))
    red, *others = draw(h.tuples(*[eighths.map(lambda n: n / 16)] * 4))
    colour = (red, red, red, 1) if comparison else (red, *others)  # depth has but one
    lods = {"min_lod": draw(eighths.filter(bool)), "max_lod": draw(h.just(1000.0) | eighths.map(lambda n: n + 15))}
    limits: dict[str, Any] = draw(h.sampled_from([{}, lods])) if mipmapped else {"max_lod": 0.25}
    return st.Sampler(
        **dict(zip(("wrap_s", "wrap_t", "wrap_r"), wraps, strict=True)),
        min_filter=draw(h.sampled_from([f for f in e.MinFilter if (f >= 0x2700) == mipmapped])),
        mag_filter=draw(h.sampled_from(list(e.MagFilter))),
        max_anisotropy=draw(h.sampled_from([1.0, 2.0, 16.0])),
        lod_bias=draw(h.integers(-15 * 256, 15 * 256)) / 256,
        cube_map_seamless=draw(h.booleans()),
        border_color=colour if e.Wrap.CLAMP_TO_BORDER in wraps else (0, 0, 0, 0),
        **limits,
        **comparison,
    )


@given(representable())
def test_what_vulkan_can_say_comes_back(sampler: st.Sampler) -> None:
    result = st.convert(sampler, DEPTH if sampler.compare_mode else COLOUR, DEVICE)
    assume(not result.lowering.work and not result.vulkan.unsupported)
    back = st.Sampler.from_vulkan(result.vulkan)
    assert back.state() == sampler.state()


@given(
    h.builds(
        st.Sampler,
        wrap_s=h.sampled_from(list(e.Wrap)),
        wrap_t=h.sampled_from(list(e.Wrap)),
        min_filter=h.sampled_from(list(e.MinFilter)),
        min_lod=h.floats(-1000, 1000, width=32),
        max_lod=h.floats(-1000, 1000, width=32),
        lod_bias=h.floats(-20, 20, width=32),
        max_anisotropy=h.floats(1, 20, width=32),
        reduction_mode=h.sampled_from(list(e.ReductionMode)),
        border_color_bits=h.tuples(*[h.integers(0, 2**32 - 1)] * 4),
        compare_mode=h.booleans(),
    ),
    h.sampled_from([COLOUR, DEPTH, INTEGER]),
)
def test_a_create_info_comes_back_through_gl(sampler: st.Sampler, texture: st.Texture) -> None:
    """Whatever the sampler was that it was made of; the colour's format is the texture's."""
    info = st.convert(sampler, texture, DEVICE).vulkan
    again = st.convert(st.Sampler.from_vulkan(info), texture, DEVICE)
    assume(not info.lowering.work)
    assert again.vulkan == info


def test_level_0_alone_stays_so_where_a_conversion_reads_mipmaps() -> None:
    """Those of integer textures do, whatever the min filter: the upper LOD keeps them at level 0."""
    alone = st.Sampler.from_vulkan({"maxLod": 0.25, "mipmapMode": "VK_SAMPLER_MIPMAP_MODE_NEAREST"})
    assert (alone.min_filter, alone.max_lod) == (e.MinFilter.NEAREST, 0.25)
    assert st.convert(alone, INTEGER, DEVICE).vulkan.max_lod == 0.25


@pytest.mark.parametrize("form", [dict, lambda members: SimpleNamespace(**members)])
def test_members_are_numbers_or_names_of_a_mapping_or_an_object(form: Any) -> None:
    """Those that are left out are 0."""
    named = {"magFilter": "VK_FILTER_LINEAR", "addressModeV": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER", "maxLod": 9.0}
    named |= {
        "compareEnable": True,
        "compareOp": "VK_COMPARE_OP_GREATER_OR_EQUAL",
        "borderColor": "VK_BORDER_COLOR_INT_OPAQUE_WHITE",
    }
    numbered = {name: NUMBERS.get(str(value), value) for name, value in named.items()} | {"borderColor": 5}
    wanted = st.Sampler(
        filter=("nearest-mipmap-nearest", "linear"),
        wrap_t="clamp-to-border",
        max_lod=9,
        compare_mode=True,
        compare_func="gequal",
        border_color_i=(1, 1, 1, 1),
        cube_map_seamless=True,
    )
    for members in (named, numbered):
        assert st.Sampler.from_vulkan(form(members)).content() == wanted.content()


def test_each_predefined_colour_is_read() -> None:
    colours = {"TRANSPARENT_BLACK": (0, 0, 0, 0), "OPAQUE_BLACK": (0, 0, 0, 1), "OPAQUE_WHITE": (1, 1, 1, 1)}
    kinds = {"FLOAT": "border_color", "INT": "border_color_i"}
    for number, ((name, values), (kind, field)) in enumerate(product(colours.items(), kinds.items())):
        fields: dict[str, Any] = {field: values}
        for given_ in (number, f"VK_BORDER_COLOR_{kind}_{name}"):
            made = st.Sampler(**fields)
            assert st.Sampler.from_vulkan({"borderColor": given_}).border_color == made.border_color


def test_a_chain_is_read() -> None:
    """Any form of a custom colour, and the reduction; the view's swizzle is no state of a sampler."""
    for value, fields in (
        ({"float32": [1, 0.5, 0, 1]}, {"border_color": (1, 0.5, 0, 1)}),
        ({"int32": [-1, 0, 0, 1]}, {"border_color_i": (-1, 0, 0, 1)}),
        ({"uint32": [7, 0, 0, 1]}, {"border_color_bits": (7, 0, 0, 1)}),
    ):
        mapping = {"sType": 1000411001, "pNext": {"sType": REDUCTION, "reductionMode": 2}}
        chain = {"sType": CUSTOM, "customBorderColor": value, "pNext": mapping}
        read = st.Sampler.from_vulkan({"borderColor": 1000287003, "pNext": chain})
        assert (read.border_color, read.reduction_mode) == (st.Sampler(**fields).border_color, e.ReductionMode.MAX)


LOOP: dict[str, Any] = {"sType": REDUCTION}
LOOP["pNext"] = LOOP


@pytest.mark.parametrize(
    ("info", "words"),
    [
        (None, "a mapping, or an object"),
        (7, "a mapping, or an object"),
        ({"magFilter": "VK_FILTER_LINAER"}, "Did you mean 'VK_FILTER_LINEAR'"),
        ({"minFilter": "VK_FILTER_CUBIC_EXT"}, "No sampler of GL filters so"),
        ({"magFilter": 1000015000}, "No sampler of GL filters so"),
        ({"addressModeU": 9}, "VK_SAMPLER_ADDRESS_MODE_REPEAT"),
        ({"unnormalizedCoordinates": 1}, "rectangle"),
        ({"flags": 1}, "non-seamless"),
        ({"borderColor": 77}, "borderColor"),
        ({"borderColor": 1000287003}, "in the chain"),
        ({"pNext": {"sType": 1000156001}}, "VkSamplerCustomBorderColorCreateInfoEXT"),
        ({"pNext": LOOP}, "pNext"),
        ({"compareOp": "<", "compareEnable": 1}, "VK_COMPARE_OP"),
        ({"compareEnable": "no"}, "VK_FALSE"),
        ({"anisotropyEnable": 1, "maxAnisotropy": "much"}, "a number"),
        ({"mipLodBias": None}, "a number"),
        ({"minLod": 10**400}, "a number"),
        ({"borderColor": [1]}, "borderColor"),
        ({"pNext": {"sType": [1]}}, "VkSamplerCustomBorderColorCreateInfoEXT"),
        ({"borderColor": 1000287003, "pNext": {"sType": CUSTOM, "customBorderColor": {"uint32": 5}}}, "float32, int32"),
    ],
)
def test_what_gl_cannot_say_is_an_error(info: Any, words: str) -> None:
    with pytest.raises((ArgumentError, UnknownName), match=words):
        st.Sampler.from_vulkan(info)
    usual = st.Sampler.from_vulkan({}).content()
    off: dict[str, Any] = dict.fromkeys(("compareEnable", "anisotropyEnable", "unnormalizedCoordinates"), "VK_FALSE")
    chained: dict[str, Any] = {"pNext": {}}
    for same in (chained, off):
        assert st.Sampler.from_vulkan(same).content() == usual
    with pytest.raises(ArgumentError, match="a pointer of C"):
        st.Sampler.from_vulkan({"pNext": 5}, ffi="cffi")


# Beside the package


def struct(vk: Any, info: dict[str, Any]) -> Any:
    """Build the package's struct of our plain data."""

    def number(value: Any) -> Any:
        return getattr(vk, value) if isinstance(value, str) else value

    members = {name: number(value) for name, value in info.items() if name not in {"pNext", "sType"}}
    chain, entry = None, info["pNext"]
    while entry is not None:
        if entry["sType"] == CUSTOM:
            value = vk.VkClearColorValue(uint32=entry["customBorderColor"]["uint32"])
            chain = vk.VkSamplerCustomBorderColorCreateInfoEXT(
                pNext=chain, customBorderColor=value, format=number(entry["format"])
            )
        elif entry["sType"] == REDUCTION:
            chain = vk.VkSamplerReductionModeCreateInfo(pNext=chain, reductionMode=number(entry["reductionMode"]))
        entry = entry["pNext"]
    return vk.VkSamplerCreateInfo(pNext=chain, **members), chain


@pytest.mark.live("pyvulkan")
@given(sampler=representable(), reduction=h.sampled_from(list(e.ReductionMode)))
def test_a_struct_of_the_package_is_read_as_the_mapping_is(sampler: st.Sampler, reduction: e.ReductionMode) -> None:
    """With its chain, where its ``ffi`` is given; without, a chain is an error."""
    import vulkan

    if not sampler.compare_mode:
        sampler.reduction_mode = reduction
    info = st.convert(sampler, DEPTH if sampler.compare_mode else COLOUR, DEVICE).vulkan
    made, _kept = struct(vulkan, info.to_dict())
    assert st.Sampler.from_vulkan(made, ffi=vulkan.ffi).content() == st.Sampler.from_vulkan(info).content()
    if info["pNext"] is None:
        assert st.Sampler.from_vulkan(made).content() == st.Sampler.from_vulkan(info).content()
    else:
        with pytest.raises(ArgumentError, match=r"ffi=vulkan\.ffi"):
            st.Sampler.from_vulkan(made)
