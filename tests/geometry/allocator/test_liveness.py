"""Blocks and intervals of small programs, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from statetracker.geometry import Program, live_intervals
from statetracker.geometry.allocator.liveness import NEVER, blocks


def program(*lines: Any, sizes: tuple[int, ...] = (1,) * 4) -> Program:
    return Program.parse(sizes, [list(line) for line in lines])


def edges(of: Program) -> list[tuple[int, int, list[int]]]:
    return [(block.start, block.end, sorted(block.next)) for block in blocks(of.instructions)]


NOP: Any = ("nop", 0, [])
IF: Any = ("if", 0, [])
ELSE: Any = ("else", 0, [])
ENDIF: Any = ("endif", 0, [])
DO: Any = ("do", 0, [])
WHILE: Any = ("while", 0, [])
BREAK: Any = ("break", 0, [])
CONTINUE: Any = ("continue", 0, [])
MAYBE_BREAK: Any = ("break", 0, [], 1)
MAYBE_CONTINUE: Any = ("continue", 0, [], 1)


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        ([], [(0, -1, [])]),
        ([NOP, NOP], [(0, 1, [])]),
        ([IF, NOP, ENDIF, NOP], [(0, 0, [1, 2]), (1, 1, [2]), (2, 3, [])]),
        ([IF, ENDIF], [(0, 0, [1, 1]), (1, 1, [])]),
        ([NOP, IF, NOP, ELSE, NOP, ENDIF], [(0, 1, [1, 2]), (2, 3, [3]), (4, 4, [3]), (5, 5, [])]),
        ([NOP, DO, MAYBE_BREAK, NOP, WHILE, NOP], [(0, 0, [1]), (1, 2, [2, 3]), (3, 4, [1]), (5, 5, [])]),
        ([DO, BREAK, NOP, WHILE], [(0, 1, [2]), (2, 3, [0]), (4, 3, [])]),
        ([DO, MAYBE_CONTINUE, BREAK, WHILE], [(0, 1, [0, 1]), (2, 2, [3]), (3, 3, [0]), (4, 3, [])]),
        ([DO, CONTINUE, WHILE, NOP], [(0, 1, [0]), (2, 2, [0]), (3, 3, [])]),
    ],
)
def test_blocks_end_where_control_flow_does(lines: list[Any], seen: list[tuple[int, int, list[int]]]) -> None:
    assert edges(program(*lines)) == seen


def test_a_register_without_a_reference_is_never_alive() -> None:
    assert NEVER == (1 << 30, -1)
    assert live_intervals(program(("mov", "0.x", []))) == [(0, 0), NEVER, NEVER, NEVER]


def test_a_read_after_a_write_of_the_same_block_does_not_enter_it() -> None:
    def lives_from(*lines: Any, sizes: tuple[int, ...] = (1, 1)) -> list[int]:
        return [one.start for one in live_intervals(program(NOP, *lines, sizes=sizes))]

    assert lives_from(("mov", "0.xy", []), ("mov_mrf", 0, ["0.xyxy"]))[0] == 1
    assert lives_from(("mov", "0.x", []), ("mov_mrf", 0, ["0.xyxy"]))[0] == 0
    assert lives_from(("mov", "0.x", ["0.xxxx"]), ("mov_mrf", 0, ["0.xxxx"]))[0] == 0
    assert lives_from(("mov", "1.w", [], 1), ("mov_mrf", 0, ["1.wwww"]))[1] == 0
    assert lives_from(("mov", "0.x", []), ("mov_mrf", 0, ["0.xxxx"]), sizes=(2,))[0] == 0


def test_a_value_of_a_loop_lives_to_its_end_if_the_next_round_reads_it() -> None:
    lines = [("mov", "0.x", []), DO, ("mov_mrf", 0, ["0.xxxx"]), MAYBE_BREAK, ("mov", "0.x", []), NOP, WHILE, NOP]
    assert live_intervals(program(*lines))[0] == (0, 6)
    lines[4] = NOP
    assert live_intervals(program(*lines))[0] == (0, 6)  # carried round
    lines[2], lines[4] = NOP, ("mov_mrf", 0, ["0.xxxx"])
    lines[0], lines[3] = NOP, ("mov", "0.x", [])
    assert live_intervals(program(*lines))[0] == (3, 4)


def test_a_value_of_one_branch_does_not_live_in_the_other() -> None:
    lines = [IF, ("mov", "0.x", []), ("mov_mrf", 0, ["0.xxxx"]), ELSE, ("mov", "1.x", []), ("mov_mrf", 0, ["1.xxxx"]),
             ENDIF]  # fmt: skip
    assert live_intervals(program(*lines))[:2] == [(1, 2), (4, 5)]
    lines.append(("mov_mrf", 0, ["0.xxxx"]))  # undefined through the else
    assert live_intervals(program(*lines))[:2] == [(0, 7), (4, 5)]


def test_every_register_that_enters_is_alive_from_there() -> None:
    lines = [NOP, *(("mov_mrf", 0, [f"{n}.{c * 4}"]) for n, c in ((0, "x"), (1, "x"), (2, "w"), (3, "y")))]
    assert live_intervals(program(*lines)) == [(0, 1), (0, 2), (0, 3), (0, 4)]
