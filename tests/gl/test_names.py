"""`statetracker.gl.names`: one way in for GL's words, and one out."""

from __future__ import annotations

from enum import IntEnum

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.gl.names import enum_value, gl_name, gl_names, glenum, kebab

FAMILIES = e.FAMILIES


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_every_member_is_known_by_its_gl_name_and_its_short_word(family: type[IntEnum]) -> None:
    prefix = "TEXTURE_" if family in (e.TextureParameter, e.Target, e.TextureQuery, e.LevelQuery) else ""
    for member in family:
        assert glenum(gl_name(member, family)) == member
        assert enum_value(kebab(member.name.removeprefix(prefix)), family, "x", prefix) == member
        assert enum_value(int(member), family, "x") == member


@pytest.mark.parametrize(
    "spelling", ["GL_TEXTURE_MAX_ANISOTROPY_EXT", "texture-max-anisotropy", "TEXTURE_MAX_ANISOTROPY", 0x84FE]
)
def test_vendor_spellings_and_kebab_case_are_read(spelling: int | str) -> None:
    assert glenum(spelling) == 0x84FE


@pytest.mark.parametrize("value", [None, 1.5, b"GL_CLAMP", [0x2900]])
def test_what_is_no_word_and_no_number_is_refused(value: object) -> None:
    with pytest.raises(UnknownName):
        glenum(value)


def test_a_word_outside_the_family_is_answered_with_the_family() -> None:
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
    with pytest.raises(UnknownName):
        enum_value(True, e.Swizzle, "swizzle")


def test_zero_is_named_by_its_family() -> None:
    """ZERO of swizzles, NONE of comparison; a number nobody has is shown in hexadecimal."""
    assert [gl_name(0, e.Swizzle), gl_name(0, e.CompareMode), gl_name(0x97FF)] == ["GL_ZERO", "GL_NONE", "0x97FF"]


# fmt: off
#: Number -> its first names: GL's own before the vendors', EXT before one vendor, of 0 the usual one.
NAMED = {
    0x8743: ("GL_MIRROR_CLAMP_TO_EDGE", "GL_MIRROR_CLAMP_TO_EDGE_EXT", "GL_MIRROR_CLAMP_TO_EDGE_ATI"),
    0x8742: ("GL_MIRROR_CLAMP_EXT",), 0: ("GL_NONE",), 0x97FF: (),
}
#: Spellings, names with small letters, of odd vendors, below 0 -> numbers.
NUMBERS = {
    "GL_CLAMP": 0x2900, "gl_clamp": 0x2900, "COMPRESSED_RGBA_ASTC_12X10_KHR": 0x93BC, "NEXT_BUFFER_NV": -2,
    "GL_COMPRESSED_RGBA_ASTC_12x10_KHR": 0x93BC, "PRIMITIVE_BOUNDING_BOX": 0x92BE, "POINTS": 0,
}
# fmt: on


def test_the_registry_has_names_in_their_order_and_numbers_in_any_spelling() -> None:
    assert {number: gl_names(number)[: len(names)] for number, names in NAMED.items()} == NAMED
    assert gl_names(1).index("GL_LINES") < gl_names(1).index("GL_CURRENT_BIT")
    assert {name: glenum(name) for name in NUMBERS} == NUMBERS
    assert gl_names(0x97FF) == ()


def test_every_name_leads_back_to_its_number() -> None:
    """Both directions agree over all GL enums below 0xA000."""
    assert all(glenum(name) == value for value in range(0xA000) for name in gl_names(value))


def test_an_unknown_name_is_an_argument_error_with_near_misses() -> None:
    with pytest.raises(UnknownName, match="Did you mean GL_TEXTURE_WRAP_S or ") as caught:
        glenum("GL_TEXTUR_WRAP_S")
    assert isinstance(caught.value, ArgumentError)
    assert caught.value.value == "GL_TEXTUR_WRAP_S"
