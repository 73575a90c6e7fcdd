"""Policy mesa: what a live Mesa did, the numbers of its limit, and its defect step by step."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.cso import CsoContext, RecordingDriver
from statetracker.cso.keys import word_function
from statetracker.cso.mesa import BUCKETS, Record, WordTable
from statetracker.pipe import KeyRule
from tests.cso.conftest import record, use

RECORDING = Path(__file__).parents[1] / "data" / "cso" / "eviction.jsonl.gz"


def test_the_recorded_run_is_reproduced_event_for_event() -> None:
    with gzip.open(RECORDING, "rt", encoding="utf-8") as file:
        recorded = file.read().splitlines()
    driver = RecordingDriver()
    context = CsoContext(driver, policy="mesa")
    for kind, *rest in map(json.loads, recorded):
        if kind == "create":
            context.set_samplers("fragment", [bytes.fromhex(rest[1])])
    assert list(driver.lines()) == recorded
    assert context.statistics().creates == 5400


def test_4097_states_fit_and_the_next_gives_up_1025() -> None:
    driver = RecordingDriver()
    context = CsoContext(driver, policy="mesa")
    for n in range(4097):
        context.set_samplers("fragment", [record(n)])
    assert context.statistics().deletes == 0
    context.set_samplers("fragment", [record(4097)])
    counted = context.statistics()
    assert (counted.deletes, counted.size, counted.peak, counted.runs, counted.pinned) == (1025, 3073, 4097, 1, 1)


def test_a_limit_below_what_is_there_is_kept_at_once(mesa: CsoContext[int]) -> None:
    """With room for four the sixth state gives up two."""
    use(mesa, *range(5))
    assert mesa.statistics().deletes == 0
    use(mesa, 5)
    assert (mesa.statistics().deletes, mesa.statistics().size) == (2, 4)
    mesa.max_size = 100
    use(mesa, *range(10, 46))
    mesa.max_size = 36
    assert mesa.statistics().size == 40 - (10 + 4)


def test_an_eviction_stops_when_all_that_is_left_is_pinned(mesa: CsoContext[int], driver: Any) -> None:
    mesa.set_samplers("fragment", [record(n) for n in range(12)])
    assert driver.of("delete") == []
    assert mesa.statistics().size == 12


def test_a_create_that_gave_none_is_kept_and_bound_and_never_retried(mesa: CsoContext[int], driver: Any) -> None:
    driver.fails["create"] = None
    for _ in range(3):
        mesa.set_samplers("fragment", [record(1)])
    assert driver.events == [["bind", "MESA_SHADER_FRAGMENT", 0, [None]]] * 3
    counted = mesa.statistics()
    assert (counted.hits, counted.misses, counted.creates, counted.failed_creates) == (2, 1, 0, 1)
    assert (counted.size, counted.live) == (1, 0)
    mesa.destroy()
    assert driver.of("delete") == []


def test_saved_states_are_pinned_from_22_3_on(driver: Any) -> None:
    for rule, kept in ((KeyRule("22.3", 32), True), (KeyRule("21.2", 32), False)):
        driver.events.clear()
        context = CsoContext(driver, policy="mesa", max_size=4, key=rule)
        context.set_samplers("fragment", [record(0)])
        first = context.handles("fragment")[0]
        context.save_samplers()
        for n in range(1, 60):
            context.set_samplers("fragment", [record(n)])
        assert (["delete", first] in driver.events) is not kept


#: Stages in the order in which a release pins them.
NEWER = ("vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute")
OLDER = ("vertex", "fragment", "geometry", "tess-ctrl", "tess-eval", "compute")


def walk_of_one_bucket(driver: Any, rule: KeyRule, stages: tuple[str, ...], *, saved: bool) -> dict[int, str]:
    """Bind, or save and bind, states of one bucket in stages, start a run; give the walk of those in use at the end."""
    word = word_function(rule)
    one_bucket = [data for n in range(700) if word(data := record(n)) % 17 == 3]
    context: CsoContext[int] = CsoContext(driver, policy="mesa", max_size=8, key=rule)
    names: dict[int, str] = {}
    for turn in range(1 + saved):
        for stage in stages:
            context.set_samplers(stage, [one_bucket.pop(0)])
            names[context.handles(stage)[0] or 0] = f"saved {stage}" if saved and not turn else stage
            if saved and not turn:
                context.save_samplers(stage)
    for data in one_bucket[:4]:
        context.sampler_state(data)
    assert context.statistics()[11:13] == (1, 6 - saved)  # runs, pinned
    driver.events.clear()
    context.destroy()
    return {handle: names[handle] for handle in driver.deleted() if handle in names}


@pytest.mark.parametrize(("layout", "order"), [("22.3", NEWER), ("21.2", OLDER), ("21.0", OLDER), ("seed", OLDER)])
def test_pinned_states_go_back_in_the_reverse_order_of_their_stages(
    driver: Any, layout: str, order: tuple[str, ...]
) -> None:
    """So those of one bucket are walked that way from then on."""
    walk = walk_of_one_bucket(driver, KeyRule(layout, 32), tuple(sorted(order)), saved=False)
    assert [*walk.values()] == [*reversed(order)]


def test_saved_slots_are_pinned_after_the_stages_fragment_first(driver: Any) -> None:
    """From 22.3 on, and no other stage's."""
    walk = walk_of_one_bucket(driver, KeyRule("22.3", 32), ("vertex", "compute", "fragment"), saved=True)
    in_use = [name for name in walk.values() if name != "saved vertex"]
    assert in_use == ["saved compute", "saved fragment", "compute", "fragment", "vertex"]


