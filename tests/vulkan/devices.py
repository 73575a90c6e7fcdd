"""Devices for these tests: the recorded one, and what it would be if it offered less; those of the corpus."""

from __future__ import annotations

from functools import cache
from typing import Final

from statetracker.caps import Screen, VulkanFacts
from statetracker.caps.devices import DeviceRow, corpus, device_facts
from statetracker.vulkan import vulkan_dialect

__all__ = [
    "LAVAPIPE", "NO_COLOURS", "NO_MINMAX", "NO_MIRROR", "NO_SEAMS", "NO_SHADER", "SWIZZLE_TOLD", "WHOLE", "WITH_FORMAT",
    "facts_without", "newest_rows", "screen_of", "screen_without",
]  # fmt: skip

#: ``native`` where the shader does no more than move coordinates: it mixes in no border and filters nothing.
NO_SHADER: Final = vulkan_dialect("native")._replace(
    name="native without the shader", clamp="coordinate", border_shader="no", filtering="as-is"
)


def _recorded() -> VulkanFacts:
    facts = Screen.named("zink-lavapipe").vulkan
    assert facts is not None
    return facts


#: What lavapipe of Mesa 22.3.6 was recorded to say about itself.
LAVAPIPE: Final = _recorded()


def facts_without(
    *lacking: str, formats: tuple[str, ...] = (), device: str = LAVAPIPE.device, **limits: float
) -> VulkanFacts:
    """The facts of lavapipe without some features, extensions and formats, with other limits or by another name."""
    assert set(lacking) <= LAVAPIPE.features | LAVAPIPE.extensions, "a word that changes nothing"
    kept = {name: masks for name, masks in (LAVAPIPE.formats or {}).items() if name not in formats}
    return LAVAPIPE._replace(
        features=LAVAPIPE.features - set(lacking),
        extensions=LAVAPIPE.extensions - set(lacking),
        limits={**LAVAPIPE.limits, **limits},
        formats=kept,
        device=device,
    )


def screen_without(
    *lacking: str, formats: tuple[str, ...] = (), device: str = LAVAPIPE.device, **limits: float
) -> Screen:
    """The screen of that device, with the hook that asks it what it can filter."""
    return Screen.from_vulkan(facts_without(*lacking, formats=formats, device=device, **limits))


#: The recorded device, and what it would be without the features or extensions for one thing.
WHOLE: Final = screen_without()
NO_COLOURS: Final = screen_without("VK_EXT_custom_border_color", "customBorderColors", "customBorderColorWithoutFormat")
WITH_FORMAT: Final = screen_without("customBorderColorWithoutFormat")
SWIZZLE_TOLD: Final = screen_without("borderColorSwizzleFromImage")
NO_SEAMS: Final = screen_without("nonSeamlessCubeMap")
NO_MIRROR: Final = screen_without("samplerMirrorClampToEdge", "VK_KHR_sampler_mirror_clamp_to_edge")
NO_MINMAX: Final = screen_without("samplerFilterMinmax", "VK_EXT_sampler_filter_minmax")


@cache
def newest_rows() -> tuple[DeviceRow, ...]:
    """Of each capability vector the row with the newest report."""
    rows: dict[int, DeviceRow] = {}
    for row in corpus():
        kept = rows.get(row.vector)
        if kept is None or row.newest_report > kept.newest_report:
            rows[row.vector] = row
    return tuple(rows[vector] for vector in sorted(rows))


@cache
def screen_of(row: DeviceRow) -> Screen:
    """The screen of a row of the corpus."""
    return Screen.from_vulkan(device_facts(row))
