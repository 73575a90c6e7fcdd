"""`statetracker.batch.rows`: samplers and records as rows, and back, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.batch import RECORD, SAMPLER, STATE, gather, record_rows, sampler_rows, samplers_of, state_rows
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import Sampler
from statetracker.gl.sampler import FIELDS
from statetracker.pipe import SamplerState
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
