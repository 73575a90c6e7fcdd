"""Random records of 36 bytes: any bits at all, and numbers that matter."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

__all__ = ["random_record"]

_FLOATS: Final = (0.0, -0.0, 0.25, 1.0, -1.0, 0.5, 15.0, 16.0, -16.0, 31.9, 1e9, math.inf, -math.inf, math.nan)
_CHANNELS: Final = (*_FLOATS, 0.1, 2.5, -2.5, 255.0)
_WORDS: Final = (0, 1, 2, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def random_record(rng: Random) -> bytes:
    """Make a record in the 22.3 layout: all fields of the first word random, reserved bits 0; floats often special."""
    floats = [rng.choice(_FLOATS) if rng.random() < 0.7 else rng.uniform(-40, 40) for _ in range(3)]
    kind = rng.randrange(3)
    if kind == 0:  # predefined colours and their neighbours
        color = struct.pack("<4f", *rng.choice(((0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1), (0, 1, 0, 1))))
    elif kind == 1:
        color = struct.pack("<4f", *(rng.choice(_CHANNELS) for _ in range(4)))
    else:
        color = struct.pack("<4I", *(rng.choice(_WORDS) for _ in range(4)))
    format_number = rng.choice((0, 0, 0, rng.randrange(350)))
    return struct.pack("<I3f", rng.getrandbits(27), *floats) + color + struct.pack("<I", format_number)
