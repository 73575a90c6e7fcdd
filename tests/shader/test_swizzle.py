"""`Lowering.swizzle`: what a shader reads of a view without one is what a view with it would have given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import Lowering, SamplerState
from statetracker.shader import Lowered
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Instruction, Module
from statetracker.spirv.names import Decoration, Op
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE, Numbers, Sample, module, samples
from tests.shader.test_lower import CUBE, compare, cubes, devices, states
from tests.shader.validator import assert_valid
from tools.proofs.pixels.lacking import seamed

if TYPE_CHECKING:
    from tools.proofs.pixels.lacking import Device

GATHER = SIMPLE._replace(level="gather")
SWIZZLES = some.one_of(
    some.sampled_from(["", "RRR1", "000R", "RRRR", "RRRG", "R001", "RGB1"]),
    some.lists(some.sampled_from("RGBA01"), min_size=4, max_size=4).map("".join),
)
THREE = some.lists(SWIZZLES, min_size=3, max_size=3)
STATES = some.lists(states(), min_size=3, max_size=3)
MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@given(
    samples().filter(lambda one: one.dim != CUBE), some.integers(0, 3), STATES, devices(), some.integers(0, 99), THREE
)
@MANY
def test_a_swizzled_sample_is_that_of_a_swizzled_view(
    form: Sample, component: int, asked: list[SamplerState], device: Device, seed: int, swizzles: list[str]
) -> None:
    """With whatever else is left to the shader; elements of an array each have their own."""
    form = form._replace(
        elements=min(form.elements, 3), via=form.via.replace("function", "load"), numbers=Numbers(component=component)
    )
    compare(form, asked[: form.elements or 1], device, seed, 2, swizzles=swizzles)


@given(cubes(), some.booleans(), STATES, devices(), some.integers(0, 99), THREE)
@MANY
def test_a_swizzled_cube_is_that_of_a_swizzled_view(
    form: Sample, seams: bool, asked: list[SamplerState], device: Device, seed: int, swizzles: list[str]
) -> None:
    """Face by face, and across edges."""
    if seams:
        sparse = form.sparse and form.level != "gather"
        asked = [one.replace(min_lod=min(one.min_lod, 0.0)) for one in asked[: form.elements or 1]]
        compare(form._replace(sparse=sparse), asked, device, seed, 1, seamed, swizzles)
        return
    asked = [one.replace(seamless_cube_map=True) for one in asked[: form.elements or 1]]
    compare(form, asked, device._replace(reduces=False), seed, 1, swizzles=swizzles)


def lowered(name: str, swizzle: str) -> Lowered:
    """Rewrite a compiled module for a swizzle alone, without values."""
    return st.lower(MODULES[name], {(0, 1): Lowering(swizzle=swizzle)})


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("swizzle", ["RRR1", "01AR", "1111"])
@pytest.mark.parametrize("name", sorted(MODULES))
def test_compiled_modules_stay_valid(name: str, swizzle: str) -> None:
    """Every form of sample, gather and fetch; floats of 16 bits and integers too; what asks for sizes is left."""
    module = Module.read(MODULES[name])
    environment = "opengl4.5" if ".gl." in name else "spv1.3" if "half" in name else "vulkan1.1"
    result = st.lower(MODULES[name], dict.fromkeys(samplers(module), Lowering(swizzle=swizzle)), keep_going=True)
    assert_valid(result.module, environment)
    assert result.values == ()


def samplers(module: Module) -> list[tuple[int, int]]:
    """The places of all resources."""
    return [(said.get(34, (0,))[0], said[33][0]) for said in module.decorations.values() if 33 in said]


def reads(code: bytes) -> list[Instruction]:
    return [one for one in Module.read(code).instructions if one.opcode in {*SAMPLES, Op.ImageFetch}]


@pytest.mark.parametrize(
    ("name", "swizzle"),
    [
        ("implicit_2d.frag", "RGBA"),
        ("shadow_2d.frag", "R001"),
        ("gather_shadow_2d.frag", "R111"),
        ("query_size_2d.frag", "RRR1"),
    ],
)
def test_what_a_swizzle_does_not_change_stays(name: str, swizzle: str) -> None:
    """The module's own bytes, and a note."""
    result = lowered(name, swizzle)
    assert (result.module, result.rewritten, result.unresolved) == (MODULES[name], (), ())
    assert result.left


@pytest.mark.parametrize("name", ["implicit_int.frag", "fetch_2d.frag", "fetch_buffer.frag", "fetch_multisample.frag"])
def test_fetches_and_integers_are_swizzled_and_named(name: str) -> None:
    result = lowered(name, "RRR1")
    assert [note.reason for note in result.rewritten] == ["swizzle RRR1"] * len(reads(MODULES[name]))
    shuffles = [one for one in Module.read(result.module).instructions if one.name == "OpVectorShuffle"]
    assert [0, 0, 0, 5] in [one.words[4:] for one in shuffles]
    assert len(reads(result.module)) == len(reads(MODULES[name]))


def test_fetches_without_a_swizzle_are_none_of_its_business() -> None:
    assert st.lower(MODULES["fetch_2d.frag"], {(0, 1): Lowering("st")}).rewritten == ()


def test_notes_say_it_after_the_other_work() -> None:
    (note,) = st.lower(MODULES["implicit_2d.frag"], {(0, 1): Lowering("s", swizzle="000R")}).rewritten
    assert note.reason == "clamped on s; swizzle 000R"


@pytest.mark.parametrize(
    "form",
    [SIMPLE, GATHER._replace(sparse=True), SIMPLE._replace(sparse=True), SIMPLE._replace(elements=3, dynamic=True)],
)
def test_the_parts_of_a_relaxed_texel_are_relaxed(form: Sample) -> None:
    made, (ident,) = module([form._replace(relaxed=True)])
    request: Any = (
        [Lowering(swizzle=one) for one in ("RRR1", "0GBA", "")] if form.elements else Lowering(swizzle="GRR1")
    )
    after = Module.read(st.lower(made, {(0, 0): request}).module)
    old = Module.read(made).definitions
    kinds = {old[ident].words[0]} | {one.words[0] for one in after.instructions if one.name == "OpVectorShuffle"}
    new = [
        one.result for one in after.instructions if one.shape.typed and one.words[0] in kinds and one.result not in old
    ]
    new = [one for one in new if not after.definitions[one].name.startswith("OpConstant")]
    relaxed = [[key for key in after.decorations.get(one, {}) if key == Decoration.RelaxedPrecision] for one in new]
    assert new
    assert relaxed == [[Decoration.RelaxedPrecision]] * len(new)


@pytest.mark.parametrize("swizzle", ["RGB", "RGBX", "rgba", "RGBA1", None, 4])
def test_a_swizzle_is_four_letters(swizzle: Any) -> None:
    with pytest.raises(ArgumentError, match="swizzle of 0:1"):
        lowered("implicit_2d.frag", swizzle)
