"""`st.convert`: what it is given, checked before anything else."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.errors import ArgumentError
from statetracker.gl import TextureFacts
from tests.vulkan.devices import newest_rows

LLVMPIPE = st.Screen.named("llvmpipe")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dialect", ["mesa22"]),
        ("dialect", {}),
        ("dialect", None),
        ("vulkan_dialect", ["native"]),
        ("unit_lod_bias", "x"),
        ("unit_lod_bias", None),
        ("unit_lod_bias", True),
        ("sampler", "x"),
        ("texture", "2d"),
        ("screen", "llvmpipe"),
    ],
)
def test_argument_of_the_wrong_kind_is_named(field: str, value: Any) -> None:
    given: dict[str, Any] = {"sampler": st.Sampler(), "texture": st.Texture(size=(4, 4)), "screen": LLVMPIPE}
    with pytest.raises(ArgumentError) as caught:
        st.convert(**given | {field: value})
    assert caught.value.field == field
    assert caught.value.accepted


def test_facts_alone_need_a_sampler() -> None:
    with pytest.raises(ArgumentError, match="sampler=None"):
        st.convert(None, st.Texture().facts(), LLVMPIPE)


def test_unit_bias_beyond_every_float_is_the_largest() -> None:
    """As one beyond float32 is."""
    texture = st.Texture(size=(4, 4))
    great, large = (st.convert(None, texture, LLVMPIPE, unit_lod_bias=bias) for bias in (10**400, 1e300))
    assert bytes(great) == bytes(large)


def test_facts_with_a_list_are_refused() -> None:
    values = st.Texture().facts().to_dict()
    with pytest.raises(ArgumentError, match="facts"):
        TextureFacts.of(**values | {"swizzle": [0, 1, 2, 3]})


#: No GL_CLAMP, and no filtering of 32-bit floats.
ADRENO = st.Screen.device(report=38434)


def explained(sampler: st.Sampler, internal_format: str, screen: st.Screen, **how: Any) -> tuple[str, ...]:
    result = st.convert(sampler, st.Texture("2d", internal_format), screen, **how)
    assert result.explain().state == result.pipe
    return result.explain().notes


def test_an_explanation_says_where_the_devices_sampler_is_not_made_of_the_record() -> None:
    clamped = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1, 0.5, 0, 1))
    (note,) = explained(clamped, "RGBA8", ADRENO)
    assert note == (
        f"this record is for a Gallium driver. The sampler of {ADRENO.name} is made of one with wrap_s CLAMP, "
        "wrap_t CLAMP, wrap_r CLAMP; left to the shader: half border str, by edge. explain_vulkan() has the reasons"
    )
    result = st.convert(clamped, st.Texture("2d", "RGBA8"), ADRENO)
    first = [result.explain_vulkan().of(name)[0].because for name in ("address_mode_u", "address_mode_w")]
    assert first == ["wrap_s is CLAMP", "wrap_r is CLAMP"]


def test_so_it_does_where_the_shader_filters() -> None:
    (note,) = explained(st.Sampler(min_filter="linear"), "RGBA32F", ADRENO)
    assert "is made of one with min_img_filter LINEAR, min_mip_filter NONE, mag_img_filter LINEAR;" in note
    assert "left to the shader: filter texels." in note


@pytest.mark.parametrize(
    ("wrap", "screen", "how"),
    [
        ("repeat", ADRENO, {}),
        ("clamp", ADRENO, {"vulkan_dialect": "zink22"}),
        ("clamp", st.Screen.named("zink-lavapipe"), {}),
    ],
)
def test_where_it_is_made_of_the_record_there_is_no_such_note(wrap: str, screen: st.Screen, how: Any) -> None:
    notes = explained(st.Sampler(wrap=wrap, min_filter="linear"), "RGBA8", screen, **how)
    assert [note for note in notes if "Gallium driver" in note] == []


def test_a_rectangle_is_anisotropic_where_its_sampler_is() -> None:
    """Its lowering had what the state asks for, on devices without anisotropy too."""
    rectangle = st.Texture("rectangle", "RGBA8", size=(4, 4))
    seen = set()
    for row in newest_rows()[::40]:
        result = st.convert(st.Sampler(max_anisotropy=8.0), rectangle, st.Screen.from_vulkan(device_facts(row)))
        assert result.lowering.normalize
        assert result.lowering.anisotropic == result.vulkan.anisotropy_enable
        seen.add(result.lowering.anisotropic)
    assert seen == {False, True}
