"""The runs of many infos: parts of them in processes of their own, whose counts are added up.

An info is known by the seed and its number: which process makes it, and how many there are, changes nothing.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from statetracker.bindings import vulkan
from statetracker.caps.reports import read_report
from statetracker.errors import CallFailed
from tools.proofs.progress import apart
from tools.proofs.vulkan_live.infos import faulty
from tools.proofs.vulkan_live.layer import expected
from tools.proofs.vulkan_live.records import random_record
from tools.proofs.vulkan_live.variants import QUIET, VARIANTS, made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statetracker.caps import VulkanFacts

__all__ = ["BATCH", "agree", "run", "valid"]

Known = TypeVar("Known")

BATCH: Final = 1000  # infos of one device, drawn one after another
_PART: Final = 10 * BATCH
_LIMIT_S: Final = 120
_SHOWN: Final = 5

#: Rules that the layer names after the struct inside: our rule is the one of the struct that a chain holds.
_LAYERS_NAMES: Final = {
    f"VUID-VkComponentMapping-{channel}-parameter": (
        "VUID-VkSamplerBorderColorComponentMappingCreateInfoEXT-components-parameter"
    )
    for channel in "rgba"
}


def run(mode: str, count: int, *, seed: int, workers: int = 0) -> dict[str, Any]:
    """Give the sums of a mode's counts over ``count`` infos; raises `WorkerLost` with a note of the info it was at."""
    ranges = [range(first, min(first + _PART, count)) for first in range(0, count, _PART)]
    parts = {f"{mode}, seed {seed}, infos from {infos.start}": (seed, infos) for infos in ranges}
    total: dict[str, Any] = {}
    work = {"agree": agree, "valid": valid}[mode]
    for counts in apart(mode, work, parts, limit_s=_LIMIT_S, workers=workers):
        for name, value in counts.items():
            total[name] = total[name] + value if name in total else value
    return total


def agree(at: Callable[[str], object], seed: int, infos: range) -> dict[str, Any]:
    """Compare checker and layer on infos, from the start of a batch on; each batch is for the next of `VARIANTS`."""
    from statetracker.vulkan import EDITIONS, violations

    messages = vulkan.Messages(("error",), keep_text=False)
    rules, layer, valid, differ = Counter[str](), Counter[str](), 0, list[Any]()
    with _devices(messages, VARIANTS) as opened:
        devices = [(device, facts._replace(api=EDITIONS[0])) for device, facts in opened]  # the layer's specification
        for number, rng, device, facts in _each(at, seed, infos, devices):
            info = faulty(rng)
            broken = {violation.rule for violation in violations(info, facts)}
            wanted = expected(broken, info, facts)
            reached = _create(device, info)
            said = {_LAYERS_NAMES.get(message.name, message.name) for message in messages.take()}
            rules.update(broken)
            layer.update(said)
            valid += not broken
            if said != wanted or reached == bool(said):
                differ.append((number, sorted(wanted), sorted(said), reached))
    counts = {"done": len(infos), "valid": valid, "rules": rules, "layer": layer}
    return counts | {"differs": len(differ), "differ": differ[:_SHOWN]}


def valid(at: Callable[[str], object], seed: int, infos: range) -> dict[str, Any]:
    """Make and destroy the samplers of random records under ``native``; the layer has nothing to say."""
    from statetracker.caps import Screen
    from statetracker.vulkan import create_info

    messages, chained = vulkan.Messages(keep_text=True), 0
    with _devices(messages, QUIET) as devices:
        screens = [(device, Screen.from_vulkan(facts)) for device, facts in devices]
        for _, rng, device, screen in _each(at, seed, infos, screens):
            info = create_info(random_record(rng), screen, dialect="native").to_dict()
            chained += info["pNext"] is not None
            _create(device, info)
        live = sum(device.live("VkSampler") for device, _ in devices)
        created = sum(device.created["VkSampler"] for device, _ in devices)
        said = messages.take()
    counts = {"done": len(infos), "chained": chained, "created": created, "live": live}
    return counts | {"messages": len(said), "texts": sorted({message.text for message in said})[:_SHOWN]}


@contextmanager
def _devices(messages: vulkan.Messages, variants: Iterable[str]) -> Iterator[list[tuple[vulkan.Device, VulkanFacts]]]:
    """Open a device of each variant under the validation layer, with its facts."""
    with ExitStack() as stack:
        physical = stack.enter_context(vulkan.Instance(validation=True, messages=messages)).device()
        devices = []
        for name in variants:
            device, report = made(physical, VARIANTS[name])
            devices.append((stack.enter_context(device), read_report(report, file="variant").facts))
        yield devices


def _each(
    at: Callable[[str], object], seed: int, infos: range, devices: Sequence[tuple[vulkan.Device, Known]]
) -> Iterator[tuple[int, Random, vulkan.Device, Known]]:
    """Give each info's number, what to draw it from, its device and what is known of that; and say that it is next."""
    for number in infos:
        if number % BATCH == 0:
            rng = Random(f"{seed}:{number}")  # noqa: S311 (no secret)
        at(f"info {number} of seed {seed}")
        yield number, rng, *devices[number // BATCH % len(devices)]


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
