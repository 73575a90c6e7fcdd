"""``statetracker record``: tried with a stand-in for apitrace that does what the real one does with files."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from pathlib import Path
from shutil import which

import pytest

from statetracker.trace.apitrace import open_dump
from tests.cli.conftest import Run

APITRACE = f"""#!{sys.executable}
import os, subprocess, sys
if sys.argv[1] == "trace":
    place = sys.argv[sys.argv.index("-o") + 1]
    words = sys.argv[sys.argv.index("-o") + 2 :]
    if "silent" not in words:
        with open(place, "w") as file:
            file.write("0 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\\n" + " ".join(sys.argv[2:3]))
    open("began", "w").close()
    sys.exit(subprocess.call(words))
print(open(sys.argv[-1]).read().splitlines()[0])
"""


@pytest.fixture(autouse=True)
def apitrace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tool = tmp_path / "bin" / "apitrace"
    tool.parent.mkdir()
    tool.write_text(APITRACE)
    tool.chmod(0o755)
    for program in ("true", "sleep"):
        (tool.parent / program).symlink_to(str(which(program)))
    monkeypatch.setenv("PATH", str(tool.parent))
    monkeypatch.chdir(tmp_path)
    return tool


def test_a_program_s_calls_become_a_dump(tmp_path: Path, run: Run) -> None:
    data = run("record", "-o", "made.dump.txt.gz", "--json", "--", sys.executable, "-c", "pass").data
    counts = {"calls": 1, "draws": 0, "frames": 1, "samplers": 0, "sampler_states": 0}
    assert data == {"dump": "made.dump.txt.gz", "mesa": None, **counts}
    with open_dump(str(tmp_path / "made.dump.txt.gz")) as dump:
        assert [call.name for call in dump] == ["glBindTexture"]  # type: ignore[union-attr]


def test_without_a_name_the_dump_is_the_program_s(tmp_path: Path, run: Run) -> None:
    assert run("record", "--", "true").code == 0
    assert gzip.decompress((tmp_path / "true.dump.txt.gz").read_bytes()).startswith(b"0 glBindTexture")


def test_mesa_s_own_trace_is_kept_beside_it(tmp_path: Path, run: Run) -> None:
    """What the program writes there stands for Mesa's trace."""
    writes = "import os; open(os.environ['GALLIUM_TRACE'], 'w').write('<trace></trace>')"
    shown = run("record", "-o", "some.dump.txt", "--json", "--", sys.executable, "-c", writes)
    assert shown.data["mesa"] == "some.xml.gz"
    assert gzip.decompress((tmp_path / "some.xml.gz").read_bytes()) == b"<trace></trace>"


class Begun(subprocess.Popen[bytes]):
    """A process whose seconds are counted from when it runs, however busy the machine is."""

    def wait(self, timeout: float | None = None) -> int:
        while timeout is not None and not Path("began").exists():
            time.sleep(0.01)
        return super().wait(timeout)


def test_a_program_is_stopped_after_its_seconds(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", Begun)
    code, _, err = run("record", "--seconds", "0.5", "--", "sleep", "600")
    assert (code, "sleep: stopped after 0.5 s" in err) == (0, True)


def test_the_words_of_the_program_are_left_alone(tmp_path: Path, run: Run) -> None:
    writes = "import sys; open('words', 'w').write(' '.join(sys.argv[1:]))"
    assert run("record", "--", sys.executable, "-c", writes, "--check=5", "-q").code == 0
    assert (tmp_path / "words").read_text() == "--check=5 -q"


@pytest.mark.parametrize("place", ["none/made.dump.txt.gz", "bin"])
def test_no_program_is_run_whose_dump_could_not_be_written(place: str, tmp_path: Path, run: Run) -> None:
    code, _, err = run("record", "-o", place, "--", "true")
    assert (code, f"{place}: cannot be written" in err, (tmp_path / "began").exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--", "no-such-program"], "no-such-program"),
        (["--", "true", "silent"], "with --egl"),
        (["--egl", "--", "true", "silent"], "without --egl"),
        (["--check", "--", "true"], "Mesa was not the driver"),
    ],
)
def test_what_cannot_be_recorded_exits_with_2(words: list[str], said: str, run: Run) -> None:
    code, _, err = run("record", *words)
    assert (code, said in err) == (2, True)


def test_without_apitrace_the_package_is_named(apitrace: Path, run: Run) -> None:
    apitrace.unlink()
    code, _, err = run("record", "--", "true")
    assert (code, "apt-get install apitrace" in err) == (2, True)
