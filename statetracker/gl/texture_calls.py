"""GL's calls on texture objects but for their images: make, bind, set, ask, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.forms import TEXTURE_FORMS
from statetracker.gl.getters import get_texture
from statetracker.gl.names import gl_name, number
from statetracker.gl.setters import set_texture
from statetracker.gl.state import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, ContextState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.gl.texture import Texture
    from statetracker.gl.values import Number

__all__ = ["TextureCalls"]

T = e.Target
GL_TEXTURE0: Final = 0x84C0

BIND_TARGETS: Final = frozenset(int(t) for t in T)
#: Targets whose parameters can be set; buffer textures have none.
PARAMETER_TARGETS: Final = BIND_TARGETS - {T.TEXTURE_BUFFER}
#: Targets whose textures can be set by name.
NAMED_TARGETS: Final = PARAMETER_TARGETS - {T.TEXTURE_EXTERNAL_OES}


class TextureCalls(ContextState):
    """Texture objects."""

    def glGenTextures(self, n: int) -> list[int]:
        """Reserve names; each becomes an object at its first bind. A negative count is INVALID_VALUE."""
        if n < 0:
            self.fail(INVALID_VALUE, "glGenTextures", f"n={n} is negative")
            return []
        first = max(self.textures, default=0) + 1
        for name in range(first, first + n):
            self.textures[name] = None
        return list(range(first, first + n))

    def glCreateTextures(self, target: object, n: int) -> list[int]:
        """Make objects with a target; multisample ones keep the generic sampler defaults."""
        known = self.target_named(target, "glCreateTextures", BIND_TARGETS, "a texture target")
        if known is None:
            return []
        names = self.glGenTextures(n)
        for name in names:
            texture = self.textures[name] = self.new_texture(known, by_bind=False)
            texture.label = name
        return names

    def glDeleteTextures(self, names: Sequence[int]) -> None:
        """Delete textures; units that had one bound get the default texture back. Unknown names are ignored."""
        for name in names:
            texture = self.textures.pop(name, None) if name else None
            for unit in self.units.values():
                if texture is not None and unit.textures.get(texture.target) is texture:
                    del unit.textures[texture.target]

    def glIsTexture(self, name: int) -> bool:
        """Whether a name is a texture object; a reserved name that was never bound is not."""
        return self.textures.get(name) is not None

    def glActiveTexture(self, texture: object) -> None:
        """Choose the unit that other calls mean: TEXTURE0 + n, or n itself as recordings write it."""
        value = number(texture)
        index = value - GL_TEXTURE0 if value >= GL_TEXTURE0 else value
        if not 0 <= index < self.limits.max_combined_units:
            most = self.limits.max_combined_units - 1
            self.fail(INVALID_ENUM, "glActiveTexture", f"texture={gl_name(value)} is not TEXTURE0..TEXTURE{most}")
        else:
            self.active = index

    def glBindTexture(self, target: object, texture: int) -> None:
        """Bind a texture to the active unit; a new name becomes an object with that target."""
        known = self.target_named(target, "glBindTexture", BIND_TARGETS, "a texture target")
        if known is not None:
            self._bind(self.active, known, texture, "glBindTexture")

    def _bind(self, unit: int, target: int, name: int, call: str) -> None:
        if name == 0:
            self.unit(unit).textures.pop(target, None)
            return
        if name not in self.textures and not self.limits.compatibility and self.limits.desktop:
            self.fail(INVALID_OPERATION, call, f"texture={name} was never generated")
            return
        found = self.textures.get(name)
        if found is None:
            found = self.textures[name] = self.new_texture(target, by_bind=True)
            found.label = name
        if found.target != target:
            is_a = T(found.target).name
            self.fail(INVALID_OPERATION, call, f"texture={name} is a {is_a}, not a {T(target).name}")
            return
        self.unit(unit).textures[target] = found

    def glBindTextureUnit(self, unit: int, texture: int) -> None:
        """Bind a texture to a unit by its own target; 0 unbinds all targets."""
        self.glBindTextures(unit, [texture], call="glBindTextureUnit")

    def glBindTextures(
        self, first: int, textures: Sequence[int] | None, count: int | None = None, *, call: str = "glBindTextures"
    ) -> None:
        """Bind several by their own targets; a bad name keeps its own unit as it was, the others bind."""
        names = [0] * (count or 0) if textures is None else textures
        if first < 0 or first + len(names) > self.limits.max_combined_units:
            self.fail(INVALID_OPERATION, call, f"first={first} and {len(names)} textures go past the last unit")
            return
        for unit, name in enumerate(names, first):
            found = self.textures.get(name)
            if name == 0:
                self.unit(unit).textures.clear()
            elif found is None:
                self.fail(INVALID_OPERATION, call, f"textures[{unit - first}]={name} is no texture object")
            else:
                self.unit(unit).textures[found.target] = found

    def named(self, name: int, call: str) -> Texture | None:
        """The texture of that name for a call that works by name, or the error and None."""
        found = self.textures.get(name)
        if found is None:
            self.fail(INVALID_OPERATION, call, f"texture={name} is no texture object")
        elif found.target not in NAMED_TARGETS:
            self.fail(INVALID_OPERATION, call, f"texture={name} is a {T(found.target).name}, which has no parameters")
        else:
            return found
        return None

    def _set(  # what GL knows at the call
        self, call: str, suffix: str, texture: Texture | None, pname: object, values: Sequence[Number]
    ) -> None:
        if texture is None:
            return
        if texture.handles:
            self.fail(INVALID_OPERATION, call, "the texture is referenced by a texture handle and cannot change")
            return
        by_name = call.startswith("glTextureParameter")
        form = TEXTURE_FORMS[suffix]
        refusal = set_texture(
            self.gates, self.process, texture, number(pname), form, values, by_name=by_name
        )
        self.refuse(refusal, call)

    def _of(self, target: object, call: str, unit: int | None = None) -> Texture | None:
        known = self.target_named(target, call, PARAMETER_TARGETS, "a target whose textures have parameters")
        return None if known is None else self.bound(known, unit)

    def _on(self, texunit: object, target: object, call: str) -> Texture | None:
        index = number(texunit) - GL_TEXTURE0
        if 0 <= index < self.limits.max_combined_units:
            return self._of(target, call, index)
        self.fail(INVALID_ENUM, call, f"texunit={gl_name(number(texunit))} is not a texture unit")
        return None

    def _get(self, call: str, suffix: str, texture: Texture | None, pname: object) -> list[Number] | None:
        if texture is None:
            return None
        values, refusal = get_texture(self.gates, texture, number(pname), suffix)
        self.refuse(refusal, call)
        return values
