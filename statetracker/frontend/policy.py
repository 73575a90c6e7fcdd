"""`Policy`: what a front end's user overrides, and which records count as the same state. See docs/policy.md.

Overrides turn a sampler into a sampler (`statetracker.frontend.overrides`), and the record that comes of it into a
record, on purpose. Canonical form changes only members that cannot matter, so that states that look the same share one
object (docs/budget.md).
"""

from __future__ import annotations

from math import isfinite
from struct import Struct
from struct import error as StructError  # noqa: N812 (a class)
from typing import TYPE_CHECKING, Any, Final, TypedDict

from statetracker.errors import ArgumentError, UnknownName
from statetracker.frontend.overrides import MIP_FILTERS, OVERRIDES, asked, changing
from statetracker.gl.facts import TextureFacts
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.pipe.layout import RECORD, SHIFTS
from statetracker.pipe.wraps import READS_BORDER
from statetracker.sampler.rules import ANISOTROPY, BORDER_INTEGER, COMPARE, FUNC, MAG, MIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Unpack

    from statetracker.frontend.overrides import Step
    from statetracker.sampler import Explanation

    Hook = Callable[[Sampler, TextureFacts], Mapping[str, object] | None]

_F32: Final = Struct("<f")

_SWITCH: Final = "True or False"
_NUMBER: Final = "a number"

# fmt: off
#: Field -> its default, and what else it accepts: words, a span of numbers, or a function.
_FIELDS: Final[dict[str, tuple[Any, Any]]] = {
    "force_nearest":           (False, _SWITCH),
    "force_linear":            (False, _SWITCH),
    "force_mip_filter":        (None,  tuple(MIP_FILTERS)),
    "force_anisotropy":        (None,  (1, 16)),
    "force_lod_bias":          (None,  (-16, 16)),
    "override":                (None,  callable),
    "max_anisotropy":          (None,  (0, 31)),
    "drop_nearest_anisotropy": (False, _SWITCH),
    "lod_offset":              (0.0,   (-16, 16)),
    "lod_quantum":             (None,  (1 / 256, 16)),
    "max_states":              (None,  (1, 1e9)),
    "unique_limit":            (None,  (1, 1e9)),
    "when_full":               ("merge", ("merge", "nearest", "raise")),
    "canonical":               (True,  _SWITCH),
}
# fmt: on
#: Overrides that change a record, in the order in which they apply, and what each says of a member that it changed.
REASONS: Final[dict[str, str]] = {
    "drop_nearest_anisotropy": "both image filters are NEAREST",
    "max_anisotropy": "the user's limit",
    "lod_offset": "the user's offset",
    "lod_quantum": "a multiple of the user's step",
    "canonical": "nothing reads it, or -0.0 is 0.0",
}


class PolicyFields(TypedDict, total=False):
    """The keywords of ``Policy(...)`` and of `Policy.replace`; `Policy` says what each is."""

    force_nearest: bool
    force_linear: bool
    force_mip_filter: str | None
    force_anisotropy: float | None
    force_lod_bias: float | None
    override: Hook | None
    max_anisotropy: float | None
    drop_nearest_anisotropy: bool
    lod_offset: float
    lod_quantum: float | None
    max_states: int | None
    unique_limit: int | None
    when_full: str
    canonical: bool


