"""NumPy, or the error that names the extra which brings it.

It is NumPy itself, not the array API: a row is bytes with named fields, for which that standard has no type.
"""

from __future__ import annotations

from statetracker.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.batch", "numpy", "batch") from error

__all__ = ["np"]
