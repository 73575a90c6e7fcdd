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


def test_a_test_that_asks_for_nothing_sees_nothing_of_the_table_nor_do_processes_that_it_starts() -> None:
    assert [program for program in PROGRAMS if shutil.which(program)] == []
    assert [row.name for row in live.PACKAGES.values() if row.module and find_spec(row.module)] == []
    assert not egl.available()
    assert not vulkan.available()
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


MARK = "import pytest\n@pytest.mark.live({})\ndef test_one(): {}\n"
#: One that asks, and one that does not.
TWO = """\
import shutil
import pytest

@pytest.mark.live("glslangValidator")
def test_asks():
    assert shutil.which("glslangValidator")

def test_does_not_ask():
    assert shutil.which("glslangValidator") is None
"""
GONE = "no glslangValidator (Debian: apt-get install glslang-tools)\n"
BOTH = "no apitrace (Debian: apt-get install apitrace); no X server Xvfb (Debian: apt-get install xvfb)"


@pytest.mark.parametrize(
    ("text", "hides", "mode", "said"),
    [
        (TWO, "glslang-tools", "", (GONE, "1 passed, 1 skipped")),
        (TWO, "glslangValidator", "", (GONE, "1 passed, 1 skipped")),
        (TWO, "glslang-tools", "require", ("skipped under STATETRACKER_LIVE=require", "1 passed, 1 error")),
        (TWO, "glslang-tools,make", "", ("STATETRACKER_HIDE: make not known; accepted: libegl1",)),
        (MARK.format('"apitrace", "xvfb"', "pass"), "apitrace,xvfb", "", (BOTH,)),
        # What continuous integration does not install is not required.
        (MARK.format('"apitrace"', "pass"), "apitrace", "require", ("1 skipped",)),
        (MARK.format('"no such need"', "pass"), "", "", ("accepted: libEGL, egl",)),
        (MARK.format("", "pass"), "", "", ("accepted: libEGL, egl",)),
        pytest.param(MARK.format('"cc"', "raise OSError"), "", "ask", ("1 passed",), marks=pytest.mark.live("cc")),
        pytest.param(MARK.format('"cc"', "raise OSError"), "", "", ("1 failed",), marks=pytest.mark.live("cc")),
    ],
)
def test_what_is_hidden_and_what_is_required_decide_what_becomes_of_a_test(
    tmp_path: Path, text: str, hides: str, mode: str, said: tuple[str, ...]
) -> None:
    """A process of its own runs tests with what all our tests share."""
    (tmp_path / "test_one.py").write_text(text, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "STATETRACKER_L"))}
    environment = kept | {live.HIDE: hides} | ({live.MODE: mode} if mode else {})
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["-W", "ignore::pytest.PytestUnknownMarkWarning", f"--rootdir={tmp_path}", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert [words for words in said if words not in done.stdout + done.stderr] == []


def test_every_package_meets_a_need_and_every_need_has_a_package() -> None:
    assert {need.package for need in live.NEEDS.values()} == set(live.PACKAGES)
    assert {name for need in live.NEEDS.values() for name in need.after} <= set(live.NEEDS)


def test_continuous_integration_installs_what_it_requires() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8").partition("packages=(\n")[2].partition("\n)\n")[0]
    installed = [name for line in text.splitlines() for name in line.partition("#")[0].split()]
    debian = [row.name for row in live.PACKAGES.values() if row.continuous and row.install.startswith("Debian")]
    assert sorted(installed) == sorted(debian)


def test_a_fault_of_a_run_with_a_package_hidden_is_named() -> None:
    def run(package: str, *reasons: str, **counts: int) -> hidden.Run:
        return hidden.Run(package, counts, dict.fromkeys(reasons, 1), "what failed", 1.0)

    there, gone = "no C compiler (Debian: apt-get install gcc)", "no spirv-val (Debian: apt-get install spirv-tools)"
    before = run("", there, passed=9)
    assert hidden.faults(run("spirv-tools", there, gone, passed=8), before) == []
    assert hidden.faults(run("spirv-tools", there, passed=9), before) == ["no test was skipped for it"]
    assert hidden.faults(run("spirv-tools", gone, failed=1), before) == ["what failed"]
    assert hidden.faults(run("gcc", there, gone), before) == [f"another reason to skip: {gone}"]
