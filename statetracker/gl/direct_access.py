"""EXT_direct_state_access: calls that name a texture, or a unit, before the arguments of the plain call.

``glTextureImage2DEXT(texture, target, ...)`` is ``glTexImage2D(target, ...)`` with that texture bound for the time of
the call; a name that is no object yet becomes one. ``glMultiTexImage2DEXT(texunit, target, ...)`` is the same call on
another unit. Source: EXT_direct_state_access; what wrong targets answer was observed on Mesa 22.3.6.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.names import gl_name, glenum, scalar, vector
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION
from statetracker.gl.targets import FACE_TARGETS, PROXIES, taking
from statetracker.gl.texture_calls import BIND_TARGETS, PARAMETER_TARGETS
from statetracker.gl.view_calls import ViewCalls

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl.texture import Texture

_DIMS: Final = (1, 2, 3)
_VECTORS: Final = ("iv", "fv", "Iiv", "Iuiv")
_FORMS: Final = ("i", "f", *_VECTORS)
_LEVELS: Final = ("iv", "fv")

#: Calls that name a texture first -> the plain call.
BY_TEXTURE: Final = {
    **{f"glTextureParameter{form}EXT": f"glTexParameter{form}" for form in _FORMS},
    **{f"glGetTextureParameter{form}EXT": f"glGetTexParameter{form}" for form in _VECTORS},
    **{f"glGetTextureLevelParameter{form}EXT": f"glGetTexLevelParameter{form}" for form in _LEVELS},
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
    **{f"glGetMultiTexParameter{form}EXT": f"glGetTexParameter{form}" for form in _VECTORS},
    **{f"glGetMultiTexLevelParameter{form}EXT": f"glGetTexLevelParameter{form}" for form in _LEVELS},
    **{f"glMultiTexImage{n}DEXT": f"glTexImage{n}D" for n in _DIMS},
    **{f"glCompressedMultiTexImage{n}DEXT": f"glCompressedTexImage{n}D" for n in _DIMS},
    **{f"glCopyMultiTexImage{n}DEXT": f"glCopyTexImage{n}D" for n in (1, 2)},
    "glMultiTexBufferEXT": "glTexBuffer",
    "glGenerateMultiTexMipmapEXT": "glGenerateMipmap",
}

#: Calls that refuse other targets with INVALID_OPERATION, where the plain call says INVALID_ENUM -> what they take.
_HAVE: Final = {
    **{f"glTextureStorage{n}DEXT": taking("storage", n) for n in _DIMS},
    **{f"glTextureStorage{n}DMultisampleEXT": taking("multisample", n) for n in (2, 3)},
    **dict.fromkeys(("glTextureBufferEXT", "glTextureBufferRangeEXT"), frozenset({int(e.Target.TEXTURE_BUFFER)})),
}


class DirectAccess(ViewCalls):
    """The calls of `BY_TEXTURE` and `BY_UNIT`."""

    def direct(self, name: str) -> Callable[..., object] | None:
        """The function of that name, if it is one of these calls."""
        if name in BY_TEXTURE:
            if "Parameter" in name and "Level" not in name:
                return partial(self._parameter, name)
            return partial(self._by_texture, name)
        return partial(self._by_unit, name) if name in BY_UNIT else None

    def _meant(self, call: str, texture: int, where: int) -> Texture | None:
        """The texture that a name and a target mean, made if it is new; None: an error is recorded."""
        if texture and where in PROXIES:
            self.fail(INVALID_OPERATION, call, f"target={gl_name(where)} has no names; accepted: texture=0")
            return None
        if where in PROXIES and self.limits.desktop and PROXIES[where] in self.gates.targets:
            return self.proxy(where)
        own = int(e.Target.TEXTURE_CUBE_MAP) if where in FACE_TARGETS else where
        if self.target_named(own, call, BIND_TARGETS) is None:
            return None
        return self._to_bind(own, texture, call) if texture else self.default_texture(own)

    def _parameter(self, call: str, texture: int, target: object, pname: object, *value: object) -> object:
        meant = self._meant(call, texture, glenum(target))
        if meant is not None and meant.target not in PARAMETER_TARGETS and "ParameterI" not in call:
            message = f"target={gl_name(meant.target, e.Target)} has no parameters; accepted: another target"
            self.fail(INVALID_OPERATION, call, message)
            return None
        form = call.partition("Parameter")[2].removesuffix("EXT")
        if call.startswith("glGet"):
            return self._get(call, form, meant, pname)
        self._set(call, form, meant, pname, vector(*value) if form.endswith("v") else (scalar(*value),))
        return None

    def _by_texture(self, call: str, texture: int, target: object, *args: object) -> object:
        where = glenum(target)
        meant = self._meant(call, texture, where)
        if meant is None:
            return None
        if "Storage" in call and len(args) > 1:
            later = meant.label and "Multisample" not in call and meant.target in _HAVE[call]  # levels come first
            if not (self.sized_format(args[1], call) and (later or self.storable(meant, call))):
                return None
        if meant.target not in _HAVE.get(call, BIND_TARGETS):
            message = (
                f"target={gl_name(meant.target, e.Target)} has none such; accepted: a target of {BY_TEXTURE[call]}"
            )
            self.fail(INVALID_OPERATION, call, message)
            return None
        if where in PROXIES:
            return self._plain(call, target, *args)
        target = meant.target if "Storage" in call else target  # a cube face stands for its cube
        bound = self.unit().textures  # written to behind the unit's back: after the call, it is as before
        before, bound[meant.target] = bound.get(meant.target), meant
        try:
            return self._plain(call, target, *args)
        finally:
            if before is None:
                bound.pop(meant.target, None)
            else:
                bound[meant.target] = before

    def _plain(self, call: str, *args: object) -> object:
        function: Callable[..., object] = getattr(self, BY_TEXTURE[call])
        return function(*args)

    def _by_unit(self, call: str, texunit: object, *args: object) -> object:
        if call.startswith("glGetMultiTexParameterI") and args and glenum(args[0]) in PROXIES:
            return self._parameter(call, 0, *args)
        error = INVALID_OPERATION if call.startswith("glGetMultiTexParameter") else INVALID_ENUM
        index = self.unit_named(texunit, call, "texunit", error)
        if index is None:
            return None
        active, self.active = self.active, index
        try:
            function: Callable[..., object] = getattr(self, BY_UNIT[call])
            return function(*args)
        finally:
            self.active = active
