"""GL's calls on texture objects but for their images: make, bind, set, ask, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.floats import TEXTURE_FORMS
from statetracker.gl.getters import get_texture
from statetracker.gl.names import glenum
from statetracker.gl.object_names import FROZEN, listed
from statetracker.gl.setters import set_texture
from statetracker.gl.state import INVALID_OPERATION, INVALID_VALUE, ContextState
from statetracker.gl.targets import PROXIES, TARGETS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import EllipsisType

    from statetracker.gl.names import Number
    from statetracker.gl.texture import Texture

T = e.Target

BIND_TARGETS: Final = frozenset(TARGETS)
#: Targets whose parameters can be set; buffer textures have none.
PARAMETER_TARGETS: Final = BIND_TARGETS - {int(T.TEXTURE_BUFFER)}
#: Targets whose textures can be set by name.
NAMED_TARGETS: Final = frozenset(target for target, rule in TARGETS.items() if rule.named)


#: Calls on a unit that take proxies, too, as Mesa does.
_ALSO_PROXIES: Final = ("glMultiTexParameterIivEXT", "glMultiTexParameterIuivEXT")


class TextureCalls(ContextState):
    """Texture objects. Arrays of names come after their count, as in GL, or alone, as in PyOpenGL."""

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
            self._become(name, known or 0, by_bind=False)
        return names

    def _become(self, name: int, target: int, *, by_bind: bool) -> Texture:
        texture = self.textures[name] = self.new_texture(target, by_bind=by_bind)
        texture.label = name
        return texture

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
            texture = self._become(name, target, by_bind=name in self.textures)
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

    def _no_texture(self, given: str) -> str:
        return f"{given} is no texture object; accepted: {listed(self.textures)}"

    def named(self, name: int, call: str, targets: frozenset[int] = NAMED_TARGETS) -> Texture | None:
        """The texture of that name for a call that works by name, or the error and None.

        targets   those that textures of the call may have, GLenum numbers
        """
        texture = self.textures.get(name)
        if texture is None:
            self.fail(INVALID_OPERATION, call, self._no_texture(f"texture={name}"))
        elif texture.target not in targets:
            words = ", ".join(f"GL_{T(t).name}" for t in sorted(targets))
            message = f"texture={name} is a GL_{T(texture.target).name}; accepted: a texture that is one of {words}"
            self.fail(INVALID_OPERATION, call, message)
        else:
            return texture
        return None

    def changeable(self, texture: Texture, call: str) -> bool:
        """Whether a texture may change, or record that a bindless handle forbids it."""
        if texture.handles:
            self.fail(INVALID_OPERATION, call, f"texture={texture.label or 0} {FROZEN}")
        return not texture.handles

    def _set(  # what GL knows at the call
        self, call: str, suffix: str, texture: Texture | None, pname: object, values: Sequence[Number]
    ) -> None:
        if texture is None:
            return
        if self.changeable(texture, call):
            by_name = call.startswith(("glTextureParameter", "glMultiTexParameter"))
            form = TEXTURE_FORMS[suffix]
            refusal = set_texture(self.gates, self.process, texture, glenum(pname), form, values, by_name=by_name)
            self.refuse(refusal, call)

    def _of(self, target: object, call: str, unit: int | None = None) -> Texture | None:
        known = self.target_named(target, call, PARAMETER_TARGETS)
        return None if known is None else self.bound(known, unit)

    def _on(self, texunit: object, target: object, call: str) -> Texture | None:
        where = glenum(target)
        if call in _ALSO_PROXIES and PROXIES.get(where) in self.gates.targets:
            return self.proxy(where)
        index = self.unit_named(texunit, call, "texunit", INVALID_OPERATION)
        return None if index is None else self._of(target, call, index)

    def _get(self, call: str, suffix: str, texture: Texture | None, pname: object) -> list[Number] | None:
        if texture is None:
            return None
        values, refusal = get_texture(self.gates, texture, glenum(pname), suffix)
        self.refuse(refusal, call)
        return values
