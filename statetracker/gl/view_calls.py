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
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.object_names import listed
from statetracker.gl.parameters import INVALID_ENUM, INVALID_OPERATION, INVALID_VALUE
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
    from statetracker.gl.formats import InternalFormat
    from statetracker.gl.texture import Texture

T = e.Target

_MIPMAPPED: Final = frozenset(int(t) for t in T if t.mip_dimensions)
_WITH_LEVELS: Final = (frozenset(TARGETS) - {int(T.TEXTURE_CUBE_MAP), int(T.TEXTURE_EXTERNAL_OES)}) | FACE_TARGETS


class ViewCalls(ImageRules):
    """Generated mipmaps, views, and what one level is."""

    def glGenerateMipmap(self, target: object) -> None:
        """Fill the chain above the base level of the bound texture."""
        texture = self._bound_to(target, "glGenerateMipmap", _MIPMAPPED)
        if texture is not None:
            self._generate("glGenerateMipmap", texture)

    def glGenerateTextureMipmap(self, texture: int) -> None:
        """Fill the chain above the base level of a texture."""
        call = "glGenerateTextureMipmap"
        named = self._targeted(texture, call)
        if named is not None and self.target_named(named.target, call, _MIPMAPPED) is not None:
            self._generate(call, named)

    def _targeted(self, texture: int, call: str) -> Texture | None:
        """The texture of a name; one that got no target yet has a wrong one."""
        if texture in self.textures and self.textures[texture] is None:
            self.fail(INVALID_ENUM, call, f"texture={texture} has no target yet; accepted: {listed(self.textures)}")
            return None
        return self.named(texture, call, BIND_TARGETS)

    def _generate(self, call: str, texture: Texture) -> None:
        if texture.max_level <= texture.base_level:
            return  # before anything is looked at, as Mesa does
        base = texture.base_image()
        if base is not None and not has_mipmaps(base.format, gles=bool(self.limits.gles)):
            message = f"texture={texture.label or 0} is {base.format.name}; accepted: a format that can be filtered"
            self.fail(INVALID_OPERATION, call, message)
            return
        if base is not None and not (base.width and base.height and base.depth):
            return  # Mesa has nothing to do, and says nothing
        problem = texture.examine().base
        if base is None or problem:
            why = problem or f"there is no image at BASE_LEVEL {texture.base_level}"
            self.fail(INVALID_OPERATION, call, f"texture={texture.label or 0}: {why}; accepted: a complete base level")
        elif self.changeable(texture, call):
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
        where = self._view_target(parent, target) if parent is not None else None
        if parent is None or where is None:
            return
        levels = min(numlevels, parent.immutable_levels - minlevel)
        layers = min(numlayers, parent.layers - minlayer)
        if not self._view_shows(parent, (minlevel, levels), (minlayer, layers)):
            return
        known = self._view_format(parent, internalformat)
        if known is not None and self._view_fits(where, parent, minlevel, layers, numlayers):
            view = self.become(texture, where, by_bind=False)
            source = parent.images[0, minlevel]
            size = view_size(where, parent.target, source, layers)
            view.allocate(known, size, levels, source.samples, immutable=True)
            above = parent.view or ViewOf(0, 0, 0, parent.immutable_levels)
            view.view = ViewOf(above.min_level + minlevel, above.min_layer + minlayer, layers, above.parent_levels)

    # fmt: on

    def _view_parent(self, texture: int, origtexture: int) -> Texture | None:
        call = "glTextureView"
        parent = self.textures.get(origtexture)
        if parent is None and origtexture not in self.textures:
            self.fail(INVALID_VALUE, call, self._no_texture(f"origtexture={origtexture}"))
        elif parent is None or not parent.immutable_levels:
            message = f"origtexture={origtexture} has no immutable storage; accepted: a texture from glTexStorage"
            self.fail(INVALID_OPERATION, call, message)
        elif texture == 0:
            self.fail(INVALID_VALUE, call, "texture=0; accepted: a name from glGenTextures")
        elif texture not in self.textures or self.textures[texture] is not None:
            message = f"texture={texture} is not a name without a texture; accepted: a new name from glGenTextures"
            self.fail(INVALID_OPERATION, call, message)
        else:
            return parent
        return None

    def _view_format(self, parent: Texture, internalformat: object) -> InternalFormat | None:
        call = "glTextureView"
        source = parent.images[0, 0].format
        known = self.image_format(internalformat, call, INVALID_OPERATION)
        if known is not None and not compatible(known, source):
            message = f"internalformat={known.name}; accepted: {source.name} or a format of its view class"
            self.fail(INVALID_OPERATION, call, message)
            return None
        return known

    def _view_target(self, parent: Texture, target: object) -> int | None:
        where = glenum(target)
        accepted = self.availability.targets.intersection(TARGETS[parent.target].views)
        if where in accepted:
            return where
        words = ", ".join(f"GL_{T(t).name}" for t in sorted(accepted))
        message = f"target={gl_name(where)} for a view of a GL_{T(parent.target).name}; accepted: {words}"
        self.fail(INVALID_OPERATION, "glTextureView", message)
        return None

    def _view_shows(self, parent: Texture, levels: tuple[int, int], layers: tuple[int, int]) -> bool:
        for name, (first, count), most in (
            ("level", levels, parent.immutable_levels),
            ("layer", layers, parent.layers),
        ):
            if first < 0 or count < 1:
                message = (
                    f"min{name}={first}, num{name}s={count} show nothing; accepted: some of {name}s 0 to {most - 1}"
                )
                self.fail(INVALID_VALUE, "glTextureView", message)
                return False
        return True

    def _view_fits(self, target: int, parent: Texture, level: int, layers: int, asked: int) -> bool:
        source = parent.images[0, level]
        problem = layers_problem(target, asked, layers, (source.width, source.height))
        if problem is not None:
            self.fail(problem[0], "glTextureView", problem[1])
        return problem is None

    def _level(self, call: str, target: object, level: int, pname: object) -> list[Number] | None:
        where = glenum(target)
        if self.limits.desktop and PROXIES.get(where, 0) in self.availability.targets:
            return self.level_of(call, self.proxy(where), 0, level, pname)
        known = self.target_named(where, call, _WITH_LEVELS)
        if known is None:
            return None
        face = where - POSITIVE_X if where in FACE_TARGETS else 0
        return self.level_of(
            call, self.bound(T.TEXTURE_CUBE_MAP if where in FACE_TARGETS else where), face, level, pname
        )

    def level_of(self, call: str, texture: Texture, face: int, level: int, pname: object) -> list[Number] | None:
        """What one image of a texture is, as glGetTexLevelParameter gives it; None: an error is recorded.

        face    of a cube map, 0 to 5; else 0
        level   its mipmap level, from 0
        pname   what is asked, in any spelling
        """
        absent = 0x1908
        if texture.target == T.TEXTURE_BUFFER:
            absent = 0x8040 if self.limits.compatibility else 0x8229  # LUMINANCE8, R8
        values, refusal = get_level(texture, face, level, glenum(pname), self.last_level(texture.target), absent)
        self.refuse(refusal, call)
        return values

    def glGetTextureLevelParameteriv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name."""
        call = "glGetTextureLevelParameteriv"
        named = self._targeted(texture, call)
        return None if named is None else self.level_of(call, named, 0, level, pname)

    def glGetTextureLevelParameterfv(self, texture: int, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples by name, as floats."""
        values = self.glGetTextureLevelParameteriv(texture, level, pname)
        return None if values is None else [float(v) for v in values]

    def glGetTexLevelParameteriv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples."""
        return self._level("glGetTexLevelParameteriv", target, level, pname)

    def glGetTexLevelParameterfv(self, target: object, level: int, pname: object) -> list[Number] | None:
        """Ask for a level's size, internal format or samples, as floats."""
        values = self._level("glGetTexLevelParameterfv", target, level, pname)
        return None if values is None else [float(v) for v in values]
