"""Where a difference from Mesa is meant: the departures of docs/departures.md that random calls meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.unit_calls import ENABLE_BIT, TEXTURE_BIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.proofs.gl_calls.sides import Call, Done

__all__ = ["DEPARTURES", "Departure"]


class Departure(NamedTuple):
    """One listed difference.

    Attributes:
        name: Its heading in docs/departures.md.
        applies: Whether a call's difference is this one: the calls made, the call, what Mesa did, what we did.
        ends: Whether the two sides' states differ from here on.
    """

    name: str
    applies: Callable[[Sequence[Call], Call, Done, Done], bool]
    ends: bool = False


def _buffer(_made: Sequence[Call], call: Call, mesa: Done, _own: Done) -> bool:
    """Without a buffer Mesa answers 0 to every question about a level, whatever it is; we have one texel."""
    by_name = call[0].startswith("glGetTextureLevel")  # of which texture, the questions by target say
    if "Level" not in call[0] or not (by_name or "TEXTURE_BUFFER" in call) or not isinstance(mesa.value, tuple):
        return False
    return all(float(value) == 0 for value in mesa.value)


def _samples(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Return whether a driver gives more samples than were asked for."""
    if "TEXTURE_SAMPLES" not in call or not isinstance(mesa.value, tuple) or not isinstance(own.value, tuple):
        return False
    return 0 < float(own.value[0]) < float(mesa.value[0])


def _popped(made: Sequence[Call], call: Call, _mesa: Done, _own: Done) -> bool:
    """Mesa leaves multisample textures bound, GENERATE_MIPMAP where nothing else was set, and some units' biases.

    And it puts the parameters of a name that has another target by then into what is bound in its place.
    """
    names = [part for part in call if isinstance(part, str)]
    several = any("MULTISAMPLE" in name or name in ("GENERATE_MIPMAP", "TEXTURE_LOD_BIAS") for name in names)
    asked = call[0].startswith(("glGet", "glIsEnabled"))
    popped = ("glPopAttrib",) in made
    return asked and ((popped and (several or ("Parameter" in call[0] and _moved(made)))) or _forgotten(made))


def _moved(made: Sequence[Call]) -> bool:
    """Whether a name was bound to a target after it was deleted as a texture of another one."""
    deleted: set[int] = set()
    targets: dict[int, object] = {}
    for name, *arguments in made:
        if name == "glDeleteTextures":
            deleted.update(arguments[1])
        elif name == "glBindTexture":
            before = targets.setdefault(arguments[1], arguments[0])
            if before != arguments[0] and arguments[1] in deleted:
                return True
    return False


def _forgotten(made: Sequence[Call]) -> bool:
    """Whether a group was popped after changes inside another one that did not save as much: Mesa forgets them."""
    masks: list[int] = []
    lost: list[int] = []  # of each group on the stack: what groups further in did not save
    for name, *arguments in made:
        if name == "glPushAttrib":
            masks.append(int(arguments[0]))
            lost.append(0)
        elif name == "glPopAttrib" and masks:
            inner, gone = masks.pop(), lost.pop()
            if gone & inner:
                return True
            if masks:
                lost[-1] |= 0 if inner & TEXTURE_BIT else ~inner & (TEXTURE_BIT | ENABLE_BIT)
    return False


def _layers(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Sizes below 0."""
    asked = "TEXTURE_HEIGHT" in call and isinstance(mesa.value, tuple) and isinstance(own.value, tuple)
    return asked and float(mesa.value[0]) < 0 and float(own.value[0]) == 0  # type: ignore[index]


def _errors(call: str, mesa: str, *ours: str) -> Callable[[Sequence[Call], Call, Done, Done], bool]:
    """Return calls that begin so, with an error of Mesa's and one of ours."""
    return lambda _made, made, there, own: made[0].startswith(call) and there.error == mesa and own.error in ours


def _signed(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Return whether a format is one of nine, LUMINANCE_SNORM to INTENSITY16_SNORM, but those with alpha alone."""
    samples = call[0] == "glTexImage2DMultisample" and call[3] in range(0x9011, 0x901C)
    return samples and (mesa.error, own.error) == ("GL_NO_ERROR", "GL_INVALID_ENUM")


DEPARTURES: Final = (
    Departure("Sizes beyond memory", lambda _made, _call, mesa, _own: mesa.error == "GL_OUT_OF_MEMORY", ends=True),
    Departure("Texels of buffer textures", _buffer),
    Departure("Samples of a driver", _samples),
    Departure("What glPopAttrib puts back", _popped, ends=True),
    Departure(  # which formats it can have depends on the framebuffer; Mesa looks at that before it looks at sizes
        "What a copy is taken of",
        _errors("glCopyTexImage", "GL_INVALID_OPERATION", "GL_NO_ERROR", "GL_INVALID_VALUE"),
        ends=True,
    ),
    Departure(
        "Sizes of compressed data",
        _errors("glCompressedTexImage", "GL_INVALID_VALUE", "GL_NO_ERROR", "GL_INVALID_OPERATION"),
        ends=True,
    ),
    Departure("Signed luminance of several samples", _signed, ends=True),
    Departure("Borders of copied layers", _layers, ends=True),
)