@pytest.mark.parametrize(("layout", "order"), [("22.3", NEWER), ("21.2", OLDER), ("21.0", OLDER), ("seed", OLDER)])
def test_stages_are_unbound_in_the_order_of_their_numbers(driver: Any, layout: str, order: tuple[str, ...]) -> None:
    context = CsoContext(driver, policy="mesa", key=KeyRule(layout, 32))
    for stage in sorted(order):
        context.set_samplers(stage, [record(1)])
    shown = [event[1] for event in driver.of("bind")]
    names = dict(zip(sorted(order), shown, strict=True))
    driver.events.clear()
    context.unbind()
    assert [event[1] for event in driver.of("bind")] == [names[stage] for stage in order]


@pytest.mark.parametrize(("layout", "counts"), [("22.3", (1, 2)), ("21.2", (1, 2)), ("21.0", (3, 0))])
def test_before_21_2_a_record_like_the_one_before_it_is_looked_up_like_any_other(
    driver: Any, layout: str, counts: tuple[int, int]
) -> None:
    context = CsoContext(driver, policy="mesa", key=KeyRule(layout, 32))
    context.set_samplers("fragment", [record(1), record(1), None, record(1), record(2), record(1)])
    assert (context.statistics().hits, context.statistics().shortcuts) == counts
    assert context.handles("fragment")[:6] == (0, 0, None, 0, 1, 0)


def test_compares_of_one_word_that_fail_are_counted(mesa: CsoContext[int]) -> None:
    counts = []
    for n in (0, 1, 2, 0, 1, 2):
        mesa.sampler_state(record(n, colliding=True))
        counted = mesa.statistics()
        counts.append((counted.key_collisions, counted.longest_run, counted.hits))
    assert counts == [(0, 1, 0), (1, 2, 0), (3, 3, 0), (5, 3, 1), (6, 3, 2), (6, 3, 3)]
    assert (mesa.statistics().size, mesa.statistics().buckets) == (3, 17)


def defect(mesa: CsoContext[int]) -> None:
    """Pin the oldest of five states of one word, and let the sixth start a run."""
    mesa.set_samplers("fragment", [record(0, colliding=True)])
    for n in range(1, 6):
        mesa.sampler_state(record(n, colliding=True))


