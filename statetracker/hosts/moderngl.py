"""`Renderer` for moderngl: programs, GL's sampler objects and uniform blocks, for every sampler state of GL.

moderngl is not imported here: the context is the host's. Source: OpenGL 4.6, 8.2; GL_ARB_gl_spirv.
"""

from __future__ import annotations

from functools import partial
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import finalize

from statetracker.caps import Screen
from statetracker.caps.facts import FEATURES, VulkanFacts
from statetracker.errors import ArgumentError
from statetracker.gl import enums as e
from statetracker.gl.parameters import Availability
from statetracker.gl.texture import Texture
from statetracker.hosts import renderer
from statetracker.hosts.moderngl_fields import texture_arguments
from statetracker.hosts.modules import Modules
from statetracker.pipe import SamplerState
from statetracker.sampler.tables import MIN_FILTER, REDUCTION, WRAP
from statetracker.shader.origin import leaf, resources
from statetracker.shader.sampled_variables import elements
from statetracker.spirv import Editor, Module
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statetracker.frontend import Policy
    from statetracker.hosts.modules import Variant
    from statetracker.hosts.renderer import DrawSlot, Shader, Stage
    from statetracker.vulkan import SamplerCreateInfo

_P: Final = e.TextureParameter
_MIN_FILTERS: Final = {pipe: int(gl) for gl, pipe in MIN_FILTER.items()}
_REDUCTIONS: Final = {pipe: int(gl) for gl, pipe in REDUCTION.items()}
_BORDERS: Final = {e.Wrap.CLAMP_TO_BORDER, e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT}
_BORDER_CLAMPS: Final = tuple(f"GL_{vendor}_texture_border_clamp" for vendor in ("OES", "EXT", "NV"))
_NO_BORDER: Final = f"border: it became the edge; the context has none, which needs {_BORDER_CLAMPS[0]}"
_NO_SPIRV: Final = "the context takes no SPIR-V, which needs GL 4.6 or GL_ARB_gl_spirv"
_NO_BLOCK: Final = "moderngl takes no vertex stage with an array of structures"
_RENDERER, _MAX_LOD_BIAS, _TEXTURE0, _COMPARES, _NEVER = 0x1F01, 0x84FD, 0x84C0, 0x884E, 0x0200
_LOCATION: Final = 30
#: The last uniform buffer that every GL has.
_LAST_BLOCK: Final = 35
#: A Vulkan device with what the samplers of every GL have: its create infos say what is left to the shader.
_FACTS: Final = VulkanFacts(
    device="OpenGL", extensions=frozenset({"VK_EXT_custom_border_color", "VK_EXT_non_seamless_cube_map"})
)


class GlSampler:
    """A handle of `GlDriver`: GL's sampler objects of one record.

    state   what they are set to: the record, or what the context has of it
    info    the create info whose shader's share makes up for the rest; None: the record is all there
    lost    what neither does, in words
    names   border colour, and whether sRGB stays encoded -> the sampler object
    """

    def __init__(self, state: SamplerState, info: SamplerCreateInfo | None, lost: tuple[str, ...]) -> None:
        self.state, self.info, self.lost = state, info, lost
        self.lowering_values = None if info is None else info.lowering_values
        self.names: dict[tuple[tuple[int, ...], bool], int] = {}


class GlDriver:
    """A driver for `StateTracker` whose handles are sampler objects of the context that moderngl draws in.

    ctx    a ``moderngl.Context``, which becomes current
    load   what finds GL's functions, as for `Context.from_current`; None: EGL or GLX, as loaded

    ``screen`` and ``spirv`` say what the context can do, ``lost`` that it is gone. Raises `NoDevice` where it is too
    old to be asked.
    """

    def __init__(self, ctx: Any, load: Callable[[str], Any] | None = None) -> None:
        from statetracker.bindings.current_gl import CurrentGL
        from statetracker.gl.current import read_limits

        self.lost = False
        ctx.__enter__()  # makes it current
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


class Draw(NamedTuple):
    """What a draw with moderngl binds.

    program       the ``moderngl.Program``; the host makes a vertex array for each, once
    samplers      unit -> GL's name of the sampler object
    textures      unit -> the moderngl texture, or in place of an incomplete one what binds none
    blocks        binding -> the ``moderngl.Buffer`` of a uniform block that the renderer adds
    key           hashable, the same in every run: which program it is
    unsupported   what neither sampler nor shader can do, in words
    bind          glBindSampler
    """

    program: Any
    samplers: dict[int, int]
    textures: dict[int, Any]
    blocks: dict[int, Any]
    key: tuple[object, ...]
    unsupported: tuple[str, ...]
    bind: Callable[[int, int], object]

    def use(self) -> None:
        """Bind textures, samplers and blocks; then render. Samplers stay bound until ``ctx.clear_samplers()``."""
        for unit, texture in self.textures.items():
            texture.use(unit)
        for unit, name in self.samplers.items():
            self.bind(unit, name)
        for binding, block in self.blocks.items():
            block.bind_to_uniform_block(binding)


