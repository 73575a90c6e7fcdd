"""`statetracker.sampler.batch_lowering`: the same as one lowering after another."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from statetracker.caps import Screen
from statetracker.errors import ArgumentError
from statetracker.gl import Sampler, Texture, Wrap
from statetracker.pipe import Lowering
from statetracker.sampler import lowering
from statetracker.sampler.batch import pack_samplers
from statetracker.sampler.batch_lowering import LOWERING, lowering_batch

SAMPLERS = [Sampler(wrap_s=s, wrap_t=t, wrap_r=r) for s, t, r in product(Wrap, repeat=3)]
TEXTURES = [Texture(target, "RGBA8").facts() for target in ("2d", "rectangle", "buffer", "cube-map")]
SCREENS = [
    Screen(emulate_gl_clamp=emulates, lower_rect_tex=lowers, texture_buffer_sampler=buffers)
    for emulates, lowers, buffers in product((False, True), repeat=3)
]


@pytest.mark.parametrize(
    "screen", SCREENS, ids=lambda s: f"{s.emulate_gl_clamp}-{s.lower_rect_tex}-{s.texture_buffer_sampler}"
)
def test_batches_are_single_lowerings_over_all_wraps(screen: Screen) -> None:
    """All 512 triples on four targets."""
    packed = np.repeat(pack_samplers(SAMPLERS), len(TEXTURES))
    which = np.tile(np.arange(len(TEXTURES)), len(SAMPLERS))
    found = lowering_batch(packed, TEXTURES, screen, texture_index=which)
    expected = [lowering(sampler, facts, screen) for sampler in SAMPLERS for facts in TEXTURES]
    assert found.dtype == LOWERING
    assert [Lowering(*row) for row in found.tolist()] == expected


def test_samplers_need_not_be_packed_and_may_be_none() -> None:
    """One texture for all."""
    screen = Screen(emulate_gl_clamp=True)
    assert lowering_batch([], TEXTURES[0], screen).shape == (0,)
    assert lowering_batch([Sampler(wrap_s="clamp")], TEXTURES[0], screen)["clamp"].tolist() == ["s"]


def test_without_numpy_the_error_names_the_extra() -> None:
    """Whichever of the two modules is imported first."""
    program = "import sys; sys.modules['numpy'] = None; import statetracker.sampler.batch_lowering"
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert "gallium-statetracker[batch]" in ran.stderr


def test_other_arrays_are_refused() -> None:
    """As for records."""
    with pytest.raises(ArgumentError, match="samplers"):
        lowering_batch(np.zeros(3), TEXTURES[0], SCREENS[0])
