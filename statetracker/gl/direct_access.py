"""EXT_direct_state_access: calls that name a texture, or a unit, before the arguments of the plain call.

``glTextureImage2DEXT(texture, target, ...)`` is ``glTexImage2D(target, ...)`` with that texture bound for the time of
the call; a name that is no object yet becomes one. ``glMultiTexImage2DEXT(texunit, target, ...)`` is the same call on
another unit. Source: EXT_direct_state_access.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.names import number
from statetracker.gl.targets import FACE_TARGETS
from statetracker.gl.texture_calls import BIND_TARGETS
from statetracker.gl.unit_calls import FIXED_TARGETS
from statetracker.gl.view_calls import ViewCalls

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BY_TEXTURE", "BY_UNIT", "DirectAccess"]

_DIMS: Final = (1, 2, 3)
_FORMS: Final = ("i", "f", "iv", "fv", "Iiv", "Iuiv")

#: Calls that name a texture first -> the plain call.
BY_TEXTURE: Final = {
    **{f"glTextureParameter{form}EXT": f"glTexParameter{form}" for form in _FORMS},
    **{f"glTextureImage{n}DEXT": f"glTexImage{n}D" for n in _DIMS},
    **{f"glTextureStorage{n}DEXT": f"glTexStorage{n}D" for n in _DIMS},
    **{f"glTextureStorage{n}DMultisampleEXT": f"glTexStorage{n}DMultisample" for n in (2, 3)},
    **{f"glCompressedTextureImage{n}DEXT": f"glCompressedTexImage{n}D" for n in _DIMS},
    **{f"glCopyTextureImage{n}DEXT": f"glCopyTexImage{n}D" for n in (1, 2)},
    "glTextureBufferEXT": "glTexBuffer",
    "glTextureBufferRangeEXT": "glTexBufferRange",
    "glGenerateTextureMipmapEXT": "glGenerateMipmap",
}

#: Calls that name a unit first -> the plain call.
BY_UNIT: Final = {
    **{f"glMultiTexImage{n}DEXT": f"glTexImage{n}D" for n in _DIMS},
    **{f"glCompressedMultiTexImage{n}DEXT": f"glCompressedTexImage{n}D" for n in _DIMS},
    **{f"glCopyMultiTexImage{n}DEXT": f"glCopyTexImage{n}D" for n in (1, 2)},
    "glMultiTexBufferEXT": "glTexBuffer",
    "glGenerateMultiTexMipmapEXT": "glGenerateMipmap",
}


class DirectAccess(ViewCalls):
    """The calls of `BY_TEXTURE` and `BY_UNIT`, and switches by index."""

    def direct(self, name: str) -> Callable[..., object] | None:
        """The function of that name, if it is one of these calls."""
        if name in BY_TEXTURE:
            return partial(self._by_texture, name)
        return partial(self._by_unit, name) if name in BY_UNIT else None

    def _by_texture(self, call: str, texture: int, target: object, *args: object) -> object:
        where = number(target)
        own = int(e.Target.TEXTURE_CUBE_MAP) if where in FACE_TARGETS else where
        bound = self.unit().textures  # written to behind the unit's back: after the call, it is as before
        before = bound.get(own)
        if own in BIND_TARGETS:
            meant = self._to_bind(own, texture, call) if texture else None
            if texture and meant is None:
                return None
            bound[own] = self.default_texture(own) if meant is None else meant
        try:
            function: Callable[..., object] = getattr(self, BY_TEXTURE[call])
            return function(target, *args)
        finally:
            if before is None:
                bound.pop(own, None)
            else:
                bound[own] = before

    def _by_unit(self, call: str, texunit: object, *args: object) -> object:
        index = self.unit_named(texunit, call, "texunit")
        if index is None:
            return None
        active, self.active = self.active, index
        try:
            function: Callable[..., object] = getattr(self, BY_UNIT[call])
            return function(*args)
        finally:
            self.active = active

    def _switch_at(self, call: str, cap: object, index: int) -> None:
        """Switch a fixed-function target of a unit; other switches by index do not concern samplers."""
        if number(cap) not in FIXED_TARGETS:
            return
        unit = self.unit_named(index, call, "index", "GL_INVALID_VALUE")
        if unit is not None and self.exists(call) and self.is_fixed_unit(unit, call):
            self.unit(unit).switch(number(cap), on=call == "glEnablei")

    def glEnablei(self, cap: object, index: int) -> None:
        """Switch on a fixed-function target of a unit."""
        self._switch_at("glEnablei", cap, index)

    def glDisablei(self, cap: object, index: int) -> None:
        """Switch off a fixed-function target of a unit."""
        self._switch_at("glDisablei", cap, index)

    def glEnableIndexed(self, target: object, index: int) -> None:
        """Do the same as `glEnablei`, by its older name."""
        self.glEnablei(target, index)

    def glDisableIndexed(self, target: object, index: int) -> None:
        """Do the same as `glDisablei`, by its older name."""
        self.glDisablei(target, index)
