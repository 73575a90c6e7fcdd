"""`Policy`: what a front end's user overrides, and which records count as the same state.

A policy turns a record into a record. Overrides change what is sampled, on purpose; canonical form changes only
members that cannot matter, so that states that look the same share one object. Both are pure functions of the bytes.
"""

from __future__ import annotations

from math import copysign
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import ArgumentError
from statetracker.pipe.layout import RECORD, SHIFTS
from statetracker.pipe.wraps import READS_BORDER
from statetracker.sampler.rules import ANISOTROPY, BORDER_INTEGER, COMPARE, FUNC, MAG, MIN, MIP, MIP_LINEAR

if TYPE_CHECKING:
    from statetracker.sampler import Explanation

__all__ = ["Policy"]

_F32: Final = Struct("<f")

_FIELDS: Final[dict[str, Any]] = {
    "force_nearest": False,
    "max_anisotropy": None,
    "drop_nearest_anisotropy": False,
    "lod_offset": 0.0,
    "lod_quantum": None,
    "max_states": None,
    "canonical": True,
}
#: Overrides that change a record, in the order in which they apply, and what each says of a member that it changed.
_WHY: Final[dict[str, str]] = {
    "force_nearest": "the user wants nearest filters",
    "drop_nearest_anisotropy": "both image filters are NEAREST",
    "max_anisotropy": "the user's limit",
    "lod_offset": "the user's offset",
    "lod_quantum": "a multiple of the user's step",
    "canonical": "nothing reads it, or -0.0 is 0.0",
}


class Policy:
    """A user's overrides.

    force_nearest    every image filter becomes NEAREST, a LINEAR mip filter too
    max_anisotropy   the largest anisotropy set; below 2 turns it off; None: no limit
    drop_nearest_anisotropy  turned off where both image filters are NEAREST, as drivers do whose hardware is
                     anisotropic in place of linear only; GL, and this library, keep it
    lod_offset       levels added to every LOD bias
    lod_quantum      min_lod, max_lod and the bias are rounded to multiples of this many levels; None: left alone
    max_states       how many live states the cache may keep; None: the cache's default
    canonical        an unused border colour and an inactive compare function become 0, -0.0 becomes 0.0

    Raises `ArgumentError` for a value that does not fit.
    """

    __slots__ = tuple(_FIELDS)

    force_nearest: bool
    max_anisotropy: float | None
    drop_nearest_anisotropy: bool
    lod_offset: float
    lod_quantum: float | None
    max_states: int | None
    canonical: bool

    def __init__(self, **fields: Any) -> None:  # noqa: ANN401 (checked here)
        """Check and keep the overrides."""
        for name, default in _FIELDS.items():
            object.__setattr__(self, name, _checked(name, fields.pop(name, default)))
        for unknown in fields:
            raise ArgumentError("policy field", unknown, accepted=", ".join(_FIELDS))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: give the tracker another policy instead."""
        raise AttributeError(f"a Policy never changes; use policy.replace({name}=...)")

    def __copy__(self) -> Policy:
        """Itself, as it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Policy:
        """Itself."""
        return self

    def __reduce__(self) -> tuple[object, tuple[dict[str, Any]]]:
        """Unpickle as an equal policy."""
        return _restored, ({name: getattr(self, name) for name in _FIELDS},)

    def replace(self, **fields: Any) -> Policy:  # noqa: ANN401
        """Copy with some overrides changed."""
        return Policy(**({name: getattr(self, name) for name in _FIELDS} | fields))

    def apply(self, record: bytes) -> bytes:
        """Give the record to use in place of one (36 bytes each)."""
        word, bias, low, high, *border, fmt = RECORD.unpack(record)
        if self.force_nearest:
            word &= ~(MIN | MAG | (MIP if word & MIP == MIP_LINEAR else 0))
        word = self._limited(word)
        if self.lod_offset:
            bias += self.lod_offset
        if self.lod_quantum:
            bias, low, high = (_rounded(value, self.lod_quantum) for value in (bias, low, high))
        if self.canonical:
            bias, low, high = bias + 0.0, low + 0.0, high + 0.0  # -0.0 + 0.0 is 0.0
            if not word & COMPARE:
                word &= ~FUNC
            if not word & READS_BORDER:
                word, border, fmt = word & ~BORDER_INTEGER, [0, 0, 0, 0], 0
        return RECORD.pack(word, bias, low, high, *border, fmt)

    def explain(self, found: Explanation) -> Explanation:
        """Add a step for each member that an override changes, named after it, to an explanation of a conversion.

        With ``force_nearest`` a tracker converts a sampler of nearest filters: explain the conversion of that.
        """
        alone = Policy(canonical=False)
        for name, why in _WHY.items():
            applied = alone.replace(**{name: getattr(self, name)}).apply(bytes(found.state))
            found = found.changed_to(applied, f"policy-{name.replace('_', '-')}", "policy", why)
        return found

    def _limited(self, word: int) -> int:
        if self.drop_nearest_anisotropy and not word & (MIN | MAG):
            word &= ~ANISOTROPY
        if self.max_anisotropy is None:
            return word
        most = int(self.max_anisotropy) if self.max_anisotropy >= 2.0 else 0
        if (word & ANISOTROPY) >> SHIFTS["max_anisotropy"] <= most:
            return word
        return word & ~ANISOTROPY | most << SHIFTS["max_anisotropy"]

    def __eq__(self, other: object) -> bool:
        """Same overrides."""
        return isinstance(other, Policy) and all(getattr(self, n) == getattr(other, n) for n in _FIELDS)

    def __hash__(self) -> int:
        """Hash of the overrides."""
        return hash(tuple(getattr(self, name) for name in _FIELDS))

    def __repr__(self) -> str:
        """The overrides that are not the default."""
        shown = [f"{n}={getattr(self, n)!r}" for n, default in _FIELDS.items() if getattr(self, n) != default]
        return f"Policy({', '.join(shown)})"


def _restored(fields: dict[str, Any]) -> Policy:
    return Policy(**fields)


def _rounded(value: float, quantum: float) -> float:
    """Round to a multiple of the quantum; NaN and infinities stay."""
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 (the test for NaN)
        return value
    return copysign(round(value / quantum) * quantum, value)


def _checked(name: str, value: Any) -> Any:  # noqa: ANN401
    kinds: dict[str, tuple[type, str]] = {
        "force_nearest": (bool, "True or False"),
        "drop_nearest_anisotropy": (bool, "True or False"),
        "canonical": (bool, "True or False"),
    }
    if name in kinds:
        kind, words = kinds[name]
        if not isinstance(value, kind):
            raise ArgumentError(name, value, accepted=words)
        return value
    if value is None and _FIELDS[name] is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int if name == "max_states" else int | float):
        raise ArgumentError(name, value, accepted="a whole number" if name == "max_states" else "a number")
    bounds = {"max_anisotropy": (0, 31), "lod_offset": (-16, 16), "lod_quantum": (1 / 256, 16), "max_states": (1, 1e9)}
    low, high = bounds[name]
    if not low <= value <= high:
        raise ArgumentError(name, value, accepted=f"{low:g} to {high:g}")
    return value
