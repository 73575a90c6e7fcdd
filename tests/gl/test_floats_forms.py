"""`statetracker.gl.floats`: how each entry-point form reads a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS, f32_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statetracker.gl.floats import Form

SUFFIXES = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
BIG = 0xFFFFFFFF


def test_both_tables_have_all_six_forms() -> None:
    """And each row is named as its key."""
    for table in (SAMPLER_FORMS, TEXTURE_FORMS):
        assert tuple(sorted(table)) == tuple(sorted(SUFFIXES))
        assert all(form.name == name for name, form in table.items())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_only_vector_forms_take_border_colours(suffix: str) -> None:
    for table in (SAMPLER_FORMS, TEXTURE_FORMS):
        assert table[suffix].vector == suffix.endswith("v") == (table[suffix].border is not None)


def test_texture_f_rounds_enums_where_every_other_float_form_truncates() -> None:
    """9728.5 is LINEAR to glTexParameterf alone."""
    assert TEXTURE_FORMS["f"].as_enum(9728.5) == 9729
    assert [form.as_enum(9728.9) for form in (TEXTURE_FORMS["fv"], SAMPLER_FORMS["f"], SAMPLER_FORMS["fv"])] == [
        9728
    ] * 3


def test_iuiv_is_unsigned_for_sampler_objects_and_signed_for_textures() -> None:
    """0xFFFFFFFF as a LOD is 4294967296 or -1."""
    assert (SAMPLER_FORMS["Iuiv"].as_float(BIG), TEXTURE_FORMS["Iuiv"].as_float(BIG)) == (4294967296.0, -1.0)


@pytest.mark.parametrize("suffix", ["i", "iv", "Iiv"])
def test_signed_forms_reinterpret_large_ints(suffix: str) -> None:
    """An int has 32 bits, whatever Python can hold."""
    assert SAMPLER_FORMS[suffix].as_float(BIG) == TEXTURE_FORMS[suffix].as_float(BIG) == -1.0


@pytest.mark.parametrize("suffix", ["i", "iv", "Iiv"])
def test_ints_become_float32_by_rounding_to_even(suffix: str) -> None:
    """16777217 lies halfway between two float32 numbers."""
    assert TEXTURE_FORMS[suffix].as_float(16777217) == 16777216.0


@pytest.mark.parametrize("forms", [SAMPLER_FORMS, TEXTURE_FORMS], ids=["sampler", "texture"])
def test_float_forms_read_a_float32(forms: Mapping[str, Form]) -> None:
    """What a double holds is rounded first: to 1.0, to 16777216, to 2^31, which no int is. Observed on Mesa 22.3.6."""
    for form in (forms["f"], forms["fv"]):
        assert [form.as_enum(value) for value in (0.9999999999, 16777217)] == [1, 16777216]
        assert form.as_bool(1.99999999999) == 2
        assert form.as_enum(2147483647) == -0x80000000


@pytest.mark.parametrize("value", [2147483648.0, 2147483647.0, 2147483583.9999])
def test_texture_f_saturates_above_the_int_range_and_casts_its_edge(value: float) -> None:
    """Mesa compares with 2147483647 as a float32, which is 2^31. Observed on Mesa 22.3.6."""
    edge = -0x80000000 if value > 2147483600.0 else 2147483520
    assert TEXTURE_FORMS["f"].as_enum(value) == edge
    assert [TEXTURE_FORMS["f"].as_enum(far) for far in (2147483904.0, 1e20, -1e20)] == [2**31 - 1] * 2 + [-(2**31)]


def test_a_float_of_the_largest_int_is_no_seam() -> None:
    """2147483648.0 has no low byte in an int."""
    assert [SAMPLER_FORMS[suffix].as_bool(2147483647) for suffix in ("f", "fv", "i")] == [0, 0, 255]


@pytest.mark.parametrize(("value", "kept"), [(257, 1), (256, 0), (2, 2)])
def test_sampler_seamless_keeps_the_low_byte(value: int, kept: int) -> None:
    """Textures look at the whole number."""
    assert SAMPLER_FORMS["i"].as_bool(value) == kept
    assert TEXTURE_FORMS["i"].as_bool(value) == value


@pytest.mark.parametrize("forms", [SAMPLER_FORMS, TEXTURE_FORMS], ids=["sampler", "texture"])
def test_fv_borders_keep_their_bits_and_iv_borders_are_mapped(forms: Mapping[str, Form]) -> None:
    """Integer forms store words as they are."""
    values = (1.5, -0.0, 0.25, 1.0)
    fv, iv, signed, unsigned = (forms[suffix].border for suffix in ("fv", "iv", "Iiv", "Iuiv"))
    assert fv is not None and iv is not None and signed is not None and unsigned is not None  # noqa: PT018 (one question: are they there)
    assert fv(values) == tuple(f32_bits(v) for v in values)
    assert iv((0, 0, 0, 2147483647)) == (0x2F800000, 0x2F800000, 0x2F800000, 0x3F800000)
    assert signed((-1, 0, 1, 2)) == unsigned((BIG, 0, 1, 2)) == (BIG, 0, 1, 2)


INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1
# fmt: off
#: Form: what 0xFFFFFFFF and 2.5 are as an enum, as a float and as a truth value; C's conversions of the argument.
SAMPLER_READS = {
    "i":    ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "iv":   ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "f":    ((INT_MIN, 2), (4294967296.0, 2.5), (0, 2)),
    "fv":   ((INT_MIN, 2), (4294967296.0, 2.5), (0, 2)),
    "Iiv":  ((-1, 2),      (-1.0, 2.0),         (0xFF, 2)),
    "Iuiv": ((BIG, 2),     (4294967296.0, 2.0), (0xFF, 2)),
}
TEXTURE_READS = {
    "i":    ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "iv":   ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "f":    ((INT_MAX, 3), (4294967296.0, 2.5), (INT_MAX, 3)),
    "fv":   ((INT_MIN, 2), (4294967296.0, 2.5), (INT_MIN, 2)),
    "Iiv":  ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
    "Iuiv": ((-1, 2),      (-1.0, 2.0),         (-1, 2)),
}
# fmt: on


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_form_reads_what_no_int_holds_and_what_no_int_is_in_its_own_way(suffix: str) -> None:
    """Integer forms keep 32 bits; float forms convert and saturate, or give the smallest int."""
    for table, reads in ((SAMPLER_FORMS, SAMPLER_READS), (TEXTURE_FORMS, TEXTURE_READS)):
        form = table[suffix]
        seen = [tuple(read(v) for v in (BIG, 2.5)) for read in (form.as_enum, form.as_float, form.as_bool)]
        assert tuple(seen) == reads[suffix]