def test_the_newest_of_its_word_is_lost_in_place_of_the_pinned_state(mesa: CsoContext[int], driver: Any) -> None:
    defect(mesa)
    assert driver.deleted() == [3, 2]
    counted = mesa.statistics()
    assert (counted.mispinned, counted.lost, counted.size, counted.live) == (1, 1, 4, 4)
    assert mesa.sampler_state(record(4, colliding=True)) == 6


def test_a_doubled_state_can_be_deleted_while_bound_and_is_never_looked_up_again(
    mesa: CsoContext[int], driver: Any
) -> None:
    """Lost states are deleted at the end."""
    defect(mesa)
    n = 10
    while ["delete", 0] not in driver.events:
        use(mesa, n, colliding=True)
        n += 1
    assert mesa.statistics().deleted_while_bound == 1
    assert mesa.handles("fragment")[0] == 0
    mesa.set_samplers("fragment", [record(0, colliding=True)])
    assert mesa.handles("fragment")[0] not in {None, 0}
    mesa.destroy()
    assert sorted(driver.deleted()) == list(range(mesa.statistics().creates))
    assert mesa.statistics().lost == 0


@pytest.mark.parametrize("seed", range(30))
def test_colliding_runs_are_those_of_the_plain_model(seed: int) -> None:
    random = Random(seed)  # noqa: S311 (a test's dice)
    driver, model = RecordingDriver(), Model(4)
    context = CsoContext(driver, policy="mesa", max_size=4)
    for _ in range(400):
        stage, index = random.choice(("vertex", "fragment")), random.randrange(3)
        data = record(random.randrange(12), colliding=random.random() < 0.7)
        context.single_sampler(stage, index, data)
        model.stage(("vertex", "fragment").index(stage), index, data)
    wanted = [event for event in model.events if event[0] != "bind"]
    assert driver.events == wanted
    counted = context.statistics()
    assert (counted.lost, counted.mispinned) == (len(model.lost()), model.mispinned)
    context.destroy()
    deleted = [event[1] for event in driver.events if event[0] == "delete"]
    assert sorted(map(int, map(str, deleted))) == list(range(counted.creates))


class Node:
    """One node of the plain model's chains."""

    def __init__(self, word: int, data: bytes, handle: int) -> None:
        self.word, self.data, self.handle, self.alive = word, data, handle, True


class Chains:
    """The table as chains of nodes, written out: buckets of lists, walked one node at a time."""

    def __init__(self) -> None:
        self.bits = 0
        self.chains: list[list[Any]] = []
        self.size = 0

    def walk(self) -> Iterator[Any]:
        for chain in self.chains:
            yield from chain

    def rehash(self, bits: int) -> None:
        nodes = list(self.walk())
        self.bits, self.chains = bits, [[] for _ in range(BUCKETS[bits])]
        for node in nodes:
            self.chains[node.word % len(self.chains)].append(node)

    def insert(self, node: Any) -> None:
        if self.size >= len(self.chains):
            self.rehash(max(self.bits + 1, 4))
        chain = self.chains[node.word % len(self.chains)]
        chain.insert(next((i for i, other in enumerate(chain) if other.word == node.word), len(chain)), node)
        self.size += 1

    def take(self, word: int) -> Any:
        chain = self.chains[word % len(self.chains)] if self.chains else []
        seen = next((node for node in chain if node.word == word), None)
        if seen is not None:
            chain.pop(next(i for i, node in enumerate(chain) if node is seen))
            self.size -= 1
            if self.size <= len(self.chains) >> 3 and self.bits > 4:
                self.rehash(max(self.bits - 2, 4))
        return seen

    def drop_first(self) -> Any:
        chain = next(chain for chain in self.chains if chain)
        self.size -= 1
        return chain.pop(0)


