"""What stands before a place, against a dictionary."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry.bits import together
from statetracker.geometry.places import Places


@given(st.integers(1, 600), st.data())
def test_what_stands_before_a_place_is_found_as_one_set(count: int, data: st.DataObject) -> None:
    places = Places(count)
    where: dict[int, int] = {}
    for node, at in enumerate(data.draw(st.lists(st.integers(0, count - 1), max_size=60))):
        places.add(node, at)
        where[node] = at
        if at % 3 == 0:
            places.remove(node, at)
            del where[node]
        elif at % 3 == 1 and at + 1 < count:  # it moves
            places.remove(node, at)
            places.add(node, at + 1)
            where[node] = at + 1
    for end in data.draw(st.lists(st.integers(0, count), max_size=20)):
        assert places.before(end) == together(node for node, at in where.items() if at < end)
        first = data.draw(st.integers(0, end))
        assert places.between(first, end) == together(node for node, at in where.items() if first <= at < end)
    assert {node: at for at, nodes in enumerate(places.at) for node in nodes} == where


def test_places_grow_at_the_end() -> None:
    places = Places()
    for at in range(1100):
        places.add(at, at)
        if at % 7 == 5:
            places.remove(at - 3, at - 3)
    there = [at for at in range(1100) if not (at % 7 == 2 and at + 3 < 1100)]
    for end in range(1101):
        assert places.before(end) == together(at for at in there if at < end)
