"""The table of Intel generations."""

from __future__ import annotations

import pytest

from statetracker.caps import GENERATIONS, Generation, generation
from statetracker.errors import UnknownName


@pytest.mark.parametrize("row", GENERATIONS.values(), ids=lambda row: row.name)
def test_a_generation_is_looked_up_by_name_number_and_ten_times_the_number(row: Generation) -> None:
    assert generation(row) is generation(row.name) is generation(float(row.name)) is generation(row.verx10) is row


@pytest.mark.parametrize("value", ["9", 6.3, 0, "", None, "nan", 1e400, 55])
def test_other_generations_are_refused_with_those_there_are(value: object) -> None:
    with pytest.raises(UnknownName, match=r"'7\.5'"):
        generation(value)  # type: ignore[arg-type]


def test_offsets_inside_a_tile_came_with_the_g45_and_levels_in_packets_with_ivy_bridge() -> None:
    assert [row.name for row in GENERATIONS.values() if not row.tile_offset] == ["4"]
    assert [row.name for row in GENERATIONS.values() if row.level_layer] == ["7", "7.5", "8"]
    assert [row.name for row in GENERATIONS.values() if row.samples_w] == ["8"]
