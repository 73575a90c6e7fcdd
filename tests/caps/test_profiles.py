"""`statetracker.caps.profiles`: every Gallium driver of Mesa 22.3, cell by cell."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.caps import PROFILES, Screen, profile_names
from statetracker.caps.storage import TABLES
from statetracker.errors import UnknownName

# fmt: off
#: Cells of the table of drivers, for the hardware each profile names; what is blank there is the front end's default.
WEBGPU: Final = ("webgpu", "webgpu-float32-filterable", "webgpu-compatibility")
CELLS: Final = {
    # driver            GL_CLAMP TEXRECT BUF float quirk m.clamp/edge seam/per aniso    minmax/ARB
    "llvmpipe":         (1,      1,      0,  1,    0,    (1, 1),      (1, 1),  (1, 16), (1, 0)),
    "softpipe":         (1,      1,      0,  1,    0,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "zink-lavapipe":    (0,      0,      0,  0,    8,    (0, 1),      (1, 1),  (1, 16), (0, 1)),
    "zink":             (0,      0,      0,  1,    8,    (0, 1),      (1, 1),  (1, 16), (0, 1)),
    "radeonsi":         (1,      1,      0,  1,    0,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "radeonsi-gfx8":    (1,      1,      0,  1,    2,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "r300":             (1,      1,      0,  0,    0,    (1, 1),      (0, 0),  (1, 16), (0, 0)),
    "r600":             (1,      1,      0,  1,    2,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "nv30":             (1,      1,      0,  0,    0,    (1, 1),      (0, 0),  (1, 16), (0, 0)),
    "nv50":             (1,      1,      0,  1,    1,    (1, 1),      (1, 0),  (1, 16), (0, 0)),
    "nvc0":             (1,      1,      0,  1,    1,    (1, 1),      (1, 1),  (1, 16), (1, 0)),
    "iris":             (1,      1,      0,  1,    0,    (0, 1),      (1, 1),  (1, 16), (0, 0)),
    "crocus":           (1,      1,      0,  1,    0,    (0, 1),      (1, 1),  (1, 16), (0, 0)),
    "i915g":            (1,      1,      0,  0,    0,    (0, 0),      (0, 0),  (1, 4),  (0, 0)),
    "v3d":              (0,      1,      0,  0,    0,    (0, 1),      (0, 0),  (1, 16), (0, 0)),
    "vc4":              (1,      0,      0,  0,    0,    (0, 0),      (0, 0),  (0, 0),  (0, 0)),
    "freedreno":        (0,      1,      0,  1,    0,    (0, 1),      (1, 1),  (1, 16), (0, 0)),
    "freedreno-a3xx":   (0,      1,      0,  0,    0,    (0, 1),      (1, 1),  (1, 16), (0, 0)),
    "freedreno-a2xx":   (1,      1,      0,  0,    0,    (0, 1),      (1, 0),  (1, 16), (0, 0)),
    "panfrost":         (0,      1,      1,  1,    0,    (0, 1),      (1, 1),  (1, 16), (0, 0)),
    "panfrost-midgard": (1,      1,      1,  1,    0,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "lima":             (1,      1,      0,  0,    0,    (0, 0),      (0, 0),  (0, 16), (0, 0)),
    "etnaviv":          (1,      0,      0,  0,    0,    (0, 0),      (0, 1),  (1, 16), (0, 0)),
    "virgl":            (1,      1,      0,  1,    0,    (1, 1),      (1, 1),  (1, 16), (0, 0)),
    "svga":             (1,      1,      0,  1,    0,    (0, 0),      (1, 0),  (1, 4),  (0, 0)),
    "d3d12":            (1,      1,      0,  1,    0,    (0, 0),      (1, 0),  (1, 16), (0, 0)),
    **dict.fromkeys(WEBGPU, (0,  0,      0,  0,    12,   (0, 0),      (1, 1),  (1, 16), (0, 0))),
    "asahi":            (1,      1,      0,  1,    0,    (0, 0),      (1, 1),  (0, 16), (0, 0)),
}
# fmt: on


@pytest.mark.parametrize("name", CELLS)
def test_profile_has_the_cells_of_its_driver(name: str) -> None:
    """One row of the specification's table."""
    assert PROFILES[name][:9] == CELLS[name]


