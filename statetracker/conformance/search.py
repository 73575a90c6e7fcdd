"""Random states against a conversion under test, and for each name that differs a state shrunk to it.

States are drawn by `states` and shrunk towards GL's defaults: a counterexample has only the calls that matter.
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import blake2b
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps import Screen
from statetracker.conformance.agreement import Agreement, Counterexample, Oracle, compared_names, of_info
from statetracker.conformance.candidate import Function, Program
from statetracker.conformance.live import Failure
from statetracker.conformance.states import State, as_accepted, shrunk, states
from statetracker.errors import ArgumentError, StateTrackerError
from statetracker.pipe import SamplerState
from statetracker.pipe.state import FIELD_NAMES
from statetracker.replay.comparison import Difference, record_differences
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.vulkan.info import MEMBERS
from statetracker.vulkan.reading import ParsedCreateInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from statetracker.conformance.candidate import Candidate
    from statetracker.frontend import Result

#: Names that are shrunk; of more of them the first state stands as it was drawn, if no shrunk one shows them.
_SHRUNK: Final = 10
#: Hangs after which a program is not asked any more: while states are drawn, and then while they are shrunk.
_HANGS: Final = (3, 10)
_NO_NUMBERS: Final = {"nan", "inf", "-inf"}
#: Member of a create info -> whether a sampler reads it at all; each that is not named is read always.
_READ_IF: Final[dict[str, Callable[[Mapping[str, Any]], bool]]] = {
    "maxAnisotropy": lambda info: bool(info["anisotropyEnable"]),
    "compareOp": lambda info: bool(info["compareEnable"]),
    **dict.fromkeys(
        ("borderColor", "customBorderColor", "format", "components"),
        lambda info: any(info[f"addressMode{axis}"] == _BORDER for axis in "UVW"),
    ),
}
_BORDER: Final = "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER"
#: What an answer that makes no sense raises while it is read.
_NONSENSE: Final = (StateTrackerError, AttributeError, TypeError, ValueError, OverflowError, RecursionError)


def check_case(
    case: Mapping[str, Any] | State | None = None,
    *,
    convert: Callable[..., Any] | Program,
    compare: str = "bytes",
    dialect: str = "mesa22",
    screen: str | Screen = "llvmpipe",
    vulkan_dialect: str = "native",
    count: int = 500,
    seed: int = 1,
    accepted: bool = False,
) -> None:
    """Compare a conversion with ours; a difference is an `AssertionError` with a shrunk counterexample.

    Args:
        case: A description (``sampler``, ``texture``, ``unit``, as a counterexample shows it), or a state of
            `conformance.strategies.states`; None: random states.
        convert: A function of (sampler, texture, screen), which may name ``unit_lod_bias``, ``seamless``, ``glsl130``;
            it gives what is compared, or ``NotImplemented`` for a state that it passes over. Or a `Program`.
        compare: ``bytes``: 36 bytes, a `SamplerState`, or 72 hex digits; ``members``: a mapping, only what it has is
            compared; ``info``: a VkSamplerCreateInfo as a mapping; or names of members with commas between them.
        dialect: Whose rules ours follows.
        screen: A built-in screen by name, a screen file, or any `Screen`.
        vulkan_dialect: Whose rules, for ``info``.
        count: How many random states.
        seed: Which: state n of a seed is always the same.
        accepted: Random states have no values that GL refuses on the screen, such as a wrap that it lacks.

    Raises:
        ArgumentError: Arguments that make no sense, or nothing could be compared.
    """
    candidate = convert if isinstance(convert, Program) else Function(convert)
    oracle = Oracle(screen_of(screen), dialect, compare, vulkan_dialect)
    if case is None:
        agreement = search(candidate, oracle, count=count, seed=seed, accepted=accepted)
        if not agreement.agrees:
            described = agreement.counterexamples[0].state.description() if agreement.examples else {}
            given = {"compare": compare, "dialect": dialect, "screen": screen, "vulkan_dialect": vulkan_dialect}
            usual = signature(check_case).parameters
            words = [f", {name}={value!r}" for name, value in given.items() if value != usual[name].default]
            raise AssertionError(
                f"{agreement}\nagain: check_case({described}, convert={agreement.name}{''.join(words)})"
            )
        return
    compared_names(compare)
    try:
        outcome = compared(candidate, oracle, case if isinstance(case, State) else State.of(case))
    finally:
        candidate.close()
    if outcome is not None and outcome[0].names:
        example = outcome[0]._replace(reasons=_reasons(oracle, outcome[0]))
        raise AssertionError(f"{candidate.name} differs from {oracle}:\n  {example}")


def compared(candidate: Candidate, oracle: Oracle, state: State) -> tuple[Counterexample, tuple[str, ...]] | None:
    """Compare on one state: the outcome, and the names that were compared; None where they passed it over."""
    ours = oracle.convert(state)
    answer = candidate.ask(state, oracle.screen, oracle.compare)
    if answer is NotImplemented:
        return None
    if isinstance(answer, Failure):
        return Counterexample(state, failure=answer), ()
    try:
        read = _of_info if of_info(oracle.compare) else _of_record
        differences, names = read(ours, answer, oracle.compare)
    except _NONSENSE as error:
        detail = f"{answer!r:.60} is no answer: {error}"
        return Counterexample(state, failure=Failure("invalid answer", detail[:240])), ()
    return Counterexample(state, tuple(differences)), names


def search(
    candidate: Candidate,
    oracle: Oracle,
    *,
    count: int,
    seed: int,
    accepted: bool = False,
    watch: Callable[[int], object] | None = None,
) -> Agreement:
    """Compare on random states, and shrink one for each name that differs; ends the program that was asked.

    Args:
        candidate: The conversion under test.
        oracle: Whose rules it is compared with.
        count: How many random states.
        seed: State n of a seed is always the same.
        accepted: As for `check_case`.
        watch: Takes the number of different states so far, each time.

    Raises:
        ArgumentError: An oracle that makes no sense, a program that cannot be started, or nothing could be compared.
    """
    compared_names(oracle.compare)
    oracle.convert(State.of({})).pipe  # noqa: B018 (an unknown dialect is refused before anything is run)
    limits = oracle.screen.gl_limits(release=dialect_named(oracle.dialect).gl_release)
    agreement = Agreement(candidate.name, oracle, seed)
    judge = _Judge(candidate, oracle, agreement)
    first: dict[str, State] = {}
    try:
        for drawn in states(seed, count, candidate.options):
            state = as_accepted(drawn, limits) if accepted else drawn
            first = dict.fromkeys(judge(state), state) | first
            if watch is not None:
                watch(agreement.cases + agreement.skipped)
        judge.shrinking = True
        agreement.differ = Counter({name: agreement.differ[name] for name in sorted(agreement.differ, key=_place)})
        for name in list(agreement.differ)[:_SHRUNK]:

            def shows(smaller: State, name: str = name) -> bool:
                return (not accepted or as_accepted(smaller, limits) is smaller) and name in judge(smaller)

            agreement.examples[name] = judge.example(shrunk(first[name], shows))
        for name in agreement.differ:
            seen = next((one for one in agreement.counterexamples if name in one.names), None)
            agreement.examples.setdefault(name, seen or judge.example(first[name]))
    finally:
        candidate.close()
    if not agreement.cases:
        hint = f"It passed over all {agreement.skipped} states."
        raise ArgumentError("convert", candidate.name, accepted="a conversion that answers", hint=hint)
    return agreement


def screen_of(screen: str | Screen) -> Screen:
    """Return a screen: itself, a built-in one by name, or a file's; raises `UnknownName`, `ScreenError`."""
    if isinstance(screen, Screen):
        return screen
    return Screen.load(screen) if Path(screen).is_file() else Screen.named(screen)