class Policy:
    """A user's overrides.

    The first five attributes leave samplers as they are that read no colours: see
    `statetracker.frontend.overrides.kept`. A policy is hashable and can be pickled where its ``override`` is; a
    function is pickled by its name in its module.

    Args:
        **fields: Any of the attributes.

    Attributes:
        force_nearest: Both image filters become NEAREST, and between mipmaps NEAREST too; GL_CLAMP is then lowered as
            for nearest filtering.
        force_linear: Both image filters become LINEAR; the filter between mipmaps stays. Not together with
            ``force_nearest``.
        force_mip_filter: ``"none"``: level 0 alone; ``"nearest"``, ``"linear"``: between mipmaps, where they are read.
        force_anisotropy: 1 to 16, for samplers whose image filters are both LINEAR after the overrides above, but not
            for rectangles; 1 turns it off.
        force_lod_bias: Levels, in place of the sampler's LOD bias.
        override: A function of the sampler, as GL has it, and its `TextureFacts`: a mapping of fields of `Sampler` to
            change, or None. What it gives wins over all of the above.
        max_anisotropy: The largest anisotropy set; below 2 turns it off; None: no limit.
        drop_nearest_anisotropy: Anisotropy is turned off where both image filters are NEAREST, where GL keeps it.
        lod_offset: Levels added to every LOD bias.
        lod_quantum: min_lod, max_lod and the bias are rounded to multiples of this many levels; None: left alone.
        max_states: How many live states the cache may keep; None: the cache's default.
        unique_limit: How many different states may be live at any moment; None: ``max_states`` alone.
        when_full: At that limit: ``"merge"``: a live state that looks nearly the same is used instead of a new one; if
            there is none, the state unused for longest is deleted. ``"nearest"``: the nearest live state is used.
            ``"raise"``: `SamplerLimitExceeded`.
        canonical: An unused border colour and an inactive compare function become 0, -0.0 becomes 0.0.

    Raises:
        UnknownName: A field that there is not.
        ArgumentError: A value that does not fit.
    """

    __slots__ = tuple(_FIELDS)

    force_nearest: bool
    force_linear: bool
    force_mip_filter: str | None
    force_anisotropy: float | None
    force_lod_bias: float | None
    override: Hook | None
    max_anisotropy: float | None
    drop_nearest_anisotropy: bool
    lod_offset: float
    lod_quantum: float | None
    max_states: int | None
    unique_limit: int | None
    when_full: str
    canonical: bool

    def __init__(self, **fields: Unpack[PolicyFields]) -> None:
        given: dict[str, object] = {**fields}
        for name, (default, _) in _FIELDS.items():
            object.__setattr__(self, name, _checked(name, given.pop(name, default)))
        for unknown in given:
            raise UnknownName("field of Policy", unknown, accepted=", ".join(_FIELDS))
        if self.force_nearest and self.force_linear:
            raise ArgumentError("force_linear", value=True, accepted="False beside force_nearest=True")

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: give the tracker another policy instead."""
        raise AttributeError(f"a Policy never changes; use policy.replace({name}=...)")

    def __copy__(self) -> Policy:
        """Itself, as it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Policy:
        return self

    def __reduce__(self) -> tuple[object, tuple[dict[str, Any]]]:
        """Unpickle as an equal policy."""
        return _restored, ({name: getattr(self, name) for name in _FIELDS},)

    def replace(self, **fields: Unpack[PolicyFields]) -> Policy:
        """Copy with some overrides changed. Fields and errors are as in `Policy`."""
        given: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        given.update(fields)
        return Policy(**given)

    @property
    def changes_samplers(self) -> bool:
        """True where there is an override of samplers, which `overridden` applies."""
        return any(asked(getattr(self, row.name)) for row in OVERRIDES)

    def overridden(self, sampler: Sampler, texture: Texture | TextureFacts) -> Sampler:
        """Return the sampler to convert in place of one: itself where nothing changes. `apply` does the rest.

        Args:
            sampler: As GL has it.
            texture: What it samples, or its facts: a hook is given them.

        Raises:
            ArgumentError: No sampler or texture; or ``override`` gave what no sampler has: the error names it.
        """
        for step in self.steps(sampler, texture):
            sampler = step.sampler
        return sampler

    def steps(self, sampler: Sampler, texture: Texture | TextureFacts) -> Iterator[Step]:
        """Go from override to override as `overridden` does: name, reason, and the sampler from there on."""
        facts = texture.content()[0] if isinstance(texture, Texture) else texture
        if not isinstance(sampler, Sampler) or not isinstance(facts, TextureFacts):
            raise ArgumentError(
                "sampler, texture", (sampler, texture), accepted="a Sampler, and its Texture or its facts"
            )
        return changing({row.name: getattr(self, row.name) for row in OVERRIDES}, sampler, facts)

    def apply(self, record: bytes) -> bytes:
        """Return the record to use in place of one that was made of the `overridden` sampler (36 bytes each).

        Args:
            record: The record.

        Raises:
            ArgumentError: Anything else.
        """
        try:
            word, bias, low, high, red, green, blue, alpha, fmt = RECORD.unpack(record)
        except (StructError, TypeError):
            raise ArgumentError("record", record, accepted="36 bytes: bytes(state)") from None
        if self.drop_nearest_anisotropy or self.max_anisotropy is not None:
            word = self._limited(word)
        if self.lod_offset:
            (bias,) = _F32.unpack(_F32.pack(bias + self.lod_offset))  # what a record between the two steps would hold
        if self.lod_quantum:
            bias, low, high = (_rounded(value, self.lod_quantum) for value in (bias, low, high))
        if self.canonical:
            bias, low, high = bias + 0.0, low + 0.0, high + 0.0  # -0.0 + 0.0 is 0.0
            if not word & COMPARE:
                word &= ~FUNC
            if not word & READS_BORDER:
                word &= ~BORDER_INTEGER
                red = green = blue = alpha = fmt = 0
        return RECORD.pack(word, bias, low, high, red, green, blue, alpha, fmt)

    def explain(self, explanation: Explanation) -> Explanation:
        """Add a step for each member that `apply` changes, named after the override.

        The explanation of ``convert(..., policy=policy)`` has these, and those of overridden samplers.

        Args:
            explanation: Of a conversion of the `overridden` sampler.
        """
        alone = Policy(canonical=False)
        for name, why in REASONS.items():
            applied = alone.replace(**{name: getattr(self, name)}).apply(bytes(explanation.state))
            explanation = explanation.changed_to(applied, rule_name(name), "policy", why)
        return explanation

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
        return isinstance(other, Policy) and all(getattr(self, n) == getattr(other, n) for n in _FIELDS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _FIELDS))

    def __repr__(self) -> str:
        """Return the overrides that are not the default."""
        shown = [f"{n}={getattr(self, n)!r}" for n, (default, _) in _FIELDS.items() if getattr(self, n) != default]
        return f"Policy({', '.join(shown)})"


