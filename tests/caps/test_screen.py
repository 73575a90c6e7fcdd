"""`statetracker.caps.screen`: one frozen value, wherever it came from."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import pytest

from statetracker.caps import FLAGS, UNFILTERABLE_DEPTH, FormatFeatures, Screen, VulkanFacts
from statetracker.caps.fields import FIELDS
from statetracker.errors import ArgumentError

#: Field: another value than its default.
OTHERS: Final[dict[str, Any]] = {
    **{name: not default for name, default in FIELDS.items() if isinstance(default, bool)},
    "linear_filtering": FormatFeatures({}, default=False),
    "unfilterable_depth": "when-comparing",
    "max_anisotropy": 4.0,
    "extensions": frozenset({"GL_ARB_shadow"}),
    "context": "core",
    "max_texture_size": 2048,
    "max_3d_size": 512,
    "max_cube_size": 1024,
    "max_layers": 64,
    "max_combined_units": 16,
    "storage": "zink",
    "vulkan": VulkanFacts(device="one"),
}


def test_screen_without_facts_is_a_capable_driver() -> None:
    """No quirk, no hook, nothing emulated."""
    screen = Screen()
    assert [flag.name for flag in FLAGS if getattr(screen, flag.name)] == ["float_linear"]
    assert (screen.linear_filtering, screen.name) == (None, "custom")


@pytest.mark.parametrize("field", OTHERS)
def test_replacing_a_field_makes_another_screen(field: str) -> None:
    """Unequal, and equal again when it is put back."""
    screen = Screen()
    changed = screen.replace(**{field: OTHERS[field]})
    assert getattr(changed, field) == OTHERS[field]
    assert changed != screen
    assert changed.replace(**{field: FIELDS[field]}) == screen


def test_every_field_that_counts_is_checked_here() -> None:
    """The raw answers and the corpus say where it came from."""
    assert set(OTHERS) == set(FIELDS) - {"caps", "capsf", "corpus"}


def test_name_and_raw_answers_do_not_count_for_equality() -> None:
    """Two drivers that can do the same are the same to a sampler."""
    one, other = Screen("one"), Screen("other", caps={"PIPE_CAP_NPOT_TEXTURES": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert one != "one"


def test_screen_never_changes() -> None:
    """The error says how to make another one."""
    with pytest.raises(AttributeError) as caught:
        Screen().emulate_gl_clamp = True
    assert str(caught.value) == "a Screen never changes; use screen.replace(emulate_gl_clamp=...)"


# fmt: off
BAD: Final = [
    ("emulate_gl_clamp", "yes"),   ("float_linear", None),          ("linear_filtering", {"R8_UNORM": True}),
    ("unfilterable_depth", "no"),  ("max_anisotropy", "16"),        ("max_anisotropy", True),
    ("max_texture_size", None),    ("context", "opengl"),           ("storage", "iris"),
    ("vulkan", {"device": "one"}), ("corpus", ()),
    ("extensions", "GL_ARB_shadow"), ("extensions", 5),
]
# fmt: on


@pytest.mark.parametrize(("field", "value"), BAD)
def test_value_that_does_not_fit_is_refused_by_name(field: str, value: object) -> None:
    """With what would have been accepted."""
    with pytest.raises(ArgumentError) as caught:
        Screen().replace(**{field: value})
    assert (caught.value.field, caught.value.value) == (field, value)
    assert caught.value.accepted


@pytest.mark.parametrize("caps", [None, [], *({"PIPE_CAP_TEXRECT": answer} for answer in ("1", 1.5, None))])
def test_caps_are_whole_numbers(caps: Any) -> None:
    with pytest.raises(ArgumentError, match=r"caps=.* accepted: a mapping of PIPE_CAP_ to whole numbers"):
        Screen.from_caps(caps)


def test_whole_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    caps: Any = {"PIPE_CAP_TEXRECT": np.int32(0)}
    screen = Screen.from_caps(caps)
    assert screen.lower_rect_tex
    assert json.dumps(screen.to_json()["caps"]) == '{"PIPE_CAP_TEXRECT": 0}'


def test_a_report_as_read_is_no_facts() -> None:
    with pytest.raises(ArgumentError, match=r"accepted: VulkanFacts\. Screen\.load reads a report"):
        Screen.from_vulkan({"capabilities": {}})  # type: ignore[arg-type]


def test_unknown_field_is_refused_with_the_known_ones() -> None:
    """In the constructor and in replace."""
    for make in (Screen, Screen().replace, lambda **fields: Screen.from_caps({}, **fields)):
        with pytest.raises(ArgumentError, match="screen field='clamp' cannot be used; accepted: emulate_gl_clamp"):
            make(clamp=True)


def test_screen_from_caps_follows_the_caps_and_then_the_fields() -> None:
    """Caps that samplers do not read are kept and ignored."""
    caps = {"PIPE_CAP_GL_CLAMP": 0, "PIPE_CAP_NPOT_TEXTURES": 1}
    screen = Screen.from_caps(caps, name="mine", lower_rect_tex=True, more_extensions=("GL_X",))
    assert (screen.name, screen.emulate_gl_clamp, screen.lower_rect_tex) == ("mine", True, True)
    assert dict(screen.caps) == caps
    assert "GL_X" in screen.extensions


def test_screen_asks_its_hook() -> None:
    """A table or any callable; without one every format is filtered."""
    assert Screen().filters("R32_FLOAT", "R32_FLOAT")
    assert not Screen(linear_filtering=lambda view, resource: view != resource).filters("R32_FLOAT", "R32_FLOAT")


def test_screen_stores_formats_by_its_drivers_table() -> None:
    assert Screen.named("llvmpipe").stores("GL_ALPHA8") == "A8_UNORM"
    assert Screen.named("zink-lavapipe").stores("ALPHA8") == "R8G8B8A8_UNORM"


def test_screen_gives_a_context_its_limits() -> None:
    screen = Screen(**{name: value for name, value in OTHERS.items() if name != "linear_filtering"})
    limits = screen.gl_limits(release="24.1")
    assert (limits.profile, limits.extensions, limits.release.name) == ("core", screen.extensions, "24.1")
    assert (limits.max_texture_size, limits.max_combined_units, limits.max_anisotropy) == (2048, 16, 4.0)
    assert (limits.max_3d_size, limits.max_cube_size, limits.max_layers) == (512, 1024, 64)
    assert limits.force_integer_nearest


@pytest.mark.parametrize("limit", [0.0, 1.0, 2.0])
def test_context_stores_anisotropy_up_to_two_at_least(limit: float) -> None:
    assert Screen(max_anisotropy=limit).gl_limits().max_anisotropy == 2.0


def test_ways_to_treat_unfilterable_depth() -> None:
    """Three, and the first is the default."""
    assert UNFILTERABLE_DEPTH == ("nearest", "always-compare", "when-comparing")
    assert Screen().unfilterable_depth == "nearest"


def test_dict_has_the_name_and_every_field() -> None:
    screen = Screen("mine", emulate_gl_clamp=True)
    assert list(screen.to_dict()) == ["name", *FIELDS]
    assert screen.to_dict()["emulate_gl_clamp"] is True


def test_repr_shows_what_differs_from_a_capable_driver() -> None:
    assert repr(Screen("mine", emulate_gl_clamp=True)) == "Screen('mine', emulate_gl_clamp=True)"
