"""`statetracker.gl.limits`: what a context knows of its machine."""

from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Limits
from statetracker.gl.limits import PROFILES, RELEASES


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_desktop_or_gles(profile: str) -> None:
    """And only one is the compatibility profile."""
    limits = Limits(profile=profile)
    assert limits.desktop is (profile in ("core", "compatibility"))
    assert limits.compatibility is (profile == "compatibility")


@pytest.mark.parametrize(("field", "value"), [("profile", "gles9"), ("release", "19.0")])
def test_unknown_words_are_argument_errors(field: str, value: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Limits(**{field: value})  # type: ignore[arg-type]
    assert caught.value.field == field
    assert caught.value.accepted == ", ".join(PROFILES if field == "profile" else RELEASES)


def test_anisotropy_is_at_least_two() -> None:
    """Drivers that say less are not believed."""
    assert [Limits(max_anisotropy=n).max_anisotropy for n in (0.0, 1.0, 8.0)] == [2.0, 2.0, 8.0]


def test_any_of_several_extensions_is_enough() -> None:
    limits = Limits(extensions=frozenset({"GL_A"}))
    assert (limits.has("GL_B", "GL_A"), limits.has("GL_B"), limits.has()) == (True, False, False)


def test_releases_are_named_by_their_keys() -> None:
    assert all(release.name == name for name, release in RELEASES.items())


def test_limits_not_given_are_those_of_a_desktop_context_of_mesa_22_3() -> None:
    """The sizes of llvmpipe, and no driver option."""
    limits = Limits()
    assert (limits.profile, limits.release, limits.extensions) == ("compatibility", RELEASES["22.3"], frozenset())
    assert (limits.max_texture_size, limits.max_combined_units, limits.max_anisotropy) == (16384, 192, 16.0)
    assert limits.force_integer_nearest is False
