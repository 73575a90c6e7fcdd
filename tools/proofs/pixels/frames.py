"""Frames a second of a full-screen quad on this machine's Vulkan, lowered and not: ``make lowered-frames``.

A draw samples many times at each pixel, another as few times as possible; the difference is samples alone, without
the pipeline, the target and its copy. A frame is one sample at each of 1920 x 1080 pixels; a row is a median.
"""

from __future__ import annotations

import sys
import timeit
from contextlib import ExitStack
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.bindings import vulkan
from statetracker.caps import Screen
from statetracker.cli.output import table
from statetracker.errors import StateTrackerError
from statetracker.pipe import Lowering
from statetracker.shader import border_values, lower
from statetracker.vulkan import View, create_info
from tools.proofs.pixels.clamp_forms import FORMS
from tools.proofs.pixels.gl_draw import compiled
from tools.proofs.pixels.lowered_run import asked_for
from tools.proofs.pixels.lowered_vulkan import facts_lacking, facts_of_device, random_texture
from tools.proofs.pixels.vulkan_draw import combined, draw, uniform

if TYPE_CHECKING:
    from statetracker.bindings.vulkan_device import Device

_SHADER: Final = """\
#version 450
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 texel;
void main() {{
    texel = vec4(0.0);
    for (int i = 0; i < {count}; ++i) {{
        texel += texture(s, gl_FragCoord.xy / 256.0 - 0.5 + float(i) / 64.0);
    }}
}}
"""
_FULL_HD: Final = 1920 * 1080
#: Pixels along an edge of the target, samples at each, draws of each kind.
_SIDE, _COUNT, _REPEATS = 512, 60, 5
_BLOCK: Final = (1, 0)


class Way(NamedTuple):
    """A row: letters of wraps, what the device lacks (""; nothing), and whether there are mipmaps."""

    name: str
    wraps: str
    lack: str
    mips: bool = False
    letters: bool = False


WAYS: Final = (
    Way("border, native", "bbb", ""),
    Way("border, predefined route", "bbb", "custom borders"),
    Way("GL_CLAMP, clamped coordinate", "bbb", "", letters=True),
    Way("GL_CLAMP, by coverage", "ccc", ""),
    Way("border with mipmaps, native", "bbb", "", mips=True),
    Way("border with mipmaps, predefined route", "bbb", "custom borders", mips=True),
    Way("GL_CLAMP with mipmaps, by coverage", "ccc", "", mips=True),
    Way("mirrored edge, native", "eee", ""),
    Way("mirrored edge, folded", "eee", "mirror clamps"),
    Way("repeat, native", "rrr", ""),
    Way("repeat, filtered in the shader", "rrr", "filtering"),
    Way("repeat with mipmaps, filtered in the shader", "rrr", "filtering", mips=True),
)


def frames_a_second(device: Device, way: Way) -> float:
    """Draw one way."""
    facts = facts_of_device(device)
    form = FORMS["mipmaps 2d" if way.mips else "implicit 2d"]._replace(size=(256, 256), levels=9 if way.mips else 1)
    state = asked_for(form, way.wraps)
    state = state if way.mips else state.replace(min_lod=0.0, max_lod=0.25)
    view = View("R32G32B32A32_FLOAT", cube=False)
    info = create_info(state, Screen.from_vulkan(facts_lacking(facts, way.lack)), view=view)
    request = Lowering(clamp="st") if way.letters else info.lowering
    with ExitStack() as stack:
        image = stack.enter_context(random_texture(device, form, 7))
        handle = device.create_sampler(info)
        stack.callback(device.destroy_sampler, handle)
        resources = {(0, 0): combined((image, handle))}
        seconds = []
        for times in (1, 1 + _COUNT):
            result = lower(compiled(_SHADER.format(count=times), target="-V"), {(0, 0): request}, values=_BLOCK)
            block = {_BLOCK: uniform(border_values([info]))} if result.values else {}
            once = partial(draw, device, result.module, (_SIDE, _SIDE), resources | block)
            seconds.append(median(timeit.repeat(once, number=1, repeat=_REPEATS)))
    few, many = seconds
    return _COUNT * _SIDE * _SIDE / (many - few) / _FULL_HD


def main() -> int:
    """Draw and print. Exit codes: 0 printed, 2 it could not run."""
    try:
        with vulkan.Instance() as instance, vulkan.Device(instance.device()) as device:
            rates = {way: frames_a_second(device, way) for way in WAYS}
            name = facts_of_device(device).device
    except StateTrackerError as error:
        print(error)
        return 2
    native, rows = 1.0, []
    for way, rate in rates.items():
        native = rate if way.name.endswith("native") else native
        rows.append((way.name, f"{rate:,.1f}", f"{rate / native:.0%}"))
    table(name, ("way", "frames a second, 1920 x 1080", "of native"), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
