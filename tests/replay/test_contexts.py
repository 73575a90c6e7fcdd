"""Which profile a context of a stream has."""

from __future__ import annotations

import pytest

from statetracker.replay.contexts import profile_of

MAJOR, MINOR, MASK = "GLX_CONTEXT_MAJOR_VERSION_ARB", "GLX_CONTEXT_MINOR_VERSION_ARB", "GLX_CONTEXT_PROFILE_MASK_ARB"
CORE, COMPATIBILITY = "GLX_CONTEXT_CORE_PROFILE_BIT_ARB", "GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB"


@pytest.mark.parametrize(
    ("major", "minor", "mask", "profile"),
    [
        (2, 1, CORE, "compatibility"), (3, 1, CORE, "compatibility"), (3, 1, COMPATIBILITY, "compatibility"),
        (3, 2, CORE, "core"), (3, 2, COMPATIBILITY, "compatibility"), (4, 5, 1, "core"), (4, 5, 2, "compatibility"),
    ],
)  # fmt: skip
def test_the_mask_of_profiles_counts_from_version_3_2_on(major: int, minor: int, mask: object, profile: str) -> None:
    assert profile_of((MAJOR, major, MINOR, minor, MASK, mask, 0)) == profile


def test_without_a_mask_core_is_what_one_gets_from_version_3_2_on() -> None:
    assert profile_of((MAJOR, 3, MINOR, 1, 0)) == "compatibility"
    assert profile_of((MAJOR, 3, MINOR, 2, 0)) == "core"
    assert profile_of(()) == profile_of(None) == "compatibility"


def test_a_mask_for_gles_counts_in_any_version() -> None:
    assert profile_of((MAJOR, 2, MINOR, 0, MASK, "GLX_CONTEXT_ES2_PROFILE_BIT_EXT", 0)) == "gles2"
