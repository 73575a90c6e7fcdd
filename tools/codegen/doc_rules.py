"""Tables of the rules that `explain` names, each name with an anchor of its own: name -> function that gives Markdown.

The anchor is the rule's name. On docs/rules/conversion.md it stands in the prose, where the rule is described; on
docs/vulkan_samplers.md in the table. A rule that has a section of its own name has the section's.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statetracker.frontend.overrides import OVERRIDES
from statetracker.frontend.policy import REASONS, rule_name
from statetracker.sampler import RULES
from statetracker.vulkan import rules as vulkan
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["RULE_TABLES", "anchored_rules"]


def _rules() -> str:
    rows = (
        (i, f"[{code(r.name)}](#{r.name})", f"[{r.section}](#{r.section})", codes(r.sets))
        for i, r in enumerate(RULES, 1)
    )
    return grid(("step", "rule", "section", "may change"), rows)


def _vulkan() -> str:
    rows = ((_anchor(r.name, r.section), f"[{r.section}](#{r.section})", codes(r.sets) or "-") for r in vulkan.RULES)
    return grid(("rule", "section", "may change"), rows)


def _anchor(name: str, section: str = "") -> str:
    return code(name) if name == section else f'<a id="{name}"></a>{code(name)}'


def _policy() -> str:
    reasons = {row.name: row.why for row in OVERRIDES} | REASONS
    rows = ((_anchor(rule_name(field)), code(field), why) for field, why in reasons.items())
    return grid(("step", "field of `Policy`", "because"), rows)


@cache
def anchored_rules(page: str) -> frozenset[str]:
    """Return the names that an explanation can have in its column ``rule``, by the page below docs/ that has them."""
    if page == "rules/conversion.md":
        policy = (rule_name(name) for name in (*(row.name for row in OVERRIDES), *REASONS))
        return frozenset({"from-gl", "buffer", *(rule.name for rule in RULES), *policy})
    return frozenset({"from-pipe", *(rule.name for rule in vulkan.RULES)})


RULE_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "rules": _rules,
    "policy steps": _policy,
    "vulkan rules": _vulkan,
}
