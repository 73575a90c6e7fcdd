"""`statetracker.sampler.tables`: every member of every enum has its row, and the rows are right."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.gl import DepthTextureMode, MinFilter, ReductionMode, Wrap
from statetracker.gl.formats import BASE_FORMATS
from statetracker.pipe import TexFilter, TexMipfilter, TexReduction, TexWrap
from statetracker.sampler.tables import (
    BORDER_TRANSLATION,
    DEPTH_SWIZZLE,
    FORMAT_SWIZZLE,
    MIN_FILTER,
    REDUCTION,
    STENCIL_REPLICATED,
    WRAP,
    Selectors,
)

LETTERS: Final = "XYZW01"
DEPTH: Final = ("DEPTH_COMPONENT", "DEPTH_STENCIL", "STENCIL_INDEX")


def spelled(selectors: Selectors) -> str:
    """Spell selectors as Mesa's documentation does."""
    return "".join(LETTERS[s] for s in selectors)


@pytest.mark.parametrize("wrap", Wrap)
def test_every_wrap_has_the_pipe_wrap_of_its_name(wrap: Wrap) -> None:
    """The names agree but for MIRRORED and _EXT."""
    assert TexWrap(WRAP[wrap]).name == wrap.name.replace("MIRRORED", "MIRROR").removesuffix("_EXT")


@pytest.mark.parametrize("value", MinFilter)
def test_every_min_filter_splits_into_its_two_words(value: MinFilter) -> None:
    """IMAGE, or IMAGE_MIPMAP_MIP."""
    image, mip = MIN_FILTER[value]
    words = value.name.split("_MIPMAP_")
    assert (TexFilter(image).name, TexMipfilter(mip).name) == (words[0], words[1] if len(words) == 2 else "NONE")


@pytest.mark.parametrize("value", ReductionMode)
def test_every_reduction_mode_has_a_row(value: ReductionMode) -> None:
    """Of the same name."""
    assert TexReduction(REDUCTION[value]).name == value.name


def test_every_base_format_has_a_translation_and_a_swizzle() -> None:
    """Depth's swizzle follows DEPTH_TEXTURE_MODE instead."""
    assert set(BORDER_TRANSLATION) == set(BASE_FORMATS)
    assert set(FORMAT_SWIZZLE) == set(BASE_FORMATS) - set(DEPTH)
    assert set(DEPTH_SWIZZLE) == set(DepthTextureMode)


TRANSLATIONS: Final = [
    ("RED", "X001"),
    ("RG", "XY01"),
    ("RGB", "XYZ1"),
    ("RGBA", "XYZW"),
    ("ALPHA", "000W"),
    ("LUMINANCE", "XXX1"),
    ("LUMINANCE_ALPHA", "XXXW"),
    ("INTENSITY", "XXXX"),
    ("DEPTH_COMPONENT", "XYZW"),
    ("DEPTH_STENCIL", "XYZW"),
    ("STENCIL_INDEX", "XYZW"),
    ("YCBCR", "XYZW"),
]


@pytest.mark.parametrize(("base", "translation"), TRANSLATIONS)
def test_border_translation(base: str, translation: str) -> None:
    """Which components the sampler sees."""
    assert spelled(BORDER_TRANSLATION[base]) == translation


@pytest.mark.parametrize(
    ("mode", "older", "newer"),
    [("LUMINANCE", "XXX1", "XXX1"), ("INTENSITY", "XXXX", "XXXX"), ("RED", "X001", "X001"), ("ALPHA", "000X", "XXXX")],
)
def test_depth_swizzle_before_and_from_glsl_1_30(mode: str, older: str, newer: str) -> None:
    """One mode differs."""
    assert tuple(spelled(s) for s in DEPTH_SWIZZLE[DepthTextureMode[mode]]) == (older, newer)


def test_stencil_is_replicated() -> None:
    """Where the dialect replicates it."""
    assert spelled(STENCIL_REPLICATED) == "XXXX"
