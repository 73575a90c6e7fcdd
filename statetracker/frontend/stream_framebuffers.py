"""Framebuffer objects of a stream, as far as they decide whether a draw is an error.

A framebuffer without any attachment is incomplete, and so is one that GL called incomplete since it last changed.
What else makes one incomplete is not worked out. Source: docs/streams.md.
"""

from __future__ import annotations

from typing import Final

__all__ = ["Framebuffers"]

_FRAMEBUFFER: Final = 0x8D40
_READ: Final = 0x8CA8
_DRAW: Final = 0x8CA9
_COMPLETE: Final = 0x8CD5
_DEFAULT_SIZES: Final = (0x9310, 0x9311)
_NONE: Final = 0
#: What glDrawBuffer may choose: FRONT_LEFT to AUX3 of a window, COLOR_ATTACHMENT0 to 7 of an object.
_OF_WINDOW: Final = range(0x400, 0x40D)
_OF_OBJECT: Final = range(0x8CE0, 0x8CE8)


class _Framebuffer:
    def __init__(self) -> None:
        self.attached: set[object] = set()
        self.said: int | None = None


class Framebuffers:
    """A context's framebuffers, and which one draws go to."""

    def __init__(self) -> None:
        self.drawn = 0
        self.read = 0
        self.known: dict[int, _Framebuffer] = {}
        self._colourless: set[int] = set()

    def bind(self, target: int, name: int) -> None:
        """``glBindFramebuffer``."""
        if target in (_FRAMEBUFFER, _DRAW):
            self.drawn = name
        if target in (_FRAMEBUFFER, _READ):
            self.read = name

    def delete(self, names: tuple[int, ...]) -> None:
        """``glDeleteFramebuffers``; the one that is bound gives way to the window."""
        for name in names:
            self.known.pop(name, None)
            self._colourless.discard(name)
            self.drawn = 0 if name == self.drawn else self.drawn
            self.read = 0 if name == self.read else self.read

    def at(self, target: int) -> int:
        """The framebuffer that is bound to a target."""
        return self.read if target == _READ else self.drawn

    def attach(self, framebuffer: int, attachment: object, *, something: bool) -> None:
        """Attach or detach an image."""
        if framebuffer > 0:
            found = self.known.setdefault(framebuffer, _Framebuffer())
            found.said = None
            (found.attached.add if something else found.attached.discard)(attachment)

    def parameter(self, framebuffer: int, pname: int, value: int) -> None:
        """``glFramebufferParameteri``: a default size stands for attachments."""
        if pname in _DEFAULT_SIZES:
            self.attach(framebuffer, pname, something=value > 0)

    def said(self, framebuffer: int, status: object) -> None:
        """Hear what glCheckFramebufferStatus gave."""
        if framebuffer > 0 and isinstance(status, int):
            self.known.setdefault(framebuffer, _Framebuffer()).said = status

    def select(self, framebuffer: int, buffers: tuple[object, ...]) -> None:
        """``glDrawBuffer``, glDrawBuffers; one that the framebuffer does not have is an error."""
        there = _OF_OBJECT if framebuffer else _OF_WINDOW
        if all(buffer == _NONE or buffer in there for buffer in buffers):
            nothing = all(buffer == _NONE for buffer in buffers)
            (self._colourless.add if nothing else self._colourless.discard)(framebuffer)

    @property
    def colourless(self) -> bool:
        """Whether colours are drawn nowhere: the draw buffer is GL_NONE."""
        return self.drawn in self._colourless

    @property
    def drawable(self) -> bool:
        """Whether a draw into the bound framebuffer is no error."""
        if self.drawn == 0:
            return True
        found = self.known.get(self.drawn)
        if found is None:
            return False
        return found.said == _COMPLETE if found.said is not None else bool(found.attached)
