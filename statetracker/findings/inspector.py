"""`inspect`: a recorded program replayed, with a look at every draw and every call that sets something; `Inspection`.

The replay is the one of `statetracker.replay`; nothing of GL is decided here. See docs/inspect.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.findings.lookups import Lookups
from statetracker.findings.rules import RULES, SEVERITIES, Notes
from statetracker.findings.settings import Settings
from statetracker.replay.calls import plain_name
from statetracker.replay.dumps import DumpReplay
from statetracker.replay.streams import StreamReplay
from statetracker.sampler import converter
from statetracker.trace.apitrace import open_dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from statetracker.caps import Screen
    from statetracker.findings.lookups import Use
    from statetracker.findings.rules import Finding
    from statetracker.replay.session import Session
    from statetracker.replay.states import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.apitrace import DumpCall

#: How calls begin that set what textures, samplers and units are.
_SETTING: Final = (
    *("glTexParameter", "glTextureParameter", "glMultiTexParameter", "glSamplerParameter"),
    *("glBindTexture", "glBindMultiTexture", "glBindSampler", "glActiveTexture"),
)
#: What is counted of each frame -> in words.
FRAME_COUNTS: Final = {
    "creates": "sampler states that are new",
    "binds": "changes of what units sample with",
    "errors": "GL errors",
    "vain": "calls that set what is set already",
    "draws": "draws",
}
#: Findings of a severity that text shows.
_SHOWN: Final = 20


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
        left_out: Findings beyond the most that are kept.
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
    left_out: int = 0

    @property
    def severities(self) -> dict[str, list[Finding]]:
        """Each severity, the worst first -> its findings."""
        return {kind: [one for one in self.findings if one.severity == kind] for kind in SEVERITIES}

    @property
    def right(self) -> bool:
        """True where nothing is wrong or undefined."""
        return not any(one.severity in ("wrong", "undefined") for one in self.findings)

    @property
    def distinct(self) -> int:
        """Number of different samplers that the draws need."""
        return len({use.sampler.content() for use in self.uses})

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "file": self.path,
            "screen": self.screen.name,
            "calls": self.calls,
            "draws": self.draws,
            "rejected": self.rejected,
            "contexts": self.contexts,
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

    @property
    def counts(self) -> str:
        """``120 calls, 3 draws, 2 rejected draws, 1 frame, 1 context``."""
        counts = {"call": self.calls, "draw": self.draws, "rejected draw": self.rejected}
        counts |= {"frame": len(self.frames), "context": self.contexts}
        return ", ".join(f"{n:,} {name}{'s' * (n != 1)}" for name, n in counts.items() if n or name != "rejected draw")

    def _lines(self) -> Iterator[str]:
        yield f"{self.counts}; {len(self.uses):,} different lookups with {self.distinct:,} different samplers"
        for kind, findings in self.severities.items():
            if not findings:
                continue
            yield ""
            yield f"{kind.upper()}: {SEVERITIES[kind]}"
            shown = findings[:_SHOWN]
            for rule in dict.fromkeys(one.rule for one in shown):
                for one in shown:
                    if one.rule == rule:
                        yield f"  {one}"
                        if one.code:
                            yield f"      {one.code}"
                yield f"      {RULES[rule].advice}"
            if len(findings) > _SHOWN:
                yield f"  and {len(findings) - _SHOWN:,} more: --json has all"
        if not self.findings:
            yield "nothing was found"


class _Watching(StreamReplay):
    """A replay whose calls and draws are looked at."""

    def __init__(self, made: Converter, profile: str) -> None:
        self.notes = Notes()
        self.settings = Settings(self.notes)
        self.uses: dict[object, Use] = {}
        self.lookups: dict[int, Lookups] = {}
        self.counts = Counter[str]()
        self.frames: list[Counter[str]] = []
        self.ends: list[int] = []
        self._before = Counter[str]()
        super().__init__(made, profile=profile)

    def _session(self, profile: str, share: Session | None) -> Session:
        session = super()._session(profile, share)
        number = len(self.lookups)
        where = f" of context {number}" if number else ""  # the first stands for calls without one
        look = self.lookups[id(session)] = Lookups(session, self.notes, self.settings, self.uses, self.guesses, where)
        session.states.watch, session.draws.refused = look.drawn, look.refused
        return session

    def _handler(self, name: str) -> Callable[[DumpCall], None]:
        handler, plain = super()._handler(name), plain_name(name)
        if not name.startswith("gl") or name.startswith(("glGet", "glIs")):
            return handler
        if plain.startswith(_SETTING):
            return partial(self._set, plain, handler)
        return partial(self._switched if plain == "glEnable" else self._checked, plain, handler)

    def _taken(self) -> list[StreamEvent]:
        events = super()._taken()
        self.counts.update(type(event).__name__.lower() for event in events)
        return events

    def _swap(self, call: DumpCall) -> None:
        super()._swap(call)
        if call.name.endswith("SwapBuffers"):
            self.end_frame(type(event).__name__.lower() for event in self._events)
            self.ends.append(call.number)
            self.settings.frame += 1

    def end_frame(self, waiting: Iterable[str] = ()) -> None:
        """Keep what the frame did; ``waiting`` are events that were not taken yet."""
        now = self.counts + Counter(waiting) + Counter(draws=self.draws)
        self.frames.append(now - self._before)
        self._before = now

    def _checked(self, name: str, handler: Callable[[DumpCall], None], call: DumpCall) -> None:
        """Execute a call, and note its GL errors."""
        messages = self.contexts.current(call.thread).context.messages
        messages.clear()
        handler(call)
        for one in messages:
            self.notes.add(("error", name, f"{one.error}: {one.message}", None), call.number)
        self.counts["errors"] += bool(messages)

    def _switched(self, name: str, handler: Callable[[DumpCall], None], call: DumpCall) -> None:
        """Execute a glEnable, and note where it makes cubes seamless."""
        session = self.contexts.current(call.thread)
        before = session.context.seamless
        self._checked(name, handler, call)
        if session.context.seamless and not before:
            self.lookups[id(session)].seamless_at = call.number

    def _set(self, name: str, handler: Callable[[DumpCall], None], call: DumpCall) -> None:
        """Execute a call that sets something; note what it set, or that it was set already."""
        session = self.contexts.current(call.thread)
        executed = session.vertices.begun is None and not session.lists.compiling and not session.lists.running
        before = self.settings.now(session.context)
        self._checked(name, handler, call)
        if executed and not session.context.messages:
            where = self.lookups[id(session)].where
            self.counts["vain"] += self.settings.take(where, session.context, name, call, before)


def inspect(path: str, *, screen: Screen | None = None, dialect: str = "mesa22", profile: str = "") -> Inspection:
    """Replay a dump, and say what is wrong with what it asks of textures, what is wasted, and which states it needs.

    Args:
        path: An apitrace dump, plain or gzip.
        screen: The one that its states are made for; None: llvmpipe's.
        dialect: Whose rules make them.
        profile: Of contexts whose creation the dump does not show; "" is the screen's.

    Raises:
        RecordingError: It cannot be read.
    """
    from statetracker.caps import Screen

    chosen = screen or Screen.named("llvmpipe")
    replay = _Watching(converter(chosen, dialect), profile)
    run = DumpReplay(path, replay.converter, replay=replay)
    for _ in run:
        pass
    replay.end_frame()
    for look in replay.lookups.values():
        look.finish()
    replay.settings.finish()
    found, texts, contexts = replay.notes.findings(), dict[int, str](), max(1, len(replay.lookups) - 1)
    only = " of context 1" * (contexts == 1)
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
            one._replace(
                subject=one.subject.removesuffix(only),
                frame=1 + bisect_left(replay.ends, one.call),
                code=texts.get(one.call, ""),
            )
            for one in found
        ),
        uses=tuple(replay.uses.values()),
        summary=tuple(run.summary()),
        problems=tuple(run.problems),
        rejected=sum(look.rejected for look in replay.lookups.values()),
        contexts=contexts,
        left_out=replay.notes.left_out,
    )
