"""What draws in one GL context of a stream, and what the context keeps for it.

Source: docs/streams.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.frontend.stream_assembly import Assembly, AssemblyObjects, AtiShaders
from statetracker.frontend.stream_calls import draws
from statetracker.frontend.stream_draws import Drawer, program_slots, stages_in_use
from statetracker.frontend.stream_framebuffers import Framebuffers
from statetracker.frontend.stream_limits import limits_of
from statetracker.frontend.stream_lists import DisplayLists
from statetracker.frontend.stream_programs import Objects, Programs
from statetracker.frontend.stream_refused import mode_refused, pixels_refused, refused
from statetracker.frontend.stream_waiting import IMMEDIATE_LIKE, Waiting, sets_the_same
from statetracker.gl import Context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statetracker.frontend.stream import StreamCall
    from statetracker.frontend.stream_draws import StreamEvent
    from statetracker.frontend.stream_programs import Analysis
    from statetracker.gl import Slot
    from statetracker.sampler import Converter

__all__ = ["ALPHA_TEST", "Args", "SessionDraws"]

Args: TypeAlias = "list[Any]"
Stages: TypeAlias = "list[tuple[str, Sequence[Slot], bool]]"

_DEPTH_STENCIL: Final = (0x84F9,)
_COLOR: Final = 0x1800
_COPIED: Final = (_COLOR, 0x1801, 0x1802, *_DEPTH_STENCIL)
_RENDER, _FEEDBACK, _SELECT = 0x1C00, 0x1C01, 0x1C02
#: Arrays that make vertices: GL_VERTEX_ARRAY, and attribute 0.
_POSITIONS: Final = (0x8074, 0)
_UNKNOWN: Final = -1
_DIMENSIONS: Final = 3
ALPHA_TEST: Final = 0x0BC0
#: ALPHA_TEST, BLEND, both logic ops, DEPTH_TEST, STENCIL_TEST, FOG: what a plain copy of colours cannot do.
_FRAGMENT_WORK: Final = {ALPHA_TEST, 0x0BE2, 0x0BF1, 0x0BF2, 0x0B71, 0x0B90, 0x0B60}


class SessionDraws:
    """GL's state in a context, its programs, lists and framebuffers, its cache of states; and what draws."""

    def __init__(
        self,
        converter: Converter,
        analysis: Analysis,
        tell: Callable[[StreamEvent], None],
        numbers: Iterator[int],
        *,
        profile: str = "",
        share: SessionDraws | None = None,
        explained: bool = False,
        doubt: Callable[[StreamCall, str], None],
        guessed: Callable[[str], None],
        execute: Callable[[StreamCall], None],
    ) -> None:
        """Start as a new context does; with ``share``, on another's objects."""
        self.context = Context(limits_of(converter, profile))
        self.objects, self.texts, self.lists = Objects(), AssemblyObjects(), DisplayLists()
        if share is not None:
            self.objects, self.texts, self.lists = share.objects, share.texts, share.lists
            for name in ("textures", "samplers", "programs", "defaults"):
                setattr(self.context, name, getattr(share.context, name))
        self.programs = Programs(self.context, analysis, self.objects)
        self.assembly = Assembly(self.context, analysis, self.texts)
        self.ati = AtiShaders(self.context)
        self.framebuffers = Framebuffers()
        self.drawer = Drawer(self.context, converter, tell, numbers, explained=explained)
        self.doubt = doubt
        self.guessed = guessed
        self.execute = execute
        self.vertex_array = 0
        self.arrays: dict[int, set[int]] = {}
        self.render_mode = _RENDER
        self.begun: StreamCall | None = None
        self.inside = 0
        self.vertices = 0
        self.pending: int | None = None
        self.waiting = Waiting()

    # Draws
    def stages(self) -> Stages | None:
        """What a draw would use; None where it would be an error."""
        if not self.framebuffers.drawable:
            return None
        if self.context.limits.profile == "core" and not self.vertex_array:
            return None
        colourless = self.framebuffers.colourless and ALPHA_TEST not in self.context.enabled
        return stages_in_use(self.context, self.programs, self.assembly, self.ati, colourless=colourless)

    def draw(self, number: int) -> None:
        """Convert for a draw."""
        stages = self.stages() if self.drawer.touched else []
        if stages is not None:
            self._name_open()
            self.drawer.draw(number, stages)

    def _name_open(self) -> None:
        """Count the samplers that are taken as used and that the stream says nothing of."""
        if self.drawer.touched:
            for name in self.programs.open():
                self.guessed(f"sampler {name!r} taken as used")

    def flush(self) -> None:
        """Draw what glEnd left waiting."""
        if self.pending is not None:
            number, self.pending = self.pending, None
            self.waiting.drawn()
            self.draw(number)

    def flush_for(self, name: str, args: Mapping[str, Any]) -> None:
        """Draw what glEnd left waiting, unless a call is about to set what is set already."""
        if self.pending is not None and not sets_the_same(self.context, name, args):
            self.flush()

    def _later(self, number: int) -> None:
        """Draw when the next call makes it necessary, but in a display list at once."""
        if self.lists.depth:
            self.flush()
            self.draw(number)
        elif self.pending is None:
            self.pending = number

    def draw_call(self, args: Args, call: StreamCall) -> None:
        """Any call of `DRAWS`."""
        del args
        if not draws(self.plain, call.args) or refused(self.context, self.programs, self.plain, call.args):
            return
        (self._later if self.plain in IMMEDIATE_LIKE else self.draw)(call.number)

    plain = ""

    def begin(self, args: Args, call: StreamCall) -> None:
        """``glBegin``: an error with a mode that cannot be drawn, in a core context, and after a glBegin."""
        if self.whole(call):
            return
        refused = self.context.limits.profile == "core" or mode_refused(self.context, self.programs, args[0])
        self.begun, self.inside, self.vertices = None if refused else call, 0, 0

    def whole(self, call: StreamCall) -> bool:
        """Whether a call is surely between glBegin and glEnd: the stream shows all calls since glBegin."""
        return self.begun is not None and call.number - self.begun.number - 1 <= self.inside

    def array_on(self, args: Args, _call: StreamCall) -> None:
        """``glEnableClientState``, glEnableVertexAttribArray."""
        if args[0] in _POSITIONS:
            self.arrays.setdefault(self.vertex_array, set()).add(args[0])

    def array_off(self, args: Args, _call: StreamCall) -> None:
        """``glDisableClientState``, glDisableVertexAttribArray."""
        self.arrays.get(self.vertex_array, set()).discard(args[0])

    def arrays_unknown(self, _args: Args, _call: StreamCall) -> None:
        """Calls after which glArrayElement is taken to make vertices."""
        self.arrays.setdefault(self.vertex_array, set()).add(_UNKNOWN)

    def render(self, args: Args, _call: StreamCall) -> None:
        """``glRenderMode``: pixel rectangles are drawn in the mode GL_RENDER only."""
        if args[0] in (_RENDER, _FEEDBACK, _SELECT):
            self.render_mode = args[0]

    def end(self, _args: Args, call: StreamCall) -> None:
        """``glEnd``: a draw, if there was a vertex or there may have been one."""
        begun, self.begun = self.begun, None
        if begun is None:
            return
        missing = call.number - begun.number - 1 > self.inside
        if not (self.vertices or missing):
            return
        self._later(call.number)

    def pixels(self, args: Args, call: StreamCall) -> None:
        """``glDrawPixels``: drawn where format and type go together."""
        if not pixels_refused(args[2], args[3]):
            self._rectangle(call, args[0], args[1], 2 if args[2] in _DEPTH_STENCIL else 1)

    def copy_pixels(self, args: Args, call: StreamCall) -> None:
        """``glCopyPixels``: colours are copied without a draw where nothing is done to fragments on the way."""
        if args[4] not in _COPIED:
            return
        blit = args[4] == _COLOR and not (self.context.enabled & _FRAGMENT_WORK) and not self._fragments_made()
        self._rectangle(call, args[2], args[3], 0 if blit else 2 if args[4] in _DEPTH_STENCIL else 1)

    def _fragments_made(self) -> bool:
        """Whether a program or a texture makes fragments."""
        stages = self.stages() or []
        return self.programs.stage_program("fragment") is not None or any(stage == "fragment" for stage, *_ in stages)

    def bitmap(self, args: Args, call: StreamCall) -> None:
        """``glBitmap``."""
        self._rectangle(call, args[0], args[1], 1)

    def raster_position(self, _args: Args, call: StreamCall) -> None:
        """``glRasterPos``: a vertex program runs as in a draw, for all stages; without one, no state is looked at."""
        if self.programs.stage_program("vertex") is not None or self.assembly.program("vertex") is not None:
            self.draw(call.number)

    def _rectangle(self, call: StreamCall, width: int, height: int, own: int) -> None:
        if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
            return
        if self.render_mode != _RENDER:
            return
        stages = self.stages()
        if stages is not None:
            self._name_open()
            self.drawer.draw(call.number, stages)
            if own:
                self.drawer.own(call.number, stages, own)

    def dispatch(self, args: Args, call: StreamCall) -> None:
        """``glDispatchCompute`` and its kin: nothing with 0 groups."""
        program = self.programs.stage_program("compute")
        if program is not None and (len(args) < _DIMENSIONS or all(args)):
            self._name_open()
            self.drawer.draw(call.number, program_slots(program, "compute"))
            self.drawer.touched = True
