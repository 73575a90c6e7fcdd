"""Tables of docs/vulkan_samplers.md, each made from a table of the code: name -> function that gives Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.caps import VulkanFacts
from statetracker.caps.devices import corpus, device_facts
from statetracker.caps.facts import EXTENSIONS, FEATURES
from statetracker.pipe import TexWrap
from statetracker.vulkan import DIALECTS, EDITIONS, RULES, UNREACHABLE, VulkanDialect, edition_of, rules
from statetracker.vulkan.border import FORMAT_REQUIRED, PREDEFINED
from statetracker.vulkan.device import REQUIRED_LIMITS
from statetracker.vulkan.image_views import VIEW_RULES
from tools.codegen.doc_layout import code, codes, grid, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["VULKAN_SAMPLER_TABLES"]

_STAGES: Final = {1: "values and chain", 2: "members against each other", 3: "against the device", 4: "when drawing"}


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


def _version(edition: tuple[int, int, int] | None) -> str:
    return "" if edition is None else ".".join(map(str, edition))


def _usage_rows() -> Iterator[tuple[str, ...]]:
    for rule in RULES:
        fix = rule.fix.replace("{", "`").replace("}", "`")
        since = "" if rule.since == EDITIONS[0] else _version(rule.since)
        since += f", with {code(rule.extension)}" if rule.extension else ""
        yield code(rule.name), since, _version(rule.until), _STAGES[rule.stage], code(rule.member), fix


def _usage() -> str:
    return grid(("rule", "since", "until", "judged", "member", "fix"), _usage_rows())


def _editions() -> str:
    rows = [(edition_of(facts), facts) for facts in map(device_facts, corpus())]
    lines = []
    for n, edition in enumerate(EDITIONS):
        span = [f"from {_version(edition)} on"] if n else []
        span += [f"before {_version(EDITIONS[n + 1])}"] if edition != EDITIONS[-1] else []
        judged = sum(rule.applies(VulkanFacts(api=edition)) for rule in RULES)
        seen = [facts.device for own, facts in rows if own == edition]
        lines.append((_version(edition), ", ".join(span), judged, len(seen), ", ".join(code(one) for one in seen[:2])))
    return grid(("rules of", "devices whose version is", "rules judged", "devices of the corpus", "such as"), lines)


def _unreachable() -> str:
    return grid(("rule", "why not"), ((code(name), why) for name, why in UNREACHABLE.items()))


def _limits() -> str:
    return grid(("limit", "counts as"), ((code(name), f"{least:g}") for name, least in REQUIRED_LIMITS.items()))


def _views() -> str:
    rows = ((code(member), rule, words) for member, (rule, words) in VIEW_RULES.items())
    return grid(("member", "rule", "what it is"), rows)


def _enabled() -> str:
    rows = [(code(name), code(struct)) for name, struct in FEATURES.items()]
    rows += [(code(name), "extension") for name in sorted(EXTENSIONS)]
    return grid(("name", "of"), rows)


VULKAN_SAMPLER_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "vulkan address modes": _address_modes,
    "vulkan dialect fields": lambda: members(VulkanDialect),
    "vulkan dialects": _dialects,
    "vulkan editions": _editions,
    "vulkan enabled": _enabled,
    "vulkan format required": lambda: codes(FORMAT_REQUIRED),
    "vulkan limits not reported": _limits,
    "vulkan predefined": _predefined,
    "vulkan unreachable": _unreachable,
    "vulkan usage": _usage,
    "vulkan views": _views,
}
