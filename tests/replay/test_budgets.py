"""What is planned is what a loop then does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import statetracker as st
from statetracker.benchmarks.emulator_loop import draw_frames
from statetracker.caps import Screen
from statetracker.cso import POLICIES, Loss, RecordingDriver
from statetracker.frontend import LoggedTracker, Policy
from statetracker.pipe import SamplerState
from statetracker.replay import Run, plan, play, read_run
from statetracker.replay.budgets import distinct
from tests.cso.counting import CountingDriver

PROGRAMS = Path(__file__).parents[1] / "data" / "programs"
SCREEN = Screen.named("zink-lavapipe")
FRAMES = 150


@cache
def recorded() -> Run:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        with LoggedTracker(path, SCREEN, RecordingDriver()) as tracker:
            draw_frames(tracker, FRAMES)
        return read_run(str(path))


def bare(*frames: Sequence[tuple[bytes | None, ...]], screen: Screen = SCREEN) -> Run:
    return Run("made up", screen, "mesa22", [[("fragment", records) for records in frame] for frame in frames])


def state(**fields: Any) -> bytes:
    return bytes(SamplerState(**fields))


@pytest.mark.parametrize("eviction", POLICIES)
@pytest.mark.parametrize(
    "policy",
    [
        *(Policy(max_states=most) for most in (4, 16, 256, 10**6)),
        *(Policy(unique_limit=most, when_full=when) for most in (16, 24, 256) for when in ("merge", "nearest")),
        Policy(lod_quantum=1 / 16, lod_offset=0.25, max_states=64, canonical=False),
    ],
    ids=repr,
)
def test_what_is_planned_is_what_the_loop_does_create_for_create(policy: Policy, eviction: str) -> None:
    driver = CountingDriver(1 << 13)
    done = draw_frames(st.StateTracker(SCREEN, driver, policy=policy, eviction=eviction), FRAMES)
    planned = play(recorded(), policy, eviction)
    assert (planned.peak, planned.creates) == (driver.peak, driver.creates)
    seen = [(frame.creates, frame.deletes, frame.live, frame.merged) for frame in done]
    assert [(frame.creates, frame.deletes, frame.live, frame.merged) for frame in planned.frames] == seen


@pytest.mark.parametrize("limit", [16, 64, 1024])
def test_what_is_advised_fits_when_it_is_applied(limit: int) -> None:
    made = plan(recorded(), limit)
    driver = CountingDriver(1 << 13)
    draw_frames(st.StateTracker(SCREEN, driver, policy=made.advice.policy), FRAMES)
    assert driver.peak == made.advice.peak <= limit
    assert made.advice.fits(limit), str(made)


def test_the_cheapest_change_is_taken() -> None:
    run = bare(*([(state(lod_bias=n / 256),)] for n in (*range(257), *range(257))))
    changes = {limit: plan(run, limit).advice for limit in (257, 256, 64, 2, 1)}
    assert {limit: repr(advice.policy) for limit, advice in changes.items()} == {
        257: "Policy(max_states=257)",
        256: "Policy(lod_quantum=0.015625, max_states=256)",
        64: "Policy(lod_quantum=0.03125, max_states=64)",
        2: "Policy(lod_quantum=1.0, max_states=2)",
        1: "Policy(unique_limit=1, when_full='nearest')",
    }
    assert [advice.loss.lod for advice in changes.values()] == [0, 1 / 128, 1 / 64, 1 / 2, 1]


def test_where_nothing_comes_back_eviction_costs_no_picture() -> None:
    run = bare(*([(state(lod_bias=n / 256),)] for n in range(257)))
    assert repr(plan(run, 16).advice.policy) == "Policy(max_states=16)"


def test_the_advice_is_one_sentence() -> None:
    run = bare(*([(state(lod_bias=n / 256),)] for n in (*range(257), *range(257))))
    assert str(plan(run, 1000)) == "257 of 1,000 live states: nothing need change"
    said = "Policy(lod_quantum=0.03125, max_states=64): 257 -> 33 live states of 64; lost: LOD 0.01562 levels"
    assert str(plan(run, 64)) == said


def test_anisotropy_is_a_knob_too() -> None:
    run = bare([(state(max_anisotropy=n),) for n in (2, 4, 8, 16)] * 9)
    assert plan(run, 3).advice.policy.max_anisotropy == 8
    assert plan(run, 3).advice.loss == Loss(anisotropy=1.0)


def test_more_at_once_than_the_limit_does_not_fit() -> None:
    wraps = ("repeat", "clamp-to-edge", "mirror-repeat")
    made = plan(bare([tuple(state(wrap_s=wrap) for wrap in wraps)]), 2)
    assert not made.advice.fits(2)
    assert str(made).endswith("it does not fit")


def test_samplers_are_counted_in_four_ways() -> None:
    records = [
        state(),
        state(lod_bias=-0.0),  # the same in canonical form
        state(border_color=(1.0, 0.0, 0.0, 0.0)),  # and this: nothing reads it
        state(seamless_cube_map=True),
        state(max_anisotropy=1),
        state(wrap_s="clamp-to-border", border_color=(0.5, 0.0, 0.0, 0.0)),
        state(wrap_s="clamp-to-border", border_color=(0.5, 0.0, 0.0, 0.25)),
    ]
    counted = distinct(bare([(record,) for record in records], screen=Screen.device("SwiftShader")))
    assert counted[:2] == (7, 5)
    assert counted.canonical >= counted.infos >= counted.content
    assert counted.colours == 2


def test_hitches_and_hits_are_those_of_the_frames() -> None:
    a, b, c = (state(lod_bias=n) for n in (0.0, 1.0, 2.0))
    played = play(bare([(a,), (b,), (a,)], [(a,)], [(c,), (b,)]), Policy())
    assert [frame.creates for frame in played.frames] == [2, 0, 1]
    assert (played.hitch, played.records, played.hits, played.again) == (1, 6, 3, 0)
    assert played.hit_rate == 0.5


@pytest.mark.parametrize("limit", [16, 24, 64, 1024, 4000])
@pytest.mark.parametrize("when", ["merge", "nearest"])
def test_recorded_programs_stay_below_simulated_limits(limit: int, when: str) -> None:
    for name in ("sampler-tour", "texwrap", "lodbias", "sampler-objects", "max-samplers"):
        played = play(program(name), Policy(unique_limit=limit, when_full=when))
        assert played.peak <= limit


@cache
def program(name: str) -> Run:
    return read_run(str(PROGRAMS / f"{name}.dump.txt.gz"))
