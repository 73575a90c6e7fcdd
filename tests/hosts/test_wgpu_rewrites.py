"""`Renderer(device, rewrites=n)` on wgpu: states that no module knows yet are read of the block."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.hosts.wgpu import Draw, Renderer
from tests.hosts.drawn import KINDS, SIDE, STATES, case, cases, numbered, places, wrong
from tests.hosts.test_wgpu import FRAGMENT, QUAD, VERTEX, Canvas, Scene
from tools.proofs.pixels.webgpu_run import open_device

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.live("wgpu", "glslangValidator")

FLAT: Final = ("colour", "luminance", "alpha", "depth not compared")


@pytest.fixture(scope="module")
def device() -> Any:
    return open_device()


@pytest.fixture
def scene(device: Any) -> Scene:
    made = Scene(device)
    made.renderer.rewrites = 0
    return made


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "integer"])
def test_states_that_are_read_are_drawn_as_gl_draws_them_by_one_module(device: Any, kind: str, whole: bool) -> None:
    canvas = Canvas(device)
    canvas.renderer.rewrites = 0
    keys = set()
    for one in cases(kind, 2_000 if whole else 12):
        draw = canvas.bound(one)
        assert draw.unsupported == ()
        assert wrong(one, canvas.drawn(one)) == 0, one.name
        keys.add(draw.key)
    plain = 1 if kind == "colour" or kind.startswith("line") else 0  # of states that WebGPU's samplers have
    assert len(keys) <= 1 + plain
    assert canvas.renderer.modules.made <= 2 + plain + (kind == "depth compared at a level")  # the vertex stage too


def test_integers_are_drawn_by_a_module_for_each_state(device: Any) -> None:
    canvas = Canvas(device)
    canvas.renderer.rewrites = 0
    for one in cases("integer", 8):
        assert canvas.bound(one).unsupported == ()
        assert wrong(one, canvas.drawn(one)) == 0, one.name
    assert canvas.renderer.modules.made > 8


def shader_of(canvas: Canvas, count: int) -> Any:
    """A shader with many samplers, of which d.z says which is shown."""
    names = [f"image{at}" for at in range(count)]
    shown = "vec4(0.0)"
    for at, name in enumerate(names):
        shown = f"d.z == {at}.0 ? textureLod({name}, c.xy, d.y) : {shown}"
    text = FRAGMENT.format(shader="sampler2D", expression=shown, side=SIDE)
    declared = "".join(f"layout(set = 1, binding = {at}) uniform sampler2D {name};\n" for at, name in enumerate(names))
    text = text.replace("layout(set = 1, binding = 0) uniform sampler2D image;\n", declared)
    return canvas.renderer.shader(text, VERTEX, layouts=(canvas.layout,))


def test_thirty_two_animated_states_of_four_textures_are_one_module_and_one_sampler() -> None:
    adapter = open_device().adapter
    limits = {"max-sampled-textures-per-shader-stage": 32, "max-samplers-per-shader-stage": 16}
    canvas = Canvas(adapter.request_device_sync(required_limits=limits))
    renderer = canvas.renderer
    renderer.rewrites = 0
    shader, chance = shader_of(canvas, 32), Random(3)  # noqa: S311 (no secret)
    each = [case(FLAT[at % 4], 0) for at in range(32)]
    pool = [chance.randrange(STATES) for _ in range(96)]
    keys, modules = set(), set()
    for frame in range(1_000):
        for at, one in enumerate(each):
            one.sampler.update(**numbered(FLAT[at % 4], pool[(at + frame) % len(pool)]))
        named = {f"image{at}": (one.sampler, one.texture, canvas.image(one)) for at, one in enumerate(each)}
        draw = renderer.bind(shader, named)
        assert draw.unsupported == ()
        keys.add(draw.key)
        modules.add(renderer.modules.made)
        if frame % 250 == 249:
            shown = chance.randrange(32)
            assert wrong(each[shown], picture(canvas, draw, shown)) == 0, each[shown].name
        renderer.end_frame()
    assert (len(keys), modules) == (1, {2})
    assert renderer.created["sampler"] == 1
    assert renderer.created["bind group layout"] == 1


def picture(canvas: Canvas, draw: Draw, shown: int) -> Any:
    """Draw with `shader_of`, and return what is seen of one sampler."""
    at, details = places()
    details[:, 2] = shown
    buffers = [canvas.device.create_buffer_with_data(data=one, usage="STORAGE") for one in (at, details)]
    resources = [{"binding": n, "resource": {"buffer": one}} for n, one in enumerate(buffers)]
    canvas.own = canvas.device.create_bind_group(layout=canvas.layout, entries=resources)
    return canvas.shown(draw)


# Beside modules of their own #########################################################################################


def test_states_that_webgpu_has_keep_their_samplers(scene: Scene) -> None:
    plain = st.Sampler(wrap="repeat", filter="linear", max_anisotropy=1.0)
    before = scene.bound(plain)
    assert scene.renderer.modules.made == 1
    read = scene.bound()
    assert read.key != before.key
    assert scene.bound(plain) == before
    assert scene.renderer.modules.made == 2


def test_unlike_samplers_of_an_array_are_one_module(scene: Scene) -> None:
    array = QUAD.replace("uniform sampler2D wall;", "uniform sampler2D wall[2];")
    array = array.replace("texture(wall, place)", "texture(wall[int(place.x) % 2], place)")
    shader, wraps = scene.renderer.shader(array), ("clamp", "mirrored-repeat", "clamp-to-border")
    keys = set()
    for one, other in permutations([st.Sampler(wrap=wrap, min_filter="linear") for wrap in wraps], 2):
        rows = [(sampler, scene.textures[0], scene.images[0]) for sampler in (one, other)]
        draw = scene.renderer.bind(shader, {"wall": rows, "detail": rows[0]})
        assert draw.unsupported == ()
        keys.add(draw.key)
    assert len(keys) == scene.renderer.modules.made == 1


def test_lost_anisotropy_is_named_while_it_is_lost(scene: Scene) -> None:
    image = scene.image(mip_level_count=3)
    sampler = st.Sampler(wrap="clamp", filter="linear", min_filter="linear-mipmap-linear", max_anisotropy=8.0)
    wall = sampler, scene.renderer.texture(image), image
    assert "anisotropy" in "; ".join(scene.bound(wall=wall).unsupported)
    scene.renderer.rewrites = None
    sampler.border_color = (0, 1, 0, 1)
    assert "anisotropy" not in "; ".join(scene.bound(wall=wall).unsupported)


@pytest.mark.parametrize("most", [1, 3])
def test_every_frame_makes_a_few_modules_until_each_state_has_its_own(scene: Scene, most: int) -> None:
    """Then the draws are those of a renderer that makes them all at once."""
    scene.renderer.rewrites = most
    whole = Scene(scene.device)
    wraps = ("clamp", "mirror-clamp-ext", "clamp-to-border", "mirror-clamp-to-edge", "mirror-clamp-to-border-ext")
    samplers = [st.Sampler(wrap=wrap, min_filter="linear") for wrap in wraps]
    exact = [whole.bound(one).key for one in samplers]
    before, keys = 0, []
    for frame in range(12):
        keys = [scene.bound(one).key for one in samplers]
        made = scene.renderer.modules.made
        assert made - before <= most + (frame == 0)  # in the first one, that of all states too
        before = made
        scene.renderer.end_frame()
    assert keys == exact
    assert len(set(exact)) == len(wraps) == scene.renderer.modules.made - 1


def test_what_is_drawn_no_more_keeps_nothing_waiting(scene: Scene) -> None:
    scene.renderer.rewrites = 1
    for wrap in ("clamp", "mirror-clamp-ext", "clamp-to-border", "mirror-clamp-to-edge"):
        read = scene.bound(st.Sampler(wrap=wrap, min_filter="linear"))
    for _ in range(4):
        scene.renderer.end_frame()
        own = scene.bound(st.Sampler(wrap="mirror-clamp-to-edge", min_filter="linear"))
    assert own.key != read.key


def test_the_version_differs_until_each_state_has_its_own_module(scene: Scene) -> None:
    scene.renderer.rewrites = 1
    samplers = [st.Sampler(wrap=wrap, min_filter="linear") for wrap in ("clamp", "mirror-clamp-ext", "clamp-to-border")]
    kept: list[Draw] = []
    versions: list[object] = []
    binds = 0
    for _ in range(8):
        if scene.renderer.version not in versions[-1:]:
            kept, binds = [scene.bound(one) for one in samplers], binds + 1
        versions.append(scene.renderer.version)
        scene.renderer.end_frame()
    assert kept == [scene.bound(one) for one in samplers]
    assert len({draw.key for draw in kept}) == 3
    assert 2 < binds < 6


def test_another_number_holds_from_the_next_bind_on(scene: Scene) -> None:
    read, version = scene.bound(), scene.renderer.version
    scene.renderer.rewrites = None
    assert scene.renderer.version != version
    own = scene.bound()
    assert own.key != read.key
    scene.renderer.rewrites = 0
    assert scene.bound() == own  # which is known


def test_what_waits_is_forgotten_with_its_device(scene: Scene) -> None:
    scene.renderer.rewrites = 1
    scene.bound()
    scene.bound(st.Sampler(wrap="mirror-clamp-ext", filter="linear"))
    other = open_device()
    scene.renderer.lost(other)
    scene.device, made = other, scene.renderer.modules.made
    scene.renderer.end_frame()
    scene.images = [scene.image() for _ in range(2)]
    scene.bound()
    assert scene.renderer.modules.made == made


def test_the_next_start_has_the_module_of_all_states(scene: Scene, tmp_path: Path) -> None:
    first = scene.bound()
    scene.renderer.save(tmp_path / "kept")
    other = Scene(scene.device)
    other.renderer.rewrites = 0
    other.renderer.warm(tmp_path / "kept")
    assert other.bound(st.Sampler(wrap="mirror-clamp-ext", filter="linear")).key == first.key
    assert other.renderer.modules.made == 0


@pytest.mark.parametrize("given", [-1, True, 1.5, "4"])
def test_anything_but_a_number_of_modules_is_refused(device: Any, given: Any) -> None:
    with pytest.raises(ArgumentError, match="rewrites"):
        Renderer(device, rewrites=given)
    renderer = Renderer(device, rewrites=4)
    with pytest.raises(ArgumentError, match="rewrites"):
        renderer.rewrites = given
    assert renderer.rewrites == 4
