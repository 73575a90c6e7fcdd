"""All devices at once: where a state is portable, what two devices do otherwise, and the whole discrete space.

Nothing here knows a rule: a state is converted once for each class of devices that rules cannot distinguish, and the
results are sorted. See docs/portability.md.
"""

from __future__ import annotations

from statetracker.survey.changes import Change
from statetracker.survey.comparison import (
    SPACE,
    TEXTURES,
    Column,
    Difference,
    SpaceDifference,
    columns,
    compare,
    compare_space,
)
from statetracker.survey.outcomes import KINDS, DeviceClass, Outcome, device_classes, outcome
from statetracker.survey.report import Group, Portability, as_page, portability

__all__ = [
    "KINDS",
    "SPACE",
    "TEXTURES",
    "Change",
    "Column",
    "DeviceClass",
    "Difference",
    "Group",
    "Outcome",
    "Portability",
    "SpaceDifference",
    "as_page",
    "columns",
    "compare",
    "compare_space",
    "device_classes",
    "outcome",
    "portability",
]