class _Judge:
    """Compares on a state at most once, counts while it is not ``shrinking``, and asks no program that hangs."""

    def __init__(self, candidate: Candidate, oracle: Oracle, agreement: Agreement) -> None:
        self._candidate, self._oracle, self._agreement = candidate, oracle, agreement
        self._known: dict[bytes, Counterexample | None] = {}  # of states that differ; None: of others
        self._hangs = 0
        self.shrinking = False

    def __call__(self, state: State) -> frozenset[str]:
        key = _key(state)
        if key not in self._known:
            if self._hangs >= sum(_HANGS[: 1 + self.shrinking]):
                self._agreement.note = f"asked no more after {self._hangs} answers that did not come in time"
                return frozenset()
            outcome = compared(self._candidate, self._oracle, state)
            known = self._known[key] = outcome[0] if outcome and outcome[0].names else None
            self._hangs += known is not None and known.names == {"hang"}
            if not self.shrinking:
                self._agreement.add(outcome)
        seen = self._known[key]
        return frozenset() if seen is None else seen.names

    def example(self, state: State) -> Counterexample:
        """Return what was seen on a state, with the reasons for ours; one object for each state."""
        key = _key(state)
        seen = self._known[key]
        assert seen is not None
        if not seen.reasons and (reasons := _reasons(self._oracle, seen)):
            seen = self._known[key] = seen._replace(reasons=reasons)
        return seen


