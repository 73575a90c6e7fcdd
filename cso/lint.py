"""`lint`: whether a cache's key function is one, tried on boundary, random and neighbouring states.

A key must be the same for equal states, wherever they lie and however they were made, and another for different ones;
and the same in another interpreter, which has other random hashes. States are compared by bytes, as the cache does:
-0.0 and 0.0 are two states, and a NaN equals itself. What is wrong is shrunk to the members that matter, all others 0.
See docs/cso.md.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import defaultdict
from itertools import permutations
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.pipe.layout import LAYOUTS, TAIL, WORD0
from statetracker.pipe.state import SamplerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    KeyFunction = Callable[[SamplerState], object]

#: A state: the number of each member of word 0, then the words after it.
_Values: TypeAlias = tuple[int, ...]

#: Place in `_Values` -> the member; a border colour has four.
_PLACES: Final = (*(f.name for f in WORD0), *(f.name for f in TAIL for _ in range(f.words)))
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
keys, sys.stdout = sys.stdout, sys.stderr  # what a module or a function prints is no key
function = attrgetter(sys.argv[2])(import_module(sys.argv[1]))
for line in sys.stdin:
    print(ascii(function(SamplerState.from_bytes(bytes.fromhex(line)))), file=keys)
"""
_SHRUNK: Final = 300  # colliding pairs that are looked at
_FLAG: Final = "border_color_is_integer"


class Collision(NamedTuple):
    """Two different states with one key.

    Attributes:
        members: Those in which they differ; all others are the same, and as few as possible are not 0.
        first: One state.
        second: The other.
        key: What the function gave for both.
    """

    members: tuple[str, ...]
    first: SamplerState
    second: SamplerState
    key: object

    def __str__(self) -> str:
        """``lod_bias -0.0 and 0.0``, and what else is set."""
        differ = ", ".join(f"{m} {_shown(self.first, m)} and {_shown(self.second, m)}" for m in self.members)
        return f"{differ}{_others(self.first, self.members)}"


class Fault(NamedTuple):
    """A state for which there is no good key.

    Attributes:
        kind: Raises, unhashable; unequal: equal states have different keys; unequal-hash: equal keys have different
            hashes; other-process: another interpreter gives another key.
        detail: The exception, or the two keys.
    """

    kind: str
    state: SamplerState
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}{_others(self.state, ())}"


class KeyReport(NamedTuple):
    """The result of `lint`; print it.

    Attributes:
        left_out: Members that never change the key.
        collisions: One example for each set of members; of a member that is left out too.
        faults: One for each kind.
        states: How many different states were tried.
        elsewhere: Whether another interpreter was asked: empty, or why not.
    """

    left_out: tuple[str, ...]
    collisions: tuple[Collision, ...]
    faults: tuple[Fault, ...]
    states: int
    elsewhere: str

    @property
    def ok(self) -> bool:
        """True where nothing is wrong."""
        return not (self.collisions or self.faults)

    def __str__(self) -> str:
        lines = [f"left out: {', '.join(self.left_out)}"] * bool(self.left_out)
        lines += [f"one key: {collision}" for collision in self.collisions]
        lines += map(str, self.faults)
        lines.append(f"{self.states:,} states tried: {'a key' if self.ok else 'no key'}")
        return "\n".join(lines)


def lint(
    key_function: KeyFunction, *, layout: str = "22.3", ignored: Iterable[str] = (), seed: int = 0, count: int = 2000
) -> KeyReport:
    """Try a key function.

    Args:
        key_function: A `SamplerState` in, the key out; always a new object, also for a state it has seen.
        layout: The release whose members count: ``22.3``, ``21.2``, ``21.0``, ``seed``.
        ignored: Members that shall not count, as the driver does not look at them; they are 0.
        seed: Of the random states; the same seed and count give the same report.
        count: How many random states.

    Raises:
        ArgumentError: An unknown layout or member.
    """
    counted = _counted(layout, tuple(ignored))
    tried = _Trial(key_function)
    families = list(_candidates(random.Random(seed), count, counted))  # noqa: S311 (the same states every time)
    for family in families:
        for values in family.states:
            tried.look(values)
    collisions = tried.collisions()
    left_out = _left_out(tried, families)
    elsewhere = _keys_elsewhere(key_function, [_state_of(values) for values in list(tried.keys)[:200]])
    faults = tuple(tried.faults.values())
    if elsewhere.differs is not None:
        state, ours, theirs = elsewhere.differs
        faults += (Fault("other-process", state, f"{ours} here, {theirs} in another interpreter"),)
    return KeyReport(left_out, collisions, faults, len(tried.keys), elsewhere.why_not)


