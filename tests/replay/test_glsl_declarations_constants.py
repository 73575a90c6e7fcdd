"""Whole numbers that a shader spells out."""

from __future__ import annotations

import pytest

from statetracker.replay.glsl_declarations import constant

NAMES = {"N": 3, "M": 4}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("010", 8),
        ("0x1F", 31),
        ("5u", 5),
        ("0xFu", 15),
        ("N * 2 + 1", 7),
        ("2 * ( N - 1 )", 4),
        ("N + M * 2", 11),
        ("7 / 2", 3),
        ("- 7 / 2", -3),
        ("7 / - 2", -3),
        ("7 % 4", 3),
        ("1 << M", 16),
        ("256 >> N", 32),
        ("6 & 3 | 8 ^ 1", 11),
        ("~ N", -4),
        ("+ N", 3),
        ("int ( N )", 3),
        ("uint ( 2 ) + 1u", 3),
        ("2147483648", 2147483648),
    ],
)
def test_an_expression_of_whole_numbers_has_its_value(text: str, value: int) -> None:
    assert constant(text.split(), NAMES) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "i",
        "N + i",
        "1 . 0",
        "0 . 000977",
        "09",
        "1 / 0",
        "1 % 0",
        "N <",
        "true",
        "float ( 1 )",
        "int ( 1 , 2 )",
        "N . x",
        "2D",
        "lambda",
        "2147483647 * 2147483647",
        "- ( 2147483647 + 2 )",
        "1 if 1 else 2",
        "( " * 120 + "1" + " )" * 120,
        " + ".join("1" * 101),
    ],
)
def test_what_cannot_be_calculated_has_none(text: str) -> None:
    assert constant(text.split(), NAMES) is None


def test_a_shift_stays_a_small_number() -> None:
    assert constant(["1", "<<", "33"], {}) == 2
    assert constant(["4", ">>", "33"], {}) == 2
