"""Which calls make the next draw look at its samplers again.

For a call of the tables below, what they name is compared before and after it. Other calls always count as a change,
or never. Source: docs/streams.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from statetracker.gl.facts import changes
from statetracker.replay.assembly import STAGE_SWITCHES
from statetracker.replay.draws import ALPHA_TEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.replay.session import Session

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
    **{f"gl{of}Parameter": _tokens for of in ("Tex", "Texture", "MultiTex", "Sampler")},
    **{f"glBind{of}": _tokens for of in ("Texture", "MultiTexture", "Sampler")},
    **dict.fromkeys(("glTexEnv", "glMultiTexEnv", "glUniform1i"), _tokens),
    **dict.fromkeys(("glEnable", "glDisable"), _switches),
    **{f"gl{of}DrawBuffer": _colourless for of in ("", "Framebuffer", "NamedFramebuffer")},
}


def rule_of(name: str, *, handled: bool) -> Rule:
    """How calls of a name count.

    handled   a part of the session handles it, and not its `gl.Context`
    """
    compared = next((what for start, what in COMPARED.items() if name.startswith(start)), None)
    if compared is not None:
        return compared
    return name.startswith(_CHANGING) if handled else name not in _IDLE
