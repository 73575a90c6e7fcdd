"""Live tests on each Vulkan driver of the machine: parametrised with `BOTH`, ``with on(driver)``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["BOTH", "on"]

_MANIFESTS: Final = Path("/usr/share/vulkan/icd.d")

#: lavapipe and SwiftShader, each with what it asks of the machine.
BOTH: Final = [pytest.param(name, marks=pytest.mark.live(name)) for name in ("lavapipe", "swiftshader")]


def on(driver: str) -> AbstractContextManager[None]:
    """Instances made inside have this driver alone."""
    return driver_file(SWIFTSHADER if driver == "swiftshader" else next(iter(_MANIFESTS.glob("lvp_icd*.json"))))
