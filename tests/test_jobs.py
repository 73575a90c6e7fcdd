"""Work in parts: the same by a loop, by processes and by Dask; what becomes of it when processes die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread, main_thread
from typing import Any, Final

import pytest

import statetracker
import statetracker as st
from statetracker import jobs
from statetracker.errors import ArgumentError, MissingExtra, WorkerLost
from statetracker.jobs import identity, run_jobs
from tests.jobs_work import cluster, converted, deadly, doomed, held, runs, slow, square, until

ROOT: Final = Path(__file__).parents[1]
WAYS: Final = ("processes", "Dask")


def where(way: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The arguments that ask for a way to run parts."""
    return {"scheduler": request.getfixturevalue("two_workers")} if way == "Dask" else {"jobs": 2 - (way == "a loop")}


def numbers(count: int, *arguments: object) -> dict[str, tuple[Any, ...]]:
    return {f"number {n}": (n, *arguments) for n in range(count)}


def squares(count: int) -> dict[str, int]:
    return {f"number {n}": n * n for n in range(count)}


@pytest.mark.parametrize("way", ["a loop", *WAYS])
def test_all_ways_give_the_same_in_the_same_order_and_what_is_kept_is_not_run_again(
    way: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    watched: list[str] = []
    given = list(run_jobs(square, numbers(40), watch=watched.append, **where(way, request)))
    assert given == list(squares(40).items())
    assert sorted(watched) == sorted(squares(40))
    kept = {"number 0": 0, "number 3": 9}
    assert dict(run_jobs(slow, numbers(5, tmp_path), kept=kept, **where(way, request))) == squares(5) == kept
    assert {number for number, _ in runs(tmp_path)} == {1, 2, 4}


@pytest.mark.parametrize("way", WAYS)
def test_a_worker_that_is_killed_loses_nothing_and_counts_nothing_twice(
    way: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    def kill() -> None:
        until(lambda: 3 in dict(runs(tmp_path)))
        os.kill(dict(runs(tmp_path))[3], signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    given = list(run_jobs(doomed, numbers(8, tmp_path), **where(way, request)))
    killer.join()
    assert given == list(squares(8).items())
    assert [number for number, _ in runs(tmp_path)].count(3) == 2, "what the killed one had under way was run again"


@pytest.mark.parametrize("way", WAYS)
def test_a_part_that_kills_each_process_is_named_when_all_others_are_done_and_kept(
    way: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    kept: dict[str, int] = {}
    with pytest.raises(WorkerLost, match="part 'number 2': its process died each time, alone too") as lost:
        list(run_jobs(deadly, numbers(5, tmp_path), kept=kept, **where(way, request)))
    assert lost.value.part == "number 2"
    assert kept == {part: result for part, result in squares(5).items() if part != "number 2"}


def test_an_interrupt_keeps_what_was_under_way_and_the_next_run_goes_on(tmp_path: Path) -> None:
    kept: dict[str, int] = {}
    go = tmp_path / "go"
    (begun := tmp_path / "begun").mkdir()

    def interrupt() -> None:
        until(lambda: list(runs(begun)))
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        go.touch()

    stop = Thread(target=interrupt)
    stop.start()
    with pytest.raises(KeyboardInterrupt):
        list(run_jobs(held, numbers(30, begun, go), jobs=2, kept=kept))
    stop.join()
    assert {f"number {number}" for number, _ in runs(begun)} == kept.keys()
    assert 0 < len(kept) < 30
    assert list(run_jobs(slow, numbers(12, begun), jobs=2, kept=kept)) == list(squares(12).items())
    assert len(list(runs(begun))) == len(kept), "nothing twice"


@pytest.mark.parametrize("way", ["a loop", *WAYS])
def test_an_error_of_the_work_arrives(way: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(ValueError, match="-7"):
        list(run_jobs(square, {"good": (3,), "bad": (-7,)}, **where(way, request)))
    with pytest.raises(TypeError):
        list(run_jobs(square, {"good": (3,), "bad": ("a word",)}, **where(way, request)))


def test_processes_end_with_the_one_that_began_them(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from statetracker.jobs import run_jobs; from tests.jobs_work import slow\n"
        f"list(run_jobs(slow, {{str(n): (n, Path({str(tmp_path)!r})) for n in range(1000)}}, jobs=2))"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) as run:
        until(lambda: len(list(runs(tmp_path))) >= 2)
        run.kill()
    for _, process in runs(tmp_path):
        with suppress(ProcessLookupError):
            until(partial(os.kill, process, 0))


@pytest.mark.parametrize("way", WAYS)
def test_states_go_there_and_results_come_back(way: str, request: pytest.FixtureRequest) -> None:
    sampler, texture = st.Sampler(wrap="clamp", border_color=(1, 0, 0, 1)), st.Texture(size=(64, 64))
    screen, policy = st.Screen.device(report=38434), st.Policy(max_anisotropy=4)
    given = dict(run_jobs(converted, {"one": (sampler, texture, screen, policy)}, **where(way, request)))["one"]
    here = converted(sampler, texture, screen, policy)
    assert (given.pipe, given.vulkan, given.lowering) == (here.pipe, here.vulkan, here.lowering)
    assert str(given.explain()) == str(here.explain())


def test_workers_of_another_version_are_refused_and_one_that_comes_later_runs_nothing(
    two_workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = identity()
    monkeypatch.setattr(statetracker, "__version__", "9.9")
    identity.cache_clear()
    try:
        with pytest.raises(ArgumentError) as refused:
            list(run_jobs(square, numbers(1), scheduler=two_workers))
    finally:
        identity.cache_clear()
    assert "whose workers have gallium-statetracker 9.9" in str(refused.value)
    assert f"has {theirs}" in str(refused.value)
    monkeypatch.undo()
    with pytest.raises(ArgumentError, match=r"accepted: gallium-statetracker 9\.9"):
        jobs._on_worker("9.9", square, (2,))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "nonsense://here:1"])
def test_a_scheduler_that_does_not_answer_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_PATIENCE_S", 1)
    with pytest.raises(ArgumentError, match="It does not answer"):
        list(run_jobs(square, numbers(1), scheduler=address))


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    waits = distributed.Client.wait_for_workers
    monkeypatch.setattr(distributed.Client, "wait_for_workers", lambda self, count, **_: waits(self, count, timeout=1))
    with (
        cluster(0) as address,
        pytest.raises(ArgumentError, match="It has no worker; one is started with: dask worker tcp://"),
    ):
        list(run_jobs(square, numbers(1), scheduler=address))


def test_a_run_whose_workers_are_gone_says_so_and_keeps_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    distributed, kept = pytest.importorskip("distributed"), dict[str, int]()
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as made:
        run = run_jobs(slow, numbers(200, tmp_path), scheduler=made.scheduler_address, kept=kept)
        next(run)
        monkeypatch.setattr(jobs, "_PATIENCE_S", 3)
        made.scale(0)
        with pytest.raises(ArgumentError, match="All its workers are gone"):
            list(run)
    assert 0 < len(kept) < 200


def test_a_result_that_its_worker_took_along_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a worker goes in the moment in which its result comes, Dask's executor cannot unpack that: it raised."""
    distributed, status, lost = pytest.importorskip("distributed"), [], ["lost"]
    status.append(distributed.client.Future.status.fget)
    answers = property(lambda self: lost.pop() if lost and status[0](self) == "finished" else status[0](self))
    with cluster(1) as address:
        monkeypatch.setattr(distributed.client.Future, "status", answers)
        assert dict(run_jobs(square, numbers(5), scheduler=address)) == squares(5)
    assert not lost


def test_without_dask_the_error_names_the_extra_unless_there_are_no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install distributed$"):
        list(run_jobs(square, numbers(1), scheduler="tcp://127.0.0.1:9"))
    assert list(run_jobs(square, {}, scheduler="tcp://127.0.0.1:9")) == []
