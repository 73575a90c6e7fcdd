"""`st.lower`: every form of sampling is rewritten into a valid module, and nothing else is."""

from __future__ import annotations

import random
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, ModuleError
from statetracker.pipe import Func, Lowering
from statetracker.shader import Lowered
from statetracker.spirv import Instruction, Module

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.request import Request

ARCHIVE = Path(__file__).resolve().parents[1] / "data" / "shaders" / "compiled.zip"
with zipfile.ZipFile(ARCHIVE) as archive:
    MODULES = {name.removesuffix(".spv"): archive.read(name) for name in archive.namelist()}

UNTOUCHED = ("cube", "fetch", "query")
#: glslangValidator makes of 16-bit images what no Vulkan accepts; the bare language does.
ENVIRONMENTS = {"half_2d.frag": "spv1.3"}
REQUESTS: tuple[Request, ...] = (
    {(0, 1): "str", (0, 2): "st"},
    {(0, 1): "t", (0, 2): "s"},
    {(0, 1): [Lowering("s", "t"), "t", "", Lowering("", "st")], (0, 2): ["", Lowering("st")]},
)


def lowered(name: str, axes: str = "str") -> Lowered:
    return st.lower(MODULES[name], {(0, 1): axes, (0, 2): axes}, keep_going=True)


def named(result: Lowered, name: str) -> list[Instruction]:
    return [one for one in Module.read(result.module).instructions if one.name == name]


def extended(result: Lowered) -> list[int]:
    return [one.words[3] for one in named(result, "OpExtInst")]


def test_the_corpus_has_at_least_sixty_shaders() -> None:
    assert len(MODULES) >= 60


@pytest.mark.parametrize("name", MODULES)
def test_every_form_is_rewritten_or_left_alone_as_it_should_be(name: str) -> None:
    result = lowered(name)
    assert not result.unresolved
    if any(word in name for word in UNTOUCHED):
        assert result.left
        assert result.module == MODULES[name]
    else:
        assert result.rewritten
        assert result.module != MODULES[name]


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("name", MODULES)
def test_every_rewritten_module_passes_spirv_val(name: str, tmp_path: Path) -> None:
    validator = shutil.which("spirv-val")
    assert validator is not None
    environment = ENVIRONMENTS.get(name, "opengl4.5" if ".gl." in name else "vulkan1.1")
    for request in REQUESTS:
        made = tmp_path / "out.spv"
        made.write_bytes(st.lower(MODULES[name], request, keep_going=True).module)
        done = subprocess.run([validator, "--target-env", environment, str(made)], check=False, capture_output=True)
        assert done.returncode == 0, done.stderr


def test_without_a_request_the_same_bytes_come_back() -> None:
    assert st.lower(MODULES["implicit_2d.frag"], {}).module == MODULES["implicit_2d.frag"]
    assert st.lower(MODULES["implicit_2d.frag"], {(3, 1): "st"}, keep_going=True).module == MODULES["implicit_2d.frag"]


def test_only_the_axes_asked_for_are_clamped() -> None:
    assert [extended(lowered("implicit_3d.frag", axes)).count(43) for axes in ("", "s", "sr", "str")] == [0, 1, 2, 3]


def test_an_array_layer_is_never_clamped() -> None:
    assert extended(lowered("implicit_2d_array.frag")).count(43) == 2


def test_implicit_lod_becomes_gradients_of_the_coordinate_before_the_clamp() -> None:
    result = lowered("implicit_2d.frag")
    (sample,) = named(result, "OpImageSampleExplicitLod")
    assert sample.words[4] == 4
    (first,) = named(result, "OpDPdx")
    assert sample.words[5] == first.result
    assert sample.words[3] != first.words[2]


def test_a_bias_scales_the_derivatives_and_is_not_given_twice() -> None:
    result = lowered("bias_2d.frag")
    assert 29 in extended(result)
    assert len(named(result, "OpVectorTimesScalar")) == 2
    assert named(result, "OpImageSampleExplicitLod")[0].words[4] == 4


@pytest.mark.parametrize(
    "work",
    [
        Lowering("s"),
        Lowering("", "s"),
        Lowering(route="edge", compare_func=Func.LEQUAL, border="s"),
        Lowering(fold="s"),
        Lowering(add_lod_bias=True),
        Lowering(limit_lod=True),
        Lowering(route="edge", compare_func=Func.LEQUAL, border="s", limit_lod=True, add_lod_bias=True),
    ],
    ids=lambda work: ", ".join(work.work),
)
def test_the_coordinate_of_a_comparison_stays_a_vector(work: Lowering) -> None:
    """GLSL has no scalar one, and NVIDIA's compiler of OpenGL (580.159) crashes on it; SPIR-V allows it."""
    result = st.lower(MODULES["shadow_1d.frag"], {(0, 1): work}, values=(3, 0))
    assert result.rewritten
    definitions = Module.read(result.module).definitions
    samples = [one for kind in ("Explicit", "Implicit") for one in named(result, f"OpImageSampleDref{kind}Lod")]
    assert samples
    kinds = {definitions[definitions[one.words[3]].words[0]].name for one in samples}
    assert kinds == {"OpTypeVector"}


