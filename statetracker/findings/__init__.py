"""`inspect`: what a recorded program asks of textures, and what is wrong with it. See docs/inspect.md."""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.findings.inspector import Inspection, inspect
    from statetracker.findings.rules import RULES, SEVERITIES, Finding

__all__ = ["RULES", "SEVERITIES", "Finding", "Inspection", "inspect"]

__getattr__, __dir__ = on_first_use(
    __name__,
    {"inspector": ("Inspection", "inspect"), "rules": ("RULES", "SEVERITIES", "Finding")},
)
