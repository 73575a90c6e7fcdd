"""`statetracker.pipe.layout`: where each member lies, and that nothing is lost on the way there and back."""

from __future__ import annotations

import random
import shutil
import subprocess
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe import (
    LAYOUTS,
    RECORD_BYTES,
    WORD0,
    SamplerState,
    format_in,
    from_release,
    in_release,
    number_in,
    pack_as,
    pipe_format,
    unpack_from,
)
from statetracker.pipe.enums import Func, TexCompare, TexFilter, TexMipfilter, TexReduction, TexWrap
from statetracker.pipe.layout import FORMAT_SHIFTS, MASKS, RECORD, SHIFTS, TAIL, Field

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = some.binary(min_size=RECORD_BYTES, max_size=RECORD_BYTES)
PAD: Final = 0x1F << 27

# fmt: off
#: Layout: bits of word 0 that it keeps, and whether it keeps border_color_format.
KEPT: Final = {
    "22.3": (0xFFFFFFFF,                                                         True),
    "21.2": (0xFFFFFFFF,                                                         False),
    "21.0": (0xFFFFFFFF & ~MASKS["border_color_is_integer"] & ~MASKS["reduction_mode"], False),
    "seed": (0xFFFFFFFF & ~MASKS["reduction_mode"],                              False),
}
# fmt: on


def word_of(record: bytes) -> int:
    """Give word 0."""
    return int.from_bytes(record[:4], "little")


def kept(record: bytes, layout: str) -> bytes:
    """Clear what a layout cannot hold."""
    mask, has_format = KEPT[layout]
    return (word_of(record) & mask).to_bytes(4, "little") + record[4:32] + (record[32:] if has_format else bytes(4))


def test_bit_fields_follow_each_other_without_gap_or_overlap() -> None:
    """With the five bits of padding they fill the word."""
    first = 0
    for field in WORD0:
        assert (field.name, field.first) == (field.name, first)
        first += field.bits
    assert first + 5 == 32
    assert sum(MASKS.values()) + PAD == 0xFFFFFFFF


def test_tail_follows_the_word_without_gap_or_overlap() -> None:
    """Three floats, four words, one number: 36 bytes."""
    offset = 4
    for field in TAIL:
        assert (field.name, field.offset) == (field.name, offset)
        offset += 4 * field.words
    assert offset == RECORD_BYTES == RECORD.size


@pytest.mark.parametrize("field", WORD0, ids=[field.name for field in WORD0])
def test_bits_of_a_field_hold_its_enum(field: Field) -> None:
    """The greatest value fits, and no bit more would be needed."""
    if field.enum is not None:
        assert max(field.enum).bit_length() == field.bits
    assert MASKS[field.name] >> SHIFTS[field.name] == (1 << field.bits) - 1


def test_members_have_the_enums_and_kinds_of_the_c_struct() -> None:
    """Two members with the same number of bits are still two enums."""
    assert {field.name: field.enum for field in WORD0 if field.enum is not None} == {
        **dict.fromkeys(("wrap_s", "wrap_t", "wrap_r"), TexWrap),
        **dict.fromkeys(("min_img_filter", "mag_img_filter"), TexFilter),
        "min_mip_filter": TexMipfilter,
        "compare_mode": TexCompare,
        "compare_func": Func,
        "reduction_mode": TexReduction,
    }
    assert [(field.name, field.kind) for field in TAIL] == [
        ("lod_bias", "float"),
        ("min_lod", "float"),
        ("max_lod", "float"),
        ("border_color", "bits"),
        ("border_color_format", "enum"),
    ]


def test_layouts_have_the_sizes_of_their_releases() -> None:
    """border_color_format came with 22.x; the seed has its flag as the last member."""
    assert {name: layout.size for name, layout in LAYOUTS.items()} == {"22.3": 36, "21.2": 32, "21.0": 32, "seed": 36}
    assert all(layout.name == name for name, layout in LAYOUTS.items())


@pytest.mark.parametrize("layout", LAYOUTS)
@given(RECORDS)
def test_unpacking_inverts_packing(layout: str, record: bytes) -> None:
    """But for the members that the layout lacks, which become 0."""
    packed = pack_as(record, layout)
    assert len(packed) == LAYOUTS[layout].size
    assert unpack_from(packed, layout) == kept(record, layout)


@pytest.mark.parametrize("layout", ["21.0", "seed"])
def test_bits_that_a_layout_does_not_have_are_not_read(layout: str) -> None:
    """Rubbish where later releases have members is no member."""
    rubbish = b"\xff\xff\xff\xff" + bytes(LAYOUTS[layout].size - 4)
    word = word_of(unpack_from(rubbish, layout))
    assert word & (MASKS["border_color_is_integer"] | MASKS["reduction_mode"]) == 0


