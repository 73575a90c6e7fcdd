"""`statetracker.hosts.wgpu.Renderer` draws what GL does, and makes nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import statetracker as st
from statetracker.errors import ArgumentError, CallFailed, DeviceLost, FileError
from statetracker.gl import enums as e
from statetracker.hosts.wgpu import Draw, Renderer
from tests.hosts.drawn import KINDS, SIDE, Case, case, cases, places, wrong
from tests.hosts.promises import CLAMPED, assert_kept, assert_warm
from tools.proofs.pixels.webgpu_run import open_device

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

VERTEX: Final = """#version 450
void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT: Final = """#version 450
layout(set = 0, binding = 0, std430) readonly buffer Places {{ vec4 places[]; }};
layout(set = 0, binding = 1, std430) readonly buffer Details {{ vec4 details[]; }};
layout(set = 1, binding = 0) uniform {shader} image;
layout(location = 0) out vec4 texel;
void main() {{
    int n = int(gl_FragCoord.y) * {side} + int(gl_FragCoord.x);
    vec4 c = places[n], d = details[n];
    texel = vec4({expression});
}}
"""


class Canvas:
    """A host: two buffers of its own, a pipeline for each key, a picture of floats."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.renderer = Renderer(device)
        entries = [{"binding": n, "visibility": "FRAGMENT", "buffer": {"type": "read-only-storage"}} for n in range(2)]
        self.layout = device.create_bind_group_layout(entries=entries)
        buffers = [device.create_buffer_with_data(data=one, usage="STORAGE") for one in places()]
        resources = [{"binding": n, "resource": {"buffer": one}} for n, one in enumerate(buffers)]
        self.own = device.create_bind_group(layout=self.layout, entries=resources)
        self.target = device.create_texture(
            size=(SIDE, SIDE, 1), format="rgba32float", usage="RENDER_ATTACHMENT|COPY_SRC"
        )
        self.shaders: dict[str, Any] = {}
        self.pipelines: dict[object, Any] = {}
        self.images: dict[str, Any] = {}

    def shader(self, kind: Any) -> Any:
        if kind.shader + kind.expression not in self.shaders:
            source = FRAGMENT.format(shader=kind.shader, expression=kind.expression, side=SIDE)
            self.shaders[kind.shader + kind.expression] = self.renderer.shader(source, VERTEX, layouts=(self.layout,))
        return self.shaders[kind.shader + kind.expression]

    def image(self, one: Case) -> Any:
        kind = one.kind
        name = f"{kind.internal_format} {kind.shader} {len(one.levels)}"
        if name not in self.images:
            made = self.renderer.texture_descriptor(one.texture)
            assert made["format"] == kind.image
            image = self.device.create_texture(**made, usage="TEXTURE_BINDING|COPY_DST")
            for at, texels in enumerate(one.levels):
                width, height, depth = (*texels.shape[-2::-1], 1, 1)[:3]
                rows = {"bytes_per_row": width * texels.strides[-2], "rows_per_image": height}
                place = {"texture": image, "mip_level": at}
                self.device.queue.write_texture(place, texels.tobytes(), rows, (width, height, depth))
            self.images[name] = image
        return self.images[name]

    def bound(self, one: Case) -> Draw:
        return self.renderer.bind(self.shader(one.kind), {"image": (one.sampler, one.texture, self.image(one))})

    def drawn(self, one: Case) -> NDArray[np.float32]:
        return self.shown(self.bound(one))

    def shown(self, draw: Draw) -> NDArray[np.float32]:
        if draw.key not in self.pipelines:
            self.pipelines[draw.key] = self.device.create_render_pipeline(
                layout=draw.pipeline_layout,
                vertex={"module": draw.vertex, "entry_point": "main"},
                primitive={"topology": "triangle-list"},
                fragment={"module": draw.module, "entry_point": "main", "targets": [{"format": "rgba32float"}]},
            )
        encoder = self.device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store"}
        drawing = encoder.begin_render_pass(color_attachments=[attachment])
        drawing.set_pipeline(self.pipelines[draw.key])
        drawing.set_bind_group(0, self.own)
        for number, group in draw.bind_groups.items():
            drawing.set_bind_group(number, group)
        drawing.draw(3)
        drawing.end()
        self.device.queue.submit([encoder.finish()])
        texels = self.device.queue.read_texture({"texture": self.target}, {"bytes_per_row": SIDE * 16}, (SIDE, SIDE, 1))
        return np.frombuffer(texels, np.float32).reshape(-1, 4)


@pytest.fixture(scope="module")
def device() -> Any:
    return open_device()


@pytest.fixture(scope="module")
def canvas(device: Any) -> Canvas:
    return Canvas(device)


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_is_drawn_as_gl_draws_it(canvas: Canvas, kind: str, whole: bool) -> None:
    for one in cases(kind, 2_000 if whole else 24):
        assert canvas.bound(one).unsupported == ()
        assert wrong(one, canvas.drawn(one)) == 0, one.name


@pytest.mark.parametrize("kind", [name for name in KINDS if name != "depth compared"])
def test_a_reduction_is_drawn_by_the_shader(canvas: Canvas, kind: str, whole: bool) -> None:
    for at, one in enumerate(cases(kind, 200 if whole else 6, seed=2)):
        one.sampler.reduction_mode = ("min", "max")[at % 2]
        assert canvas.bound(one).unsupported == ()
        assert wrong(one, canvas.drawn(one)) == 0, one.name


MIPMAPPED: Final = st.Sampler(min_filter="nearest-mipmap-nearest")
SHARP: Final = st.Sampler(filter="nearest")
SHADOW: Final = st.Sampler(compare_mode="compare-ref-to-texture", min_filter="linear")

# Objects ##############################################################################################################

QUAD: Final = """#version 450
uniform sampler2D wall; uniform sampler2D detail;
layout(location = 0) in vec2 place; layout(location = 0) out vec4 colour;
void main() { colour = texture(wall, place) * texture(detail, place); }
"""


class Scene:
    """A device and a renderer, two images and a sampler that WebGPU has not."""

    def __init__(self, device: Any) -> None:
        self.device, self.renderer = device, Renderer(device)
        self.shader = self.renderer.shader(QUAD)
        self.sampler = st.Sampler(**CLAMPED)
        self.images = [self.image() for _ in range(2)]
        self.textures = [self.renderer.texture(image) for image in self.images]

    def image(self, **more: Any) -> Any:
        made = {"size": (4, 4, 1), "format": "rgba8unorm", "usage": "TEXTURE_BINDING"} | more
        return self.device.create_texture(**made)

    def bound(self, sampler: st.Sampler | None = None, **others: Any) -> Draw:
        own = self.sampler if sampler is None else sampler
        pairs = zip(self.textures, self.images, strict=True)
        each = {name: (own, *pair) for name, pair in zip(("wall", "detail"), pairs, strict=True)}
        return self.renderer.bind(self.shader, each | others)


@pytest.fixture
def scene(device: Any) -> Scene:
    return Scene(device)


def test_equal_requests_get_equal_objects_and_nothing_is_made_twice(scene: Scene) -> None:
    assert_kept(scene.renderer, scene.bound, st.Policy(lod_offset=-1.0))
    assert scene.renderer.created["module"] == scene.renderer.modules.made == 2


def test_draws_may_be_kept_while_the_version_is_the_same(scene: Scene) -> None:
    first, version = scene.bound(), scene.renderer.version
    for _ in range(3):
        assert scene.bound() is first
        scene.renderer.end_frame()
        assert scene.renderer.version == version
    seen = {version}
    changes: list[Callable[[], object]] = [
        lambda: scene.sampler.update(border_color=(0, 1, 0, 1)),
        lambda: setattr(scene.textures[0], "max_level", 0),
        lambda: setattr(scene.renderer, "policy", st.Policy(lod_offset=-1.0)),
        lambda: scene.renderer.lost(scene.renderer.device),
    ]
    for change in changes:
        change()
        assert scene.renderer.version not in seen
        seen.add(scene.renderer.version)


def test_draws_of_the_first_frame_after_an_option_may_be_kept(scene: Scene) -> None:
    """The sampler that the option asks for is made beside GL's, of which nothing has changed."""
    scene.bound()
    scene.renderer.policy = st.Policy(force_lod_bias=1.0)
    version, draw = scene.renderer.version, scene.bound()
    assert scene.renderer.version == version
    assert scene.bound() is draw


