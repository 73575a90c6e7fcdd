"""`statetracker.batch.columns`: rows have what the objects have."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.batch import CREATE_INFO, LOWERING, VALUES
from statetracker.batch.columns import info_rows, lowering_rows, value_rows
from statetracker.caps.vulkan_names import vulkan_formats
from statetracker.gl.facts import TextureFacts
from statetracker.pipe import Func, Lowering, LoweringValues

DEVICES = [st.Screen.device("Adreno (TM) 640"), st.Screen.named("zink-lavapipe"), st.Screen.named("webgpu")]


@given(some.from_type(st.Sampler), some.from_type(TextureFacts), some.sampled_from(DEVICES))
def test_a_row_is_the_create_info(sampler: st.Sampler, facts: TextureFacts, screen: st.Screen) -> None:
    info = st.convert(sampler, facts, screen).vulkan
    (row,) = info_rows([info])
    assert row["addressModeU"] == info.address_mode_u
    assert [row["minLod"], row["maxLod"], row["mipLodBias"]] == [info.min_lod, info.max_lod, info.mip_lod_bias]
    custom, mapping = info.custom_border_color, info.component_mapping
    assert bool(row["custom"]) == (custom is not None)
    if custom is not None:
        assert (tuple(row["customBorderColor"]), row["format"]) == custom
    assert (row["components"], bool(row["srgb"])) == (mapping or ("", False))
    assert row["reductionMode"] == (-1 if info.reduction_mode is None else info.reduction_mode)


@given(some.from_type(st.Sampler), some.from_type(TextureFacts), some.sampled_from(DEVICES))
def test_a_row_is_the_lowering(sampler: st.Sampler, facts: TextureFacts, screen: st.Screen) -> None:
    lowering = st.convert(sampler, facts, screen).lowering
    values: list[Any] = lowering_rows([lowering])[0].tolist()
    at = LOWERING.names.index("compare_func") if LOWERING.names else 0
    func = None if values[at] < 0 else Func(values[at])
    assert Lowering._make([*values[:at], func, *values[at + 1 :]]) == lowering


def test_every_text_fits_its_column() -> None:
    longest = max(map(len, vulkan_formats()))
    assert CREATE_INFO["format"].itemsize // 4 >= longest
    assert LOWERING["route"].itemsize // 4 >= len("predefined")


def test_numbers_are_those_of_the_uniform_block() -> None:
    values = LoweringValues((1, 2, 3, 4), (0.0, 0.5, 1.0), 1.5, -2.0, 0.25, float("inf"))
    row = value_rows([values])
    assert row.dtype == VALUES
    assert row.tobytes() == values.to_bytes()
