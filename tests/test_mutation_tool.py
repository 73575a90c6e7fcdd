"""`make mutation`: what it changes, that a change is noticed or not, and a few changes of the conversion's tables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants.changes import Change, changes

ROOT = Path(__file__).parents[1]

RULE = """\
TABLE = {
    "a": (1, True),
    "b": (2, True),
}
def rule(n):
    while n < 0:
        n += 1
    return TABLE["a"][0] if n > 3 else 0
"""
TESTS = """\
from statetracker.rule import rule
def test_rule():
    assert rule(4) == 1
    assert rule(3) == rule(-1) == 0
"""
#: Tries the rule as it is, with three changes that tests notice (the last loops for ever), and with one they do not.
TRY = """\
import sys
from pathlib import Path
from tools.mutants.trial import Trial, run_all, warm_up
tree, text = Path(sys.argv[1]), Path(sys.argv[1], "statetracker", "rule.py").read_text()
changed = [text, text.replace("(1,", "(9,"), text.replace("> 3", ">= 3"), text.replace("+= 1", "-= 1"),
           text.replace("(2,", "(9,")]
warm_up()
trials = [Trial("statetracker/rule.py", text, (("tests",),), (2,)) for text in changed]
print(*(end.passed or ("hung" if end.hung else False) for end in sorted(run_all(trials, tree, jobs=2))))
"""


def nows(text: str, **options: list[str]) -> list[str]:
    return [change.now for change in changes(text, **options)]


@pytest.mark.parametrize(
    ("table", "now"),
    [
        ("(\n    (1, 'x'),\n    (2, 'x'),\n    (2, 'y'),\n)", {"(2, 'x'),", "(1, 'y'),", "(1, 'x'),", "(2, 'y'),"}),
        ("(A, B)", {"T = (A,)", "T = (B,)"}),
        ("'A_a B_b'", {"T = 'B_b'", "T = 'A_a'"}),
        ("(\n    R(1),\n    R(2),\n)", {"R(2), R(1),"}),  # its rows are steps
    ],
)
def test_a_cell_takes_the_next_value_of_its_column_and_a_list_loses_each_word(table: str, now: set[str]) -> None:
    assert now <= set(nows(f"T = {table}\n", ordered=["T"]))


def test_only_rows_that_are_steps_change_places() -> None:
    assert "R(2), R(1)," not in nows("T = (\n    R(1),\n    R(2),\n)\n")


@pytest.mark.parametrize(
    ("table", "gone"),
    [
        ("{\n    'a': 1,\n    'b': 1,\n    'c': 1,\n}", ["'a': 1,", "'b': 1,", "'c': 1,"]),
        ("{\n    **A,\n    'x': 1,\n    **B,\n    'y': 2,\n}", ["'x': 1,", "'y': 2,"]),
        ("{\n    'x': (\n        1\n    ),\n    'y': 2,\n}", ["'x': ( 1 ),", "'y': 2,"]),
        ("(\n    *('a', 'b'),\n    'c',\n)", ["*('a', 'b'),", "'c',"]),
    ],
)
def test_a_row_is_dropped_once_with_its_stars_and_brackets(table: str, gone: list[str]) -> None:
    made = changes(f"T = {table}\n")
    assert [change.was for change in made if not change.now] == gone
    for change in made:
        compile(change.text, "T", "exec")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x < y", {"(x <= y)", "(x >= y)"}),
        ("x and y", {"(x or y)", "(x)", "(y)"}),
        ("x | y", {"(x & y)", "(x)", "(y)"}),
        ("~x", {"(x)"}),
        ("x << 2", {"(x >> 2)", "x << 3", "x << 1"}),
        ("min(x, y)", {"max(x, y)"}),
        ("x if y else z", {"x if True else z", "x if False else z"}),
        ("x in (y, z)", {"(x not in (y, z))", "x in (z,)", "x in (y,)"}),
        ("T['a'] + T['b']", {"(T['a'] - T['b'])", "T['b'] + T['b']", "T['a'] + T['a']"}),
        ("E.A - E.B", {"(E.A + E.B)", "E.B - E.B", "E.A - E.A"}),
        ("not x", {"(x)"}),
        ("-1.0", {"(1.0)", "-2.0"}),
    ],
)
def test_code_is_changed_in_every_small_way(code: str, expected: set[str]) -> None:
    texts = {now.removeprefix("return ").replace(", )", ",)") for now in nows(f"def f():\n    return {code}\n")}
    assert texts == expected


@pytest.mark.parametrize(
    "said",
    [
        '"""A docstring."""',
        "from __future__ import annotations",
        "__all__ = ['a', 'b']",
        "Numbers = int | float",
        "if TYPE_CHECKING:\n    X = 1",
        "def f(x: A | B) -> C | D:\n    '''Add 1 and 2.'''",
        "def f():\n    raise E(1, 'x')",
        "def f() -> NoReturn:\n    g(1)",
        "def f():\n    return f'{x + 1} and {2}'",
        "def f():\n    return 'some words.'",
        "class A:\n    def __repr__(self):\n        return B + 'x'",
        "def sentence():\n    return 1",
        "def f():\n    return zip(strict=True)",
    ],
)
def test_what_is_only_said_is_left_alone(said: str) -> None:
    assert nows(said + "\n", said=["sentence"]) == []


def test_no_two_changes_are_written_down_alike() -> None:
    every = changes((ROOT / "statetracker" / "sampler" / "rules.py").read_text(encoding="utf-8"))
    assert len({(c.where, c.was, c.now) for c in every}) == len({c.text for c in every}) == len(every) > 100


def test_change_names_its_line_and_its_table() -> None:
    made = changes("A = 1\n\n\ndef f():\n    return not x\n")[-1]
    text = "A = 1\n\n\ndef f():\n    return (x)\n"
    assert made == Change(5, "f", "return not x", "return (x)", text, "f: not x => (x)")


def test_a_change_is_written_down_in_as_few_words_as_tell_it_from_the_others() -> None:
    made = [change.mark for change in changes("def f():\n    a(b < 1)\n    c(d < 1, 5)\n")]
    assert {"f: b < 1 => (b <= 1)", "f: 1) => 2)", "f: 1, => 2,", "f: 5 => 6"} <= set(made)
    assert len(set(made)) == len(made)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment, cwd=ROOT
    )


def test_trial_passes_exactly_where_no_test_notices(tmp_path: Path) -> None:
    for name, text in {
        "statetracker/__init__.py": "",
        "statetracker/rule.py": RULE,
        "tests/test_rule.py": TESTS,
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    done = run("-c", TRY, tmp_path)
    assert (done.stdout.split(), done.stderr) == (["True", "False", "False", "hung", "True"], "")


def test_every_chosen_table_has_something_to_change_and_every_explanation_is_of_a_change_that_there_is() -> None:
    code = """
from tools.mutate import read_explained, read_plan
there = {module.key(change) for module in read_plan() for change in module.changes}
print(*(key for key in read_explained() if key not in there), sep="\\n", end="")
print(*(module.file for module in read_plan(chosen=True) if not module.tried), sep="\\n", end="")
"""
    done = run("-c", code)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_tests_notice_a_change_of_every_table_of_the_conversion() -> None:
    """The other modules take another minute: `make mutation` has them all."""
    done = run("tools/mutate.py", "--chosen", "--only", "statetracker/sampler/", "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