def test_an_option_of_anisotropy_keeps_every_module(scene: Scene) -> None:
    image = scene.image(mip_level_count=3)
    sampler = st.Sampler(min_filter="linear-mipmap-linear", lod_bias=0.5)
    wall = sampler, scene.renderer.texture(image), image
    first = scene.bound(wall=wall)
    scene.renderer.policy = st.Policy(force_anisotropy=8.0)
    second = scene.bound(wall=wall)
    assert (second.key, second.module) == (first.key, first.module)
    assert scene.renderer.modules.made == 1
    assert second.bind_groups != first.bind_groups


def test_a_level_that_is_no_longer_shown_is_another_view(scene: Scene) -> None:
    image = scene.image(mip_level_count=3)
    texture = scene.renderer.texture(image)
    mipmapped = st.Sampler(min_filter="linear-mipmap-linear")
    first = scene.bound(wall=(mipmapped, texture, image))
    texture.max_level = 1
    second = scene.bound(wall=(mipmapped, texture, image))
    assert second.bind_groups != first.bind_groups
    assert second.key == first.key


def test_an_incomplete_texture_is_black_and_shows_once_it_is_complete(scene: Scene) -> None:
    texture = scene.textures[0]
    mipmapped = st.Sampler(min_filter="linear-mipmap-linear")
    texture.max_level = 5  # of which it has one
    black = scene.bound(mipmapped)
    assert scene.renderer.created["texture"] == 1
    assert scene.bound(mipmapped) is black
    texture.max_level = 0
    assert scene.bound(mipmapped).bind_groups != black.bind_groups


