"""A texture unit in NumPy: what a state samples, by definition; how far hardware may be off; and pictures of it.

Needs the extra ``batch``: without NumPy the import raises `MissingExtra`. See docs/reference_unit.md.
"""

from __future__ import annotations

from statetracker.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.reference", "numpy", "batch") from error

from statetracker.reference.bounds import EXACT, Bounds, Precision, bounds
from statetracker.reference.texels import KINDS, TARGETS, Texels
from statetracker.reference.unit import TextureUnit
from statetracker.reference.wraps import WRAPS

__all__ = ["EXACT", "KINDS", "TARGETS", "WRAPS", "Bounds", "Precision", "Texels", "TextureUnit", "bounds"]

del np
