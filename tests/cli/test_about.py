"""`statetracker.cli.about`: what is here, and the next command; without asking a driver anything."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import statetracker
from statetracker.cli import about
from statetracker.cli.about import EXTRAS
from tests.cli.conftest import Run

ROOT: Final = Path(__file__).parents[2]
NOWHERE: Final = "/nowhere/nothing"


@pytest.fixture
def here(run: Run) -> Callable[..., str]:
    """What a command prints that succeeds and says nothing else."""

    def said(*argv: str) -> str:
        code, out, err = run(*argv)
        assert (code, err) == (0, "")
        return out

    return said


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without libraries, drivers, devices and programs, in an empty folder."""
    for name in ("STATETRACKER_EGL_LIB", "STATETRACKER_VULKAN_LIB", "VK_DRIVER_FILES"):
        monkeypatch.setenv(name, NOWHERE)
    monkeypatch.setenv("__EGL_VENDOR_LIBRARY_FILENAMES", NOWHERE)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(about, "_PCI", NOWHERE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_extras_are_those_of_the_project() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    plain = {name: {part.partition(">")[0] for part in parts} for name, parts in extras.items() if name != "all"}
    assert {name: set(packages) for name, packages in EXTRAS.items()} == plain


def test_the_version_names_python_and_every_optional_package(here: Callable[..., str]) -> None:
    lines = here("--version").splitlines()
    assert lines[0] == f"statetracker {statetracker.__version__}"
    assert lines[1].startswith(f"Python {sys.version.split()[0]}, ")
    assert [line.split()[0] for line in lines[2:]] == list(EXTRAS)


def test_a_package_that_is_missing_is_said_to_be(monkeypatch: pytest.MonkeyPatch, here: Callable[..., str]) -> None:
    monkeypatch.setattr(about, "EXTRAS", {"live": {"no-such-package": "no_such_module"}})
    assert "live         no-such-package (not installed)\n" in here("--version")
    assert "not here: live\n" in here()


def test_a_bare_machine_says_what_to_install_and_to_write_the_examples_or_to_take_one(
    bare: Path, here: Callable[..., str]
) -> None:
    out = here()
    assert "OpenGL    no library; Debian: apt-get install libegl1\n" in out
    assert "Vulkan    no library; Debian: apt-get install libvulkan1\n" in out
    assert "devices   none on the PCI bus" in out
    assert "glslangValidator is not here" in out
    assert out.partition("\nnext\n")[2].startswith("  statetracker examples statetracker-examples\n")
    assert "statetracker probe" not in out
    assert list(bare.iterdir()) == []
    (bare / "border.toml").touch()
    assert "\nnext\n  statetracker explain border.toml\n" in here()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"ICD": {"library_path": "/usr/lib/libvulkan_some.so"}}', "some"),
        *((bad, "no file names one") for bad in ("", "[]", '{"ICD": 1}', "\xff")),
    ],
)
def test_a_manifest_names_its_driver_and_a_library_that_loads_may_be_probed(
    text: str, said: str, bare: Path, monkeypatch: pytest.MonkeyPatch, here: Callable[..., str]
) -> None:
    manifest = bare / "one.json"
    manifest.write_bytes(text.encode("latin-1"))
    monkeypatch.setenv("VK_DRIVER_FILES", str(manifest))
    monkeypatch.setenv("STATETRACKER_VULKAN_LIB", "libc.so.6")
    out = here()
    assert f"Vulkan    libc.so.6; drivers: {said}\n" in out
    assert "  statetracker probe\n" in out


def test_devices_of_the_bus_that_draw_are_named_by_their_ids(
    bare: Path, monkeypatch: pytest.MonkeyPatch, here: Callable[..., str]
) -> None:
    for name, kind in (("0", "0x030200"), ("1", "0x020000"), ("2", "")):
        folder = bare / "pci" / name
        folder.mkdir(parents=True)
        for file, value in {"class": kind, "vendor": "0x10de", "device": "0x2335"}.items():
            if value:
                (folder / file).write_text(f"{value}\n")
    monkeypatch.setattr(about, "_PCI", str(bare / "pci"))
    assert "devices   10de:2335\n" in here()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_it_fits_the_width_and_breaks_no_command(
    width: int, monkeypatch: pytest.MonkeyPatch, here: Callable[..., str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    above, _, below = here().partition("\nnext\n")
    assert all(len(line) <= width for line in above.splitlines()[2:])
    assert all(line.startswith(("  statetracker ", "      ", "  pip ")) for line in below.splitlines())


def test_it_loads_nothing_large() -> None:
    program = "import sys; from statetracker.cli import main; main([]); print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(ran.stdout.splitlines()[-1].split())
    assert loaded.isdisjoint({"numpy", "hypothesis", "jinja2", "PIL", "wgpu"})