def test_a_view_stands_for_the_image_and_is_the_one_that_a_bind_makes(scene: Scene) -> None:
    first, views = scene.bound(), scene.renderer.created["view"]
    view = scene.renderer.view(scene.images[0], scene.textures[0], scene.sampler)
    assert scene.bound(wall=(scene.sampler, scene.textures[0], view)) == first
    assert scene.renderer.created["view"] == views


BAD: Final = "sampler or None, texture, image"
RGBA8: Final = st.Texture("2d", "RGBA8", (4, 4), levels=1)


@pytest.mark.parametrize(
    ("wall", "words"),
    [
        (1, BAD),
        ({}, BAD),
        ((None, None, [{}]), BAD),
        ((1, 2), BAD),
        (({}, st.Texture(), 1), BAD),
        ((object(), st.Texture(), 1), BAD),
        ((None, None, None), r"wall=.*renderer.texture.image. describes"),
        ((1, st.Texture(), None), r"wall=.*Sampler or None, not 1"),
        ((SHARP, RGBA8, None), "image of wall"),
        ((SHARP, RGBA8, {"format": "bgra8unorm"}), r"'bgra8unorm'.*texture_descriptor"),
        ((MIPMAPPED, st.Texture("2d", "RGBA8", (4, 4)), {}), r"renderer\.texture\(image\) describes it"),
        ((SHADOW, st.Texture("2d", "DEPTH_COMPONENT16", (4, 4)), {"format": "depth16unorm"}), "no shadow sampler"),
    ],
)
def test_what_is_no_texture_or_has_no_image_of_its_own_is_refused_by_name(scene: Scene, wall: Any, words: str) -> None:
    """Each time. A dict is the image that is made so; a list is as good as a tuple."""
    if isinstance(wall, tuple) and isinstance(wall[-1], dict):
        wall = (*wall[:-1], scene.image(**wall[-1]))
    for _ in range(2):
        with pytest.raises(ArgumentError, match=words):
            scene.bound(wall=wall)
    with pytest.raises(ArgumentError, match="wall, detail"):
        scene.renderer.bind(scene.shader, {})
    assert scene.bound(wall=[scene.sampler, scene.textures[0], scene.images[0]]) == scene.bound()


