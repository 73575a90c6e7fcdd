"""The child process of a live run: makes infos, calls Vulkan, writes a line of JSON to the parent every so often.

``python -m tools.proofs.vulkan_live.worker MODE SEED COUNT PLACE``. The number of the info is written to the file PLACE
before each call, so that a crash or a hang can be named: with the seed it is made again.
"""

from __future__ import annotations

import json
import mmap
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from statetracker.bindings import vulkan
from statetracker.caps.reports import read_report
from statetracker.errors import CallFailed
from tools.proofs.vulkan_live.infos import faulty
from tools.proofs.vulkan_live.layer import expected
from tools.proofs.vulkan_live.records import random_record
from tools.proofs.vulkan_live.variants import QUIET, VARIANTS, made

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BATCH", "NUMBER_BYTES", "agree", "main", "valid"]

BATCH: Final = 1000  # infos between two lines
NUMBER_BYTES: Final = 8
_SHOWN: Final = 5


def agree(seed: int, count: int, place: mmap.mmap) -> Iterator[dict[str, Any]]:
    """Compare checker and layer on ``count`` infos; each batch is for the next of `VARIANTS`."""
    from statetracker.vulkan import violations

    messages = vulkan.Messages(("error",), keep_text=False)
    with vulkan.Instance(validation=True, messages=messages) as instance:
        physical = instance.device()
        devices = []
        for variant in VARIANTS.values():
            device, report = made(physical, variant)
            devices.append((device, read_report(report, file="variant").facts))
        for start in range(0, count, BATCH):
            device, facts = devices[start // BATCH % len(devices)]
            rng = Random(f"{seed}:{start}")  # noqa: S311 (no secret)
            batch: dict[str, Any] = {"done": min(BATCH, count - start), "valid": 0, "differ": []}
            rules: Counter[str] = Counter()
            layer: Counter[str] = Counter()
            for number in range(start, start + batch["done"]):
                place[:NUMBER_BYTES] = number.to_bytes(NUMBER_BYTES, "little")
                info = faulty(rng)
                broken = {violation.rule for violation in violations(info, facts)}
                wanted = expected(broken, info, facts)
                reached = _create(device, info)
                said = {message.name for message in messages.take()}
                said = {_LAYERS_NAMES.get(name, name) for name in said}
                rules.update(broken)
                layer.update(said)
                batch["valid"] += not broken
                if said != wanted or reached == bool(said):
                    batch["differ"].append([number, sorted(wanted), sorted(said), reached])
            yield batch | {
                "rules": rules,
                "layer": layer,
                "differ": batch["differ"][:_SHOWN],
                "differs": len(batch["differ"]),
            }
        for device, _ in devices:
            device.close()


#: Rules that the layer names after the struct inside: our rule is the one of the struct that a chain holds.
_LAYERS_NAMES: Final = {
    f"VUID-VkComponentMapping-{channel}-parameter": (
        "VUID-VkSamplerBorderColorComponentMappingCreateInfoEXT-components-parameter"
    )
    for channel in "rgba"
}


def _create(device: vulkan.Device, info: dict[str, Any]) -> bool:
    """Make and destroy; whether the driver made it."""
    try:
        handle = device.create_sampler(info)
    except CallFailed as error:
        if error.code != "VK_ERROR_VALIDATION_FAILED_EXT":
            raise
        return False
    device.destroy_sampler(handle)
    return True


def valid(seed: int, count: int, place: mmap.mmap) -> Iterator[dict[str, Any]]:
    """Make and destroy the samplers of ``count`` random records under ``native``; the layer has nothing to say."""
    from statetracker.caps import Screen
    from statetracker.vulkan import create_info

    messages = vulkan.Messages(keep_text=True)
    with vulkan.Instance(validation=True, messages=messages) as instance:
        physical = instance.device()
        devices = []
        for name in QUIET:
            device, report = made(physical, VARIANTS[name])
            devices.append((device, Screen.from_vulkan(read_report(report, file="variant").facts)))
        for start in range(0, count, BATCH):
            device, screen = devices[start // BATCH % len(devices)]
            rng = Random(f"{seed}:{start}")  # noqa: S311 (no secret)
            done = min(BATCH, count - start)
            chained = 0
            for number in range(start, start + done):
                place[:NUMBER_BYTES] = number.to_bytes(NUMBER_BYTES, "little")
                info = create_info(random_record(rng), screen, dialect="native").to_dict()
                chained += info["pNext"] is not None
                _create(device, info)
            said = messages.take()
            shown = sorted({message.text for message in said})[:_SHOWN]
            yield {"done": done, "messages": len(said), "texts": shown, "chained": chained}
        live = sum(device.live("VkSampler") for device, _ in devices)
        created = sum(device.created["VkSampler"] for device, _ in devices)
        yield {"done": 0, "messages": 0, "texts": [], "live": live, "created": created}
        for device, _ in devices:
            device.close()


MODES: Final = {"agree": agree, "valid": valid}


def main(arguments: list[str]) -> int:
    """Run a mode and print its lines."""
    mode, seed, count, path = arguments
    with Path(path).open("r+b") as file, mmap.mmap(file.fileno(), NUMBER_BYTES) as place:
        for line in MODES[mode](int(seed), int(count), place):
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
