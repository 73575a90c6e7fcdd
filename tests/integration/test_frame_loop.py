"""A frame loop over a working set of three times the budget; `make frame-loop` runs 10,000 frames of 2,000 binds."""

from __future__ import annotations

import sys

import statetracker as st
from tests.cso.counting import CountingDriver

ANIMATED = 24  # samplers whose LOD bias changes every frame


def scene(count: int) -> tuple[list[tuple[tuple[st.Sampler, st.Texture], ...]], list[st.Sampler]]:
    """Materials of two samplers each, no two alike, and the samplers that the game animates."""
    textures = [st.Texture(internal_format=name, size=(64, 64)) for name in ("RGBA8", "R8", "LUMINANCE8", "RG16F")]
    samplers = [st.Sampler(max_lod=n / 8, wrap="clamp" if n % 3 else "repeat") for n in range(2 * count)]
    materials = [
        tuple((samplers[2 * n + k], textures[(n + k) % len(textures)]) for k in range(2)) for n in range(count)
    ]
    return materials, samplers[:: 2 * count // ANIMATED]


def test_many_frames_keep_to_the_budget_and_to_their_memory(whole: bool) -> None:
    """Live states are counted by the driver at every create, memory in blocks of Python's in each tenth of the run."""
    frames, binds, budget = (10_000, 2_000, 1024) if whole else (1500, 40, 64)
    driver = CountingDriver(budget)
    materials, animated = scene(3 * budget // 2)
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=st.Policy(max_states=budget))
    view = len(materials) // 5
    blocks = [0] * 10
    for frame in range(frames):
        for n, sampler in enumerate(animated):
            sampler.lod_bias = (frame * ANIMATED + n) % 4096 / 256
        at = frame * 3  # the camera moves: a fifth is in view, each material in several draws one after the other
        for draw in range(binds):
            tracker.bind("fragment", materials[(at + draw * view // binds) % len(materials)])
        assert tracker.end_frame().binds == binds
        tenth = frame * 10 // frames
        blocks[tenth] = max(blocks[tenth], sys.getallocatedblocks())
    tracker.destroy()
    assert driver.peak == budget
    assert (driver.wrong, driver.live) == (0, 0)
    assert driver.creates == driver.deletes > 10 * budget
    assert max(blocks[5:]) < 1.01 * max(blocks[:5])
