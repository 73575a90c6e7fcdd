"""`statetracker.caps.flags`: what follows from each cap."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import statetracker as st
from statetracker.caps import FLAGS, FormatFeatures, Screen
from statetracker.caps.files import screen_from
from statetracker.caps.flags import ALWAYS, CAP_DEFAULTS, EXTENSIONS, SEED_CAPS, depth_of, extensions_of, flags_of
from statetracker.gl.formats import internal_formats
from statetracker.gl.parameters import PARAMETERS, WRAP_GATES
from statetracker.trace import open_cases

RECORDINGS: Final = sorted((Path(__file__).parents[1] / "data" / "mesa").glob("*.jsonl.gz"))
QUIRK: Final = "PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK"
LINEAR_DEPTH: Final = "PIPE_CAP_LINEAR_DEPTH_FILTERING"
KEPT: Final = "always-compare"
SWIZZLES, FORMAT, NOT_W = (
    "apply_texture_swizzle_to_border_color",
    "use_format_with_border_color",
    "alpha_border_color_is_not_w",
)

# fmt: off
#: Flag: (the cap's value that switches it on, another that does not).
VALUES: Final = {
    "emulate_gl_clamp":       ("PIPE_CAP_GL_CLAMP",               0, 1),
    "lower_rect_tex":         ("PIPE_CAP_TEXRECT",                0, 1),
    "texture_buffer_sampler": ("PIPE_CAP_TEXTURE_BUFFER_SAMPLER", 1, 0),
    "float_linear":           ("PIPE_CAP_TEXTURE_FLOAT_LINEAR",   1, 0),
    SWIZZLES:                 (QUIRK,                             1, 12),
    FORMAT:                   (QUIRK,                             4, 11),
    NOT_W:                    (QUIRK,                             8, 7),
    "need_border_color_type": ("PIPE_CAP_NEED_BORDER_COLOR_TYPE", 1, 0),
}
#: Extension: the caps of which one is enough.
GATES: Final = {
    "EXT_texture_filter_minmax":         ["SAMPLER_REDUCTION_MINMAX"],
    "ARB_texture_filter_minmax":         ["SAMPLER_REDUCTION_MINMAX", "SAMPLER_REDUCTION_MINMAX_ARB"],
    "EXT_texture_mirror_clamp":          ["TEXTURE_MIRROR_CLAMP"],
    "ATI_texture_mirror_once":           ["TEXTURE_MIRROR_CLAMP"],
    "ARB_texture_mirror_clamp_to_edge":  ["TEXTURE_MIRROR_CLAMP_TO_EDGE"],
    "AMD_seamless_cubemap_per_texture":  ["SEAMLESS_CUBE_MAP_PER_TEXTURE"],
    "ARB_seamless_cubemap_per_texture":  ["SEAMLESS_CUBE_MAP_PER_TEXTURE"],
    "ARB_seamless_cube_map":             ["SEAMLESS_CUBE_MAP"],
    "ARB_shadow":                        ["TEXTURE_SHADOW_MAP"],
    "EXT_texture_swizzle":               ["TEXTURE_SWIZZLE"],
    "ARB_texture_swizzle":               ["TEXTURE_SWIZZLE"],
    "EXT_texture_filter_anisotropic":    ["ANISOTROPIC_FILTER"],
    "ARB_texture_filter_anisotropic":    ["ANISOTROPIC_FILTER"],
}
# fmt: on


@pytest.mark.parametrize("flag", FLAGS, ids=[flag.name for flag in FLAGS])
def test_flag_follows_its_cap(flag: object) -> None:
    """On and off, by a value each."""
    name = getattr(flag, "name", "")
    cap, on, off = VALUES[name]
    assert (flags_of({cap: on})[name], flags_of({cap: off})[name]) == (True, False)


def test_every_flag_is_a_field_of_a_screen_and_says_what_it_does() -> None:
    """And reads a cap whose default is known."""
    assert {flag.name for flag in FLAGS} == set(VALUES)
    for flag in FLAGS:
        assert isinstance(getattr(Screen(), flag.name), bool)
        assert flag.cap in CAP_DEFAULTS
        assert flag.meaning


@pytest.mark.parametrize("please", [None, 0, 1])
@pytest.mark.parametrize("native", [None, 0, 1])
def test_gl_clamp_is_emulated_where_the_seed_s_cap_asks_or_the_hardware_lacks_it(
    please: int | None, native: int | None
) -> None:
    """GL_CLAMP is native where no cap says anything. A screen's shaders and wraps follow."""
    given = {"PIPE_CAP_EMULATE_GL_CLAMP_PLZ": please, "PIPE_CAP_GL_CLAMP": native}
    caps = {cap: value for cap, value in given.items() if value is not None}
    emulates = please == 1 or native == 0
    assert flags_of(caps)["emulate_gl_clamp"] is emulates
    screen = Screen.from_caps(caps)
    assert screen.emulate_gl_clamp is emulates
    sampler = st.Sampler(wrap_s="clamp", min_filter="linear", mag_filter="linear")
    result = st.convert(sampler, st.Texture("2d", "RGBA8"), screen, dialect="seed")
    assert (result.pipe.wrap_s.name, result.lowering.clamp) == (("CLAMP_TO_BORDER", "s") if emulates else ("CLAMP", ""))


