"""What neighbours take away, against sums over lists of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from statetracker.geometry import Interval, interfere, neighbours
from statetracker.geometry.bits import members
from statetracker.geometry.weights import Q, Weights

SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(-1, 6), st.integers(1, 2)), min_size=1, max_size=14)


def test_a_value_takes_as_many_registers_from_another_as_choices_overlap() -> None:
    for a in (1, 2):
        for b in (1, 2):
            taken = {at for at in range(20) if set(range(at, at + a)) & set(range(10, 10 + b))}
            assert Q[a][b] == len(taken)


@given(SPANS)
def test_neighbours_are_those_that_interfere(spans: list[tuple[int, int, int]]) -> None:
    intervals = [Interval(1 << 30, -1) if more < 0 else Interval(start, start + more) for start, more, _ in spans]
    assert [members(bits) for bits in neighbours(intervals)] == [
        [m for m, b in enumerate(intervals) if m != n and min(a.end, b.end) >= 0 and interfere(a, b)]
        for n, a in enumerate(intervals)
    ]


@given(SPANS, st.integers(0, 6), st.integers(2, 20), st.data())
def test_too_much_is_taken_from_those_with_no_less_than_there_is(
    spans: list[tuple[int, int, int]], payload: int, count: int, data: st.DataObject
) -> None:
    sizes = [size for _, _, size in spans]
    graph = neighbours([Interval(start, start + max(more, 0)) for start, more, _ in spans])
    weights = Weights(sizes, graph, payload, count)
    taken = [
        payload * Q[size][1] + sum(Q[size][sizes[m]] for m in members(near))
        for size, near in zip(sizes, graph, strict=True)
    ]
    for node in data.draw(st.permutations(range(len(sizes)))):
        change = data.draw(st.sampled_from([weights.add, weights.subtract]))
        change(graph[node], sizes[node])
        for other in members(graph[node]):
            taken[other] += Q[sizes[other]][sizes[node]] * (1 if change == weights.add else -1)
    last = data.draw(st.integers(0, len(sizes) - 1))
    weights.assign(last, sizes[last], 0)
    taken[last] = payload * Q[sizes[last]][1]
    assert members(weights.too_much()) == [n for n, size in enumerate(sizes) if taken[n] >= (0, count, count - 1)[size]]