def _restored(fields: dict[str, Any]) -> Policy:
    return Policy(**fields)


def _rounded(value: float, quantum: float) -> float:
    """Round to a multiple of the quantum, and to 0.0 never -0.0; NaN and infinities stay."""
    return round(value / quantum) * quantum if isfinite(value) else value


def rule_name(override: str) -> str:
    """Return what the steps of an override are called in an explanation: ``policy-force-anisotropy``."""
    return f"policy-{override.replace('_', '-')}"


def _checked(name: str, value: Any) -> Any:  # noqa: ANN401
    default, accepted = _FIELDS[name]
    if value is None and default is None:
        return None
    if accepted == _SWITCH:
        good, words = isinstance(value, bool), _SWITCH
    elif accepted is callable:
        good, words = callable(value), "a function of a sampler and its texture's facts, or None"
    elif isinstance(accepted[0], str):
        good, words = (
            isinstance(value, str) and value in accepted,
            ", ".join(accepted if default else (*accepted, "None")),
        )
    else:
        whole = name in {"max_states", "unique_limit"}
        low, high = accepted
        good, words = not isinstance(value, bool) and isinstance(value, int if whole else int | float), _NUMBER
        words = "a whole number" if whole else words
        if good:
            good, words = low <= value <= high, f"{low:g} to {high:g}"
    if not good:
        raise ArgumentError(name, value, accepted=words)
    return value
