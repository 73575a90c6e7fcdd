"""`read_context`: the samplers and textures of a live GL context, asked by its own getters, as a `Context` of ours.

What is bound to any unit is read, with limits, extensions and profile, but not programs. Nothing is changed but the
active unit, which is set back, and no getter is called that this kind of context would refuse. Source: GL 4.6, tables
23.14 to 23.19; GLES 3.2, tables 21.9 to 21.13; docs/parameters.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from statetracker.errors import NoDevice
from statetracker.gl import enums as e
from statetracker.gl.completeness import ViewOf
from statetracker.gl.floats import f32_bits
from statetracker.gl.formats import internal_format
from statetracker.gl.limits import RELEASES, Limits
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.sampler import Sampler
from statetracker.gl.targets import FIXED_PRIORITY, POSITIVE_X, TARGETS, Image
from statetracker.gl.units import DEFAULTS, FIXED_UNITS, TEXTURE0

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from statetracker.gl.image_rules import ImageRules
    from statetracker.gl.parameters import Parameter
    from statetracker.gl.texture import Texture

T, P, Q, L = e.Target, e.TextureParameter, e.TextureQuery, e.LevelQuery

ACTIVE_UNIT: Final = 0x84E0
_SAMPLER_BINDING: Final = 0x8919
_SEAMLESS: Final = 0x884F
_BUFFER: Final = int(T.TEXTURE_BUFFER)
_COMBINE4: Final = "GL_NV_texture_env_combine4"

#: Limit -> its question.
_LIMITS: Final = {
    "max_texture_size": 0x0D33,
    "max_3d_size": 0x8073,
    "max_cube_size": 0x851C,
    "max_layers": 0x88FF,
    "max_samples": 0x8D57,
    "max_combined_units": 0x8B4D,
}
#: Version of desktop GL -> extensions that it took in, which core contexts need not list. Source: GL 4.6, appendices.
_PART_OF: Final = {
    (3, 0): (
        *("GL_ARB_texture_border_clamp", "GL_ARB_texture_compression", "GL_ARB_depth_texture", "GL_ARB_shadow"),
        *("GL_ARB_texture_float", "GL_ARB_texture_rg", "GL_ARB_depth_buffer_float", "GL_ARB_framebuffer_object"),
        *("GL_ARB_texture_compression_rgtc", "GL_EXT_texture_integer", "GL_EXT_texture_shared_exponent"),
        *("GL_EXT_packed_depth_stencil", "GL_EXT_packed_float", "GL_EXT_texture_sRGB"),
    ),
    (3, 1): ("GL_EXT_texture_snorm",),
    (3, 2): ("GL_ARB_seamless_cube_map",),
    (3, 3): ("GL_ARB_sampler_objects", "GL_ARB_texture_swizzle", "GL_ARB_texture_rgb10_a2ui"),
    (4, 1): ("GL_ARB_ES2_compatibility",),
    (4, 2): ("GL_ARB_texture_storage", "GL_ARB_texture_compression_bptc"),
    (4, 3): ("GL_ARB_texture_view", "GL_ARB_stencil_texturing", "GL_ARB_ES3_compatibility"),
    (4, 4): ("GL_ARB_texture_mirror_clamp_to_edge", "GL_ARB_texture_stencil8"),
    (4, 6): ("GL_ARB_texture_filter_anisotropic",),
}
_PROFILES: Final = {(3, 1): "gles31"}
_ANISOTROPIC: Final = {"GL_EXT_texture_filter_anisotropic", "GL_ARB_texture_filter_anisotropic"}
_VERSION: Final = re.compile(r"(?:OpenGL ES(?:-\w+)? )?(\d+)\.(\d+)")
_VERSION_TEXT: Final = 0x1F02  # GL_VERSION
_MESA: Final = re.compile(r"Mesa (\d+)\.(\d+)")


Made = TypeVar("Made", bound="ImageRules")


class Asker(Protocol):
    """A live context's functions, as `statetracker.bindings.current_gl.CurrentGL` has them."""

    def read(self, name: str, *numbers: int, count: int = 1, kind: str = "i") -> tuple[Any, ...]:
        """Call a getter that writes ``count`` values: ``i`` signed, ``u`` unsigned, ``f`` floats."""
        ...

    def call(self, name: str, *numbers: int) -> int:
        """Call a function of integers."""
        ...

    def text(self, name: str, *numbers: int) -> str:
        """Call a function that gives text."""
        ...