@pytest.mark.parametrize("name", profile_names())
def test_profile_is_a_screen(name: str) -> None:
    """Its flags follow from its row, and it has a table of storage formats."""
    screen, row = Screen.named(name), PROFILES[name]
    assert (screen.name, screen.emulate_gl_clamp, screen.lower_rect_tex) == (name, not row.gl_clamp, not row.texrect)
    assert (screen.texture_buffer_sampler, screen.float_linear) == (row.texture_buffer_sampler, row.float_linear)
    assert screen.max_anisotropy == row.aniso[1]
    assert screen.storage in TABLES


@pytest.mark.parametrize("name", profile_names())
def test_profile_answers_the_caps_that_its_columns_are_named_after(name: str) -> None:
    """Twelve, each with its own cell."""
    row = PROFILES[name]
    answers = {cap.removeprefix("PIPE_CAP_"): value for cap, value in row.caps().items()}
    names = "GL_CLAMP TEXRECT TEXTURE_BUFFER_SAMPLER TEXTURE_FLOAT_LINEAR TEXTURE_BORDER_COLOR_QUIRK"
    assert answers == dict(zip(names.split(), row[:5], strict=True)) | {
        "TEXTURE_MIRROR_CLAMP": row.mirror[0],
        "TEXTURE_MIRROR_CLAMP_TO_EDGE": row.mirror[1],
        "SEAMLESS_CUBE_MAP": row.seamless[0],
        "SEAMLESS_CUBE_MAP_PER_TEXTURE": row.seamless[1],
        "ANISOTROPIC_FILTER": row.aniso[0],
        "SAMPLER_REDUCTION_MINMAX": row.minmax[0],
        "SAMPLER_REDUCTION_MINMAX_ARB": row.minmax[1],
    }


def test_drivers_store_formats_as_the_recorded_driver_nearest_to_them() -> None:
    """Zink, softpipe and WebGPU have tables of their own; all others are taken for llvmpipe."""
    own = {"softpipe": "softpipe", "zink": "zink", "zink-lavapipe": "zink", **dict.fromkeys(WEBGPU, "webgpu")}
    assert {name: row.storage for name, row in PROFILES.items()} == dict.fromkeys(PROFILES, "llvmpipe") | own


def test_every_profile_is_checked_here() -> None:
    """But the seed's, which is no driver of 22.3."""
    assert set(profile_names()) == {*CELLS, "seed"}


def test_seed_has_the_proposals_three_caps() -> None:
    """Emulated clamp, a hook that refuses floats and depth, and the border type in the key."""
    seed = Screen.named("seed")
    assert PROFILES["seed"][:9] == (0, 1, 0, 1, 0, (1, 1), (1, 0), (1, 16), (0, 0))
    assert (seed.emulate_gl_clamp, seed.need_border_color_type) == (True, True)
    assert seed.unfilterable_depth == "always-compare"
    assert [seed.filters(f, f) for f in ("R32G32B32A32_FLOAT", "Z24_UNORM_S8_UINT", "R8G8B8A8_UNORM")] == [
        False,
        False,
        True,
    ]


def test_only_the_seed_and_webgpu_have_a_hook() -> None:
    """No release has one; WebGPU says which formats it filters."""
    hooked = {name for name in profile_names() if Screen.named(name).linear_filtering is not None}
    assert hooked == {"seed", *WEBGPU}


@pytest.mark.parametrize("name", WEBGPU)
def test_the_caps_of_a_webgpu_screen_are_those_that_follow_from_its_facts(name: str) -> None:
    screen = Screen.named(name)
    assert PROFILES[name].caps().items() <= dict(screen.caps).items()


def test_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        Screen.named("swr")
    assert str(caught.value) == f"screen: 'swr' is not known; accepted: {', '.join(profile_names())}"
