"""Tables of docs/vulkan_screens.md, each made from a table of the code: name -> function that gives Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.caps.derivation import EMULATIONS, FLOAT_RULES, RULES
from statetracker.caps.facts import EXTENSIONS, FEATURES, LIMITS, PROMISED
from statetracker.caps.reports import FORMS
from statetracker.caps.vulkan_pipe import REPLACED, table
from tools.codegen.doc_layout import code, codes, grid
from tools.proofs.vulkan_live.layer import GAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["VULKAN_TABLES"]


def _derivation() -> str:
    return grid(("cap", "value"), ((code(rule.cap), rule.rule) for rule in (*RULES, *FLOAT_RULES)))


def _kept() -> str:
    rows = [("limit", code(name), code(struct)) for name, struct in LIMITS.items()]
    rows += [("feature", code(name), code(struct)) for name, struct in FEATURES.items()]
    return grid(("what", "name", "struct"), rows)


def _forms() -> str:
    return grid(("form", "members"), ((form.title, codes(sorted(form.marks))) for form in FORMS.values()))


def _formats() -> str:
    return grid(("pipe format", "VkFormat"), ((code(pipe), code(vulkan)) for pipe, vulkan in table().items()))


def _missing() -> str:
    rows = [(code(name), "the device does not list it", code(other)) for name, other in REPLACED.items()]
    rows += [(code(name), f"feature {code(feature)} is off", "none") for name, feature in PROMISED.items()]
    return grid(("VkFormat", "where", "in its place"), rows)


def _emulations() -> str:
    rows = (
        (row.want, code(row.needs) if row.needs and " " not in row.needs else row.needs or "-", row.instead)
        for row in EMULATIONS
    )
    return grid(("what OpenGL has", "what it takes", "what is done instead"), rows)


def _gaps() -> str:
    return grid(("rule", "where the layer is silent"), ((code(gap.rule), gap.words) for gap in GAPS))


VULKAN_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "vulkan derivation": _derivation,
    "vulkan facts": _kept,
    "layer gaps": _gaps,
    "vulkan emulations": _emulations,
    "vulkan extensions": lambda: codes(sorted(EXTENSIONS)),
    "vulkan forms": _forms,
    "vulkan formats": _formats,
    "vulkan formats missing": _missing,
}