def test_queries_of_the_level_are_not_clamped() -> None:
    assert lowered("query_lod_2d.frag").module == MODULES["query_lod_2d.frag"]


def test_directions_into_cubes_are_not_clamped() -> None:
    assert "cube" in lowered("implicit_cube.frag").left[0].reason


def test_a_dynamic_index_selects_each_elements_own_axes() -> None:
    result = st.lower(MODULES["array_dynamic.frag"], {(0, 1): ["s", "", "st", "s"]})
    assert len(named(result, "OpSelect")) == 4
    same = st.lower(MODULES["array_dynamic.frag"], {(0, 1): "st"})
    assert not named(same, "OpSelect")


def test_mirror_clamp_folds_the_negative_half() -> None:
    result = st.lower(MODULES["implicit_1d.frag"], {(0, 1): Lowering(mirror="s")})
    assert extended(result) == [4, 37]


def test_offsets_on_mipmapped_textures_use_the_size_of_their_level() -> None:
    result = lowered("offset_2d.frag")
    assert len(named(result, "OpImageQuerySizeLod")) == 1
    assert len(named(result, "OpShiftRightArithmetic")) == 2
    assert len(named(result, "OpImageSampleExplicitLod")) == 2
    assert extended(result).count(46) == 1
    assert result.inexact


def test_an_offset_at_a_level_beyond_the_last_uses_the_last() -> None:
    result = lowered("offset_lod_2d.frag")
    assert len(named(result, "OpImageQueryLevels")) == 1


def test_compute_shaders_are_rewritten() -> None:
    assert lowered("compute.comp").rewritten


def test_four_offsets_become_four_gathers() -> None:
    assert len(named(lowered("gather_offsets_2d.frag"), "OpImageGather")) == 4


def test_an_offset_stays_on_axes_that_are_not_clamped() -> None:
    result = lowered("grad_offset_2d.frag", "s")
    assert named(result, "OpImageSampleExplicitLod")[0].words[4] == 4 | 8


def test_q_is_the_component_after_the_spatial_ones() -> None:
    result = lowered("proj_1d_vec4.frag")
    (divided,) = named(result, "OpFDiv")
    extract = Module.read(result.module).definitions[divided.words[3]]
    assert extract.words[3] == 1


def test_functions_are_copied_for_each_sampler_and_the_originals_go() -> None:
    result = lowered("function_nested.frag")
    assert len(Module.read(result.module).functions) == 1 + 2 + 2
    assert len(named(result, "OpFunctionParameter")) == 4


@pytest.mark.parametrize(
    "axes",
    ["x", "ss", Lowering("s", "s"), None, 3, {"s": 1}, [None], ["s", 3], [["s"]], Lowering(None)],  # type: ignore[arg-type]
    ids=str,
)
def test_axes_that_are_none_are_refused(axes: Any) -> None:
    with pytest.raises(ArgumentError, match="letters of str, each once"):
        st.lower(MODULES["implicit_2d.frag"], {(0, 1): axes})


@pytest.mark.parametrize("request_", [None, [], [((0, 1), "s")], 3, {1: "s"}, {(0,): "s"}, {(0, -1): "s"}, {"01": "s"}])
def test_requests_of_another_form_are_refused(request_: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        st.lower(MODULES["implicit_2d.frag"], request_)
    assert "(set, binding)" in caught.value.accepted


@pytest.mark.parametrize("module", [None, 123, [1, 2], "implicit_2d.frag"])
def test_what_is_no_module_is_refused(module: Any) -> None:
    for request in ({}, {(0, 1): "s"}):
        with pytest.raises(ArgumentError, match="accepted: the bytes of a SPIR-V module"):
            st.lower(module, request)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
@pytest.mark.parametrize("axes", ["", "st"])
def test_bytes_of_any_kind_are_a_module(kind: Callable[[bytes], bytearray], axes: str) -> None:
    module = MODULES["implicit_2d.frag"]
    result = st.lower(kind(module), {(0, 1): axes})
    assert result == st.lower(module, {(0, 1): axes})
    assert type(result.module) is bytes


@pytest.mark.parametrize("name", ["function_array_element.frag", "offset_2d.frag", "gather_offsets_2d.frag"])
def test_a_thousand_flipped_bytes_give_an_error_or_a_sound_module(name: str) -> None:
    chance, good = random.Random(9), MODULES[name]  # noqa: S311
    for _ in range(1000):
        flipped = bytearray(good)
        flipped[chance.randrange(len(good))] ^= chance.randrange(1, 256)
        try:
            result = st.lower(bytes(flipped), {(0, 1): ["s", Lowering("", "t"), "st", ""]}, keep_going=True)
        except ModuleError as error:
            assert 0 <= error.offset <= len(good) // 4  # noqa: PT017
        else:
            Module.read(result.module)
