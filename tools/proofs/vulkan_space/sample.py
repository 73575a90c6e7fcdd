"""Random states themselves on rows of the corpus themselves: the check that columns and classes stand for them."""

from __future__ import annotations

from functools import cache
from random import Random

import statetracker as st
from statetracker.caps.devices import DeviceRow, corpus, device_facts
from statetracker.survey.space import TEXTURES
from tools.proofs.vulkan_space.judge import checked

__all__ = ["sample"]


def sample(seed: int, count: int) -> list[str]:
    """Check pairs of a state and a row; give what is wrong."""
    rng = Random(seed)  # noqa: S311 (the same in every run)
    seen = []
    for _ in range(count):
        row = rng.choice(corpus())
        seen += checked(rng.choice(list(TEXTURES)), row, _screen(row), rng)
    return seen


@cache
def _screen(row: DeviceRow) -> st.Screen:
    return st.Screen.from_vulkan(device_facts(row))
