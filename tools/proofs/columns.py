"""`statetracker.batch` beside single conversions: random states in every dialect, byte for byte.

``python -m tools.proofs.columns [COUNT]`` (``make columns``) converts COUNT random states, 1,000,000 unless said, in
each dialect: as columns, and one after the other by `statetracker.sampler.Converter.record`, which is the reference.
Each piece of 10,000 has a screen, 20 textures, and units of its own.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker import batch
from statetracker.caps import PROFILES, UNFILTERABLE_DEPTH, FormatFeatures, Screen
from statetracker.gl.enums import DepthTextureMode, Target
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.formats import internal_formats
from statetracker.gl.sampler import FAMILIES
from statetracker.sampler import DIALECTS, converter
from statetracker.sampler.conversion import has_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.batch.rows import Array
    from statetracker.gl.sampler import Sampler

__all__ = ["Compared", "compared", "facts", "main", "random_rows", "screen"]

_PIECE: Final = 10_000
_TEXTURES: Final = 20
_FORMATS: Final = tuple(internal_formats())
_BOUNDARY: Final = (
    0.0,
    -0.0,
    1e-45,
    -1e-45,
    0.49999997 / 256,
    0.5 / 256,
    -0.5 / 256,
    1.0,
    15.999999,
    16.0,
    -16.0,
    31.5,
)
_ODD: Final = np.array([*_BOUNDARY, -32.0, 1000.0, -1000.0, np.nan, np.inf, -np.inf, 3e38, -3e38], np.float32)
_WORDS: Final = np.array([0, 1, 0x80000000, 0x3F800000, 0x7FC00001, 0xFFFFFFFF], np.uint32)
_FLAGS: Final = (
    *("emulate_gl_clamp", "lower_rect_tex", "texture_buffer_sampler", "float_linear"),
    *("apply_texture_swizzle_to_border_color", "use_format_with_border_color", "alpha_border_color_is_not_w"),
    *("need_border_color_type", "force_integer_tex_nearest"),
)


class Compared(NamedTuple):
    """What came of a piece: the states and records that were compared, and the first that differs, in words."""

    states: int
    records: int
    differs: str


def _floats(chance: np.random.Generator, count: int, span: float) -> Array:
    """Floats of a span, boundary values, halves of the bias grid, and any bits."""
    kinds = (
        chance.uniform(-span, span, count).astype(np.float32),
        chance.choice(_ODD, count),
        ((chance.integers(-5000, 5000, count) + 0.5) / 256).astype(np.float32),
        chance.integers(0, 1 << 32, count, np.uint32).view(np.float32),
    )
    kinds[-1].view(np.uint32)[np.isnan(kinds[-1])] |= 1 << 22  # a Python float cannot keep a signalling NaN
    picked: Array = np.choose(chance.integers(0, len(kinds), count), kinds)
    return picked


def random_rows(chance: np.random.Generator, count: int) -> Array:
    """Samplers, each member by itself."""
    rows = np.zeros(count, batch.SAMPLER)
    for field, family in FAMILIES.items():
        rows[field] = chance.choice(np.array([int(value) for value in family], np.uint16), count)
    rows["cube_map_seamless"] = chance.integers(0, 2, count)
    anisotropy = _floats(chance, count, 40.0)
    rows["max_anisotropy"] = np.where(anisotropy < 1.0, np.float32(1.0), anisotropy)
    for field, span in (("lod_bias", 20.0), ("min_lod", 20.0), ("max_lod", 20.0)):
        rows[field] = _floats(chance, count, span)
    shape = count, 4
    words = np.where(chance.random(shape) < 0.5, chance.choice(_WORDS, shape), chance.integers(0, 1 << 32, shape))
    rows["border_color"] = words * (chance.random((count, 1)) < 0.8)
    return rows


def facts(chance: random.Random) -> TextureFacts:
    """A texture of any format and target, with any swizzle and modes."""
    fmt = chance.choice(_FORMATS)
    surface = chance.choice([None, None, "NV12", "IYUV"]) if fmt.base_format == "RGBA" else None
    return TextureFacts.of(
        base_format=fmt.base_format,
        internal_format=fmt.name,
        is_integer=fmt.is_integer and chance.random() < 0.8,
        surface_format=surface,
        storage_format=None,
        target=int(chance.choice(list(Target))),
        is_float=chance.random() < 0.3,
        stencil_sampling=chance.random() < 0.3,
        depth_mode=chance.choice(list(DepthTextureMode)),
        swizzle=chance.choice([(0, 1, 2, 3), tuple(chance.randrange(6) for _ in range(4))]),
        view_swizzle=chance.choice([None, tuple(chance.randrange(6) for _ in range(4))]),
    )


def screen(chance: random.Random) -> Screen:
    """An embedded screen, or one with any flags."""
    if chance.random() < 0.5:
        return Screen.named(chance.choice(sorted(PROFILES)))
    flags: dict[str, Any] = {flag: chance.random() < 0.5 for flag in _FLAGS}
    return Screen(
        **flags,
        linear_filtering=chance.choice([None, FormatFeatures({}, default=False), FormatFeatures({})]),
        unfilterable_depth=chance.choice(UNFILTERABLE_DEPTH),
        max_anisotropy=chance.choice([0.0, 2.0, 15.5, 16.0, 40.0]),
    )


def compared(count: int, seed: int) -> Iterator[Compared]:
    """Compare ``count`` states in every dialect, piece by piece."""
    chance, numbers = random.Random(seed), np.random.default_rng(seed)  # noqa: S311 (the same states every time)
    for start in range(0, count, _PIECE):
        rows = random_rows(numbers, min(_PIECE, count - start))
        textures, where = [facts(chance) for _ in range(_TEXTURES)], screen(chance)
        which = numbers.integers(0, _TEXTURES, len(rows))
        biases, seamless = _floats(numbers, len(rows), 20.0), numbers.integers(0, 2, len(rows)).astype(bool)
        biases[:] = biases if chance.random() < 0.5 else 0.0
        program = {"glsl130": chance.random() < 0.7, "bindless": chance.random() < 0.2}
        units = [
            UnitFacts.of(b, seamless=s, **program) for b, s in zip(biases.tolist(), seamless.tolist(), strict=True)
        ]
        pairs = list(zip(batch.samplers_of(rows), (textures[n] for n in which.tolist()), units, strict=True))
        differs = ""
        for dialect in DIALECTS:
            given: dict[str, Any] = {"unit_lod_bias": biases, "seamless": seamless, "dialect": dialect, **program}
            made = batch.records(rows, textures, where, texture_index=which, **given)
            differs = differs or _first(pairs, made, where, dialect)
        yield Compared(len(rows), len(rows) * len(DIALECTS), differs)


def _first(pairs: list[tuple[Sampler, TextureFacts, UnitFacts]], made: Array, where: Screen, dialect: str) -> str:
    """The first row that is not what one conversion gives; empty where all are."""
    one: Any = converter(where, dialect).record
    zeros = bytes(made.dtype.itemsize)
    wanted = [one(*pair) if has_state(*pair[1:]) else zeros for pair in pairs]
    if b"".join(wanted) == made.tobytes():
        return ""
    n = next(n for n, record in enumerate(wanted) if record != made[n].tobytes())
    return f"dialect {dialect}, {pairs[n]}: {made[n].tobytes().hex()} is not {wanted[n].hex()}"


def main(arguments: list[str]) -> int:
    """Compare and print; 1 where a record differs."""
    count = int(arguments[0]) if arguments else 1_000_000
    states = records = 0
    for piece in compared(count, seed=1):
        states, records = states + piece.states, records + piece.records
        if piece.differs:
            print(piece.differs)
            return 1
        if states % 100_000 == 0:
            print(f"{states:,} states, {records:,} records: all the same", flush=True)
    print(
        f"{states:,} random states, {len(DIALECTS)} dialects: {records:,} records, all as single conversions have them"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
