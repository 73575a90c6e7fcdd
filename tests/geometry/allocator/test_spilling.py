"""What a spill costs and frees, which register goes, and what stands in its place."""

from __future__ import annotations

from statetracker.geometry import Program, insert_spill
from statetracker.geometry.allocator.spilling import Victims, rounded, spill_costs


def test_what_single_precision_cannot_hold_is_infinite() -> None:
    assert rounded(1e39) == float("inf")
    assert rounded(0.1) == 0.10000000149011612


def test_reads_and_writes_cost_ten_times_as_much_in_each_loop() -> None:
    loops: list[object] = [
        ["mov", "0.x", ["1.xxxx"]], ["do", 0, []], ["add", "0.x", ["0.xxxx", "1.xxxx"]], ["do", 0, []],
        ["mov", "2.x", ["1.xxxx"]], ["break", 0, []], ["while", 0, []], ["mov_mrf", 0, ["2.xxxx"]], ["break", 0, []],
        ["while", 0, []], ["mov_mrf", 0, ["2.xxxx"]],
    ]  # fmt: skip
    assert spill_costs(Program.parse([1, 1, 1, 1], loops)) == [21.0, 111.0, 111.0, 0.0]
    assert spill_costs(Program.parse([1, 2, 1, 1], loops)) == [21.0, 0.0, 111.0, 0.0]
    assert spill_costs(Program.parse([1, 1, 1, 1], loops, [0, 4, 7])) == [0.0, 111.0, 111.0, 0.0]


def test_a_spill_reads_before_each_use_and_stores_after_each_write() -> None:
    lines: list[object] = [
        ["mov", "0.xz", []], ["mov", "1.x", [], 1], ["mad", "0.y", ["0.xxzz", "1.xxxx", "0.zzzz"], 1],
        ["mov_mrf", 0, ["0.xyzw"]],
    ]  # fmt: skip
    program = Program.parse([1, 1], lines)
    after = insert_spill(program, 0, 6)
    assert after.vgrf_sizes == (1,) * 7
    assert [one.to_list() for one in after.instructions] == [
        ["mov", "2.xz", []],
        ["scratch_write", 0, ["2.xxzx"]],
        ["mov", "1.x", [], 1],
        ["scratch_read", "3.xz", []],
        ["scratch_read", "4.z", []],
        ["mad", "5.y", ["3.xxzz", "1.xxxx", "4.zzzz"], 1],
        ["scratch_write", 0, ["5.yyyy"], 1],
        ["scratch_read", "6.xyzw", []],
        ["mov_mrf", 0, ["6.xyzw"]],
    ]
    assert [one.slot for one in after.instructions] == [-1, 6, -1, 6, 6, -1, 6, 6, -1]
    assert [one.origin for one in after.instructions] == [0, 0, 1, 2, 2, 2, 2, 3, 3]
    again = insert_spill(after, 1, 7)
    assert [one.origin for one in again.instructions if one.slot == 7] == [1, 2]
    assert [one.origin for one in again.instructions if one.op == "mad"] == [2]
    assert spill_costs(after) == [0.0, 2.0, *[0.0] * 5]


def test_a_neighbour_that_is_a_pair_counts_twice_beside_one_of_as_many_neighbours() -> None:
    program = Program.parse([1, 1, 1, 2], [["mov", f"{n}.xyzw", []] for n in range(4)])
    graph = [0b0010, 0b0001, 0b1000, 0b0100]
    assert Victims(program, 0, 4).take(program.vgrf_sizes, graph, [0, 1, 2]) == 2
