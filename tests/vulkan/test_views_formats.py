"""GL internal format -> pipe format -> VkFormat, and the swizzle of the view."""

import csv
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import statetracker as st
from statetracker.caps.vulkan_formats import vulkan_formats
from statetracker.gl.formats import internal_formats
from statetracker.pipe.formats import pipe_format
from statetracker.vulkan import StoredFormat, gl_formats, stored, view_swizzle

ROOT: Final = Path(__file__).parents[2]
RECORDED: Final = ROOT / "tests" / "data" / "vulkan" / "recorded_formats.csv"


def recorded() -> list[StoredFormat]:
    lines = [line for line in RECORDED.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    return [StoredFormat(**row) for row in csv.DictReader(lines)]


def test_the_table_has_every_internal_format_of_textures() -> None:
    assert set(gl_formats()) == {row.name for row in internal_formats()}


def test_the_table_is_what_the_rules_give() -> None:
    screen = st.Screen.named("zink-lavapipe")
    for row in gl_formats().values():
        assert stored(row.internal_format, row.swizzle, screen) == row


@pytest.mark.parametrize("row", recorded(), ids=lambda row: row.internal_format)
def test_the_table_is_what_was_recorded(row: StoredFormat) -> None:
    names = [row.internal_format, row.internal_format.removesuffix("_ARB").removesuffix("_EXT")]
    assert next(gl_formats()[name] for name in names if name in gl_formats())[1:] == row[1:]


def test_every_vkformat_of_the_table_exists_and_has_what_its_swizzle_reads() -> None:
    for row in gl_formats().values():
        if row.vulkan_format is None:
            continue
        there = {letter for letter, _ in vulkan_formats()[row.vulkan_format].channels}
        there |= {"R"} if there & {"D", "S"} else set()
        assert set(row.vulkan_swizzle) <= there | {"0", "1"}, row


def test_integer_formats_stay_integers_and_srgb_stays_srgb() -> None:
    for row in gl_formats().values():
        if row.vulkan_format is None:
            continue
        kind = vulkan_formats()[row.vulkan_format].kind
        assert pipe_format(row.pipe_format).is_pure_integer == (kind in {"UINT", "SINT"}), row
        assert pipe_format(row.pipe_format).is_srgb == ("SRGB" in row.vulkan_format), row


@pytest.mark.parametrize(
    ("pipe", "swizzle", "vulkan"),
    [
        ("R8_UNORM", "X001", "R001"),
        ("A8_UNORM", "000W", "000R"),
        ("L8_UNORM", "XXX1", "RRR1"),
        ("L8A8_UNORM", "XXXW", "RRRG"),
        ("LATC2_SNORM", "XXXW", "RRRG"),
        ("R8G8B8X8_UNORM", "XYZW", "RGB1"),
        ("Z24X8_UNORM", "XYZW", "RRRR"),
        ("Z16_UNORM", "XXX1", "RRR1"),
        ("Z16_UNORM", "000X", "RRRR"),
        ("X24S8_UINT", "XXX1", "RRR1"),
        ("R8G8B8A8_UNORM", "WZYX", "ABGR"),
        ("R8G8B8A8_UNORM", "01XW", "01RA"),
    ],
)
def test_view_swizzles_look_where_the_vkformat_keeps_a_component(pipe: str, swizzle: str, vulkan: str) -> None:
    assert view_swizzle(pipe, swizzle) == vulkan


def test_a_device_without_24_bit_depth_keeps_it_in_floats() -> None:
    lavapipe = st.Screen.named("zink-lavapipe")
    assert lavapipe.vulkan is not None
    formats = lavapipe.vulkan.formats or {}
    lacking = {name: masks for name, masks in formats.items() if "D24" not in name}
    screen = lavapipe.replace(vulkan=lavapipe.vulkan._replace(formats=lacking))
    assert stored("DEPTH_COMPONENT24", "XXX1", screen).vulkan_format == "D32_SFLOAT"
    assert stored("DEPTH24_STENCIL8", "XXX1", screen).vulkan_format == "D32_SFLOAT_S8_UINT"


@pytest.mark.live("vulkan-object")
def test_the_table_is_what_its_generator_writes() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "codegen" / "make_vulkan_formats.py", "--check"], check=False
    )
    assert done.returncode == 0
