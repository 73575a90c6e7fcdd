"""`statetracker.frontend.stage_watch`: which slots sample stencil, and every event that needs another shader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.frontend import StencilWatch, stage_stencil
from statetracker.gl import Context, Program, SamplerUniform
from statetracker.shader.stencil import StencilKey, checked
from statetracker.surface.override import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.gl import Texture

TWO_D, MULTISAMPLED = 0x0DE1, 0x9100
MIN_FILTER, MAG_FILTER, NEAREST, LINEAR = 0x2801, 0x2800, 0x2600, 0x2601
WRAP_S, WRAP_T, BORDER = 0x2802, 0x2803, 0x1004
CLAMP, REPEAT, EDGE, TO_BORDER, MIRROR_CLAMP, MIRROR_BORDER = 0x2900, 0x2901, 0x812F, 0x812D, 0x8742, 0x8912
MODE, STENCIL, DEPTH = 0x90EA, 0x1901, 0x1902
PACKED, DEPTH24, STENCIL8, RGBA8 = 0x88F0, 0x81A6, 0x8D48, 0x8058
REPEATS = StencilKey(wrap_s="repeat", wrap_t="repeat")
EDGE_T = REPEATS._replace(wrap_t="clamp-to-edge")
#: Wider than half of the largest width of generation 7: blocks.
WIDE = 16384


def described(texture: Texture) -> StencilKey:
    """What a front end's own layout says."""
    image = texture.images[0, 0]
    return StencilKey(max(image.samples, 1), View.BLOCK if image.width > WIDE // 2 else View.BYTE)


class Scene:
    """Two programs that sample units 0 and 1; packed, wide, plain stencil and depth textures; a sampler object."""

    def __init__(self) -> None:
        self.gl = gl = Context(Screen.named("llvmpipe").gl_limits())
        self.program = gl.add_program(Program([SamplerUniform("a", "sampler2D")]))
        self.other = gl.add_program(Program([SamplerUniform("b", "sampler2D", binding=1)]))
        self.both = gl.add_program(Program([SamplerUniform("a", "sampler2D"), SamplerUniform("b", "sampler2D")]))
        self.packed, self.wide, self.only, self.depth, self.color = names = gl.glGenTextures(5)
        sized = zip(names, (PACKED, PACKED, STENCIL8, DEPTH24, RGBA8), (4, WIDE, 4, 4, 4), strict=True)
        for name, fmt, width in sized:
            gl.glBindTexture(TWO_D, name)
            gl.glTexStorage2D(TWO_D, 1, fmt, width, 4)
            gl.glTexParameteri(TWO_D, MIN_FILTER, NEAREST)
            gl.glTexParameteri(TWO_D, MAG_FILTER, NEAREST)
        self.sampler = gl.glGenSamplers(1)[0]
        for pname, value in ((MIN_FILTER, NEAREST), (MAG_FILTER, NEAREST), (WRAP_S, EDGE), (WRAP_T, EDGE)):
            gl.glSamplerParameteri(self.sampler, pname, value)
        gl.glUseProgram(self.program)
        gl.glBindTexture(TWO_D, self.packed)
        self.watch = StencilWatch(described)

    def keys(self) -> dict[int, StencilKey]:
        return stage_stencil(self.gl, "fragment", described)

    def changed(self) -> bool:
        return self.watch.changed(self.gl, "fragment")

    def set(self, pname: int, value: int) -> None:
        self.gl.glTexParameteri(TWO_D, pname, value)


@pytest.fixture
def scene() -> Scene:
    """Depth and stencil on unit 0, sampled as stencil."""
    made = Scene()
    made.set(MODE, STENCIL)
    return made


def view(s: Scene) -> None:
    """Another name for the same texels, whose mode is its own: depth."""
    name = s.gl.glGenTextures(1)[0]
    s.gl.glTextureView(name, TWO_D, s.packed, PACKED, 0, 1, 0, 1)
    s.gl.glBindTexture(TWO_D, name)


def bound_wide(s: Scene) -> None:
    s.gl.glBindTexture(TWO_D, s.wide)
    s.set(MODE, STENCIL)


# fmt: off
#: What happens -> the slots' keys then.
EVENTS: dict[str, tuple[Callable[[Scene], object], dict[int, StencilKey]]] = {
    "the mode is switched to depth":        (lambda s: s.set(MODE, DEPTH), {}),
    "a depth texture on the unit":          (lambda s: s.gl.glBindTexture(TWO_D, s.depth), {}),
    "a texture view with a mode of its own": (view, {}),
    "another view kind, for its width":     (bound_wide, {0: REPEATS._replace(view=View.BLOCK)}),
    "another program, of another unit":     (lambda s: s.gl.glUseProgram(s.other), {}),
    "a program of two samplers":            (lambda s: s.gl.glUseProgram(s.both), {0: REPEATS, 1: REPEATS}),
    "a wrap of the texture":                (lambda s: s.set(WRAP_T, EDGE), {0: EDGE_T}),
    "a sampler object":                     (lambda s: s.gl.glBindSampler(0, s.sampler), {0: StencilKey()}),
    "a linear filter: GL samples black":    (lambda s: s.set(MAG_FILTER, LINEAR), {}),
    "the texture is deleted":               (lambda s: s.gl.glDeleteTextures(1, [s.packed]), {}),
}
# fmt: on


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_that_needs_another_shader_is_reported_once(event: str, scene: Scene) -> None:
    """And the slots are what the next draw samples."""
    happen, then = EVENTS[event]
    assert (scene.changed(), scene.changed()) == (True, False)
    assert scene.watch.keys("fragment") == {0: REPEATS}
    happen(scene)
    assert (scene.changed(), scene.changed()) == (True, False)
    assert scene.watch.keys("fragment") == scene.keys() == then


def test_back_to_depth_and_to_stencil_again_is_two_changes(scene: Scene) -> None:
    """Once a look; unseen, there and back is none."""
    scene.changed()
    for mode, then in ((DEPTH, True), (DEPTH, False), (STENCIL, True), (STENCIL, False)):
        scene.set(MODE, mode)
        assert scene.changed() is then
    scene.set(MODE, DEPTH)
    scene.set(MODE, STENCIL)
    assert not scene.changed()


@pytest.mark.parametrize(("texture", "samples"), [("packed", True), ("only", True), ("depth", False), ("color", False)])
def test_the_mode_counts_where_there_is_stencil(texture: str, samples: bool, scene: Scene) -> None:
    """Stencil alone is stencil in any mode, depth alone never is."""
    scene.gl.glBindTexture(TWO_D, getattr(scene, texture))
    scene.set(MODE, STENCIL)
    assert scene.keys() == ({0: REPEATS} if samples else {})
    scene.set(MODE, DEPTH)
    assert scene.keys() == ({0: REPEATS} if texture == "only" else {})


def test_samples_and_what_hardware_reads_itself_come_from_the_front_end(scene: Scene) -> None:
    """Four samples; and a texture whose tree needs no override."""
    gl = scene.gl
    gl.glUseProgram(gl.add_program(Program([SamplerUniform("a", "sampler2DMS")])))
    name = gl.glGenTextures(1)[0]
    gl.glBindTexture(MULTISAMPLED, name)
    gl.glTexStorage2DMultisample(MULTISAMPLED, 4, STENCIL8, 4, 4, True)
    assert scene.keys()[0].samples == 4
    assert stage_stencil(gl, "fragment", lambda _: None) == {}


@pytest.mark.parametrize(
    ("wrap", "word"),
    [(REPEAT, "repeat"), (EDGE, "clamp-to-edge"), (CLAMP, "clamp-to-edge"), (MIRROR_CLAMP, "mirror-clamp-to-edge")],
)
def test_wraps_are_those_of_nearest_filters(wrap: int, word: str, scene: Scene) -> None:
    """The border is no part of the key where no wrap reads it."""
    scene.set(WRAP_S, wrap)
    scene.gl.glTexParameterIuiv(TWO_D, BORDER, [9, 0, 0, 0])
    key = scene.keys()[0]
    assert key == checked({(0, 0): key})[0, 0] == REPEATS._replace(wrap_s=word)


@pytest.mark.parametrize(("words", "border"), [([9, 1, 2, 3], 9), ([255, 0, 0, 0], 255), ([70000, 0, 0, 0], 255)])
def test_the_border_is_the_first_component_in_eight_bits(words: list[int], border: int, scene: Scene) -> None:
    """Where one of the wraps reads it."""
    scene.set(WRAP_S, TO_BORDER)
    scene.gl.glTexParameterIuiv(TWO_D, BORDER, words)
    assert scene.keys() == {0: REPEATS._replace(wrap_s="clamp-to-border", border=border)}


def test_a_wrap_that_the_rewrite_lacks_is_refused_there_by_name(scene: Scene) -> None:
    scene.set(WRAP_S, MIRROR_BORDER)
    with pytest.raises(ArgumentError, match="mirror-clamp-to-border"):
        checked({(0, 0): scene.keys()[0]})


@given(some.lists(some.sampled_from(["depth", "stencil", "packed", "wide", "only", "color", "look"]), max_size=12))
def test_any_sequence_of_binds_and_modes_is_reported_exactly_when_it_matters(steps: list[str]) -> None:
    """Against a model: the mode of each texture, and which is bound."""
    scene = Scene()
    modes, now, seen = dict.fromkeys(("packed", "wide", "only", "color"), DEPTH), "packed", None
    for step in [*steps, "look"]:
        if step in modes:
            scene.gl.glBindTexture(TWO_D, getattr(scene, step))
            now = step
        elif step == "look":
            stencil = now == "only" or (now in {"packed", "wide"} and modes[now] == STENCIL)
            then = (stencil, stencil and now == "wide")
            assert scene.changed() == (then != seen)
            seen = then
        else:
            modes[now] = STENCIL if step == "stencil" else DEPTH
            scene.set(MODE, modes[now])
