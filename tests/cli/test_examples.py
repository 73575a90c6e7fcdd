"""`statetracker.cli.examples`: the examples of this version, in a folder; nothing is replaced unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import statetracker
from statetracker.cli import main
from statetracker.cli.examples import folder_here
from statetracker.errors import BrokenInstallation

EXAMPLES: Final = Path(__file__).parents[2] / "examples"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_it_writes_every_example_but_the_one_that_needs_the_checkout(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert main(["examples", str(folder)]) == 0
    wanted = files(EXAMPLES)
    del wanted["drivers.py"]
    assert files(folder) == wanted
    assert sum(map(len, wanted.values())) < 200_000, "the wheel carries them"


def test_a_file_of_that_name_is_left_alone_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "border.toml").write_text("mine")
    assert main(["examples", str(tmp_path)]) == 2
    assert "border.toml would be replaced: --force does it." in capsys.readouterr().err
    assert files(tmp_path) == {"border.toml": b"mine"}


def test_force_replaces_files_of_those_names_only(tmp_path: Path) -> None:
    for name in ("border.toml", "mine.toml"):
        (tmp_path / name).write_text("mine")
    assert main(["examples", str(tmp_path), "--force"]) == 0
    written = files(tmp_path)
    assert written["border.toml"] == (EXAMPLES / "border.toml").read_bytes()
    assert written["mine.toml"] == b"mine"


def test_quietly_it_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", str(tmp_path), "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["examples", str(tmp_path / "file" / "below")]) == 2
    assert "cannot be written: " in capsys.readouterr().err


def test_a_package_without_them_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statetracker, "__file__", str(tmp_path / "statetracker" / "__init__.py"))
    with pytest.raises(BrokenInstallation, match="Install gallium-statetracker again"):
        folder_here()


def test_those_of_the_package_come_before_those_of_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path / "statetracker" / "examples", tmp_path / "examples"):
        folder.mkdir(parents=True)
        (folder / "border.toml").touch()
    monkeypatch.setattr(statetracker, "__file__", str(tmp_path / "statetracker" / "__init__.py"))
    assert folder_here() == tmp_path / "statetracker" / "examples"
