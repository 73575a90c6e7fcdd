"""`statetracker.pipe.formats`: pipe formats, and the format of a sampler view."""

from __future__ import annotations

import struct
import subprocess
import sys
from math import nan
from typing import Any

import pytest

from statetracker.errors import UnknownName
from statetracker.pipe.formats import PipeFormat, first_plane, linear, pipe_format, sampler_view_format, shown_border

ALL = [pipe_format(number) for number in range(419)]

# fmt: off
ALPHA = ("A8_UNORM", "A16_FLOAT", "A32_SINT", "A8_SNORM")
LUMINANCE_ALPHA = ("L8A8_UNORM", "L16A16_FLOAT", "L32A32_SINT", "L4A4_UNORM", "L8A8_SRGB", "LATC2_UNORM", "LATC2_SNORM")
NEITHER = ("NONE", "L8_UNORM", "LATC1_UNORM", "I8_UNORM", "R8_UNORM", "R8G8B8A8_UNORM", "R16G16B16A16_FLOAT",
           "R8A8_UNORM", "A4R4_UNORM", "A8B8G8R8_UNORM", "AYUV", "ASTC_4x4", "ATC_RGB", "Z24X8_UNORM", "X24S8_UINT")
STENCIL = {
    "Z24_UNORM_S8_UINT":    "X24S8_UINT",
    "S8_UINT_Z24_UNORM":    "S8X24_UINT",
    "Z32_FLOAT_S8X24_UINT": "X32_S8X24_UINT",
    "Z16_UNORM_S8_UINT":    "S8_UINT",
    "S8_UINT":              "S8_UINT",
    "X24S8_UINT":           "X24S8_UINT",
    "S8X24_UINT":           "S8X24_UINT",
    "X32_S8X24_UINT":       "X32_S8X24_UINT",
    "Z16_UNORM":            "NONE",
    "Z24X8_UNORM":          "NONE",
    "Z32_UNORM":            "NONE",
    "Z32_FLOAT":            "NONE",
}
LINEAR = {
    "R8G8B8A8_SRGB":  "R8G8B8A8_UNORM",
    "B8G8R8A8_SRGB":  "B8G8R8A8_UNORM",
    "R8G8B8X8_SRGB":  "R8G8B8X8_UNORM",
    "L8_SRGB":        "L8_UNORM",
    "L8A8_SRGB":      "L8A8_UNORM",
    "R8_SRGB":        "R8_UNORM",
    "R8G8_SRGB":      "R8G8_UNORM",
    "DXT1_SRGB":      "DXT1_RGB",
    "DXT1_SRGBA":     "DXT1_RGBA",
    "DXT3_SRGBA":     "DXT3_RGBA",
    "DXT5_SRGBA":     "DXT5_RGBA",
    "BPTC_SRGBA":     "BPTC_RGBA_UNORM",
    "ASTC_10x6_SRGB": "ASTC_10x6",
    "ETC2_SRGB8":     "ETC2_RGB8",
    "ETC2_SRGB8A1":   "ETC2_RGB8A1",
    "ETC2_SRGBA8":    "ETC2_RGBA8",
    "R8G8B8A8_UNORM": "R8G8B8A8_UNORM",
}
PLANES = [
    # surface  resource             view
    ("NV12",  "R8_UNORM",           "R8_UNORM"),
    ("NV12",  "R8_G8B8_420_UNORM",  "R8_G8B8_420_UNORM"),
    ("IYUV",  "R8_UNORM",           "R8_UNORM"),
    ("P010",  "R16_UNORM",          "R16_UNORM"),
    ("P012",  "R8_UNORM",           "R16_UNORM"),
    ("P016",  "R8_UNORM",           "R16_UNORM"),
    ("Y210",  "R8_UNORM",           "R16G16_UNORM"),
    ("Y212",  "R8_UNORM",           "R16G16_UNORM"),
    ("Y216",  "R8_UNORM",           "R16G16_UNORM"),
    ("Y410",  "R8_UNORM",           "R10G10B10A2_UNORM"),
    ("Y412",  "R8_UNORM",           "R16G16B16A16_UNORM"),
    ("Y416",  "R8_UNORM",           "R16G16B16A16_UNORM"),
    ("YUYV",  "R8G8_UNORM",         "R8G8_UNORM"),
    ("YUYV",  "R8G8_R8B8_UNORM",    "R8G8_R8B8_UNORM"),
    ("UYVY",  "G8R8_B8R8_UNORM",    "G8R8_B8R8_UNORM"),
    ("UYVY",  "R8G8_R8B8_UNORM",    "R8G8_UNORM"),
    ("AYUV",  "R8_UNORM",           "R8G8B8A8_UNORM"),
    ("XYUV",  "R8_UNORM",           "R8G8B8X8_UNORM"),
    ("NV12",  "NV12",               "NV12"),
    ("R8_UNORM", "R8G8_UNORM",      "R8_UNORM"),
]
# fmt: on


