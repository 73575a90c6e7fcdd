"""Why a number of a layout, or of a decision, is what it is.

See docs/surfaces.md.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Reason"]


class Reason(NamedTuple):
    """One thing chosen, decided or computed, and why.

    field    its name
    value    what it became
    reason   why, in words
    """

    field: str
    value: object
    reason: str
