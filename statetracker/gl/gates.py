"""`Gates`: a context's answers to "may I", for parameters, wrap modes and targets, worked out once from its limits.

`Refusal` is a "no": a GL error with its words. The refusals here are those that setters have in common.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.limits import SEAMLESS
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import INVALID_ENUM, PARAMETERS, WRAP_GATES
from statetracker.gl.targets import TARGETS

if TYPE_CHECKING:
    from enum import IntEnum

    from statetracker.gl.floats import Form
    from statetracker.gl.limits import Gate, Limits
    from statetracker.gl.parameters import Parameter

INVALID_OPERATION: Final = "GL_INVALID_OPERATION"


class Refusal(NamedTuple):
    """A GL error: its name, and a sentence with what was wrong and what would have been accepted."""

    error: str
    message: str


def shown(value: int) -> str:
    """Name a value; the smallest numbers are more often numbers than enums."""
    return gl_name(value) if value > 1 else str(value)


def words_for(values: frozenset[int], family: type[IntEnum] | None = None) -> str:
    """List what would have been accepted."""
    return ", ".join(gl_name(v, family) for v in sorted(values))


def bad_pname(pname: int, kind: str, accepted: frozenset[int]) -> Refusal:
    """Refuse a name that is no parameter here."""
    return Refusal(INVALID_ENUM, f"pname={shown(pname)} is not {kind}; accepted: {words_for(accepted)}")


def absent(row: Parameter, gate: Gate) -> Refusal:
    """Refuse a parameter that the context lacks."""
    return Refusal(INVALID_ENUM, f"pname={row.name} does not exist in this context; it needs {gate.needs()}")


def wants_four(row: Parameter) -> Refusal:
    """Refuse a parameter of four values to a call that has one."""
    return Refusal(INVALID_ENUM, f"pname={row.name} takes four values; accepted: the call's form that ends in v")


def unfiltered(row: Parameter, form: Form, *, by_name: bool) -> Refusal:
    """Refuse a parameter of filtering to a multisample texture."""
    border = row.kind == "border" and form.name in ("i", "f", "iv", "fv")
    error = INVALID_OPERATION if by_name and not border else INVALID_ENUM
    words = "GL_TEXTURE_MAX_LEVEL, GL_TEXTURE_SWIZZLE_RGBA and other names that no filter reads"
    return Refusal(error, f"pname={row.name} does not exist on multisample textures; accepted: {words}")


T = e.Target


class Gates:
    """What one kind of context has.

    sampler          parameter names of sampler objects
    sampler_queries  those of their getters: GLES may ask for CUBE_MAP_SEAMLESS, which it cannot set
    texture          parameter names of textures
    texture_integer_queries   those of their getters for integers
    sampler_wraps    wrap modes of sampler objects
    texture_wraps    wrap modes of textures: by target for rectangle and external ones, under None for all others
    depth_modes      values of DEPTH_TEXTURE_MODE
    targets          texture targets
    clamps_border    whether glTexParameterfv clamps border colours to [0, 1]: hardware without float textures
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sampler = frozenset(
            p for p, row in PARAMETERS.items() if row.on_sampler and row.sampler_gate.allows(limits)
        )
        asked = {e.TextureParameter.CUBE_MAP_SEAMLESS} if SEAMLESS.driver_has(limits) else set()
        self.sampler_queries = self.sampler | asked
        self.texture = frozenset(p for p, row in PARAMETERS.items() if row.texture_gate.allows(limits))
        inverted = {e.TextureParameter.CUBE_MAP_SEAMLESS} if limits.release.seamless_query_inverted else set()
        self.texture_integer_queries = self.texture ^ inverted
        self.sampler_wraps = frozenset(w for w in WRAP_GATES if self._sampler_wrap(w))
        self.texture_wraps = {
            kind: frozenset(w for w in WRAP_GATES if self._texture_wrap(w, kind))
            for kind in (None, T.TEXTURE_RECTANGLE, T.TEXTURE_EXTERNAL_OES)
        }
        red = {e.DepthTextureMode.RED} if not limits.has("GL_ARB_texture_rg") else set()
        self.depth_modes = frozenset(e.DepthTextureMode) - red
        self.targets = frozenset(int(t) for t, rule in TARGETS.items() if rule.gate.allows(limits))
        self.clamps_border = limits.gles < 30 and not limits.has("GL_ARB_texture_float", "GL_OES_texture_float")

    def _allowed(self, needs: tuple[str, ...] | None) -> bool:
        return needs is None or self.limits.profile in needs or self.limits.has(*needs)

    def _extra_edge(self, wrap: int) -> bool:
        """Whether GLES's own extension brings a mode: a driver that has the desktop's has it, too."""
        new = wrap == e.Wrap.MIRROR_CLAMP_TO_EDGE and self.limits.release.advertised_wraps
        return new and self.limits.has("GL_EXT_texture_mirror_clamp_to_edge", "GL_ARB_texture_mirror_clamp_to_edge")

    def _sampler_wrap(self, wrap: int) -> bool:
        release, gate = self.limits.release, WRAP_GATES[wrap]
        if wrap == e.Wrap.CLAMP_TO_BORDER and release.border_clamp_extension:
            return self.limits.has("GL_ARB_texture_border_clamp", "GL_OES_texture_border_clamp")
        if self._extra_edge(wrap):
            return True
        unseen = wrap == e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT  # GLES has no name for it; the driver's extension counts
        if release.advertised_wraps and gate.desktop_only and not (self.limits.desktop or unseen):
            return False
        return self._allowed(gate.sampler)

    def _texture_wrap(self, wrap: int, kind: int | None) -> bool:
        gate = WRAP_GATES[wrap]
        if kind == T.TEXTURE_RECTANGLE and not gate.rectangle:
            return False
        if kind == T.TEXTURE_EXTERNAL_OES and not gate.external:
            return False
        if not gate.gles1 and self.limits.gles == 10:
            return False
        if self._extra_edge(wrap):
            return True
        return (self.limits.desktop or not gate.desktop_only) and self._allowed(gate.texture)


@lru_cache(maxsize=64)
def gates_of(limits: Limits) -> Gates:
    """Give the gates of limits; the same object for the same limits, which must not change afterwards."""
    return Gates(limits)
