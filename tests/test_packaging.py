"""Five directories, one import name: in the checkout by links, in the wheel by mapping."""

from __future__ import annotations

import importlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
LINKED: Final = ("caps", "cso", "bindings", "benchmarks")


def files_below(folder: Path) -> set[str]:
    """The files of a folder as posix paths relative to it, without caches; links are not followed."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in paths}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in a wheel built from this checkout; hatchling alone builds it, so no network is needed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


@pytest.mark.parametrize("room", LINKED)
def test_a_linked_room_is_the_directory_at_the_top(room: str) -> None:
    assert (ROOT / "statetracker" / room).readlink() == Path("..") / room
    assert (ROOT / room / "__init__.py").is_file()


@pytest.mark.parametrize("room", LINKED)
def test_a_linked_room_is_imported_from_the_directory_at_the_top(room: str) -> None:
    module = importlib.import_module(f"statetracker.{room}")
    assert module.__file__ is not None
    assert Path(module.__file__).samefile(ROOT / room / "__init__.py")


def test_the_wheel_holds_one_import_name(wheel: list[str]) -> None:
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == {"statetracker"}


def test_the_wheel_holds_no_file_twice(wheel: list[str]) -> None:
    assert len(wheel) == len(set(wheel))


def test_the_wheel_holds_every_file_of_the_package(wheel: list[str]) -> None:
    ours = {f"statetracker/{name}" for name in files_below(ROOT / "statetracker")}
    linked = {f"statetracker/{room}/{name}" for room in LINKED for name in files_below(ROOT / room)}
    assert (ours | linked) - set(wheel) == set()


def test_the_wheel_says_that_it_is_typed(wheel: list[str]) -> None:
    assert "statetracker/py.typed" in wheel
