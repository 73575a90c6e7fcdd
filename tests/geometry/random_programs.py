"""Random back-end programs from a seed: pressure, loops, ifs, predication, partial writes, pairs."""

from __future__ import annotations

from random import Random

from statetracker.geometry.program import MASKS, Destination, Instruction, Program, Source

__all__ = ["random_program"]

_MASKS = tuple(MASKS.values())
_PIECE = 60  # instructions that ifs and loops may span where the reach is bounded


class _Writer:
    """A program being written: the registers there are, the lines, what is open."""

    def __init__(self, random: Random, pairs: float, maybe: float, reach: int | None) -> None:
        self.random, self.pairs, self.maybe, self.reach = random, pairs, maybe, reach
        self.sizes: list[int] = []
        self.made: list[int] = []  # what may be read and written again
        self.lines: list[Instruction] = []
        self.loops = 0

    def fresh(self) -> int:
        self.sizes.append(2 if self.random.random() < self.pairs else 1)
        self.made.append(len(self.sizes) - 1)
        return self.made[-1]

    def forget(self, before: int) -> None:
        """Leave a branch or a loop: elsewhere, what was made in it would be read undefined."""
        if self.reach is not None:
            del self.made[before:]

    def known(self) -> int:
        """A register that has been made: any, or one of the latest."""
        least = 0 if self.reach is None else max(0, len(self.made) - self.reach)
        return self.made[self.random.randrange(least, len(self.made))]

    def source(self) -> Source:
        return Source(self.known(), "".join(self.random.choices("xyzw", k=4)))

    def sources(self, least: int = 0) -> tuple[Source, ...]:
        return tuple(self.source() for _ in range(self.random.randint(least, 3))) if self.sizes else ()

    def add(
        self, op: str, dst: Destination | None = None, srcs: tuple[Source, ...] = (), *, maybe: bool = False
    ) -> None:
        self.lines.append(Instruction(op, dst, srcs, predicated=maybe))

    def define(self) -> None:
        """A new value, or another write to an old one: whole, in part, under a predicate."""
        new = not self.sizes or self.random.random() < 0.4
        srcs = self.sources()
        reg = self.fresh() if new else self.known()
        settled = new and self.reach is not None
        whole = settled or self.random.random() < (0.8 if new else 0.4)
        op = ("mov", "mov", "add", "mad")[len(srcs)] if self.random.random() < 0.8 else "dp4"
        mask = 15 if whole else self.random.choice(_MASKS)
        self.add(op, Destination(reg, mask), srcs, maybe=not settled and self.random.random() < self.maybe)

    def body(self, length: int, depth: int) -> None:
        """Some instructions, with control flow while ``depth`` allows it."""
        end = len(self.lines) + length
        while len(self.lines) < end:
            kind = self.random.random()
            if kind < 0.06 and depth:
                self.branch(max(1, length // 3), depth - 1)
            elif kind < 0.1 and depth:
                self.loop(max(1, length // 3), depth - 1)
            elif kind < 0.13 and self.loops:
                self.add(self.random.choice(["break", "continue"]), maybe=self.random.random() < 0.9)
            elif kind < 0.3:
                self.add("mov_mrf", None, self.sources(1)[:1])
            else:
                self.define()

    def branch(self, length: int, depth: int) -> None:
        before = len(self.made)
        self.add("if")
        self.body(self.random.randint(0, length), depth)
        self.forget(before)
        if self.random.random() < 0.5:
            self.add("else")
            self.body(self.random.randint(0, length), depth)
            self.forget(before)
        self.add("endif")

    def loop(self, length: int, depth: int) -> None:
        before = len(self.made)
        self.add("do")
        self.loops += 1
        self.body(self.random.randint(0, length), depth)
        if self.random.random() < 0.9:
            self.add("break", maybe=True)
            self.body(self.random.randint(0, 3), 0)
        self.loops -= 1
        self.add("while")
        self.forget(before)


def random_program(
    seed: int,
    *,
    length: int = 60,
    values: int = 8,
    pairs: float = 0.0,
    flow: int = 2,
    maybe: float = 0.12,
    reach: int | None = None,
) -> Program:
    """A program from a seed; the same seed and options give the same one.

    ``length``: instructions between the first definitions and the last reads, about. ``values``: values defined at the
    start and read at the end: the pressure. ``pairs``: share of registers of size 2. ``flow``: how deep ifs and loops
    nest; 0: straight-line. ``maybe``: share of writes under a predicate; a value so written lives from the start of the
    program. ``reach``: only the latest so many registers are read and written again, every value is written whole
    before, and ifs and loops stay short: that bounds the pressure; None: all, as they come.
    """
    writer = _Writer(Random(seed), pairs, maybe, reach)  # noqa: S311 (a test's dice)
    for _ in range(values):
        writer.add("mov", Destination(writer.fresh(), 15))
    end = len(writer.lines) + length
    while len(writer.lines) < end:
        writer.body(end - len(writer.lines) if reach is None else _PIECE, flow)
    for reg in writer.random.sample(range(len(writer.sizes)), min(values, len(writer.sizes))):
        writer.add("mov_mrf", None, (Source(reg, "xyzw"),))
    program = Program(tuple(writer.sizes), tuple(writer.lines))
    program.check()
    return program
