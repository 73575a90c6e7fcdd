"""All devices at once: where a state is portable, what two devices do otherwise, and the whole discrete space.

Nothing here knows a rule: a state is converted once for each class of devices that rules cannot distinguish, and the
results are sorted. The names are loaded on first use. See docs/portability.md.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.survey.changes import Change
    from statetracker.survey.classes import DeviceClass, device_classes
    from statetracker.survey.comparison import Difference, SpaceDifference, compare, compare_space
    from statetracker.survey.outcomes import KINDS, Outcome, outcome
    from statetracker.survey.report import Group, Portability, as_page, portability
    from statetracker.survey.space import SPACE, TEXTURES, Column, columns

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

_MODULES = {
    "changes": ("Change",),
    "classes": ("DeviceClass", "device_classes"),
    "comparison": ("Difference", "SpaceDifference", "compare", "compare_space"),
    "outcomes": ("KINDS", "Outcome", "outcome"),
    "report": ("Group", "Portability", "as_page", "portability"),
    "space": ("SPACE", "TEXTURES", "Column", "columns"),
}

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
