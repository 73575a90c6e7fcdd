"""Samplers and pictures by wgpu-py: ``make webgpu``. Exit codes: 0 all agree, 1 some do not, 2 it could not run."""

from __future__ import annotations

import argparse
import math
import struct
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.progress import track

from statetracker.caps import Screen
from statetracker.errors import StateTrackerError
from statetracker.webgpu import descriptor, violations
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER
from tools.proofs.pixels.webgpu_run import open_device, webgpu_judgements
from tools.proofs.progress import words
from tools.proofs.webgpu_dawn import Dawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MODES: Final = ("clamp-to-edge", "repeat", "mirror-repeat")
_FILTERS: Final = ("nearest", "linear", "linear")
_COMPARES: Final = (
    None,
    None,
    "never",
    "less",
    "equal",
    "less-equal",
    "greater",
    "not-equal",
    "greater-equal",
    "always",
)
_LODS: Final = (0.0, -0.0, -1.0, 0.25, 1.0, 2.5, 14.0, 32.0, 1000.0)
_FLOATS: Final = (*_LODS, -1000.0, math.inf, -math.inf, math.nan)


def random_record(chance: Random) -> bytes:
    """36 bytes that are a record: any fields, any floats."""
    word = chance.getrandbits(27) & ~(7 << 18)
    if word >> 11 & 3 == 3:
        word &= ~(3 << 11)
    floats = struct.pack("<3f", *(chance.choice(_FLOATS) for _ in range(3)))
    return struct.pack("<I", word | chance.getrandbits(3) << 18) + floats + chance.randbytes(16) + bytes(4)


def random_members(seed: int) -> dict[str, Any]:
    """Members of a descriptor, good or bad, but of the right types."""
    chance = Random(seed)  # noqa: S311 (the same in every run)
    return {
        **{f"address_mode_{axis}": chance.choice(_MODES) for axis in "uvw"},
        **{f"{which}_filter": chance.choice(_FILTERS) for which in ("mag", "min", "mipmap")},
        "lod_min_clamp": chance.choice(_LODS),
        "lod_max_clamp": chance.choice(_LODS),
        "compare": chance.choice(_COMPARES),
        "max_anisotropy": chance.choice((0, 1, 1, 2, 3, 16, 17, 65535)),
    }


def accepted(device: Any, members: Mapping[str, Any]) -> str:  # noqa: ANN401 (wgpu-py's)
    """Nothing where wgpu makes a sampler of it; else what it says."""
    try:
        device.create_sampler(**members)
    except Exception as error:  # noqa: BLE001 (wgpu-py's own classes)
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def agree(device: Any, members: Mapping[str, Any]) -> str:  # noqa: ANN401 (wgpu-py's)
    """Nothing where wgpu and our rules say the same of a descriptor; else what each says."""
    ours = [broken.rule for broken in violations(members)]
    theirs = accepted(device, members)
    return "" if bool(ours) == bool(theirs) else f"{dict(members)}: we say {ours}, wgpu says {theirs or 'nothing'}"


def samplers(console: Console, count: int) -> int:
    """Descriptors of random records, and random descriptors, by wgpu-py and by Dawn; how many are judged otherwise."""
    screens = [Screen.named(name) for name in ("webgpu", "webgpu-float32-filterable")]
    return sum(_judged(console, name, device, screens, count) for name, device in _judges(console))


def _judges(console: Console) -> Iterator[tuple[str, Any]]:
    yield "wgpu", open_device(filters=True)
    try:
        yield "Dawn", Dawn()
    except ImportError:
        console.print("Dawn is not here: pip install dawn-python")


def _judged(console: Console, name: str, device: Any, screens: Sequence[Screen], count: int) -> int:  # noqa: ANN401
    chance, wrong, refused = Random(7), 0, Counter[str]()  # noqa: S311 (the same in every run)
    for number in track(range(count), description=f"samplers by {name}", console=console):
        said = accepted(device, descriptor(random_record(chance), screens[number % 2]))
        members = random_members(number)
        refused.update({broken.rule for broken in violations(members)})
        for one in filter(None, (said, agree(device, members))):
            wrong += 1
            console.print(one, markup=False)
    rules = ", ".join(f"{rule} {times:,}" for rule, times in sorted(refused.items()))
    console.print(f"{name}: {count:,} samplers of random records; of {count:,} random descriptors refused for {rules}")
    console.print(f"{name}: {wrong} judged otherwise than here")
    return wrong


def pictures(console: Console, seed: int) -> int:
    """Every case that WebGPU can draw, and random samplers; how many samples lie outside of their bounds."""
    wrong = 0
    random = ("random", str(seed), "200")
    for groups, device in (((), "llvmpipe"), (random, "llvmpipe"), (random, "SwiftShader")):
        if device == "SwiftShader" and not SWIFTSHADER.exists():
            console.print(f"SwiftShader is not here ({SWIFTSHADER}; Debian: chromium): not drawn")
            continue
        wrong += _drawn(console, groups, device)
    return wrong


def _drawn(console: Console, groups: Sequence[str], device: str) -> int:
    rows = list(webgpu_judgements(groups, device=device))
    outside, native, alone = (sum(getattr(one, name) for one in rows) for name in ("outside", "native", "alone"))
    remarked = sum(one.outside for one in rows if one.remarks)
    console.print(
        f"{device}, {'random samplers' if groups else 'every wrap and form'}: {len(rows)} pictures, "
        f"{sum(one.samples for one in rows):,} samples: {outside} outside, {remarked} of them with a remark; "
        f"of GL's own {native}; without the shader's work {alone:,}"
    )
    for one in rows:
        if one.outside or one.native:
            where = f"outside {one.outside}, of GL's own {one.native}"
            console.print(f"  {one.case}: {where}; {'; '.join(one.remarks) or one.work}", markup=False, soft_wrap=True)
    return int(outside - remarked + (0 if groups else native))


def main() -> int:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=21, help="of the random samplers that are drawn")
    chosen = parser.parse_args()
    console = Console()
    try:
        wrong = samplers(console, chosen.count) + pictures(console, chosen.seed)
    except StateTrackerError as error:
        console.print(f"error: {words(error)}", markup=False)
        return 2
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
