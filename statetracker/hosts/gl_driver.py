"""`GlDriver`: a driver whose handles are sampler objects of a live GL context.

Source: OpenGL 4.6, 8.2; OpenGL ES 3.2, 8.2.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps import Screen
from statetracker.caps.facts import FEATURES, VulkanFacts
from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.current import ACTIVE_UNIT
from statetracker.gl.facts import SWIZZLE_SELECTORS
from statetracker.gl.formats import internal_format, internal_format_named
from statetracker.gl.parameters import Availability
from statetracker.gl.targets import POSITIVE_X, TARGETS
from statetracker.gl.units import TEXTURE0
from statetracker.pipe import SamplerState
from statetracker.sampler.tables import MIN_FILTER, REDUCTION, WRAP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.gl.current import Asker
    from statetracker.gl.texture import Texture
    from statetracker.vulkan import SamplerCreateInfo

_P: Final = e.TextureParameter
_MIN_FILTERS: Final = {pipe: int(gl) for gl, pipe in MIN_FILTER.items()}
_REDUCTIONS: Final = {pipe: int(gl) for gl, pipe in REDUCTION.items()}
_BORDERS: Final = {e.Wrap.CLAMP_TO_BORDER, e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT}
_BORDER_CLAMPS: Final = tuple(f"GL_{vendor}_texture_border_clamp" for vendor in ("OES", "EXT", "NV"))
_NO_BORDER: Final = f"border: it became the edge; the context has none, which needs {_BORDER_CLAMPS[0]}"
_RENDERER, _MAX_LOD_BIAS, _COMPARES, _NEVER = 0x1F01, 0x84FD, 0x884E, 0x0200
#: A Vulkan device with what the samplers of every GL have: its create infos say what is left to the shader.
_FACTS: Final = VulkanFacts(
    device="OpenGL", extensions=frozenset({"VK_EXT_custom_border_color", "VK_EXT_non_seamless_cube_map"})
)
#: Kind of an internal format -> what a shader samples it as; colours, for every other.
_SAMPLED: Final = {
    "int": "integers",
    "uint": "unsigned integers",
    "stencil": "unsigned integers",
    "depth": "depths",
    "ds": "depths",
}
#: Targets of moderngl's textures.
_IMAGES: Final = (e.Target.TEXTURE_2D, e.Target.TEXTURE_3D, e.Target.TEXTURE_2D_ARRAY, e.Target.TEXTURE_CUBE_MAP)
_SWIZZLED: Final = (_P.SWIZZLE_R, _P.SWIZZLE_G, _P.SWIZZLE_B, _P.SWIZZLE_A)
#: Base format -> the swizzle of an image that has its components in red, or in red and green.
_SWIZZLES: Final = {"LUMINANCE": "RRR1", "ALPHA": "000R", "INTENSITY": "RRRR", "LUMINANCE_ALPHA": "RRRG"}
#: Base format -> its components; one, for every other.
_COUNTS: Final = {"RG": 2, "LUMINANCE_ALPHA": 2, "RGB": 3, "RGBA": 4}


class GlSampler:
    """A handle of `GlDriver`: GL's sampler objects of one record.

    Args:
        state: What they are set to: the record, or what the context has of it.
        info: The create info whose shader's share makes up for the rest; None: the record is all there.
        lost: What neither does, in words.

    Attributes:
        names: Border colour, and whether sRGB stays encoded -> the sampler object.
    """

    def __init__(self, state: SamplerState, info: SamplerCreateInfo | None, lost: tuple[str, ...]) -> None:
        self.state, self.info, self.lost = state, info, lost
        self.lowering_values = None if info is None else info.lowering_values
        self.names: dict[tuple[tuple[int, ...], bool], int] = {}


class GlDriver:
    """A driver for `StateTracker` whose handles are sampler objects of the context that moderngl draws in.

    ``screen``, ``spirv`` and ``lod_query`` say what the context can do, ``lost`` that it is gone.

    Args:
        ctx: A ``moderngl.Context``, which becomes current.
        load: What finds GL's functions, as for `Context.from_current`; None: EGL or GLX, as loaded.

    Raises:
        NoDevice: It is too old to be asked.
        ArgumentError: ``ctx`` is no moderngl.Context, or a released one.
    """

    def __init__(self, ctx: Any, load: Callable[[str], Any] | None = None) -> None:
        from statetracker.bindings.current_gl import CurrentGL
        from statetracker.gl.current import read_limits

        self.lost = False
        try:
            ctx.__enter__()  # makes it current
        except AttributeError:
            raise ArgumentError("ctx", ctx, accepted="a moderngl.Context, not a released one") from None
        self.gl = CurrentGL(load or ctx)
        limits = read_limits(self.gl)
        has = Availability(limits)
        self._border = limits.desktop or limits.profile == "gles32" or limits.has(*_BORDER_CLAMPS)
        self._parameters = has.sampler if limits.desktop else has.sampler - {_P.LOD_BIAS}
        self._wraps = {WRAP[wrap]: int(wrap) for wrap in has.sampler_wraps - (set() if self._border else _BORDERS)}
        bias = self.gl.read("glGetFloatv", _MAX_LOD_BIAS, kind="f")[0] if limits.desktop else 0.0
        self._most = bias, limits.max_anisotropy if _P.MAX_ANISOTROPY in self._parameters else 0.0
        has_feature = {
            "samplerMirrorClampToEdge": WRAP[e.Wrap.MIRROR_CLAMP_TO_EDGE] in self._wraps,
            "samplerAnisotropy": _P.MAX_ANISOTROPY in self._parameters,
            "samplerFilterMinmax": _P.REDUCTION_MODE in self._parameters,
        }
        names = ("maxSamplerLodBias", "maxSamplerAnisotropy", "maxCustomBorderColorSamplers")
        facts = _FACTS._replace(
            limits=dict(zip(names, (*self._most, 1 << 20), strict=True)),
            features=frozenset(feature for feature in FEATURES if has_feature.get(feature, True)),
        )
        self._lesser = Screen("OpenGL", vulkan=facts)
        self.spirv = limits.has("GL_ARB_gl_spirv") or (limits.desktop and ctx.version_code >= 460)
        self.lod_query = limits.has("GL_ARB_texture_query_lod") or (limits.desktop and ctx.version_code >= 400)
        self.screen = Screen(
            f"{limits.profile} {self.gl.text('glGetString', _RENDERER)}",
            context=limits.profile,
            extensions=limits.extensions,
            max_anisotropy=limits.max_anisotropy,
            need_border_color_type=True,
        )

    def create_sampler_state(self, record: bytes) -> GlSampler:
        """Make the sampler object of a record."""
        from statetracker.vulkan.conversion import create_info, record_of

        state, info = SamplerState.from_bytes(record), None
        if not self._has(state):
            info = create_info(record, self._lesser)
            state = record_of(info)
        made = GlSampler(state, info, () if self._has_wraps(state) else (_NO_BORDER,))
        self.name(made, state.border_color)
        return made

    def _has_wraps(self, state: SamplerState) -> bool:
        return {state.wrap_s, state.wrap_t, state.wrap_r} <= self._wraps.keys()

    def _has(self, state: SamplerState) -> bool:
        able = abs(state.lod_bias) <= self._most[0] and state.max_anisotropy <= self._most[1]
        return self._has_wraps(state) and able and (not state.reduction_mode or _P.REDUCTION_MODE in self._parameters)

    def name(self, handle: GlSampler, border: tuple[int, ...], *, encoded: bool = False) -> int:
        """Return a handle's sampler object with a border colour; ``encoded``: sRGB is not decoded."""
        name = handle.names.get((border, encoded))
        if name is None:
            name = handle.names[border, encoded] = self._made(handle.state, border, encoded=encoded)
        return name

    def _made(self, state: SamplerState, border: tuple[int, ...], *, encoded: bool) -> int:
        name: int = self.gl.read("glGenSamplers", 1, kind="u")[0]
        wraps = [self._wraps.get(one, e.Wrap.CLAMP_TO_EDGE) for one in (state.wrap_s, state.wrap_t, state.wrap_r)]
        parameters: dict[int, float] = {
            **dict(zip((_P.WRAP_S, _P.WRAP_T, _P.WRAP_R), wraps, strict=True)),
            _P.MIN_FILTER: _MIN_FILTERS[state.min_img_filter, state.min_mip_filter],
            _P.MAG_FILTER: e.MagFilter.LINEAR if state.mag_img_filter else e.MagFilter.NEAREST,
            _P.MIN_LOD: state.min_lod,
            _P.MAX_LOD: state.max_lod,
            _P.LOD_BIAS: state.lod_bias,
            _P.COMPARE_MODE: _COMPARES if state.compare_mode else 0,
            _P.COMPARE_FUNC: _NEVER + state.compare_func,
            _P.MAX_ANISOTROPY: float(max(1, state.max_anisotropy)),
            _P.CUBE_MAP_SEAMLESS: int(state.seamless_cube_map),
            _P.REDUCTION_MODE: _REDUCTIONS[state.reduction_mode],
            _P.SRGB_DECODE: e.SrgbDecode.SKIP_DECODE_EXT if encoded else e.SrgbDecode.DECODE_EXT,
        }
        for parameter in self._parameters & parameters.keys():
            value = parameters[parameter]
            kind = "f" if isinstance(value, float) else "i"
            self.gl.write(f"glSamplerParameter{kind}v", name, parameter, values=[value], kind=kind)
        if self._border:
            whole = state.border_color_is_integer
            colour = border if whole else unpack("<4f", pack("<4I", *border))
            call, kind = ("glSamplerParameterIuiv", "u") if whole else ("glSamplerParameterfv", "f")
            self.gl.write(call, name, _P.BORDER_COLOR, values=colour, kind=kind)
        return name

    def bind_sampler_states(self, stage: str, start: int, handles: Sequence[GlSampler | None]) -> None:
        """Do nothing: a `Draw` binds its samplers to units."""

    def delete_sampler_state(self, handle: GlSampler) -> None:
        """Delete a handle's sampler objects."""
        self.gl.write("glDeleteSamplers", len(handle.names), values=[*handle.names.values()], kind="u")

    def release(self, mglo: Any) -> None:
        """Release an object of moderngl; not of a lost context, whose names may be others' by now."""
        if not self.lost:
            mglo.release()


