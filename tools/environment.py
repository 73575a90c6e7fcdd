"""Variables of the environment for a while. Drivers read them once a process, so they are for processes made inside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

__all__ = ["environment"]


def environment(variables: Mapping[str, str]) -> AbstractContextManager[Any]:
    """Set variables for this process and for those that are started inside, then put back what was there."""
    return patch.dict(os.environ, variables)
