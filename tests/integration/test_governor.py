"""Many more states than a limit allows, at limits of real devices; `make governor` binds 50,000 a million times."""

from __future__ import annotations

import random
from typing import Any

import pytest

import statetracker as st
from tests.cso.counting import CountingDriver

FRAME = 1000  # binds
VIEW = 400  # materials that the camera sees at once
WRAPS = ("repeat", "mirrored-repeat", "clamp-to-edge", "clamp-to-border")
FILTERS = ("linear-mipmap-linear", "linear-mipmap-nearest", "nearest-mipmap-linear")


@pytest.fixture(scope="module")
def materials(whole: bool) -> list[tuple[tuple[st.Sampler, st.Texture]]]:
    """Materials of one sampler, no two of whose states are alike."""
    chance, texture = random.Random(3), st.Texture(internal_format="RGBA8", size=(64, 64), levels=7)  # noqa: S311
    made = []
    for n in range(50_000 if whole else 6_000):
        options: dict[str, Any] = {"wrap": chance.choice(WRAPS), "min_filter": chance.choice(FILTERS)}
        if options["wrap"] == "clamp-to-border":
            options["border_color"] = tuple(chance.randrange(5) / 4 for _ in range(4))
        anisotropy = chance.choice((1, 2, 4, 8, 16))
        sampler = st.Sampler(lod_bias=n % 4096 / 256 - 8, max_lod=8.0 + n // 4096, max_anisotropy=anisotropy, **options)
        made.append(((sampler, texture),))
    return made


@pytest.mark.parametrize("limit", [16, 24, 64, 1024, 4000], ids=["xemu", "24", "64", "Apple", "SwiftShader"])
@pytest.mark.parametrize("when_full", ["merge", "nearest"])
def test_the_limit_is_never_passed_and_a_bind_makes_one_state_at_most(
    limit: int, when_full: str, materials: list[tuple[tuple[st.Sampler, st.Texture]]], whole: bool
) -> None:
    """A camera meets the materials and moves on."""
    driver, chance = CountingDriver(limit + 1), random.Random(limit)  # noqa: S311
    policy = st.Policy(unique_limit=limit, when_full=when_full)
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=policy)
    binds = 1_000_000 if whole else 8_000
    for done in range(0, binds, FRAME):
        at = done * len(materials) // binds * 3
        for _ in range(FRAME):
            before = driver.creates
            tracker.bind("fragment", materials[(at + int(VIEW * chance.random() ** 2)) % len(materials)])
            assert driver.creates <= before + 1
        tracker.end_frame()
    worst = tracker.cso.cache.worst  # type: ignore[attr-defined]  # a governor's
    tracker.destroy()
    assert driver.peak == limit or driver.creates < limit
    assert driver.wrong == 0
    assert worst.distance <= 1 or when_full == "nearest"
