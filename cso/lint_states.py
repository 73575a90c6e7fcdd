"""The states that `statetracker.cso.lint` tries: neighbours, boundary values, values that move, random bits."""

from __future__ import annotations

from itertools import permutations
from struct import pack, unpack
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.pipe.layout import TAIL, WORD0
from statetracker.pipe.state import SamplerState

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

#: A state: the number of each member of word 0, then the words after it.
Values: TypeAlias = tuple[int, ...]

#: Place in `Values` -> the member; a border colour has four.
PLACES: Final = (*(f.name for f in WORD0), *(f.name for f in TAIL for _ in range(f.words)))
_FLOATS: Final = (0.0, -0.0, 1.0, -1.0, 0.5, 1 / 256, 1.0 + 2**-23, 1.5, 16.0, 1000.0, float("inf"), float("nan"))
_WORDS: Final = {
    "float": tuple(unpack("<I", pack("<f", value))[0] for value in _FLOATS),
    "bits": (0, 0x3F800000, 0x80000000, 1, 0x3F000000, 0x7FC00000, 0xFFFFFFFF),
    "enum": (0, 1, 2, 67, 256),
}
_POOLS: Final = (
    *(tuple(map(int, f.enum)) if f.enum is not None else tuple(range(1 << f.bits)) for f in WORD0),
    *(_WORDS[f.kind] for f in TAIL for _ in range(f.words)),
)
_BASES: Final = 8


class Family(NamedTuple):
    """States to try; ``member``: the only one in which they differ, or empty."""

    member: str
    states: tuple[Values, ...]


def state_of(values: Values) -> SamplerState:
    """Make a new object of a state."""
    word = sum(value << f.first for f, value in zip(WORD0, values, strict=False))
    words = pack(f"<{len(values) - len(WORD0)}I", *values[len(WORD0) :])
    return SamplerState.from_bytes(pack("<I", word) + words)


def candidates(chance: random.Random, count: int, members: tuple[str, ...]) -> Iterator[Family]:
    """Families of states of which only ``members`` are not 0; ``count`` of them are random."""
    free = [n for n, member in enumerate(PLACES) if member in members]
    zero = (0,) * len(PLACES)

    def drawn() -> Values:
        values = list(zero)
        for n in free:
            bits = n >= len(WORD0) and PLACES[n] != "border_color_format" and chance.random() < 1 / 8
            values[n] = chance.getrandbits(32) if bits else chance.choice(_POOLS[n])
        return tuple(values)

    for base in (zero, *(drawn() for _ in range(_BASES))):
        for n in free:
            yield Family(PLACES[n], tuple((*base[:n], value, *base[n + 1 :]) for value in _POOLS[n]))
        yield Family("", tuple(_moved(base, free)))
    yield Family("", tuple(drawn() for _ in range(count)))


def _moved(base: Values, free: list[int]) -> Iterator[Values]:
    """The same words in other places, and one word in two: what folding words together cannot tell apart."""
    words = [n for n in free if n >= len(WORD0) and PLACES[n] != "border_color_format"]
    for one, two in permutations(words, 2):
        values = list(base)
        values[one], values[two] = base[two], base[one]
        yield tuple(values)
        values[one] = values[two] = _POOLS[one][2]
        yield tuple(values)
