"""Live runs on the machine's own Mesa: agreement, recordings, the command, the plugin."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from statetracker.cli import main
from statetracker.conformance.run import conform
from statetracker.conformance.tally import ROWS

DRIVERS = [pytest.param(name, marks=pytest.mark.live(f"egl:{name}")) for name in ("llvmpipe", "softpipe", "zink")]


@pytest.mark.parametrize("name", DRIVERS)
def test_some_hundred_cases_agree(name: str) -> None:
    """All 36 bytes where the driver's copy can be read, what the trace prints elsewhere; errors and read-back, too.

    On zink without the capture layer, as it does not ask for it.
    """
    tally = conform(name, count=200 if name == "zink" else 300, seed=20)
    assert tally.failures == []
    assert [one.differences for one in tally.mismatches] == []
    assert tally.agree == tally.cases >= 200
    assert tally.compared["printed" if name == "zink" else "record"] > tally.cases - 20
    assert (tally.infos, tally.header["create_infos"]) == (0, False)


@pytest.mark.live("egl:llvmpipe")
def test_every_row_of_the_tables_is_hit() -> None:
    """Rules that this screen can fire, and every value that the tables translate."""
    tally = conform("llvmpipe", count=400, seed=3)
    assert [why for why in tally.rules_not_hit().values() if why.startswith("possible")] == []
    assert tally.rows_not_hit() == []
    assert set(ROWS) == {name for name, _ in tally.rows}


@pytest.mark.live("egl:llvmpipe")
def test_recording_is_replayed_without_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--record`` writes what ``replay --check`` reads, exact bits; the same file compares equal with itself."""
    file = str(tmp_path / "kept.jsonl.gz")
    assert main(["conform", "-n", "60", "--seed", "4", "--record", file, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["cases"], printed["agree"], printed["seed"]) == (60, 60, 4)
    with gzip.open(file, "rt") as stream:
        lines = [json.loads(line) for line in stream]
    assert len(lines) == 61
    assert sum("raw" in line for line in lines) > 50
    assert main(["replay", "--check", file]) == 0
    assert main(["diff", file, file]) == 0


@pytest.mark.live("egl:llvmpipe")
def test_report_and_table_are_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Totals on standard output; one HTML file that needs no network."""
    file = tmp_path / "report.html"
    assert main(["conform", "-n", "40", "--seed", "4", "--report", str(file)]) == 0
    said = capsys.readouterr().out
    assert "agree" in said
    assert "llvmpipe" in said
    page = file.read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page
    assert 'name="viewport"' in page


@pytest.mark.live("egl:llvmpipe")
def test_plugin_makes_a_test_of_every_case(tmp_path: Path) -> None:
    """Expected differences fail as expected; one that does not show is reported."""
    expected = tmp_path / "expected.json"
    expected.write_text(json.dumps({"llvmpipe 1/0": "expected to differ, but it does not"}))
    done = pytest_with(tmp_path, "--mesa-driver", "llvmpipe", "--mesa-cases", "5", "--mesa-expected", str(expected))
    assert "4 passed" in done.stdout
    assert "1 failed" in done.stdout
    assert "expected to differ, but it does not" in done.stdout


@pytest.mark.live("egl:llvmpipe")
def test_plugin_refuses_a_driver_and_a_file_that_make_no_sense(tmp_path: Path) -> None:
    for arguments in (["--mesa-driver", "voodoo"], ["--mesa-driver", "llvmpipe", "--mesa-expected", "nowhere.json"]):
        done = pytest_with(tmp_path, *arguments)
        assert done.returncode != 0
        assert "Traceback" not in done.stdout + done.stderr


def pytest_with(folder: Path, *arguments: str) -> Any:
    """Run pytest with the plugin in an empty folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "statetracker.conformance.plugin"]
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
