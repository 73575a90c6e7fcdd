"""Cases that other processes run, with a stand-in for the driver: tally, mismatches and recording are the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from statetracker.cli import main
from statetracker.conformance.drivers import driver
from statetracker.conformance.generate import cases_from
from statetracker.conformance.run import Asked, Done, conform, spread
from statetracker.conformance.tally import Tally
from statetracker.errors import NoDevice
from tests.jobs_work import cluster

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
        yield from ((mesa, Done({"mesa_version": mesa}, [])) for mesa in ("22.3.6", "25.0.7"))

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


def test_what_is_not_a_driver_is_not_spread(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--convert", "mine:mine", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "--scheduler='tcp://127.0.0.1:9' cannot be used" in capsys.readouterr().err