def read_limits(ask: Asker) -> Limits:
    """Read profile, extensions and limits; raises `NoDevice` for GLES before 3.1, which hides the sizes of levels.

    The release is Mesa's, where the version names one; else the newest that this library knows.
    """
    text = ask.text("glGetString", _VERSION_TEXT)
    match = _VERSION.match(text)
    version = (int(match[1]), int(match[2])) if match else (0, 0)
    gles = text.startswith("OpenGL ES")
    if version < ((3, 1) if gles else (3, 0)):
        hint = "Desktop GL from 3.0 on, and GLES from 3.1 on, answer what is needed"
        raise NoDevice("GL", f"its version, {text!r}, does not say what textures hold", value=text, hint=hint)
    count = ask.read("glGetIntegerv", 0x821D)[0]
    extensions = frozenset(ask.text("glGetStringi", 0x1F03, n) for n in range(count))
    profile = _PROFILES.get(version, "gles32") if gles else _desktop(ask, version, extensions)
    if not gles:
        extensions |= {name for taken, names in _PART_OF.items() if taken <= version for name in names}
    mesa = _MESA.search(text)
    return Limits(
        profile=profile,
        extensions=extensions,
        release=_release((int(mesa[1]), int(mesa[2])) if mesa else (99, 0)),
        max_anisotropy=ask.read("glGetFloatv", 0x84FF, kind="f")[0] if extensions & _ANISOTROPIC else 2.0,
        **{name: ask.read("glGetIntegerv", question)[0] for name, question in _LIMITS.items()},
    )


def _desktop(ask: Asker, version: tuple[int, int], extensions: frozenset[str]) -> str:
    if version >= (3, 2):
        return "core" if ask.read("glGetIntegerv", 0x9126)[0] & 1 else "compatibility"
    return "compatibility" if version < (3, 1) or "GL_ARB_compatibility" in extensions else "core"


def _release(mesa: tuple[int, int]) -> str:
    known = {tuple(map(int, name.split("."))): name for name in RELEASES}
    return known[max([release for release in known if release <= mesa], default=min(known))]


def read_context(ask: Asker, made: Callable[[Limits], Made]) -> Made:
    """Read what is bound to every unit.

    Args:
        ask: The live context.
        made: Makes the answer of its limits.

    Raises:
        NoDevice: No context is current, or it is too old to answer.
    """
    context = made(read_limits(ask))
    reader = _Reader(ask, context)
    active = ask.read("glGetIntegerv", ACTIVE_UNIT)[0]
    try:
        for unit in range(context.limits.max_combined_units):
            ask.call("glActiveTexture", TEXTURE0 + unit)
            reader.read_unit(unit)
    finally:
        ask.call("glActiveTexture", active)
    context.active = active - TEXTURE0
    if context.limits.desktop:
        context.enabled = {_SEAMLESS} if ask.call("glIsEnabled", _SEAMLESS) & 0xFF else set()
    return context


