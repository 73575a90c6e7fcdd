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
from statetracker.errors import ArgumentError, DriverError, InvalidCallOrder
from statetracker.frontend.bound_stage import BoundStage
from statetracker.frontend.states import StateMemo
from statetracker.gl.formats import given_format
from statetracker.pipe import SamplerState
from tests.cso.failing import FailingDriver as Driver
from tests.frontend.conftest import sampler

Tracker = st.StateTracker[int]
Slots = tuple[Any, ...]


class Watched(st.Sampler):
    """Reports when it is gone."""

    __slots__ = ("__weakref__",)


def in_turn(tracker: Tracker, *slots: Any, rounds: int = 4) -> list[Any]:
    """Bind these in turn until each is known; give the answers of the last round."""
    return [[tracker.bind("fragment", one) for one in slots] for _ in range(rounds)][-1]


@pytest.fixture
def pair(texture: st.Texture) -> tuple[Slots, Slots]:
    one, two, three = (sampler(n) for n in range(3))
    return ((one, texture), (two, texture)), ((one, texture), (three, texture))


def works_out(tracker: Tracker, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that grows with every pair that is looked at, and with every lookup of states."""
    seen: list[Any] = []
    state, look_up = tracker._states.state, tracker.cso.look_up

    def watched_state(*given: Any) -> Any:
        seen.append(given)
        return state(*given)

    def watched_look_up(*given: Any) -> Any:
        seen.append(given)
        return look_up(*given)

    monkeypatch.setattr(type(tracker._states), "state", lambda _, *given: watched_state(*given))
    monkeypatch.setattr(type(tracker.cso), "look_up", lambda _, *given: watched_look_up(*given))
    return seen


def in_one_tuple(slots: Slots) -> Slots:
    return slots


def anew(slots: Slots) -> Slots:
    return (*slots[:1], *slots[1:])


def mapping(slots: Slots) -> dict[int, Any]:
    return dict(enumerate(slots))


@pytest.mark.parametrize("form", [in_one_tuple, anew, list, mapping])
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


def test_binds_of_sets_are_counted(tracker: Tracker, pair: tuple[Slots, Slots]) -> None:
    in_turn(tracker, *pair)
    tracker.end_frame()
    before = tracker.cso.statistics()
    in_turn(tracker, *pair, rounds=10)
    after = tracker.cso.statistics()
    # frame, binds, unchanged, slots changed, conversions, creates, deletes, live, merged
    assert tracker.end_frame() == (2, 20, 0, 20, 0, 0, 0, 3, 0)
    assert (after.bind_calls - before.bind_calls, after.slots_sent - before.slots_sent) == (20, 40)


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


def test_what_has_changed_and_changed_back_is_converted_once(tracker: Tracker, texture: st.Texture) -> None:
    unit, one = gl.Unit(), sampler(1)
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


def test_only_the_pair_that_changed_is_looked_at(
    tracker: Tracker, texture: st.Texture, monkeypatch: pytest.MonkeyPatch
) -> None:
    samplers = [sampler(n) for n in range(4)]
    slots = tuple((one, texture) for one in samplers)
    in_turn(tracker, slots)
    seen = works_out(tracker, monkeypatch)
    samplers[2].lod_bias = 1.0
    tracker.bind("fragment", slots)
    assert [given[0] for given in seen] == [samplers[2], "fragment"]


def test_a_change_that_fails_halfway_is_looked_at_again(
    tracker: Tracker, texture: st.Texture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair that was read before the failure, and the one that failed."""
    one, two = sampler(1), sampler(2)
    slots = ((one, texture), (two, texture))
    in_turn(tracker, slots)
    one.lod_bias, two.lod_bias = 1.0, 2.0
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


def test_another_state_is_another_answer_though_its_handle_is_the_same(tracker: Tracker, texture: st.Texture) -> None:
    """A border colour that no wrap mode reads: hosts compare answers, and the shader's numbers differ."""
    one = sampler(1)
    before = tracker.bind("fragment", ((one, texture),))
    one.border_color = (1.0, 0.5, 0.0, 1.0)
    after = tracker.bind("fragment", ((one, texture),))
    assert after is not before
    assert after.handles == before.handles


def test_a_bind_of_another_stage_that_failed_leaves_this_one_alone(
    tracker: Tracker, driver: Driver, texture: st.Texture
) -> None:
    slots = [((sampler(n), texture),) for n in range(2)]
    in_turn(tracker, *slots)
    driver.fails["bind"] = RuntimeError("no")
    with pytest.raises(DriverError):
        tracker.bind("vertex", tuple((sampler(n), texture) for n in range(3)))
    driver.calls()
    tracker.bind("fragment", slots[0])
    assert driver.calls() == [[0]]


@pytest.mark.parametrize("between", [(), (20,), (20, 21)])
def test_an_eviction_during_a_lookup_has_the_next_bind_look_up_again(
    driver: Driver, texture: st.Texture, between: tuple[int, ...]
) -> None:
    """What was looked up before the eviction counts as unused since."""
    tracker = st.StateTracker(st.Screen.named("llvmpipe"), driver, policy=st.Policy(max_states=3))
    slots = tuple((sampler(n), texture) for n in range(2))
    for _ in range(3):
        tracker.bind("fragment", slots)
        tracker.unbind()
        tracker.bind("fragment", tuple((sampler(n), texture) for n in between))
        for n in range(10, 14):
            tracker.cso.sampler_state(SamplerState(max_lod=float(n)))
    runs = tracker.cso.statistics().runs
    tracker.bind("fragment", slots)
    assert tracker.cso.statistics().runs > runs
    hits = tracker.cso.statistics().hits
    for _ in range(3):
        tracker.bind("fragment", slots)
        assert tracker.cso.statistics().hits == hits + 2


def test_a_cache_that_has_forgotten_its_states_is_asked_again(
    tracker: Tracker, driver: Driver, texture: st.Texture
) -> None:
    """The tracker's `device_lost` is the way; a handle that is gone is not bound all the same."""
    slots = [((sampler(n), texture),) for n in range(2)]
    in_turn(tracker, *slots)
    tracker.cso.forget()
    driver.calls()
    tracker.bind("fragment", slots[0])
    tracker.bind("fragment", slots[1])
    assert [event for event in driver.calls() if event in ([0], [1])] == []


def test_slots_that_can_change_in_place_are_looked_at_each_time(tracker: Tracker, texture: st.Texture) -> None:
    changing: Any = [sampler(1), texture]
    slots: Any = (changing,)
    other = ((sampler(2), texture),)
    in_turn(tracker, slots, other)
    changing[0] = sampler(3)
    assert in_turn(tracker, slots, other)[0].handles == (2,)
    changing[0] = sampler(4)
    tracker.bind("fragment", slots)
    changing[0] = sampler(5)
    assert tracker.bind("fragment", slots).changed == {0: 4}


@pytest.mark.parametrize("container", [dict, list])
def test_a_dict_or_a_list_may_be_changed_between_binds(
    tracker: Tracker, texture: st.Texture, container: Callable[..., Any]
) -> None:
    pairs = [(sampler(n), texture) for n in range(3)]
    slots = container(enumerate(pairs[:1])) if container is dict else pairs[:1]
    other = ((sampler(7), texture),)
    in_turn(tracker, slots, other)
    tracker.bind("fragment", slots)
    slots[0] = pairs[1]
    assert tracker.bind("fragment", slots).changed == {0: 2}
    slots[0] = pairs[2]
    in_turn(tracker, other, slots)
    assert tracker.bind("fragment", slots).handles == (3,)


def test_what_only_looks_equal_is_not_taken_for_what_is_known(tracker: Tracker, texture: st.Texture) -> None:
    one = sampler(1)
    in_turn(tracker, {0: (one, texture, 1.0)}, ((one, texture),))
    with pytest.raises(ArgumentError, match="unit=True"):
        tracker.bind("fragment", {0: (one, texture, True)})
    other = ((sampler(2), texture),)
    for slots in ({0: (one, texture)}, other, {0: (one, texture)}, other):
        in_turn(tracker, slots, other)
        with pytest.raises(ArgumentError, match="sampler=0"):
            tracker.bind("fragment", ((0, (one, texture)),))  # type: ignore[arg-type]


def test_a_slot_that_keeps_what_it_had_shows_it(tracker: Tracker, texture: st.Texture) -> None:
    """A buffer texture has no sampler here; its slot may hold one handle and another."""
    buffer = st.Texture("TEXTURE_BUFFER")
    one = sampler(0)
    tracker.bind("fragment", ((one, texture),))
    assert tracker.bind("fragment", {3: (one, buffer)}).handles == (0,)
    tracker.bind("fragment", {3: (sampler(3), texture)})
    assert tracker.bind("fragment", {3: (one, buffer)}).handles == (0, None, None, 1)


def test_slots_behind_a_buffer_texture_say_what_changed(tracker: Tracker, texture: st.Texture) -> None:
    keeps = (None, (sampler(9), st.Texture("TEXTURE_BUFFER")))
    first, second = ((None, (sampler(n), texture)) for n in (3, 4))
    tracker.bind("fragment", ((sampler(0), texture),))
    held: object = None
    for slots in (first, second, first, first, first, second, second) * 2:
        tracker.bind("fragment", keeps)
        bound = tracker.bind("fragment", slots)
        assert bool(bound.changed) == (slots is not held)
        assert bound.handles == tracker.cso.handles("fragment")[:2]
        held = slots


def test_a_bind_through_the_cache_is_noticed(tracker: Tracker, driver: Driver, texture: st.Texture) -> None:
    """Although the loop should hear of it from `invalidate`."""
    same = (sampler(1), texture)
    slots = [((sampler(n), texture), same) for n in (0, 2)]
    in_turn(tracker, *slots)
    tracker.cso.set_samplers("fragment", [bytes(SamplerState(max_lod=50.0)), bytes(SamplerState(max_lod=60.0))])
    tracker.bind("fragment", slots[0])
    stage: list[Any] = []
    for event in driver.events:
        if event[0] == "bind":
            handles: Any = event[3]
            stage[: len(handles)] = handles
    assert list(tracker.cso.handles("fragment")[:2]) == stage == list(tracker.bind("fragment", slots[0]).handles)


def test_a_stage_has_32_slots_and_no_more(tracker: Tracker, texture: st.Texture) -> None:
    """Though the last one has no sampler, as of a buffer texture."""
    slots = tuple((sampler(n), texture) for n in range(32))
    assert tracker.bind("fragment", slots).handles == tuple(range(32))
    buffer = None, st.Texture("buffer", "R8")
    for more in ((*slots, buffer), {32: buffer}):
        with pytest.raises(ArgumentError, match="slot=32"):
            tracker.bind("fragment", more)


class Pair:
    """A pair that can change in place, and be part of a key."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)


def test_a_pair_of_another_class_may_change_in_place(tracker: Tracker, texture: st.Texture) -> None:
    pair: Any = Pair(sampler(0), texture)
    for number in (0, 1, 0, 1):
        pair.parts = sampler(number), texture
        for _ in range(3):
            assert tracker.bind("fragment", (pair,)).handles == (number,)


def test_equal_lists_are_unchanged_like_equal_tuples(tracker: Tracker, texture: st.Texture) -> None:
    slots = [(sampler(1), texture)]
    for _ in range(5):
        tracker.bind("fragment", slots)
    slots.append((sampler(2), texture))
    assert tracker.bind("fragment", slots).changed == {1: 1}
    assert tracker.end_frame().unchanged == 4


def test_sets_are_bounded_and_let_their_objects_go(tracker: Tracker, texture: st.Texture) -> None:
    watched_sampler: Any = Watched()
    watched = weakref.ref(watched_sampler)
    tracker.bind("fragment", ((watched_sampler, texture),))
    del watched_sampler
    sets = tracker.stages["fragment"].sets
    sets.most = 8
    for number in range(50):
        tracker.bind("fragment", ((sampler(number % 3), texture),))
        assert len(sets) <= 2 * 8
    gc.collect()
    assert watched() is None


def test_samplers_made_anew_for_every_draw_do_not_pile_up(tracker: Tracker, texture: st.Texture) -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    for _frame in range(40):
        for _draw in range(500):
            made: Any = Watched()
            alive.add(made)
            tracker.bind("fragment", ((made, texture),))
        tracker.end_frame()
    assert len(alive) <= 10 * 500


def test_answers_for_values_that_come_once_do_not_pile_up(tracker: Tracker, texture: st.Texture) -> None:
    animated = sampler(0)
    for frame in range(30):
        for draw in range(500):
            animated.lod_bias = (frame * 500 + draw) / 1024
            tracker.bind("fragment", ((animated, texture),))
        tracker.end_frame()
    assert sum(isinstance(one, BoundStage) for one in gc.get_objects()) <= 10 * 500


def test_a_frame_of_many_sets_is_known_in_the_next_one(tracker: Tracker, texture: st.Texture) -> None:
    slots = [((sampler(number % 8), texture, 1.0 + number),) for number in range(5_000)]
    for one in slots:
        tracker.bind("fragment", one)
    tracker.end_frame()
    assert len(tracker.stages["fragment"].sets) == 5_000


@pytest.mark.parametrize("form", [in_one_tuple, mapping])
def test_more_sets_than_are_kept_are_bound_right(
    tracker: Tracker, texture: st.Texture, form: Callable[[Slots], Any]
) -> None:
    slots = [form(((sampler(n), texture),)) for n in range(40)]
    tracker.bind("fragment", slots[0])
    tracker.stages["fragment"].sets.most = 8
    order = [n * 7 % 40 for n in range(400)]
    handles = {n: tracker.bind("fragment", slots[n]).handles for n in range(40)}
    for n in order:
        assert tracker.bind("fragment", slots[n]).handles == handles[n]
    assert tracker.end_frame().creates == 40


@pytest.mark.parametrize("turns", [False, True])
def test_the_same_slots_give_the_same_answer_whatever_is_bound_above(
    tracker: Tracker, texture: st.Texture, turns: bool
) -> None:
    pairs = [(sampler(n), texture) for n in range(4)]
    short, other, tall, taller = (pairs[0],), (pairs[1],), (pairs[1], pairs[2]), (pairs[1], pairs[3])
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


def test_a_stage_that_is_forgotten_lets_its_objects_go_at_once(tracker: Tracker, texture: st.Texture) -> None:
    """Without the garbage collector: thousands are forgotten in a frame that evicts."""
    one: Any = Watched()
    watched = weakref.ref(one)
    gc.collect()
    gc.disable()
    try:
        in_turn(tracker, ((one, texture),), ((sampler(7), texture),))
        in_turn(tracker, ((one, texture),), rounds=1)
        tracker.invalidate()
        tracker._states = type(tracker._states)(tracker.screen, tracker.policy, tracker.dialect, 8)  # it keeps, too
        del one
        assert watched() is None
    finally:
        gc.enable()


def check(tracker: Tracker, driver: Driver, slots: Any, bound: BoundStage[int], *, seamless: bool = False) -> None:
    """What a bind gave is what a new tracker would ask for, exists, is staged, and was bound."""
    made = {event[1]: event[2] for event in driver.events if event[0] == "create"}
    gone = {event[1] for event in driver.events if event[0] == "delete"}
    fresh = st.StateTracker(tracker.screen, RecordingDriver(), policy=tracker.policy)
    for slot, what in slots.items() if isinstance(slots, dict) else enumerate(slots):
        if what is not None:
            assert made[bound.handles[slot]] == (fresh.record(*what, seamless=seamless) or b"").hex()
    assert bound.handles == tracker.cso.handles("fragment")[: len(bound.handles)]
    assert not gone & set(bound.handles)
    if bound.changed:
        shown: Any = next(event for event in reversed(driver.events) if event[0] == "bind")[3]
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


def test_the_order_of_sets_does_not_matter(
    tracker: Tracker, texture: st.Texture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (((sampler(n), texture),) for n in range(3))
    in_turn(tracker, one, two, three)
    seen = works_out(tracker, monkeypatch)
    for slots in (one, three, two, one, two, three, one, three, one, two):
        assert tracker.bind("fragment", slots).handles == ((one, two, three).index(slots),)
    assert seen == []
