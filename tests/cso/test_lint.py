"""`statetracker.cso.lint`: every fault a key function can have is seen, named and made small; a good one has none."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

import pytest

from statetracker.cso.keys import key_function, word_function
from statetracker.cso.lint import KeyReport, lint
from statetracker.errors import ArgumentError
from statetracker.pipe.layout import KeyRule
from statetracker.pipe.state import FIELD_NAMES, SamplerState

if TYPE_CHECKING:
    from pathlib import Path

BORDER_FORMAT = "border_color_format"


def rule(layout: str, leading_bytes: int) -> Any:
    cut = key_function(KeyRule(layout, leading_bytes))
    return lambda state: cut(bytes(state))


def kinds(report: KeyReport) -> list[str]:
    return [fault.kind for fault in report.faults]


@pytest.mark.parametrize("good", [bytes, lambda state: state, lambda state: state.hex()])
def test_a_key_of_all_bytes_is_one(good: Any) -> None:
    report = lint(good)
    assert report.ok
    assert (report.left_out, report.collisions, report.faults) == ((), (), ())
    assert str(report) == f"{report.states:,} states tried: a key"
    assert report.states > 3000


@pytest.mark.parametrize(
    ("layout", "size", "left_out", "line"),
    [
        ("22.3", 32, (BORDER_FORMAT,), "border_color_format NONE and "),
        ("22.3", 16, ("border_color", BORDER_FORMAT), "border_color "),
        ("seed", 32, ("border_color_is_integer",), "border_color_is_integer False and True"),
    ],
)
def test_a_member_left_out_is_named_with_an_example_unless_the_driver_ignores_it(
    layout: str, size: int, left_out: tuple[str, ...], line: str
) -> None:
    """The same arguments give the same report."""
    report = lint(rule(layout, size), layout=layout)
    assert report.left_out == left_out
    assert [one.members for one in report.collisions] == [(name,) for name in left_out]
    one = report.collisions[-1]
    assert one.first != one.second
    assert one.key == rule(layout, size)(one.first) == rule(layout, size)(one.second)
    assert str(report).splitlines()[1].startswith(f"one key: {line}")
    assert not report.ok
    assert lint(rule(layout, size), layout=layout, ignored=left_out).ok
    assert str(lint(rule(layout, size), layout=layout)) == str(report)


@pytest.mark.parametrize(("layout", "size"), [("seed", 36), ("21.0", 32), ("21.2", 32), ("22.3", 36)])
def test_the_keys_of_releases_count_all_members_of_their_layouts(layout: str, size: int) -> None:
    assert lint(rule(layout, size), layout=layout).ok


def test_a_value_cut_short_is_seen_where_the_member_counts() -> None:
    def two_bits(state: SamplerState) -> tuple[int, bytes]:
        record = bytes(state)
        return record[0] & 0b11111011, record[1:]

    report = lint(two_bits)
    assert report.left_out == ()
    (one,) = report.collisions
    assert one.members == ("wrap_s",)
    assert int(one.first.wrap_s) ^ int(one.second.wrap_s) == 4


def test_words_folded_together_collide_where_they_change_places() -> None:
    word = word_function(KeyRule("22.3", 36))
    report = lint(lambda state: word(bytes(state)))
    assert report.left_out == ()
    pairs = {one.members for one in report.collisions}
    assert {("lod_bias", "min_lod"), ("border_color",)} <= pairs
    assert all(word(bytes(one.first)) == word(bytes(one.second)) for one in report.collisions)


def test_floats_as_values_merge_zeros_and_lose_nan() -> None:
    report = lint(lambda state: tuple(getattr(state, name) for name in FIELD_NAMES))
    assert {one.members for one in report.collisions} == {("lod_bias",), ("min_lod",), ("max_lod",)}
    assert "one key: lod_bias 0.0 and -0.0" in str(report)
    assert kinds(report) == ["unequal"]
    assert "is nan" in str(report)


COUNT = itertools.count()


@pytest.mark.parametrize("identity", [id, lambda _: next(COUNT), lambda _: object()])
def test_what_is_no_function_of_content_gives_equal_states_other_keys(identity: Any) -> None:
    report = lint(identity)
    assert "unequal" in kinds(report)
    (fault,) = (one for one in report.faults if one.kind == "unequal")
    assert fault.state == SamplerState()


class Identity:
    """Equal by content, and hashed by itself."""

    def __init__(self, state: SamplerState) -> None:
        self.record = bytes(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.record == other.record

    __hash__ = object.__hash__


@pytest.mark.parametrize(
    ("key", "begins", "ends"),
    [
        (lambda state: list(bytes(state)), "unhashable: unhashable type: 'list'", ""),
        (Identity, "unequal-hash: ", ""),
        (
            lambda state: bytes(state) * (1 // (state.max_anisotropy != 16)),
            "raises: ZeroDivisionError: ",
            "(where max_anisotropy is 16)",  # the member that raises it
        ),
    ],
)
def test_a_key_that_is_none_is_shown_as_such(key: Any, begins: str, ends: str) -> None:
    report = lint(key)
    (fault,) = report.faults
    assert str(fault).startswith(begins)
    assert str(fault).endswith(ends)
    assert report.collisions == ()


@pytest.mark.parametrize(("body", "same"), [("bytes(state).hex()", True), ("hash(bytes(state).hex())", False)])
def test_hash_randomisation_is_seen_in_another_interpreter(
    body: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(f"def key(state):\n    return {body}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("mine", None)
    import mine  # type: ignore[import-not-found]  # written above

    report = lint(mine.key)
    assert report.elsewhere == ""
    assert kinds(report) == ([] if same else ["other-process"])


@pytest.mark.parametrize(
    ("line", "seconds", "why"),
    [
        ("print('loaded')", 60, ""),
        ("ELSEWHERE and os._exit(0)", 60, "it fails there: []"),
        ("ELSEWHERE and time.sleep(60)", 1, "it takes more than 1 s there"),
    ],
)
def test_what_else_happens_in_another_interpreter_is_no_fault_of_the_key(
    line: str, seconds: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "import os, time\nELSEWHERE = os.environ['PYTHONHASHSEED'] == '2'\n"
    (tmp_path / "noisy.py").write_text(f"{where}{line}\ndef key(state):\n    return bytes(state)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    monkeypatch.setattr(sys.modules[lint.__module__], "_SECONDS", seconds)
    sys.modules.pop("noisy", None)
    import noisy  # type: ignore[import-not-found]  # written above

    report = lint(noisy.key, count=10)
    assert (report.ok, report.elsewhere) == (True, why)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (rule("22.3", 36), "a function that has no name to import it by"),
        (SamplerState.__repr__, ""),
        (SamplerState.to_dict, "keys that are not plain values"),
        (int, "it raises"),
    ],
)
def test_why_no_other_interpreter_was_asked_is_said(function: Any, why: str) -> None:
    assert lint(function, count=10).elsewhere == why


def test_unknown_layouts_and_members_are_refused() -> None:
    with pytest.raises(ArgumentError, match="layout"):
        lint(bytes, layout="20.0")
    with pytest.raises(ArgumentError, match="ignored"):
        lint(bytes, ignored=["colour"])
