"""Live runs on the machine's own Mesa: agreement, recordings, the command, the plugin."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from statetracker.cli import main
from statetracker.conformance.drivers import driver
from statetracker.conformance.generate import cases_from
from statetracker.conformance.run import Asked, conform, spread
from statetracker.conformance.tally import ROWS, Tally
from statetracker.errors import NoDevice
from tests.jobs_work import cluster

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


STAND_IN: Final = str(Path(__file__).parent / "stand_in.py")


def ran(record: Path, **options: Any) -> tuple[Tally, dict[str, Any], str]:
    """A run on a stand-in that answers other errors than ours, and a recording of it."""
    command = (sys.executable, STAND_IN, "differs")
    given: dict[str, Any] = {"count": 310, "seed": 9, "command": command, "record": str(record)}
    tally = conform("llvmpipe", **given | options)
    return tally, tally.to_dict() | {"seconds": 0}, record.read_text(encoding="utf-8")


@pytest.mark.parametrize("way", ["processes", "Dask"])
def test_the_same_comes_of_cases_that_other_processes_run(
    way: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Three parts, the last one short; ten mismatches are shrunk."""
    where = {"jobs": 2} if way == "processes" else {"scheduler": request.getfixturevalue("two_workers")}
    (here, counts, recording), (there, other, file) = ran(tmp_path / "a"), ran(tmp_path / "b", **where)
    assert (here.cases, here.differ, len(here.mismatches)) == (310, 310, 10)
    assert other == counts
    assert there.mismatches == here.mismatches
    assert (there.cells, there.cells_differ) == (here.cells, here.cells_differ)
    assert file == recording


@pytest.mark.parametrize(
    "options",
    [
        {"cases": list(cases_from(4, 152))},
        {"stop_after": 151},
        {"count": 0},
        {"count": 12, "command": (sys.executable, STAND_IN, "exit")},
    ],
)
def test_so_it_does_of_given_cases_a_run_that_stops_and_cases_that_are_lost(
    options: dict[str, Any], tmp_path: Path
) -> None:
    (here, *rest), (there, *others) = ran(tmp_path / "a", **options), ran(tmp_path / "b", jobs=2, **options)
    assert others == rest
    assert there.failures == here.failures


def test_a_part_says_what_it_is() -> None:
    asked = Asked(driver("zink"), 20, (), None, seed=5, numbers=range(301))
    parts = asked.parts()
    assert list(parts) == [
        "zink, seed 5, cases 0 to 150",
        "zink, seed 5, cases 150 to 300",
        "zink, seed 5, cases 300 to 301",
    ]
    drawn = [case["id"] for (part,) in parts.values() for case in part.cases()]
    assert drawn == [f"5/{number}" for number in range(301)]


def test_a_driver_that_does_not_start_there_says_what_to_install() -> None:
    with pytest.raises(NoDevice, match=r"no driver here.*apt-get install libegl1"):
        conform("llvmpipe", count=2, seed=1, jobs=2, command=(sys.executable, STAND_IN, "mute"))


def test_workers_with_different_drivers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_machines(*_: object, **__: object) -> Any:
        yield from ((mesa, ({"mesa_version": mesa}, [])) for mesa in ("22.3.6", "25.0.7"))

    monkeypatch.setattr("statetracker.conformance.run.run_jobs", two_machines)
    asked = Asked(driver("llvmpipe"), 20, (), None, 1, range(300))
    with (
        spread(asked, jobs=2, scheduler=None) as stream,
        pytest.raises(NoDevice, match=r"drivers differ in mesa_version: '22.3.6', '25.0.7'. Start workers on machines"),
    ):
        list(stream.judged)


@pytest.mark.live("egl:llvmpipe")
def test_the_command_spreads_cases(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    with cluster() as address:
        for where in ([], ["--jobs", "2"], ["--scheduler", address]):
            assert main(["conform", "-n", "160", "--seed", "4", "--json", *where]) == 0
            printed.append(json.loads(capsys.readouterr().out) | {"seconds": 0})
    assert printed[0] == printed[1] == printed[2]
    assert printed[0]["agree"] == 160


WITHOUT_CFFI = """
import sys
sys.modules["cffi"] = None
from statetracker.conformance import worker
sys.exit(worker.main())
"""


def test_what_it_lacks_is_said_once_and_what_to_do_once() -> None:
    environment = {**os.environ, "GALLIUM_TRACE": "trace.xml"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CFFI], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert "needs the package cffi" in answer["failed"]
    assert answer["hint"] == "Install it with: pip install cffi"
    assert answer["hint"] not in answer["failed"]
