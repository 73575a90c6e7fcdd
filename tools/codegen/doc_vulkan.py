"""The tables of docs/vulkan_screens.md, docs/vulkan_samplers.md and docs/webgpu.md."""

from __future__ import annotations

from typing import Final

import statetracker as st
from statetracker.caps import WEBGPU_FEATURES, derivation, facts
from statetracker.caps.vulkan_formats import REPLACED
from statetracker.spirv import Module
from statetracker.vulkan.border import FORMAT_REQUIRED
from tests.shader.compiled import MODULES
from tools.codegen.doc_layout import Rows, code, codes, grouped, table


@table("vulkan derivation", "caps, after `PIPE_` | value")
def _derivation() -> Rows:
    rules = (*derivation.RULES, *derivation.FLOAT_RULES)
    groups = grouped((rule.cap.removeprefix("PIPE_"), rule.rule) for rule in rules)
    return ((codes(caps), value) for value, caps in groups.items())


@table("vulkan formats missing", "VkFormat | where | in its place")
def _missing() -> Rows:
    yield from ((code(name), "the device does not list it", code(other)) for name, other in REPLACED.items())
    yield from ((code(name), f"feature {code(feature)} is off", "none") for name, feature in facts.PROMISED.items())


# Samplers.


table("vulkan format required")(lambda: codes(FORMAT_REQUIRED))


table("vulkan enabled features")(lambda: codes(facts.FEATURES))
table("vulkan enabled extensions")(lambda: codes(sorted(facts.EXTENSIONS)))


# WebGPU.


table("webgpu features")(lambda: codes(WEBGPU_FEATURES))

#: What a row of the costs is of -> the sampler; a second one differs so that the step is taken.
_COSTS: Final = (
    ("limits of a mipmapped state", {"min_filter": "linear-mipmap-linear"}, {"min_lod": 0.5}),
    ("wraps of nearest filters", {"min_filter": "nearest", "mag_filter": "nearest"}, {"wrap": "mirrored-repeat"}),
    ("filters, linear", {"min_filter": "linear"}, {"wrap": "mirrored-repeat"}),
    ("filters, linear between levels", {"min_filter": "linear-mipmap-linear"}, {"wrap": "mirrored-repeat"}),
)


@table(
    "webgpu sharing",
    "step, of one sample of a 2D texture | texels read by instructions | instructions more",
)
def _costs() -> Rows:
    module = MODULES["implicit_2d.frag"]
    (place,) = (one.descriptor for one in st.split_samplers(module).samplers)
    screen, texture = st.Screen.named("webgpu"), st.Texture("2d", "RGBA8", size=(16, 16))
    both = (place, (place[0], place[1] + 1))
    before = len(Module.read(module).instructions)
    for name, given, other in (*_COSTS, ("dynamic: any state", {}, {})):
        each = [st.convert(st.Sampler(**one), texture, screen) for one in (given, given | other)]
        plan = st.plan_samplers(dict(zip(both, each, strict=True)), 1, dynamic=() if other else both)
        lowered = st.lower(module, {place: plan.lowerings[place]}, values=(3, 0), lod_query=False)
        taps = plan.cost[-1 if other else 0].taps // 2 + 1
        yield name, taps, len(Module.read(lowered.module).instructions) - before
