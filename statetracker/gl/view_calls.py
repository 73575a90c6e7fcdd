"""GL's calls that make images out of other images, and those that ask for them: mipmap generation, texture views.

Source: GL 4.6, 8.14.4 (mipmap generation), 8.18 (texture views), 8.11 (queries).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.gl import enums as e
from statetracker.gl.completeness import ViewOf
from statetracker.gl.formats import has_mipmaps
from statetracker.gl.getters import get_level
from statetracker.gl.image_rules import ImageRules
from statetracker.gl.names import gl_name, glenum, listing
from statetracker.gl.object_names import listed
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE, Refusal
from statetracker.gl.state import BIND_TARGETS
from statetracker.gl.targets import (
    FACE_TARGETS,
    POSITIVE_X,
    PROXIES,
    TARGETS,
    compatible,
    layers_problem,
    view_size,
)

if TYPE_CHECKING:
    from statetracker.gl.floats import Number
    from statetracker.gl.texture import Texture

T = e.Target

_MIPMAPPED: Final = frozenset(int(t) for t in T if t.mip_dimensions)
_WITH_LEVELS: Final = (frozenset(TARGETS) - {int(T.TEXTURE_CUBE_MAP), int(T.TEXTURE_EXTERNAL_OES)}) | FACE_TARGETS


class ViewCalls(ImageRules):
    """Generated mipmaps, views, and what one level is."""

    def glGenerateMipmap(self, target: object) -> None:
        """Fill the chain above the base level of the bound texture."""
        self._generate(self.bound_to(target, _MIPMAPPED))

    def glGenerateTextureMipmap(self, texture: int) -> None:
        """Fill the chain above the base level of a texture."""
        named = self._targeted(texture)
        self.target_named(named.target, _MIPMAPPED)
        self._generate(named)

    def _targeted(self, texture: int) -> Texture:
        """Return the texture of a name; one that got no target yet has a wrong one."""
        if texture in self.textures and self.textures[texture] is None:
            raise Refusal(INVALID_ENUM, f"texture={texture} has no target yet; accepted: {listed(self.textures)}")
        return self.named(texture, BIND_TARGETS)

    def _generate(self, texture: Texture) -> None:
        if texture.max_level <= texture.base_level:
            return  # before anything is looked at, as Mesa does
        base, given = texture.base_image(), f"texture={texture.label or 0}"
        if base is not None and not has_mipmaps(base.format, gles=bool(self.limits.gles)):
            message = f"{given} is {base.format.name}; accepted: a format that can be filtered"
            raise Refusal(INVALID_OPERATION, message)
        if base is not None and not (base.width and base.height and base.depth):
            return  # Mesa has nothing to do, and says nothing
        problem = texture.examine().base
        if base is None or problem:
            why = problem or f"there is no image at BASE_LEVEL {texture.base_level}"
            raise Refusal(INVALID_OPERATION, f"{given}: {why}; accepted: a complete base level")
        self.changeable(texture)
        for face in range(texture.faces):
            texture.generate(face)

    # An argument list as GL has it, in rows.
    # fmt: off
    def glTextureView(
        self, texture: int, target: object, origtexture: int, internalformat: object, minlevel: int,
        numlevels: int, minlayer: int, numlayers: int,
    ) -> None:
        """Make a name a view of part of another texture. It starts with a new object's sampler and parameters."""
        parent = self._view_parent(texture, origtexture)
        where = self._view_target(parent, target)
        levels = min(numlevels, parent.immutable_levels - minlevel)
        layers = min(numlayers, parent.layers - minlayer)
        _check_shown("level", minlevel, levels, parent.immutable_levels)
        _check_shown("layer", minlayer, layers, parent.layers)
        known, own = self.image_format(internalformat, INVALID_OPERATION), parent.images[0, 0].format
        if not compatible(known, own):
            message = f"internalformat={known.name}; accepted: {own.name} or a format of its view class"
            raise Refusal(INVALID_OPERATION, message)
        source = parent.images[0, minlevel]
        problem = layers_problem(where, numlayers, layers, (source.width, source.height))
        if problem is not None:
            raise Refusal(*problem)
        view = self.become(texture, where, by_bind=False)
        size = view_size(where, parent.target, source, layers)
        view.allocate(known, size, levels, source.samples, immutable=True)
        above = parent.view or ViewOf(0, 0, 0, parent.immutable_levels)
        view.view = ViewOf(above.min_level + minlevel, above.min_layer + minlayer, layers, above.parent_levels)

    # fmt: on

    def _view_parent(self, texture: int, origtexture: int) -> Texture:
        parent = self.textures.get(origtexture)
        if parent is None and origtexture not in self.textures:
            raise Refusal(INVALID_VALUE, self._no_texture(f"origtexture={origtexture}"))
        if parent is None or not parent.immutable_levels:
            message = f"origtexture={origtexture} has no immutable storage; accepted: a texture from glTexStorage"
            raise Refusal(INVALID_OPERATION, message)
        if texture == 0:
            raise Refusal(INVALID_VALUE, "texture=0; accepted: a name from glGenTextures")
        if texture not in self.textures or self.textures[texture] is not None:
            message = f"texture={texture} is not a name without a texture; accepted: a new name from glGenTextures"
            raise Refusal(INVALID_OPERATION, message)
        return parent

    def _view_target(self, parent: Texture, target: object) -> int:
        where = glenum(target)
        accepted = self.availability.targets.intersection(TARGETS[parent.target].views)
        if where not in accepted:
            message = f"target={gl_name(where)} for a view of a GL_{T(parent.target).name}"
            raise Refusal(INVALID_OPERATION, f"{message}; accepted: {listing(accepted, T)}")
        return where

    def _level(self, texture: Texture, face: int, level: int, pname: object) -> list[Number]:
        absent = 0x1908
        if texture.target == T.TEXTURE_BUFFER:
            absent = 0x8040 if self.limits.compatibility else 0x8229  # LUMINANCE8, R8
        return get_level(texture, face, level, glenum(pname), self.last_level(texture.target), absent)

    def _level_at(self, target: object, level: int, pname: object) -> list[Number]:
        where = glenum(target)
        if self.limits.desktop and PROXIES.get(where, 0) in self.availability.targets:
            return self._level(self.proxy(where), 0, level, pname)
        if self.target_named(where, _WITH_LEVELS) in FACE_TARGETS:
            return self._level(self.bound(T.TEXTURE_CUBE_MAP), where - POSITIVE_X, level, pname)
        return self._level(self.bound(where), 0, level, pname)

    def glGetTextureLevelParameteriv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name."""
        return self._level(self._targeted(texture), 0, level, pname)

    def glGetTextureLevelParameterfv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name, as floats."""
        return list(map(float, self._level(self._targeted(texture), 0, level, pname)))

    def glGetTexLevelParameteriv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples."""
        return self._level_at(target, level, pname)

    def glGetTexLevelParameterfv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples, as floats."""
        return list(map(float, self._level_at(target, level, pname)))


def _check_shown(name: str, first: int, count: int, most: int) -> None:
    """Check that a view shows some of its parent's levels, or layers."""
    if first < 0 or count < 1:
        shown = f"min{name}={first}, num{name}s={count} show nothing"
        raise Refusal(INVALID_VALUE, f"{shown}; accepted: some of {name}s 0 to {most - 1}")