def test_a_shadow_sampler_over_colours_is_told_of_the_texture(canvas: Canvas) -> None:
    one = case("colour", 0)
    with pytest.raises(ArgumentError, match=r"texture of image='RGBA8'.*depth"):
        canvas.renderer.bind(
            canvas.shader(KINDS["depth compared"]), {"image": (SHADOW, one.texture, canvas.image(one))}
        )


OWN: Final = QUAD.replace("void main", "layout(set = 2, binding = 0) uniform Own { vec4 own; };\nvoid main")
APART: Final = """#version 450
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler smooth_one;
layout(location = 0) out vec4 colour;
void main() { colour = texture(sampler2D(image, smooth_one), vec2(0.5)); }"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((text, r"with its #version.*st\.sample_function") for text in ("@fragment fn main() {}", "shader.frag", "")),
        (b"@fragment fn main() {}", "apart"),  # WGSL has no pairs of texture and sampler
        (OWN.replace("colour = ", "colour = own + "), "groups 0 to 2"),
        (APART, r"smooth_one='a sampler without a texture'.*uniform sampler2D"),
    ],
)
def test_what_is_no_shader_that_can_be_drawn_with_is_refused(scene: Scene, text: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        scene.renderer.shader(text)
    with pytest.raises(ArgumentError, match=r"renderer\.shader"):
        scene.renderer.bind("GLSL", {})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="request_device_sync"):
        Renderer(object())


def test_a_module_that_was_refused_does_not_spoil_the_next_start(scene: Scene, tmp_path: Path) -> None:
    shader = scene.renderer.shader(QUAD.replace("void main() {", "void main() { gl_SampleMask[0] = 1;"))
    row = scene.sampler, scene.textures[0], scene.images[0]
    with pytest.raises(CallFailed):
        scene.renderer.bind(shader, {"wall": row, "detail": row})
    scene.renderer.save(tmp_path / "kept")
    assert Scene(scene.device).renderer.warm(tmp_path / "kept") == 2


def test_an_array_of_samplers_has_a_binding_for_each_element(scene: Scene) -> None:
    array = QUAD.replace("uniform sampler2D wall;", "uniform sampler2D wall[2];")
    array = array.replace("texture(wall, place)", "texture(wall[0], place) * texture(wall[int(place.x) % 2], place)")
    row = scene.sampler, scene.textures[0], scene.images[0]
    other = st.Sampler(wrap="clamp-to-edge"), scene.textures[0], scene.images[0]
    draw = scene.renderer.bind(scene.renderer.shader(array), {"wall": [row, other], "detail": row})
    assert draw.unsupported == ()
    assert draw != scene.renderer.bind(scene.renderer.shader(array), {"wall": [other, row], "detail": row})


def of_image(canvas: Canvas, name: str, expression: str) -> Draw:
    """A draw that reads one image of a kind in another way."""
    one = case(name, 0)
    shader = canvas.shader(one.kind._replace(expression=expression))
    return canvas.renderer.bind(shader, {"image": (one.sampler, one.texture, canvas.image(one))})


def test_fetched_integers_lose_nothing_and_need_no_sampler(canvas: Canvas) -> None:
    draw = of_image(canvas, "integer", "texelFetch(image, ivec2(c.xy), 0)")
    assert draw.unsupported == ()
    assert draw.module is of_image(canvas, "integer", "texelFetch(image, ivec2(c.xy), 0)").module


@pytest.mark.parametrize("expression", ["texelFetch(image, ivec2(c.xy), 0)", "vec4(textureSize(image, 0), c.xy)"])
def test_a_shadow_map_is_fetched_though_its_sampler_compares(canvas: Canvas, expression: str) -> None:
    one = case("depth compared", 0)
    shader = canvas.shader(one.kind._replace(shader="sampler2D", expression=expression))
    draw = canvas.renderer.bind(shader, {"image": (one.sampler, one.texture, canvas.image(one))})
    assert draw.unsupported == ()
    assert canvas.shown(draw).size


@pytest.mark.parametrize(
    ("target", "size", "shader", "expression"),
    [
        ("1d", (4,), "sampler1D", "texture(image, c.x)"),
        ("1d-array", (4, 3), "sampler1DArray", "texture(image, c.xy)"),
        ("2d-array", (4, 2, 3), "sampler2DArray", "texture(image, c.xyz)"),
        ("cube-map", (4, 4), "samplerCube", "texture(image, c.xyz)"),
        ("cube-map-array", (4, 4, 12), "samplerCubeArray", "texture(image, c)"),
        ("2d-multisample", (4, 4), "sampler2DMS", "texelFetch(image, ivec2(c.xy), 1)"),
    ],
)
def test_every_target_has_an_image_which_is_described_as_it_is(
    canvas: Canvas, target: str, size: tuple[int, ...], shader: str, expression: str
) -> None:
    many = "multisample" in target
    texture = st.Texture(target, "RGBA8", size, levels=1, samples=4 * many)
    usage = "TEXTURE_BINDING|RENDER_ATTACHMENT" if many else "TEXTURE_BINDING"
    image = canvas.device.create_texture(**canvas.renderer.texture_descriptor(texture), usage=usage)
    for word in (target, texture.target, f"GL_TEXTURE_{target.upper().replace('-', '_')}"):
        assert canvas.renderer.texture(image, target=word).images == texture.images
    own = canvas.shader(case("colour", 0).kind._replace(shader=shader, expression=expression))
    others = () if many else ((st.Sampler(**CLAMPED), texture), (SHARP, st.Texture(target)))  # incomplete: it is black
    for sampler, one in ((SHARP, texture), *others):
        draw = canvas.renderer.bind(own, {"image": (sampler, one, image)})
        assert draw.unsupported == ()
        seen = canvas.shown(draw)
    assert many or (seen == (0, 0, 0, 1)).all()


def test_an_image_says_by_itself_whether_it_has_layers_or_samples(scene: Scene) -> None:
    usage = "TEXTURE_BINDING|RENDER_ATTACHMENT"
    layered, many = scene.image(size=(4, 4, 3)), scene.image(sample_count=4, usage=usage)
    seen = [scene.renderer.texture(image) for image in (layered, many)]
    assert [e.Target(one.target).name for one in seen] == ["TEXTURE_2D_ARRAY", "TEXTURE_2D_MULTISAMPLE"]
    line = scene.image(dimension="1d", size=(4, 1, 1))
    shader = scene.renderer.shader(
        QUAD.replace("sampler2D wall", "sampler1D wall").replace("(wall, place", "(wall, 0.5")
    )
    with pytest.raises(ArgumentError, match="texture_descriptor"):
        scene.renderer.bind(
            shader, {"wall": (SHARP, scene.renderer.texture(line), line), "detail": (SHARP, RGBA8, scene.image())}
        )
    with pytest.raises(ArgumentError, match=r"wgpu\.GPUTexture"):
        scene.renderer.texture("an image")


def test_another_comparison_at_a_level_is_another_module_which_is_kept(canvas: Canvas, tmp_path: Path) -> None:
    one = case("depth compared at a level", 0)
    kept = canvas.bound(one)
    one.sampler.border_color = (0.5, 0.5, 0.5, 0.5)
    assert canvas.bound(one).module is kept.module
    one.sampler.compare_func = "greater"
    assert canvas.bound(one).module is not kept.module
    one.sampler.compare_func = "lequal"
    assert canvas.bound(one).key == kept.key
    other = Canvas(canvas.device)
    canvas.renderer.save(tmp_path / "kept")
    other.renderer.warm(tmp_path / "kept")
    assert (other.bound(one).key, other.renderer.modules.made) == (kept.key, 0)


def test_integers_of_an_array_with_unlike_samplers_are_refused_with_the_reason(canvas: Canvas) -> None:
    one = case("integer", 0)
    text = FRAGMENT.format(
        shader="usampler2D", expression="texture(image[0], c.xy) + texture(image[1], c.xy)", side=SIDE
    )
    shader = canvas.renderer.shader(text.replace("image;", "image[2];"), VERTEX, layouts=(canvas.layout,))
    row, like = (one.sampler, one.texture, canvas.image(one)), (one.sampler.copy(), one.texture, canvas.image(one))
    assert canvas.renderer.bind(shader, {"image": [row, like]}).unsupported == ()
    unlike = one.sampler.copy(wrap_s="mirrored-repeat"), *row[1:]
    with pytest.raises(CallFailed, match="WGSL samples no integers"):
        canvas.renderer.bind(shader, {"image": [row, unlike]})


# A lost device, a second start #######################################################################################


def test_a_destroyed_device_is_lost_and_another_goes_on() -> None:
    scene = Scene(open_device())
    key = scene.bound().key
    scene.device.destroy()
    with pytest.raises(DeviceLost):
        scene.bound(st.Sampler(wrap="clamp-to-edge", min_filter="linear"))
    other = open_device()
    scene.renderer.lost(other)
    scene.device = other
    scene.images = [scene.image() for _ in range(2)]
    assert scene.bound().key == key
    assert scene.renderer.modules.made <= 2


def test_after_a_loss_all_is_made_for_what_the_other_device_can_do(device: Any) -> None:
    able = device.adapter.request_device_sync(required_features=["float32-filterable"])
    renderer = Renderer(able)
    shader, texture = renderer.shader(QUAD), st.Texture(internal_format="R32F", size=(4, 4), levels=1)

    def key(on: Any) -> str:
        image = on.create_texture(**renderer.texture_descriptor(texture), usage="TEXTURE_BINDING")
        wall = st.Sampler(filter="linear"), texture, image
        return renderer.bind(shader, {"wall": wall, "detail": wall}).key

    filtered = key(able)
    renderer.lost(device)
    assert renderer.screen == Renderer(device).screen
    assert key(device) != filtered
    with pytest.raises(ArgumentError, match=r"wgpu\.GPUDevice"):
        renderer.lost("another")
    assert renderer.device is device
    renderer.lost(able)
    assert key(able) == filtered


def test_an_image_of_another_device_is_refused_with_what_to_do(scene: Scene) -> None:
    other = Scene(open_device())
    given = scene.sampler, other.textures[0], other.images[0]
    with pytest.raises(CallFailed, match=r"bind group.*lost\(\)"):
        scene.renderer.bind(scene.shader, dict.fromkeys(scene.shader.names, given))


def test_a_second_start_rewrites_no_module_and_makes_no_sampler(scene: Scene, tmp_path: Path) -> None:
    second = Scene(scene.device)
    scenes = {one.renderer: one for one in (scene, second)}
    assert_warm(scene.renderer, second.renderer, lambda own: scenes[own].bound(), tmp_path / "kept", 2)
    assert second.renderer.created["module"] == 1


@pytest.mark.parametrize(
    "damage", [lambda text: text[:-9], lambda text: text.replace("module", "modul", 1), lambda _: "x"]
)
def test_a_damaged_file_is_refused_and_nothing_is_made(scene: Scene, tmp_path: Path, damage: Any) -> None:
    scene.bound()
    file = tmp_path / "kept"
    scene.renderer.save(file)
    file.write_text(damage(file.read_text()))
    second = Scene(scene.device)
    with pytest.raises(FileError, match="kept"):
        second.renderer.warm(file)
    assert not second.renderer.created


def test_what_was_not_drawn_with_for_long_is_let_go(scene: Scene) -> None:
    scene.bound()
    made = dict(scene.renderer.created)
    for _ in range(200):
        scene.renderer.end_frame()
    scene.bound()
    assert scene.renderer.created["view"] == made["view"] + 2
    assert scene.renderer.created["module"] == made["module"]
