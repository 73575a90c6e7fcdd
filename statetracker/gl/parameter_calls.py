"""GL's calls that set and ask one texture parameter, in every form: by target, by name, by unit.

How each form reads its values is in `statetracker.gl.floats`, what is allowed in `statetracker.gl.parameters`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.gl.names import scalar, vector
from statetracker.gl.texture_calls import TextureCalls

if TYPE_CHECKING:
    from statetracker.gl.names import Number


class ParameterCalls(TextureCalls):
    """Texture parameters. A getter gives None after an error."""

    def glTexParameteri(self, target: object, pname: object, param: object) -> None:
        """Set a parameter of the bound texture from an int or enum."""
        call = "glTexParameteri"
        self._set(call, "i", self._of(target, call), pname, (scalar(param),))

    def glTextureParameteri(self, texture: int, pname: object, param: object) -> None:
        """Set a parameter of a texture by name from an int or enum."""
        call = "glTextureParameteri"
        self._set(call, "i", self.named(texture, call), pname, (scalar(param),))

    def glMultiTexParameteriEXT(self, texunit: object, target: object, pname: object, param: object) -> None:
        """Set a parameter of a unit's texture from an int or enum."""
        call = "glMultiTexParameteriEXT"
        self._set(call, "i", self._on(texunit, target, call), pname, (scalar(param),))

    def glTexParameterf(self, target: object, pname: object, param: object) -> None:
        """Set a parameter of the bound texture from a float; integers and enums are rounded half away from zero."""
        call = "glTexParameterf"
        self._set(call, "f", self._of(target, call), pname, (scalar(param),))

    def glTextureParameterf(self, texture: int, pname: object, param: object) -> None:
        """Set a parameter of a texture by name from a float; integers and enums are rounded half away from zero."""
        call = "glTextureParameterf"
        self._set(call, "f", self.named(texture, call), pname, (scalar(param),))

    def glMultiTexParameterfEXT(self, texunit: object, target: object, pname: object, param: object) -> None:
        """Set a parameter of a unit's texture from a float; integers and enums are rounded half away from zero."""
        call = "glMultiTexParameterfEXT"
        self._set(call, "f", self._on(texunit, target, call), pname, (scalar(param),))

    def glTexParameteriv(self, target: object, pname: object, params: object) -> None:
        """Set a parameter of the bound texture from ints; border colours are mapped from the int range to [-1, 1]."""
        call = "glTexParameteriv"
        self._set(call, "iv", self._of(target, call), pname, vector(params))

    def glTextureParameteriv(self, texture: int, pname: object, params: object) -> None:
        """Set a parameter of a texture by name from ints; border colours are mapped from the int range to [-1, 1]."""
        call = "glTextureParameteriv"
        self._set(call, "iv", self.named(texture, call), pname, vector(params))

    def glMultiTexParameterivEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a parameter of a unit's texture from ints; border colours are mapped from the int range to [-1, 1]."""
        call = "glMultiTexParameterivEXT"
        self._set(call, "iv", self._on(texunit, target, call), pname, vector(params))

    def glTexParameterfv(self, target: object, pname: object, params: object) -> None:
        """Set a parameter of the bound texture from floats; integers and enums are truncated."""
        call = "glTexParameterfv"
        self._set(call, "fv", self._of(target, call), pname, vector(params))

    def glTextureParameterfv(self, texture: int, pname: object, params: object) -> None:
        """Set a parameter of a texture by name from floats; integers and enums are truncated."""
        call = "glTextureParameterfv"
        self._set(call, "fv", self.named(texture, call), pname, vector(params))

    def glMultiTexParameterfvEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a parameter of a unit's texture from floats; integers and enums are truncated."""
        call = "glMultiTexParameterfvEXT"
        self._set(call, "fv", self._on(texunit, target, call), pname, vector(params))

    def glTexParameterIiv(self, target: object, pname: object, params: object) -> None:
        """Set a parameter of the bound texture from ints; border colours keep their bits."""
        call = "glTexParameterIiv"
        self._set(call, "Iiv", self._of(target, call), pname, vector(params))

    def glTextureParameterIiv(self, texture: int, pname: object, params: object) -> None:
        """Set a parameter of a texture by name from ints; border colours keep their bits."""
        call = "glTextureParameterIiv"
        self._set(call, "Iiv", self.named(texture, call), pname, vector(params))

    def glMultiTexParameterIivEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a parameter of a unit's texture from ints; border colours keep their bits."""
        call = "glMultiTexParameterIivEXT"
        self._set(call, "Iiv", self._on(texunit, target, call), pname, vector(params))

    def glTexParameterIuiv(self, target: object, pname: object, params: object) -> None:
        """Set a parameter of the bound texture from unsigned ints, read as signed but for border colours."""
        call = "glTexParameterIuiv"
        self._set(call, "Iuiv", self._of(target, call), pname, vector(params))

    def glTextureParameterIuiv(self, texture: int, pname: object, params: object) -> None:
        """Set a parameter of a texture by name from unsigned ints, read as signed but for border colours."""
        call = "glTextureParameterIuiv"
        self._set(call, "Iuiv", self.named(texture, call), pname, vector(params))

    def glMultiTexParameterIuivEXT(self, texunit: object, target: object, pname: object, params: object) -> None:
        """Set a parameter of a unit's texture from unsigned ints, read as signed but for border colours."""
        call = "glMultiTexParameterIuivEXT"
        self._set(call, "Iuiv", self._on(texunit, target, call), pname, vector(params))

    def glGetTexParameteriv(self, target: object, pname: object) -> list[Number] | None:
        """Ask for a parameter of the bound texture as ints: border colours are clamped and mapped."""
        call = "glGetTexParameteriv"
        return self._get(call, "iv", self._of(target, call), pname)

    def glGetTextureParameteriv(self, texture: int, pname: object) -> list[Number] | None:
        """Ask for a parameter of a texture by name as ints: border colours are clamped and mapped."""
        call = "glGetTextureParameteriv"
        return self._get(call, "iv", self.named(texture, call), pname)

    def glGetTexParameterfv(self, target: object, pname: object) -> list[Number] | None:
        """Ask for a parameter of the bound texture as floats."""
        call = "glGetTexParameterfv"
        return self._get(call, "fv", self._of(target, call), pname)

    def glGetTextureParameterfv(self, texture: int, pname: object) -> list[Number] | None:
        """Ask for a parameter of a texture by name as floats."""
        call = "glGetTextureParameterfv"
        return self._get(call, "fv", self.named(texture, call), pname)

    def glGetTexParameterIiv(self, target: object, pname: object) -> list[Number] | None:
        """Ask for a parameter of the bound texture as ints; border colours as signed words."""
        call = "glGetTexParameterIiv"
        return self._get(call, "Iiv", self._of(target, call), pname)

    def glGetTextureParameterIiv(self, texture: int, pname: object) -> list[Number] | None:
        """Ask for a parameter of a texture by name as ints; border colours as signed words."""
        call = "glGetTextureParameterIiv"
        return self._get(call, "Iiv", self.named(texture, call), pname)

    def glGetTexParameterIuiv(self, target: object, pname: object) -> list[Number] | None:
        """Ask for a parameter of the bound texture as unsigned ints; border colours as words."""
        call = "glGetTexParameterIuiv"
        return self._get(call, "Iuiv", self._of(target, call), pname)

    def glGetTextureParameterIuiv(self, texture: int, pname: object) -> list[Number] | None:
        """Ask for a parameter of a texture by name as unsigned ints; border colours as words."""
        call = "glGetTextureParameterIuiv"
        return self._get(call, "Iuiv", self.named(texture, call), pname)
