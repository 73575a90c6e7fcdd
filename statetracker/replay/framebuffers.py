"""Framebuffer objects of a context: they decide whether a draw is an error.

A framebuffer without any attachment is incomplete, and so is one that GL reported as incomplete since it last changed.
Other causes of incompleteness are not modelled. Source: docs/streams.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.gl.names import glenum
from statetracker.replay.calls import handled, integers, nothing

if TYPE_CHECKING:
    from statetracker.replay.calls import Handlers
    from statetracker.trace.apitrace import DumpCall

_READ: Final = glenum("GL_READ_FRAMEBUFFER")
_DRAW: Final = glenum("GL_DRAW_FRAMEBUFFER")
_BOTH: Final = glenum("GL_FRAMEBUFFER")
_COMPLETE: Final = glenum("GL_FRAMEBUFFER_COMPLETE")
_DEFAULT_SIZES: Final = (glenum("GL_FRAMEBUFFER_DEFAULT_WIDTH"), glenum("GL_FRAMEBUFFER_DEFAULT_HEIGHT"))
_NONE: Final = glenum("GL_NONE")
#: What glDrawBuffer may choose of a window, and of an object.
_OF_WINDOW: Final = range(glenum("GL_FRONT_LEFT"), glenum("GL_AUX3") + 1)
_OF_OBJECT: Final = range(glenum("GL_COLOR_ATTACHMENT0"), glenum("GL_COLOR_ATTACHMENT7") + 1)


class _Framebuffer:
    def __init__(self) -> None:
        self.attached: set[object] = set()
        self.status: int | None = None


class Framebuffers:
    """A context's framebuffers, and which one draws go to."""

    def __init__(self) -> None:
        self.drawn = 0
        self.read = 0
        self.objects: dict[int, _Framebuffer] = {}
        self._colourless: set[int] = set()

    glGenFramebuffers = glCreateFramebuffers = nothing

    def glBindFramebuffer(self, target: int, name: int) -> None:
        if target in (_BOTH, _DRAW):
            self.drawn = name
        if target in (_BOTH, _READ):
            self.read = name

    def glDeleteFramebuffers(self, _count: int, names: object) -> None:
        """The one that is bound gives way to the window."""
        for name in integers(names):
            self.objects.pop(name, None)
            self._colourless.discard(name)
            self.drawn = 0 if name == self.drawn else self.drawn
            self.read = 0 if name == self.read else self.read

    def _of(self, call: DumpCall, target: int) -> int:
        """The framebuffer that a call is about: the one bound to its target, or its first argument is a name."""
        return target if "Named" in call.name else self.read if target == _READ else self.drawn

    def _attach(self, framebuffer: int, attachment: object, image: object) -> None:
        if framebuffer > 0:
            state = self.objects.setdefault(framebuffer, _Framebuffer())
            state.status = None
            (state.attached.add if image else state.attached.discard)(attachment)

    def glFramebufferTexture(self, call: DumpCall, target: int, attachment: object, *_image: object) -> None:
        self._attach(self._of(call, target), attachment, call.args.get("texture", call.args.get("renderbuffer")))

    def glFramebufferParameteri(self, call: DumpCall, target: int, pname: int, value: int) -> None:
        """A default size stands for attachments."""
        if pname in _DEFAULT_SIZES:
            self._attach(self._of(call, target), pname, value > 0)

    def glCheckFramebufferStatus(self, call: DumpCall, target: int, *_target: int) -> None:
        """The status that GL reported decides."""
        framebuffer = self._of(call, target)
        if framebuffer > 0 and isinstance(call.result, int):
            self.objects.setdefault(framebuffer, _Framebuffer()).status = call.result

    def glDrawBuffer(self, call: DumpCall, *args: Any) -> None:  # noqa: ANN401 (as the stream has them)
        """With GL_NONE, fixed function samples nothing but for the alpha test."""
        framebuffer, chosen = args[0] if "Framebuffer" in call.name else self.drawn, args[-1]
        buffers = chosen if type(chosen) is tuple else (chosen,)
        there = _OF_OBJECT if framebuffer else _OF_WINDOW
        if all(buffer == _NONE or buffer in there for buffer in buffers):
            colourless = all(buffer == _NONE for buffer in buffers)
            (self._colourless.add if colourless else self._colourless.discard)(framebuffer)

    @property
    def colourless(self) -> bool:
        """Whether colours are drawn nowhere: the draw buffer is GL_NONE."""
        return self.drawn in self._colourless

    @property
    def drawable(self) -> bool:
        """Whether a draw into the bound framebuffer is no error."""
        if self.drawn == 0:
            return True
        state = self.objects.get(self.drawn)
        if state is None:
            return False
        return state.status == _COMPLETE if state.status is not None else bool(state.attached)


_IMAGES: Final = ("Texture", "Texture1D", "Texture2D", "Texture3D", "TextureLayer", "TextureFace", "Renderbuffer")

_DRAW_BUFFERS: Final = [f"gl{of}DrawBuffer{s}" for of in ("", "Framebuffer", "NamedFramebuffer") for s in ("", "s")]
_ATTACHED: Final = [f"gl{of}Framebuffer{image}" for of in ("", "Named") for image in _IMAGES]

CALLS: Final[Handlers] = {
    **handled(Framebuffers),
    **dict.fromkeys(_DRAW_BUFFERS, Framebuffers.glDrawBuffer),
    **dict.fromkeys(_ATTACHED, Framebuffers.glFramebufferTexture),
    "glFramebufferTexture2DMultisample": Framebuffers.glFramebufferTexture,
    "glFramebufferTextureMultiview": Framebuffers.glFramebufferTexture,
    "glNamedFramebufferParameteri": Framebuffers.glFramebufferParameteri,
    "glCheckNamedFramebufferStatus": Framebuffers.glCheckFramebufferStatus,
}
