"""`inspect`: what a recorded program asks of textures, and what is wrong with it. See docs/inspect.md."""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.findings.inspector import Inspection as Inspection
    from statetracker.findings.inspector import inspect as inspect
    from statetracker.findings.rules import RULES as RULES
    from statetracker.findings.rules import SEVERITIES as SEVERITIES
    from statetracker.findings.rules import Finding as Finding

__getattr__, __dir__, __all__ = on_first_use(
    __name__,
    {"inspector": ("Inspection", "inspect"), "rules": ("RULES", "SEVERITIES", "Finding")},
)
