"""`statetracker.batch.rows`: samplers and records as rows, and back, bit for bit; what is only written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.batch import (
    CREATE_INFO,
    LOWERING,
    RECORD,
    SAMPLER,
    STATE,
    VALUES,
    gather,
    record_rows,
    sampler_rows,
    samplers_of,
    state_rows,
)
from statetracker.batch.rows import info_rows, lowering_rows, value_rows
from statetracker.caps.vulkan_formats import vulkan_formats
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import Sampler
from statetracker.gl.facts import TextureFacts
from statetracker.gl.sampler import FIELDS
from statetracker.pipe import Func, Lowering, LoweringValues, SamplerState
from statetracker.pipe.state import FIELD_NAMES


@given(some.lists(some.from_type(Sampler), max_size=3))
def test_samplers_come_back_as_they_were(samplers: list[Sampler]) -> None:
    back = samplers_of(sampler_rows(samplers))
    assert [one.content() for one in back] == [one.content() for one in samplers]


def test_rows_are_given_back_as_they_are_and_have_every_field() -> None:
    rows = sampler_rows([Sampler(wrap_s="clamp")])
    assert sampler_rows(rows) is rows
    assert set(SAMPLER.names or ()) == set(FIELDS)
    assert rows["wrap_s"].tolist() == [0x2900]


@given(some.lists(some.binary(min_size=36, max_size=36), max_size=3))
def test_records_become_columns_and_back(records: list[bytes]) -> None:
    cleared = [(int.from_bytes(one[:4], "little") & (1 << 27) - 1).to_bytes(4, "little") + one[4:] for one in records]
    rows = np.frombuffer(b"".join(cleared), RECORD)
    states = state_rows(rows)
    assert record_rows(states).tobytes() == rows.tobytes()
    for number, one in enumerate(cleared):
        fields = SamplerState.from_bytes(one).to_dict()
        assert states[number]["max_anisotropy"] == fields["max_anisotropy"]


def test_states_have_the_members_of_a_record() -> None:
    assert STATE.names == FIELD_NAMES


def test_what_bits_cannot_hold_is_refused() -> None:
    states = np.zeros(2, STATE)
    states["max_anisotropy"][1] = 32
    with pytest.raises(ArgumentError, match=r"max_anisotropy=32 .*0 to 31"):
        record_rows(states)


def test_other_arrays_and_values_that_gl_refuses_are_no_samplers() -> None:
    with pytest.raises(ArgumentError, match="SAMPLER"):
        sampler_rows(np.zeros(3))
    with pytest.raises(UnknownName, match="wrap_s"):
        samplers_of(np.zeros(1, SAMPLER))


def test_gathering_is_indexing() -> None:
    rows = sampler_rows([Sampler(), Sampler(lod_bias=1.0), Sampler(wrap="clamp")])
    index = np.array([[2, 0], [1, 1]])
    assert (gather(rows, index) == rows[index]).all()
    assert gather(rows[::2], [1])["wrap_s"].tolist() == [0x2900]
    assert (gather(rows, [False, True, True]) == rows[1:]).all()
    assert gather(rows, []).shape == (0,)


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
