"""A frame loop as an emulator of a console of the nineties has it, made up: what is bound is the same in every run.

A tile has its own wraps, a filter, a clamp of its levels; the front end turns the scale of the picture and the distance
of the camera into a LOD bias for each draw, to 1/256 of a level. So a few dozen tiles become thousands of states.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from statetracker.gl import Sampler, Texture

if TYPE_CHECKING:
    from statetracker.frontend import FrameCounts, StateTracker

#: Frames until another scene.
SCENE: Final = 60
_WRAPS: Final = ("repeat", "mirrored-repeat", "clamp-to-edge")
_TILES: Final = 10  # of a scene


def _tiles(seed: int) -> list[dict[str, Any]]:
    """Return the tiles of a scene: those of others come back in it."""
    chance = random.Random(seed % 4)  # noqa: S311
    return [
        {
            "wrap_s": chance.choice(_WRAPS),
            "wrap_t": chance.choice(_WRAPS[:2]),
            "min_filter": "linear-mipmap-linear",
            "mag_filter": chance.choice(("nearest", "linear")),
            "max_lod": float(chance.randrange(3, 6)),
        }
        for _ in range(_TILES)
    ]


def draw_frames(tracker: StateTracker[Any], frames: int) -> list[FrameCounts]:
    """Draw frames: one bind of two units for each tile."""
    texture = Texture(internal_format="RGBA8", size=(64, 64), levels=7)
    shade = Sampler(wrap="clamp-to-border", border_color=(0.2, 0.1, 0.0, 1.0)), texture
    counts = []
    for frame in range(frames):
        for at, tile in enumerate(_tiles(frame // SCENE)):
            distance = (frame * 37 + at * 61) % 1024 / 256  # the camera moves
            tracker.bind("fragment", ((Sampler(lod_bias=-distance, **tile), texture), shade))
        counts.append(tracker.end_frame())
    return counts
