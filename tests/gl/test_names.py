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


@pytest.mark.parametrize("spelling", ["GL_CLAMP", "CLAMP", "gl_clamp", "Clamp"])
def test_a_name_is_known_with_and_without_its_prefix_in_any_case(spelling: str) -> None:
    """One enum has one number, however its name is spelled."""
    assert glenum(spelling) == 0x2900


def test_a_name_with_small_letters_is_known_in_capitals() -> None:
    """The registry's few small letters do not matter."""
    assert glenum("COMPRESSED_RGBA_ASTC_12X10_KHR") == glenum("GL_COMPRESSED_RGBA_ASTC_12x10_KHR") == 0x93BC


def test_the_core_name_stands_before_the_vendors_gl_names() -> None:
    """A number's first name is the one of GL itself."""
    assert gl_names(0x8743) == (
        "GL_MIRROR_CLAMP_TO_EDGE",
        "GL_MIRROR_CLAMP_TO_EDGE_EXT",
        "GL_MIRROR_CLAMP_TO_EDGE_ATI",
    )


def test_ext_stands_before_a_single_vendor() -> None:
    """Where GL itself has no name, the widest extension's comes first."""
    assert gl_names(0x8742)[0] == "GL_MIRROR_CLAMP_EXT"


def test_an_enum_stands_before_a_bit_of_a_mask() -> None:
    """GL_LINES is no bit, GL_CURRENT_BIT is."""
    ones = gl_names(1)
    assert ones.index("GL_LINES") < ones.index("GL_CURRENT_BIT")


def test_zero_is_called_none() -> None:
    """Of the many names of 0, the one that a parameter means is first."""
    assert gl_names(0)[0] == "GL_NONE"


def test_a_number_without_name_has_no_gl_names() -> None:
    """Nothing is made up for a number that Khronos has not given away."""
    assert gl_names(0x97FF) == ()


def test_every_name_leads_back_to_its_number() -> None:
    """Both directions agree over all GL enums below 0xA000."""
    assert all(glenum(name) == value for value in range(0xA000) for name in gl_names(value))


def test_the_whole_registry_is_there() -> None:
    """Names of GL 1.0, GL 4.6, GLES 3.2 and of odd vendors are all known."""
    known = ["POINTS", "TEXTURE_MAX_ANISOTROPY", "PRIMITIVE_BOUNDING_BOX", "COMPRESSED_LUMINANCE_ALPHA_3DC_ATI"]
    assert [glenum(name) for name in known] == [0, 0x84FE, 0x92BE, 0x8837]


def test_negative_numbers_stay_negative() -> None:
    """NV_transform_feedback has tokens below zero."""
    assert glenum("NEXT_BUFFER_NV") == -2


def test_an_unknown_name_is_an_argument_error_with_near_misses() -> None:
    """The error says which names were meant."""
    with pytest.raises(UnknownName, match="Did you mean GL_TEXTURE_WRAP_S or ") as caught:
        glenum("GL_TEXTUR_WRAP_S")
    assert isinstance(caught.value, ArgumentError)
    assert caught.value.value == "GL_TEXTUR_WRAP_S"
