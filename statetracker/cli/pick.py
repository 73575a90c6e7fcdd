"""Reading the options that several commands share: a screen by name or file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.caps import PROFILES, Screen
from statetracker.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["screen_named"]


def screen_named(name: str) -> Screen:
    """Give an embedded screen, or read a screen file; raises `UnknownName` or `ScreenError`."""
    if name in PROFILES:
        return Screen.named(name)
    if Path(name).exists() or "/" in name or name.endswith((".json", ".gz", ".jsonl")):
        return Screen.load(name)
    near: Sequence[str] = [known for known in PROFILES if known.startswith(name[:3])]
    hint = f"Did you mean {near[0]}?" if near else "Or name a screen file."
    raise UnknownName("screen", name, accepted=f"{', '.join(PROFILES)}, or a file", hint=hint)
