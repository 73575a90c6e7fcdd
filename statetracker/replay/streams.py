"""`StreamReplay`: a program's GL calls in, the sampler states that a driver is asked to create and bind out.

Calls come one by one, as `statetracker.trace.open_dump` reads them. Each draw converts the samplers that its stages use
and looks them up in the constant-state cache. A call that makes no sense is reported as a problem, and the replay goes
on. Calls that are not modelled are counted by name. Source: docs/streams.md.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError, MissingExtra, StateTrackerError
from statetracker.gl import Context
from statetracker.replay.calls import IMMEDIATE, Allowance, Spent, at_once, irrelevant, nothing, plain_name
from statetracker.replay.contexts import WINDOW, Contexts, limits_of
from statetracker.replay.draws import NOT_FLUSHING, SWAPS, Pending, sets_the_same
from statetracker.replay.primitives import makes_vertices
from statetracker.replay.session import CALLS, PARTS, WHOLE_CALLS, Session, rule_of
from statetracker.replay.states import States
from statetracker.trace.recording_file import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.cso.statistics import Statistics
    from statetracker.replay.states import StreamEvent
    from statetracker.sampler import Converter
    from statetracker.trace.apitrace import DumpCall

#: What damaged arguments may raise.
_DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    StateTrackerError,
)
#: Has the calls that every context has.
_ANY: Final = Context()
#: Calls that unbind without drawing first what waits since glEnd. Source: docs/streams.md (recorded live).
_UNBINDS_AT_ONCE: Final = {"glBindTextures", "glBindTextureUnit"}
#: Handled calls that are allowed between glBegin and glEnd.
_INSIDE: Final = {"glBegin", "glEnd", "glCallList", "glCallLists", "glEndList"}
#: Arguments that are names of objects, enums, sizes or places wherever they occur.
_WHOLE: Final = frozenset(
    {
        *("texture", "sampler", "unit", "texunit", "program", "shader", "pipeline", "framebuffer", "renderbuffer"),
        *("containerObj", "obj", "programObj", "shaderObj", "list", "range", "base", "buffer", "origtexture", "id"),
        *("target", "internalformat", "format", "type", "pname", "cap", "index", "location", "v0", "samples"),
        *("level", "levels", "width", "height", "depth", "border"),
        *("minlevel", "numlevels", "minlayer", "numlayers"),
    }
)
#: Calls in which an argument of that name is something else.
_EXCEPT: Final = {"glGetActiveUniform": {"type"}}
#: Queries, which change nothing and on which no draw depends, except those that make handles.
_QUERIES: Final = ("glGet", "glIs")
_HANDLES: Final = ("glGetTextureHandle", "glGetTextureSamplerHandle")


class StreamProblem(NamedTuple):
    """A call that could not be replayed.

    Attributes:
        call: Its number.
        line: Its line in the file; 0: not known.
        text: Why.
    """

    call: int
    line: int
    text: str


class StreamReplay:
    """A replay in progress.

    ``calls`` counts what was fed, ``unmodelled`` and ``ignored`` (by family) what was not executed, ``guesses``
    what was executed though the stream does not show all of it. ``problems`` are calls that could not be replayed,
    ``doubts`` calls whose replay may be wrong: the first 1,000 of each, and `Kept.total` of all. ``swaps`` are the
    numbers of the calls that end frames, ``allowance`` is what may still be expanded.

    Args:
        converter: The rules, for a screen.
        explained: Explain each state where it is first made; `Creates.made_for` has it.
        profile: Of contexts whose creation the stream does not show; "" is the screen's.
    """

    def __init__(self, converter: Converter, *, explained: bool = False, profile: str = "") -> None:
        self.converter = converter
        self.explained = explained
        self.calls = 0
        self.unmodelled: Counter[str] = Counter()
        self.guesses: Counter[str] = Counter()
        self.ignored: Counter[str] = Counter()
        self.problems: Kept[StreamProblem] = Kept()
        self.doubts: Kept[StreamProblem] = Kept()
        self.swaps: list[int] = []
        self.allowance = Allowance()
        self.contexts = Contexts(self._session, profile)
        self._events: list[StreamEvent] = []
        self._numbers = count()
        self._handlers: dict[str, Callable[[DumpCall], None]] = {}

    def _session(self, profile: str, share: Session | None) -> Session:
        context = Context(limits_of(self.converter, profile))
        states = States(context, self.converter, self._events.append, self._numbers, explained=self.explained)
        return Session(
            context,
            states,
            self.converter.screen.name,
            guess=self._guess,
            execute=self._execute,
            share=share,
            allowance=self.allowance,
        )

    def _guess(self, what: str) -> None:
        self.guesses[what] += 1

    def feed(self, call: DumpCall) -> list[StreamEvent]:
        """Replay one call; gives its events, and appends to ``problems`` what could not be done.

        Args:
            call: The next one of the stream.

        Raises:
            MissingExtra: GLSL is to be read and pcpp is not there.
        """
        self.calls += 1
        self.allowance.grow()
        try:
            self._execute(call)
        except MissingExtra:
            raise
        except _DAMAGE as error:
            if isinstance(error, Spent) and not error.first:
                return self._taken()
            text = str(error) if isinstance(error, StateTrackerError) else f"the arguments make no sense ({error})"
            self.problems.add(_problem(call, text))
        return self._taken() if self._events else []

    def finish(self) -> list[StreamEvent]:
        """Draw what is pending at the end of the stream."""
        for session in self.contexts.sessions:
            session.draws.flush()
        return self._taken()

    def _taken(self) -> list[StreamEvent]:
        events = self._events[:]
        self._events.clear()
        return events

    def statistics(self) -> list[Statistics]:
        """Return what each context's cache did, in the order of the contexts."""
        return [session.states.cso.statistics() for session in self.contexts.sessions]

    @property
    def draws(self) -> int:
        """Number of draws so far, pixel rectangles and dispatches included."""
        return sum(session.states.draws for session in self.contexts.sessions)

    def _execute(self, call: DumpCall) -> None:
        handler = self._handlers.get(call.name)
        if handler is None:
            handler = self._handlers[call.name] = self._handler(call.name)
        handler(call)

    def _handler(self, name: str) -> Callable[[DumpCall], None]:
        """Return how calls of a name are executed; computed once for each name."""
        if WINDOW.fullmatch(name):
            return self._swap if name in SWAPS else self.contexts.take
        if not name.startswith("gl"):
            return nothing  # of no GL, such as the tracer's memcpy
        plain = plain_name(name)
        key = plain if plain in CALLS else name
        if key in CALLS:
            return self._modelled(key, self._part(key), handled=True)
        family = irrelevant(name)
        if _is_query(name):
            return self._ignoring(name, family or "")
        if _ANY.function(name) is not None:
            return self._modelled(plain, _context(name), handled=False)
        return self._not_modelled if family is None else self._ignoring(name, family)

    def _swap(self, call: DumpCall) -> None:
        if call.name.endswith("SwapBuffers"):
            self.swaps.append(call.number)
        self.contexts.current(call.thread).draws.flush()

    def _not_modelled(self, call: DumpCall) -> None:
        session = self.contexts.current(call.thread)
        if not session.lists.keep(call):
            self.unmodelled[call.name] += 1

    def _ignoring(self, name: str, family: str) -> Callable[[DumpCall], None]:
        """Count calls that no sampler depends on; they may still draw what is pending, or make a vertex."""
        draws, kept, vertex = Pending.rule(name), not at_once(name), makes_vertices(name)

        def ignore(call: DumpCall) -> None:
            session = self.contexts.current(call.thread)
            lists, vertices = session.lists, session.vertices
            self.ignored[family] += 1
            if lists.compiling and kept and (lists.keep(call) if family == IMMEDIATE else lists.compiles_only):
                return
            if draws is not None and draws(session.draws.pending, call.args, vertices.begun is not None):
                session.draws.flush()
            if vertices.begun is not None:
                vertices.refuses(call.number, allowed=True)
                vertices.made += vertex is not None and vertex(session.context, vertices, call.args)

        return ignore

    def _part(self, name: str) -> Callable[[Session, DumpCall], None]:
        """Execute a call by a part of the session; its doubts are kept."""
        part = next(find for find, calls in PARTS if name in calls)
        method, whole = CALLS[name], name in WHOLE_CALLS

        def execute(session: Session, call: DumpCall) -> None:
            args = (call, *call.args.values()) if whole else call.args.values()
            for text in method(part(session), *args) or ():
                self.doubts.add(_problem(call, text))

        return execute

    def _modelled(
        self, name: str, execute: Callable[[Session, DumpCall], None], *, handled: bool
    ) -> Callable[[DumpCall], None]:
        """Execute calls after drawing what is pending; keep them in a list being compiled, refuse them after glBegin.

        ``handled`` means that a part of the session handles it, and not its `gl.Context`.
        """
        flushes, pops = not _is_query(name) and name not in NOT_FLUSHING, name == "glPopAttrib"
        inside, calls_lists = handled and name in _INSIDE, name in ("glCallList", "glCallLists")
        unbinds, rule = name in _UNBINDS_AT_ONCE, rule_of(name, handled=handled)
        whole = _WHOLE - _EXCEPT.get(name, set())

        def run(call: DumpCall) -> None:
            session = self.contexts.current(call.thread)
            draws, vertices = session.draws, session.vertices
            if session.lists.compiling and session.lists.keep(call):
                return
            if vertices.begun is not None:
                if vertices.refuses(call.number, allowed=inside):
                    return
                vertices.made += calls_lists
            waits = flushes and draws.pending.at is not None and not (unbinds and _unbinds(call.args))
            if waits and not sets_the_same(session.context, name, call.args):
                draws.flush()
            if pops:
                draws.pending.forget()
            _check(call.args, whole)
            if isinstance(rule, bool):
                session.states.touched |= rule
                execute(session, call)
                return
            before = rule(session)
            execute(session, call)
            session.states.touched |= before != rule(session)

        return run


def _context(name: str) -> Callable[[Session, DumpCall], None]:
    def execute(session: Session, call: DumpCall) -> None:
        session.context.messages.clear()
        session.context.call(name, *call.args.values())

    return execute


def _is_query(name: str) -> bool:
    return name.startswith(_QUERIES) and not name.startswith(_HANDLES)


def _problem(call: DumpCall, text: str) -> StreamProblem:
    return StreamProblem(call.number, call.line, f"{call.name}: {text}")


def _check(args: Mapping[str, object], whole: frozenset[str]) -> None:
    """Raise `ArgumentError` for an argument that is no whole number and must be one."""
    for name, value in args.items():
        if type(value) is not int and name in whole:
            raise ArgumentError(name, value, accepted="a whole number, or a GL name")


def _unbinds(args: Mapping[str, object]) -> bool:
    names = args.get("textures", args.get("texture"))
    return not any(names) if isinstance(names, tuple) else not names
