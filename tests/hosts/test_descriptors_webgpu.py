"""``GPUSamplerDescriptor`` in both spellings, read as a sampler of GL; there and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as h

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.webgpu.conversion import MEMBERS
from tools.proofs.pixels.webgpu_run import open_device

SCREEN = st.Screen.named("webgpu")
COLOUR = st.Texture(internal_format="RGBA8", size=(64, 64))
DEPTH = st.Texture(internal_format="DEPTH_COMPONENT32F", size=(64, 64))
WRAPS = ["clamp-to-edge", "repeat", "mirror-repeat"]
FUNCS = ["never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always"]

filters = h.sampled_from(["nearest", "linear"])


@h.composite
def descriptors(draw: h.DrawFn) -> dict[str, Any]:
    """What WebGPU accepts, in wgpu-py's spelling."""
    low = draw(h.integers(0, 64)) / 8
    seen = {
        **{f"address_mode_{axis}": draw(h.sampled_from(WRAPS)) for axis in "uvw"},
        **{f"{which}_filter": draw(filters) for which in ("mag", "min", "mipmap")},
        "lod_min_clamp": low,
        "lod_max_clamp": low + draw(h.integers(8, 200)) / 8,
        "compare": draw(h.none() | h.sampled_from(FUNCS)),
        "max_anisotropy": 1,
    }
    if all(seen[f"{which}_filter"] == "linear" for which in ("mag", "min", "mipmap")):
        seen["max_anisotropy"] = draw(h.sampled_from([1, 4, 16]))
    return seen


@given(descriptors())
def test_a_descriptor_comes_back_through_gl(descriptor: dict[str, Any]) -> None:
    """In WebGPU's own spelling it is the same sampler."""
    sampler = st.Sampler.from_wgpu(descriptor)
    result = st.convert(sampler, DEPTH if descriptor["compare"] else COLOUR, SCREEN)
    if descriptor["compare"] is None or "linear" not in {descriptor["min_filter"], descriptor["mag_filter"]}:
        assert dict(result.webgpu) == descriptor
    other = {member.name: descriptor[member.key] for member in MEMBERS}
    assert st.Sampler.from_wgpu(other | {"label": "sky"}).content() == sampler.content()


def test_members_that_are_left_out_have_webgpus_defaults() -> None:
    wanted = st.Sampler(
        wrap="clamp-to-edge", filter=("nearest-mipmap-nearest", "nearest"), max_lod=32, cube_map_seamless=True
    )
    assert st.Sampler.from_wgpu({}).content() == wanted.content()


@given(
    h.sampled_from(list(e.MinFilter)), h.sampled_from(list(e.MagFilter)), h.sampled_from(["repeat", "clamp-to-edge"])
)
def test_a_sampler_comes_back_from_our_own_descriptor(low: int, high: int, wrap: str) -> None:
    """Those without mipmaps too: their upper LOD is 0.25."""
    sampler = st.Sampler(filter=(low, high), wrap=wrap, cube_map_seamless=True)
    back = st.Sampler.from_wgpu(st.convert(sampler, COLOUR, SCREEN).webgpu)
    assert back.state() == sampler.state()


@pytest.mark.parametrize(
    ("descriptor", "words"),
    [
        (None, "a mapping of its members"),
        ({"adress_mode_u": "repeat"}, "Did you mean 'address_mode_u'"),
        ({"addressModeU": "mirror_repeat"}, "Did you mean 'mirror-repeat'"),
        ({"magFilter": None}, "nearest, linear"),
        ({"compare": "<="}, "less-equal"),
        ({"maxAnisotropy": "16"}, "a number"),
        ({"lodMinClamp": True}, "a number"),
        ({"lodMinClamp": 10**400}, "a number"),
        ({"maxAnisotropy": 0}, "1.0 or more"),
    ],
)
def test_what_webgpu_does_not_have_is_an_error(descriptor: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        st.Sampler.from_wgpu(descriptor)
    with pytest.raises(UnknownName):
        st.Sampler.from_wgpu({"mipmap_filter": "trilinear"})


@pytest.mark.live("wgpu")
def test_wgpus_own_words_and_defaults_are_read() -> None:
    """Its enums; and its device takes what comes back."""
    import wgpu

    words = {
        "address_mode_u": (wgpu.AddressMode, WRAPS),
        "mag_filter": (wgpu.FilterMode, ["nearest", "linear"]),
        "mipmap_filter": (wgpu.MipmapFilterMode, ["nearest", "linear"]),
        "compare": (wgpu.CompareFunction, FUNCS),
    }
    device = open_device()
    for member, (theirs, ours) in words.items():
        assert sorted(theirs) == sorted(ours)
        for word in theirs:
            sampler = st.Sampler.from_wgpu({member: word})
            device.create_sampler(**st.convert(sampler, DEPTH if member == "compare" else COLOUR, SCREEN).webgpu)
