"""`statetracker.lazy`: another project named statetracker beside ours, or over it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from statetracker.lazy import namesakes

PACKAGE: Final = Path(__file__).parents[1] / "statetracker"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages with what the check needs of ours."""
    shutil.copytree(
        PACKAGE, tmp_path / "statetracker", ignore=shutil.ignore_patterns("__pycache__", "reference", "cli")
    )
    (tmp_path / "gallium_statetracker-0.1.0.dist-info").mkdir()
    return tmp_path


def said(site: Path, program: str) -> str:
    """The last line on standard error."""
    command = [sys.executable, "-S", "-c", program]  # without the environment of the tests
    environment = {"PYTHONPATH": str(site)}
    ran = subprocess.run(command, env=environment, cwd=site, capture_output=True, text=True, check=False)
    return (ran.stderr.strip().splitlines() or [""])[-1]


def test_ours_alone_says_nothing(site: Path) -> None:
    assert said(site, "import statetracker as st; st.Sampler") == ""


@pytest.mark.parametrize("name", ["statetracker-1.2.dist-info", "StateTracker-0.1.egg-info"])
def test_the_other_project_beside_ours_is_a_warning_of_one_line(site: Path, name: str) -> None:
    (site / name).mkdir()
    assert namesakes(str(site)) == [name]
    shown = "import sys, warnings; warnings.showwarning = lambda text, *_: print(text, file=sys.stderr)\n"
    warned = said(site, f"{shown}import statetracker")
    assert warned.startswith(f"{name} is another project that is imported as statetracker")
    assert "pip uninstall statetracker gallium-statetracker" in warned


@pytest.mark.parametrize("left", ["__version__ = '1.2'\n", None])
def test_an_init_that_is_not_ours_is_seen_by_every_package(site: Path, left: str | None) -> None:
    """Theirs, or none at all: then Python makes a namespace of the folder."""
    init = site / "statetracker" / "__init__.py"
    init.unlink() if left is None else init.write_text(left)
    for program in ("import statetracker.gl", "from statetracker.sampler import explain"):
        error = said(site, program)
        assert error.startswith(f"statetracker.errors.BrokenInstallation: {init} is missing, or is not gallium-")
        assert error.endswith("then install this one's wheel or checkout again")


def test_a_module_of_ours_that_is_missing_is_named_and_a_package_is_no_fault_of_the_installation(site: Path) -> None:
    """pydantic, say: Python's own error names it."""
    made = "import statetracker as st; st.Sampler()"
    halted = said(site, f"import sys; sys.modules['enum'] = None; {made}")
    assert halted.startswith("ModuleNotFoundError: import of enum halted")
    (site / "statetracker" / "gl" / "sampler.py").unlink()
    missing = "statetracker.errors.BrokenInstallation: statetracker/gl/sampler.py is missing"
    assert said(site, made).startswith(missing)


def test_a_folder_that_cannot_be_read_has_no_namesakes(tmp_path: Path) -> None:
    assert namesakes(str(tmp_path / "archive.zip")) == []
