"""Tables of the rules that `explain` names, each name with an anchor of its own.

The anchor is the rule's name. On docs/rules/conversion.md it stands in the prose, where the rule is described; on
docs/vulkan_samplers.md in the table. A rule that has a section of its own name has the section's.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from operator import attrgetter

from statetracker.frontend.overrides import OVERRIDES
from statetracker.frontend.policy import REASONS, rule_name
from statetracker.sampler import RULES
from statetracker.vulkan import rules as vulkan
from tools.codegen.doc_layout import Rows, code, table

__all__ = ["anchored_rules"]


@table("rules")
def _rules() -> str:
    return ", ".join(f"[{code(rule.name)}](#{rule.name})" for rule in RULES)


@table("vulkan rules", "section | rules, in order")
def _vulkan() -> Rows:
    for section, these in groupby(vulkan.RULES, key=attrgetter("section")):
        yield f"[{section}](#{section})", ", ".join(_anchor(rule.name, section) for rule in these)


def _anchor(name: str, section: str = "") -> str:
    return code(name) if name == section else f'<a id="{name}"></a>{code(name)}'


@table("policy steps")
def _policy() -> str:
    return ", ".join(_anchor(rule_name(field)) for field in (*(row.name for row in OVERRIDES), *REASONS))


@cache
def anchored_rules(page: str) -> frozenset[str]:
    """Return the names that an explanation can have in its column ``rule``, by the page below docs/ that has them."""
    if page == "rules/conversion.md":
        policy = (rule_name(name) for name in (*(row.name for row in OVERRIDES), *REASONS))
        return frozenset({"from-gl", "buffer", *(rule.name for rule in RULES), *policy})
    return frozenset({"from-pipe", *(rule.name for rule in vulkan.RULES)})