def _counted(layout: str, ignored: tuple[str, ...]) -> tuple[str, ...]:
    if layout not in LAYOUTS:
        raise ArgumentError("layout", layout, accepted=", ".join(LAYOUTS))
    members = tuple(dict.fromkeys(_PLACES))
    unknown = [name for name in ignored if name not in members]
    if unknown:
        raise ArgumentError("ignored", unknown, accepted=", ".join(members))
    row = LAYOUTS[layout]
    lacks = {*ignored, *row.dropped} - ({_FLAG} if row.flag_word is not None and _FLAG not in ignored else set())
    lacks |= set() if row.has_format else {"border_color_format"}
    return tuple(name for name in members if name not in lacks)


class _Trial:
    """The keys so far; ``faults``: kind -> the first of its kind."""

    def __init__(self, function: KeyFunction) -> None:
        self._function = function
        self.keys: dict[_Values, Any] = {}
        self.faults: dict[str, Fault] = {}

    def look(self, values: _Values) -> None:
        """Ask for the key of a state, and keep it where it is one."""
        if values in self.keys:
            return
        kind, detail, key = self._asked(values)
        self.keys[values] = None if kind else (key,)
        if kind and kind not in self.faults:
            least = _least(values, lambda one: self._asked(one)[0] == kind)
            self.faults[kind] = Fault(kind, _state_of(least), self._asked(least)[1] or detail)

    def _asked(self, values: _Values) -> tuple[str, str, object]:
        """Return what is wrong (nothing: empty), in words, and the key."""
        states = _state_of(values), _state_of(values)  # both are alive, so that no address comes again
        try:
            one, two = map(self._function, states)
        except Exception as error:  # noqa: BLE001 (whatever a user's function raises)
            return "raises", f"{type(error).__name__}: {error}", None
        try:
            hashes = hash(one), hash(two)
        except TypeError as error:
            return "unhashable", str(error), None
        if one != two:
            return "unequal", f"equal states have the keys {_short(one)} and {_short(two)}", None
        if hashes[0] != hashes[1]:
            return "unequal-hash", f"{_short(one)} has the hashes {hashes[0]} and {hashes[1]}", None
        return "", "", one

    def one_key(self, first: _Values, second: _Values) -> bool:
        """Return whether two different states have one key."""
        if first == second:
            return False
        (kind, _, one), (other_kind, _, two) = self._asked(first), self._asked(second)
        return not kind and not other_kind and one == two

    def collisions(self) -> tuple[Collision, ...]:
        """Return the colliding pairs, shrunk; one for each set of members."""
        same: defaultdict[object, list[_Values]] = defaultdict(list)
        for values, key in self.keys.items():
            if key is not None:
                same[key[0]].append(values)
        pairs = [(group[0], other) for group in same.values() for other in group[1:]]
        pairs.sort(key=lambda pair: len(_differing(*pair)))
        by_members: dict[tuple[str, ...], Collision] = {}
        for first, second in pairs[:_SHRUNK]:
            if any(set(members) <= set(_differing(first, second)) for members in by_members):
                continue  # an example with fewer members is there
            least, other = self._least_pair(first, second)
            members, key = _differing(least, other), self._asked(least)[2]
            by_members.setdefault(members, Collision(members, _state_of(least), _state_of(other), key))
        return tuple(by_members.values())

    def _least_pair(self, first: _Values, second: _Values) -> tuple[_Values, _Values]:
        """Make members equal, then 0, as long as the key stays one for both."""
        for place in range(len(_PLACES)):
            both = _with(second, place, first[place])
            if self.one_key(first, both):
                second = both
        for place in range(len(_PLACES)):
            if first[place] == second[place]:
                less, other = (_with(one, place, 0) for one in (first, second))
                if self.one_key(less, other):
                    first, second = less, other
        return first, second


def _left_out(tried: _Trial, families: list[Any]) -> tuple[str, ...]:
    """Members that were varied alone and never changed the key."""
    counts: dict[str, bool] = {}
    for family in families:
        if family.member:
            keys = [tried.keys[values] for values in family.states]
            changes = any(key is None or key != keys[0] for key in keys)
            counts[family.member] = counts.get(family.member, False) or changes
    return tuple(member for member, changes in counts.items() if not changes)


def _least(values: _Values, wrong: Callable[[_Values], bool]) -> _Values:
    """Set members to 0 as long as it stays wrong."""
    for place in range(len(_PLACES)):
        less = _with(values, place, 0)
        if wrong(less):
            values = less
    return values


def _with(values: _Values, place: int, value: int) -> _Values:
    return (*values[:place], value, *values[place + 1 :])


