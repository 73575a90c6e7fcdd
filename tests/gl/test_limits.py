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


def test_each_profile_has_its_gles_version() -> None:
    versions = {"compatibility": 0, "core": 0, "gles1": 10, "gles2": 20, "gles3": 30, "gles31": 31, "gles32": 32}
    assert {name: Limits(profile=name).gles for name in PROFILES} == versions


def test_what_changed_between_releases() -> None:
    """A row of RELEASES each: the order of its members."""
    facts = {name: tuple(release)[1:] for name, release in RELEASES.items()}
    assert facts == {
        "21.0": (False, True, False, False, False, False, False),
        "21.2": (True, True, False, False, False, False, False),
        "22.3": (True, False, False, False, False, False, False),
        "23.1": (True, False, False, True, False, False, False),
        "23.2": (True, False, False, True, True, False, False),
        "24.1": (True, False, True, True, True, False, True),
        "25.0": (True, False, True, True, True, True, False),
    }


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
