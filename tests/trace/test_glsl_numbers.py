"""Constants fold as Mesa folds them: 32-bit integers wrap, floats have single precision."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.trace.glsl import stage_samplers
from statetracker.trace.glsl_numbers import Double, Unsigned, Wide, fitted, to_float, to_int, to_uint

#: Conditions that were true and false on Mesa 22.3.6 (llvmpipe): only the chosen one of two samplers was active.
TRUE = """
2147483647 + 1 < 0; 65536 * 65536 == 0; (1 << 31) < 0; (1 << 33) == 2; (-1 >> 1) == -1; (1 << -1) < 0
(4294967295u >> 1) == 2147483647u; 4294967295u + 1u == 0u; 0u - 1u == 4294967295u; -1u == 4294967295u
~0u == 4294967295u; ~5 == -6; (0xFFFFFFFFu ^ 1u) == 0xFFFFFFFEu; (0x80000000 | 1) < 0; (-1 & 0xFF) == 255
int(4294967295u) == -1; uint(-1) == 4294967295u; 4294967295 == -1; 0xFFFFFFFF == -1; -(-2147483647 - 1) < 0
-7 % 3 == -1; -7 % -3 == -1; -7 / 2 == -3; 1 / 0 == 0; 5 % 0 == 0; 1u / 0u == 0u
4294967295u / 2u == 2147483647u; 4294967295u % 10u == 5u; 65536u * 65536u == 0u; 1u - 2 > 5
min(4294967295u, 1u) == 1u; abs(-2147483647 - 1) < 0; int(true) + 1 == 2; uvec2(-1, 2).x > 2u; (-2 >> 1u) == -1
16777216.0 + 1.0 == 16777216.0; 0.1 * 3.0 == 0.3; 0.1 + 0.2 == 0.3; 1.0 / 3.0 == 0.333333333
float(16777217) == 16777216.0; float(4294967295u) == 4294967296.0; int(1e10) == -2147483648
uint(4e9) == 4000000000u; int(0.0 / 0.0) < 0; 1.0 / 0.0 > 1e30; -1.0 / 0.0 < -1e30; floor(2.5) / 4.0 == 0.5
sign(3.0) / 2.0 == 0.5; mod(-1.0, 3.0) == 2.0; round(2.5) == 2.0; trunc(2.5) == 2.0; fract(2.5) == 0.5
exp(0.0) == 1.0; log2(8.0) == 3.0; inversesqrt(4.0) == 0.5; dot(vec2(1, 2), vec2(3, 4)) == 11.0
isnan(0.0 / 0.0); isinf(1.0 / 0.0); float(0.1lf) == 0.1
"""
FALSE = """
(1 << 32) == 0; 3u > -1; 1e38 * 10.0 > 3.5e38; int(1e10) == 2147483647; uint(-1.0) == 0u
0.0 / 0.0 == 0.0 / 0.0; 0.0 / 0.0 == 0.0; 0.1lf + 0.2lf == 0.3lf; sqrt(2.0) * sqrt(2.0) == 2.0
pow(2.0, 0.5) * pow(2.0, 0.5) == 2.0
"""


def conditions(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split(";")]


def chosen(condition: str, before: str = "") -> list[str]:
    source = f"""#version 400
    uniform sampler2D a, b; out vec4 o; bool large(uint z) {{ return z > 9u; }} float one() {{ return 1; }}
    void main() {{ {before} o = ({condition}) ? texture(a, vec2(0)) : texture(b, vec2(0)); }}"""
    return [sampler.name for sampler in stage_samplers([source], "fragment").samplers]


@pytest.mark.parametrize("condition", conditions(TRUE))
def test_a_condition_that_mesa_finds_true(condition: str) -> None:
    assert chosen(condition) == ["a"]


@pytest.mark.parametrize("condition", conditions(FALSE))
def test_a_condition_that_mesa_finds_false(condition: str) -> None:
    assert chosen(condition) == ["b"]


@pytest.mark.parametrize(
    ("before", "condition"),
    [
        ("int i = 2147483647; i++;", "i < 0"),
        ("uint i = 0u; i--;", "i > 5u"),
        ("const uint z = -3;", "z > 9u"),
        ("uint z = uint(3) - 4u;", "z > 9u"),
        ("uint z = 0x80000000u;", "(z >> 31) == 1u"),
        ("float z = 0.0 / 0.0;", "z != z"),
        ("int i = 1; for (int j = 0; j < 32; j++) i *= 2;", "i == 0"),
        ("int z = 0;", "5 / z == 0 && 5 % z == 0"),
        ("", "large(-1)"),
        ("", "one() / 2 == 0.5"),
        ("float z[2] = float[2](1, 2);", "z[0] / 2 == 0.5"),
    ],
)
def test_variables_arguments_and_results_have_their_types(before: str, condition: str) -> None:
    assert chosen(condition, before) == ["a"]


WHOLE = st.integers(-(2**70), 2**70)


@given(WHOLE)
def test_integers_wrap_into_32_bits(number: int) -> None:
    assert -(2**31) <= to_int(number) < 2**31
    assert 0 <= to_uint(number) < 2**32
    assert (to_int(number) - number) % 2**32 == (to_uint(number) - number) % 2**32 == 0
    assert to_int(to_uint(number)) == to_int(number)


@given(st.floats())
def test_a_float_of_single_precision_stays_as_it_is(number: float) -> None:
    once = to_float(number)
    assert math.isnan(once) if math.isnan(number) else to_float(once) == once
    assert -(2**31) <= to_int(number) < 2**31
    assert 0 <= to_uint(number) < 2**32


@pytest.mark.parametrize(
    ("operands", "kind"),
    [
        ((1, 2), int), ((1, Unsigned(2)), Unsigned), ((1, 2.0), float), ((Unsigned(1), 2.0), float),
        ((1.0, Double(2)), Double), ((1, Wide(2)), Wide), ((True, 1), int),
    ],
)  # fmt: skip
def test_a_result_has_the_type_its_operands_have_together(operands: tuple[float, ...], kind: type) -> None:
    assert type(fitted(3, *operands)) is kind
    assert fitted(True, *operands) is True


def test_numbers_that_are_none_never_make_the_reader_fail() -> None:
    for condition in ("(1.0 / 0.0) % 3 == 0", "(0.0 / 0.0 | 1) == 1", "~(1.0 / 0.0) == 0", "vec2(1)[1.0 / 0.0] == 0.0"):
        assert chosen(condition) in (["a"], ["b"], ["a", "b"])
