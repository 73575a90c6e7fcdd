"""The sources of a program read as one, and a machine without pcpp."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from statetracker.replay.glsl import last_element, link_sources

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "programs"
SOURCE = "uniform sampler2D s[3], t; void main() { gl_FragColor = texture2D(s[1], vec2(0)) + texture2D(t, vec2(0)); }"
#: Without pcpp, run the command line; then say whether pcpp was asked for.
WITHOUT = "import sys; sys.modules['pcpp'] = None; from statetracker.cli import main; sys.exit(main(sys.argv[1:]))"
LAZY = (
    "import sys; from statetracker.cli import main; main(sys.argv[1:]); print('pcpp' in sys.modules, file=sys.stderr)"
)


def run(program: str, name: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, "replay", str(DATA / f"{name}.dump.txt.gz")]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def linked(**sources: str) -> tuple[str, tuple[str, ...]]:
    seen = link_sources({stage: [text] for stage, text in sources.items()})
    return seen.failed, seen.problems


def test_samplers_have_stages_sizes_slots_and_locations() -> None:
    seen = link_sources({"fragment": [SOURCE]})
    assert [(s.name, s.type, s.size, s.stages) for s in seen.samplers] == [
        ("s", "sampler2D", 2, ("fragment",)),
        ("t", "sampler2D", 1, ("fragment",)),
    ]
    assert seen.slots == {"fragment": [("s", 0), ("s", 1), ("t", 0)]}
    assert seen.locations == {"s": 0, "s[0]": 0, "s[1]": 1, "t": 2}
    assert [last_element(sampler) for sampler in seen.samplers] == ["s[1]", "t"]
    assert (seen.version, seen.problems, seen.failed) == (110, (), "")


@pytest.mark.parametrize(
    ("source", "failed"),
    [
        ("void f() { }", "fragment: there is no main"),
        ('#include "/x"\nvoid main() { }', "fragment: #include"),
    ],
)
def test_what_gl_would_not_link_is_failed_and_a_problem(source: str, failed: str) -> None:
    seen, problems = linked(vertex="void main() { }", fragment=source)
    assert seen.startswith(failed)
    assert problems == (seen,)


def test_without_pcpp_a_program_with_glsl_gives_the_error_and_code_2() -> None:
    ran = run(WITHOUT, "fragment-and-vertex")
    assert ran.returncode == 2
    assert "pip install pcpp" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(("name", "loaded"), [("texwrap", "False"), ("fragment-and-vertex", "True")])
def test_pcpp_is_loaded_with_the_first_glsl_source(name: str, loaded: str) -> None:
    assert run(LAZY, name).stderr.splitlines()[-1] == loaded
