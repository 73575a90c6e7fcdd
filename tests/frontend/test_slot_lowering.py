"""The shader's share of a bound slot, whose sampler was made without a view: what the texture adds to it.

Pixels of it are in tests/integration/test_in_shader.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.conformance.strategies import samplers, textures
from statetracker.errors import ArgumentError
from statetracker.frontend import clamp_request
from statetracker.gl.enums import Target
from statetracker.pipe import Func, Lowering, SamplerState, TexFilter, TexMipfilter, TexReduction
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.vulkan import SamplerCreateInfo, View, create_info, with_view
from statetracker.vulkan.dialects import vulkan_dialect
from statetracker.webgpu.conversion import SamplerDescriptor
from tests.shader.compiled import MODULES
from tests.vulkan.devices import newest_rows

SCREEN = st.Screen.device(report=38434).replace(emulate_gl_clamp=False)
WEBGPU = [st.Screen.named(name) for name in ("webgpu", "webgpu-float32-filterable")]
DEVICES = [*WEBGPU, *(st.Screen.from_vulkan(device_facts(row)) for row in newest_rows()[::25])]
LINEAR = st.Sampler(min_filter="linear", mag_filter="linear", wrap="clamp-to-edge")
RGBA8 = st.Texture("2d", "RGBA8", (8, 8))


class Driver:
    """Its handles are made of create infos."""

    def __init__(
        self, made: Callable[[SamplerCreateInfo], Any] = lambda info: info, screen: st.Screen = SCREEN
    ) -> None:
        self.made, self.screen = made, screen

    def create_sampler_state(self, record: bytes) -> Any:
        return self.made(create_info(record, self.screen))

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[Any]) -> None:
        """Nothing is drawn."""

    def delete_sampler_state(self, handle: Any) -> None:
        """Nothing was made."""


def bound(
    sampler: st.Sampler, texture: st.Texture, *, seamless: bool = True, screen: st.Screen = SCREEN
) -> Lowering | None:
    """The lowering of one slot."""
    with st.StateTracker(screen, Driver(screen=screen)) as tracker:
        lowering: Lowering | None = tracker.bind("fragment", ((sampler, texture),), seamless=seamless).lowerings.get(0)
        return lowering


MIPS = {"min_filter": "linear-mipmap-linear"}
FILTERS = {"filter_texels": True}


@pytest.mark.parametrize(
    ("fields", "texture", "seen"),
    [
        # A linear rectangle was lowered as nearest: wrong pixels; one of depth keeps its comparison.
        ({}, ("rectangle", "RGBA8"), {"min_img_filter": TexFilter.LINEAR, "mag_img_filter": TexFilter.LINEAR}),
        (
            {"compare_mode": True, "compare_func": "greater"},
            ("rectangle", "DEPTH_COMPONENT24"),
            {"compare_func": Func.GREATER, "min_mip_filter": TexMipfilter.NONE},
        ),
        # The record of a format that is not filtered is NEAREST; GL asked for LINEAR.
        ({}, ("2d", "RGBA32F"), FILTERS),
        ({"filter": "nearest"}, ("2d", "RGBA32F"), None),
        # Between levels the shader would sample whole ones, which the limits of the sampler that was made would move.
        (MIPS | {"min_lod": 0.5}, ("2d", "RGBA32F"), None),
        (MIPS | {"min_lod": 1.0}, ("2d", "RGBA32F"), FILTERS),
        # GL asks for level 0 alone, and the record for the nearest level: a sample of level 0 would be of level 1.
        ({"min_lod": 1.0}, ("2d", "RGBA32F"), None),
        ({"min_lod": -1.0}, ("2d", "RGBA32F"), {}),
        (MIPS | {"min_lod": -inf, "max_lod": inf}, ("2d", "RGBA32F"), FILTERS),  # an OverflowError came of the bind
        ({"reduction_mode": "min"}, ("2d", "RGBA32F"), {"reduction": TexReduction.MIN}),  # it mixed them by weight
        ({}, ("cube-map", "RGBA32F"), FILTERS),
    ],
)
def test_work_of_filters_is_what_gl_asks_for(
    fields: dict[str, Any], texture: tuple[str, str], seen: dict[str, Any] | None
) -> None:
    """As the conversion has it, unless the sampler that was made forbids it."""
    sampler, image = LINEAR.copy(**fields), st.Texture(*texture, size=(256, 256))
    if texture[0] == "2d" and fields:
        image = st.Texture(*texture, size=(256, 256), levels=3)
    lowering = bound(sampler, image)
    assert (lowering is None) == (seen is None)
    if lowering is not None:
        assert {name: getattr(lowering, name) for name in seen or ()} == seen
        if "compare_mode" not in fields:
            assert lowering == st.convert(sampler, image, SCREEN, seamless=True).lowering


@pytest.mark.parametrize(
    ("texture", "edges", "filters"),
    [(("2d", "RGBA8"), False, False), (("cube-map", "RGBA8"), True, False), (("cube-map", "RGBA32F"), True, False)],
)
def test_cube_edges_are_work_of_cubes_alone(texture: tuple[str, str], edges: bool, filters: bool) -> None:
    """A 2D texture had them too: needless variants."""
    lowering = bound(LINEAR, st.Texture(*texture, size=(256, 256)), seamless=False) or NO_LOWERING
    assert (lowering.cube_edges, lowering.filter_texels) == (edges, filters)


@pytest.mark.parametrize("device", ["#38757", "AMD Radeon RX 6750 GRE 12GB"])
@pytest.mark.parametrize("wrap", ["clamp-to-border", "mirror-clamp-to-border", "clamp", "mirror-clamp", "repeat"])
def test_a_face_of_a_cube_has_its_border_though_no_view_was_known(device: str, wrap: str) -> None:
    """The border was lost: the first device's sampler reads across edges, the second's has no GL_CLAMP."""
    screen = st.Screen.device(device).replace(emulate_gl_clamp=False)
    sampler = LINEAR.copy(wrap=wrap, border_color=(1.0, 0.5, 0.25, 1.0))
    cube = st.Texture("cube-map", internal_format="RGBA8", size=(256, 256))
    lowering = bound(sampler, cube, seamless=False, screen=screen)
    assert (lowering or NO_LOWERING) == st.convert(sampler, cube, screen).lowering


BORDER = SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=(1.0, 0.5, 0.25, 1.0))


def test_a_view_says_which_channels_of_transparent_black_read_one() -> None:
    """A texture without alpha reads as (0, 0, 0, 1); where no one knows what it would read as, the edge is read."""
    screen = st.Screen.named("zink-lavapipe")
    info = create_info(BORDER, screen, free_slots=0)
    assert (info.lowering.route, info.lowering.ones) == ("predefined", "")
    for view, ones in ((("R8_UNORM", "X001"), "a"), (("R8G8B8A8_UNORM",), ""), (("R8G8B8A8_UNORM", "XX11"), "ba")):
        assert with_view(info, View(*view), screen).ones == ones
    apple = st.Screen.device(report=38162)
    assert create_info(BORDER, apple).lowering.route == "edge"
    assert create_info(BORDER, apple, view=View("R8G8B8A8_UNORM")).lowering.route == "predefined"


def test_references_of_fixed_point_depth_are_clamped_where_the_view_has_it() -> None:
    """An info says by whose rules it was made."""
    compares = SamplerState(compare_mode="R_TO_TEXTURE", wrap_s="CLAMP")
    info = create_info(compares, SCREEN)
    assert not info.lowering.fixed_depth
    assert with_view(info, View("Z16_UNORM"), SCREEN).fixed_depth
    assert not with_view(info, View("Z32_FLOAT"), SCREEN).fixed_depth
    assert info.dialect == vulkan_dialect("native")
    assert create_info(compares, SCREEN, dialect="zink22").dialect == vulkan_dialect("zink22")


def test_handles_without_a_create_info_add_their_lowering_if_they_have_one() -> None:
    class Handle:
        lowering = Lowering(add_lod_bias=True)

    with st.StateTracker(SCREEN, Driver(lambda _: Handle())) as tracker:
        assert tracker.bind("fragment", ((LINEAR, RGBA8),)).lowerings == {0: Handle.lowering}


def lost(sampler: st.Sampler | None, texture: st.Texture, screen: st.Screen) -> tuple[set[str], set[str]]:
    """What a bind of slot 2 says is lost, and what its handle says."""
    with st.StateTracker(screen, Driver(screen=screen)) as tracker:
        bound = tracker.bind("fragment", {2: (sampler, texture)})
        own: Any = bound.handles[2]
        return {one.name for one in bound.unsupported.get(2, ())}, {one.name for one in own.unsupported}


def test_a_bind_says_which_slot_loses_what() -> None:
    """The swizzle of a luminance texture where views have none; the other slot loses nothing."""
    screen = st.Screen.device(report=38162)
    slots = [(None, st.Texture("2d", name, (8, 8))) for name in ("RGBA8", "LUMINANCE8")]
    with st.StateTracker(screen, Driver(screen=screen)) as tracker:
        ((slot, (loss,)),) = tracker.bind("fragment", slots).unsupported.items()
    assert (slot, loss.name, loss.to_dict()["wanted"]) == (1, "swizzle", "RRR1")


@pytest.mark.parametrize(
    ("name", "options", "swizzle"),
    [
        ("LUMINANCE8", {}, "RRR1"),
        ("ALPHA8", {}, "000A"),
        ("INTENSITY8", {}, "RRRR"),
        ("LUMINANCE8_ALPHA8", {}, "RRRG"),
        ("RGBA8", {}, ""),
        ("RGBA8", {"swizzle": "AB01"}, "AB01"),
        ("RGBA8UI", {"swizzle": "1RRG"}, "1RRG"),
        ("DEPTH_COMPONENT24", {"depth_mode": "intensity"}, "RRRR"),
        ("DEPTH24_STENCIL8", {"stencil_sampling": True, "depth_mode": "red"}, "R001"),
    ],
)
def test_a_swizzle_is_the_shaders_on_webgpu(name: str, options: dict[str, Any], swizzle: str) -> None:
    """By slot as by the conversion; alone it is the same whatever the filters, and nothing is lost."""
    texture = st.Texture("2d", name, (8, 8), **options)
    for sampler in (st.Sampler(min_filter="nearest", mag_filter="nearest"), st.Sampler(wrap="clamp", lod_bias=1.0)):
        for screen in WEBGPU:
            result = st.convert(sampler, texture, screen.replace(emulate_gl_clamp=False))
            assert result.lowering.swizzle == swizzle
            lowering = bound(sampler, texture, screen=screen.replace(emulate_gl_clamp=False)) or NO_LOWERING
            assert lowering.swizzle == swizzle
            assert "swizzle" not in {one.name for one in result.unsupported}
    assert bound(LINEAR, st.Texture("2d", "LUMINANCE8", (8, 8)), screen=WEBGPU[0]) == Lowering(swizzle="RRR1")


def test_handles_without_a_create_info_lose_halves_of_gl_clamp_and_what_they_say() -> None:
    screen = st.Screen.named("llvmpipe").replace(emulate_gl_clamp=True)
    sampler = st.Sampler(wrap="clamp", min_filter="nearest", mag_filter="linear")

    class Own(Driver):
        def create_sampler_state(self, record: bytes) -> Any:
            assert record
            return SimpleNamespace(unsupported=("mine",))

    with st.StateTracker(screen, Own(screen=screen)) as tracker:
        losses = tracker.bind("fragment", ((sampler, RGBA8),)).unsupported[0]
    assert losses == (*st.convert(sampler, RGBA8, screen).unsupported, "mine")


@given(samplers(), textures(), some.sampled_from(DEVICES), some.booleans())
def test_a_bind_loses_what_the_conversion_loses_and_gives_its_view(
    sampler: st.Sampler, texture: st.Texture, device: st.Screen, glsl130: bool
) -> None:
    """On WebGPU and on any Vulkan device, natively; and what its sampler lacks, which was made without a view."""
    result = st.convert(sampler, texture, device)
    names = {one.name for one in result.unsupported if "S8" not in str(one)}
    bind, own = lost(sampler, texture, device.replace(emulate_gl_clamp=False))
    assert names <= bind <= {one.name for one in result.unsupported} | own
    result = st.convert(sampler, texture, device, glsl130=glsl130)
    with st.StateTracker(device, Driver(screen=device)) as tracker:
        bound = tracker.bind("fragment", {1: (sampler, texture)}, glsl130=glsl130)
    view = bound.views[1]
    assert (view.format, view.swizzle) == (result.view.format, result.view.swizzle)
    if not result.webgpu_screen:
        assert view.sample_type is None
    elif texture.target != Target.TEXTURE_BUFFER:
        info: Any = bound.handles[1]
        made = SamplerDescriptor(info, device).sampler_type  # made without a view it may be of another type
        assert made != result.webgpu.sampler_type or view.sample_type == result.webgpu.sample_type


@pytest.mark.parametrize(
    ("asked", "policy", "words"),
    [
        (16.0, None, "16 samples became 1"),
        (100.0, None, "16 samples became 1"),  # GL's maximum
        (16.0, st.Policy(max_anisotropy=4), "4 samples became 1"),
        (16.0, st.Policy(max_anisotropy=0), ""),
        (3.5, None, "3 samples became 1"),
        (1.0, st.Policy(force_anisotropy=8), "8 samples became 1"),
        (1.0, None, ""),
    ],
)
def test_a_device_without_anisotropy_loses_what_was_asked_for(asked: float, policy: st.Policy, words: str) -> None:
    """Its Gallium record has 2 at most, as the driver's maximum in GL is no less."""
    screen, sampler = st.Screen.device("#38086"), LINEAR.copy(max_anisotropy=asked)
    result = st.convert(sampler, RGBA8, screen, policy=policy)
    assert result.pipe.max_anisotropy == (2 if words else 0)
    with st.StateTracker(screen, Driver(screen=screen), policy=policy) as tracker:
        bound = tracker.bind("fragment", ((sampler, RGBA8),)).unsupported.get(0, ())
    said = [f"anisotropy: {words}; the device has none"] if words else []
    assert [str(one) for one in result.unsupported] == [str(one) for one in bound] == said
    assert [one.size for one in result.vulkan.unsupported] == [float(word) - 1.0 for word in words.split()[:1]]


