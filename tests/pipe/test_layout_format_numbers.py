"""`statetracker.pipe.layout`: the numbers that releases give pipe formats."""

from __future__ import annotations

from itertools import pairwise

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe import SamplerState, format_in, from_release, in_release, number_in, pipe_format
from statetracker.pipe.layout import FORMAT_SHIFTS


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


@pytest.mark.parametrize("release", ["21.2", "22.2", "25.1", "26.2"])
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