def _place(name: str) -> int:
    """Sort failures first, then the members in their order."""
    return FIELD_NAMES.index(name) + 1 if name in FIELD_NAMES else 0


def _key(state: State) -> bytes:
    return blake2b(json.dumps(state.to_dict()).encode(), digest_size=16).digest()


def _of_record(ours: Result, answer: Any, compare: str) -> tuple[list[Difference], tuple[str, ...]]:
    """Compare the members that were chosen; an answer is bytes, hex digits, a record, or a mapping of members."""
    given, names = _record(answer), compared_names(compare)
    if given is None:
        fields = {name: _numbers(value) for name, value in answer.items()}
        given, had = ours.pipe.replace(**fields), tuple(name for name in FIELD_NAMES if name in fields)
        missing = [name for name in names if name not in had] if compare != "members" else had == ()
        if missing:
            raise ValueError(f"it lacks {', '.join(missing) if isinstance(missing, list) else 'members'}")
        names = tuple(name for name in names if name in had)
    every = record_differences(bytes(ours.pipe), bytes(given))
    return [one for one in every if one.what in names or (compare == "bytes" and one.what == "state")], names


def _record(answer: Any) -> SamplerState | None:
    """Read an answer as a record; None for a mapping."""
    if hasattr(answer, "items"):
        return None
    if isinstance(answer, str):
        return SamplerState.from_hex(answer)
    if isinstance(answer, SamplerState):
        return answer
    if isinstance(answer, bytes | bytearray | memoryview):
        return SamplerState.from_bytes(answer)
    raise TypeError("36 bytes, 72 hex digits, a SamplerState or a mapping of members is wanted")


def _of_info(ours: Result, answer: Any, compare: str) -> tuple[list[Difference], tuple[str, ...]]:
    """Compare create infos, member by member; names and numbers of an enum are the same.

    What neither sampler reads, such as the border colour where nothing clamps to it, is not compared.
    """
    if not hasattr(answer, "items"):
        raise TypeError("a mapping of the members of a VkSamplerCreateInfo is wanted")
    mine, made = (dict(_info_members(one)) for one in (ours.vulkan, _numbers(answer)))
    absent = "(not chained)"
    unread = {name for name, reads in _READ_IF.items() if not (reads(mine) or reads(made))}
    names = tuple(name for name in compared_names(compare) if name in {*mine, *made} - unread)
    pairs = ((name, mine.get(name, absent), made.get(name, absent)) for name in names)
    return [Difference(name, old, new) for name, old, new in pairs if repr(old) != repr(new)], names


def _info_members(info: Any) -> Iterator[tuple[str, Any]]:
    reading = ParsedCreateInfo(info)
    for member in MEMBERS:
        yield member.name, member.plain(reading.members[member.name])
    if reading.words is not None:
        yield "customBorderColor", [f"0x{word:08x}" for word in reading.words]
        yield "format", reading.format
    if "reduction" in reading.chain:
        yield "reductionMode", reading.reduction_mode
    if "mapping" in reading.chain:
        yield "components", dict(reading.chain["mapping"].get("components", {}))


def _numbers(value: Any) -> Any:
    """Read texts that stand for numbers, in mappings and lists too."""
    if isinstance(value, str):
        return float(value) if value.lower() in _NO_NUMBERS else value
    if isinstance(value, list):
        return [_numbers(part) for part in value]
    return {name: _numbers(part) for name, part in value.items()} if isinstance(value, dict) else value


def _reasons(oracle: Oracle, example: Counterexample) -> tuple[str, ...]:
    """Return why ours is as it is, where a rule made it so: a sentence for each of the first members."""
    if example.failure is not None:
        return ()
    ours = oracle.convert(example.state)
    steps = (ours.explain_vulkan() if of_info(oracle.compare) else ours.explain()).steps
    last = {step.field: step for step in steps}
    set_by = (last.get(one.what) for one in example.differences[:2])
    texts = [f"ours by {step.rule}: {step.because}" for step in set_by if step is not None and step.rule != "from-gl"]
    return tuple(dict.fromkeys(texts))
