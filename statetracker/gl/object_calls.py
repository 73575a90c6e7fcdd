"""`ObjectCalls`: GL's calls that make, bind and delete texture and sampler objects.

Source: GL 4.6, 8.1 (texture objects) and 8.2 (sampler objects).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.object_names import object_names
from statetracker.gl.parameters import INVALID_OPERATION, INVALID_VALUE
from statetracker.gl.sampler import Sampler
from statetracker.gl.state import BIND_TARGETS, ContextState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import EllipsisType

    from statetracker.gl.object_names import NameTable
    from statetracker.gl.texture import Texture

T = e.Target


class ObjectCalls(ContextState):
    """Texture and sampler objects. Arrays of names come after their count, as in GL, or alone, as in PyOpenGL."""

    def new_names(
        self, call: str, count: int, given: Sequence[int] | EllipsisType | None, objects: NameTable[Any]
    ) -> list[int]:
        """Give free names, or take those that a recording got; a negative count is INVALID_VALUE, NULL gets none.

        given     ``...``: any free names; None is NULL; else the names themselves, from 1 on
        objects   the table that they are to be free in

        Raises `ArgumentError` for a name below 1.
        """
        if count < 0:
            self.fail(INVALID_VALUE, call, f"n={count} is negative; accepted: 0 or more")
            return []
        if given is None:
            return []
        if given is not ...:
            taken = object_names(count, given, "names") or []
            if any(name < 1 for name in taken):
                raise ArgumentError("names", given, accepted="names from 1 on")
            return taken
        return objects.free(count)

    def counted_names(self, call: str, count: object, names: object, argument: str) -> list[int]:
        """Read a counted array of names; a negative count is INVALID_VALUE and names nothing."""
        read = object_names(count, names, argument)
        if read is None:
            self.fail(INVALID_VALUE, call, f"n={count} is negative; accepted: 0 or more")
        return read or []

    def counted_bindings(self, call: str, first: int, count: object, names: object, argument: str) -> list[int]:
        """Read the names to bind from unit ``first`` on; without an array, ``count`` zeros."""
        if names is None and isinstance(count, int) and count >= 0:
            names = [0] * min(count, self.limits.max_combined_units + 1)
            count = len(names)
        units = self.limits.max_combined_units
        if isinstance(count, int) and count < 0:
            if first + count < 0:  # only their sum is looked at, as Mesa does
                self.fail(INVALID_OPERATION, call, f"first={first} and count={count}; accepted: a sum of 0 to {units}")
            return []
        bindings = self.counted_names(
            call, count, names if names is not None or not isinstance(count, int) else [], argument
        )
        if first < 0 or first + len(bindings) > units:
            message = f"first={first} and count={len(bindings)} go past the last unit; accepted: a sum of 0 to {units}"
            self.fail(INVALID_OPERATION, call, message)
            return []
        return bindings

    def glGenTextures(self, n: int, textures: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Reserve names, the first free ones or those that a recording got; each becomes an object when bound."""
        names = self.new_names("glGenTextures", n, textures, self.textures)
        self.textures.reserve(names, None)
        return names

    def glCreateTextures(
        self, target: object, n: int, textures: Sequence[int] | EllipsisType | None = ...
    ) -> list[int]:
        """Make objects with a target; multisample ones keep the generic sampler defaults."""
        call = "glCreateTextures"
        known = self.target_named(target, call, BIND_TARGETS)
        names = self.new_names(call, n, textures, self.textures) if known is not None else []
        for name in names:
            self.become(name, known or 0, by_bind=False)
        return names

    def glDeleteTextures(self, n: int | Sequence[int], textures: Sequence[int] | EllipsisType | None = ...) -> None:
        """Delete textures; units that had one bound get the default texture. Unknown names and NULL are ignored."""
        for name in self.counted_names("glDeleteTextures", n, textures, "textures"):
            texture = self.textures.pop(name, None) if name else None
            if texture is not None:
                self._forget_texture(texture)

    def _forget_texture(self, texture: Texture) -> None:
        for unit in self.units.values():
            if unit.textures.get(texture.target) is texture:
                unit.bind(texture.target, None)
        self.drop_handles(texture)

    def glIsTexture(self, name: int) -> bool:
        """Whether a name is a texture object; a reserved name that was never bound is not."""
        return self.textures.get(name) is not None

    def glActiveTexture(self, texture: object) -> None:
        """Choose the unit that other calls mean: TEXTURE0 + n, or n itself as recordings write it."""
        index = self.unit_named(texture, "glActiveTexture", "texture")
        if index is not None:
            self.active = index

    def glBindTexture(self, target: object, texture: int) -> None:
        """Bind a texture to the active unit; a new name becomes an object with that target."""
        known = self.target_named(target, "glBindTexture", BIND_TARGETS)
        if known is not None:
            self._bind(self.active, known, texture, "glBindTexture")

    def glBindMultiTextureEXT(self, texunit: object, target: object, texture: int) -> None:
        """Bind a texture to a unit; a new name becomes an object with that target."""
        call = "glBindMultiTextureEXT"
        unit = self.unit_named(texunit, call, "texunit")
        known = self.target_named(target, call, BIND_TARGETS) if unit is not None else None
        if unit is not None and known is not None:
            self._bind(unit, known, texture, call)

    def _bind(self, unit: int, target: int, name: int, call: str) -> None:
        texture = self._to_bind(target, name, call) if name else None
        if texture is not None or not name:
            self.unit(unit).bind(target, texture)

    def _to_bind(self, target: int, name: int, call: str) -> Texture | None:
        """The texture of a name, made if it is new; None: an error is recorded."""
        if name not in self.textures and self.limits.profile == "core":
            self.fail(INVALID_OPERATION, call, f"{self._no_texture(f'texture={name}')} (glGenTextures makes names)")
            return None
        texture = self.textures.get(name)
        if texture is None:
            texture = self.become(name, target, by_bind=name in self.textures)
        if texture.target != target:
            is_a = T(texture.target).name
            message = f"texture={name} is a GL_{is_a}; accepted: target=GL_{is_a}, or another texture"
            self.fail(INVALID_OPERATION, call, message)
            return None
        return texture

    def glBindTextureUnit(self, unit: int, texture: int) -> None:
        """Bind a texture to a unit by its own target; 0 unbinds all targets."""
        call = "glBindTextureUnit"
        last = self.limits.max_combined_units - 1
        if not 0 <= unit <= last:
            self.fail(INVALID_VALUE, call, f"unit={unit} is no texture unit; accepted: 0 to {last}")
        else:
            self._bind_by_own_target(call, unit, texture, "texture")

    def glBindTextures(
        self, first: int, count: int | Sequence[int] | None, textures: Sequence[int] | None = None
    ) -> None:
        """Bind several by their own targets; without an array, unbind. A bad name keeps its unit, the others bind."""
        call = "glBindTextures"
        for unit, name in enumerate(self.counted_bindings(call, first, count, textures, "textures"), first):
            self._bind_by_own_target(call, unit, name, f"textures[{unit - first}]")

    def _bind_by_own_target(self, call: str, unit: int, name: int, argument: str) -> None:
        texture = self.textures.get(name)
        if name == 0:
            for target in list(self.unit(unit).textures):
                self.unit(unit).bind(target, None)
        elif texture is None:
            self.fail(INVALID_OPERATION, call, self._no_texture(f"{argument}={name}"))
        else:
            self.unit(unit).bind(texture.target, texture)

    def glGenSamplers(self, count: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Make sampler objects and give their names: the first free ones, or those that a recording got."""
        return self._make_samplers("glGenSamplers", count, samplers)

    def glCreateSamplers(self, n: int, samplers: Sequence[int] | EllipsisType | None = ...) -> list[int]:
        """Do the same as `glGenSamplers`: sampler objects exist from the start."""
        return self._make_samplers("glCreateSamplers", n, samplers)

    def _make_samplers(self, call: str, count: int, given: Sequence[int] | EllipsisType | None) -> list[int]:
        names = self.new_names(call, count, given, self.samplers)
        for name in names:
            self.samplers[name] = Sampler()
            self.samplers[name].label = name
        return names

    def glDeleteSamplers(self, count: int | Sequence[int], samplers: Sequence[int] | EllipsisType | None = ...) -> None:
        """Delete sampler objects; each is unbound from every unit. Unknown names and NULL are ignored."""
        for name in self.counted_names("glDeleteSamplers", count, samplers, "samplers"):
            sampler = self.samplers.pop(name, None)
            if sampler is not None:
                self._forget_sampler(sampler)

    def _forget_sampler(self, sampler: Sampler) -> None:
        for unit in self.units.values():
            if unit.sampler is sampler:
                unit.bind_sampler(None)
        self.drop_handles(sampler)

    def glIsSampler(self, name: int) -> bool:
        """Whether a name is a sampler object."""
        return name in self.samplers

    def glBindSampler(self, unit: int, sampler: int) -> None:
        """Bind a sampler object to a unit; 0 unbinds."""
        last = self.limits.max_combined_units - 1
        if not 0 <= unit <= last:
            self.fail(INVALID_VALUE, "glBindSampler", f"unit={unit} is no texture unit; accepted: 0 to {last}")
        elif sampler and sampler not in self.samplers:
            self.fail(INVALID_OPERATION, "glBindSampler", self._no_sampler(f"sampler={sampler}"))
        else:
            self.unit(unit).bind_sampler(self.samplers.get(sampler))

    def glBindSamplers(
        self, first: int, count: int | Sequence[int] | None, samplers: Sequence[int] | None = None
    ) -> None:
        """Bind several; without an array, unbind ``count`` units. A bad name keeps its own unit, the others bind."""
        call = "glBindSamplers"
        names = self.counted_bindings(call, first, count, samplers, "samplers")
        for unit, name in enumerate(names, first):
            if name and name not in self.samplers:
                self.fail(INVALID_OPERATION, call, self._no_sampler(f"samplers[{unit - first}]={name}"))
            else:
                self.unit(unit).bind_sampler(self.samplers.get(name))
