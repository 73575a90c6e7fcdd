"""Which levels and layers of its storage a texture shows."""

from __future__ import annotations

from typing import Any

import pytest

import statetracker as st
from statetracker.gl.completeness import ViewRange


@pytest.mark.parametrize(
    ("options", "first", "levels"),
    [
        ({}, 0, 6),
        ({"base_level": 2}, 2, 4),
        ({"base_level": 1, "max_level": 3}, 1, 3),
        ({"base_level": 5, "max_level": 9}, 5, 1),
        ({"levels": 3, "immutable": True}, 0, 3),
        ({"levels": 3, "immutable": True, "max_level": 1}, 0, 2),
        ({"levels": 3, "immutable": True, "base_level": 2}, 2, 1),
        ({"levels": 3}, 0, 1),  # not mipmap complete
        ({"levels": 3, "max_level": 2}, 0, 3),
        ({"base_level": 9}, 9, 1),  # no image there
        ({"base_level": 3, "max_level": 2}, 3, 1),
    ],
)
def test_levels_run_from_the_base_level_to_the_last_that_gl_samples(
    options: dict[str, Any], first: int, levels: int
) -> None:
    assert st.Texture("2d", "RGBA8", (32, 16), **options).part() == ViewRange(first, levels, 0, 1)


@pytest.mark.parametrize(
    ("target", "size", "part"),
    [
        ("1d", (8,), ViewRange(0, 4, 0, 1)), ("3d", (8, 8, 4), ViewRange(0, 4, 0, 1)),
        ("rectangle", (8, 8), ViewRange(0, 1, 0, 1)), ("1d-array", (8, 5), ViewRange(0, 4, 0, 5)),
        ("2d-array", (8, 8, 32), ViewRange(0, 4, 0, 32)), ("cube-map", (8, 8), ViewRange(0, 4, 0, 6)),
        ("cube-map-array", (8, 8, 12), ViewRange(0, 4, 0, 12)),
    ],
)  # fmt: skip
def test_layers_are_no_size_that_levels_halve(target: str, size: tuple[int, ...], part: ViewRange) -> None:
    assert st.Texture(target, "RGBA8", size).part() == part


@pytest.mark.parametrize("target", ["2d", "buffer"])
def test_a_texture_without_an_image_shows_one_level(target: str) -> None:
    assert st.Texture(target).part() == ViewRange(0, 1, 0, 1)


def test_a_texture_view_counts_from_its_parent() -> None:
    context = st.Context(strict=True)
    parent, shown = context.glGenTextures(2)
    context.glBindTexture(0x8C1A, parent)
    context.glTexStorage3D(0x8C1A, 5, 0x8058, 32, 32, 7)
    context.glTextureView(shown, 0x8C1A, parent, 0x8058, 1, 4, 2, 3)
    context.glBindTexture(0x8C1A, shown)
    context.glTexParameteri(0x8C1A, 0x813C, 1)
    context.glTexParameteri(0x8C1A, 0x813D, 2)
    assert context.bound(0x8C1A).part() == ViewRange(2, 2, 2, 3, of_view=True)


def test_a_texture_keeps_its_part_until_it_changes() -> None:
    texture = st.Texture("2d", "RGBA8", (32, 16))
    assert texture.part() is texture.part()
    texture.base_level = 2
    assert texture.part() == ViewRange(2, 4, 0, 1)
    assert texture.copy().part() == texture.part()


def test_a_base_level_above_those_of_a_view_shows_its_last() -> None:
    context = st.Context(strict=True)
    parent, shown = context.glGenTextures(2)
    context.glBindTexture(0x0DE1, parent)
    context.glTexStorage2D(0x0DE1, 4, 0x8058, 32, 32)
    context.glTextureView(shown, 0x0DE1, parent, 0x8058, 3, 1, 0, 1)
    context.glTextureParameteri(shown, 0x813C, 2)
    context.glBindTexture(0x0DE1, shown)
    texture = context.bound(0x0DE1)
    assert texture.examine().mipmap
    assert texture.part() == ViewRange(3, 1, 0, 1, of_view=True)
