"""The keys that another interpreter gives, with other random hashes: for `statetracker.cso.lint`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.pipe.state import SamplerState

_SECONDS: Final = 60
_PLAIN: Final = (int, float, str, bytes, type(None))
_PROGRAM: Final = """
import sys
from importlib import import_module
from operator import attrgetter
from statetracker.pipe.state import SamplerState
function = attrgetter(sys.argv[2])(import_module(sys.argv[1]))
for line in sys.stdin:
    print(ascii(function(SamplerState.from_bytes(bytes.fromhex(line)))))
"""


class Elsewhere(NamedTuple):
    """What came of it.

    why_not   why no other interpreter was asked; empty where one was
    differs   a state, its key here and its key there; None where none differs
    """

    why_not: str
    differs: tuple[SamplerState, str, str] | None = None


def keys_elsewhere(function: Callable[[SamplerState], object], states: Sequence[SamplerState]) -> Elsewhere:
    """Compare the keys of some states; only functions that can be imported, and keys of plain values in tuples."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "<nameless>")
    if module in ("", "__main__", None) or "<" in name:
        return Elsewhere("a function that has no name to import it by")
    try:
        ours = [function(state) for state in states]
    except Exception:  # noqa: BLE001 (whatever a user's function raises: it is reported already)
        return Elsewhere("it raises")
    if not all(map(_plain, ours)):
        return Elsewhere("keys that are not plain values")
    ran = _ran(module, name, states)
    if ran.returncode:
        return Elsewhere(f"it fails there: {ran.stderr.strip().splitlines()[-1:]}")
    for state, here, there in zip(states, map(ascii, ours), ran.stdout.splitlines(), strict=True):
        if here != there:
            return Elsewhere("", (state, here, there))
    return Elsewhere("")


def _plain(key: object) -> bool:
    return all(map(_plain, key)) if type(key) is tuple else isinstance(key, _PLAIN)


def _ran(module: str, name: str, states: Sequence[SamplerState]) -> subprocess.CompletedProcess[str]:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    variables = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    lines = "".join(f"{bytes(state).hex()}\n" for state in states)
    return subprocess.run(  # noqa: S603 (our own interpreter)
        [sys.executable, "-c", _PROGRAM, module, name],
        input=lines, env=variables, capture_output=True, text=True, check=False, timeout=_SECONDS,
    )  # fmt: skip
