"""`Inspection`: what was found in a recorded program, and the states that it needs, as text and as data.

See docs/inspect.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.findings.rules import RULES, SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen
    from statetracker.findings.lookups import Use
    from statetracker.findings.rules import Finding

#: What is counted of each frame -> in words.
FRAME_COUNTS: Final = {
    "creates": "states created",
    "binds": "binds",
    "errors": "GL errors",
    "vain": "calls in vain",
    "draws": "draws",
}
#: Findings of a severity that text shows.
_SHOWN: Final = 20


class Inspection(NamedTuple):
    """The answer of `inspect`.

    path       the dump
    screen     that the states are made for
    calls, draws   how many there are
    frames     what each did, by the names of `FRAME_COUNTS`; they end at swaps
    findings   the worst first
    uses       the states that draws need, in order of their first draws
    summary    what the replay says of itself: what it guessed, what it does not model
    problems   calls that could not be replayed
    left_out   findings beyond the most that are kept
    """

    path: str
    screen: Screen
    calls: int
    draws: int
    frames: tuple[dict[str, int], ...]
    findings: tuple[Finding, ...]
    uses: tuple[Use, ...]
    summary: tuple[str, ...]
    problems: tuple[str, ...]
    left_out: int = 0

    @property
    def severities(self) -> dict[str, list[Finding]]:
        """Each severity, the worst first -> its findings."""
        return {kind: [one for one in self.findings if one.severity == kind] for kind in SEVERITIES}

    @property
    def right(self) -> bool:
        """Whether nothing is wrong or undefined."""
        return not any(one.severity in ("wrong", "undefined") for one in self.findings)

    @property
    def distinct(self) -> int:
        """How many different samplers the draws need."""
        return len({use.sampler.content() for use in self.uses})

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "file": self.path,
            "screen": self.screen.name,
            "calls": self.calls,
            "draws": self.draws,
            "frames": list(self.frames),
            "findings": [one.to_dict() for one in self.findings],
            "states": [use.to_dict() for use in self.uses],
            "samplers": self.distinct,
            "summary": list(self.summary),
            "problems": list(self.problems),
            "left_out": self.left_out,
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        frames = f"{len(self.frames):,} frame{'s' * (len(self.frames) != 1)}"
        yield (
            f"{self.calls:,} calls, {self.draws:,} draws, {frames}; "
            f"{len(self.uses):,} different lookups with {self.distinct:,} different samplers"
        )
        for kind, findings in self.severities.items():
            if not findings:
                continue
            yield ""
            yield f"{kind.upper()}: {SEVERITIES[kind]}"
            shown = findings[:_SHOWN]
            for rule in dict.fromkeys(one.rule for one in shown):
                yield from (f"  {one}" for one in shown if one.rule == rule)
                yield f"      {RULES[rule].advice}"
            if len(findings) > _SHOWN:
                yield f"  and {len(findings) - _SHOWN:,} more: --json has all"
        if not self.findings:
            yield "nothing was found"