@pytest.mark.parametrize("field", WORD0, ids=[field.name for field in WORD0])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_field_alone_moves_only_its_own_bits(field: Field, layout: str) -> None:
    """In the word, or in the seed's last word, or nowhere where the layout lacks it."""
    zero, one = (pack_as(word.to_bytes(4, "little") + bytes(32), layout) for word in (0, MASKS[field.name]))
    moved = bytes(a ^ b for a, b in zip(zero, one, strict=True))
    own = MASKS[field.name].to_bytes(4, "little")
    if field.name not in LAYOUTS[layout].dropped:
        assert moved == own + bytes(len(moved) - 4)
    elif layout == "seed" and field.name == "border_color_is_integer":
        assert moved == bytes(32) + b"\1\0\0\0"
    else:
        assert not any(moved)


def test_unknown_layout_is_refused_both_ways() -> None:
    for function in (pack_as, unpack_from):
        with pytest.raises(ArgumentError) as caught:
            function(bytes(36), "23.1")
        assert str(caught.value) == "layout='23.1' cannot be used; accepted: 22.3, 21.2, 21.0, seed"


@pytest.mark.parametrize("size", [0, 32, 35, 37])
def test_record_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ArgumentError, match=rf"'{size} bytes'.*36 bytes"):
        pack_as(bytes(size), "22.3")
    with pytest.raises(ArgumentError, match=r"36 bytes for layout 22\.3"):
        unpack_from(bytes(size), "22.3")


# What a C compiler makes of the same members, by order and width alone.

# fmt: off
OLD: Final = [
    "wrap_s:3", "wrap_t:3", "wrap_r:3", "min_img_filter:1", "min_mip_filter:2", "mag_img_filter:1", "compare_mode:1",
    "compare_func:3", "normalized_coords:1", "max_anisotropy:5", "seamless_cube_map:1",
]
# fmt: on
FLAGGED: Final = [*OLD, "border_color_is_integer:1", "reduction_mode:2", "pad:5"]
NEW: Final = [part.replace("normalized", "unnormalized") for part in FLAGGED]
FLOATS: Final = ["lod_bias", "min_lod", "max_lod"]
#: Layout: bit-fields before the floats, bit-fields after the border colour, whether a format ends it.
STRUCTS: Final = {
    "22.3": (NEW, [], True),
    "21.2": (FLAGGED, [], False),
    "21.0": (OLD, [], False),
    "seed": (OLD, ["border_color_is_integer:1"], False),
}
MEMBERS: Final = [part.split(":")[0] for part in NEW if "pad" not in part]
COLUMNS: Final = [*MEMBERS, *FLOATS, "c0", "c1", "c2", "c3", "format"]


def c_program() -> str:
    """Write a program that reads the members' values and prints the struct in all four layouts."""
    lines = ["#include <stdio.h>", "#include <string.h>", "union colour { float f[4]; int i[4]; unsigned ui[4]; };"]
    body: list[str] = []
    for number, (before, after, has_format) in enumerate(STRUCTS.values()):
        fields = [f"unsigned {part};" for part in before] + [f"float {name};" for name in FLOATS]
        fields += ["union colour border;", *(f"unsigned {part};" for part in after)]
        fields += ["unsigned format;"] if has_format else []
        lines.append(f"struct s{number} {{ {' '.join(fields)} }};")
        body.append(f"struct s{number} v{number}; memset(&v{number}, 0, sizeof v{number});")
        for part in [name.split(":")[0] for name in before + after if "pad" not in name]:
            source = "!unnormalized_coords" if part == "normalized_coords" else part
            body.append(f"v{number}.{part} = {source};")
        body += [f"memcpy(&v{number}.{name}, &{name}, 4);" for name in FLOATS]
        body += [f"v{number}.border.ui[{i}] = c{i};" for i in range(4)]
        body += [f"v{number}.format = format;"] if has_format else []
        body.append(f'p = (unsigned char *)&v{number}; for (i = 0; i < sizeof v{number}; i++) printf("%02x", p[i]);')
        body.append('printf(" ");')
    reads = f'while (scanf("{"%u " * len(COLUMNS)}", {", ".join("&" + name for name in COLUMNS)}) == {len(COLUMNS)}) {{'
    declared = f"unsigned {', '.join(COLUMNS)}; unsigned char *p; size_t i;"
    return "\n".join([*lines, "int main(void) {", declared, reads, *body, 'printf("\\n"); }', "return 0; }"])


