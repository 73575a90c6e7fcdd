"""Damaged modules for `st.lower` and `st.split_samplers`, led by coverage: `ModuleError`, `ArgumentError` or a module.

    make fuzz                                       # ten minutes
    .venv/bin/python -m tools.fuzz_modules FILE...  # what was found, once more
    .venv/bin/python -m tools.fuzz_modules -max_total_time=60 build/fuzz   # libFuzzer's own options

The seeds are the shaders of tests/data/shaders and the finds of tests/data/damaged, which tests/shader/test_damage.py
tries without atheris.
"""

from __future__ import annotations

import random
import sys
import zlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.shader.compiled import MODULES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.pipe import Lowering

ROOT: Final = Path(__file__).resolve().parents[1]
DAMAGED: Final = ROOT / "tests" / "data" / "damaged"
SEEDS: Final = ROOT / "build" / "fuzz"
_HEADER: Final = 5  # words


def works() -> list[Lowering]:
    """Every kind of work, for all that a module has at a few places."""
    from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter

    mips = Lowering(
        min_img_filter=TexFilter.LINEAR, min_mip_filter=TexMipfilter.LINEAR, compare_func=Func.LEQUAL
    )  # its magnification is nearest
    return [
        Lowering("s", "t"),
        mips._replace(border="s", half_border="t", route="edge", fixed_depth=True),
        mips._replace(border="st", route="predefined", reflect="s", fold="s", limit_lod=True),
        mips._replace(filter_texels=True, add_lod_bias=True),
        mips._replace(cube_edges=True, repeat="s", half_border="t", route="edge"),
        mips._replace(normalize=True, border="st", route="edge"),
        mips._replace(border="s", route="edge", anisotropic=True, add_lod_bias=True),
        mips._replace(border="s", route="edge", swizzle="BR01"),
    ]


def attack(data: bytes, work: int | None = None) -> None:
    """Do a kind of work on a module, without a number another one for other data, and split it.

    Raises what nobody expects.
    """
    import statetracker as st
    from statetracker.errors import ArgumentError, ModuleError
    from statetracker.spirv import Module

    kinds, way = works(), zlib.crc32(data)
    which = way % len(kinds) if work is None else work
    rows = [kinds[which - n] for n in range(4)] if way & 128 else kinds[which]
    request = {(group, binding): rows for group in (0, 1) for binding in range(4)}
    calls: tuple[Callable[[], bytes], ...] = (
        lambda: st.lower(data, request, values=(6, 6), keep_going=True, lod_query=bool(way & 64)).module,
        lambda: st.split_samplers(data).module,
    )
    for call in calls:
        try:
            made = call()
        except (ModuleError, ArgumentError) as error:
            if isinstance(error, ModuleError) and not 0 <= error.offset <= len(data) // 4:
                raise AssertionError(f"its offset is {error.offset}") from error
        else:
            Module.read(made)


def mutated(data: bytes, most: int, seed: int) -> bytes:
    """Change a word, or an instruction, of a module; words come of the module, or are small."""
    chance = random.Random(seed)  # noqa: S311 (not for secrets)
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) - 3, 4)]
    if len(words) <= _HEADER:
        return data
    starts = [_HEADER]
    while starts[-1] < len(words) and words[starts[-1]] >> 16:
        starts.append(starts[-1] + (words[starts[-1]] >> 16))
    parts = [words[at:end] for at, end in pairwise(starts)]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not parts:
            break
        at, way = chance.randrange(len(parts)), chance.randrange(10)
        part = parts[at]
        if way < 6 and len(part) > 1:
            where = chance.randrange(1, len(part))
            other = chance.choice(words)
            numbers = chance.randrange(words[3] or 1), chance.randrange(40), 1 << chance.randrange(32)
            part[where] = chance.choice((other, *numbers))
        elif way == 6:
            parts.insert(at, list(chance.choice(parts)))
        elif way == 7:
            del parts[at]
        elif way == 8:
            parts.insert(chance.randrange(len(parts)), parts.pop(at))
        else:
            part[1:] = part[1 : chance.randrange(1, len(part) + 1)] + [chance.choice(words)] * chance.randrange(3)
            part[0] = len(part) << 16 | part[0] & 0xFFFF
    made = [*words[:_HEADER], *(word for part in parts for word in part)]
    return b"".join(word.to_bytes(4, "little") for word in made)[: most // 4 * 4]


def seeds() -> list[str]:
    """Write the seeds into build/fuzz, which keeps what was found to lead on; the folders for libFuzzer."""
    SEEDS.mkdir(parents=True, exist_ok=True)
    for name, module in MODULES.items():
        (SEEDS / f"{name}.spv").write_bytes(module)
    return [str(SEEDS), str(DAMAGED)]


def main(argv: Sequence[str]) -> None:
    """Fuzz, or try files."""
    files = [Path(one) for one in argv if Path(one).is_file()]
    if files:
        for file in files:
            attack(file.read_bytes())
        return
    import atheris

    with atheris.instrument_imports(include=["statetracker.spirv", "statetracker.shader"]):
        attack(b"")  # imports all of them

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        return atheris.Mutate(data, most) if seed % 8 == 0 else mutated(data, most, seed)

    folders = [] if any(not one.startswith("-") for one in argv) else seeds()
    atheris.Setup([sys.argv[0], "-max_len=16384", "-rss_limit_mb=4096", *argv, *folders], attack, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