@pytest.mark.parametrize(
    ("answer", "then"), [({}, "nearest"), ({LINEAR_DEPTH: 0}, "nearest"), ({LINEAR_DEPTH: 1}, KEPT)]
)
def test_the_seeds_cap_keeps_depth_linear_where_the_hook_refuses_it(answer: dict[str, int], then: str) -> None:
    """The filters of a mipmapped depth texture follow; another field goes first."""
    assert Screen.from_caps(answer).unfilterable_depth == depth_of(answer) == then
    assert Screen.from_caps(answer, unfilterable_depth="when-comparing").unfilterable_depth == "when-comparing"
    screen = Screen.from_caps(answer, linear_filtering=FormatFeatures({"Z24X8_UNORM": False}))
    shadow = st.Texture("2d", "DEPTH_COMPONENT24", size=(4, 4), storage_format="Z24X8_UNORM")
    sampler = st.Sampler(min_filter="linear-mipmap-linear")
    pipe = st.convert(sampler, shadow, screen, dialect="seed").pipe
    assert (pipe.min_mip_filter.name, pipe.compare_mode) == (("LINEAR", 1) if then == KEPT else ("NEAREST", 0))


def test_the_seeds_caps_make_the_seeds_screen() -> None:
    """A screen with its three caps and its hook converts as the embedded one."""
    seed = Screen.named("seed")
    assert {cap: seed.caps[cap] for cap in SEED_CAPS} == dict.fromkeys(SEED_CAPS, 1)
    made = Screen.from_caps(dict(seed.caps), linear_filtering=seed.linear_filtering)
    assert made == seed.replace(extensions=made.extensions)


@pytest.mark.parametrize("quirk", range(16))
def test_quirk_bits_switch_three_flags(quirk: int) -> None:
    """NV50 and R600 are one to the conversion."""
    flags = flags_of({QUIRK: quirk})
    assert (flags[SWIZZLES], flags[FORMAT], flags[NOT_W]) == (bool(quirk & 3), bool(quirk & 4), bool(quirk & 8))


def test_driver_that_answers_nothing_takes_the_front_ends_defaults() -> None:
    """GL_CLAMP, rectangles, shadow and swizzle are there; nothing else is."""
    assert flags_of({}) == dict.fromkeys(VALUES, False)
    assert {cap for cap, value in CAP_DEFAULTS.items() if value} == {
        f"PIPE_CAP_{name}" for name in ("GL_CLAMP", "TEXRECT", "TEXTURE_SHADOW_MAP", "TEXTURE_SWIZZLE")
    }


@pytest.mark.parametrize("name", GATES)
def test_extension_follows_its_caps(name: str) -> None:
    """Any one of them is enough, none is too few."""
    everything_off = dict.fromkeys(CAP_DEFAULTS, 0)
    assert f"GL_{name}" not in extensions_of(everything_off)
    for cap in GATES[name]:
        assert f"GL_{name}" in extensions_of(everything_off | {f"PIPE_CAP_{cap}": 1})


def test_gated_extensions_are_not_among_those_that_are_always_there() -> None:
    """Else their caps would count for nothing."""
    assert not ALWAYS & EXTENSIONS.keys()
    assert all(name.startswith("GL_") for name in ALWAYS)
    assert extensions_of({}) >= ALWAYS


def asked_for() -> set[str]:
    """Gather every extension that an internal format, a parameter, a wrap mode or a target may ask for."""
    gates = [gate for row in PARAMETERS.values() for gate in (row.sampler_gate, row.texture_gate)]
    names = {name for gate in gates for name in (*(gate.desktop or ()), *gate.gles_extensions)}
    names |= {name for row in WRAP_GATES.values() for name in (*(row.sampler or ()), *(row.texture or ()))}
    names |= {name for row in internal_formats() for name in row.extensions}
    targets = ("ARB_texture_cube_map_array", "ARB_texture_multisample", "ARB_texture_rectangle", "EXT_texture_array")
    others = ("ARB_seamless_cube_map", "ARB_texture_border_clamp", "ARB_texture_float", "ARB_texture_rg")
    return names | {f"GL_{name}" for name in (*targets, *others, "ARB_texture_storage")}


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.name)
def test_caps_of_a_recorded_driver_give_the_extensions_that_it_announced(path: Path) -> None:
    """Of all that may be needed; eleven drivers reported both."""
    with open_cases(path) as file:
        header = dict(file.header.data)
    announced = set(header.pop("gl_extensions"))
    assert screen_from(header).extensions == announced & asked_for()
