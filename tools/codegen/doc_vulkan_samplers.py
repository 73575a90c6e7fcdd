"""Tables of docs/vulkan_samplers.md, each made from a table of the code: name -> function that gives Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.pipe import TexWrap
from statetracker.vulkan import DIALECTS, RULES, UNREACHABLE, VulkanDialect, rules
from statetracker.vulkan.border import FORMAT_REQUIRED, PREDEFINED
from statetracker.vulkan.device import REQUIRED_LIMITS
from tools.codegen.doc_layout import code, codes, grid, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["VULKAN_SAMPLER_TABLES"]

_STAGES: Final = {1: "values and chain", 2: "members against each other", 3: "against the device", 4: "when drawing"}


def _rules() -> str:
    rows = ((code(r.name), f"[{r.section}](#{r.section})", codes(r.sets) or "-") for r in rules.RULES)
    return grid(("rule", "section", "may change"), rows)


def _dialects() -> str:
    rows = (
        (code(field), *(code(getattr(dialect, field)) for dialect in DIALECTS.values()))
        for field in VulkanDialect._fields
        if field != "name"
    )
    return grid(("field", *(code(name) for name in DIALECTS)), rows)


def _address_modes() -> str:
    rows = (
        (code(wrap.name), code(mode.name) if (mode := rules.ADDRESS_MODE.get(wrap)) is not None else "lowered before")
        for wrap in TexWrap
    )
    return grid(("PIPE_TEX_WRAP", "VkSamplerAddressMode"), rows)


def _predefined() -> str:
    return grid(
        ("colour", "float", "integer"),
        ((", ".join(map(str, colour)), *(code(kind.name) for kind in kinds)) for colour, kinds in PREDEFINED),
    )


def _usage_rows() -> Iterator[tuple[str, str, str, str]]:
    for rule in RULES:
        yield code(rule.name), _STAGES[rule.stage], code(rule.member), rule.fix.replace("{", "`").replace("}", "`")


def _usage() -> str:
    return grid(("rule", "judged", "member", "fix"), _usage_rows())


def _unreachable() -> str:
    return grid(("rule", "why not"), ((code(name), why) for name, why in UNREACHABLE.items()))


def _limits() -> str:
    return grid(("limit", "counts as"), ((code(name), f"{least:g}") for name, least in REQUIRED_LIMITS.items()))


VULKAN_SAMPLER_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "vulkan address modes": _address_modes,
    "vulkan dialect fields": lambda: members(VulkanDialect),
    "vulkan dialects": _dialects,
    "vulkan format required": lambda: codes(FORMAT_REQUIRED),
    "vulkan limits not reported": _limits,
    "vulkan predefined": _predefined,
    "vulkan rules": _rules,
    "vulkan unreachable": _unreachable,
    "vulkan usage": _usage,
}
