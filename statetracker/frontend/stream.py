"""`StreamReplay`: a stream of a program's GL calls in, what a driver would be told out.

Calls come one by one, as `statetracker.trace.open_dump` reads them; nothing is kept of a call but what GL keeps. Each
draw converts the samplers that its stages use and sends them through the constant-state cache. A call that makes no
sense is a problem, and the next one goes on. What is not modelled is counted by name. Source: docs/streams.md.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statetracker.errors import ArgumentError, MissingExtra, StateTrackerError
from statetracker.frontend.stream_assembly import STAGE_SWITCHES
from statetracker.frontend.stream_calls import IMMEDIATE, at_once, irrelevant, plain_name
from statetracker.frontend.stream_contexts import Contexts, is_window_call
from statetracker.frontend.stream_refused import makes_vertices
from statetracker.frontend.stream_session import CALLS, Session
from statetracker.frontend.stream_session_draws import ALPHA_TEST
from statetracker.frontend.stream_waiting import NOT_FLUSHING, SWAPS, Waiting
from statetracker.gl.tokens import changes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.cso.statistics import Statistics
    from statetracker.frontend.stream_draws import StreamEvent
    from statetracker.frontend.stream_programs import Analysis
    from statetracker.gl import Context
    from statetracker.sampler import Converter

__all__ = ["StreamCall", "StreamProblem", "StreamReplay"]

_DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    StateTrackerError,
)
#: Calls that unbind without drawing first what glEnd left waiting. Source: docs/streams.md (recorded live).
_UNBINDS_AT_ONCE: Final = {"glBindTextures", "glBindTextureUnit"}
#: Calls of `CALLS` after which the next draw looks at its samplers again.
_TOUCHING: Final = (
    *("glUseProgram", "glLinkProgram", "glCreateShaderProgram", "glActiveShader", "glBindProgram", "glDelete"),
    *("glProgramString", "glNamedProgramString", "glBindFragmentShader", "glEndFragmentShader"),
)
#: Calls of `CALLS` that GL takes between glBegin and glEnd.
_WITHIN: Final = ("glBegin", "glEnd", "glCallList", "glCallLists", "glEndList")
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
#: Queries of a context's own, which change nothing and of which the drawing does not depend.
_QUERIES: Final = ("glGet", "glIs")
_HANDLES: Final = ("glGetTextureHandle", "glGetTextureSamplerHandle")


class StreamCall(Protocol):
    """A call of a stream, as `statetracker.trace.DumpCall` is one."""

    @property
    def number(self) -> int:
        """As the stream numbers it: rising, with holes."""
        ...

    @property
    def name(self) -> str:
        """The function."""
        ...

    @property
    def args(self) -> Any:  # noqa: ANN401 (values of any kind)
        """Arguments by name, in order; enums are numbers, arrays tuples."""
        ...

    @property
    def result(self) -> Any:  # noqa: ANN401
        """What it returned, or None."""
        ...

    @property
    def thread(self) -> int | None:
        """The thread, where the stream shows it."""
        ...

    @property
    def line(self) -> int:
        """Where it stands in its file; 0: not known."""
        ...


class StreamProblem(NamedTuple):
    """A call that could not be replayed: its number, its line in the file (0: not known), and why."""

    call: int
    line: int
    text: str


class StreamReplay:
    """A replay in progress.

    converter   whose rules, for which screen
    analysis    reads shader sources
    explained   explain each state where it is first made; `Creates.made_for` has it
    profile     of contexts whose creation the stream does not show; "" is the screen's

    ``calls`` counts what was fed, ``unmodelled`` and ``ignored`` (by family) what was not executed, ``guesses``
    what was executed though the stream does not show all of it.
    """

    def __init__(self, converter: Converter, analysis: Analysis, *, explained: bool = False, profile: str = "") -> None:
        """Start before the first call."""
        self.converter = converter
        self.analysis = analysis
        self.explained = explained
        self.calls = 0
        self.unmodelled: Counter[str] = Counter()
        self.guesses: Counter[str] = Counter()
        self.ignored: Counter[str] = Counter()
        self.problems: list[StreamProblem] = []
        self.doubts: list[StreamProblem] = []
        self._events: list[StreamEvent] = []
        self._numbers = count()
        self._handlers: dict[str, Callable[[StreamCall], None]] = {}
        self.contexts: Contexts[Session] = Contexts(self._session, self._ended, Session.flush, profile)
        self._last = 0

    def _session(self, profile: str, share: Session | None) -> Session:
        return Session(
            self.converter,
            self.analysis,
            self._events.append,
            self._numbers,
            profile=profile,
            share=share,
            explained=self.explained,
            doubt=self._doubt,
            guessed=self._guessed,
            execute=self._execute,
        )

    def _guessed(self, name: str) -> None:
        self.guesses[name] += 1

    def _ended(self, session: Session) -> None:
        session.flush()
        session.drawer.end(self._last)

    def _complain(self, call: StreamCall, text: str) -> None:
        self.problems.append(StreamProblem(call.number, call.line, f"{call.name}: {text}"))

    def _doubt(self, call: StreamCall, text: str) -> None:
        self.doubts.append(StreamProblem(call.number, call.line, f"{call.name}: {text}"))

    def feed(self, call: StreamCall) -> list[StreamEvent]:
        """Replay one call; gives what the driver would be told, and appends to ``problems`` what could not be done."""
        self.calls += 1
        self._last = call.number
        handler = self._handlers.get(call.name)
        if handler is None:
            handler = self._handlers[call.name] = self._handler(call.name)
        try:
            handler(call)
        except MissingExtra:
            raise
        except _DAMAGE as error:
            text = str(error) if isinstance(error, StateTrackerError) else f"the arguments make no sense ({error})"
            self._complain(call, text)
        if not self._events:
            return []
        found = self._events[:]
        self._events.clear()
        return found

    def finish(self) -> list[StreamEvent]:
        """Draw what the end of the stream left waiting."""
        for session in self.contexts.sessions():
            session.flush()
        found = self._events[:]
        self._events.clear()
        return found

    def statistics(self) -> list[Statistics]:
        """What each context's cache did, in the order of the contexts."""
        return [session.drawer.cso.statistics() for session in self.contexts.sessions(ended=True)]

    @property
    def draws(self) -> int:
        """How many draws there were, pixel rectangles and dispatches included."""
        return sum(session.drawer.draws for session in self.contexts.sessions(ended=True))

    def _execute(self, call: StreamCall) -> None:
        """Execute a call of a display list."""
        handler = self._handlers.get(call.name)
        if handler is None:
            handler = self._handlers[call.name] = self._handler(call.name)
        handler(call)

    def _handler(self, name: str) -> Callable[[StreamCall], None]:
        """What to do with calls of a name; found once for each name."""
        if not name.startswith("gl") or is_window_call(name):
            swaps = self._swap if name in SWAPS else None
            return swaps or (self.contexts.take if is_window_call(name) else self._outside)
        plain = plain_name(name)
        own = CALLS.get(name) or CALLS.get(plain)
        if own is not None:
            return self._own_handler(plain if plain in CALLS else name, own)
        probe = self.contexts.current(None).context
        if name.startswith(_QUERIES) and not name.startswith(_HANDLES):
            return self._ignoring(name, irrelevant(name) or "")
        if probe.function(name) is not None:
            return self._gl_handler(name, plain)
        family = irrelevant(name)
        if family is not None:
            return self._ignoring(name, family)
        return self._not_modelled

    def _outside(self, call: StreamCall) -> None:
        """Calls of no GL, such as the tracer's own memcpy."""

    def _swap(self, call: StreamCall) -> None:
        self.contexts.current(call.thread).flush()

    def _not_modelled(self, call: StreamCall) -> None:
        session = self.contexts.current(call.thread)
        if not session.lists.keep(call):
            self.unmodelled[call.name] += 1

    def _ignoring(self, name: str, family: str) -> Callable[[StreamCall], None]:
        rule, kept, vertices = Waiting.rule(name), not at_once(name), makes_vertices(name)

        def ignore(call: StreamCall) -> None:
            session = self.contexts.current(call.thread)
            self.ignored[family] += 1
            if session.lists.compiling and kept:
                kept_only = session.lists.keep(call) if family == IMMEDIATE else session.lists.compiles_only
                if kept_only:
                    return
            if rule is not None and rule(session.waiting, call.args, session.begun is not None):
                session.flush()
            if session.begun is not None:
                session.inside += 1
                arrays = session.arrays.get(session.vertex_array, ())
                session.vertices += vertices is not None and vertices(session.context, arrays, call.args)

        return ignore

    def _own_handler(
        self, plain: str, handler: Callable[[Session, list[Any], StreamCall], None]
    ) -> Callable[[StreamCall], None]:
        quiet = plain in ("glBegin", "glEnd") or plain in NOT_FLUSHING or plain.startswith(_QUERIES)
        handler_of_draw = handler is CALLS["glDrawArrays"]
        touches, within = plain.startswith(_TOUCHING), plain in _WITHIN
        whole = _WHOLE - {"type"} if plain == "glGetActiveUniform" else _WHOLE  # which gives the type back

        def run(call: StreamCall) -> None:
            session = self.contexts.current(call.thread)
            if session.lists.compiling and session.lists.keep(call):
                return
            if session.begun is not None:
                if not within and session.whole(call):
                    session.inside += 1
                    return
                session.inside += 1
                session.vertices += plain in ("glCallList", "glCallLists")
            if not quiet and session.pending is not None:
                session.flush_for(plain, call.args)
            if handler_of_draw:
                session.plain = plain
            elif touches:
                session.drawer.touched = True
            _check(call.args, whole)
            handler(session, list(call.args.values()), call)

        return run

    def _gl_handler(self, name: str, plain: str) -> Callable[[StreamCall], None]:
        unbinds = plain in _UNBINDS_AT_ONCE
        compared = next((what for start, what in COMPARED.items() if plain.startswith(start)), None)
        touches = plain not in UNTOUCHING
        flushes, pops = plain not in NOT_FLUSHING, plain == "glPopAttrib"

        def run(call: StreamCall) -> None:
            session = self.contexts.current(call.thread)
            if session.lists.compiling and session.lists.keep(call):
                return
            if session.begun is not None:
                refused, session.inside = session.whole(call), session.inside + 1
                if refused:
                    return
            if flushes and session.pending is not None and not (unbinds and _unbinds(call.args)):
                session.flush_for(plain, call.args)
            if pops:
                session.waiting.forget()
            _check(call.args)
            context = session.context
            context.messages.clear()
            if compared is None:
                session.drawer.touched |= touches
                context.call(name, *call.args.values())
                return
            before, token = compared(context), changes.last
            context.call(name, *call.args.values())
            session.drawer.touched |= changes.last != token or before != compared(context)

        return run


