"""Tables of docs/webgpu.md, each made from a table of the code: name -> function that gives Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.caps import WEBGPU_FEATURES, webgpu_formats
from statetracker.shader import wgsl
from statetracker.webgpu import RULES
from statetracker.webgpu.conversion import MEMBERS
from statetracker.webgpu.texture_views import VIEW_MEMBERS
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["WEBGPU_TABLES"]


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


def _remarks() -> str:
    """What is written otherwise, then what stays."""
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
}
