"""What a material comes to is remembered, in any order of binds; nothing stale is ever among it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as hst

import statetracker as st
from statetracker import gl
from statetracker.cso import RecordingDriver
from statetracker.errors import ArgumentError, InvalidCallOrder
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.states import StateMemo
from statetracker.gl.formats import given_format
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver as Driver
from tests.frontend.conftest import TEXTURE, pairs, sampler

Tracker = st.StateTracker[int]
Slots = tuple[Any, ...]
BUFFER = st.Texture("TEXTURE_BUFFER")


class Watched(st.Sampler):
    """Reports when it is gone."""

    __slots__ = ("__weakref__",)


def in_turn(tracker: Tracker, *slots: Any, rounds: int = 4) -> list[Any]:
    """Bind these in turn until each is known; give the answers of the last round."""
    return [[tracker.bind("fragment", one) for one in slots] for _ in range(rounds)][-1]


@pytest.fixture
def pair() -> tuple[Slots, Slots]:
    one, two, three = pairs(0, 1, 2)
    return (one, two), (one, three)


def works_out(tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that grows with every pair that is looked at, and with every lookup of states."""
    seen: list[Any] = []
    state, look_up = tracker._memo.state, tracker.cso.look_up

    def watched_state(*given: Any) -> Any:
        seen.append(given)
        return state(*given)

    def watched_look_up(*given: Any) -> Any:
        seen.append(given)
        return look_up(*given)

    monkeypatch.setattr(type(tracker._memo), "state", lambda _, *given: watched_state(*given))
    monkeypatch.setattr(type(tracker.cso), "look_up", lambda _, *given: watched_look_up(*given))
    return seen


def anew(slots: Slots) -> Slots:
    return (*slots[:1], *slots[1:])


