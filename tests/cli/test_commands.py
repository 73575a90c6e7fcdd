"""`statetracker.cli.commands`: the list of commands, and the examples at the end of every help, which run."""

from __future__ import annotations

import ast
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from statetracker.cli import main
from statetracker.cli.app import program
from statetracker.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
WIDTHS = (60, 80, 120)
#: Commands whose examples ask for something of the machine.
LIVE = {
    "record": ("apitrace", "moderngl", "egl:llvmpipe"),
    "probe": ("vulkan",),
    "conform": ("egl:llvmpipe", "egl:softpipe"),
}
DIFFERS = {"diff": 1}
#: What the machine's own figures make wide, what is written elsewhere, and the text of shaders.
UNEVEN = {"bench", "conform", "examples", "lower", "probe", "record", "shader"}
PROGRAM: Any = program()


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main([*argv]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``statetracker examples`` writes."""
    place: Path = tmp_path_factory.mktemp("examples")
    assert main(["examples", str(place)]) == 0
    return place


def test_every_command_has_a_line_and_two_examples() -> None:
    assert COMMANDS.keys() == PROGRAM.commands.keys()
    for name, row in COMMANDS.items():
        for line in (row.first, row.second):
            assert line.split()[: len(name.split())] == name.split()


def test_every_option_is_read_and_none_other() -> None:
    """By `Given`, which has what is typed; ``--quiet`` is seen to before."""
    options = {option.name for row in COMMANDS.values() for option in row.options}
    trees = [ast.parse(file.read_bytes()) for file in (ROOT / "statetracker" / "cli").glob("*.py")]
    trees.append(ast.parse((ROOT / "benchmarks" / "run.py").read_bytes()))
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    read = {node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id == "given"}
    assert (options - read, read - options) == ({"quiet"}, set())


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param(name, line, marks=[pytest.mark.live(*LIVE[name])] if name in LIVE else [])
        for name, row in COMMANDS.items()
        for line in (row.first, row.second)
    ],
)
def test_the_examples_run(
    name: str, line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # this Python first
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    assert code == DIFFERS.get(name, 0), err
    assert out or err
    for output in re.findall(r"(?:-o|--html|--chart|--report|--save) (\S+)", line):
        assert (folder / output).stat().st_size > 0


@pytest.mark.parametrize("width", [72, 80, 120])
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - UNEVEN))
def test_what_they_print_is_no_wider_than_columns(
    name: str, width: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", str(width))
    assert main(shlex.split(COMMANDS[name].first)) == DIFFERS.get(name, 0)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    record = [line for line in lines if re.search("[0-9a-f]{72}", line)]
    assert [line for line in lines if len(line) > width and line not in record] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_help_fits_breaks_no_word_that_is_typed_and_ends_with_two_examples(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for name, command in PROGRAM.commands.items():
        text = shown(capsys, *name.split(), "--help")
        above, _, below = text.partition("\n  Examples")
        assert max(map(len, above.splitlines())) <= width, name
        row = COMMANDS[name]
        assert below.split("\n", 1)[1].split() == f"statetracker {row.first} statetracker {row.second}".split()
        assert all(len(line) <= 80 for line in below.splitlines())
        said = " ".join([command.help, *(str(part.help) for part in command.params)])
        for word in re.findall(r"[\w/.<>:-]*[-/.][\w-]+", said):
            assert word in text, f"{name}: {word} at {width}"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_commands_is_whole_and_at_80_each_has_one_line(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = shown(capsys, "--help")
    words = " ".join(text.split())
    assert [name for name, row in COMMANDS.items() if f"{name} {row.short}" not in words] == []
    assert "--install-completion" in words
    lines = text.partition("Commands:\n")[2].splitlines()
    assert width != 80 or [line.split("  ")[1] for line in lines] == list(COMMANDS)
