"""From a state to pixels on devices of the corpus: create info and rewritten shader together give what GL asks for."""

from __future__ import annotations

from functools import cache
from math import ceil, floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.frontend.slot_lowering import slot_lowering
from statetracker.frontend.states import SlotState
from statetracker.pipe import SamplerState, TexCompare, TexMipfilter
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.sampler.tables import MIN_FILTER
from statetracker.vulkan import View, create_info, facts_of, record_of
from statetracker.vulkan.views import can_filter
from tests.shader.machine import Bound, Machine
from tests.shader.modules import SIMPLE, Sample, module, samples
from tests.shader.sampled import BLOCK, points, texels
from tests.shader.test_lower import CUBE, at_a_corner, cubes, outcome, states
from tests.vulkan.devices import newest_rows

if TYPE_CHECKING:
    from statetracker.pipe import Lowering
    from statetracker.vulkan import SamplerCreateInfo

VIEW = View("R32G32B32A32_FLOAT", cube=False)


@cache
def screens() -> tuple[st.Screen, ...]:
    return tuple(st.Screen.from_vulkan(device_facts(row)) for row in newest_rows()[::9])


def bound_info(asked: SamplerState, screen: st.Screen, form: Sample) -> tuple[SamplerCreateInfo, Lowering]:
    """The create info and the lowering of a bind, whose sampler is made without a view."""
    target = {0: "1d", 1: "2d", 2: "3d", CUBE: "cube-map"}[form.dim] + "-array" * form.arrayed
    size = (8, 8, 6)[: 2 + form.arrayed] if form.dim == CUBE else (8, 8, 8)[: form.spatial + form.arrayed]
    texture = st.Texture(target, internal_format="RGBA32F", size=size)
    record = asked
    if not can_filter(facts_of(screen), VIEW.format):  # as the tracker does, by the format
        mips = TexMipfilter.NONE if asked.min_mip_filter == TexMipfilter.NONE else TexMipfilter.NEAREST
        record = asked.replace(min_img_filter=0, mag_img_filter=0, min_mip_filter=mips)
    both = int(asked.min_img_filter), int(asked.min_mip_filter)
    filters = next(number for number, pair in MIN_FILTER.items() if pair == both), int(asked.mag_img_filter)
    state = SlotState(bytes(record), NO_LOWERING, texture.facts(), screen, filters, glsl130=False)
    info = create_info(record, screen)
    return info, slot_lowering(state, info)


class Asked(NamedTuple):
    """A form and a state, a device's number, the view, a seed and levels."""

    form: Sample
    state: SamplerState
    device: int
    view: View
    seed: int
    levels: int


def compare(asked: Asked, *, bound: bool) -> None:
    """Sample natively, and on a device with what `create_info` or a bind gives."""
    form, state, number, view, seed, levels = asked
    if state.min_mip_filter == TexMipfilter.NONE:  # Vulkan has level 0 alone, still magnified or minified
        state = state.replace(min_lod=0.0, max_lod=0.25)
    state = state.replace(compare_mode=TexCompare.R_TO_TEXTURE if form.dref else TexCompare.NONE)
    screen = screens()[number]
    if bound:
        if not can_filter(facts_of(screen), VIEW.format):  # fractional limits are the device's then
            state = state.replace(min_lod=float(floor(state.min_lod)), max_lod=float(ceil(state.max_lod)))
        info, lowering = bound_info(state, screen, form)
    else:
        info = create_info(state, screen, view=view)
        lowering = info.lowering
        assert not info.unsupported
    made, (ident,) = module([form])
    image, given_points = texels(form, seed, levels), points(seed)
    result = st.lower(made, {(0, 0): lowering}, values=BLOCK)
    assert not result.unresolved
    block = st.border_values([info] * len(result.values))
    native = Machine(made, given_points, {(0, 0): Bound(state, image), (1, 0): Bound(state, image)})
    less = Bound(record_of(info), image)
    lowered = Machine(result.module, given_points, {(0, 0): less, (1, 0): less}, block)
    off = np.abs(outcome(native.values[ident]) - outcome(lowered.values[ident]))
    if form.dref and state.seamless_cube_map:
        off = off[~at_a_corner(given_points)]
    assert off.max() < 1e-5, (lowering, info.lowering_values, off.max())


