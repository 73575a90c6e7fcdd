"""The command line: what it prints, its exit codes, and that nothing becomes a traceback."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "mesa"
MINIMAL = DATA / "llvmpipe+minimal.jsonl.gz"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """The header and first twenty cases of a recording."""
    path = tmp_path / "few.jsonl"
    with gzip.open(DATA / "zink.jsonl.gz", "rt") as stream:
        path.write_text("".join(next(stream) for _ in range(21)))
    return path


def edited(few: Path, line: int, change: Any) -> Path:
    lines = few.read_text().splitlines()
    data = json.loads(lines[line])
    change(data)
    lines[line] = json.dumps(data)
    few.write_text("\n".join(lines) + "\n")
    return few


def test_replay_writes_one_line_a_case_with_id_errors_and_state(run: Run, few: Path) -> None:
    lines = run("replay", few, "--json").lines
    assert [line["id"] for line in lines] == list(range(1, 21))
    assert all(list(line) == ["id", "errors", "state"] for line in lines)
    assert all(line["state"] is None or len(line["state"]) == 72 for line in lines)


def test_skipped_cases_have_a_line_with_their_errors_and_no_state(run: Run) -> None:
    line = run("replay", DATA / "zink.jsonl.gz", "--json").lines[324]
    assert line == {"id": 325, "errors": ["GL_NO_ERROR", "GL_NO_ERROR", "GL_INVALID_VALUE"], "state": None}


def test_a_difference_is_shown_field_by_field_and_as_json_has_a_verdict(run: Run, few: Path) -> None:
    """One recorded state is changed: its case differs, the others agree."""
    path = edited(few, 4, lambda data: data["raw"].update({"wrap_s": data["raw"]["wrap_s"] ^ 1}))
    shown = run("replay", "--check", path, "--json")
    *lines, last = shown.lines
    assert (shown.code, [line["id"] for line in lines if not line["agrees"]]) == (1, [4])
    assert all(line["differences"] == [] for line in lines if line["agrees"])
    counts = {"files": 1, "compared": 20, "agree": 19, "differ": 1, "problems": 0}
    assert last["summary"] == {"verdict": "differs", **counts}
    assert f"{few}: case 4: wrap_s: recorded " in shown.err
    assert "1 of 20 cases differ" in shown.err


def test_a_quiet_check_that_agrees_writes_nothing(run: Run, few: Path) -> None:
    assert run("replay", "--check", few, "-q") == run("-q", "replay", "--check", few) == (0, "", "")


def test_another_screen_and_another_dialect_give_other_states(run: Run, few: Path) -> None:
    options = [(), ("--screen", "llvmpipe"), ("--dialect", "seed")]
    assert len({run("replay", few, "--json", *more).out for more in options}) == 3


def test_a_screen_file_may_replace_the_header(run: Run, few: Path, tmp_path: Path) -> None:
    header = json.loads(few.read_text().splitlines()[0])
    screen = tmp_path / "screen.json"
    screen.write_text(json.dumps({"caps": header["caps"], "capsf": header["capsf"], "gallium_driver": "zink"}))
    assert run("replay", few, "--json") == run("replay", few, "--json", "--screen", screen)


def test_explain_shows_the_calls_the_record_and_every_field(run: Run, few: Path) -> None:
    code, out, _ = run("replay", few, "--explain", "5")
    assert code == 0
    assert "glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_WRAP_T, GL_REPEAT)" in out
    assert "border_color_format" in out
    code, _, err = run("replay", few, "--explain", "99")
    assert (code, err) == (2, "statetracker: no case has the id 99\n")


def test_check_without_results_could_not_do_it(run: Run, few: Path) -> None:
    lines = [json.loads(line) for line in few.read_text().splitlines()]
    bare = [{"id": c["id"], "calls": [{"fn": k["fn"], "args": k["args"]} for k in c["calls"]]} for c in lines[1:]]
    few.write_text("".join(json.dumps(data) + "\n" for data in [lines[0], *bare]))
    code, _, err = run("replay", "--check", few)
    assert (code, "nothing could be compared" in err) == (2, True)


# --- bad input: one clear line that names file and line, exit code 2, what was good is reported ---


def check_bad(run: Run, path: Path, place: str, words: str, good: int) -> None:
    shown = run("replay", path, "--json")
    first = shown.err.splitlines()[0]
    assert (shown.code, len(shown.lines)) == (2, good)
    assert first.startswith(f"statetracker: {path}{place}: ")
    assert words in first


def test_truncated_gzip(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(MINIMAL.read_bytes()[:100_000])
    good = len(run("replay", path, "--json").lines)
    assert 150 < good < 300
    check_bad(run, path, f":{good + 2}", "the compressed stream is damaged or cut short", good)


def with_line(few: Path, line: int, text: str) -> Path:
    """The same with one line replaced, in a file beside it."""
    lines = few.read_text().splitlines()
    lines[line - 1] = text
    path = few.with_name("changed.jsonl")
    path.write_text("\n".join(lines) + "\n")
    return path


def put(data: Any, place: str, value: Any) -> None:
    """Write a value at a place such as ``calls/2/args/0``."""
    *path, last = (int(part) if part.isdigit() else part for part in place.split("/"))
    for part in path:
        data = data[part]
    data[last] = value


#: What is wrong with a case, or in line 1 with the header, and what the error says.
# fmt: off
DAMAGE: list[tuple[int, str, Any, str]] = [
    (5, "calls/2/args/0",              "GL_TEXTURE_2E",     "'GL_TEXTURE_2E' is not known"),
    (5, "calls/0/fn",                  "glFrobnicate",      "glFrobnicate is not a modelled GL call"),
    (5, "calls/0/args",                [],                  "glActiveTexture"),
    (5, "calls",                       "none",              "'calls' is str"),
    (5, "shader/sampler_type",         "sampler9D",         "sampler9D"),
    (5, "shader/sampler_type",         None,                "sampler_type"),
    (5, "pipe_sampler_state",          ["x"],               "'pipe_sampler_state' is list"),
    *((5, "calls/1/args/1",            bad,                 "case 4: ")
      for bad in list[Any](({"a": 1}, [[{}]], "hello"))),
    *((5, "sampler_view",              bad,                 "sampler_view") for bad in list[Any]((7, ["x"], "x"))),
    *((5, "sampler_view",              {"resource": bad},   "sampler_view")
      for bad in list[Any]((["x"], "x", 7, {"format": 7}, {"format": ["x"]}))),
    (1, "oracle_version",              9,                   "format version 9"),
    (1, "mesa_version",                "19.0.8",            "rules of Mesa: '19.0.8' is not known"),
    (1, "caps/PIPE_CAP_TEXRECT",       "no",                "PIPE_CAP_TEXRECT"),
]
# fmt: on


@pytest.mark.parametrize(("line", "place", "bad", "words"), DAMAGE)
def test_a_damaged_case_or_header_is_named_with_its_line(
    run: Run, few: Path, line: int, place: str, bad: Any, words: str
) -> None:
    path = edited(few, line - 1, lambda data: put(data, place, bad))
    check_bad(run, path, f":{line}", words, 19 if line > 1 else 0)


@pytest.mark.parametrize(
    ("member", "bad"),
    [
        ("border_color", ["0x0"] * 3),
        ("border_color_format", None),
        ("wrap_s", -1),
        ("wrap_s", 8),
        ("wrap_s", float("inf")),
        ("lod_bias", "0x1ffffffff"),
    ],
)
def test_a_recorded_record_that_is_none_is_one_line_in_replay_and_diff(
    run: Run, few: Path, member: str, bad: Any
) -> None:
    whole = few.with_name("whole.jsonl")
    whole.write_bytes(few.read_bytes())
    path = edited(few, 4, lambda data: data["raw"].update({member: bad}))
    shown = run("replay", "--check", path, "--json")
    *cases, last = shown.lines
    counts = {"files": 1, "compared": 19, "agree": 19, "differ": 0, "problems": 1}
    assert (shown.code, len(cases), last) == (2, 19, {"summary": {"verdict": "failed", **counts}})
    assert shown.err.startswith(f"statetracker: {path}:5: case 4: raw")
    code, out, err = run("diff", whole, path)
    assert (code, err.count("\n"), err.startswith(f"statetracker: {path}:5: case 4: raw")) == (2, 1, True)
    assert "19 cases in both, 19 of them the same" in out


DEEP, LONG = "[" * 10_000, "7" * 5000


@pytest.mark.parametrize(
    "value", ['{"id": 4, "calls": ', f'{{"id": 4, "calls": {DEEP}}}', f'{{"id": 4, "calls": {LONG}}}']
)
def test_a_line_cut_too_deep_or_with_a_number_too_long_is_a_damaged_case(run: Run, few: Path, value: str) -> None:
    path = with_line(few, 5, value)
    check_bad(run, path, ":5", "not JSON", 19)
    code, out, err = run("diff", few, path)
    assert (code, err.count("\n"), "19 cases in both" in out) == (2, 1, True)


@pytest.mark.parametrize("value", [DEEP, LONG])
def test_a_header_too_deep_or_with_a_number_too_long(run: Run, few: Path, value: str) -> None:
    path = with_line(few, 1, f'{{"caps": {value}}}')
    code, out, err = run("replay", path)
    assert (code, out, err.startswith(f"statetracker: {path}:1: not JSON")) == (2, "", True)


def test_arguments_nested_nearly_too_deep_are_a_damaged_case(run: Run, few: Path) -> None:
    for depth in range(300, 960, 60):
        args = "[" * depth + "]" * depth
        path = with_line(few, 5, f'{{"id": 4, "calls": [{{"fn": "glBindTexture", "args": {args}}}]}}')
        check_bad(run, path, ":5", "", 19)
        assert run("diff", path, path)[0] in {0, 2}


@pytest.mark.parametrize("argv", ["replay {} --json", "diff {} {other} --json"])
def test_an_id_nested_too_deep_to_be_shown_is_one_line(run: Run, few: Path, tmp_path: Path, argv: str) -> None:
    path, other = tmp_path / "deep.jsonl", tmp_path / "other.jsonl"
    for depth in (450, 700, 900):
        for one, wrap in ((path, "GL_CLAMP"), (other, "GL_REPEAT")):
            case = json.loads(few.read_text().splitlines()[1])
            deep = json.dumps({**case, "id": "DEEP", "pipe_sampler_state": {"wrap_s": wrap}, "raw": None})
            text = deep.replace('"DEEP"', "[" * depth + "]" * depth)
            one.write_text(f"{few.read_text().splitlines()[0]}\n{text}\n")
        code, _, err = run(*argv.format(path, other=other).split())
        assert (code, err.count("nested too deep to be shown")) in {(0, 0), (1, 0), (2, 1)}
    assert (code, err.count("\n")) == (2, 1)


def test_a_file_after_a_bad_one_is_still_replayed(run: Run, few: Path) -> None:
    shown = run("replay", few.parent / "missing.jsonl", few, "--json")
    assert (shown.code, len(shown.lines)) == (2, 20)
    assert "missing.jsonl: cannot be opened: No such file or directory" in shown.err


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "not JSON"), ("[]", "not a screen"), ('{"a": 1}', "not a screen: caps: Field required"), ("{", "not JSON")],
)
def test_a_screen_file_that_is_not_one(run: Run, few: Path, tmp_path: Path, content: str, words: str) -> None:
    screen = tmp_path / "screen.json"
    screen.write_text(content)
    code, out, err = run("replay", few, "--screen", screen)
    assert (code, out) == (2, "")
    assert str(screen) in err
    assert words in err


# --- convert ---


def test_convert_takes_a_screen_as_an_object(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"screen": {"caps": {"PIPE_CAP_GL_CLAMP": 0}}, "sampler": {"wrap": "clamp"}}))
    assert run("convert", path, "--json").data["fields"]["wrap_t"] == "CLAMP_TO_EDGE"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"sampler": {"wrap_s": "sideways"}}', "accepted: clamp, repeat"),
        ('{"sampler": {"wrap_q": "clamp"}}', "wrap_q"),
        ('{"sampler": 7}', "accepted: an object"),
        ('{"texture": {"internal_format": "RGBA9"}}', "RGBA9"),
        ('{"texture": {"colour": 1}}', "colour"),
        ('{"unit": {"bias": 1}}', "lod_bias, seamless"),
        ('{"unit": {"lod_bias": "x"}}', "unit.lod_bias"),
        ('{"screen": "nobody"}', "llvmpipe, softpipe"),
        ('{"dialect": "klingon"}', "seed, mesa21, mesa22, mesa24, or a release"),
        ('{"dialect": []}', "seed, mesa21, mesa22, mesa24, or a release"),
        ('{"dialect": {}}', "seed, mesa21, mesa22, mesa24, or a release"),
        ('{"texture": {"storage_format": []}}', "the name of a pipe format"),
        ('{"texture": {"surface_format": {}}}', "the name of a pipe format"),
        ('{"texture": {"view_swizzle": 7}}', "four selectors"),
        ('{"smapler": {}}', "'smapler' is no member"),
        ('{"sampler": ', "not JSON"),
        ('{"sampler": {"wrap": "clamp"}, "sampler": {}}', "'sampler' stands there twice"),
        ('{"sampler": {"wrap": "clamp", "wrap": "clamp"}}', "'wrap' stands there twice"),
        ('{"texture": {}, "screen": {"caps": {}, "caps": {"PIPE_CAP_X": 1}}}', "'caps' stands there twice"),
        ("= 7", "neither JSON nor TOML"),
        (f'{{"sampler": {{"lod_bias": {LONG}}}}}', "not JSON that can be read"),
        (DEEP, "TOML"),
        (f"sampler = {DEEP}", "not TOML that can be read"),
        (f"[sampler]\nlod_bias = {LONG}", "not TOML that can be read"),
        (f'{{"sampler": {{"border_color": {"[" * 900}{"]" * 900}}}}}', "border_color"),
    ],
)
def test_a_bad_description_names_the_file_and_what_was_wrong(
    run: Run, tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "bad"
    path.write_text(content)
    code, out, err = run("convert", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(path) in err
    assert words in err


@pytest.mark.parametrize("command", ["preview", "explain", "portability"])
@pytest.mark.parametrize(
    ("content", "words"),
    [(f'{{"sampler": {DEEP}', "not JSON that can be read"), ("[sampler]\nwrap = 'sideways'\n", "sideways")],
)
def test_every_command_refuses_a_bad_description(
    run: Run, tmp_path: Path, command: str, content: str, words: str
) -> None:
    path = tmp_path / "bad"
    path.write_text(content)
    code, out, err = run(command, path, *(["-o", tmp_path / "a.png"] if command == "preview" else []))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(path) in err
    assert words in err


@pytest.mark.parametrize("key", ["a." * 120_000 + "a = 1", "[" + "a." * 60_000 + "a]", '"a".' * 30_000 + "a = 1"])
def test_a_description_in_toml_has_the_size_of_one(run: Run, tmp_path: Path, key: str) -> None:
    """One key of 240 KB cost more than a minute. JSON, which may hold a whole screen, may be longer."""
    path = tmp_path / "long"
    path.write_text(key)
    code, out, err = run("convert", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "a description in TOML of more than 16,384 bytes" in err
    path.write_text(json.dumps({"sampler": {}, "screen": {"caps": {f"PIPE_CAP_{n}": n for n in range(5000)}}}))
    assert run("convert", path)[0] == 0


def test_integers_beyond_every_float_are_infinite(run: Run, tmp_path: Path) -> None:
    path, great = tmp_path / "x.json", 10**400
    state: dict[str, Any] = dict.fromkeys(("min_lod", "max_lod", "max_anisotropy"), great)
    state |= {"lod_bias": -great, "border_color": [great] * 4, "wrap": "clamp-to-border"}
    path.write_text(json.dumps({"sampler": state, "unit": {"lod_bias": great}}))
    shown = run("convert", path, "--json")
    fields = shown.data["fields"]
    assert (shown.code, fields["min_lod"], fields["lod_bias"], fields["max_anisotropy"]) == (0, "inf", 0.0, 16)


# --- screens ---
