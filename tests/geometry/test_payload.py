"""Payload layouts, prologs, output and scratch: the worked examples, every size at its border, what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.errors import ArgumentError, UnknownName
from statetracker.geometry import (
    OUTPUTS,
    REGISTERS,
    VERTICES_IN,
    DispatchMode,
    check_input_components,
    cut_bits,
    fix_ups,
    instance_id,
    payload,
    scratch_bytes,
    scratch_encoding,
    urb_sizes,
)
from statetracker.geometry.payload import MAX_OUTPUT_BYTES, MAX_VERTEX_BYTES, instances_per_thread


@pytest.mark.parametrize(
    ("vertices", "slots", "uniforms", "primitive_id", "dual_object", "interleaved"),
    [
        (3, 18, 0, False, 55, 28), (6, 18, 0, False, 109, 55), (4, 13, 3, True, 60, 32), (1, 5, 0, False, 7, 4),
        (6, 34, 0, False, 205, 103),
    ],
)  # fmt: skip
def test_the_worked_examples(
    vertices: int, slots: int, uniforms: int, primitive_id: bool, dual_object: int, interleaved: int
) -> None:
    for apr, registers in ((1, dual_object), (2, interleaved)):
        seen = payload(vertices, slots, apr=apr, uniforms=uniforms, primitive_id=primitive_id)
        assert (seen.registers, seen.dispatch_grf_start_reg) == (registers, 1 + primitive_id)


@given(st.integers(1, 6), st.integers(2, 40), st.integers(0, 20), st.booleans(), st.sampled_from([1, 2]))
def test_attributes_fill_the_payload_without_overlap(v: int, slots: int, uniforms: int, pid: bool, apr: int) -> None:
    seen = payload(v, slots, apr=apr, uniforms=uniforms, primitive_id=pid)
    places = [seen.attribute(vertex, slot) for vertex in range(v) for slot in range(slots)]
    assert len(set(places)) == len(places)
    assert all(seen.inputs <= one.register < seen.registers for one in places)
    halves = [(seen.inputs, None, 4)] if apr == 1 else [(seen.inputs, 0, 0), (seen.inputs, 1, 0)]
    assert places[: len(halves)] == halves
    assert seen.attribute(v - 1, None) == (0, *halves[0][1:])  # never written: the header


@pytest.mark.parametrize(("apr", "dwords"), [(1, 8), (2, 4)])
def test_fix_ups_write_every_channel_that_both_halves_share(apr: int, dwords: int) -> None:
    seen = payload(3, 4, apr=apr, primitive_id=True)
    *sizes, number = fix_ups(seen, point_size=True, primitive_id_base=True)
    assert sizes == [("gl_PointSize", seen.attribute(v, 0), "x", "wwww", dwords, True) for v in range(3)]
    assert number == ("primitive_id", seen.primitive_id_attribute(), "x", "xxxx", dwords, apr == 2)
    assert number.at.register == 1
    assert fix_ups(seen, point_size=False) == ()
    without = payload(3, 4, apr=apr)
    assert fix_ups(without, point_size=False, primitive_id_base=True) == ()
    with pytest.raises(ArgumentError, match="gl_PrimitiveIDIn"):
        without.primitive_id_attribute()


def test_instance_ids_are_the_five_highest_bits_of_two_dwords() -> None:
    assert instance_id((-1, 3 << 59 | 7 << 27, *[0] * 6)) == (31, 7)
    assert instance_id((3 << 59 | 7 << 27, -1, *[0] * 6)) == (7, 31)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("vertices_in", 1, 6), ("in_slots", 0, 1 << 16), ("uniforms", 0, 1 << 16), ("apr", 1, 2)],
)
def test_counts_out_of_range_are_named(name: str, least: int, most: int) -> None:
    def made(value: Any) -> object:
        counts = {"vertices_in": 1, "in_slots": 2, "uniforms": 0, "apr": 1} | {name: value}
        return payload(counts.pop("vertices_in"), counts.pop("in_slots"), **counts)

    for fine in (least, most):
        made(fine)
    for wrong in (least - 1, most + 1, True, float(least), "1"):
        with pytest.raises(ArgumentError, match=f"{name}="):
            made(wrong)


@pytest.mark.parametrize(("vertex", "slot"), [(3, 0), (-1, 0), (0, 4), (0, -1)])
def test_attributes_that_are_not_there_are_errors(vertex: int, slot: int) -> None:
    with pytest.raises(ArgumentError):
        payload(3, 4, apr=1).attribute(vertex, slot)


def test_tables_and_modes_have_the_values_of_the_hardware() -> None:
    assert VERTICES_IN == {"points": 1, "lines": 2, "lines_adjacency": 4, "triangles": 3, "triangles_adjacency": 6}
    assert OUTPUTS == {"points": (1, "SID"), "line_strip": (3, "CUT"), "triangle_strip": (5, "CUT")}
    assert (MAX_VERTEX_BYTES, MAX_OUTPUT_BYTES, REGISTERS) == (992, 32768, {6: 128, 7: 112})
    seen = [(mode.name, mode.value, mode.attributes_per_register, instances_per_thread(mode)) for mode in DispatchMode]
    assert seen == [("SINGLE", 0, 2, 1), ("DUAL_INSTANCE", 1, 2, 2), ("DUAL_OBJECT", 2, 1, 1)]


def test_64_input_components_are_accepted_and_65_are_an_error() -> None:
    check_input_components(64)
    with pytest.raises(ArgumentError, match="input components=65 cannot be used; accepted: up to 64"):
        check_input_components(65)


@pytest.mark.parametrize(
    ("vertices", "slots", "end", "sizes"),
    [
        (1, 0, False, (0, 0, "CUT", 0, True, 0)), (1, 1, False, (1, 0, "CUT", 32, True, 1)),
        (1, 2, False, (1, 0, "CUT", 32, True, 1)), (1, 3, False, (2, 0, "CUT", 64, True, 1)),
        (0, 4, True, (2, 0, "CUT", 0, True, 0)), (256, 2, True, (1, 1, "CUT", 8224, True, 129)),
        (257, 2, True, (1, 2, "CUT", 8288, True, 130)), (257, 2, False, (1, 0, "CUT", 8224, True, 129)),
        (1023, 2, True, (1, 4, "CUT", 32864, False, 514)), (1020, 2, True, (1, 4, "CUT", 32768, True, 512)),
        (1024, 2, False, (1, 0, "CUT", 32768, True, 512)), (1025, 2, False, (1, 0, "CUT", 32800, False, 513)),
        (1, 62, False, (31, 0, "CUT", 992, True, 16)), (1, 63, False, (32, 0, "CUT", 1024, False, 16)),
    ],
)  # fmt: skip
def test_sizes_of_strips(vertices: int, slots: int, end: bool, sizes: tuple[Any, ...]) -> None:
    for strip in ("triangle_strip", "line_strip"):
        assert urb_sizes(strip, vertices, slots, uses_end_primitive=end) == sizes


def test_streams_of_points_need_no_bits_and_generation_8_32_bytes_more() -> None:
    assert urb_sizes("points", 300, 2, uses_end_primitive=True) == (1, 0, "SID", 9600, True, 150)
    assert urb_sizes("points", 300, 2) == urb_sizes("points", 300, 2, gen=7)
    assert urb_sizes("line_strip", 300, 2).control_data_header_size_hwords == 0
    assert urb_sizes("points", 1023, 2, gen=8)[3:] == (32768, True, 512)
    assert urb_sizes("points", 1024, 2, gen=8)[3:] == (32800, False, 513)
    assert urb_sizes("points", 1, 5).output_vertex_size_field == 5


@pytest.mark.parametrize("value", [-1, True, 1.0, "3", None])
def test_counts_that_are_none_are_named(value: Any) -> None:
    for counts, error, name in (
        (("points", value, 1), ArgumentError, "max_vertices="), (("points", 1, value), ArgumentError, "out_slots="),
        ((value, 1, 1), UnknownName, "output_type"), ((["points"], 1, 1), UnknownName, "output_type"),
    ):  # fmt: skip
        with pytest.raises(error, match=name):
            urb_sizes(*counts)


@pytest.mark.parametrize(
    ("slots", "size"), [(0, 0), (1, 1024), (32, 1024), (33, 2048), (64, 2048), (65, 4096), (4096, 131072)]
)
def test_scratch_holds_its_slots(slots: int, size: int) -> None:
    assert scratch_bytes(slots) == size
    assert not size or 1024 << scratch_encoding(size) == size


@pytest.mark.parametrize(
    ("events", "most", "written"),
    [
        (["emit", "end"] * 32, 32, (32, [0xFFFFFFFF])), (["emit", "end"] * 33, 32, (32, [0xFFFFFFFF])),
        (["emit", "end"] * 32, 33, (32, [0xFFFFFFFF])), (["emit", "end"] * 33, 33, (33, [0xFFFFFFFF, 1])),
        ([*["emit"] * 33, "end"], 64, (33, [0, 1])), ([*["emit"] * 65, "end"], 65, (65, [0, 0, 1])),
        (["emit", "emit"], 4, (2, [0])), (["emit", "emit", "end", "emit", "end"], 3, (3, [0b110])),
        (["end", *["emit"] * 5], 3, (3, [0])), ([], 5, (0, [])), (["end", "end"], 5, (0, [])), (["emit"], 0, (0, [])),
    ],
)  # fmt: skip
def test_cuts_are_a_word_for_every_32_vertices(events: list[str], most: int, written: tuple[int, list[int]]) -> None:
    assert cut_bits(events, most) == written
