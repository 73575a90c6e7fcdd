"""`st.convert`: what it is given, checked before anything else."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.caps.devices import device_facts
from statetracker.errors import ArgumentError
from statetracker.gl import TextureFacts
from tools.proofs.vulkan_sweep.sweep import newest_rows

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
    """With what would be accepted."""
    given: dict[str, Any] = {"sampler": st.Sampler(), "texture": st.Texture(size=(4, 4)), "screen": LLVMPIPE}
    with pytest.raises(ArgumentError) as caught:
        st.convert(**given | {field: value})
    assert caught.value.field == field
    assert caught.value.accepted


def test_facts_alone_need_a_sampler() -> None:
    """A texture has its own."""
    with pytest.raises(ArgumentError, match="sampler=None"):
        st.convert(None, st.Texture().facts(), LLVMPIPE)


def test_unit_bias_beyond_every_float_is_the_largest() -> None:
    """As one beyond float32 is."""
    texture = st.Texture(size=(4, 4))
    great, large = (st.convert(None, texture, LLVMPIPE, unit_lod_bias=bias) for bias in (10**400, 1e300))
    assert bytes(great) == bytes(large)


def test_facts_with_a_list_are_refused() -> None:
    """They are a key."""
    values = st.Texture().facts().to_dict()
    with pytest.raises(ArgumentError, match="facts"):
        TextureFacts.of(**values | {"swizzle": [0, 1, 2, 3]})


def test_a_rectangle_is_anisotropic_where_its_sampler_is() -> None:
    """Its lowering had what the state asks for, on devices without anisotropy too."""
    rectangle = st.Texture("rectangle", "RGBA8", size=(4, 4))
    found = set()
    for row in newest_rows()[::40]:
        result = st.convert(st.Sampler(max_anisotropy=8.0), rectangle, st.Screen.from_vulkan(device_facts(row)))
        assert result.lowering.normalize
        assert result.lowering.anisotropic == result.vulkan.anisotropy_enable
        found.add(result.lowering.anisotropic)
    assert found == {False, True}
