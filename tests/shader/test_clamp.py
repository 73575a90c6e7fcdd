"""`st.lower`: every form of sampling is rewritten into a valid module, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.pipe import Func, Lowering
from statetracker.shader import Lowered
from statetracker.shader.stencil import lower_stencil
from statetracker.spirv import Instruction, Module
from tests.shader.compiled import MODULES
from tests.shader.validator import assert_valid

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.request import Request

UNTOUCHED = ("cube", "fetch", "query")
#: glslangValidator makes of 16-bit images what no Vulkan accepts; the bare language does.
ENVIRONMENTS = {"half_2d.frag": "spv1.3"}
SWIZZLES = ("RRR1", "01AR", "1111")
REQUESTS: tuple[Request, ...] = (
    *(dict.fromkeys(((0, n) for n in range(4)), Lowering(swizzle=one)) for one in SWIZZLES),
    {(0, 1): "str", (0, 2): "st"},
    {(0, 1): "t", (0, 2): "s"},
    {(0, 1): [Lowering("s", "t"), "t", "", Lowering("", "st")], (0, 2): ["", Lowering("st")]},
)


def lowered(name: str, axes: str = "str") -> Lowered:
    return st.lower(MODULES[name], {(0, 1): axes, (0, 2): axes}, keep_going=True)


def named(result: Lowered, name: str) -> list[Instruction]:
    return [one for one in Module.read(result.module).instructions if one.name == name]


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
def test_every_rewritten_module_passes_spirv_val(name: str) -> None:
    """With a swizzle every form of sample, gather and fetch, integers too."""
    environment = ENVIRONMENTS.get(name, "opengl4.5" if ".gl." in name else "vulkan1.1")
    for request in REQUESTS:
        assert_valid(st.lower(MODULES[name], request, keep_going=True).module, environment)


def test_without_a_request_the_same_bytes_come_back() -> None:
    assert st.lower(MODULES["implicit_2d.frag"], {}).module == MODULES["implicit_2d.frag"]
    assert st.lower(MODULES["implicit_2d.frag"], {(3, 1): "st"}, keep_going=True).module == MODULES["implicit_2d.frag"]


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
    for call in (st.split_samplers, lambda data: st.lower(data, {}), lambda data: lower_stencil(data, {})):
        with pytest.raises(ArgumentError, match="accepted: the bytes of a SPIR-V module"):
            call(module)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
@pytest.mark.parametrize("axes", ["", "st"])
def test_bytes_of_any_kind_are_a_module(kind: Callable[[bytes], bytearray], axes: str) -> None:
    module = MODULES["implicit_2d.frag"]
    result = st.lower(kind(module), {(0, 1): axes})
    assert result == st.lower(module, {(0, 1): axes})
    assert type(result.module) is bytes
