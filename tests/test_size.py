"""Rooms stay as small as their rows say; what is counted, and what is said of a room that has grown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import size
from tools.size import Size, sizes, too_large

MODULE = '''"""Say what it is."""

import os  # not code
from json import (
    dumps,
)

# a comment
NUMBERS = [
    1,

    2,
]


def first() -> str:
    """One line."""
    return """two
lines"""
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "statetracker/__init__.py": "",
        "statetracker/errors.py": "A = 1\n",
        "statetracker/gl/__init__.py": "from statetracker.gl.one import B\n",
        "statetracker/gl/one.py": "from statetracker import errors\nB = 2\n",
        "statetracker/gl/two.py": "from statetracker.gl import one\nimport statetracker.errors\n",
        "cso/__init__.py": "from statetracker.cso import cache\n",
        "cso/cache.py": MODULE,
        "tests/test_one.py": "assert True\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "statetracker/cso").symlink_to("../cso")
    return tmp_path


def test_no_room_is_larger_than_its_row() -> None:
    assert not (grown := too_large(sizes())), "\n".join(grown)


def test_blank_lines_comments_docstrings_and_imports_are_no_code(tree: Path) -> None:
    assert sizes(tree)["cso"][:2] == (1 + MODULE.count("\n"), 7)


def test_modules_with_one_importer_or_none_are_counted(tree: Path) -> None:
    found = sizes(tree)
    assert found["gl"] == Size(5, 1, 3, 1), "two.py, which nothing imports; one.py has two importers"
    assert found["cso"][2:] == (2, 1)
    assert found["(top)"] == Size(1, 1, 2, 0)
    assert found["(product)"][2:] == (7, 2)
    assert found["tests"][:3] == (1, 1, 1)


def test_a_room_that_has_grown_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "LIMITS", {"gl": Size(10, 5, 2, 0)})
    assert too_large({"gl": Size(10, 5, 2, 0)}) == []
    (grown,) = too_large({"gl": Size(11, 5, 2, 0)})
    assert grown.startswith("gl: 11 lines, where 10 are allowed")
    assert "in the same commit and say why" in grown
    assert too_large({"gl": Size(1, 1), "new": Size(1, 1)}) == ["new has no row in LIMITS of tools/size.py"]