def test_a_reduction_that_its_sampler_lacks_is_lost_by_the_bind_alone() -> None:
    """Converted for its view the shader filters; a sampler made without one averages."""
    sampler, screen = LINEAR.copy(reduction_mode="max"), WEBGPU[0].replace(emulate_gl_clamp=False)
    assert st.convert(sampler, RGBA8, WEBGPU[0]).unsupported == ()
    assert lost(sampler, RGBA8, screen)[0] == {"reduction"}
    assert lost(sampler, st.Texture("2d", "RGBA8UI", (8, 8)), screen)[0] == {"integers"}


def test_what_a_bind_says_of_its_slots_is_worked_out_once() -> None:
    slots = ((st.Sampler(wrap="clamp"), st.Texture("2d", "RGBA8UI", (8, 8))),)
    with st.StateTracker(WEBGPU[0], Driver(screen=WEBGPU[0])) as tracker:
        bound = tracker.bind("fragment", slots)
        for name in ("states", "lowerings", "lowering_values", "views", "unsupported", "masks"):
            assert getattr(bound, name)
            assert getattr(tracker.bind("fragment", slots), name) is getattr(bound, name), name


def test_the_work_of_a_buffers_slot_is_not_that_of_the_sampler_left_there() -> None:
    """The slot keeps its sampler, which nothing reads."""
    buffer, screen = st.Texture("buffer"), st.Screen.device("Mali-G72")
    left, other = st.Sampler(wrap="mirror-clamp", lod_bias=31.0), st.Sampler(min_filter="nearest")
    with st.StateTracker(screen, Driver(screen=screen)) as tracker:
        handle: Any = tracker.bind("fragment", ((left, RGBA8), (other, RGBA8))).handles[0]
        assert handle.lowering.needed
        assert 0 not in tracker.bind("fragment", ((None, buffer), (other, RGBA8))).lowerings


