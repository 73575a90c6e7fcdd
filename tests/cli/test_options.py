"""`statetracker.cli.options`: what a shell is given for a word that has been begun."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from statetracker.cli import main
from statetracker.cli.commands import COMMANDS
from statetracker.cli.options import devices

ROOT: Final = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("command", "option", "begun", "wanted"),
    [
        ("convert", "screen", "nv", ["nv30", "nv50", "nvc0"]),
        ("convert", "screen", "LLVM", ["llvmpipe"]),
        ("convert", "dialect", "mesa2", ["mesa21", "mesa22", "mesa24"]),
        ("convert", "vulkan_dialect", "zink", ["zink21", "zink22"]),
        ("conform", "driver", "soft", ["softpipe"]),
        ("replay", "profile", "c", ["compatibility", "core"]),
        ("convert", "device", "", []),
        ("convert", "device", "no such device", []),
    ],
)
def test_names_that_begin_so(command: str, option: str, begun: str, wanted: list[str]) -> None:
    (complete,) = [row.complete for row in COMMANDS[command].options if row.name == option]
    assert complete is not None
    assert complete(begun) == wanted


def test_devices_have_what_was_typed_those_that_begin_with_it_first() -> None:
    names = devices("mali-g57")
    assert names[0] == "Mali-G57"
    assert all("mali-g57" in name.lower() for name in names)
    assert len(devices("a")) == 40


def test_a_shell_completes_commands_options_and_screens() -> None:
    for words, wanted in (("statetracker port", "portability"), ("statetracker convert x --screen radeonsi-", "gfx8")):
        variables = {
            "_STATETRACKER_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        ran = subprocess.run(
            [sys.executable, "-m", "statetracker"], env=os.environ | variables, cwd=ROOT, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        assert wanted in ran.stdout


def test_the_script_for_a_shell_can_be_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "true")
    assert main(["--show-completion", "bash"]) == 0
    assert "_STATETRACKER_COMPLETE=complete_bash" in capsys.readouterr().out
