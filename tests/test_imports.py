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


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads in a new interpreter, beside those there from the start."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def test_importing_the_package_loads_nothing_slow() -> None:
    assert loaded_by("import statetracker").isdisjoint(SLOW)


def test_importing_the_package_loads_no_room() -> None:
    ours = {name for name in loaded_by("import statetracker") if name.startswith("statetracker.")}
    assert ours <= {"statetracker.errors", "statetracker.lazy"}


@pytest.mark.parametrize("room", ["gl", "pipe", "sampler"])
def test_importing_the_core_loads_neither_numpy_nor_pydantic(room: str) -> None:
    assert loaded_by(f"import statetracker.{room}").isdisjoint(SLOW[:2])


def test_importing_the_cache_loads_nothing_slow() -> None:
    assert loaded_by("import statetracker.cso").isdisjoint({"numpy", "pydantic", "structlog", "dataclasses"})


@pytest.mark.parametrize("name", ["numpy", "dataclasses"])
def test_the_instrument_sees_what_is_loaded(name: str) -> None:
    assert name in loaded_by(f"import {name}")


#: Packages whose names are loaded on first use.
LAZY: Final = (
    "statetracker",
    *(
        f"statetracker.{room}"
        for room in ("batch", "caps", "conformance", "frontend", "gl", "replay", "sampler", "vulkan")
    ),
)


@pytest.mark.parametrize("room", LAZY)
def test_a_name_that_is_loaded_on_first_use_is_no_modules_name(room: str) -> None:
    """Else who asked first would decide whether the name is the function or the module that it is in."""
    package = importlib.import_module(room)
    assert package.__file__
    modules = {path.stem for path in Path(package.__file__).parent.iterdir() if path.suffix in {"", ".py"}}
    assert modules.isdisjoint(package.__all__)


@pytest.mark.parametrize("room", LAZY)
def test_every_name_of_a_lazy_room_is_there(room: str) -> None:
    package = importlib.import_module(room)
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        package.nothing_of_this_name  # noqa: B018 (asking is the test)


@pytest.mark.parametrize("room", LAZY)
def test_dir_lists_every_name_of_a_lazy_room_before_its_first_use(room: str) -> None:
    program = f"import {room} as room; assert set(room.__all__) <= set(dir(room)), dir(room)"
    assert loaded_by(program)


@pytest.mark.parametrize("room", LAZY)
def test_a_type_checker_sees_every_name_of_a_lazy_room(room: str) -> None:
    """Each is imported under TYPE_CHECKING, from the module that it is loaded from."""
    package = importlib.import_module(room)
    assert package.__file__
    source = Path(package.__file__).read_text(encoding="utf-8")
    seen = {
        alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert set(package.__all__) <= seen


def test_converting_loads_no_explanation() -> None:
    face = "import statetracker as st; st.convert(st.Sampler(), st.Texture(), st.Screen.named('llvmpipe')).pipe"
    assert loaded_by(face).isdisjoint({"statetracker.sampler.explanation", "statetracker.sampler.unsupported"})


def test_an_embedded_screen_loads_no_corpus() -> None:
    named = "import statetracker as st; st.Screen.named('zink-lavapipe')"
    assert loaded_by(named).isdisjoint({"statetracker.caps.devices", "pydantic", "numpy"})
    assert "statetracker.caps.devices" in loaded_by("import statetracker as st; st.Screen.device('#38162')")
