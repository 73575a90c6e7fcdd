"""`statetracker.pipe.state`: named fields over 36 bytes."""

from __future__ import annotations

import copy
import json
import pickle
from math import inf, isnan, nan
from struct import pack
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError
from statetracker.pipe import RECORD_BYTES, WORD0, SamplerState, TexWrap
from statetracker.pipe.layout import TAIL
from statetracker.pipe.state import FIELD_NAMES, trace_float

RECORDS = some.binary(min_size=RECORD_BYTES, max_size=RECORD_BYTES)

# fmt: off
LEGAL = some.fixed_dictionaries({}, optional={
    **{field.name: some.sampled_from(list(field.enum)) if field.enum else some.integers(0, (1 << field.bits) - 1)
       for field in WORD0},
    "lod_bias":            some.floats(width=32),
    "min_lod":             some.floats(width=32),
    "max_lod":             some.floats(width=32),
    "border_color":        some.tuples(*[some.integers(0, 0xFFFFFFFF)] * 4),
    "border_color_format": some.sampled_from(["NONE", "R8G8B8A8_SRGB", "X24S8_UINT"]),
})
# fmt: on


@given(RECORDS)
def test_bytes_are_kept_as_they_are(record: bytes) -> None:
    """In bytes, in hex, in copies and pickles."""
    state = SamplerState.from_bytes(record)
    assert bytes(state) == record
    assert SamplerState.from_hex(state.hex()) == state
    assert copy.copy(state) == copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state  # noqa: S301 (our own)


@given(RECORDS)
def test_any_bytes_can_be_looked_at(record: bytes) -> None:
    """A number without a name is shown as a number; the dict is ready for JSON."""
    state = SamplerState.from_bytes(record)
    assert repr(state).startswith("SamplerState(wrap_s=")
    assert list(json.loads(json.dumps(state.to_dict()))) == list(FIELD_NAMES)
    assert len(state.to_trace()) == len(FIELD_NAMES) - 2


@given(LEGAL)
def test_fields_given_are_the_fields_read(fields: dict[str, Any]) -> None:
    """And the others are 0."""
    state, zero = SamplerState(**fields), SamplerState()
    for name in FIELD_NAMES:
        expected = fields[name] if name in fields else getattr(zero, name)
        seen = getattr(state, name)
        assert seen == expected or (isnan(seen) and isnan(expected))


@given(RECORDS, LEGAL)
def test_replacing_leaves_the_other_fields_bit_for_bit(record: bytes, fields: dict[str, Any]) -> None:
    """Putting the old bits back restores the record, padding too."""
    state = SamplerState.from_bytes(record)
    changed = state.replace(**fields)
    before, after = bytes(state), bytes(changed)
    untouched = 0xFFFFFFFF
    for field in WORD0:
        if field.name in fields:
            untouched &= ~(((1 << field.bits) - 1) << field.first)
    words = [int.from_bytes(part[:4], "little") & untouched for part in (before, after)]
    assert words[0] == words[1]
    for tail in (tail for tail in TAIL if tail.name not in fields):
        place = slice(tail.offset, tail.offset + 4 * tail.words)
        assert before[place] == after[place]


@pytest.mark.parametrize("value", [TexWrap.CLAMP_TO_EDGE, 2, "CLAMP_TO_EDGE", "clamp-to-edge"])
def test_enum_fields_take_members_numbers_and_names(value: int | str) -> None:
    assert SamplerState(wrap_r=value).wrap_r is TexWrap.CLAMP_TO_EDGE


def test_equality_is_by_bits() -> None:
    """-0.0 is another state than 0.0, and NaN equals itself."""
    assert SamplerState(max_lod=-0.0) != SamplerState(max_lod=0.0)
    assert SamplerState(max_lod=nan) == SamplerState(max_lod=nan)
    assert hash(SamplerState(max_lod=nan)) == hash(SamplerState(max_lod=nan))
    assert SamplerState() != bytes(36)


def test_border_colour_has_three_views_of_the_same_bits() -> None:
    """Words, floats, signed integers; NaN payloads stay."""
    state = SamplerState(border_color=(0x3F800000, 0xFFFFFFFB, 0x7FC00001, 3))
    assert state.border_color == (0x3F800000, 0xFFFFFFFB, 0x7FC00001, 3)
    assert state.border_color_i == (0x3F800000, -5, 0x7FC00001, 3)
    assert (state.border_color_f[0], isnan(state.border_color_f[2])) == (1.0, True)


def test_border_colour_takes_words_signed_integers_and_floats() -> None:
    """An int is a word, a float is rounded to float32."""
    assert SamplerState(border_color=(3, -5, 7, 0xFFFFFFFF)).border_color_i == (3, -5, 7, -1)
    assert SamplerState(border_color=[0.1, 0.25, -0.0, 1.0]).border_color == (
        0x3DCCCCCD,
        0x3E800000,
        1 << 31,
        0x3F800000,
    )


def test_state_never_changes() -> None:
    """The error says how to make another one."""
    with pytest.raises(AttributeError) as caught:
        SamplerState().wrap_s = TexWrap.CLAMP
    assert str(caught.value) == "a SamplerState never changes; use state.replace(wrap_s=...)"