def _differing(first: _Values, second: _Values) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PLACES[n] for n in range(len(_PLACES)) if first[n] != second[n]))


def _shown(state: SamplerState, member: str) -> str:
    value = getattr(state, member)
    return str(getattr(value, "name", value))


def _others(state: SamplerState, members: tuple[str, ...]) -> str:
    """Return the other members that are not 0."""
    zero = _state_of((0,) * len(_PLACES))
    names = [m for m in dict.fromkeys(_PLACES) if m not in members and _shown(state, m) != _shown(zero, m)]
    return f" (where {', '.join(f'{m} is {_shown(state, m)}' for m in names)})" if names else ""


def _short(key: object) -> str:
    text = repr(key)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Family(NamedTuple):
    """States to try; ``member``: the only one in which they differ, or empty."""

    member: str
    states: tuple[_Values, ...]


def _state_of(values: _Values) -> SamplerState:
    """Make a new object of a state."""
    word = sum(value << f.first for f, value in zip(WORD0, values, strict=False))
    words = pack(f"<{len(values) - len(WORD0)}I", *values[len(WORD0) :])
    return SamplerState.from_bytes(pack("<I", word) + words)


def _candidates(chance: random.Random, count: int, members: tuple[str, ...]) -> Iterator[_Family]:
    """Families of states of which only ``members`` are not 0; ``count`` of them are random."""
    free = [n for n, member in enumerate(_PLACES) if member in members]
    zero = (0,) * len(_PLACES)

    def drawn() -> _Values:
        values = list(zero)
        for n in free:
            bits = n >= len(WORD0) and _PLACES[n] != "border_color_format" and chance.random() < 1 / 8
            values[n] = chance.getrandbits(32) if bits else chance.choice(_POOLS[n])
        return tuple(values)

    for base in (zero, *(drawn() for _ in range(_BASES))):
        for n in free:
            yield _Family(_PLACES[n], tuple((*base[:n], value, *base[n + 1 :]) for value in _POOLS[n]))
        yield _Family("", tuple(_moved(base, free)))
    yield _Family("", tuple(drawn() for _ in range(count)))


def _moved(base: _Values, free: list[int]) -> Iterator[_Values]:
    """Yield the same words in other places, and one word in two: what folding words together cannot tell apart."""
    words = [n for n in free if n >= len(WORD0) and _PLACES[n] != "border_color_format"]
    for one, two in permutations(words, 2):
        values = list(base)
        values[one], values[two] = base[two], base[one]
        yield tuple(values)
        values[one] = values[two] = _POOLS[one][2]
        yield tuple(values)


class _Elsewhere(NamedTuple):
    """The result of asking another interpreter.

    Attributes:
        why_not: Why no other interpreter was asked; empty where one was.
        differs: A state, its key here and its key there; None where none differs.
    """

    why_not: str
    differs: tuple[SamplerState, str, str] | None = None


def _keys_elsewhere(function: Callable[[SamplerState], object], states: Sequence[SamplerState]) -> _Elsewhere:
    """Compare the keys of some states; only functions that can be imported, and keys of plain values in tuples."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "<nameless>")
    if module in ("", "__main__", None) or "<" in name:
        return _Elsewhere("a function that has no name to import it by")
    try:
        ours = [function(state) for state in states]
    except Exception:  # noqa: BLE001 (whatever a user's function raises: it is reported already)
        return _Elsewhere("it raises")
    if not all(map(_plain, ours)):
        return _Elsewhere("keys that are not plain values")
    keys, why_not = _ran(module, name, states)
    if why_not:
        return _Elsewhere(why_not)
    pairs = zip(states, map(ascii, ours), keys, strict=True)
    return _Elsewhere("", next((row for row in pairs if row[1] != row[2]), None))


def _plain(key: object) -> bool:
    return all(map(_plain, key)) if type(key) is tuple else isinstance(key, _PLAIN)


def _ran(module: str, name: str, states: Sequence[SamplerState]) -> tuple[list[str], str]:
    """Return the keys that another interpreter gives, in ASCII, and why they are not to be had."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    variables = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        ran = subprocess.run(  # noqa: S603 (our own interpreter)
            [sys.executable, "-c", _PROGRAM, module, name],
            input="".join(f"{bytes(state).hex()}\n" for state in states),
            env=variables, capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return [], f"it takes more than {_SECONDS} s there"
    keys = ran.stdout.splitlines()
    failed = ran.returncode or len(keys) != len(states)
    return keys, f"it fails there: {ran.stderr.strip().splitlines()[-1:]}" if failed else ""