def _tokens(context: Context) -> object:
    """Nothing but the tokens, which every change of a sampler, a texture or a unit takes one of."""
    del context
    return None


def _switches(context: Context) -> object:
    return context.seamless, context.enabled & STAGE_SWITCHES, ALPHA_TEST in context.enabled


#: How calls of a context begin -> what is compared to know whether they changed anything; any other call did.
COMPARED: Final[Mapping[str, Callable[[Context], object]]] = {
    "glTexParameter": _tokens,
    "glTextureParameter": _tokens,
    "glMultiTexParameter": _tokens,
    "glSamplerParameter": _tokens,
    "glBindTexture": _tokens,
    "glBindMultiTexture": _tokens,
    "glBindSampler": _tokens,
    "glEnable": _switches,
    "glDisable": _switches,
    "glTexEnv": _tokens,
    "glMultiTexEnv": _tokens,
}
#: Calls of a context after which no draw has anything new to look at.
UNTOUCHING: Final = ("glActiveTexture", "glGenTextures", "glGenSamplers", "glCreateSamplers", "glPushAttrib")


def _check(args: Mapping[str, object], whole: frozenset[str] = _WHOLE) -> None:
    """Raise `ArgumentError` for an argument that is no whole number and must be one."""
    for name in whole.intersection(args):
        if type(args[name]) is not int:
            raise ArgumentError(name, args[name], accepted="a whole number, or a GL name")


def _unbinds(args: Mapping[str, object]) -> bool:
    names = args.get("textures", args.get("texture"))
    return not any(names) if isinstance(names, tuple) else not names
