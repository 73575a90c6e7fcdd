"""Reading the options that several commands share: a screen by name or file, or a device of the corpus.

Commands pass the choice on as one word: a name, a file, or ``device:TEXT``, which a description may say as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from statetracker.caps import PROFILES, Screen
from statetracker.cli.output import note
from statetracker.errors import ArgumentError, UnknownName

_DEVICE: Final = "device:"
_SHOWN: Final = 3  # other rows of a device


def chosen(screen: str | None, device: str | None) -> str | None:
    """Make one word of ``--screen`` and ``--device``; raises `ArgumentError` where both are given."""
    if device is None:
        return screen
    if screen is not None:
        raise ArgumentError("--device", device, accepted="--screen or --device, not both")
    return _DEVICE + device


def device_named(text: str) -> Screen:
    """Give a device of the corpus by name, ids or ``#REPORT``, and say which of its rows was taken."""
    from statetracker.caps.devices import report_number

    screen = Screen.device(text)
    choice = screen.corpus
    if choice is not None and choice.others and report_number(text) is None:
        rows = len(choice.others) + 1
        note(f"{choice.row}: newest Vulkan and driver of {rows} rows; 'statetracker screens --device TEXT' lists all")
        for report, names in list(choice.differences.items())[:_SHOWN]:
            note(f"#{report} differs in {', '.join(names) or 'nothing that a sampler meets'}")
    return screen


def _exists(name: str) -> bool:
    """Whether a file has that name; none has a name that the system refuses, such as one that is too long."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def device_or_screen(name: str) -> Screen:
    """Give a screen as `screen_named` does, or else a device of the corpus by its bare name, ids or ``#REPORT``."""
    if name in PROFILES or name.startswith(_DEVICE) or _exists(name):
        return screen_named(name)
    return device_named(name)


def screen_named(name: str) -> Screen:
    """Give an embedded screen, a device of the corpus (``device:TEXT``), or read a screen file.

    Raises `UnknownName`, `AmbiguousName` or `ScreenError`.
    """
    if name.startswith(_DEVICE):
        return device_named(name.removeprefix(_DEVICE))
    if name in PROFILES:
        return Screen.named(name)
    if _exists(name) or "/" in name or name.endswith((".json", ".gz", ".jsonl")):
        return Screen.load(name)
    raise UnknownName("screen", name, accepted=f"{', '.join(PROFILES)}, or a file")
