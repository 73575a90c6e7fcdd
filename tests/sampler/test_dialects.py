"""`statetracker.sampler.dialects`: the releases as data, field by field, and what their caches compare."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.caps import Screen
from statetracker.errors import UnknownName
from statetracker.gl.limits import RELEASES
from statetracker.pipe import LAYOUTS, KeyRule
from statetracker.sampler import DIALECTS, dialect, key_rule
from statetracker.sampler.dialects import ALIASES, NARROW, WIDE, release_of

# fmt: off
#: Dialect -> what it changes of the one before it; the first one has all fields.
CHANGES: Final[dict[str, dict[str, object]]] = {
    "seed": {
        "keep_unused_border": False, "keep_inactive_func": False, "int_nearest": "if_forced",
        "bias_rule": "sum_then_quantise", "bias_range": NARROW, "swap_lods": True, "clamp_filter": "min_only",
        "stencil_integer": "no", "stencil_replicate": "float", "stencil_view": "depth", "swizzle_source": "view",
        "hook_format": "view", "alpha_not_w": False, "rect_lowering": False, "seamless_edge": False,
        "buffer_samplers": True, "extra_slots": "22.3", "variant_key": "reduced", "members": "flag",
        "gl_release": "21.0", "layout": "seed", "formats": "22.3",
    },
    "21.0": {"clamp_filter": "never", "variant_key": "whole", "members": "none", "layout": "21.0", "formats": "21.0"},
    "21.1": {"members": "flag", "layout": "21.2", "formats": "21.1"},
    "21.2": {
        "keep_unused_border": True, "keep_inactive_func": True, "bias_rule": "quantise_then_sum", "swap_lods": False,
        "clamp_filter": "min_and_mag", "hook_format": "resource", "members": "flag_reduction", "gl_release": "21.2",
        "formats": "21.2",
    },
    "22.2": {
        "stencil_integer": "any_texture", "stencil_replicate": "integer", "rect_lowering": True, "members": "all",
        "gl_release": "22.3", "layout": "22.3", "formats": "22.2",
    },
    "22.3": {"int_nearest": "always_with_mip", "swizzle_source": "texture", "alpha_not_w": True, "formats": "22.3"},
    "23.1": {"bias_range": WIDE, "seamless_edge": True, "gl_release": "23.1", "formats": "23.1"},
    "23.2": {"gl_release": "23.2", "formats": "23.2"},
    "23.3": {
        "stencil_integer": "depth_stencil_only", "stencil_view": "depth_stencil", "buffer_samplers": False,
        "extra_slots": "24.1", "gl_release": "24.1", "formats": "23.3",
    },
    "25.0": {"extra_slots": "25.0", "gl_release": "25.0", "formats": "25.0"},
}
# fmt: on


def test_dialects_differ_as_the_specification_says() -> None:
    expected: dict[str, object] = {}
    assert list(CHANGES) == list(DIALECTS)
    for name, changes in CHANGES.items():
        expected |= changes
        assert DIALECTS[name]._asdict() == {"name": name} | expected


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect_names_a_layout_and_a_release_that_exist(name: str) -> None:
    """And is looked up by its name, or passed through."""
    seen = dialect(name)
    assert seen.layout in LAYOUTS
    assert seen.gl_release in RELEASES
    assert dialect(seen) is seen


@pytest.mark.parametrize("word", ["mesa23", "20.3", "26.3", "30.0", "22.4", "22", "22.30", "22.3.6", "v22.3", ""])
def test_unknown_dialect_is_refused(word: str) -> None:
    with pytest.raises(
        UnknownName, match=r"accepted: seed, mesa21, mesa22, mesa24, or a release .* from 21\.0 to 26\.2"
    ):
        dialect(word)


@pytest.mark.parametrize(
    ("name", "screen", "layout", "leading"),
    [
        ("mesa22", Screen(), "22.3", 32),  # the format counts where the driver asks for it
        ("mesa24", Screen(), "22.3", 32),
        ("mesa22", Screen(use_format_with_border_color=True), "22.3", 36),
        ("mesa24", Screen(use_format_with_border_color=True), "22.3", 36),
        ("seed", Screen(), "seed", 32),  # the flag, its last member, likewise
        ("seed", Screen.named("seed"), "seed", 36),
        ("mesa21", Screen(use_format_with_border_color=True), "21.2", 32),  # there is no format
    ],
)
def test_a_cache_ignores_a_last_member_that_the_driver_does_not_look_at(
    name: str, screen: Screen, layout: str, leading: int
) -> None:
    assert key_rule(screen, name) == KeyRule(layout, leading)
    assert key_rule(screen) == key_rule(screen, "mesa22")


#: Release -> the row of the table that it follows, as the specification lists them.
FOLLOWS: Final = {
    "21.0": "21.0", "21.1": "21.1", "21.2": "21.2", "21.3": "21.2", "22.0": "21.2", "22.1": "21.2", "22.2": "22.2",
    "22.3": "22.3", "23.0": "22.3", "23.1": "23.1", "23.2": "23.2", "23.3": "23.3", "24.0": "23.3", "24.1": "23.3",
    "24.3": "23.3", "25.0": "25.0", "26.2": "25.0",
}  # fmt: skip


@pytest.mark.parametrize("release", FOLLOWS)
def test_a_release_has_the_rules_of_its_row_and_its_own_numbers_of_formats(release: str) -> None:
    row, seen = DIALECTS[FOLLOWS[release]], dialect(release)
    assert seen._replace(name=row.name, formats=row.formats) == row
    assert (seen.name, seen.formats) == (release, release)
    assert dialect(release) is seen


def test_older_names_are_aliases_of_releases() -> None:
    assert {name: dialect(name).name for name in ALIASES} == {"mesa21": "21.2", "mesa22": "22.3", "mesa24": "24.1"}
    assert all(dialect(name) is dialect(release) for name, release in ALIASES.items())


@pytest.mark.parametrize(
    ("version", "release"),
    [("25.0.7-2+deb13u1", "25.0"), ("24.1.0-devel", "24.1"), ("22.3.6", "22.3"), ("26.2", "26.2")]
    + [(version, None) for version in ("20.3.5", "26.3.0", "27.0.1", "22.30.1", "", "devel", "2.2.3", "22")],
)
def test_a_version_names_its_release(version: str, release: str | None) -> None:
    assert release_of(version) == release


def test_a_patch_release_is_told_its_release() -> None:
    with pytest.raises(UnknownName, match=r"Mesa 22\.3\.6 has the rules of 22\.3"):
        dialect("22.3.6")