def check_image(ask: Asker, name: str, image: Any, texture: Texture, *, mipmaps: bool) -> None:
    """Ask GL whether an image is what its texture says; the bindings of unit 0 are as before afterwards.

    Args:
        ask: The live context.
        name: The shader's, of the variable.
        image: What `Draw.use` binds.
        texture: What GL is said to know of it.
        mipmaps: The sampler reads every level that the texture shows.

    Raises:
        ArgumentError: It is no texture of this target in this context, lacks components, levels or another kind of
            texels, or shows them by another swizzle.
    """
    target = e.Target(texture.target)
    active = ask.read("glGetIntegerv", ACTIVE_UNIT)[0]
    ask.call("glActiveTexture", TEXTURE0)
    before = {one: ask.read("glGetIntegerv", TARGETS[one].binding, kind="u")[0] for one in {target, *_IMAGES}}
    place = POSITIVE_X if target is e.Target.TEXTURE_CUBE_MAP else target
    try:
        image.use(0)
        bound = ask.read("glGetIntegerv", TARGETS[target].binding, kind="u")[0]
        shown = texture.part()
        levels = range(shown.first_level, shown.first_level + (shown.levels or 1 if mipmaps else 1))
        asked = (e.LevelQuery.WIDTH, e.LevelQuery.INTERNAL_FORMAT)
        seen = [tuple(ask.read("glGetTexLevelParameteriv", place, level, one)[0] for one in asked) for level in levels]
        parts = _SWIZZLED if texture.facts().base_format in _SWIZZLES else ()
        numbers = [ask.read("glGetTexParameteriv", target, part)[0] for part in parts]
    except AttributeError:  # it is none, or is released
        bound, seen, numbers = None, [], []
    finally:
        for one, kept in before.items():
            ask.call("glBindTexture", one, kept)
        ask.call("glActiveTexture", active)
    if not seen or bound != getattr(image, "glo", bound) or not seen[0][0]:
        hint = "The slot takes (sampler, renderer.texture(image), image)."
        accepted = f"a texture of moderngl's in this context, whose target is {target.name}"
        raise ArgumentError(f"image of {name}", image, accepted=accepted, hint=hint)
    there = next((at for at, (width, _) in enumerate(seen) if not width), len(seen))
    if there < len(seen):
        hint = "Call image.build_mipmaps(), or say how many levels there are: renderer.texture(image, levels=...)."
        raise ArgumentError(
            f"texture of {name}", f"{len(seen)} levels", accepted=f"the {there} of its image", hint=hint
        )
    said, real = internal_format_named(texture.facts().internal_format), internal_format(seen[0][1])
    if real is not None:
        kinds = [_SAMPLED.get(one.kind, "colours") for one in (said, real)]
        few = _COUNTS.get(real.base_format, 1) < _COUNTS.get(said.base_format, 1)
        if kinds[0] != kinds[1] or few:
            hint = "renderer.texture(image) describes it as it is."
            raise ArgumentError(
                f"texture of {name}", said.name, accepted=f"{kinds[1]} as in {real.name}, its image's", hint=hint
            )
        wanted = _SWIZZLES.get(said.base_format, "")
        given = "".join("RGBA01"[SWIZZLE_SELECTORS[one]] for one in numbers)
        if wanted not in ("", given) and real.base_format in {"RED", "RG"}:
            hint = f"image.swizzle = {wanted!r}: {said.name} is kept in {real.name}."
            raise ArgumentError(f"swizzle of the image of {name}", given, accepted=wanted, hint=hint)
