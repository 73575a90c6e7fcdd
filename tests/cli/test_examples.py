"""`statetracker.cli.examples`: the examples of this version, in a folder; nothing is replaced unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import statetracker
from statetracker.cli.examples import folder_here
from statetracker.errors import BrokenInstallation
from tests.cli.conftest import Run

EXAMPLES: Final = Path(__file__).parents[2] / "examples"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_it_writes_every_example_but_the_one_that_needs_the_checkout(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "new" / "folder"
    assert run("examples", folder, "-q") == (0, "", "")
    wanted = files(EXAMPLES)
    del wanted["drivers.py"]
    assert files(folder) == wanted
    assert sum(map(len, wanted.values())) < 200_000, "the wheel carries them"


def test_files_of_those_names_alone_are_replaced_and_only_by_force(tmp_path: Path, run: Run) -> None:
    for name in ("border.toml", "mine.toml"):
        (tmp_path / name).write_text("mine")
    code, _, err = run("examples", tmp_path)
    assert (code, "border.toml would be replaced: --force does it." in err) == (2, True)
    assert files(tmp_path) == {"border.toml": b"mine", "mine.toml": b"mine"}
    assert run("examples", tmp_path, "--force").code == 0
    written = files(tmp_path)
    assert written["border.toml"] == (EXAMPLES / "border.toml").read_bytes()
    assert written["mine.toml"] == b"mine"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    code, _, err = run("examples", tmp_path / "file" / "below")
    assert (code, "cannot be written: " in err) == (2, True)


def test_those_of_the_package_come_before_those_of_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statetracker, "__file__", str(tmp_path / "statetracker" / "__init__.py"))
    with pytest.raises(BrokenInstallation, match="Install gallium-statetracker again"):
        folder_here()
    for folder in (tmp_path / "statetracker" / "examples", tmp_path / "examples"):
        folder.mkdir(parents=True)
        (folder / "border.toml").touch()
    assert folder_here() == tmp_path / "statetracker" / "examples"
