"""The worker's side of create infos: which of a driver's Vulkan samplers belong to which state.

Both sides are recorded in the order of the same calls: a state that is made makes its sampler before the call returns,
and perhaps a second one for 24-bit depth that the device keeps in floats (docs/vulkan_samplers.md). Samplers that the
driver makes for itself come before the first state.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Any

from statetracker.bindings import vulkan
from statetracker.conformance.capture import CaptureTail
from statetracker.errors import LiveError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.conformance.capture import Created


class InfoTail:
    """Follows a capture beside the trace; ``of`` gives what a handle was made with."""

    def __init__(self, path: str) -> None:
        """Leave out what is in the capture now: the driver's internal samplers."""
        self._tail = CaptureTail(path)
        self._made: dict[int, list[Created]] = {}
        self._tail.new()

    @property
    def exists(self) -> bool:
        """Whether there is a capture: the layer may not be installed."""
        return self._tail.exists

    def follow(self, handles: Sequence[int]) -> str:
        """Take the samplers made since the last time for these new states, in order; a sentence if they do not fit."""
        created = self._tail.new()
        pairs = paired(created, len(handles))
        if pairs is None:
            return f"{len(handles)} states were made, and {len(created)} samplers"
        self._made |= dict(zip(handles, pairs, strict=True))
        return ""

    def of(self, handle: int) -> dict[str, Any]:
        """The members of a case that a state's samplers give: ``vk``, and ``vk_result`` where one failed."""
        made = self._made.get(handle)
        if made is None:
            return {}
        failed = [one.result for one in made if one.result]
        return {"vk": [one.info for one in made]} | ({"vk_result": failed[0]} if failed else {})


def paired(made: Sequence[Created], states: int) -> list[list[Created]] | None:
    """Share samplers out among states, in order: one each, and second ones to the state before; None if impossible."""
    spare = len(made) - states
    groups: list[list[Created]] = []
    for one in made:
        if spare > 0 and groups and len(groups[-1]) == 1 and is_second(one.info, groups[-1][0].info):
            groups[-1].append(one)
            spare -= 1
        else:
            groups.append([one])
    return groups if len(groups) == states else None


def is_second(info: dict[str, Any], first: dict[str, Any]) -> bool:
    """Whether an info may be the second sampler's: the first's with its red, clamped, as the colour of all channels."""
    mine, other = _words(info), _words(first)
    if mine is None or other is None:
        return False
    (red,) = unpack("<f", pack("<I", other[0]))
    (word,) = unpack("<I", pack("<f", min(max(red, 0.0), 1.0) if red == red else 0.0))  # noqa: PLR0124 (not NaN)
    same = all(info[name] == value for name, value in first.items() if name != "pNext")
    return same and mine == [word] * 4


def _words(info: dict[str, Any]) -> list[int] | None:
    part = info["pNext"]
    while part is not None and "customBorderColor" not in part:
        part = part["pNext"]
    return None if part is None else part["customBorderColor"]["uint32"]


def device_report(renderer: str) -> dict[str, Any] | None:
    """Give the report of the Vulkan device whose name is in a GL renderer's; None where there is no such device."""
    try:
        with vulkan.Instance() as instance:
            for device in instance.devices():
                if device.name in renderer:
                    return vulkan.report_of(device)
    except LiveError:
        pass
    return None
