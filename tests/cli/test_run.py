"""What a command loads before it works: of packages and rooms that take long, those that it uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from statetracker.cli.app import program
from statetracker.cli.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
HEAVY = {
    "typer", "pydantic", "rich", "structlog", "numpy", "jinja2", "PIL", "cffi", "hypothesis", "secrets",
    "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend", "statetracker.survey",
    "statetracker.spirv", "statetracker.geometry", "statetracker.surface", "statetracker.trace",
    "statetracker.replay", "statetracker.conformance",
}  # fmt: skip
LOADED = """
import json, sys
from statetracker.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, *sys.modules]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("--version", set()),
        ("--help", {"typer"}),
        ("convert --help", {"typer"}),
        ("portability --help", {"typer"}),
        ("conform --help", {"typer"}),
        ("convert --screen zink-lavapipe examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.frontend"}),
        ("convert examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend"}),
        ("portability examples/border.toml",
         {"typer", "statetracker.caps", "statetracker.caps.devices", "statetracker.frontend", "statetracker.survey"}),
    ],
)  # fmt: skip
def test_a_command_loads_what_it_uses(command: str, expected: set[str]) -> None:
    run = subprocess.run([sys.executable, "-c", LOADED, *command.split()], cwd=ROOT, capture_output=True, check=True)
    code, *loaded = json.loads(run.stderr.splitlines()[-1])
    assert (code, HEAVY & set(loaded)) == (0, expected)


@pytest.mark.parametrize(
    ("words", "built"),
    [
        ("convert --help", {"convert"}),
        ("surface stencil", {"surface", "surface stencil"}),
        ("--quiet convert", COMMANDS),
        ("convrt", COMMANDS),
        ("", COMMANDS),
    ],
)
def test_the_options_of_the_asked_command_alone_are_built(words: str, built: Iterable[str]) -> None:
    assert set(program(words.split()).commands) == set(built)
