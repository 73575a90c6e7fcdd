"""`inspect`: a recorded program replayed, with a look at every draw and every call that sets something; `Inspection`.

The replay is the one of `statetracker.replay`; nothing of GL is decided here. `as_page` makes one HTML file that needs
no network: findings, frames, states with their pictures; it needs the extras ``report`` (jinja2, Pillow) and ``batch``
(NumPy). See docs/inspect.md.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.findings.lookups import FRAME_COUNTS, Watching
from statetracker.findings.rules import SEVERITIES, by_rule
from statetracker.gl.limits import PROFILES
from statetracker.pages import filled
from statetracker.replay.dumps import STATE, DumpReplay, counted
from statetracker.sampler import converter
from statetracker.spellings import looked_up
from statetracker.trace.apitrace import open_dump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.findings.rules import Finding
    from statetracker.findings.settings import StageUse, Use

#: Findings of a severity that text shows.
_SHOWN: Final = 20
#: States with a picture on the page; the others are only named.
_PICTURES: Final = 60
_SIZE: Final = 96
_BARS: Final = 240
_COLOURS: Final = {"creates": "#1f77b4", "binds": "#2ca02c", "errors": "#c62828", "vain": "#e69100", "draws": "#7e57c2"}


class Inspection(NamedTuple):
    """The answer of `inspect`.

    Attributes:
        path: The dump.
        screen: The one that the states are made for.
        calls: How many there are.
        draws: How many of them draw.
        rejected: Draws that are errors: nothing is drawn.
        contexts: How many; of several, findings and uses name theirs.
        frames: What each did, by the names of `FRAME_COUNTS`; they end at swaps.
        findings: The worst first.
        uses: The states that draws need, in order of their first draws.
        summary: What the replay says of itself: what it guessed, what it does not model.
        problems: Calls that could not be replayed.
        stages: What the stages of draws sample with, in order of their first draws.
        left_out: Findings beyond the most that are kept.
        sampler_states: Number of different ones that draws use, as `DumpReplay.states` counts them.
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
    rejected: int = 0
    contexts: int = 1
    stages: tuple[StageUse, ...] = ()
    left_out: int = 0
    sampler_states: int = 0

    @property
    def severities(self) -> dict[str, list[Finding]]:
        """Each severity, the worst first -> its findings."""
        return {kind: [one for one in self.findings if one.severity == kind] for kind in SEVERITIES}

    @property
    def faults(self) -> int:
        """Number of findings that are wrong or undefined: they are so on every device."""
        return sum(one.severity in ("wrong", "undefined") for one in self.findings)

    @property
    def right(self) -> bool:
        """True where nothing is wrong or undefined."""
        return not self.faults

    @property
    def distinct(self) -> int:
        """Number of different settings of GL samplers that the draws need, whatever the texture and the unit."""
        return len({use.sampler.content() for use in self.uses})

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        data = self._asdict()
        del data["stages"]  # of `statetracker budget`
        states = [use.to_dict() for use in data.pop("uses")]
        own = {"screen": self.screen.name, "findings": [one.to_dict() for one in self.findings]}
        return {"file": data.pop("path"), **data, **own, "states": states, "samplers": self.distinct}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    @property
    def counts(self) -> str:
        """``120 calls, 3 draws, 2 rejected draws, 1 frame, 1 context, 4 different sampler states``."""
        rejected = f", {counted(self.rejected, 'rejected draw')}" if self.rejected else ""
        drawn = f"{counted(self.calls, 'call')}, {counted(self.draws, 'draw')}{rejected}"
        where = f"{counted(len(self.frames), 'frame')}, {counted(self.contexts, 'context')}"
        return f"{drawn}, {where}, {counted(self.sampler_states, STATE)}"

    def _lines(self) -> Iterator[str]:
        uses = counted(len(self.uses), "combination")
        yield f"{self.counts}; {uses} of texture format and sampler settings, with {self.distinct:,} different settings"
        for kind, findings in self.severities.items():
            if findings:
                yield f"\n{kind.upper()}: {SEVERITIES[kind]}"
            for rule, alike in by_rule(findings[:_SHOWN]).items():
                for one in alike:
                    yield f"  {one}"
                    if one.code:
                        yield f"      {one.code}"
                yield f"      {rule.advice}"
            if len(findings) > _SHOWN:
                yield f"  and {len(findings) - _SHOWN:,} more: --json has all"
        if not self.findings:
            yield "nothing was found"


