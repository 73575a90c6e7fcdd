"""Tables of docs/webgpu.md, each made from a table of the code: name -> function that gives Markdown."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import statetracker as st
from statetracker.caps import WEBGPU_FEATURES, webgpu_formats
from statetracker.shader import wgsl
from statetracker.spirv import Module
from statetracker.webgpu import RULES
from statetracker.webgpu.conversion import MEMBERS
from statetracker.webgpu.texture_views import VIEW_MEMBERS
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["WEBGPU_TABLES"]

_MODULES: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "shaders" / "compiled.zip"
#: What a row of the costs is of -> the sampler; a second one differs so that the step is taken.
_COSTS: Final = (
    ("limits of a mipmapped state", {"min_filter": "linear-mipmap-linear"}, {"min_lod": 0.5}),
    ("wraps of nearest filters", {"min_filter": "nearest", "mag_filter": "nearest"}, {"wrap": "mirrored-repeat"}),
    ("filters, linear", {"min_filter": "linear"}, {"wrap": "mirrored-repeat"}),
    ("filters, linear between levels", {"min_filter": "linear-mipmap-linear"}, {"wrap": "mirrored-repeat"}),
)


def _members() -> str:
    rows = ((code(one.name), code(one.key), codes(one.source)) for one in MEMBERS)
    return grid(("WebGPU", "wgpu-py", "member of the create info"), rows)


def _views() -> str:
    rows = ((code(name), code(key), code(source)) for name, (key, source) in VIEW_MEMBERS.items())
    return grid(("WebGPU", "wgpu-py", "member of the image view"), rows)


def _rules() -> str:
    rows = ((code(one.name), one.section, code(one.member), one.fix) for one in RULES)
    return grid(("rule", "section", "member", "what to do"), rows)


def _features() -> str:
    counts = {name: sum(row.feature == name for row in webgpu_formats().values()) for name in WEBGPU_FEATURES}
    rows = ((code(name), code(vulkan), counts[name] or "") for name, vulkan in WEBGPU_FEATURES.items())
    return grid(("GPUFeatureName", "stands for Vulkan's", "formats that it brings"), rows)


def _costs() -> str:
    with zipfile.ZipFile(_MODULES) as archive:
        module = archive.read("implicit_2d.frag.spv")
    (place,) = (one.descriptor for one in st.split_samplers(module).samplers)
    screen, texture = st.Screen.named("webgpu"), st.Texture("2d", "RGBA8", size=(16, 16))
    before, rows = len(Module.read(module).instructions), []
    for name, members, other in _COSTS:
        asked = [st.convert(st.Sampler(**one), texture, screen) for one in (members, members | other)]
        plan = st.plan_samplers({place: asked[0], (place[0], place[1] + 1): asked[1]}, 1)
        lowered = st.lower(module, {place: plan.lowerings[place]}, values=(3, 0), lod_query=False)
        rows.append((name, plan.cost[-1].taps // 2 + 1, len(Module.read(lowered.module).instructions) - before))
    return grid(("step, of one sample of a 2D texture", "texels read by instructions", "instructions more"), rows)


def _remarks() -> str:
    """Return what is written otherwise, then what stays."""
    rows = ((one.lacks, one.rewrite, one.pixels) for one in wgsl.RULES if one.step)
    stays = "\n".join(f"* {one.lacks}" for one in wgsl.RULES if not one.step)
    table = grid(("what WebGPU lacks", "what is written", "pixels"), rows)
    return f"{table}\n\nNothing is written in place of these:\n\n{stays}"


WEBGPU_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "webgpu members": _members,
    "webgpu rules": _rules,
    "webgpu features": _features,
    "webgpu remarks": _remarks,
    "webgpu views": _views,
    "webgpu sharing": _costs,
}
