"""Programs under test: what they are asked, and what becomes of those that die, hang or babble."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import statetracker as st
from statetracker.cli import main
from statetracker.conformance import Program, check_case
from statetracker.conformance.agreement import Agreement, Oracle
from statetracker.conformance.candidate import function_named
from statetracker.conformance.search import search
from statetracker.errors import ArgumentError

ROOT = Path(__file__).parents[2]

#: A program that answers with our own record.
RIGHT = """
import json, sys
import statetracker as st
for line in sys.stdin:
    state = json.loads(line)
    s, t = state["sampler"], state["texture"]
    s["border_color_bits"] = s.pop("border_color")
    texture = st.Texture(t["target"], t["internal_format"], stencil_sampling=t["stencil_sampling"])
    record = st.convert(st.Sampler(**s), texture, st.Screen.named(state["screen"]), **state["unit"]).pipe
    print(json.dumps({"id": state["id"], "state": record.hex()}), flush=True)
"""
#: A program that passes over every state but those with GL_CLAMP.
WRONG = """
import json, os, sys, time
for line in sys.stdin:
    state = json.loads(line)
    if state["sampler"]["wrap_s"] == 0x2900:
        MISDEED
    print(json.dumps({"id": state["id"], "skipped": True}), flush=True)
"""

#: What it does -> how that is reported; test_live.py has what a driver's process may do, too.
MISDEEDS = {
    "os.abort()": "crash: the program ended with signal 6 (abort)",
    "print(line, end='', flush=True); continue": "invalid answer: an answer without 'state'; it has 'id', 'screen'",
    "print(json.dumps({'id': state['id'], 'failed': 'not done yet'}), flush=True); continue": "refused: not done yet",
    "print(json.dumps({'id': state['id'], 'state': '00'}), flush=True); continue": "invalid answer: '00' is no answer",
}


def seen(program: Program, *, count: int = 40) -> Agreement:
    return search(program, Oracle(st.Screen.named("llvmpipe")), count=count, seed=3)


@pytest.mark.parametrize("limit_s", [float("inf"), float("nan"), 1e12])
def test_a_program_may_take_any_time(tmp_path: Path, limit_s: float) -> None:
    script = tmp_path / "right.py"
    script.write_text(RIGHT)
    assert seen(Program([sys.executable, str(script)], limit_s=limit_s), count=2).agrees


def test_a_program_that_answers_right_agrees(tmp_path: Path) -> None:
    script = tmp_path / "right.py"
    script.write_text(RIGHT)
    agreement = seen(Program([sys.executable, str(script)]))
    assert agreement.agrees, str(agreement)
    assert agreement.cases > 20


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_misdeed_is_a_finding_with_the_call_that_brings_it_about(misdeed: str, tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG.replace("MISDEED", misdeed))
    agreement = seen(Program([sys.executable, "-S", str(script)], limit_s=60))
    (example,) = agreement.counterexamples
    said = str(example).splitlines()
    assert said[0].startswith(MISDEEDS[misdeed])
    assert said[1:] == ["    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP)"]


def test_a_program_that_always_hangs_is_not_asked_for_ever() -> None:
    agreement = seen(Program([sys.executable, "-S", "-c", "import time; time.sleep(60)"], limit_s=0.3))
    assert agreement.differ == {"hang": 3}
    assert "asked no more after 3 answers" in agreement.note


@pytest.mark.parametrize(("command", "said"), [("/nowhere/driver", "No such file"), ("", "a program, and perhaps its")])
def test_a_program_that_is_not_there_is_an_error_in_one_line(command: str, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        check_case(convert=Program(command))


@pytest.mark.parametrize("name", ["json", "json:", ":dumps", "json:nothing", "nowhere.at_all:f", "json:__name__"])
def test_a_function_that_is_not_there_is_an_error_in_one_line(name: str) -> None:
    with pytest.raises(ArgumentError, match="convert="):
        function_named(name)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example driver, without and with its fault."""
    folder = tmp_path_factory.mktemp("driver")
    compiler = shutil.which("cc") or shutil.which("gcc") or "cc"
    for name, options in (("driver", []), ("faulty", ["-DFAULT"])):
        command = [compiler, "-Wall", "-Wextra", "-Werror", *options, "-o", name, str(ROOT / "examples" / "driver.c")]
        subprocess.run(command, cwd=folder, check=True)
    return folder


@pytest.mark.live("cc")
def test_the_driver_in_c_agrees_and_its_fault_is_one_short_counterexample(
    compiled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, options = compiled / "junit.xml", ["--compare", "members", "-n", "300", "--seed", "1"]
    assert main(["conform", "--command", str(compiled / "driver"), *options]) == 0
    assert "differ    none" in capsys.readouterr().out
    assert main(["conform", "--command", str(compiled / "faulty"), *options, "--junit", str(file)]) == 1
    said = capsys.readouterr().out
    counterexample = "max_lod: expected -0.5, got 0.0\n    glSamplerParameterf(sampler, GL_TEXTURE_MAX_LOD, -0.5)\n"
    assert said.endswith(f"\n\n{counterexample}")
    assert len(said.splitlines()) <= 12
    assert counterexample in (ROOT / "docs" / "your_code.md").read_text(encoding="utf-8")
    suite = ET.parse(file).getroot()[0]  # noqa: S314 (our own)
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("19", "1", "10")
    (failed,) = (test for test in suite if test.find("failure") is not None)
    assert failed.get("name") == "max_lod"