@some.composite
def flat(draw: some.DrawFn) -> Asked:
    """Draw a sample of an image that is no cube."""
    form = draw(samples().filter(lambda one: one.dim != CUBE))
    form = form._replace(elements=0, dynamic=False, via=form.via.replace("function", "load"))
    state = draw(states())
    if form.min_lod:
        state = state.replace(max_lod=max(state.max_lod, 1.0))
    return Asked(form, state, *draw(NUMBERS))


@some.composite
def on_cubes(draw: some.DrawFn) -> Asked:
    """Draw a sample of a cube, seamless or not."""
    form, state = draw(cubes())._replace(elements=0, dynamic=False), draw(states())
    if form.level == "gather":
        state = state.replace(min_lod=min(state.min_lod, 0.0))
    asked = Asked(form, state.replace(seamless_cube_map=draw(some.booleans())), *draw(NUMBERS))
    asked = asked._replace(view=VIEW._replace(cube=True))
    return asked._replace(levels=1) if form.dref and asked.state.seamless_cube_map else asked


NUMBERS = some.tuples(some.integers(0, 83), some.just(VIEW), some.integers(0, 2**30), some.integers(1, 3))
SETTINGS = settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@given(flat() | on_cubes())
@SETTINGS
def test_every_device_samples_what_gl_asks_for(asked: Asked) -> None:
    compare(asked, bound=False)


@given(flat() | on_cubes())
@SETTINGS
def test_and_so_it_does_by_a_bind(asked: Asked) -> None:
    """One sampler of the cache serves many textures; the lowering is the slot's.

    A reduction is the device's then, but where the shader filters; and that it does not on the faces of a cube.
    """
    filters = can_filter(facts_of(screens()[asked.device]), VIEW.format)
    state = asked.state.replace(reduction_mode=0) if filters else asked.state.replace(seamless_cube_map=True)
    compare(asked._replace(state=state), bound=True)


def test_two_levels_that_an_offset_folds_are_reduced_as_the_device_does() -> None:
    """They were mixed by weight, where the device that has the least texel takes that of both."""
    form = SIMPLE._replace(dim=0, level="lod", offset="const")
    state = SamplerState(
        wrap_s="MIRROR_CLAMP_TO_BORDER", min_mip_filter="LINEAR", reduction_mode="MIN", min_lod=0.25, max_lod=0.25
    )  # fmt: skip
    devices = [n for n, one in enumerate(screens()) if not create_info(state, one, view=VIEW).lowering.filter_texels]
    assert devices
    compare(Asked(form, state, devices[0], VIEW, 0, 2), bound=False)


def test_a_border_on_the_faces_of_a_cube_keeps_limits_between_levels_by_a_bind() -> None:
    """The shader samples whole levels there, which the sampler's limits moved: off by up to 0.08."""
    form = SIMPLE._replace(dim=CUBE, level="lod", numbers=SIMPLE.numbers._replace(lod=0.6))
    border: dict[str, Any] = dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), "CLAMP_TO_BORDER")
    state = SamplerState(
        **border, min_img_filter="LINEAR", mag_img_filter="LINEAR", min_mip_filter="LINEAR", min_lod=0.25,
        max_lod=1.75, border_color=(0x40000000, 0x40400000, 0x40A00000, 0x3F800000),
    )  # fmt: skip
    view = VIEW._replace(cube=True)
    devices = [
        number
        for number, one in enumerate(screens())
        if create_info(state, one).lowering.route == "predefined" and can_filter(facts_of(one), VIEW.format)
    ]
    assert devices
    for number in devices[:3]:
        compare(Asked(form, state, number, view, 0, 3), bound=True)
