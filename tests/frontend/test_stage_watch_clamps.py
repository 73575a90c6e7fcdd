"""`statetracker.frontend.stage_watch`: a stage's masks from a context, and every event that changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from statetracker.caps import Screen
from statetracker.errors import UnknownName
from statetracker.frontend import CLAMP_EVENTS, ClampWatch, convert_stage, stage_masks, variant_keys
from statetracker.gl import Context, Program, SamplerUniform
from statetracker.pipe import WrapMasks
from statetracker.sampler import DIALECTS, converter

if TYPE_CHECKING:
    from collections.abc import Callable

EMULATES = Screen.named("zink-lavapipe")
NATIVE = Screen.named("llvmpipe")
TWO_D, WRAP_S, WRAP_T, MIN_FILTER = 0x0DE1, 0x2802, 0x2803, 0x2801
CLAMP, REPEAT, MIRROR_CLAMP, CLAMP_TO_EDGE, LINEAR = 0x2900, 0x2901, 0x8742, 0x812F, 0x2601
TEXTURE_BIT = 0x40000
#: Events of `CLAMP_EVENTS` that several calls make.
WRAP, TEXTURE = "a wrap of the texture, from or to a clamp", "another texture on the unit"
OBJECT, UNIFORM = "another sampler object, or none", "a sampler uniform names another unit"
COMPLETE = "the texture is complete now, or no more"


class Scene:
    """Two programs that sample unit 0 and unit 1; plain and clamped textures and samplers, all complete."""

    def __init__(self) -> None:
        self.gl = gl = Context(NATIVE.gl_limits())  # it has GL_EXT_texture_mirror_clamp too
        self.program = gl.add_program(Program([SamplerUniform("a", "sampler2D")]))
        self.other = gl.add_program(Program([SamplerUniform("b", "sampler2D", binding=1)]))
        gl.glUseProgram(self.program)
        self.plain, self.clamped, self.partial = gl.glGenTextures(3)
        for texture in (self.clamped, self.partial, self.plain):
            gl.glBindTexture(TWO_D, texture)
            gl.glTexParameteri(TWO_D, MIN_FILTER, LINEAR)
            if texture != self.partial:
                gl.glTexImage2D(TWO_D, 0, 0x8058, 4, 4, 0, 0x1908, 0x1401, None)
            if texture != self.plain:
                gl.glTexParameteri(TWO_D, WRAP_S, CLAMP)
        gl.glActiveTexture(0x84C1)
        gl.glBindTexture(TWO_D, self.clamped)
        gl.glActiveTexture(0x84C0)
        self.sampler, self.repeats = gl.glGenSamplers(2)
        gl.glSamplerParameteri(self.sampler, WRAP_T, CLAMP)
        for sampler in (self.sampler, self.repeats):
            gl.glSamplerParameteri(sampler, MIN_FILTER, LINEAR)
        self.watch = ClampWatch(EMULATES)

    def changed(self) -> bool:
        return self.watch.changed(self.gl, "fragment")

    def masks(self) -> WrapMasks:
        return self.watch.masks("fragment")


def bound(scene: Scene) -> None:
    scene.gl.glBindSampler(0, scene.sampler)


def clamped(scene: Scene) -> None:
    scene.gl.glBindTexture(TWO_D, scene.clamped)


def repeating(scene: Scene) -> None:
    scene.gl.glBindSampler(0, scene.repeats)


def pushed(scene: Scene) -> None:
    scene.gl.glPushAttrib(TEXTURE_BIT)
    scene.gl.glTexParameteri(TWO_D, WRAP_S, CLAMP)


def partial(scene: Scene) -> None:
    scene.gl.glBindTexture(TWO_D, scene.partial)


def nothing(scene: Scene) -> None:
    del scene


#: Event and call -> what stands before, and the arguments. One row for each call of the table of events.
# fmt: off
CASES: dict[tuple[str, str], tuple[Callable[[Scene], None], Callable[[Scene], tuple[Any, ...]]]] = {
    (WRAP, "glTexParameteri"):           (nothing, lambda _: (TWO_D, WRAP_S, CLAMP)),
    (WRAP, "glTextureParameteri"):       (clamped, lambda on: (on.clamped, WRAP_S, REPEAT)),
    ("a wrap of the sampler object, likewise", "glSamplerParameteri"):
        (bound, lambda on: (on.sampler, WRAP_T, CLAMP_TO_EDGE)),
    (TEXTURE, "glBindTexture"):          (nothing, lambda on: (TWO_D, on.clamped)),
    (TEXTURE, "glBindTextures"):         (nothing, lambda on: (0, 1, [on.clamped])),
    ("another program", "glUseProgram"): (nothing, lambda on: (on.other,)),
    (OBJECT, "glBindSampler"):           (repeating, lambda on: (0, on.sampler)),
    (OBJECT, "glBindSamplers"):          (bound, lambda _: (0, 1, None)),
    ("the texture's state is restored", "glPopAttrib"): (pushed, lambda _: ()),
    ("the bound sampler object is deleted", "glDeleteSamplers"): (bound, lambda on: (1, [on.sampler])),
    (UNIFORM, "glUniform1i"):            (nothing, lambda _: (0, 1)),
    (UNIFORM, "glUniform1iv"):           (nothing, lambda _: (0, 1, [1])),
    (UNIFORM, "glProgramUniform1i"):     (nothing, lambda on: (on.program, 0, 1)),
    ("the bound texture is deleted", "glDeleteTextures"): (clamped, lambda on: (1, [on.clamped])),
    (COMPLETE, "glTexImage2D"):          (partial, lambda _: (TWO_D, 0, 0x8058, 4, 4, 0, 0x1908, 0x1401, None)),
    (COMPLETE, "glTexParameteri"):       (clamped, lambda _: (TWO_D, 0x813C, 3)),
}
# fmt: on


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_every_call_of_the_table_has_its_case() -> None:
    """And no case is without a row."""
    assert {(event.event, call) for event in CLAMP_EVENTS for call in event.calls} == set(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_every_event_that_changes_masks_is_reported_once(scene: Scene, case: tuple[str, str]) -> None:
    """No call slips by, and nothing is reported twice."""
    before, arguments = CASES[case]
    before(scene)
    assert scene.changed()
    assert not scene.changed()
    masks = scene.masks()
    scene.gl.call(case[1], *arguments(scene))
    assert scene.gl.glGetError() == "GL_NO_ERROR"
    assert scene.changed()
    assert scene.masks() != masks
    assert not scene.changed()


@pytest.mark.parametrize(
    "call",
    [
        lambda on: on.gl.glActiveTexture(0x84C1),
        lambda on: on.gl.glTexParameteri(TWO_D, WRAP_S, CLAMP_TO_EDGE),
        lambda on: on.gl.glSamplerParameteri(on.sampler, WRAP_S, CLAMP),
        lambda on: on.gl.glBindSampler(5, on.sampler),
        lambda on: on.gl.glTexParameteri(TWO_D, MIN_FILTER, 0x2600),
        lambda on: on.gl.glUseProgram(on.program),
    ],
)
def test_other_calls_are_not_reported(scene: Scene, call: Callable[[Scene], object]) -> None:
    """A wrap that stays outside the clamps, a sampler nobody samples, a filter."""
    assert scene.changed()
    call(scene)
    assert not scene.changed()


def test_from_clamp_to_its_mirror_is_a_change_that_upstream_does_not_see(scene: Scene) -> None:
    """One triple is the same; two are not, and so the shader keeps the mirrored half."""
    clamped(scene)
    assert scene.changed()
    before = scene.masks()
    scene.gl.glTextureParameteri(scene.clamped, WRAP_S, MIRROR_CLAMP)
    assert scene.changed()
    assert scene.masks().merged == before.merged
    assert scene.masks() == ((0, 0, 0), (1, 0, 0))


def test_bits_are_sampler_indices_and_not_units(scene: Scene) -> None:
    """Two uniforms, units the other way round. A driver with GL_CLAMP has no masks: the wrap reaches it."""
    program = Program([SamplerUniform("a", "sampler2D", binding=1), SamplerUniform("b", "sampler2D", binding=0)])
    scene.gl.glUseProgram(scene.gl.add_program(program))
    assert stage_masks(scene.gl, "fragment", EMULATES).clamp == (0b01, 0, 0)
    assert stage_masks(scene.gl, "fragment", NATIVE) == WrapMasks()


@pytest.mark.parametrize("stage", ["vertex", "tess-ctrl", "tess-eval", "geometry", "fragment", "compute"])
def test_every_stage_has_masks_of_its_own(stage: str) -> None:
    """Compute and tess control too, which upstream leaves out; the other stages have none."""
    scene = Scene()
    scene.gl.glUseProgram(scene.gl.add_program(Program([SamplerUniform("a", "sampler2D", stages=(stage,))])))
    clamped(scene)
    assert stage_masks(scene.gl, stage, EMULATES) == ((1, 0, 0), (0, 0, 0))
    scene.watch.changed_stages(scene.gl)
    scene.gl.glTexParameteri(TWO_D, WRAP_T, CLAMP)
    assert scene.watch.changed_stages(scene.gl) == [stage]


def test_a_stage_is_one_in_any_spelling(scene: Scene) -> None:
    clamped(scene)
    assert scene.watch.changed(scene.gl, "frag")
    assert not scene.watch.changed(scene.gl, "fragment")
    assert scene.watch.masks("frag") == scene.watch.masks("fragment") == ((1, 0, 0), (0, 0, 0))
    with pytest.raises(UnknownName):
        scene.watch.masks("fragmant")


def test_all_stages_are_reported_at_first() -> None:
    assert len(ClampWatch(EMULATES).changed_stages(Scene().gl)) == 6


def test_the_masks_are_those_of_the_stages_conversion(scene: Scene) -> None:
    """`convert_stage` and the watch read the same."""
    clamped(scene)
    converted = convert_stage(scene.gl, converter(EMULATES, "mesa22"), "fragment")
    assert converted.masks == stage_masks(scene.gl, "fragment", EMULATES)
    assert converted.clamps == (1, 0, 0)


def test_an_incomplete_texture_samples_with_the_fallbacks_wraps(scene: Scene) -> None:
    """Its own GL_CLAMP does not count, a sampler object's does."""
    partial(scene)
    assert not stage_masks(scene.gl, "fragment", EMULATES).any
    bound(scene)
    assert stage_masks(scene.gl, "fragment", EMULATES).clamp == (0, 1, 0)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_only_the_seed_compares_reduced_keys(dialect: str) -> None:
    """Later releases compare all bytes from the start."""
    keys = variant_keys(EMULATES, dialect, fragment_bytes=8)
    assert keys.compared_bytes("fragment") == (8 if dialect == "seed" else 8 + 24)


def test_keys_of_the_compatible_profile_merge_the_triples() -> None:
    """And a native driver's masks are 0 whatever is given."""
    masks = ((1, 0, 0), (2, 0, 4))
    assert variant_keys(EMULATES, compatible=True).key("vertex", masks).hex() == "030000000000000004000000"
    assert variant_keys(NATIVE, compatible=True).key("vertex", masks) == bytes(12)
