"""What a spill costs and frees, which register goes, and what stands in its place."""

from __future__ import annotations

from collections.abc import Sequence

from statetracker.geometry import Program, insert_spill, neighbours
from statetracker.geometry.allocator.liveness import live_intervals
from statetracker.geometry.allocator.spilling import Victims, rounded, spill_costs


def choose_victim(
    program: Program, graph: Sequence[int], candidates: Sequence[int], payload: int, count: int
) -> int | None:
    return Victims(program, payload, count).take(program.vgrf_sizes, graph, candidates)


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


def test_the_victim_frees_most_for_its_cost_and_is_the_first_of_equals() -> None:
    lines: list[object] = [["mov", f"{n}.x", []] for n in range(4)]
    lines += [["mov_mrf", 0, [f"{n}.xxxx"]] for n in (1, 0, 2, 3, 2, 2)]
    program = Program.parse([1] * 4, lines)
    graph = neighbours(live_intervals(program))
    assert spill_costs(program) == [2.0, 2.0, 4.0, 2.0]
    assert choose_victim(program, graph, [0, 1, 2, 3], 0, 8) == 0
    assert choose_victim(program, graph, [3, 1, 0], 0, 8) == 3
    assert choose_victim(program, graph, [2], 0, 8) == 2
    assert choose_victim(program, graph, [], 0, 8) is None
    wide = Program.parse([2, 1, 1, 1], lines)
    assert choose_victim(wide, neighbours(live_intervals(wide)), [0], 0, 8) is None
    far = Program.parse(
        [1, 1, 1],
        [
            ["mov", "0.x", []],
            ["mov", "1.x", []],
            ["mov_mrf", 0, ["1.xxxx"]],
            ["mov", "2.x", []],
            ["mov_mrf", 0, ["2.xxxx"]],
            ["mov_mrf", 0, ["0.xxxx"]],
        ],
    )
    around = neighbours(live_intervals(far))
    assert choose_victim(far, around, [1, 2, 0], 0, 8) == 0
    assert choose_victim(far, around, [1, 2, 0], 5, 8) == 0
    once = Program.parse([1, 1], [["mov", "0.x", []], ["mov", "1.x", []], ["mov_mrf", 0, ["0.xxxx"]]])
    assert choose_victim(once, neighbours(live_intervals(once)), [1], 0, 8) == 1


def test_a_neighbour_that_is_a_pair_counts_twice_beside_one_of_as_many_neighbours() -> None:
    program = Program.parse([1, 1, 1, 2], [["mov", f"{n}.xyzw", []] for n in range(4)])
    graph = [0b0010, 0b0001, 0b1000, 0b0100]
    assert Victims(program, 0, 4).take(program.vgrf_sizes, graph, [0, 1, 2]) == 2
