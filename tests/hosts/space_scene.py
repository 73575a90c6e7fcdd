"""A texture of the discrete space on WebGPU, and what a host makes to draw many states with it in one pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import statetracker as st
from statetracker.survey.comparison import TEXTURES
from statetracker.webgpu import screen_of
from tests.hosts.drawn import KINDS, LEVELS, SIZE
from tools.proofs.pixels.vulkan_draw import placed_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["COMPARED", "SAMPLES", "SIDE", "Scene"]

#: Side of a picture, in which a state has so many texels beside each other.
SIDE: Final = 128
SAMPLES: Final = 4
#: States of one plan.
PLANNED: Final = 128
#: Bytes between elements of the buffer: minUniformBufferOffsetAlignment.
STRIDE: Final = 256
#: Each texel of the picture is a point.
VERTEX: Final = f"""
@vertex fn main(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {{
    let at = (vec2f(f32(n % {SIDE}), f32(n / {SIDE})) + 0.5) / {SIDE / 2};
    return vec4f(at.x - 1.0, 1.0 - at.y, 0.0, 1.0);
}}
"""
#: Depth of 24 bits cannot be uploaded: it is drawn. The first number is the width.
DEPTH: Final = """
@group(0) @binding(0) var<storage, read> depths: array<f32>;
@vertex fn above(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(n & 1), f32(n >> 1)) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn depth(@builtin(position) at: vec4f) -> @builtin(frag_depth) f32 {
    return depths[1 + u32(at.y) * u32(depths[0]) + u32(at.x)];
}
"""
_STORAGE: Final = {"buffer": {"type": "read-only-storage"}}
_FLOATS: Final[dict[str, Any]] = {"dtype": "f4", "divisor": 1}
_COLOUR: Final = KINDS["colour"]
#: What is sampled of depth by states that compare.
COMPARED: Final = KINDS["depth compared at a level"]._replace(**_FLOATS)
#: Name in `TEXTURES` -> what is sampled, of states that do not compare.
_SAMPLED: Final = {
    "RGBA8, 2D": _COLOUR,
    "RGBA8, cube": _COLOUR._replace(target="cube", shader="samplerCube", expression="textureLod(image, c.xyz, d.y)"),
    "RGBA32F, 2D": _COLOUR._replace(image="rgba32float", reference="float", **_FLOATS),
    "DEPTH_COMPONENT24, 2D": KINDS["depth not compared"]._replace(image="depth24plus", **_FLOATS),
}


class Scene:
    """A texture of the space on a device, and what a host makes to draw states with it.

    Args:
        device: A ``wgpu.GPUDevice``.
        name: Of the texture.
    """

    def __init__(self, device: Any, name: str) -> None:
        self.device, self.screen, self.kind = device, screen_of(device), _SAMPLED[name]
        self.made, self.lost = _counted(device), Counter[str]()
        target, internal_format = TEXTURES[name]
        faces = (6,) * (target == "cube_map")
        size = (SIZE[0], SIZE[not faces])
        self.texture = st.Texture(target, internal_format, size, levels=LEVELS, max_level=LEVELS - 1)
        self.levels = [self._texels((*faces, size[1] >> at, size[0] >> at), at) for at in range(LEVELS)]
        view = {"sample_type": "unfilterable-float", "view_dimension": self.kind.target}
        self.layouts = [
            self._layout({"texture": view}, _STORAGE, _STORAGE, {"sampler": {"type": "non-filtering"}}),
            self._layout({"buffer": {"type": "uniform", "has_dynamic_offset": True}}),
        ]
        depth = self.kind.image.startswith("depth")
        usage = f"TEXTURE_BINDING|{'RENDER_ATTACHMENT' if depth else 'COPY_DST'}"
        whole = {"size": (*size, *faces), "format": self.kind.image, "mip_level_count": LEVELS}
        image = device.create_texture(**whole, usage=usage)
        (self._draw_depth if depth else self._upload)(image)
        self.view = image.create_view(dimension=self.kind.target)
        usage = "RENDER_ATTACHMENT|COPY_SRC"
        self.target = device.create_texture(size=(SIDE, SIDE, 1), format="rgba32float", usage=usage)
        self.vertex = device.create_shader_module(code=VERTEX)
        self.own = self.made["create_shader_module"]
        self.pipelines: dict[Any, tuple[Any, Any]] = {}
        self.samplers: dict[Any, Any] = {}

    def _texels(self, shape: tuple[int, ...], seed: int) -> NDArray[Any]:
        chance, whole = np.random.default_rng((7, seed)), (*shape, self.kind.channels)
        if self.kind.dtype == "u1":
            return chance.integers(0, 255, whole, np.uint8, endpoint=True)
        return chance.choice(np.array([0, 0, 1, 1, 0.125, 0.25, 0.75], np.float32), whole)

    def _layout(self, *kinds: dict[str, Any]) -> Any:
        entries = [{"binding": at, "visibility": "FRAGMENT", **kind} for at, kind in enumerate(kinds)]
        return self.device.create_bind_group_layout(entries=entries)

    def _group(self, layout: Any, *resources: Any) -> Any:
        entries = [{"binding": at, "resource": one} for at, one in enumerate(resources)]
        return self.device.create_bind_group(layout=layout, entries=entries)

    def _buffer(self, data: Any, usage: str = "STORAGE") -> dict[str, Any]:
        return {"buffer": self.device.create_buffer_with_data(data=data, usage=usage)}

    def _upload(self, image: Any) -> None:
        for at, texels in enumerate(self.levels):
            *layers, height, width, _ = texels.shape
            rows = {"bytes_per_row": texels.strides[-3], "rows_per_image": height}
            place = {"texture": image, "mip_level": at}
            self.device.queue.write_texture(place, texels.tobytes(), rows, (width, height, *layers))

    def _draw_depth(self, image: Any) -> None:
        module, layout = self.device.create_shader_module(code=DEPTH), self._layout(_STORAGE)
        pipeline = self.device.create_render_pipeline(
            layout=self.device.create_pipeline_layout(bind_group_layouts=[layout]),
            vertex={"module": module, "entry_point": "above"},
            primitive={"topology": "triangle-list"},
            depth_stencil={"format": self.kind.image, "depth_write_enabled": True, "depth_compare": "always"},
            fragment={"module": module, "entry_point": "depth", "targets": []},
        )
        encoder = self.device.create_command_encoder()
        for at, texels in enumerate(self.levels):
            numbers = np.array([texels.shape[1], *texels.flat], np.float32)
            given = {"depth_clear_value": 0.0, "depth_load_op": "clear", "depth_store_op": "store"}
            given["view"] = image.create_view(base_mip_level=at, mip_level_count=1)
            drawing = encoder.begin_render_pass(color_attachments=[], depth_stencil_attachment=given)
            drawing.set_pipeline(pipeline)
            drawing.set_bind_group(0, self._group(layout, self._buffer(numbers)))
            drawing.draw(3)
            drawing.end()
        self.device.queue.submit([encoder.finish()])

    def planned(self, samplers: Sequence[st.Sampler]) -> Iterator[st.Result]:
        """Plan states as dynamic bindings, some at a time, and note what is lost."""
        for begun in range(0, len(samplers), PLANNED):
            some = enumerate(samplers[begun : begun + PLANNED])
            results = {(0, at): st.convert(sampler, self.texture, self.screen) for at, sampler in some}
            plan = st.plan_samplers(results, dynamic=tuple(results))
            lost = {(at, str(loss)) for at, one in plan.results.items() for loss in one.unsupported}
            self.lost.update(why for _, why in lost.union(plan.left_over))
            yield from plan.results.values()

    def _pipeline(self, one: st.Result) -> tuple[Any, Any]:
        """Return what draws a result and its sampler, each made once."""
        if one.lowering not in self.pipelines:
            kind = self.kind if one.lowering.compare_func is None else COMPARED
            module = placed_module(kind.shader, SIDE, kind.expression)
            lowered = st.lower(module, {(0, 0): one.lowering}, values=(1, 0), lod_query=False)
            split = st.split_samplers(lowered.module, samplers={(0, 0): one.webgpu})
            assert lowered.unresolved == split.unresolved == ()
            made = {**one.webgpu, **({"compare": None} if split.samplers[0].by_hand else {})}
            key = tuple(made.items())
            if key not in self.samplers:
                self.samplers[key] = self.device.create_sampler(**made)
            module = self.device.create_shader_module(code=split.module)
            pipeline = self.device.create_render_pipeline(
                layout=self.device.create_pipeline_layout(bind_group_layouts=self.layouts),
                vertex={"module": self.vertex, "entry_point": "main"},
                primitive={"topology": "point-list"},
                fragment={"module": module, "entry_point": "main", "targets": [{"format": "rgba32float"}]},
            )
            self.pipelines[one.lowering] = pipeline, self.samplers[key]
        return self.pipelines[one.lowering]

    def picture(self, planned: Sequence[st.Result], places: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Draw states in one pass; return their texels, (states * SAMPLES, 4)."""
        blocks = [st.border_values([one]) for one in planned]
        buffer = self._buffer(b"".join(one.ljust(STRIDE, b"\0") for one in blocks), "UNIFORM")
        block = self._group(self.layouts[1], buffer | {"offset": 0, "size": len(blocks[0])})
        fields = [self._buffer(one) for one in places]
        encoder = self.device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store"}
        drawing = encoder.begin_render_pass(color_attachments=[attachment])
        by_module = defaultdict[Any, list[int]](list)
        for n, one in enumerate(planned):
            by_module[self._pipeline(one)].append(n)
        for (pipeline, sampler), numbers in by_module.items():
            drawing.set_pipeline(pipeline)
            drawing.set_bind_group(0, self._group(self.layouts[0], self.view, *fields, sampler))
            for n in numbers:
                drawing.set_bind_group(1, block, [STRIDE * n])
                drawing.draw(SAMPLES, 1, SAMPLES * n)
        drawing.end()
        self.device.queue.submit([encoder.finish()])
        rows = {"bytes_per_row": SIDE * 16}
        texels = self.device.queue.read_texture({"texture": self.target}, rows, (SIDE, SIDE, 1))
        return np.frombuffer(texels, np.float32).reshape(-1, 4)


def _counted(device: Any) -> Counter[str]:
    """Count the samplers and modules that a device makes from now on."""
    made = Counter[str]()

    def counting(name: str, make: Callable[..., Any]) -> Callable[..., Any]:
        def counted(**members: Any) -> Any:
            made[name] += 1
            return make(**members)

        return counted

    for name in ("create_sampler", "create_shader_module"):
        setattr(device, name, counting(name, getattr(device, name)))
    return made
