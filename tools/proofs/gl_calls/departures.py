"""Differences from Mesa that are meant: the departures of docs/departures.md that random calls meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl.units import ENABLE_BIT, TEXTURE_BIT

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


def _memory(_made: Sequence[Call], _call: Call, mesa: Done, _own: Done) -> bool:
    return mesa.error == "GL_OUT_OF_MEMORY"


def _buffer(_made: Sequence[Call], call: Call, mesa: Done, _own: Done) -> bool:
    """Without a buffer Mesa answers 0 to every question about a level, whatever it is; we have one texel."""
    by_name = call[0].startswith("glGetTextureLevel")  # of which texture, the questions by target say
    if "Level" not in call[0] or not (by_name or "TEXTURE_BUFFER" in call) or not isinstance(mesa.value, tuple):
        return False
    return all(float(value) == 0 for value in mesa.value)


def _samples(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Return whether the driver gives more samples than were asked for."""
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
    """Return whether a name was bound to a target after it was deleted as a texture of another one."""
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
    """Return whether a group was popped after changes inside one that saved less: Mesa forgets them."""
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


def _copied(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Return whether the framebuffer, which Mesa looks at before sizes, refuses the format of a copy."""
    copied = call[0].startswith("glCopyTexImage") and mesa.error == "GL_INVALID_OPERATION"
    return copied and own.error in ("GL_NO_ERROR", "GL_INVALID_VALUE")


def _compressed(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    compressed = call[0].startswith("glCompressedTexImage") and mesa.error == "GL_INVALID_VALUE"
    return compressed and own.error in ("GL_NO_ERROR", "GL_INVALID_OPERATION")


def _signed(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Return whether it is one of nine formats, LUMINANCE_SNORM to INTENSITY16_SNORM, without those of alpha alone."""
    samples = call[0] == "glTexImage2DMultisample" and call[3] in range(0x9011, 0x901C)
    return samples and (mesa.error, own.error) == ("GL_NO_ERROR", "GL_INVALID_ENUM")


def _layers(_made: Sequence[Call], call: Call, mesa: Done, own: Done) -> bool:
    """Sizes below 0."""
    asked = "TEXTURE_HEIGHT" in call and isinstance(mesa.value, tuple) and isinstance(own.value, tuple)
    return asked and float(mesa.value[0]) < 0 and float(own.value[0]) == 0  # type: ignore[index]


DEPARTURES: Final = (
    Departure("Sizes beyond memory", _memory, ends=True),
    Departure("Texels of buffer textures", _buffer),
    Departure("Samples of a driver", _samples),
    Departure("What glPopAttrib puts back", _popped, ends=True),
    Departure("What a copy is taken of", _copied, ends=True),
    Departure("Sizes of compressed data", _compressed, ends=True),
    Departure("Signed luminance of several samples", _signed, ends=True),
    Departure("Borders of copied layers", _layers, ends=True),
)
