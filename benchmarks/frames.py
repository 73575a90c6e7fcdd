"""Measure what a bind costs in frames as programs draw them (``make frames``).

A frame is 1,000 draws, each with `StateTracker.bind` of one set of slots: (sampler, texture) for each unit, two units
if nothing else is said. The driver does nothing, but every state has a handle of its own. A row is the best of its
frames, as ``anchor.c`` gives its best round, once every set has been bound: nanoseconds a bind; the same over what
``anchor.c`` takes for a draw with as many sets and units, and over what a user would write by hand, a dict by kept
tuples of all parameters, with the same driver (`by_hand`); and the slowest frame over the median one, `end_frame` in
both. Rows in ms are of what happens once: a level, an option.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import random
import shutil
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from statistics import mean, median
from time import process_time_ns
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import statetracker as st
from statetracker.benchmarks.measure import Driver
from statetracker.gl.sampler import FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DRAWS: Final = 1_000
FRAMES: Final = 25
FORMATS: Final = ("RGBA8", "R8", "RG8", "RGBA16F")
#: How many slots a program's draws name -> in how many of 35 recorded programs most draws do (tests/data/programs).
SLOTS: Final = {1: 24, 2: 7, 4: 1, 5: 1, 8: 1, 32: 1}
#: States of a recorded program: at the median of 104 of Debian's and PyPI's, at nine in ten of them, the most.
STATES: Final = (2, 3, 15)
#: All that GL keeps for a sampler but the border colour, which is four numbers.
_MEMBERS: Final = tuple(name for name in FIELDS if name != "border_color")
_SCREEN: Final = st.Screen.named("zink-lavapipe")

Sets = list[tuple[Any, ...]]


class Scene:
    """The sets of slots of a row, and how its frames draw them.

    Args:
        sets: Slots of a draw each.
        form: What a frame makes of the sets that it draws.
        animated: Each tenth draw sets a parameter first, to so many values in turn; 0: none does.

    Attributes:
        policy: The tracker's; its budget is large enough if nothing else is said.
    """

    def __init__(self, sets: Sets, form: Callable[[Sets], Sequence[Any]] = list, *, animated: int = 0) -> None:
        self.sets, self.form, self.animated = sets, form, animated
        self.policy = st.Policy(max_states=1 << 16)
        self.draws = DRAWS
        self._chance = random.Random(1)  # noqa: S311
        self._values = itertools.count()

    def chosen(self) -> Sets:
        """Return the sets of a frame: any order, or all of them once where there are more."""
        if len(self.sets) <= DRAWS:
            return self._chance.choices(self.sets, k=self.draws)
        return self._chance.sample(self.sets, len(self.sets))

    def frame(self, tracker: Any, draws: Sequence[Any]) -> None:  # noqa: ANN401 (of any handle)
        """Draw a frame."""
        bind = tracker.bind
        if not self.animated:
            for slots in draws:
                bind("fragment", slots)
            return
        samplers = list({id(one[0][0]): one[0][0] for one in self.sets}.values())
        for at, slots in enumerate(draws):
            if not at % 10:
                turn, number = divmod(next(self._values), len(samplers))
                samplers[number].lod_bias = turn % self.animated * 16 / self.animated
            bind("fragment", slots)


@cache
def texture(number: int) -> st.Texture:
    """Return one of four textures."""
    return st.Texture(internal_format=FORMATS[number], size=(64, 64))


def sets_of(count: int, states: int, sizes: Sequence[int] = (2,)) -> Sets:
    """Make sets of so many slots in turn, whose samplers have so many states, any of them."""
    chance = random.Random(count)  # noqa: S311
    samplers = [st.Sampler(max_lod=number / 64) for number in range(states)]
    return [
        tuple((chance.choice(samplers), texture(chance.randrange(4))) for _ in range(sizes[number % len(sizes)]))
        for number in range(count)
    ]


def of_program(states: int) -> Scene:
    """Return a program as recorded: so many states, and as many slots as recorded programs name."""
    sizes = random.Random(states).choices([*SLOTS], [*SLOTS.values()], k=100)  # noqa: S311
    return Scene(sets_of(100, states, sizes))


def of_states(states: int, sets: int = 100) -> Scene:
    """So many sets of two slots."""
    return Scene(sets_of(sets, states))


def last_shared() -> Scene:
    """Make a scene whose last unit is the same everywhere, as a light map is."""
    sets = sets_of(100, 190)
    return Scene([(*one[:-1], sets[0][-1]) for one in sets])


def tuple_each() -> Scene:
    """400 objects with a tuple each, of 40 contents."""
    return Scene([tuple((own, seen) for own, seen in one) for one in sets_of(40, 190) * 10])


def new_samplers(sets: Sets) -> Sets:
    """Sampler objects and tuples made anew; what they hold is known."""
    return [((st.Sampler(max_lod=one[0][0].max_lod), one[0][1]), *one[1:]) for one in sets]


def shared_by_nine() -> Sets:
    """Nine sets share a first sampler, which an animation changes."""
    own = [st.Sampler(max_lod=500.0 + number / 8) for number in range(12)]
    return [((own[number // 9], one[0][1]), *one[1:]) for number, one in enumerate(sets_of(100, 190))]


def with_a_buffer() -> Sets:
    """Put a buffer texture, which has no sampler, between two units: its slot keeps what it held."""
    buffer = st.Texture("buffer", "RGBA8")
    return [(first, (first[0], buffer), last) for first, last in sets_of(100, 190)]


def limited(scene: Scene, states: int | None) -> Scene:
    """Set the budget of a scene, in states, and return it; None: the default."""
    scene.policy = st.Policy(max_states=states)
    return scene


def new_tuples(sets: Sets) -> Sets:
    """Tuples made anew, of the same pairs."""
    return [(*one[:-1], one[-1]) for one in sets]


#: What a row is -> its scene.
SCENES: Final[dict[str, Callable[[], Scene]]] = {
    **{f"a program of {states} states": partial(of_program, states) for states in STATES},
    **{f"190 states, {sets:,} sets": partial(of_states, 190, sets) for sets in (10, 100, 1_000)},
    "190 states, 16 units": lambda: Scene(sets_of(100, 190, (16,))),
    "4 samplers": partial(of_states, 4),
    "1 sampler for all": partial(of_states, 1),
    "the last unit shared by all": last_shared,
    "sizes 1, 2, 3 mixed": lambda: Scene(sets_of(40, 190, (1, 2, 3))),
    "a buffer texture between": lambda: Scene(with_a_buffer()),
    "a tuple for each object": tuple_each,
    "the same tuple": lambda: Scene(sets_of(1, 2)),
    "another tuple of the same content": lambda: Scene(sets_of(1, 2), new_tuples),
    "new tuples": lambda: Scene(sets_of(100, 190), new_tuples),
    "dicts": lambda: Scene(sets_of(100, 190), lambda sets: [dict(enumerate(one)) for one in sets]),
    "new samplers and tuples": lambda: Scene(sets_of(100, 190), new_samplers),
    "one of ten animated, 16 values": lambda: Scene(shared_by_nine(), animated=16),
    "one of ten animated, a value comes once": lambda: Scene(shared_by_nine(), animated=4093),
    "40,000 sets of 64 states, each once": lambda: limited(Scene(sets_of(40_000, 64)), None),
    "600 sets of 1,200 states, a budget of 1,024": lambda: limited(Scene(sets_of(600, 1_200)), 1_024),
    "3,000 sets of 6,000 states, a budget of 1,024": lambda: limited(Scene(sets_of(3_000, 6_000)), 1_024),
}


def key_by_hand(sampler: st.Sampler, texture: st.Texture) -> tuple[Any, ...]:
    """Return what a state depends on, as a user would put it together: kept beside the sampler, so it costs nothing."""
    return (*(getattr(sampler, name) for name in _MEMBERS), *sampler.border_color, texture)


def by_hand(draws: Sequence[tuple[Any, ...]], handles: dict[Any, int], driver: Driver) -> None:
    """Draw as a user would by hand: one dict of handles, and a bind where they are others than before."""
    bound: tuple[int, ...] = ()
    for keys in draws:
        found = []
        for key in keys:
            handle = handles.get(key)
            if handle is None:
                handle = handles[key] = driver.create_sampler_state(b"")
            found.append(handle)
        now = tuple(found)
        if now != bound:
            driver.bind_sampler_states("fragment", 0, now)
            bound = now


class Row(NamedTuple):
    """One measurement: nanoseconds a bind, or, where there is no slowest frame, of what happens once."""

    what: str
    sets: int
    ns: float
    times_c: float | None
    times_dict: float | None
    slowest: float | None


def measured(what: str, c_ns: Callable[[int, int], float | None]) -> Row:
    """Draw the frames of a scene, and take the best."""
    scene = SCENES[what]()
    known = {id(pair): key_by_hand(*pair) for one in scene.sets for pair in one}
    times, hands, wholes = [], [], []
    handles: dict[Any, int] = {}
    driver = Driver()
    tracker: Any = st.StateTracker(_SCREEN, Driver(), policy=scene.policy)
    gc.collect()  # of what the rows before have left
    frames = FRAMES if len(scene.sets) <= 10 * DRAWS else 5
    for frame in range(2 * frames):
        chosen = scene.chosen()
        draws, keys = scene.form(chosen), [tuple(known[id(pair)] for pair in one) for one in chosen]
        start = process_time_ns()
        by_hand(keys, handles, driver)
        middle = process_time_ns()
        scene.frame(tracker, draws)
        bound = process_time_ns()
        tracker.end_frame()
        if frame >= frames:  # every set has been bound by now
            hands.append((middle - start) / len(draws))
            times.append((bound - middle) / len(draws))
            wholes.append((process_time_ns() - middle) / len(draws))
    ns, c = min(times), c_ns(len(scene.sets), round(mean(map(len, scene.sets))))
    hand = None if scene.animated else ns / min(hands)
    return Row(what, len(scene.sets), ns, c and ns / c, hand, max(wholes) / median(wholes))


def once() -> Iterator[Row]:
    """Time what happens once: a level that is loaded, an option that is changed, a texture that is made."""

    def row(what: str, sets: Sets, work: Callable[[], object]) -> Row:
        gc.collect()  # of what the rows before have left
        start = process_time_ns()
        work()
        return Row(what, len(sets), process_time_ns() - start, None, None, None)

    def each_once(tracker: Any, sets: Sets) -> Callable[[], object]:  # noqa: ANN401 (of any handle)
        return lambda: [tracker.bind("fragment", one) for one in sets]

    samplers = [st.Sampler(max_lod=number / 64) for number in range(2_000)]
    sets = [((samplers[2 * n], texture(n % 4)), (samplers[2 * n + 1], texture(0))) for n in range(1_000)]
    tracker: Any = st.StateTracker(_SCREEN, Driver(), policy=st.Policy(max_states=1 << 16))
    yield row("new sets of 2,000 states, first bind", sets, each_once(tracker, sets))
    yield row("the same, second bind", sets, each_once(tracker, sets))
    few, tracker = sets[:300], st.StateTracker(_SCREEN, Driver())
    each_once(tracker, few)()

    def change() -> None:
        tracker.policy = st.Policy(max_anisotropy=4)
        each_once(tracker, few)()

    yield row("an option changed, and the frame after it", few, change)
    yield row("the next frame", few, each_once(tracker, few))
    yield row("1,000 textures made", [], lambda: [st.Texture("2d", "RGBA8", (64, 64)) for _ in range(1_000)])


def compiled(folder: Path) -> Callable[[int, int], float | None]:
    """Compile anchor.c: what gives nanoseconds a draw of so many sets and units; None without a C compiler."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        return lambda _sets, _units: None
    program, source = folder / "anchor", Path(__file__).with_name("anchor.c")
    subprocess.run([compiler, "-O2", "-o", program, source], check=True)  # noqa: S603 (the machine's compiler)

    @cache
    def run(sets: int, units: int) -> float:
        ran = subprocess.run([program, str(sets), str(units)], check=True, capture_output=True, text=True)  # noqa: S603 (just compiled)
        return float(ran.stdout)

    return run


def rows(select: str) -> Iterator[Row]:
    """Measure every row whose name has ``select``."""
    with tempfile.TemporaryDirectory() as folder:
        c_ns = compiled(Path(folder))
        for what in SCENES:
            if select in what:
                yield measured(what, c_ns)
    yield from (row for row in once() if select in row.what)


def main() -> int:
    """Print a table that grows row by row, or a line of JSON each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--json", action="store_true", help="a line of JSON each")
    options = parser.parse_args()
    if not options.json:
        sys.stdout.write(f"{'frame':48}{'sets':>7}{'ns':>9}{'x C':>7}{'x dict':>8}{'slowest':>9}\n")
    for row in rows(options.only):
        if options.json:
            line = json.dumps(row._asdict())
        elif row.slowest is None:
            line = f"{row.what:48}{row.sets:>7,}{row.ns / 1e6:>9.2f} ms"
        else:
            ratios = ("" if one is None else f"{one:.1f}" for one in (row.times_c, row.times_dict))
            line = "{:48}{:>7,}{:>9,.0f}{:>7}{:>8}{:>9.2f}".format(row.what, row.sets, row.ns, *ratios, row.slowest)
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
