"""What an import loads: the package nothing slow, the core neither NumPy nor pydantic."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

#: Not loaded by `import statetracker`; the first two not by the core either.
SLOW: Final = ("numpy", "pydantic", "structlog", "cffi", "rich", "typer", "dataclasses")
CONVERTED: Final = "st.convert(st.Sampler(), st.Texture(), st.Screen.named('llvmpipe')).pipe"
#: Packages whose names are loaded on first use.
LAZY: Final = (
    "statetracker",
    *(
        f"statetracker.{room}"
        for room in ("batch", "caps", "conformance", "frontend", "gl", "replay", "sampler", "vulkan")
    ),
)


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads in a new interpreter, beside those there from the start."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def test_importing_the_package_loads_nothing_slow_and_no_room() -> None:
    loaded = loaded_by("import statetracker")
    assert loaded.isdisjoint(SLOW)
    ours = {name for name in loaded if name.startswith("statetracker.")}
    assert ours <= {"statetracker.errors", "statetracker.lazy"}


@pytest.mark.parametrize(
    ("statement", "spared"),
    [
        ("import statetracker.gl, statetracker.pipe, statetracker.sampler", SLOW[:2]),
        ("import statetracker.cso", ("numpy", "pydantic", "structlog", "dataclasses")),
        (CONVERTED, ("statetracker.sampler.explanation", "statetracker.sampler.unsupported")),
        ("st.Screen.named('zink-lavapipe')", ("statetracker.caps.devices", "pydantic", "numpy")),
    ],
)
def test_what_is_not_needed_is_not_loaded(statement: str, spared: tuple[str, ...]) -> None:
    assert loaded_by(f"import statetracker as st; {statement}").isdisjoint(spared)


def test_the_instrument_sees_what_is_loaded() -> None:
    loaded = loaded_by("import statetracker as st; st.Screen.device('#38162'); import numpy, dataclasses")
    assert {"numpy", "dataclasses", "statetracker.caps.devices"} <= loaded


@pytest.mark.parametrize("room", LAZY)
def test_every_name_of_a_lazy_room_is_there_and_a_type_checker_sees_it(room: str) -> None:
    """It is imported under TYPE_CHECKING, and it is no module's name.

    Else who asked first would decide whether the name is the function or the module that it is in.
    """
    package = importlib.import_module(room)
    assert package.__file__
    file = Path(package.__file__)
    modules = {path.stem for path in file.parent.iterdir() if path.suffix in {"", ".py"}}
    assert modules.isdisjoint(package.__all__)
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        package.nothing_of_this_name  # noqa: B018 (asking is the test)
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    seen = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(package.__all__) <= seen


def test_dir_lists_every_name_of_a_lazy_room_before_its_first_use() -> None:
    each = (f"import {room} as room; assert set(room.__all__) <= set(dir(room)), dir(room)" for room in LAZY)
    assert loaded_by("; ".join(each))
