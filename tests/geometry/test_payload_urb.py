"""The hardware's fields for outputs and scratch: the tables, and every size at its border."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.geometry import cut_bits, scratch_bytes, scratch_encoding, urb_sizes
from statetracker.geometry.payload import MAX_OUTPUT_BYTES, MAX_VERTEX_BYTES, OUTPUTS


def test_the_tables_are_those_of_the_hardware() -> None:
    assert OUTPUTS == {"points": (1, "SID"), "line_strip": (3, "CUT"), "triangle_strip": (5, "CUT")}
    assert (MAX_VERTEX_BYTES, MAX_OUTPUT_BYTES) == (992, 32768)


@pytest.mark.parametrize(
    ("vertices", "slots", "end", "sizes"),
    [
        (1, 0, False, (0, 0, "CUT", 0, True, 0)),
        (1, 1, False, (1, 0, "CUT", 32, True, 1)),
        (1, 2, False, (1, 0, "CUT", 32, True, 1)),
        (1, 3, False, (2, 0, "CUT", 64, True, 1)),
        (0, 4, True, (2, 0, "CUT", 0, True, 0)),
        (256, 2, True, (1, 1, "CUT", 8224, True, 129)),
        (257, 2, True, (1, 2, "CUT", 8288, True, 130)),
        (257, 2, False, (1, 0, "CUT", 8224, True, 129)),
        (1023, 2, True, (1, 4, "CUT", 32864, False, 514)),
        (1020, 2, True, (1, 4, "CUT", 32768, True, 512)),
        (1024, 2, False, (1, 0, "CUT", 32768, True, 512)),
        (1025, 2, False, (1, 0, "CUT", 32800, False, 513)),
        (1, 62, False, (31, 0, "CUT", 992, True, 16)),
        (1, 63, False, (32, 0, "CUT", 1024, False, 16)),
    ],
)
def test_sizes_of_strips(vertices: int, slots: int, end: bool, sizes: tuple[Any, ...]) -> None:
    assert urb_sizes("triangle_strip", vertices, slots, uses_end_primitive=end) == sizes
    assert urb_sizes("line_strip", vertices, slots, uses_end_primitive=end) == sizes


def test_streams_of_points_need_no_bits_and_generation_8_32_bytes_more() -> None:
    assert urb_sizes("points", 300, 2, uses_end_primitive=True) == (1, 0, "SID", 9600, True, 150)
    assert urb_sizes("points", 300, 2) == urb_sizes("points", 300, 2, gen=7)
    assert urb_sizes("line_strip", 300, 2) == urb_sizes("line_strip", 300, 2, uses_end_primitive=False)
    assert urb_sizes("points", 1023, 2, gen=8)[3:] == (32768, True, 512)
    assert urb_sizes("points", 1024, 2, gen=8)[3:] == (32800, False, 513)
    assert urb_sizes("points", 1, 5).output_vertex_size_field == 5


@pytest.mark.parametrize("value", [-1, True, 1.0, "3", None])
def test_counts_that_are_none_are_named(value: Any) -> None:
    with pytest.raises(ArgumentError, match="max_vertices="):
        urb_sizes("points", value, 1)
    with pytest.raises(ArgumentError, match="out_slots="):
        urb_sizes("points", 1, value)
    for name in (value, ["points"]):
        with pytest.raises(UnknownName, match="output_type"):
            urb_sizes(name, 1, 1)  # type: ignore[arg-type]  # what is no name is refused


@pytest.mark.parametrize(
    ("slots", "size"), [(0, 0), (1, 1024), (32, 1024), (33, 2048), (64, 2048), (65, 4096), (4096, 131072)]
)
def test_scratch_holds_its_slots(slots: int, size: int) -> None:
    assert scratch_bytes(slots) == size
    assert not size or 1024 << scratch_encoding(size) == size


def test_cuts_of_up_to_32_vertices_are_one_word_and_of_33_two() -> None:
    every = ["emit", "end"]
    assert cut_bits(every * 32, 32) == (32, [0xFFFFFFFF])
    assert cut_bits(every * 33, 32) == (32, [0xFFFFFFFF])
    assert cut_bits(every * 32, 33) == (32, [0xFFFFFFFF])
    assert cut_bits(every * 33, 33) == (33, [0xFFFFFFFF, 1])
    assert cut_bits([*["emit"] * 33, "end"], 64) == (33, [0, 1])
    assert cut_bits([*["emit"] * 65, "end"], 65) == (65, [0, 0, 1])
    assert cut_bits(["emit", "emit"], 4) == (2, [0])
    assert cut_bits(["emit", "emit", "end", "emit", "end"], 3) == (3, [0b110])
    assert cut_bits(["end", *["emit"] * 5], 3) == (3, [0])


def test_a_shader_that_emits_nothing_writes_nothing() -> None:
    assert cut_bits([], 5) == (0, [])
    assert cut_bits(["end", "end"], 5) == (0, [])
    assert cut_bits(["emit"], 0) == (0, [])
