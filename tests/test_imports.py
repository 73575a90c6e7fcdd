"""What an import loads: the face nothing slow, the heart neither NumPy nor pydantic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

#: Not loaded by `import statetracker`; the first two not by the heart either.
SLOW: Final = ("numpy", "pydantic", "structlog", "cffi", "rich", "typer", "dataclasses")


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads in a new interpreter, beside those there from the start."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def test_importing_the_face_loads_nothing_slow() -> None:
    assert loaded_by("import statetracker").isdisjoint(SLOW)


def test_importing_the_face_loads_no_room() -> None:
    ours = {name for name in loaded_by("import statetracker") if name.startswith("statetracker.")}
    assert ours <= {"statetracker.errors"}


@pytest.mark.parametrize("room", ["gl", "pipe", "sampler"])
def test_importing_the_heart_loads_neither_numpy_nor_pydantic(room: str) -> None:
    assert loaded_by(f"import statetracker.{room}").isdisjoint(SLOW[:2])


@pytest.mark.parametrize("name", ["numpy", "dataclasses"])
def test_the_instrument_sees_what_is_loaded(name: str) -> None:
    assert name in loaded_by(f"import {name}")