def inspect(
    path: str | Path, *, screen: Screen | None = None, dialect: str = "mesa22", profile: str = ""
) -> Inspection:
    """Replay a dump, and say what is wrong with what it asks of textures, what is wasted, and which states it needs.

    Args:
        path: An apitrace dump, plain or gzip.
        screen: The one that its states are made for; None: llvmpipe's.
        dialect: Whose rules make them.
        profile: Of contexts whose creation the dump does not show; "" is the screen's.

    Raises:
        RecordingError: It cannot be read.
        UnknownName: An unknown dialect or profile.
    """
    if profile:
        looked_up("profile", profile, PROFILES)
    path, chosen = str(path), screen or Screen.named("llvmpipe")
    replay = Watching(converter(chosen, dialect), profile)
    run = DumpReplay(path, replay.converter, replay=replay)
    for _ in run:
        pass
    notes, texts, contexts = replay.settings.notes, dict[int, str](), max(1, len(replay.lookups) - 1)
    only = " of context 1" if contexts == 1 else ""
    found = notes.findings(replay.swaps)
    for use in replay.uses.values():
        use.textures = {name.removesuffix(only): None for name in use.textures}
    if Path(path).is_file():  # and no pipe, which is read once
        with open_dump(path) as dump:
            texts = dump.texts({one.call for one in found})
    return Inspection(
        path=path,
        screen=chosen,
        calls=replay.calls,
        draws=replay.draws,
        frames=tuple({name: frame[name] for name in FRAME_COUNTS} for frame in replay.frames),
        findings=tuple(
            one._replace(subject=one.subject.removesuffix(only), code=texts.get(one.call, "")) for one in found
        ),
        uses=tuple(replay.uses.values()),
        summary=tuple(run.summary()),
        problems=tuple(run.problems),
        rejected=sum(look.rejected for look in replay.lookups.values()),
        contexts=contexts,
        stages=tuple(replay.stages.values()),
        left_out=notes.left_out,
        sampler_states=run.states,
    )


def as_page(made: Inspection, device: Screen | None = None, lines: Sequence[str] = ()) -> str:
    """Return the page's HTML.

    Args:
        made: What `inspect` gave.
        device: Say of each state what becomes of it there.
        lines: Sentences for the top, such as ``str(everywhere(made.uses, made.faults))``.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    from statetracker.findings.devices import looks_right, outcome_on, result_on
    from statetracker.frontend.explained import preview_of
    from statetracker.reference.picture import png, titled

    outcomes = [] if device is None else [outcome_on(use, device) for use in made.uses]
    results = [result_on(use, device or made.screen) for use in made.uses[:_PICTURES]]
    pictures = [png(titled(preview_of(result, size=_SIZE))["asked for"]) for result in results]
    values = {
        "title": Path(made.path).name,
        "made": made,
        "device": device and device.name,
        "right": looks_right(made, outcomes),
        "lines": lines,
        "means": SEVERITIES,
        "by_rule": by_rule,
        "timeline": _timeline(made),
        "states": list(zip_longest(made.uses, outcomes, pictures)),
    }
    return filled(Path(__file__).parent / "page.html.j2", "the page", values)


def _timeline(made: Inspection) -> list[tuple[str, str, int, list[tuple[float, float, float]]]]:
    """Return a row a count that is ever above 0: words, colour, the most in a frame, bars (left, height, width)."""
    step = max(1, -(-len(made.frames) // _BARS))
    rows = []
    for name, words in FRAME_COUNTS.items():
        values = [max(frame[name] for frame in made.frames[n : n + step]) for n in range(0, len(made.frames), step)]
        most = max(values, default=0)
        if most:
            bars = [(n / len(values), value / most, 1 / len(values)) for n, value in enumerate(values) if value]
            rows.append((words, _COLOURS[name], most, bars))
    return rows
