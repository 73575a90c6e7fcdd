"""Differences of two recordings: two drivers, or two versions of one, on the same GL calls.

Cases are matched by their calls, those with the same calls in their order. A change is a member, a GL error or the
presence of a state that differs between the recordings; where our own conversion for the two screens and dialects
changes in the same way, the rule that sets the member is named, otherwise the change is unexplained.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from statetracker.conformance.judge import Judge
from statetracker.errors import RecordingError, StateTrackerError
from statetracker.pipe import SamplerState
from statetracker.replay.comparison import expected_record
from statetracker.trace import Case, CaseFile, Problem, open_cases
from statetracker.trace.recording_file import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator


class Change(NamedTuple):
    """One difference in one case: its member, both recorded values, and the rule that explains it."""

    case: object
    what: str
    first: object
    second: object
    reason: str


@dataclass(eq=False)
class Comparison:
    """Everything that changed.

    Attributes:
        matched: Cases that both recordings have.
        only: Cases that just one has: (first, second).
        changes: `Change` items, in the first recording's order.
        problems: Lines of either file that could not be read: the first 1,000.
    """

    matched: int = 0
    same: int = 0
    only: tuple[int, int] = (0, 0)
    changes: list[Change] = field(default_factory=list)
    problems: Kept[Problem] = field(default_factory=Kept)

    def counts(self) -> Counter[tuple[str, str]]:
        """Count changes by (what, reason)."""
        return Counter((change.what, change.reason) for change in self.changes)


def compare_recordings(first: str, second: str) -> Comparison:
    """Compare two recorded case files, the first and the second, by their paths.

    Args:
        first: Path of the earlier recording.
        second: Path of the later one.

    Raises:
        RecordingError: One of the files is no recording.
    """
    comparison, alone = Comparison(), 0
    others: defaultdict[str, deque[tuple[int, dict[str, Any]]]] = defaultdict(deque)
    with open_cases(second) as theirs:
        for place, calls, case in _read(theirs, comparison):
            others[calls].append((place, case))
    judges: tuple[Judge, Judge] | None = None
    with open_cases(first) as mine:
        for place, calls, case in _read(mine, comparison):
            if not others[calls]:
                alone += 1
                continue
            match = others[calls].popleft()
            comparison.matched += 1
            judges = judges or (Judge(mine.header.data), Judge(theirs.header.data))
            changes = list(_changes(case, match[1], judges, (place, match[0])))
            comparison.same += not changes
            comparison.changes += changes
    comparison.only = (alone, sum(map(len, others.values())))
    return comparison


def _read(cases: CaseFile, comparison: Comparison) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield every good case as (place, its calls as text, itself); others are problems."""
    for case in cases:
        if not isinstance(case, Case):
            comparison.problems.add(case)
            continue
        try:
            _members(case.data)
            yield case.place, _calls(case.data), case.data
        except (StateTrackerError, RecursionError) as error:
            comparison.problems.add(Problem(RecordingError(cases.path, case.line, f"case {case.id}: {error}")))


def _calls(case: dict[str, Any]) -> str:
    calls = [[call["fn"], call["args"]] for call in case["calls"]]
    return json.dumps([calls, case.get("shader"), case.get("unit")])


def _changes(
    old: dict[str, Any], new: dict[str, Any], judges: tuple[Judge, Judge], places: tuple[int, int]
) -> Iterator[Change]:
    case, offered = old.get("id"), "what the contexts offer (extensions, profile)"
    for number, (was, now) in enumerate(zip(old["calls"], new["calls"], strict=True)):
        if was.get("err") != now.get("err"):
            yield Change(case, f"error of {was['fn']}", was.get("err"), f"{now.get('err')} (call {number})", offered)
    before, after = _members(old), _members(new)
    if before is None or after is None:
        if before is not after:
            was, now = ("none" if one is None else "bound" for one in (before, after))
            yield Change(case, "state", was, now, "")
        return
    changed = [name for name in before if name in after and repr(before[name]) != repr(after[name])]
    if changed:
        ours = [_ours(judge, case, place) for judge, case, place in zip(judges, (old, new), places, strict=True)]
        for name in changed:
            yield Change(case, name, before[name], after[name], _reason(name, ours))


def _members(case: dict[str, Any]) -> dict[str, object] | None:
    """Return the members that were recorded: from the bytes, else as printed; None where no state was bound.

    The format is always the printed one: its number in the bytes is another in every release.
    """
    printed: dict[str, object] | None = case.get("pipe_sampler_state")
    if case.get("raw") is None:
        return printed
    members = SamplerState.from_bytes(expected_record(case["raw"])).to_dict()
    named = (printed or {}).get("border_color_format")
    return members | {"border_color_format": str(named).removeprefix("PIPE_FORMAT_")} if named else members


def _ours(judge: Judge, case: dict[str, Any], place: int) -> tuple[dict[str, object], dict[str, str]]:
    """Our own members for a case, as recorded ones are spelt, and the last rule that set each."""
    judge.replayer.start(place)
    try:
        result = judge.replayer.run(case)
        if result.record is None:
            return {}, {}
        steps = judge.replayer.explain(result).steps
    except StateTrackerError:
        return {}, {}
    state = SamplerState.from_bytes(result.record)
    return {**state.to_trace(), **state.to_dict()}, {step.field: step.rule for step in steps}


def _reason(name: str, ours: list[tuple[dict[str, object], dict[str, str]]]) -> str:
    """Name the rules that set a member on the two sides, where our own results change too."""
    plain = name.removesuffix(".f")
    (old, old_rules), (new, new_rules) = ours
    if not old or not new or repr(old.get(name)) == repr(new.get(name)):
        return ""
    rules = [rules.get(plain, "") for rules in (old_rules, new_rules)]
    return rules[1] if rules[0] in {rules[1], "from-gl"} else rules[0] if rules[1] == "from-gl" else " -> ".join(rules)
