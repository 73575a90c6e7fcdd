"""`statetracker.sampler.dialects`: the releases as data, field by field, and what their caches compare."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.caps import Screen
from statetracker.errors import UnknownName
from statetracker.gl.limits import RELEASES
from statetracker.pipe import LAYOUTS, KeyRule
from statetracker.sampler import DIALECTS, dialect, key_rule

# fmt: off
TABLE: Final[dict[str, tuple[object, ...]]] = {
    #                      seed                 mesa21               mesa22               mesa24
    "keep_unused_border": (False,               True,                True,                True),
    "keep_inactive_func": (False,               True,                True,                True),
    "int_nearest":        ("if_forced",         "if_forced",         "always_with_mip",   "always_with_mip"),
    "bias_rule":          ("sum_then_quantise", "quantise_then_sum", "quantise_then_sum", "quantise_then_sum"),
    "swap_lods":          (True,                False,               False,               False),
    "clamp_filter":       ("min_only",          "min_and_mag",       "min_and_mag",       "min_and_mag"),
    "stencil_integer":    ("no",                "no",                "any_texture",       "depth_stencil_only"),
    "stencil_replicate":  ("float",             "float",             "integer",           "integer"),
    "swizzle_source":     ("view",              "view",              "texture",           "texture"),
    "hook_format":        ("view",              "resource",          "resource",          "resource"),
    "rect_lowering":      (False,               False,               True,                True),
    "seamless_edge":      (False,               False,               False,               True),
    "variant_key":        ("reduced",           "whole",             "whole",              "whole"),
    "members":            ("flag",              "flag_reduction",    "all",               "all"),
    "layout":             ("seed",              "21.2",              "22.3",              "22.3"),
    "gl_release":         ("21.0",              "21.2",              "22.3",              "24.1"),
}
# fmt: on


@pytest.mark.parametrize("field", TABLE)
def test_dialects_differ_as_the_table_says(field: str) -> None:
    """One row of the specification's table."""
    assert tuple(getattr(d, field) for d in DIALECTS.values()) == TABLE[field]


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect_names_a_layout_and_a_release_that_exist(name: str) -> None:
    """And is found by its name, or passed through."""
    found = dialect(name)
    assert found.layout in LAYOUTS
    assert found.gl_release in RELEASES
    assert dialect(found) is found


def test_unknown_dialect_is_refused() -> None:
    """With the known ones."""
    with pytest.raises(UnknownName, match="accepted: seed, mesa21, mesa22, mesa24"):
        dialect("mesa23")


@pytest.mark.parametrize("name", ["mesa22", "mesa24"])
def test_cache_ignores_the_format_unless_the_driver_asks_for_it(name: str) -> None:
    """32 of 36 bytes, or all."""
    assert key_rule(Screen(), name) == KeyRule("22.3", 32)
    assert key_rule(Screen(use_format_with_border_color=True), name) == KeyRule("22.3", 36)


def test_seeds_cache_ignores_the_integer_flag_unless_the_driver_asks_for_it() -> None:
    """Its last member can be cut off."""
    assert key_rule(Screen(), "seed") == KeyRule("seed", 32)
    assert key_rule(Screen.named("seed"), "seed") == KeyRule("seed", 36)


def test_21_2_compares_all_it_has() -> None:
    """The flag is an ordinary bit there, and there is no format."""
    assert key_rule(Screen(use_format_with_border_color=True), "mesa21") == KeyRule("21.2", 32)


def test_dialect_of_a_key_rule_is_mesa_22_unless_it_is_named() -> None:
    """As everywhere."""
    assert key_rule(Screen()) == key_rule(Screen(), "mesa22")
