"""Payload layouts, prologs, and what is written: the worked examples and the limits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.errors import ArgumentError
from statetracker.geometry import (
    VERTICES_IN,
    DispatchMode,
    check_input_components,
    fix_ups,
    instance_id,
    payload,
)
from statetracker.geometry.payload import HEADER_SLOTS, instances_per_thread


@pytest.mark.parametrize(
    ("vertices", "slots", "uniforms", "primitive_id", "dual_object", "interleaved"),
    [
        (3, 18, 0, False, 55, 28),
        (6, 18, 0, False, 109, 55),
        (4, 13, 3, True, 60, 32),
        (1, 5, 0, False, 7, 4),
        (6, 34, 0, False, 205, 103),
    ],
)
def test_the_worked_examples(
    vertices: int, slots: int, uniforms: int, primitive_id: bool, dual_object: int, interleaved: int
) -> None:
    for apr, registers in ((1, dual_object), (2, interleaved)):
        seen = payload(vertices, slots, apr=apr, uniforms=uniforms, primitive_id=primitive_id)
        assert seen.registers == registers
        assert seen.dispatch_grf_start_reg == 1 + primitive_id


@given(st.integers(1, 6), st.integers(2, 40), st.integers(0, 20), st.booleans(), st.sampled_from([1, 2]))
def test_attributes_fill_the_payload_without_overlap(v: int, slots: int, uniforms: int, pid: bool, apr: int) -> None:
    seen = payload(v, slots, apr=apr, uniforms=uniforms, primitive_id=pid)
    places = [seen.attribute(vertex, slot) for vertex in range(v) for slot in range(slots)]
    assert len(set(places)) == len(places)
    assert all(seen.inputs <= one.register < seen.registers for one in places)
    assert places[0].register == seen.inputs
    assert {one.vertical_stride for one in places} == ({4} if apr == 1 else {0})


def test_an_input_never_written_reads_the_header() -> None:
    assert payload(3, 4, apr=1).attribute(2, None) == (0, None, 4)
    assert payload(3, 4, apr=2).attribute(2, None) == (0, 0, 0)


def test_the_point_size_is_moved_in_every_vertex_with_every_channel_written() -> None:
    for apr, dwords in ((1, 8), (2, 4)):
        moves = fix_ups(payload(3, 4, apr=apr), point_size=True)
        assert [(one.write, one.swizzle, one.dwords, one.write_all) for one in moves] == [
            ("x", "wwww", dwords, True)
        ] * 3
        assert [one.at for one in moves] == [payload(3, 4, apr=apr).attribute(v, 0) for v in range(3)]
    assert fix_ups(payload(3, 4, apr=2), point_size=False) == ()


def test_a_write_to_the_primitive_id_is_forced_only_where_it_is_shared() -> None:
    for apr, forced in ((1, False), (2, True)):
        seen = payload(3, 4, apr=apr, primitive_id=True)
        (move,) = fix_ups(seen, point_size=False, primitive_id_base=True)
        assert move.at == seen.primitive_id_attribute()
        assert (move.at.register, move.write_all) == (1, forced)
    with pytest.raises(ArgumentError, match="gl_PrimitiveIDIn"):
        payload(3, 4, apr=1).primitive_id_attribute()


def test_64_input_components_are_accepted_and_65_are_an_error() -> None:
    check_input_components(64)
    with pytest.raises(ArgumentError, match="input components=65 cannot be used; accepted: up to 64"):
        check_input_components(65)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("vertices_in", 1, 6), ("in_slots", 0, 1 << 16), ("uniforms", 0, 1 << 16), ("apr", 1, 2)],
)
def test_counts_out_of_range_are_named(name: str, least: int, most: int) -> None:
    counts: dict[str, Any] = {"vertices_in": 1, "in_slots": 2, "uniforms": 0, "apr": 1}

    def made(value: Any) -> object:
        given = counts | {name: value}
        return payload(given["vertices_in"], given["in_slots"], apr=given["apr"], uniforms=given["uniforms"])

    for fine in (least, most):
        made(fine)
    for wrong in (least - 1, most + 1, True, float(least), "1"):
        with pytest.raises(ArgumentError, match=f"{name}="):
            made(wrong)


def test_attributes_that_are_not_there_are_errors() -> None:
    for vertex, slot in ((3, 0), (0, 4)):
        with pytest.raises(ArgumentError):
            payload(3, 4, apr=1).attribute(vertex, slot)


def test_primitives_have_their_vertices_and_a_header_of_two_slots() -> None:
    assert VERTICES_IN == {"points": 1, "lines": 2, "lines_adjacency": 4, "triangles": 3, "triangles_adjacency": 6}
    assert HEADER_SLOTS == 2
    assert [instances_per_thread(mode) for mode in DispatchMode] == [1, 2, 1]


def test_interleaved_attributes_are_halves_of_registers() -> None:
    seen = payload(3, 4, apr=2)
    assert [seen.attribute(0, slot) for slot in range(4)] == [(1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0)]
    assert payload(3, 4, apr=2, uniforms=0) == payload(3, 4, apr=2)


def test_fix_ups_name_what_they_move_and_are_made_where_they_are_asked_for() -> None:
    seen = payload(1, 4, apr=2, primitive_id=True)
    moves = fix_ups(seen, point_size=True, primitive_id_base=True)
    assert [(one.what, one.write, one.swizzle) for one in moves] == [
        ("gl_PointSize", "x", "wwww"), ("primitive_id", "x", "xxxx")
    ]  # fmt: skip
    assert fix_ups(seen, point_size=False) == ()
    assert fix_ups(payload(1, 4, apr=2), point_size=False, primitive_id_base=True) == ()
    assert instance_id((-1, 3 << 59 | 7 << 27, *[0] * 6)) == (31, 7)
    assert instance_id((3 << 59 | 7 << 27, -1, *[0] * 6)) == (7, 31)


def test_modes_have_the_values_of_the_hardware() -> None:
    assert [(mode.name, mode.value, mode.attributes_per_register) for mode in DispatchMode] == [
        ("SINGLE", 0, 2), ("DUAL_INSTANCE", 1, 2), ("DUAL_OBJECT", 2, 1)
    ]  # fmt: skip