class _Reader:
    """Reads one context."""

    def __init__(self, ask: Asker, context: ImageRules) -> None:
        self.ask = ask
        self.context = context
        self.mesa = _MESA.search(ask.text("glGetString", _VERSION_TEXT)) is not None
        limits = context.limits
        self.words = limits.desktop or limits.gles >= 32 or limits.has("GL_OES_texture_border_clamp")
        self.views = limits.has("GL_ARB_texture_view", "GL_OES_texture_view", "GL_EXT_texture_view")
        self.immutable = limits.gles > 0 or limits.has("GL_ARB_texture_storage")
        self.objects = limits.gles > 0 or limits.has("GL_ARB_sampler_objects")
        self.targets = [target for target in e.Target if target in context.availability.targets]

    def read_unit(self, index: int) -> None:
        """Read the active unit."""
        ask, unit, limits = self.ask, self.context.unit(index), self.context.limits
        if limits.compatibility:
            unit.set_lod_bias(ask.read("glGetTexEnvfv", 0x8500, 0x8501, kind="f")[0])
            if index < FIXED_UNITS:
                for switch in FIXED_PRIORITY:
                    unit.switch(int(switch), on=bool(ask.call("glIsEnabled", switch) & 0xFF))
                unit.set_environment(self._environment())
        if self.objects and (name := ask.read("glGetIntegerv", _SAMPLER_BINDING, kind="u")[0]):
            unit.bind_sampler(self._sampler(name))
        for target in self.targets:
            if name := ask.read("glGetIntegerv", TARGETS[target].binding, kind="u")[0]:
                unit.bind(target, self._texture(name, target))
            elif target not in self.context.defaults:
                self._fill(self.context.default_texture(target), target)

    def _environment(self) -> dict[int, int]:
        """Return what is not as it starts."""
        fourth = self.context.limits.has(_COMBINE4)
        names = [name for name in DEFAULTS if fourth or name < 0x8580 or name % 8 != 3]
        now = {name: self.ask.read("glGetTexEnviv", 0x2300, name)[0] for name in names}
        return {name: value for name, value in now.items() if value != DEFAULTS[name]}

    def _sampler(self, name: int) -> Sampler:
        known = self.context.samplers.get(name)
        if known is None:
            known = self.context.samplers[name] = Sampler()
            known.label = name
            rows = (
                row
                for row in PARAMETERS.values()
                if row.pname in self.context.availability.sampler_queries and row.on_sampler
            )
            known.restore(known.state() | self._values("glGetSamplerParameter", name, rows))
        return known

    def _texture(self, name: int, target: int) -> Texture:
        known = self.context.textures.get(name)
        if known is None:
            known = self.context.textures[name] = self.context.new_texture(target, by_bind=True)
            known.label = name
            self._fill(known, target)
        return known

    def _fill(self, texture: Texture, target: int) -> None:
        """Read the texture that is bound to a target. A buffer texture has no parameters."""
        if target != _BUFFER:
            values = self._values("glGetTexParameter", target, self._rows(target))
            own = texture.sampler
            own.restore(own.state() | {name: values.pop(name) for name in own.state() if name in values})
            for field, value in values.items():
                setattr(texture, field, value)
        if target != T.TEXTURE_EXTERNAL_OES:  # no getter answers for an EGLImage
            self._images(texture, target)
        if self.immutable and target != _BUFFER:
            self._storage(texture, target)
        texture.examine()

    def _rows(self, target: int) -> list[Parameter]:
        """Return what a texture is asked for. Of a multisample one's sampler state only Mesa answers for certain."""
        whole = self.context.limits.desktop
        mixed = (P.SWIZZLE_RGBA,) if not whole else (P.SWIZZLE_R, P.SWIZZLE_G, P.SWIZZLE_B, P.SWIZZLE_A)
        rows = (PARAMETERS[pname] for pname in sorted(self.context.availability.texture))
        silent = T(target).is_multisample and not self.mesa
        return [row for row in rows if row.pname not in mixed and not (silent and row.on_sampler)]

    def _values(self, getter: str, owner: int, rows: Iterable[Parameter]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for row in rows:
            if row.kind == "border":
                values[row.field] = self._border(getter, owner, row.pname)
            elif row.kind == "swizzles":
                values[row.field] = self.ask.read(f"{getter}iv", owner, row.pname, count=4)
            elif row.kind == "swizzle":
                values[row.field] = (*values.get(row.field, ()), self.ask.read(f"{getter}iv", owner, row.pname)[0])
            elif row.kind in ("float", "anisotropy", "priority"):
                values[row.field] = self.ask.read(f"{getter}fv", owner, row.pname, kind="f")[0]
            else:
                value = self.ask.read(f"{getter}iv", owner, row.pname)[0]
                values[row.field] = bool(value) if row.kind in ("bool", "flag") else value
        return values

    def _border(self, getter: str, owner: int, pname: int) -> tuple[int, ...]:
        """Return the colour's words; where a context cannot ask for these, its floats."""
        if self.words:
            return self.ask.read(f"{getter}Iuiv", owner, pname, count=4, kind="u")
        return tuple(f32_bits(value) for value in self.ask.read(f"{getter}fv", owner, pname, count=4, kind="f"))

    def _images(self, texture: Texture, target: int) -> None:
        buffer, sampled = target == _BUFFER, T(target).is_multisample
        levels = 1 if buffer or sampled else self.context.last_level(target) + 1
        for face in range(texture.faces):
            place = POSITIVE_X + face if target == T.TEXTURE_CUBE_MAP else target
            for level in range(levels):
                width, height, depth = (self._level(place, level, pname) for pname in (L.WIDTH, L.HEIGHT, L.DEPTH))
                fmt = internal_format(self._level(place, level, L.INTERNAL_FORMAT)) if width or height else None
                if fmt is None:
                    continue
                image = Image(fmt, width, height, depth)
                if buffer:  # as glTexBuffer here: its texels are another object's
                    image = Image(fmt, 1, 1, 1)
                elif sampled:
                    fixed = bool(self._level(place, level, L.FIXED_SAMPLE_LOCATIONS))
                    image = image._replace(samples=self._level(place, level, L.SAMPLES), fixed=fixed)
                texture.put_image(face, level, image)

    def _level(self, place: int, level: int, pname: int) -> int:
        return int(self.ask.read("glGetTexLevelParameteriv", place, level, pname)[0])

    def _storage(self, texture: Texture, target: int) -> None:
        """Read what glTexStorage and glTextureView made."""

        def asked(pname: int) -> int:
            return int(self.ask.read("glGetTexParameteriv", target, pname)[0])

        if not asked(Q.IMMUTABLE_FORMAT):
            return
        parent = asked(Q.IMMUTABLE_LEVELS)
        texture.immutable_levels = parent
        if self.views:
            texture.immutable_levels = asked(Q.VIEW_NUM_LEVELS)
            view = ViewOf(asked(Q.VIEW_MIN_LEVEL), asked(Q.VIEW_MIN_LAYER), asked(Q.VIEW_NUM_LAYERS), parent)
            if view != ViewOf(0, 0, texture.layers, texture.immutable_levels):
                texture.view = view