class Renderer(renderer.Renderer[Draw]):
    """Draws with GL's samplers in a context of moderngl.

    ctx      a ``moderngl.Context``; it has to be current in every call
    policy   the user's overrides
    load     as for `GlDriver`

    An image of a bind is a moderngl texture. GLSL is compiled by moderngl as it is, unless the shader must do what the
    context's samplers cannot: then the program is SPIR-V, whose attributes keep their names. Uniforms have none there:
    they belong in blocks with a ``layout(binding = ...)``. Where they do not, or where the context takes no SPIR-V,
    `Draw.unsupported` says what is missing.
    """

    flavour = "opengl"
    passing = frozenset({"buffer"})

    def __init__(self, ctx: Any, *, policy: Policy | None = None, load: Callable[[str], Any] | None = None) -> None:
        self._driver = GlDriver(ctx, load)
        super().__init__(self._driver, Modules(split=False, lod_query=True), policy=policy)
        self.ctx = ctx
        #: Shader -> its GLSL, fragment and vertex, and why it cannot be rewritten; empty: it can.
        self._texts: dict[Shader, tuple[str, str, str]] = {}

    def shader(
        self, fragment: str | bytes, vertex: str | bytes | None = None, *, layouts: tuple[Any, ...] = (),
        glsl130: bool = True,
    ) -> Shader:  # fmt: skip
        """Take a program's shaders, both as GLSL from 3.30 or ES 3.10 on, or both as SPIR-V for OpenGL.

        Samplers of GLSL get units from 0 on, those of SPIR-V have their bindings. Arguments and errors are otherwise as
        in the base; ``layouts`` are of no use here.
        """
        texts = isinstance(fragment, str) and isinstance(vertex, str)
        if vertex is None or not (texts or (self._driver.spirv and isinstance(vertex, type(fragment)))):
            raise ArgumentError("vertex", vertex, accepted="GLSL for both stages, or SPIR-V where the context takes it")
        stages, why = {"fragment": self._compiled("fragment", fragment), "vertex": self._compiled("vertex", vertex)}, ""
        if texts:
            stages, why = linked({stage: Module.read(code) for stage, code in stages.items()})
        made = super().shader(**stages, layouts=layouts, glsl130=glsl130)
        if isinstance(fragment, str) and isinstance(vertex, str):
            self._texts[made] = fragment, vertex, why
        return made

    def texture(self, image: Any, internal_format: str | None = None, **parameters: Any) -> Texture:
        """Describe a moderngl texture, as `Texture.from_moderngl` does.

        internal_format   GL's, where another one is kept in that of the image: ``LUMINANCE8`` in red; the host sets the
                          image's swizzle so that it is seen so, here ``"RRR1"``
        parameters        GL's, as for `Texture`: ``levels``, ``max_level`` and so on
        """
        arguments = texture_arguments(image)
        if self._driver.screen.context != "compatibility":
            arguments["depth_mode"] = "red"
        if internal_format is not None:
            arguments |= {"internal_format": internal_format, "swizzle": "RGBA"}
        return Texture(**(arguments | parameters), sampler=Texture.from_moderngl(image).sampler)

    def lost(self, ctx: Any, *, load: Callable[[str], Any] | None = None) -> None:
        """Go on in another context, after the old one was lost; the host makes its images and vertex arrays anew."""
        self._driver.lost = True
        self._driver = GlDriver(ctx, load)
        self._lost(self._driver)
        self.ctx = ctx

    def _places(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        free = [(0, at) for at in range(_LAST_BLOCK, -1, -1) if (0, at) not in shader.taken]
        return free[shader.stages.index(stage)], {}

    def _draw(self, shader: Shader, slots: list[DrawSlot], variants: list[tuple[Any, Variant]]) -> Draw:
        gl, blocks, lost = self._driver.gl, dict[int, Any](), list[str]()
        *texts, why = self._texts.get(shader, ("",))
        why = why if self._driver.spirv else _NO_SPIRV
        rewritten = any(key.request for (key, _), _ in variants)
        if texts and (why or not rewritten):
            lost += _left(slots, why) if rewritten else ()
            program = self._once("program", tuple(texts), partial(self._compiled_program, shader, *texts))
        else:
            modules = {}
            for stage, (_, one) in zip(shader.stages, variants, strict=True):
                numbers = self.numbers(stage, one, slots)
                if numbers and stage.name == "vertex":
                    modules[stage.name] = shader.modules[stage.name]
                    lost += _left([slots[slot] for slot in stage.slots], _NO_BLOCK)
                    continue
                modules[stage.name] = one.module
                lost += one.unresolved
                if numbers:
                    (_, binding), _ = self._places(shader, stage)
                    blocks[binding] = self._once("buffer", numbers, partial(self._buffer, numbers))
            program = self._once("program", tuple(modules.values()), partial(self._spirv_program, **modules))
        used = {unit: slots[slot] for unit, slot in _units(shader)}
        for slot in slots:
            lost += map(str, (*getattr(slot.bound.handle, "lost", ()), *slot.bound.unsupported))
        return Draw(
            program,
            {unit: self._sampler(slot) for unit, slot in used.items() if slot.bound.handle is not None},
            {unit: slot.image or _Nothing(gl, slot.texture.target) for unit, slot in used.items()},
            blocks,
            tuple(key for key, _ in variants),
            tuple(dict.fromkeys(lost)),
            partial(gl.call, "glBindSampler"),
        )

    def _sampler(self, slot: DrawSlot) -> int:
        """Return the sampler object of a slot, whose border looks the same in an image of alpha and in one of red."""
        handle, part = slot.bound.handle, slot.bound.view.part
        border, base = handle.state.border_color, slot.texture.facts().base_format
        if base in {"ALPHA", "LUMINANCE_ALPHA"}:
            border = (border[3 if base == "ALPHA" else 0], *border[3:] * 3)
        return self._driver.name(handle, border, encoded=part is not None and part.skip_decode)

    def _compiled_program(self, shader: Shader, fragment: str, vertex: str) -> Any:
        made = self.ctx.program(vertex_shader=vertex, fragment_shader=fragment)
        for one in shader.variables:
            units = tuple(range(one.place[1], one.place[1] + one.elements))
            if (uniform := made.get(one.name, None)) is not None:  # what samples nothing is gone
                uniform.value = units if one.elements > 1 else units[0]
        return made

    def _spirv_program(self, fragment: bytes, vertex: bytes) -> Any:
        made = self.ctx.program(vertex_shader=vertex, fragment_shader=fragment)
        _ = self.ctx.error  # moderngl asks for places of names, which SPIR-V has not
        return made

    def _buffer(self, data: bytes) -> Any:
        made = self.ctx.buffer(data)
        finalize(made, self._driver.release, made.mglo).atexit = False  # when no draw has it
        return made


class _Nothing(NamedTuple):
    """In place of an incomplete texture: GL samples black where none is bound."""

    gl: Any
    target: int

    def use(self, unit: int) -> None:
        self.gl.call("glActiveTexture", _TEXTURE0 + unit)
        self.gl.call("glBindTexture", self.target, 0)


def _left(slots: list[DrawSlot], why: str) -> list[str]:
    """Say what a shader should do, and why it does not."""
    work = [(slot.variable.name, ", ".join(slot.bound.lowering.work)) for slot in slots]
    return [f"{name}: {todo}, which is the shader's: {why}" for name, todo in work if todo]


def _units(shader: Shader) -> Iterator[tuple[int, int]]:
    """Yield units and their slots: a sampler's binding is its unit."""
    for stage in shader.stages:
        for (_, binding), own in stage.places.items():
            for at, one in enumerate((own,) if isinstance(own, int) else own):
                yield binding + at, stage.slots[one]


def linked(modules: dict[str, Module]) -> tuple[dict[str, bytes], str]:
    """Return the modules of a program's GLSL, numbered by names as GL links them, and why they cannot be rewritten.

    Samplers have units from 0 on as bindings, inputs of the fragment stage the locations of the vertex stage's outputs.
    """
    why, units, made, free = "", dict[str, int](), dict[str, bytes](), 0
    sent = {name: location for name, _, location in _interface(modules["vertex"], StorageClass.Output)}
    for stage, module in modules.items():
        wanted: dict[tuple[int, int], int] = {}
        for _, one in resources(module):
            name, kind = module.names.get(one.result, ""), leaf(module, one).opcode
            if kind == Op.TypeSampledImage:
                if name not in units:
                    units[name], free = free, free + elements(module, one.words[0])
                wanted[one.result, Decoration.Binding] = units[name]
            elif one.words[2] == StorageClass.UniformConstant and kind != Op.TypeImage:
                why = f"uniform {name} is in no block with a layout(binding = ...), and SPIR-V has no names of uniforms"
        if stage == "fragment":
            inputs = _interface(module, StorageClass.Input)
            wanted |= {(ident, _LOCATION): sent[name] for name, ident, _ in inputs if name in sent}
        editor = Editor(module)
        editor.body = [one for one in editor.body if one.opcode != Op.Decorate or (*one.words[:2],) not in wanted]
        for (ident, decoration), number in wanted.items():
            editor.decorate(ident, decoration, number)
        made[stage] = editor.finish().to_bytes()
    return made, why


def _interface(module: Module, storage: int) -> Iterator[tuple[str, int, int]]:
    """Yield name, id and location of what a stage takes or gives; a block is known by the name of its type."""
    for one in module.instructions:
        said = module.decorations.get(one.result, {}) if one.opcode == Op.Variable else {}
        if one.opcode == Op.Variable and one.words[2] == storage and _LOCATION in said:
            kind = leaf(module, one)
            block = kind.opcode == Op.TypeStruct and module.decorations.get(kind.result, {}).get(Decoration.Block)
            yield module.names.get(kind.result if block is not None else one.result, ""), one.result, said[_LOCATION][0]