def test_unknown_field_is_named_with_the_known_ones() -> None:
    with pytest.raises(AttributeError, match=r"no field 'wrap_q'; fields: wrap_s, wrap_t"):
        SamplerState().wrap_q  # noqa: B018 (reading is the test)
    with pytest.raises(ArgumentError, match="field='wrap_q' cannot be used; accepted: wrap_s, wrap_t"):
        SamplerState(wrap_q=1)  # type: ignore[call-arg]


# fmt: off
BAD: Final = [
    ("wrap_s", 8),          ("wrap_s", -1),            ("wrap_s", "clamp-to-nothing"), ("wrap_s", 1.0),
    ("min_mip_filter", 3),  ("reduction_mode", 3),     ("max_anisotropy", 32),         ("max_anisotropy", "16"),
    ("seamless_cube_map", 2), ("lod_bias", "0"),       ("lod_bias", 1e39),             ("min_lod", None),
    ("border_color", (1, 2, 3)), ("border_color", 5),  ("border_color", ("a", 0, 0, 0)),
    ("border_color", (1 << 32, 0, 0, 0)),              ("border_color", (1e39, 0.0, 0.0, 0.0)),
    ("border_color_format", 1.5),                      ("border_color_format", []),
]
# fmt: on


@pytest.mark.parametrize(("name", "value"), BAD)
def test_value_that_does_not_fit_is_refused_by_name(name: str, value: object) -> None:
    """With field and value as attributes."""
    named: dict[str, Any] = {name: value}
    with pytest.raises(ArgumentError) as caught:
        SamplerState(**named)
    assert (caught.value.field, caught.value.value) in ((name, value), (name, 1 << 32), (name, "a"), (name, 1e39))
    assert caught.value.accepted


@pytest.mark.parametrize("size", [0, 32, 35, 37])
def test_record_of_another_size_is_refused(size: int) -> None:
    """36 bytes, no more and no less."""
    with pytest.raises(ArgumentError, match=f"record='{size} bytes' cannot be used; accepted: 36 bytes"):
        SamplerState.from_bytes(bytes(size))


@pytest.mark.parametrize("text", ["", "zz", "00" * 35, "0" * 71])
def test_hex_that_is_no_record_is_refused(text: str) -> None:
    """72 digits, no more and no less."""
    with pytest.raises(ArgumentError):
        SamplerState.from_hex(text)


def test_numbers_without_a_name_are_given_as_they_are() -> None:
    """A record can come from anywhere."""
    state = SamplerState.from_bytes(b"\xff" * 36)
    assert (state.min_mip_filter, state.reduction_mode, state.border_color_format) == (3, 3, "4294967295")
    assert state.wrap_s is TexWrap.MIRROR_CLAMP_TO_BORDER


def test_repr_shows_wraps_and_what_is_not_zero() -> None:
    state = SamplerState(wrap_s=2, min_mip_filter="none", max_lod=1000.0)
    assert repr(state) == (
        "SamplerState(wrap_s='CLAMP_TO_EDGE', wrap_t='REPEAT', wrap_r='REPEAT', min_mip_filter='NONE', max_lod=1000.0)"
    )


# fmt: off
PRINTED: Final = [
    (0x00000000, "0"),       (0x80000000, "-0"),          (0x7FC00000, "nan"),         (0xFFC00000, "-nan"),
    (0x7FC12345, "nan"),     (0xFFFFFFFB, "-nan"),        (0x7F800000, "inf"),         (0xFF800000, "-inf"),
    (0x3F9E0000, "1.23438"), (0x3DD00000, "0.101562"),    (0x00000001, "1.4013e-45"),  (0x00000003, "4.2039e-45"),
    (0x0000000B, "1.54143e-44"), (0x447A0000, "1000"),    (0x4B800000, "1.67772e+07"), (0xC1800000, "-16"),
]
# fmt: on


@pytest.mark.parametrize(("bits", "text"), PRINTED)
def test_trace_prints_floats_as_c_does(bits: int, text: str) -> None:
    """Six digits, the sign of zero and of NaN."""
    assert trace_float(pack("<I", bits)) == text


def test_trace_leaves_out_two_members_and_keeps_mesas_order() -> None:
    """border_color_is_integer and reduction_mode are invisible there."""
    printed = SamplerState(wrap_t=3, border_color_is_integer=1, reduction_mode=2, border_color=(3, 0, 0, -5)).to_trace()
    names = [name.removesuffix(".f") for name in printed]
    assert names == [name for name in FIELD_NAMES if name not in ("border_color_is_integer", "reduction_mode")]
    assert printed["border_color.f"] == ["4.2039e-45", "0", "0", "-nan"]
    assert (printed["wrap_t"], printed["border_color_format"]) == (3, "PIPE_FORMAT_NONE")


def test_trace_prints_flags_as_flags_and_lods_as_text() -> None:
    printed = SamplerState(unnormalized_coords=1, max_lod=-0.0, min_lod=inf, max_anisotropy=16).to_trace()
    assert printed["unnormalized_coords"] is True
    assert (printed["max_lod"], printed["min_lod"], printed["max_anisotropy"]) == ("-0", "inf", 16)
