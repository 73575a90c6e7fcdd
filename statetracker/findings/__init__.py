"""`inspect`: what a recorded program asks of textures, and what is wrong with it. See docs/inspect.md.

`rules`      the table of rules
`settings`   what is set, and which settings of a sampler nothing reads
`lookups`    the replay that looks on: what draws sample
`inspector`  what it found, ready to print
`devices`    what becomes of the program's states elsewhere
`page`       one HTML file
"""

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
