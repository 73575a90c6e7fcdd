"""`statetracker.gl.names`: one way in for GL's words, and one out."""

from __future__ import annotations

from enum import IntEnum

import pytest

from statetracker.errors import UnknownName
from statetracker.gl import enums as e
from statetracker.gl.names import enum_value, gl_name, glenum, kebab

FAMILIES = e.FAMILIES


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_every_member_is_known_by_its_gl_name_and_its_short_word(family: type[IntEnum]) -> None:
    """There and back."""
    prefix = "TEXTURE_" if family in (e.TextureParameter, e.Target, e.TextureQuery, e.LevelQuery) else ""
    for member in family:
        assert glenum(gl_name(member, family)) == member
        assert enum_value(kebab(member.name.removeprefix(prefix)), family, "x", prefix) == member
        assert enum_value(int(member), family, "x") == member


@pytest.mark.parametrize(
    "spelling", ["GL_TEXTURE_MAX_ANISOTROPY_EXT", "texture-max-anisotropy", "TEXTURE_MAX_ANISOTROPY", 0x84FE]
)
def test_vendor_spellings_and_kebab_case_are_read(spelling: int | str) -> None:
    """A number stays what it is."""
    assert glenum(spelling) == 0x84FE


@pytest.mark.parametrize("value", [None, 1.5, b"GL_CLAMP", [0x2900]])
def test_what_is_no_word_and_no_number_is_refused(value: object) -> None:
    """By our own error, not by Python's."""
    with pytest.raises(UnknownName):
        glenum(value)


def test_a_word_outside_the_family_is_answered_with_the_family() -> None:
    """The whole message."""
    with pytest.raises(UnknownName) as caught:
        enum_value("clamp", e.MagFilter, "mag_filter")
    assert str(caught.value) == "mag_filter: 'clamp' is not known; accepted: nearest, linear"


@pytest.mark.parametrize(("number", "says"), [(0x2901, "0x2901 is GL_REPEAT"), (0x1234, "0x1234 is no name of GL")])
def test_a_number_of_another_family_is_named(number: int, says: str) -> None:
    with pytest.raises(UnknownName, match=says):
        enum_value(number, e.MagFilter, "mag_filter")


def test_a_word_known_in_one_family_is_asked_for_anew_in_another() -> None:
    """REPEAT is a wrap only, RED a swizzle only; "2d" needs its prefix."""
    for _ in range(2):
        assert enum_value("repeat", e.Wrap, "wrap") == 0x2901
        assert enum_value("2d", e.Target, "target", "TEXTURE_") == 0x0DE1
        for word, family in (("repeat", e.Swizzle), ("red", e.Wrap), ("2d", e.Target)):
            with pytest.raises(UnknownName):
                enum_value(word, family, "x")


def test_a_bool_is_no_enum() -> None:
    """True is 1, but nobody means ONE by it."""
    with pytest.raises(UnknownName):
        enum_value(True, e.Swizzle, "swizzle")


def test_zero_is_named_by_its_family() -> None:
    """ZERO of swizzles, NONE of comparison; a number nobody has is shown in hexadecimal."""
    assert [gl_name(0, e.Swizzle), gl_name(0, e.CompareMode), gl_name(0x97FF)] == ["GL_ZERO", "GL_NONE", "0x97FF"]
