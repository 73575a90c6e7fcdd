"""``statetracker probe``: what this machine's Vulkan offers samplers, and what will be emulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.caps import Screen
from statetracker.caps.emulations import EMULATIONS
from statetracker.cli.output import EXIT_FINE, console, json_line, note, table
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from statetracker.caps import VulkanFacts


def probe(device: str | None, *, save: str | None, as_json: bool) -> int:
    """Probe the machine, print, and save the screen to ``save``; raises `LiveError` with what to install or try."""
    chosen = 0 if device is None else integer(device, field="--device") if device.isdecimal() else device
    screen = Screen.probe(chosen)
    facts = screen.vulkan
    if facts is None:  # a probe has facts
        raise AssertionError(screen)
    if save is not None:
        screen.save(save)
    rows = [(row.want, row.needs, row.there(facts), row.instead) for row in EMULATIONS]
    if as_json:
        names = ("want", "needs", "there", "instead")
        json_line({"screen": screen.to_json(), "emulations": [dict(zip(names, row, strict=True)) for row in rows]})
        return EXIT_FINE
    console().print(_headline(facts))
    cells = [
        (want, "yes" if there else "no", needs or "-", "-" if there else instead)
        for want, needs, there, instead in rows
    ]
    table("", ("what OpenGL has", "here", "what it takes", "what is done instead"), cells)
    _limits(facts)
    if save is not None:
        note(f"saved: --screen {save} takes it from now on")
    return EXIT_FINE


def _headline(facts: VulkanFacts) -> str:
    api = ".".join(map(str, facts.api))
    return f"{facts.device}, Vulkan {api}" + (f", {facts.driver}" if facts.driver else "") + "\n"


def _limits(facts: VulkanFacts) -> None:
    """Print the limits and formats of samplers."""
    shown = ("maxSamplerAllocationCount", "maxCustomBorderColorSamplers", "maxSamplerAnisotropy", "maxSamplerLodBias")
    limits = ", ".join(f"{name} {facts.limits[name]:g}" for name in shown if name in facts.limits)
    formats = facts.formats or {}
    sampled = [name for name in formats if facts.samples(name)]
    linear = [name for name in sampled if facts.filters(name)]
    console().print(f"\n{limits}\n{len(sampled)} formats can be sampled, {len(linear)} of them filtered linearly")
