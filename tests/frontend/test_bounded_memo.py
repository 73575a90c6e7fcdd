"""A memo in two generations keeps what is asked for, stays within its bound, and never drops much at once."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from statetracker.frontend.bounded_memo import BoundedMemo


def seen(memo: BoundedMemo[int, str], key: int) -> str | None:
    return memo.get(key)


def filled(count: int, most: int = 4) -> BoundedMemo[int, str]:
    memo: BoundedMemo[int, str] = BoundedMemo(most)
    for key in range(count):
        memo.put(key, str(key))
    return memo


def test_the_older_generation_is_seen_and_promoted() -> None:
    memo = filled(6)
    assert (sorted(memo.newer), sorted(memo.older)) == ([4, 5], [0, 1, 2, 3])
    assert seen(memo, 1) == "1"
    assert (sorted(memo.newer), sorted(memo.older)) == ([1, 4, 5], [0, 2, 3])


def test_what_was_not_asked_for_for_two_generations_is_gone() -> None:
    memo = filled(6)
    seen(memo, 1)
    for key in range(10, 13):
        memo.put(key, str(key))
    assert [seen(memo, key) for key in (0, 2, 3)] == [None] * 3
    assert seen(memo, 1) == "1"


def test_what_leaves_leaves_a_few_at_a_time() -> None:
    """Frees of many objects in one bind are a stutter; a bound that is lowered makes none either."""
    memo = filled(40_000, 20_000)
    sizes = []
    for key in range(40_000, 46_000):
        memo.most = max(800, memo.most // 2) if key < 43_000 else 400
        memo.put(key, "")
        sizes.append(len(memo) + len(memo._leaving))
    assert sizes[-1] <= 2 * 400 + 16
    assert max(before - after for before, after in pairwise(sizes)) <= 16 * (2 + 40_000 // 400)


@given(st.lists(st.tuples(st.sampled_from(["put", "get"]), st.integers(0, 30))), st.integers(1, 6))
def test_it_never_gives_anything_but_what_was_kept(steps: list[tuple[str, int]], most: int) -> None:
    memo: BoundedMemo[int, str] = BoundedMemo(most)
    kept: dict[int, str] = {}
    for at, (kind, key) in enumerate(steps):
        if kind == "put":
            memo.put(key, str(at))
            kept[key] = str(at)
        elif (value := seen(memo, key)) is not None:
            assert value == kept[key]
        assert len(memo.newer) <= most
        assert len(memo.older) <= most
        assert len(memo._leaving) <= most
