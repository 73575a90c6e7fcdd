"""The tables of docs/vulkan_screens.md, docs/vulkan_samplers.md and docs/webgpu.md."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final

import statetracker as st
from statetracker import vulkan
from statetracker.caps import WEBGPU_FEATURES, VulkanFacts, derivation, facts, webgpu_formats
from statetracker.caps.devices import corpus, device_facts
from statetracker.caps.reports import FORMS
from statetracker.caps.vulkan_pipe import REPLACED
from statetracker.pipe import TexWrap
from statetracker.spirv import Module
from statetracker.vulkan import EDITIONS, edition_of, rules
from statetracker.vulkan.border import FORMAT_REQUIRED, PREDEFINED
from statetracker.vulkan.device import REQUIRED_LIMITS
from statetracker.vulkan.image_views import VIEW_RULES
from tools.codegen.doc_layout import Rows, code, codes, table
from tools.proofs.vulkan_live.layer import GAPS

_MODULES: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "shaders" / "compiled.zip"
_STAGES: Final = {1: "values and chain", 2: "members against each other", 3: "against the device", 4: "when drawing"}

table("vulkan derivation", "cap | value")(
    lambda: ((code(rule.cap), rule.rule) for rule in (*derivation.RULES, *derivation.FLOAT_RULES))
)


table("vulkan forms", "form | members")(lambda: ((form.title, codes(sorted(form.marks))) for form in FORMS.values()))


@table("vulkan formats missing", "VkFormat | where | in its place")
def _missing() -> Rows:
    yield from ((code(name), "the device does not list it", code(other)) for name, other in REPLACED.items())
    yield from ((code(name), f"feature {code(feature)} is off", "none") for name, feature in facts.PROMISED.items())


@table("vulkan emulations", "what OpenGL has | what it takes | what is done instead")
def _emulations() -> Rows:
    for row in derivation.EMULATIONS:
        yield row.want, code(row.needs) if row.needs and " " not in row.needs else row.needs or "-", row.instead


table("layer gaps", "rule | where the layer is silent")(lambda: ((code(gap.rule), gap.words) for gap in GAPS))
table("vulkan limits")(lambda: codes(facts.LIMITS))


# Samplers.


@table("vulkan address modes", "PIPE_TEX_WRAP | VkSamplerAddressMode")
def _address_modes() -> Rows:
    modes = {wrap: code(mode.name) for wrap, mode in rules.ADDRESS_MODE.items()}
    return ((code(wrap.name), modes.get(wrap, "lowered before")) for wrap in TexWrap)


table("vulkan predefined", "colour | float | integer")(
    lambda: ((", ".join(map(str, colour)), *(code(kind.name) for kind in kinds)) for colour, kinds in PREDEFINED)
)
table("vulkan format required")(lambda: codes(FORMAT_REQUIRED))


def _version(edition: tuple[int, int, int] | None) -> str:
    return "" if edition is None else ".".join(map(str, edition))


@table("vulkan editions", "rules of | devices whose version is | rules judged | devices of the corpus | such as")
def _editions() -> Rows:
    rows = [(edition_of(known), known.device) for known in map(device_facts, corpus())]
    for n, edition in enumerate(EDITIONS):
        span = [f"from {_version(edition)} on"] if n else []
        span += [f"before {_version(EDITIONS[n + 1])}"] if edition != EDITIONS[-1] else []
        judged = sum(rule.applies(VulkanFacts(api=edition)) for rule in vulkan.RULES)
        names = [name for own, name in rows if own == edition]
        yield _version(edition), ", ".join(span), judged, len(names), codes(names[:2])


table("vulkan limits not reported", "limit | counts as")(
    lambda: ((code(name), f"{least:g}") for name, least in REQUIRED_LIMITS.items())
)
table("vulkan views", "member | rule | what it is")(
    lambda: ((code(member), rule, words) for member, (rule, words) in VIEW_RULES.items())
)


table("vulkan enabled features")(lambda: codes(facts.FEATURES))
table("vulkan enabled extensions")(lambda: codes(sorted(facts.EXTENSIONS)))


# WebGPU.


@table("webgpu features", "GPUFeatureName | stands for Vulkan's | formats that it brings")
def _features() -> Rows:
    brought = [row.feature for row in webgpu_formats().values()]
    return ((code(name), code(there), brought.count(name) or "") for name, there in WEBGPU_FEATURES.items())


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
    with zipfile.ZipFile(_MODULES) as archive:
        module = archive.read("implicit_2d.frag.spv")
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
