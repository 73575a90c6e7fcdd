"""A whole stage in `statetracker.sampler.conversion`: its slots, NULL slots, extra slots of multi-plane images."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import Screen
from statetracker.errors import UnknownName
from statetracker.gl import Sampler, Target, Texture, TextureFacts, UnitFacts
from statetracker.sampler import SlotInput, converter, external_slots, stage_records

LLVMPIPE: Final = Screen.named("llvmpipe")
CONVERTER: Final = converter(LLVMPIPE)
PLAIN: Final = Texture("2d", "RGBA8").facts()
BUFFER: Final = Texture("buffer", "RGBA8").facts()
# fmt: off
VIDEO: Final = [
    # surface  resource             extra slots
    ("NV12",   "R8_UNORM",          1),
    ("NV12",   "R8_G8B8_420_UNORM", 0),
    ("NV12",   "NV12",              0),
    ("IYUV",   "R8_UNORM",          2),
    ("P010",   "R16_UNORM",         1),
    ("P012",   "R16_UNORM",         1),
    ("P016",   "R16_UNORM",         1),
    ("Y210",   "R16G16_UNORM",      1),
    ("Y212",   "R16G16_UNORM",      1),
    ("Y216",   "R16G16_UNORM",      1),
    ("YUYV",   "R8G8_UNORM",        1),
    ("YUYV",   "R8G8_R8B8_UNORM",   0),
    ("YUYV",   "G8R8_B8R8_UNORM",   0),
    ("UYVY",   "R8G8_UNORM",        1),
    ("UYVY",   "R8G8_R8B8_UNORM",   0),
    ("UYVY",   "G8R8_B8R8_UNORM",   0),
    ("AYUV",   "R8G8B8A8_UNORM",    0),
    ("XYUV",   "R8G8B8X8_UNORM",    0),
    ("Y410",   "R10G10B10A2_UNORM", 0),
]
# fmt: on
CLAMPED, REPEATED = Sampler(wrap="clamp"), Sampler()


def external(surface: str, storage: str) -> TextureFacts:
    """Give facts of an external image."""
    return PLAIN.replace(target=int(Target.TEXTURE_EXTERNAL_OES), surface_format=surface, storage_format=storage)


def used(slot: int, facts: TextureFacts = PLAIN, **more: Any) -> SlotInput:
    """Give a slot in use."""
    return SlotInput(slot, REPEATED, facts, **more)


def test_no_used_slot_emits_nothing() -> None:
    """What was bound stays bound."""
    assert stage_records(CONVERTER, []) == []


@given(some.sets(some.integers(0, 31), min_size=1))
def test_slots_reach_up_to_the_highest_in_use(slots: set[int]) -> None:
    records = stage_records(CONVERTER, [used(slot) for slot in slots])
    assert len(records) == max(slots) + 1
    assert {slot for slot, record in enumerate(records) if record is not None} == slots


def test_each_slot_converts_its_own_sampler_bias_and_unit() -> None:
    skips = Texture("2d", "DEPTH_COMPONENT16", depth_mode="alpha").facts()
    inputs = [
        SlotInput(0, CLAMPED, PLAIN),
        SlotInput(1, REPEATED, PLAIN, UnitFacts(0.5)),
        SlotInput(2, CLAMPED, skips, UnitFacts(seamless=True, glsl130=False)),
    ]
    seen = stage_records(CONVERTER, inputs)
    assert seen == [CONVERTER.record(i.sampler, i.facts, i.unit) for i in inputs]


def test_buffer_texture_gets_null() -> None:
    """Even as the last slot: the record list keeps its place."""
    assert stage_records(CONVERTER, [used(0), used(1, BUFFER)])[1:] == [None]


@pytest.mark.parametrize("screen", [LLVMPIPE, Screen.named("panfrost")])
def test_bindless_uniform_on_a_buffer_texture_gets_zeros(screen: Screen) -> None:
    """Whatever the driver asks for; on other textures it converts as the unit's."""
    chosen = converter(screen)
    records = stage_records(chosen, [used(0, BUFFER, bindless=True), used(1, bindless=True)])
    assert records == [bytes(36), chosen.record(REPEATED, PLAIN)]


@pytest.mark.parametrize("release", ["22.3", "24.1"])
@pytest.mark.parametrize(("surface", "storage", "extra"), VIDEO)
def test_extra_slots_of_a_video_format(surface: str, storage: str, extra: int, release: str) -> None:
    """One a further plane, none where the driver reads the format itself."""
    seen = external_slots([used(0, external(surface, storage))], release=release)
    assert seen == ({0: list(range(1, 1 + extra))} if extra else {})


@pytest.mark.parametrize("surface", ["NV21", "P030", "YVYU", "VYUY"])
def test_24_1_knows_four_more_video_formats(surface: str) -> None:
    """Older releases give them no extra slot."""
    inputs = [used(0, external(surface, "R8_UNORM"))]
    assert (external_slots(inputs), external_slots(inputs, release="24.1")) == ({}, {0: [1]})


def test_extra_slots_are_the_lowest_free_ones_in_order_of_the_primary() -> None:
    """Whatever the order in which the slots were given."""
    nv12, iyuv = external("NV12", "R8_UNORM"), external("IYUV", "R8_UNORM")
    inputs = [used(6, iyuv), used(1), used(3, nv12), used(4)]
    assert external_slots(inputs) == {3: [0], 6: [2, 5]}


def test_extra_slots_repeat_the_primarys_record() -> None:
    """And lengthen the list where they lie above it."""
    inputs = [SlotInput(0, CLAMPED, external("IYUV", "R8_UNORM")), used(1)]
    records = stage_records(CONVERTER, inputs)
    assert len(records) == 4
    assert records[0] == records[2] == records[3] != records[1]


def test_other_targets_and_plain_images_need_no_extra_slot() -> None:
    planes = external("NV12", "R8_UNORM")
    assert external_slots([used(0, planes.replace(target=int(Target.TEXTURE_2D)))]) == {}
    assert external_slots([used(0, planes.replace(surface_format=None))]) == {}


def test_full_stage_has_no_slot_left_to_hand_out() -> None:
    """32 are all there are."""
    inputs = [used(slot, external("NV12", "R8_UNORM")) for slot in range(32)]
    assert all(extras == [] for extras in external_slots(inputs).values())
    assert len(stage_records(CONVERTER, inputs)) == 32


def test_last_free_slot_is_handed_out() -> None:
    """Slot 31."""
    inputs = [used(0, external("NV12", "R8_UNORM")), *(used(slot) for slot in range(1, 31))]
    assert external_slots(inputs) == {0: [31]}


def test_a_release_without_a_list_of_formats_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"22\.3, 24\.1, 25\.0"):
        external_slots([], release="23.3")
