"""Tests see what they ask for and nothing else; what they ask for in vain is the reason to skip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from statetracker.bindings import egl, vulkan
from tests import live
from tools import hidden
from tools.codegen import make_vulkan_cdef

ROOT = Path(__file__).parents[1]
PROGRAMS = [program for package in live.PACKAGES.values() for program in package.programs]


# What a test sees


def test_a_test_that_asks_for_nothing_sees_nothing_of_the_table() -> None:
    assert [program for program in PROGRAMS if shutil.which(program)] == []
    assert [row.name for row in live.PACKAGES.values() if row.module and find_spec(row.module)] == []
    assert not egl.available()
    assert not vulkan.available()


def test_nor_do_the_processes_that_it_starts() -> None:
    code = "import shutil, sys; print([name for name in sys.argv[1:] if shutil.which(name)], shutil.which('sh'))"
    done = subprocess.run([sys.executable, "-c", code, *PROGRAMS], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[] /")


@pytest.mark.live("glslangValidator")
def test_a_test_that_asks_for_one_program_sees_it_and_no_other() -> None:
    assert [program for program in PROGRAMS if shutil.which(program)] == ["glslangValidator"]


@pytest.mark.live("egl")
def test_a_context_is_seen_by_those_who_ask_for_it(gl: object) -> None:
    assert egl.available()
    assert gl
    assert not vulkan.available()


@pytest.mark.live("vulkan")
def test_a_layer_is_not_seen_by_those_who_ask_for_the_device() -> None:
    assert vulkan.available()
    assert "vulkan-validationlayers" in vulkan.available(validation=True).reason


def test_headers_of_the_version_of_the_declarations_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (version,) = re.findall(r"header version [\d.]+\.(\d+)", make_vulkan_cdef.TARGET.read_text(encoding="utf-8"))
    monkeypatch.setattr(make_vulkan_cdef, "HEADERS", tmp_path)
    for text, there in ((f"#define VK_HEADER_VERSION {version}\n", True), ("#define VK_HEADER_VERSION 1\n", False)):
        (tmp_path / "vulkan_core.h").write_text(text, encoding="utf-8")
        assert (live.NEEDS["vulkan headers"].see() is None) is there


# What becomes of a test

TESTS = """\
import shutil
import pytest

@pytest.mark.live("glslangValidator")
def test_asks():
    assert shutil.which("glslangValidator")

def test_does_not_ask():
    assert shutil.which("glslangValidator") is None
"""


def pytest_of(folder: Path, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run tests of their own with what all our tests share."""
    (folder / "test_one.py").write_text(text, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "STATETRACKER_L"))}
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["-W", "ignore::pytest.PytestUnknownMarkWarning", f"--rootdir={folder}", str(folder)]
    return subprocess.run(command, cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["glslang-tools", "glslangValidator"])
def test_a_hidden_package_is_the_reason_to_skip(tmp_path: Path, name: str) -> None:
    done = pytest_of(tmp_path, TESTS, STATETRACKER_HIDE=name)
    assert "no glslangValidator (Debian: apt-get install glslang-tools)\n" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


def test_the_reason_to_skip_names_all_that_is_missing(tmp_path: Path) -> None:
    text = 'import pytest\n@pytest.mark.live("apitrace", "xvfb")\ndef test_one(): pass\n'
    done = pytest_of(tmp_path, text, STATETRACKER_HIDE="apitrace,xvfb")
    every = "no apitrace (Debian: apt-get install apitrace); no X server Xvfb (Debian: apt-get install xvfb)"
    assert every in done.stdout


def test_where_live_tests_are_required_a_skip_is_a_failure(tmp_path: Path) -> None:
    done = pytest_of(tmp_path, TESTS, STATETRACKER_HIDE="glslang-tools", STATETRACKER_LIVE="require")
    assert "skipped under STATETRACKER_LIVE=require" in done.stdout
    assert "1 passed, 1 error" in done.stdout


def test_what_continuous_integration_does_not_install_is_not_required(tmp_path: Path) -> None:
    text = 'import pytest\n@pytest.mark.live("apitrace")\ndef test_one(): pass\n'
    done = pytest_of(tmp_path, text, STATETRACKER_HIDE="apitrace", STATETRACKER_LIVE="require")
    assert "1 skipped" in done.stdout


@pytest.mark.live("cc")
def test_a_test_that_is_only_asked_what_it_needs_does_not_run(tmp_path: Path) -> None:
    text = 'import pytest\n@pytest.mark.live("cc")\ndef test_one(): raise OSError\n'
    assert "1 passed" in pytest_of(tmp_path, text, STATETRACKER_LIVE="ask").stdout
    assert "1 failed" in pytest_of(tmp_path, text).stdout


@pytest.mark.parametrize("arguments", ['"no such need"', ""])
def test_a_mark_must_ask_for_something_known(tmp_path: Path, arguments: str) -> None:
    done = pytest_of(tmp_path, f"import pytest\n@pytest.mark.live({arguments})\ndef test_one(): pass\n")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "accepted: libEGL, egl" in done.stderr


def test_what_cannot_be_hidden_is_refused(tmp_path: Path) -> None:
    done = pytest_of(tmp_path, TESTS, STATETRACKER_HIDE="glslang-tools,make")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "STATETRACKER_HIDE: make not known; accepted: libegl1" in done.stderr


# The table


def test_every_package_meets_a_need_and_every_need_has_a_package() -> None:
    assert {need.package for need in live.NEEDS.values()} == set(live.PACKAGES)
    assert {name for need in live.NEEDS.values() for name in need.after} <= set(live.NEEDS)


def test_continuous_integration_installs_what_it_requires() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8").partition("packages=(\n")[2].partition("\n)\n")[0]
    installed = [name for line in text.splitlines() for name in line.partition("#")[0].split()]
    debian = [row.name for row in live.PACKAGES.values() if row.continuous and row.install.startswith("Debian")]
    assert sorted(installed) == sorted(debian)


# The runs with a package hidden


def run(package: str, *reasons: str, **counts: int) -> hidden.Run:
    return hidden.Run(package, counts, dict.fromkeys(reasons, 1), "what failed", 1.0)


def test_a_fault_of_a_run_with_a_package_hidden_is_named() -> None:
    there, gone = "no C compiler (Debian: apt-get install gcc)", "no spirv-val (Debian: apt-get install spirv-tools)"
    before = run("", there, passed=9)
    assert hidden.faults(run("spirv-tools", there, gone, passed=8), before) == []
    assert hidden.faults(run("spirv-tools", there, passed=9), before) == ["no test was skipped for it"]
    assert hidden.faults(run("spirv-tools", gone, failed=1), before) == ["what failed"]
    assert hidden.faults(run("gcc", there, gone), before) == [f"another reason to skip: {gone}"]
