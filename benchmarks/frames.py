"""What a bind costs in frames as front ends draw them (``make frames``): hundreds of materials, in any order.

A frame is 1,000 draws, each with `StateTracker.bind` of one material: a tuple of (sampler, texture) for each unit. The
driver does nothing, but every state has a handle of its own. A row is the median of its frames, once all materials have
been met: nanoseconds a bind, the same in calls of an empty function (measured right before each frame), the same over
what ``anchor.c`` takes for a draw with as many materials and units (left out where there is no C compiler), the empty
calls with `end_frame` shared among the binds, and the slowest frame over the median one.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any, NamedTuple

import statetracker as st
from statetracker.benchmarks.measure import Driver

DRAWS = 1_000
WARM_UP = 24  # frames until all materials have come several times
FRAMES = 25
FORMATS = ("RGBA8", "R8", "RG8", "RGBA16F")
BUDGET = 1_024


class Scene:
    """Materials and the samplers that an animation changes, of which every nine materials share one.

    states   how many different ones the samplers of the materials have; 0: each its own
    """

    def __init__(self, materials: int, units: int, budget: int, states: int = 0) -> None:
        states = states or materials * units
        self.chance = random.Random(1)  # noqa: S311
        self.textures = [st.Texture(internal_format=name, size=(64, 64)) for name in FORMATS]
        self.animated = [st.Sampler(max_lod=500.0 + n / 8) for n in range(materials // 9 + 1)]
        self.materials = [
            tuple((self.sampler((units * n + unit) % states), self.textures[(n + unit) % 4]) for unit in range(units))
            for n in range(materials)
        ]
        self.shared = [((self.animated[n // 9], one[0][1]), *one[1:]) for n, one in enumerate(self.materials)]
        self.lit = [(*one[:-1], self.materials[0][-1]) for one in self.materials]
        self.sizes = [[one, one[:1], (*one, one[0])][n % 3] for n, one in enumerate(self.materials)]
        self.lods = itertools.count()
        screen, policy = st.Screen.named("zink-lavapipe"), st.Policy(max_states=budget)
        self.tracker = st.StateTracker(screen, Driver(), policy=policy)

    def sampler(self, number: int) -> st.Sampler:
        """One whose state no other number has."""
        return st.Sampler(max_lod=number / 64)

    def any(self, materials: list[Any]) -> list[Any]:
        """The draws of a frame, in any order."""
        return self.chance.choices(materials, k=DRAWS)

    def bind(self, draws: list[Any]) -> None:
        """A frame."""
        bind = self.tracker.bind
        for slots in draws:
            bind("fragment", slots)

    def bind_and_animate(self, draws: list[Any], values: int = 4093) -> None:
        """A frame in which every tenth draw sets a parameter first, each sampler's to so many values in turn."""
        bind, animated = self.tracker.bind, self.animated
        for at, slots in enumerate(draws):
            if not at % 10:
                turn, number = divmod(next(self.lods), len(animated))
                animated[number].lod_bias = turn % values * 16 / values
            bind("fragment", slots)

    def one_order(self) -> list[Any]:
        """The same draws in the same order every frame."""
        return (self.materials * (DRAWS // len(self.materials) + 1))[:DRAWS]

    def anew(self) -> list[Any]:
        """A sampler object and a tuple made anew for every draw; what they hold is known."""
        return [
            ((self.sampler(len(one) * n), one[0][1]), *one[1:])
            for n, one in self.chance.choices(list(enumerate(self.materials)), k=DRAWS)
        ]


class Row(NamedTuple):
    """One measurement."""

    how: str
    materials: int
    units: int
    bind_ns: float
    empty_calls: float
    times_c: float | None
    empty_calls_with_end_frame: float
    slowest_frame: float


#: How -> what a frame draws, from the scene; the method that draws it.
WAYS: dict[str, tuple[Callable[[Scene], list[Any]], Callable[[Scene, list[Any]], None]]] = {
    "same order": (Scene.one_order, Scene.bind),
    "shuffled": (lambda scene: scene.any(scene.materials), Scene.bind),
    "last unit shared by all": (lambda scene: scene.any(scene.lit), Scene.bind),
    "sizes mixed": (lambda scene: scene.any(scene.sizes), Scene.bind),
    "new tuples": (lambda scene: [(*one[:-1], one[-1]) for one in scene.any(scene.materials)], Scene.bind),
    "dicts": (lambda scene: [dict(enumerate(one)) for one in scene.any(scene.materials)], Scene.bind),
    "one of ten animated, 16 values": (
        lambda scene: scene.any(scene.shared),
        lambda scene, draws: scene.bind_and_animate(draws, 16),
    ),
    "one of ten animated, a value comes once": (lambda scene: scene.any(scene.shared), Scene.bind_and_animate),
    "sampler and tuple new": (Scene.anew, Scene.bind),
}


def empty() -> None:
    """What everything is compared with."""


def empty_call_ns() -> float:
    """Nanoseconds an empty call, in a loop like a frame's."""
    start = process_time_ns()
    for _ in range(DRAWS):
        empty()
    return (process_time_ns() - start) / DRAWS


def measure(
    how: str, materials: int, units: int, c_ns: float | None, *, budget: int = 1 << 16, states: int = 0, name: str = ""
) -> Row:
    """Draw frames, and take their medians."""
    scene = Scene(materials, units, budget, states)
    draws_of, draw = WAYS[how]
    times: list[tuple[float, float, float]] = []
    gc.collect()  # of what the rows before have left
    for frame in range(WARM_UP + FRAMES):
        draws = draws_of(scene)
        unit = min(empty_call_ns() for _ in range(3))
        start = process_time_ns()
        draw(scene, draws)
        bound = process_time_ns()
        scene.tracker.end_frame()
        if frame >= WARM_UP:
            times.append(((bound - start) / DRAWS, (process_time_ns() - start) / DRAWS, unit))
    each = median(bind for bind, _, _ in times)
    return Row(
        name or how,
        materials,
        units,
        each,
        median(bind / unit for bind, _, unit in times),
        c_ns and each / c_ns,
        median(whole / unit for _, whole, unit in times),
        max(whole / unit for _, whole, unit in times) / median(whole / unit for _, whole, unit in times),
    )


def rows(select: str) -> Iterator[Row]:
    """Measure every row whose name has ``select``."""
    with tempfile.TemporaryDirectory() as folder:
        anchor = compiled(Path(folder))
        in_c: dict[tuple[int, int], float | None] = {}
        for how, units, materials in itertools.product(WAYS, (2, 16), (10, 100, 1_000)):
            if select in how:
                known = in_c.setdefault((materials, units), anchor(materials, units))
                yield measure(how, materials, units, known)
        for materials, states in ((3_000, 1_000), (3_000, 6_000), (600, 1_200)):
            name = f"shuffled, {states:,} states, a budget of {BUDGET:,}"
            if select in name:
                known = anchor(materials, 2)
                yield measure("shuffled", materials, 2, known, budget=BUDGET, states=states, name=name)


def compiled(folder: Path) -> Callable[[int, int], float | None]:
    """Compile anchor.c: what gives nanoseconds a draw; None each where there is no C compiler."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        return lambda _materials, _units: None
    program, source = folder / "anchor", Path(__file__).with_name("anchor.c")
    subprocess.run([compiler, "-O2", "-o", program, source], check=True)  # noqa: S603 (the machine's compiler)

    def run(materials: int, units: int) -> float:
        ran = subprocess.run(  # noqa: S603 (just compiled)
            [program, str(materials), str(units)], check=True, capture_output=True, text=True
        )
        return float(ran.stdout)

    return run


def main() -> int:
    """Print a table that grows row by row, or a line of JSON each."""
    from rich.console import Console

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--json", action="store_true", help="a line of JSON each")
    options = parser.parse_args()
    console = Console(width=110, highlight=False)
    if not options.json:
        console.print(f"{'frame':52}{'materials x units':>18}{'ns':>8}{'calls':>7}{'x C':>6}{'+ end':>7}{'slowest':>9}")
    without_c = False
    for row in rows(options.only):
        without_c |= row.times_c is None
        if options.json:
            sys.stdout.write(json.dumps(row._asdict()) + "\n")
            sys.stdout.flush()
            continue
        times = "" if row.times_c is None else f"{row.times_c:.0f}"
        console.print(
            f"{row.how:52}{row.materials:>12,} x {row.units:<3}{row.bind_ns:>8,.0f}{row.empty_calls:>7.1f}{times:>6}"
            f"{row.empty_calls_with_end_frame:>7.1f}{row.slowest_frame:>9.2f}"
        )
    if without_c and not options.json:
        console.print("There is no C compiler (cc, gcc, clang): the ratios to C are left out.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
