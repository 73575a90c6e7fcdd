"""Which calls make the next draw look at its samplers again.

A call of the tables below is compared: did it change what they name? Others count as a change, or as none, by what
they are. Source: docs/streams.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl.tokens import changes
from statetracker.replay.assembly import STAGE_SWITCHES
from statetracker.replay.draws import ALPHA_TEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.replay.session import Session

__all__ = ["COMPARED", "Rule", "rule_of"]

#: What is compared before and after a call; True: the call is a change; False: it is none.
Rule: TypeAlias = "Callable[[Session], object] | bool"

#: Calls that the session's parts handle and that are changes, as they begin; others are none.
_CHANGING: Final = (
    *("glUseProgram", "glLinkProgram", "glCreateShaderProgram", "glActiveShader", "glBindProgram", "glDelete"),
    *("glProgramString", "glNamedProgramString", "glBindFragmentShader", "glEndFragmentShader"),
)
#: Calls that `gl.Context` handles and that are none; others are changes.
_IDLE: Final = ("glActiveTexture", "glGenTextures", "glGenSamplers", "glCreateSamplers", "glPushAttrib")


def _tokens(_session: Session) -> object:
    """The newest token: every change of a sampler, a texture, a unit or a program's units takes one."""
    return changes.last


def _switches(session: Session) -> object:
    context = session.context
    return changes.last, context.seamless, context.enabled & STAGE_SWITCHES, ALPHA_TEST in context.enabled


def _colourless(session: Session) -> object:
    return session.framebuffers.colourless


#: How calls begin -> what is compared.
COMPARED: Final[Mapping[str, Callable[[Session], object]]] = {
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
    "glUniform1i": _tokens,
    "glDrawBuffer": _colourless,
    "glFramebufferDrawBuffer": _colourless,
    "glNamedFramebufferDrawBuffer": _colourless,
}


def rule_of(name: str, *, handled: bool) -> Rule:
    """How calls of a name are judged.

    handled   a part of the session handles it, and not its `gl.Context`
    """
    compared = next((what for start, what in COMPARED.items() if name.startswith(start)), None)
    if compared is not None:
        return compared
    return name.startswith(_CHANGING) if handled else name not in _IDLE
