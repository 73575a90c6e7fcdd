"""A border colour as a view of a format shows it: each word within what its component holds."""

from __future__ import annotations

import struct
from math import nan

import pytest

from statetracker.pipe.formats import shown_border

MOST, LEAST = 0x7FFFFFFF, 0x80000000


def bits(*values: float) -> tuple[int, ...]:
    return struct.unpack("<4I", struct.pack("<4f", *values))


@pytest.mark.parametrize(
    ("fmt", "seen"),
    [
        ("R32G32B32A32_UINT", (MOST,) * 4),
        ("R5G6B5_UINT", (31, 63, 31, 63)),
        ("R3G3B2_UINT", (7, 7, 3, 7)),
        ("R10G10B10A2_SINT", (511, 511, 511, 1)),
        ("L8A8_SINT", (127,) * 4),
        ("I16_UINT", (65535,) * 4),
        ("S8_UINT", (255,) * 4),
        ("X32_S8X24_UINT", (255,) * 4),
    ],
)
def test_an_integer_is_at_most_what_its_bits_hold(fmt: str, seen: tuple[int, ...]) -> None:
    assert shown_border((MOST,) * 4, fmt, "XYZW") == seen


@pytest.mark.parametrize(("fmt", "least"), [("R8_SINT", -128), ("R32_SINT", -(1 << 31)), ("A16_SINT", -32768)])
def test_a_signed_integer_is_at_least_what_its_bits_hold(fmt: str, least: int) -> None:
    assert shown_border((LEAST,) * 4, fmt, "WXYZ") == (least & 0xFFFFFFFF,) * 4
    assert shown_border((0xFFFFFFFF,) * 4, fmt, "XXXX") == (0xFFFFFFFF,) * 4


@pytest.mark.parametrize(
    ("fmt", "ends"),
    [
        ("R8G8B8A8_UNORM", (0.0, 1.0)),
        ("R8G8B8A8_SRGB", (0.0, 1.0)),
        ("DXT5_RGBA", (0.0, 1.0)),
        ("I8_SNORM", (-1.0, 1.0)),
        ("Z24_UNORM_S8_UINT", (0.0, 1.0)),
        ("Z32_FLOAT_S8X24_UINT", (-3.0, 5.0)),
        ("BPTC_RGB_FLOAT", (-3.0, 5.0)),
        ("BPTC_RGB_UFLOAT", (-3.0, 5.0)),
        ("R11G11B10_FLOAT", (-3.0, 5.0)),
    ],
)
def test_a_number_is_within_the_ends_of_its_format(fmt: str, ends: tuple[float, float]) -> None:
    """Those of floats have none; depth counts before the stencil beside it."""
    assert shown_border(bits(-3.0, 5.0, 0.25, 1.0), fmt, "XYZW") == bits(*ends, 0.25, 1.0)


@pytest.mark.parametrize(
    ("fmt", "seen"), [("R8_UNORM", 0.0), ("R8_SNORM", 0.0), ("Z16_UNORM", 0.0), ("R16_FLOAT", nan)]
)
def test_what_is_no_number_is_0_where_there_is_none(fmt: str, seen: float) -> None:
    assert shown_border(bits(nan, nan, nan, nan), fmt, "XXXX") == bits(*[seen] * 4)


@pytest.mark.parametrize(("fmt", "one"), [("R8_UINT", 1), ("R8_UNORM", 0x3F800000), ("Z24_UNORM_S8_UINT", 0x3F800000)])
def test_the_swizzle_may_show_zero_and_one(fmt: str, one: int) -> None:
    assert shown_border((7, 7, 7, 7), fmt, "0100") == (0, one, 0, 0)
