"""Where ways meet: the values that differ get a register, and every way a move into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.geometry.shader.code import UNDEFINED, Code, Edge, moves, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.geometry.shader.code import Column
    from statetracker.geometry.shader.memory import Key, State

__all__ = ["join", "parallel"]


def join(ways: Sequence[tuple[State, Edge]], code: Code) -> State:
    """The state after ways have met. A value that only some of them have is undefined by the others."""
    if len(ways) == 1:
        return ways[0][0]
    merged: State = {}
    for key in dict.fromkeys(key for state, _ in ways for key in state):
        held = [state.get(key) for state, _ in ways]
        width = max(len(column) for column in held if column is not None)
        columns = [column if column is not None else (UNDEFINED,) * width for column in held]
        if len(set(columns)) == 1:
            merged[key] = columns[0]
            continue
        defined = {column for column in columns if any(one.file != "undefined" for one in column)}
        if len(defined) == 1:
            merged[key] = defined.pop()
            continue
        reg = code.fresh()
        for column, (_, edge) in zip(columns, ways, strict=True):
            edge.moves += moves(reg, column, code.note)
        merged[key] = places(reg, width)
    return merged


def parallel(wanted: Sequence[tuple[Key, int, Column]], code: Code) -> None:
    """Moves of columns into registers, all at once: what a move would destroy for a later one is copied before."""
    changed = [(reg, column) for _, reg, column in wanted if column != places(reg, len(column))]
    targets = {reg for reg, _ in changed}
    for n, (reg, column) in enumerate(changed):
        if any(one.file == "vgrf" and one.at in targets and one.at != reg for one in column) or _crosses(reg, column):
            changed[n] = (reg, code.copy(column))
    for reg, column in changed:
        code.lines.extend(moves(reg, column, code.note))


def _crosses(reg: int, column: Column) -> bool:
    """Whether a column reads the register it goes to in another order: several moves would disturb each other."""
    return any(one.file == "vgrf" and one.at == reg and one.channel != n for n, one in enumerate(column))
