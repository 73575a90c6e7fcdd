"""`statetracker.caps.fields`: the linear-filtering hook as a table."""

from __future__ import annotations

import pytest

from statetracker.caps import FormatFeatures
from statetracker.errors import ArgumentError, UnknownName


def test_table_answers_for_its_formats_and_the_default_for_others() -> None:
    """By the view's format; the resource's does not count."""
    features = FormatFeatures({"R32_FLOAT": False, "PIPE_FORMAT_R8_UNORM": True}, default=True)
    assert [features(f, "NONE") for f in ("R32_FLOAT", "R8_UNORM", "R8G8_UNORM")] == [False, True, True]
    assert not FormatFeatures({}, default=False)("R8_UNORM", "R8_UNORM")


def test_tables_with_the_same_answers_are_equal() -> None:
    """Whatever the spelling and the order."""
    one = FormatFeatures({"R32_FLOAT": False, "R8_UNORM": True})
    other = FormatFeatures({"R8_UNORM": True, "PIPE_FORMAT_R32_FLOAT": False})
    assert one == other
    assert hash(one) == hash(other)
    assert one != FormatFeatures({"R32_FLOAT": False, "R8_UNORM": True}, default=False)
    assert one != {"R32_FLOAT": False}


def test_unknown_format_is_refused() -> None:
    """With the nearest names."""
    with pytest.raises(UnknownName, match="R32_FLOATS"):
        FormatFeatures({"R32_FLOATS": False})


@pytest.mark.parametrize("answer", [0, 1, None, "no"])
def test_answer_is_yes_or_no(answer: object) -> None:
    """Naming the format."""
    with pytest.raises(ArgumentError, match="R32_FLOAT"):
        FormatFeatures({"R32_FLOAT": answer})  # type: ignore[dict-item]


def test_repr_says_what_is_refused() -> None:
    """Sorted."""
    features = FormatFeatures({"Z32_FLOAT": False, "R32_FLOAT": False, "R8_UNORM": True})
    assert repr(features) == "FormatFeatures(refused=['R32_FLOAT', 'Z32_FLOAT'], default=True)"