@pytest.mark.parametrize("form", [tuple, anew, list, lambda slots: dict(enumerate(slots))])
def test_a_set_bound_before_is_not_worked_out_again_and_says_the_same(
    tracker: Tracker,
    driver: Driver,
    pair: tuple[Slots, Slots],
    form: Callable[[Slots], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_turn(tracker, *pair)
    in_turn(tracker, *map(form, pair))
    driver.calls()
    seen = works_out(tracker, monkeypatch)
    sampler(99)  # something else is made, which takes a token
    first = tracker.bind("fragment", form(pair[0]))
    assert (first.handles, first.changed) == ((0, 1), {1: 1})
    second = tracker.bind("fragment", form(pair[1]))
    assert (second.handles, second.changed) == ((0, 2), {1: 2})
    assert seen == []
    assert driver.calls() == [[0, 1], [0, 2]]
    assert tracker.cso.handles("fragment")[:3] == (0, 2, None)
    assert tracker.bind("fragment", form(pair[1])).changed == {}


def test_a_texture_changed_like_an_attribute_is_never_missed(tracker: Tracker) -> None:
    texture = st.Texture(internal_format="RGBA8")
    one, other = ((sampler(1, wrap="clamp-to-border", border_color=(1, 0, 0, 1)), texture),), ((sampler(2), texture),)
    in_turn(tracker, one, other)
    before = tracker.bind("fragment", one).handles
    texture.storage_format = "R8G8B8A8_UINT"
    texture.sampler = sampler(3)
    own = tracker.bind("fragment", ((None, texture),)).handles
    texture.sampler = sampler(4)
    assert tracker.bind("fragment", ((None, texture),)).handles != own
    assert tracker.bind("fragment", one).handles == before


def test_what_has_changed_and_changed_back_is_converted_once(tracker: Tracker) -> None:
    texture, unit, one = st.Texture(internal_format="RGBA8"), gl.Unit(), sampler(1)
    slots = ((one, texture, unit), (None, texture))

    def turn(number: int) -> Iterator[object]:
        changes: list[Callable[[], object]] = [
            lambda: setattr(one, "wrap_s", ("repeat", "clamp-to-edge")[number]),
            lambda: texture.sampler.update(max_lod=float(number)),
            lambda: texture.allocate(given_format(("RGBA8", "R8I")[number]), (number + 1, 1, 1), None),
            lambda: unit.set_lod_bias(float(number)),
        ]
        for change in changes:
            change()
            yield tracker.bind("fragment", slots).handles

    rounds = [[*turn(0), *turn(1)] for _ in range(4)]
    assert rounds[1:] == rounds[1:2] * 3
    assert tracker.end_frame().conversions <= 16
    assert [*turn(0), *turn(1)] == rounds[-1]
    assert tracker.end_frame().conversions == 0


def test_only_the_pair_that_changed_is_looked_at(tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    slots = pairs(0, 1, 2, 3)
    in_turn(tracker, slots)
    seen = works_out(tracker, monkeypatch)
    slots[2][0].lod_bias = 1.0
    tracker.bind("fragment", slots)
    assert [given[0] for given in seen] == [slots[2][0], "fragment"]


def test_a_change_that_fails_halfway_is_looked_at_again(tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair that was read before the failure, and the one that failed."""
    slots = pairs(1, 2)
    in_turn(tracker, slots)
    for at, (one, _) in enumerate(slots, 1):
        one.lod_bias = float(at)
    made, calls = StateMemo._made, count()

    def fails_second(*given: Any) -> Any:
        if next(calls) == 1:
            raise RuntimeError("out of memory")
        return made(*given)

    with monkeypatch.context() as patch:
        patch.setattr(StateMemo, "_made", fails_second)
        with pytest.raises(RuntimeError, match="out of memory"):
            tracker.bind("fragment", slots)
    states = tracker.bind("fragment", slots).states
    assert [state.record for state in states.values()] == [tracker.record(*pair) for pair in slots]


def test_another_state_is_another_answer_though_its_handle_is_the_same(tracker: Tracker) -> None:
    """A border colour that no wrap mode reads: hosts compare answers, and the shader's numbers differ."""
    slots = pairs(1)
    before = tracker.bind("fragment", slots)
    slots[0][0].border_color = (1.0, 0.5, 0.0, 1.0)
    after = tracker.bind("fragment", slots)
    assert after is not before
    assert after.handles == before.handles


@pytest.mark.parametrize("between", [(), (20,), (20, 21)])
def test_an_eviction_during_a_lookup_has_the_next_bind_look_up_again(driver: Driver, between: tuple[int, ...]) -> None:
    """What was looked up before the eviction counts as unused since."""
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=3))
    slots = pairs(0, 1)
    for _ in range(3):
        tracker.bind("fragment", slots)
        tracker.unbind()
        tracker.bind("fragment", pairs(*between))
        for n in range(10, 14):
            tracker.cso.sampler_state(SamplerState(max_lod=float(n)))
    runs = tracker.cso.statistics().runs
    tracker.bind("fragment", slots)
    assert tracker.cso.statistics().runs > runs
    hits = tracker.cso.statistics().hits
    for _ in range(3):
        tracker.bind("fragment", slots)
        assert tracker.cso.statistics().hits == hits + 2


def test_a_cache_that_has_forgotten_its_states_is_asked_again(tracker: Tracker, driver: Driver) -> None:
    """The tracker's `device_lost` is the way; a handle that is gone is not bound all the same."""
    slots = [pairs(n) for n in range(2)]
    in_turn(tracker, *slots)
    tracker.cso.forget()
    driver.events.clear()
    for one in slots:
        tracker.bind("fragment", one)
    assert not {0, 1} & {handle for handles in driver.bound() for handle in handles}


class Pair:
    """A pair that can change in place, and be part of a key."""

    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)

    def __setitem__(self, at: slice, parts: Any) -> None:
        self.parts = parts


@pytest.mark.parametrize("form", [list, Pair])
def test_a_pair_that_can_change_in_place_is_looked_at_each_time(tracker: Tracker, form: Callable[..., Any]) -> None:
    changing, other = form(pairs(0)[0]), pairs(9)
    handles = dict[int, Any]()
    for number in (0, 1, 0, 2, 1):
        changing[:] = pairs(number)[0]
        for _ in range(3):
            bound = tracker.bind("fragment", (changing,))
            assert handles.setdefault(number, bound.handles) == bound.handles
            assert bound.states[0].record == tracker.record(*pairs(number)[0])
        tracker.bind("fragment", other)


@pytest.mark.parametrize("container", [lambda slots: dict(enumerate(slots)), list])
def test_a_dict_or_a_list_may_be_changed_between_binds(tracker: Tracker, container: Callable[..., Any]) -> None:
    """One that is equal is unchanged."""
    each, other = pairs(0, 1, 2), pairs(7)
    slots = container(each[:1])
    in_turn(tracker, slots, other)
    tracker.bind("fragment", slots)
    tracker.end_frame()
    slots[0] = each[1]
    assert tracker.bind("fragment", slots).changed == {0: 2}
    assert tracker.bind("fragment", container(each[1:2])).changed == {}
    assert tracker.end_frame().unchanged == 1
    slots[0] = each[2]
    in_turn(tracker, other, slots)
    assert tracker.bind("fragment", slots).handles == (3,)


def test_what_only_looks_equal_is_not_taken_for_what_is_known(tracker: Tracker) -> None:
    ((one, _),), other = pairs(1), pairs(2)
    in_turn(tracker, {0: (one, TEXTURE, 1.0)}, ((one, TEXTURE),))
    with pytest.raises(ArgumentError, match="unit=True"):
        tracker.bind("fragment", {0: (one, TEXTURE, True)})
    for slots in ({0: (one, TEXTURE)}, other, {0: (one, TEXTURE)}, other):
        in_turn(tracker, slots, other)
        with pytest.raises(ArgumentError, match="sampler=0"):
            tracker.bind("fragment", ((0, (one, TEXTURE)),))  # type: ignore[arg-type]


def test_slots_behind_a_buffer_texture_say_what_changed(tracker: Tracker) -> None:
    """It has no sampler here; its slot may hold one handle and another, and shows it."""
    keeps = (None, (sampler(9), BUFFER))
    first, second = ((None, *pairs(n)) for n in (3, 4))
    tracker.bind("fragment", pairs(0))
    held: object = None
    for slots in (first, second, first, first, first, second, second) * 2:
        assert tracker.bind("fragment", keeps).handles == tracker.cso.handles("fragment")[: 2 if held else 1]
        bound = tracker.bind("fragment", slots)
        assert bool(bound.changed) == (slots is not held)
        assert bound.handles == tracker.cso.handles("fragment")[:2]
        held = slots


def test_a_bind_through_the_cache_is_noticed(tracker: Tracker, driver: Driver) -> None:
    """Although the loop should hear of it from `invalidate`."""
    (same,) = pairs(1)
    slots = [(*pairs(n), same) for n in (0, 2)]
    in_turn(tracker, *slots)
    tracker.cso.set_samplers("fragment", [bytes(SamplerState(max_lod=50.0)), bytes(SamplerState(max_lod=60.0))])
    tracker.bind("fragment", slots[0])
    stage: list[Any] = []
    for handles in driver.bound():
        stage[: len(handles)] = handles
    assert list(tracker.cso.handles("fragment")[:2]) == stage == list(tracker.bind("fragment", slots[0]).handles)


def test_a_stage_has_32_slots_and_no_more(tracker: Tracker) -> None:
    """Though the last one has no sampler, as of a buffer texture."""
    slots = pairs(*range(32))
    assert tracker.bind("fragment", slots).handles == tuple(range(32))
    for more in ((*slots, (None, BUFFER)), {32: (None, BUFFER)}):
        with pytest.raises(ArgumentError, match="slot=32"):
            tracker.bind("fragment", more)


def test_samplers_made_anew_for_every_draw_do_not_pile_up(tracker: Tracker) -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    for _frame in range(40):
        for _draw in range(500):
            made: Any = Watched()
            alive.add(made)
            tracker.bind("fragment", ((made, TEXTURE),))
        tracker.end_frame()
    assert len(alive) <= 10 * 500


def test_answers_for_values_that_come_once_do_not_pile_up(tracker: Tracker) -> None:
    ((animated, texture),) = pairs(0)
    for frame in range(30):
        for draw in range(500):
            animated.lod_bias = (frame * 500 + draw) / 1024
            tracker.bind("fragment", ((animated, texture),))
        tracker.end_frame()
    assert sum(isinstance(one, BoundStage) for one in gc.get_objects()) <= 10 * 500


def test_a_frame_of_many_sets_is_known_in_the_next_one(tracker: Tracker) -> None:
    slots = [((*pairs(number % 8)[0], 1.0 + number),) for number in range(5_000)]
    for one in slots:
        tracker.bind("fragment", one)
    tracker.end_frame()
    assert len(tracker.stages["fragment"].sets) == 5_000


@pytest.mark.parametrize("turns", [False, True])
def test_the_same_slots_give_the_same_answer_whatever_is_bound_above(tracker: Tracker, turns: bool) -> None:
    one, two, three, four = pairs(0, 1, 2, 3)
    short, other, tall, taller = (one,), (two,), (two, three), (two, four)
    answers: dict[Any, BoundStage[int]] = {}
    for slots in (short, tall, other, short, taller, other, short, tall, short) * 3:
        if turns:
            tracker.cso.cache._give_up([], 0, 0)
        bound = tracker.bind("fragment", slots)
        assert answers.setdefault(slots, bound) is bound
        assert len(bound.named) == len(slots)
        assert bound.handles == tracker.cso.handles("fragment")[: len(bound.handles)]


def test_what_changed_is_asked_for_before_the_next_bind(tracker: Tracker, pair: tuple[Slots, Slots]) -> None:
    first, second = in_turn(tracker, *pair)
    assert second.changed == {1: 2}
    with pytest.raises(InvalidCallOrder, match="changed cannot be called now: stage 'fragment' was bound again"):
        _ = first.changed
    tracker.end_frame()
    assert second.changed == {1: 2}
    tracker.unbind()
    with pytest.raises(InvalidCallOrder):
        _ = second.changed


def test_a_stage_that_is_forgotten_lets_its_objects_go_at_once(tracker: Tracker) -> None:
    """Without the garbage collector: thousands are forgotten in a frame that evicts."""
    one: Any = Watched()
    watched = weakref.ref(one)
    gc.collect()
    gc.disable()
    try:
        in_turn(tracker, ((one, TEXTURE),), pairs(7))
        in_turn(tracker, ((one, TEXTURE),), rounds=1)
        tracker.unbind()
        tracker._memo = type(tracker._memo)(tracker.screen, tracker.policy, tracker.dialect, 8)  # it keeps, too
        del one
        assert watched() is None
    finally:
        gc.enable()


def check(tracker: Tracker, driver: Driver, slots: Any, bound: BoundStage[int], *, seamless: bool = False) -> None:
    """What a bind gave is what a new tracker would ask for, exists, is staged, and was bound."""
    made = {event[1]: event[2] for event in driver.of("create")}
    fresh = st.StateTracker(tracker.screen, RecordingDriver(), policy=tracker.policy)
    for slot, what in slots.items() if isinstance(slots, dict) else enumerate(slots):
        if what is not None:
            assert made[bound.handles[slot]] == (fresh.record(*what, seamless=seamless) or b"").hex()
    assert bound.handles == tracker.cso.handles("fragment")[: len(bound.handles)]
    assert not {*driver.deleted()} & {*bound.handles}
    if bound.changed:
        shown = driver.bound()[-1]
        assert shown == list(bound.handles[: len(shown)])
        assert len(shown) > max(bound.changed)


STEPS = hst.lists(
    hst.tuples(
        hst.sampled_from(
            ["bind"] * 12
            + ["seamless", "sampler", "sampler", "texture", "image", "own", "unit"]
            + ["frame", "lost", "policy", "meta", "unbind"]
        ),
        hst.integers(0, 5),
    ),
    max_size=60,
)


@given(STEPS, hst.sampled_from([2, 64]))
def test_a_loop_over_a_few_known_slots_always_gives_what_a_new_tracker_would(
    steps: list[tuple[str, int]], budget: int
) -> None:
    driver = Driver()
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=st.Policy(max_states=budget))
    samplers = [sampler(n, wrap="clamp" if n % 2 else "repeat") for n in range(4)]
    textures = [st.Texture(internal_format=name) for name in ("RGBA8", "ALPHA8")]
    (a, b, c, d), (t, u) = samplers, textures
    unit = gl.Unit()
    requests: list[Any] = [((a, t), (b, t)), ((a, t, unit), (c, u)), {1: (d, t)}]
    requests += [((None, u),), [(b, u, 0.5)], ((c, t), None)]
    formats = [given_format(name) for name in ("RGBA8", "ALPHA8", "RGBA8UI")]
    counted = 0
    changes: dict[str, Callable[[int], object]] = {
        "sampler": lambda number: samplers[number % 4].update(lod_bias=float(number // 4)),
        "texture": lambda number: textures[number % 2].store("swizzle", textures[number % 2].swizzle[::-1]),
        "image": lambda number: textures[number % 2].allocate(formats[number // 2], (4, 4, 1), None),
        "own": lambda number: setattr(textures[number % 2], "sampler", samplers[number // 2]),
        "unit": lambda number: unit.set_lod_bias(float(number % 2)),
        "lost": lambda _: tracker.device_lost(),
        "unbind": lambda _: tracker.unbind(),
    }
    for kind, number in steps:
        if kind in {"bind", "seamless"}:
            slots, seamless = requests[number], kind == "seamless"
            check(tracker, driver, slots, tracker.bind("fragment", slots, seamless=seamless), seamless=seamless)
        elif kind == "frame":
            counted += tracker.end_frame().binds
        elif kind == "policy":
            tracker.policy = st.Policy(max_states=budget, force_nearest=bool(number % 2))
        elif kind == "meta":
            tracker.save_samplers()
            tracker.bind("fragment", requests[number])
            tracker.restore_samplers()
        else:
            changes[kind](number)
    asked = sum(kind in {"bind", "seamless", "meta"} for kind, _ in steps)
    assert counted + tracker.end_frame().binds == asked
