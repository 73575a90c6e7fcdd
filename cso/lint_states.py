"""The states that `statetracker.cso.lint` tries, and the keys that another interpreter gives.

States are neighbours, boundary values, values that move, random bits. The other interpreter has other random hashes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import permutations
from struct import pack, unpack
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from statetracker.pipe.layout import TAIL, WORD0
from statetracker.pipe.state import SamplerState

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

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
_SECONDS: Final = 60
_PLAIN: Final = (int, float, str, bytes, type(None))
_PROGRAM: Final = """
import sys
from importlib import import_module
from operator import attrgetter
from statetracker.pipe.state import SamplerState
function = attrgetter(sys.argv[2])(import_module(sys.argv[1]))
for line in sys.stdin:
    print(ascii(function(SamplerState.from_bytes(bytes.fromhex(line)))))
"""


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
    """Yield the same words in other places, and one word in two: what folding words together cannot tell apart."""
    words = [n for n in free if n >= len(WORD0) and PLACES[n] != "border_color_format"]
    for one, two in permutations(words, 2):
        values = list(base)
        values[one], values[two] = base[two], base[one]
        yield tuple(values)
        values[one] = values[two] = _POOLS[one][2]
        yield tuple(values)


class Elsewhere(NamedTuple):
    """The result of asking another interpreter.

    Attributes:
        why_not: Why no other interpreter was asked; empty where one was.
        differs: A state, its key here and its key there; None where none differs.
    """

    why_not: str
    differs: tuple[SamplerState, str, str] | None = None


def keys_elsewhere(function: Callable[[SamplerState], object], states: Sequence[SamplerState]) -> Elsewhere:
    """Compare the keys of some states; only functions that can be imported, and keys of plain values in tuples."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "<nameless>")
    if module in ("", "__main__", None) or "<" in name:
        return Elsewhere("a function that has no name to import it by")
    try:
        ours = [function(state) for state in states]
    except Exception:  # noqa: BLE001 (whatever a user's function raises: it is reported already)
        return Elsewhere("it raises")
    if not all(map(_plain, ours)):
        return Elsewhere("keys that are not plain values")
    ran = _ran(module, name, states)
    if ran.returncode:
        return Elsewhere(f"it fails there: {ran.stderr.strip().splitlines()[-1:]}")
    for state, here, there in zip(states, map(ascii, ours), ran.stdout.splitlines(), strict=True):
        if here != there:
            return Elsewhere("", (state, here, there))
    return Elsewhere("")


def _plain(key: object) -> bool:
    return all(map(_plain, key)) if type(key) is tuple else isinstance(key, _PLAIN)


def _ran(module: str, name: str, states: Sequence[SamplerState]) -> subprocess.CompletedProcess[str]:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    variables = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    lines = "".join(f"{bytes(state).hex()}\n" for state in states)
    return subprocess.run(  # noqa: S603 (our own interpreter)
        [sys.executable, "-c", _PROGRAM, module, name],
        input=lines, env=variables, capture_output=True, text=True, check=False, timeout=_SECONDS,
    )  # fmt: skip