CLAMP_ST = Lowering("st")
MIXED = Lowering("r", "s")


def test_slots_are_bindings_of_set_0_unless_places_say_otherwise() -> None:
    """An array takes one entry an element; what needs nothing is left out, and the module stays."""
    slots = {1: CLAMP_ST, 4: MIXED}
    assert clamp_request(slots) == {(0, 1): CLAMP_ST, (0, 4): MIXED}
    request = clamp_request(slots, {(1, 0): (0, 1, 4), (1, 1): 1, (1, 2): 7, (1, 3): [2, 3]})
    assert request == {(1, 0): (Lowering(), CLAMP_ST, MIXED), (1, 1): CLAMP_ST}
    request = clamp_request({1: Lowering(texel_coords=True)})
    assert request == {}
    assert st.lower(MODULES["implicit_2d.frag"], request).module == MODULES["implicit_2d.frag"]


@pytest.mark.parametrize("slot", [-1, "0", True])
def test_a_slot_that_is_none_is_refused(slot: int) -> None:
    with pytest.raises(ArgumentError, match="slot"):
        clamp_request({0: CLAMP_ST}, {(0, 0): [slot]})


@pytest.mark.parametrize("slots", [None, 0.0, object()])
def test_what_is_neither_a_slot_nor_several_is_refused(slots: Any) -> None:
    with pytest.raises(ArgumentError, match="a sequence of these"):
        clamp_request({0: CLAMP_ST}, {(0, 0): slots})


def test_a_tracker_s_lowerings_rewrite_a_module() -> None:
    """From GL state to the shader: what a bind says is what `st.lower` takes."""
    state = st.Sampler(wrap_s="clamp", wrap_t="mirror-clamp-ext", min_filter="linear")
    result = st.convert(state, st.Texture(size=(4, 4)), st.Screen.named("zink-lavapipe"))
    request = clamp_request({1: result.lowering})
    assert request == {(0, 1): result.lowering}
    assert (result.lowering.clamp, result.lowering.mirror) == ("s", "t")
    lowered = st.lower(MODULES["implicit_2d.frag"], request, values=(0, 9))
    assert len(lowered.rewritten) == 1
