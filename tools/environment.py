"""Variables of the environment for a while. Drivers read them once a process, so they are for processes made inside."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["environment"]


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables for this process and for those that are started inside, then put back what was there."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