class Model:
    """Policy mesa over the chains, two stages of three slots, without a bind."""

    def __init__(self, limit: int) -> None:
        self.limit, self.table = limit, Chains()
        self.slots: list[list[Node | None]] = [[None] * 3, [None] * 3]
        self.events: list[list[object]] = []
        self.made: list[Node] = []
        self.mispinned = 0

    def stage(self, stage: int, index: int, data: bytes) -> None:
        word = 0
        for at in range(0, 32, 4):
            word ^= int.from_bytes(data[at : at + 4], "little")
        node = next((n for n in self.table.walk() if n.data == data and n.alive), None)
        if node is None:
            node = Node(word, data, len(self.made))
            self.made.append(node)
            self.events.append(["create", node.handle, data.hex()])
            self.evict()
            self.table.insert(node)
        self.slots[stage][index] = node

    def evict(self) -> None:
        size = self.table.size
        if size <= self.limit:
            return
        count = size // 4 + size - self.limit
        pinned = [node for slots in self.slots for node in slots if node is not None]
        again = []
        for node in pinned:
            taken = self.table.take(node.word)
            if taken is not None:
                again.append(node)
                self.mispinned += taken is not node
        while count and self.table.size:
            node = self.table.drop_first()
            count -= 1
            if node.alive:
                node.alive = False
                self.events.append(["delete", node.handle])
        for node in reversed(again):
            self.table.insert(node)

    def lost(self) -> list[Node]:
        inside = {id(node) for node in self.table.walk()}
        return [node for node in self.made if node.alive and id(node) not in inside]


class Both:
    """A table and its chains, step by step the same."""

    def __init__(self, words: Iterable[int]) -> None:
        self.table, self.chains = WordTable(), Chains()
        for word in words:
            self.insert(word)

    def insert(self, word: int) -> None:
        record = Record(b"", word, None)
        self.table.insert(record)
        self.chains.insert(record)

    def take(self, word: int) -> None:
        assert self.table.take(word) is self.chains.take(word)

    def drop(self, count: int) -> None:
        assert self.table.drop(count) == [self.chains.drop_first() for _ in range(min(count, self.chains.size))]

    def end(self, size: int | None = None) -> None:
        """All that is left is walked in the same order."""
        assert (self.table.size, self.table.buckets) == (self.chains.size, len(self.chains.chains))
        assert size in {None, self.table.size}
        assert self.table.drop(self.table.size) == list(self.chains.walk())
        assert self.table.longest_run() == 0


@given(
    st.lists(
        st.tuples(st.sampled_from(["insert", "insert", "insert", "take", "drop"]), st.integers(0, 400)), max_size=400
    ),
    st.integers(0, 300),
)
def test_the_table_walks_as_chains_would(steps: list[tuple[str, int]], start: int) -> None:
    both = Both(n * 37 for n in range(start))
    for kind, word in steps:
        getattr(both, kind)(word // 8 if kind == "drop" else word)
    both.end()


@pytest.mark.parametrize("start", [5, 17, 18, 37, 38, 68, 140])
def test_a_take_shrinks_a_table_that_is_an_eighth_full_or_less(start: int) -> None:
    """By two sizes, never below the least; a drop shrinks nothing, however little it leaves."""
    words = [n * 37 % (start - start // 5) for n in range(start)]  # some of them twice
    for left in range(1, start + 1):
        both = Both(words)
        both.drop(start - left)
        assert both.table.longest_run() in {1, 2}
        word = next(both.chains.walk()).word
        both.take(word)
        assert (both.table.size, both.table.buckets) == (left - 1, len(both.chains.chains))
        for again in (word, 1000 + word):
            both.insert(again)
        both.end(left + 1)


def test_bucket_counts_are_the_known_ones() -> None:
    known = [17, 37, 67, 131, 257, 521, 1031, 2053, 4099, 8201, 16409, 32771, 65537]
    assert dict(enumerate(known, start=4)) == BUCKETS
