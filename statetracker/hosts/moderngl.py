"""`Renderer` for moderngl: programs, GL's sampler objects and uniform blocks, for every sampler state of GL.

moderngl is not imported here: the context is the host's. Source: OpenGL 4.6, 8.2; GL_ARB_gl_spirv.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary, finalize

from statetracker.errors import ArgumentError, CallFailed, StateTrackerError
from statetracker.gl.texture import Texture
from statetracker.hosts import renderer
from statetracker.hosts.gl_driver import GlDriver, check_image
from statetracker.hosts.moderngl_fields import texture_arguments
from statetracker.hosts.modules import Modules, draw_key
from statetracker.pipe.enums import TexMipfilter
from statetracker.shader.glslang import version_of, without_comments
from statetracker.shader.linked import linked, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from statetracker.frontend import Policy
    from statetracker.hosts.modules import Variant
    from statetracker.hosts.texture_set import DrawSlot, Shader, Stage

__all__ = ["Draw", "Renderer"]

_NO_SPIRV: Final = "the context takes no SPIR-V, which needs GL 4.6 or GL_ARB_gl_spirv"
_UNBOUND: Final = "a uniform block has no layout(binding = ...), and SPIR-V has no names of blocks"
_NO_BLOCK: Final = "moderngl takes no vertex stage with an array of structures"
#: A block with a place.
_BOUND: Final = re.compile(r"layout\s*\([^)]*\bbinding\s*=[^)]*\)\s*(?:\w+\s+)*?(?:uniform|buffer)\s+\w+\s*\{")
#: The uniform block that the renderer adds has no name: spirv-cross makes one of two numbers, and here it gets one.
_BLOCK: Final = re.compile(r"\buniform _\d+_\d+(?=\s*\{)")
_OURS: Final = "statetracker_"
_TEXTURE0: Final = 0x84C0
#: The last uniform buffer that every GL has.
_LAST_BLOCK: Final = 35


class Draw(NamedTuple):
    """The bindings of a draw with moderngl.

    Attributes:
        program: The ``moderngl.Program``; the host makes a vertex array for each, once.
        samplers: Unit -> GL's name of the sampler object.
        textures: Unit -> the moderngl texture, or in place of an incomplete one what binds none.
        blocks: Binding -> the ``moderngl.Buffer`` of a uniform block that the renderer adds.
        key: A word for the program, the same in every run.
        unsupported: What neither sampler nor shader can do, in words.
        bind: glBindSampler.
    """

    program: Any
    samplers: dict[int, int]
    textures: dict[int, Any]
    blocks: dict[int, Any]
    key: str
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

    An image of a bind is a moderngl texture. GLSL is compiled by moderngl as it is, unless the shader must do what the
    context's samplers cannot. Then the program is SPIR-V, where uniforms and blocks have no names; or spirv-cross
    writes GLSL: in a context that takes no SPIR-V, for uniforms outside blocks and blocks without a binding, and for
    samplers of the vertex stage. Where it is not installed, or cannot, `Draw.unsupported` says what is missing.

    Args:
        ctx: A ``moderngl.Context``; it has to be current in every call.
        policy: The user's overrides.
        load: As for `GlDriver`.
    """

    flavour = "opengl"
    passing = frozenset({"buffer", "image"})

    def __init__(self, ctx: Any, *, policy: Policy | None = None, load: Callable[[str], Any] | None = None) -> None:
        self._driver = GlDriver(ctx, load)
        super().__init__(self._driver, Modules(split=False, lod_query=self._driver.lod_query), policy=policy)
        self.ctx = ctx
        #: Shader -> its GLSL, fragment and vertex, and why it cannot be rewritten; empty: it can.
        self._texts: WeakKeyDictionary[Shader, tuple[str, str, str]] = WeakKeyDictionary()

    def shader(
        self, fragment: str | bytes, vertex: str | bytes | None = None, *, layouts: tuple[Any, ...] = (),
        glsl130: bool = True,
    ) -> Shader:  # fmt: skip
        """Take a program's shaders, both as GLSL from 3.30 or ES 3.10 on, or both as SPIR-V for OpenGL.

        Samplers of GLSL get units from 0 on, those of SPIR-V have their bindings. Arguments and errors are otherwise as
        in the base; ``layouts`` are of no use here. One stage alone, or one of each kind, raises `ArgumentError`.
        """
        texts = isinstance(fragment, str) and isinstance(vertex, str)
        if vertex is None or not (texts or (self._driver.spirv and isinstance(vertex, type(fragment)))):
            raise ArgumentError("vertex", vertex, accepted="GLSL for both stages, or SPIR-V where the context takes it")
        given = {"fragment": fragment, "vertex": vertex}
        for stage, text in given.items() if texts else ():
            number, es = version_of(str(text)) or (330, False)
            if number < (310 if es else 330):
                hint = "Older ones have no SPIR-V, in which the shader's share is written."
                accepted = "330 or more, or 310 es or more"
                raise ArgumentError(stage, f"#version {number}{' es' * es}", accepted=accepted, hint=hint)
        stages, why = {stage: self._compiled(stage, source, bindings=False) for stage, source in given.items()}, ""
        if not all(stages.values()):
            stages, why = {stage: self._compiled(stage, source) for stage, source in given.items()}, _UNBOUND
        if texts:
            stages, reason = linked(stages)
            why = why or reason
        made = super().shader(**stages, layouts=layouts, glsl130=glsl130)
        if isinstance(fragment, str) and isinstance(vertex, str):
            self._texts[made] = fragment, vertex, why
        return made

    def texture(self, image: Any, internal_format: str | None = None, **parameters: Any) -> Texture:
        """Describe a moderngl texture, as `Texture.from_moderngl` does.

        Args:
            image: A moderngl texture.
            internal_format: GL's, where another one is kept in that of the image: ``LUMINANCE8`` in red; the host sets
                the image's swizzle so that it is seen so, here ``"RRR1"``.
            **parameters: GL's, as for `Texture`: ``levels``, ``max_level`` and so on.
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
        self.ctx, self.modules.lod_query = ctx, self._driver.lod_query

    def _places(self, shader: Shader, stage: Stage) -> tuple[tuple[int, int], Mapping[Any, Any]]:
        free = [(0, at) for at in range(_LAST_BLOCK, -1, -1) if (0, at) not in shader.taken]
        return free[shader.stages.index(stage)], {}

    def _draw(self, shader: Shader, slots: list[DrawSlot], plan: list[Variant]) -> Draw:
        gl = self._driver.gl
        program, blocks, lost = self._program(shader, slots, plan)
        for slot in slots:
            if slot.image is not None:
                self._check_image(slot)
        used = {unit: slots[slot] for unit, slot in _units(shader)}
        for slot in slots:
            lost += map(str, (*getattr(slot.bound.handle, "lost", ()), *slot.bound.unsupported))
        return Draw(
            program,
            {unit: self._sampler(slot) for unit, slot in used.items() if slot.bound.handle is not None},
            {unit: slot.image or _Nothing(gl, slot.texture.target) for unit, slot in used.items()},
            blocks,
            draw_key(*(one.name for one in plan)),
            tuple(dict.fromkeys(lost)),
            partial(gl.call, "glBindSampler"),
        )

    def _program(
        self, shader: Shader, slots: list[DrawSlot], plan: list[Variant]
    ) -> tuple[Any, dict[int, Any], list[str]]:
        """Return a program: GLSL as it is, SPIR-V, or GLSL written of that; its blocks; what it lacks."""
        *texts, why = self._texts.get(shader, ("",))
        why = why or ("" if self._driver.spirv else _NO_SPIRV)
        stages = [(stage, one, self.numbers(stage, one, slots)) for stage, one in zip(shader.stages, plan, strict=True)]
        rewritten = any(one.name != stage.module for stage, one, _ in stages)
        in_vertex = any(numbers and stage.name == "vertex" for stage, _, numbers in stages)
        program, reason = None, ""
        if texts and rewritten and (why or in_vertex):
            names = tuple(one.name for one in plan)
            program, reason = self._once("written", (*texts, *names), partial(self._written, shader, stages))
        if texts and program is None and (why or not rewritten):
            lost = _left(slots, f"{why}; {reason}") if rewritten else []
            return self._once("program", tuple(texts), partial(self._compiled_program, shader, *texts)), {}, lost
        modules, blocks, lost = dict[str, bytes](), dict[int, Any](), list[str]()
        for stage, one, numbers in stages:
            modules[stage.name] = one.module
            if numbers and stage.name == "vertex" and program is None:
                modules[stage.name] = shader.modules[stage.name]
                lost += _left([slots[slot] for slot in stage.slots], f"{_NO_BLOCK}{reason and '; '}{reason}")
                continue
            lost += [said for _, said in one.unresolved]
            if numbers:
                (_, binding), _ = self._placed(shader, stage)
                blocks[binding] = self._once("buffer", numbers, partial(self._buffer, numbers))
        if program is None:
            program = self._once("program", tuple(modules.values()), partial(self._spirv_program, **modules))
        return program, blocks, lost

    def _written(self, shader: Shader, stages: list[tuple[Stage, Variant, bytes]]) -> tuple[Any, str]:
        """Return a program of GLSL that is written of the variants, with the shader's names; or None, and why."""
        *texts, why = self._texts[shader]
        versions = [version_of(text) or (0, False) for text in texts]
        number, es = max(version for version, _ in versions), versions[0][1]
        if any(_BOUND.search(without_comments(text)) for text in texts):
            if why == _UNBOUND:
                return None, "some have one: give it to every block"
            number = max(number, 310 if es else 420)
        elif why == _UNBOUND:
            number = min(number, 300 if es else 410)  # there are no bindings in it, which would be others
        try:
            made = {stage.name: self.modules.written(one, number, es=es) for stage, one, _ in stages}
        except StateTrackerError as error:
            return None, str(error)
        for stage, one, _ in stages:
            if other := next((name for name in names_of(one.module) if not _declared(name, made[stage.name])), ""):
                return None, f"spirv-cross gives another name to {other}, which is a reserved word somewhere"
        try:
            program = self._compiled_program(
                shader, *(_BLOCK.sub(f"uniform {_OURS}{name}", text) for name, text in made.items())
            )
        except Exception as error:  # noqa: BLE001 (moderngl's own: the text is not the host's)
            return None, f"GL refuses what spirv-cross writes: {' '.join(str(error).split())}"
        for stage, _, numbers in stages:
            if numbers:
                program[f"{_OURS}{stage.name}"].binding = self._placed(shader, stage)[0][1]
        return program, ""

    def _made_by(self, make: Callable[[], Any], kind: str) -> Any:
        try:
            return make()
        except Exception as error:
            raise CallFailed("GL", f"create {kind}", " ".join(str(error).split())) from error

    def _check_image(self, slot: DrawSlot) -> None:
        """Raise `ArgumentError` for an image that is not what its texture says; one that is, is asked once."""
        handle, texture = slot.bound.handle, slot.texture
        mipmaps = handle is not None and handle.state.min_mip_filter != TexMipfilter.NONE
        checked, key = self._objects["image"], (slot.image, texture.facts(), texture.part(), mipmaps)
        if checked.get(key) is None:
            check_image(self._driver.gl, slot.variable.name, slot.image, texture, mipmaps=mipmaps)
            checked.put(key, True)

    def _sampler(self, slot: DrawSlot) -> int:
        """Return the sampler object of a slot, whose border looks the same in an image of alpha and in one of red."""
        handle, part = slot.bound.handle, slot.bound.view(slot.texture).part
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


def _declared(name: str, text: str) -> bool:
    """Return whether GLSL declares a uniform, a block, an input or an output of a name."""
    word = re.escape(name)
    return re.search(rf"\b(?:uniform|buffer|in|out)\b[^;{{}}]*\b{word}\s*(?:\[[^]]*\]\s*)*[;{{]", text) is not None


def _left(slots: list[DrawSlot], why: str) -> list[str]:
    """Say what a shader should do, and why it does not."""
    work = [(slot.variable.name, ", ".join(slot.bound.lowering.work)) for slot in slots]
    return [f"{name}: {todo}, which is the shader's: {why}" for name, todo in work if todo]


def _units(shader: Shader) -> Iterator[tuple[int, int]]:
    """Yield units and their slots: a sampler's binding is its unit."""
    for stage in shader.stages:
        for place in stage.places:
            yield from enumerate(stage.slots_of(place), place[1])