def view(resource: str, base: str = "RGBA", *, stencil: bool = False, skip: bool = False) -> str:
    """Name the view format of a texture that is not made from a surface."""
    return sampler_view_format(resource, base_format=base, stencil_sampling=stencil, skip_decode=skip).name


@pytest.mark.parametrize(
    ("name", "number"), [("NONE", 0), ("A8_UNORM", 134), ("X24S8_UINT", 192), ("G16R16_SINT", 418)]
)
def test_numbers_are_those_of_mesa_22_3(name: str, number: int) -> None:
    """border_color_format holds these numbers."""
    assert pipe_format(name) is pipe_format(number)


def test_a_format_is_known_with_its_prefix() -> None:
    assert pipe_format("PIPE_FORMAT_R8_UNORM").name == "R8_UNORM"


@pytest.mark.parametrize("value", ["R9_UNORM", 419, -1, [], None, 10**5000], ids=lambda value: type(value).__name__)
def test_an_unknown_format_is_refused(value: Any) -> None:
    """Neither a wrong name nor a number past the end is guessed at."""
    with pytest.raises(UnknownName, match="a PIPE_FORMAT name or number"):
        pipe_format(value)


def test_an_interrupt_leaves_no_part_of_the_table() -> None:
    """A part would be found by other threads, too, while one of them reads the rest."""
    code = (
        "from statetracker.pipe import formats\n"
        "made = formats.PipeFormat.__init__\n"
        "formats.PipeFormat.__init__ = lambda self, name, number: made(self, name, number) if number < 99 else 1 / 0\n"
        "try:\n    formats.pipe_format('R8_UNORM')\n"
        "except ZeroDivisionError:\n    formats.PipeFormat.__init__ = made\n"
        "print(formats.pipe_format('G16R16_SINT').number)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("418\n", "")


def test_a_refusal_names_what_was_meant() -> None:
    with pytest.raises(UnknownName) as caught:
        pipe_format("r8g8b8a8_unorm")
    assert "R8G8B8A8_UNORM" in caught.value.hint


@pytest.mark.parametrize("name", ALPHA)
def test_alpha_formats(name: str) -> None:
    """Components (0, 0, 0, X), whatever the number type."""
    assert pipe_format(name).is_alpha


@pytest.mark.parametrize("name", LUMINANCE_ALPHA)
def test_luminance_alpha_formats(name: str) -> None:
    """Components (X, X, X, Y), sRGB and compressed ones included."""
    assert pipe_format(name).is_luminance_alpha


@pytest.mark.parametrize("name", NEITHER)
def test_formats_that_are_neither(name: str) -> None:
    """Where these hold a texture the border colour gets the ordinary translation."""
    assert (pipe_format(name).is_alpha, pipe_format(name).is_luminance_alpha) == (False, False)


def test_pure_integers_end_in_an_integer_word() -> None:
    """Every UINT and SINT format is one, except where depth stands beside the stencil."""
    expected = {fmt.name for fmt in ALL if fmt.name.endswith(("_UINT", "_SINT")) and "Z" not in fmt.name}
    assert {fmt.name for fmt in ALL if fmt.is_pure_integer} == expected


def test_depth_and_stencil_parts() -> None:
    facts = {name: (pipe_format(name).has_depth, pipe_format(name).has_stencil) for name in (*STENCIL, "X24S8_UINT")}
    assert facts["Z24_UNORM_S8_UINT"] == facts["S8_UINT_Z24_UNORM"] == facts["Z32_FLOAT_S8X24_UINT"] == (True, True)
    assert facts["S8_UINT"] == facts["X24S8_UINT"] == (False, True)
    assert facts["Z16_UNORM"] == facts["Z24X8_UNORM"] == facts["Z32_FLOAT"] == (True, False)


def test_letters_of_colour_channels_are_no_stencil() -> None:
    """R8SG8SB8UX8U holds S8, but as a part of a word."""
    assert not any(fmt.has_stencil for fmt in ALL if fmt.name.startswith(("R", "A", "B", "G")))


def test_depth_stencil_bits_read_as_colour_are_colour() -> None:
    """The name begins like depth-stencil, the view does not."""
    fmt = pipe_format("Z24_UNORM_S8_UINT_AS_R8G8B8A8")
    assert (fmt.has_depth, fmt.has_stencil, fmt.is_pure_integer) == (False, False, False)


@pytest.mark.parametrize(("name", "expected"), LINEAR.items())
def test_linear_counterpart(name: str, expected: str) -> None:
    assert linear(name).name == expected


def test_every_srgb_format_has_a_linear_counterpart() -> None:
    """None is left as it is, and none leads to another sRGB format."""
    assert not any(linear(fmt).is_srgb for fmt in ALL)


def test_linear_leaves_other_formats_alone() -> None:
    """A format that is not sRGB is its own counterpart."""
    assert all(linear(fmt) is fmt for fmt in ALL if "SRGB" not in fmt.name)


@pytest.mark.parametrize(("surface", "resource", "expected"), PLANES)
def test_first_plane(surface: str, resource: str, expected: str) -> None:
    """A sampler reads the first plane, unless the driver samples the video format itself."""
    assert first_plane(surface, resource).name == expected


@pytest.mark.parametrize(("resource", "expected"), STENCIL.items())
def test_stencil_sampling_views_the_stencil_part(resource: str, expected: str) -> None:
    """Any depth base with stencil sampling takes the counterpart, which may be NONE."""
    base = "DEPTH_STENCIL" if "S8" in resource else "DEPTH_COMPONENT"
    assert view(resource, base, stencil=True) == expected


def test_stencil_index_views_the_stencil_part_without_being_asked() -> None:
    """A texture of stencil alone has nothing else to show."""
    assert view("Z24_UNORM_S8_UINT", "STENCIL_INDEX") == "X24S8_UINT"


def test_depth_views_the_whole_format() -> None:
    """Without stencil sampling the depth format stays."""
    assert view("Z24_UNORM_S8_UINT", "DEPTH_STENCIL") == "Z24_UNORM_S8_UINT"


def test_a_colour_texture_with_stencil_sampling_keeps_its_format() -> None:
    """The parameter may be set on any texture."""
    assert view("R8G8B8A8_UNORM", stencil=True) == "R8G8B8A8_UNORM"


def test_skipped_decoding_views_the_linear_format() -> None:
    """Only a bindless handle's sampler is heard; then sRGB is off."""
    assert (view("R8G8B8A8_SRGB", skip=True), view("R8G8B8A8_SRGB")) == ("R8G8B8A8_UNORM", "R8G8B8A8_SRGB")


def test_a_surface_is_viewed_in_its_own_format() -> None:
    """What the surface says comes before what the driver stores."""
    seen = sampler_view_format(
        "R8_UNORM", base_format="RGBA", stencil_sampling=False, skip_decode=False, surface="P010"
    )
    assert seen.name == "R16_UNORM"


@pytest.mark.parametrize("name", ["Z16_UNORM", "Z24X8_UNORM", "X8Z24_UNORM", "Z32_UNORM", "Z32_FLOAT"])
def test_depth_without_stencil_has_depth(name: str) -> None:
    """In whichever order the padding stands."""
    assert (pipe_format(name).has_depth, pipe_format(name).has_stencil) == (True, False)


def test_repr_names_the_format() -> None:
    """A failing test should say which format it was."""
    assert repr(PipeFormat("A8_UNORM", 134)) == "PipeFormat(A8_UNORM)"


@pytest.mark.parametrize("surface", sorted({surface for surface, *_ in PLANES}))
@pytest.mark.parametrize("resource", ["R8_G8B8_420_UNORM", "R8G8_R8B8_UNORM", "G8R8_B8R8_UNORM"])
def test_only_three_video_formats_have_a_resource_format_of_their_own(surface: str, resource: str) -> None:
    """Each keeps its own; all other pairs are mapped to the first plane."""
    own = {"NV12": "R8_G8B8_420_UNORM", "YUYV": "R8G8_R8B8_UNORM", "UYVY": "G8R8_B8R8_UNORM"}
    assert (first_plane(surface, resource).name == resource) is (own.get(surface) == resource)


# Each word within what its component holds


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