def rows() -> list[list[int]]:
    """Give values: each member alone at its greatest, then all at random (the same in every run)."""
    dice = random.Random(36)  # noqa: S311 (no secret)
    greatest = [*((1 << field.bits) - 1 for field in WORD0), *[0xFFFFFFFF] * 8]
    alone = [[most if i == place else 0 for i, most in enumerate(greatest)] for place in range(len(greatest))]
    return alone + [[dice.randint(0, most) for most in greatest] for _ in range(200)]


@pytest.mark.live("cc")
def test_c_compiler_lays_out_the_same_words(tmp_path: Path) -> None:
    """Word by word, in every layout."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    source, program = tmp_path / "layouts.c", tmp_path / "layouts"
    source.write_text(c_program(), encoding="ascii")
    subprocess.run([compiler, str(source), "-o", str(program)], check=True, capture_output=True)
    text = "\n".join(" ".join(map(str, row)) for row in rows())
    printed = subprocess.run([str(program)], input=text, check=True, capture_output=True, text=True).stdout
    for row, line in zip(rows(), printed.splitlines(), strict=True):
        assert line.split() == [pack_as(record(row), layout).hex() for layout in STRUCTS]


def record(row: list[int]) -> bytes:
    """Pack a row into the canonical record."""
    word = 0
    for field, value in zip(WORD0, row, strict=False):
        word |= value << field.first
    return b"".join(part.to_bytes(4, "little") for part in (word, *row[len(WORD0) :]))


def test_a_state_is_packed_as_its_bytes_and_anything_else_is_refused() -> None:
    state = SamplerState(max_lod=3.0)
    assert pack_as(state, "21.0") == pack_as(bytes(state), "21.0")
    with pytest.raises(ArgumentError, match="record=36"):
        pack_as(36, "21.0")  # type: ignore[arg-type]


# The numbers that releases give pipe formats


@pytest.mark.parametrize(
    ("name", "release", "number"),
    [
        ("NONE", "26.2", 0),
        ("R8G8B8A8_UNORM", "24.1", 53),
        ("Z16_UNORM", "22.3", 140),
        ("Z16_UNORM", "24.1", 142),
        ("X24S8_UINT", "24.1", 194),
        ("X24S8_UINT", "25.0", 200),
        ("R8G8B8X8_SRGB", "25.0", 296),
    ],
)
def test_a_format_has_the_number_of_its_release(name: str, release: str, number: int) -> None:
    assert number_in(name, release) == number
    assert format_in(number, release) == name


@pytest.mark.parametrize(("name", "known"), [("R8_UNORM", True), ("Z16_UNORM", True), ("X24S8_UINT", False)])
def test_between_two_releases_a_number_is_known_where_both_have_it(name: str, known: bool) -> None:
    """24.2 lies between 24.1 and 25.0."""
    if known:
        assert number_in(name, "24.2") == number_in(name, "24.1") == number_in(name, "25.0")
    else:
        with pytest.raises(UnknownName, match=r"24\.2"):
            number_in(name, "24.2")


@pytest.mark.parametrize("release", ["21.2", "22.2", "25.1", "26.2", "25.0.7-2", "mesa22"])
def test_before_and_after_all_that_was_recorded_only_none_is_known(release: str) -> None:
    with pytest.raises(UnknownName, match="never recorded"):
        number_in("R8_UNORM", release)
    with pytest.raises(UnknownName, match="another release"):
        format_in(49, release)


@pytest.mark.parametrize(("number", "release"), [(138, "24.1"), (141, "25.0"), (300, "24.1"), (419, "22.3")])
def test_a_number_that_is_not_known_is_no_other_releases_format(number: int, release: str) -> None:
    with pytest.raises(UnknownName):
        format_in(number, release)


@pytest.mark.parametrize("release", FORMAT_SHIFTS)
def test_records_go_out_and_come_back(release: str) -> None:
    state = SamplerState(wrap_s="clamp-to-border", border_color_format="X24S8_UINT")
    sent = in_release(bytes(state), release)
    assert int.from_bytes(sent[32:], "little") == number_in("X24S8_UINT", release)
    assert from_release(sent, release) == bytes(state)
    assert sent[:32] == bytes(state)[:32]


@pytest.mark.parametrize("release", FORMAT_SHIFTS)
def test_ranges_ascend_and_never_move_down(release: str) -> None:
    rows = FORMAT_SHIFTS[release]
    assert list(rows) == sorted(rows)
    for (_, last, shift), (first, _, more) in pairwise(rows):
        assert last < first
        assert shift < more
    assert pipe_format(rows[-1][1])


def test_a_record_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ArgumentError, match="36 bytes"):
        in_release(b"", "24.1")
