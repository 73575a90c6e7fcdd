"""The tables of docs/streams.md and of the calls by name: what the replay of a stream of GL calls knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.frontend.stream_calls import ALIASES, DRAWS, IRRELEVANT
from statetracker.frontend.stream_session import CALLS
from statetracker.gl.direct_access import BY_TEXTURE, BY_UNIT
from tools.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["STREAM_TABLES"]


def _modelled() -> str:
    groups: dict[str, list[str]] = {}
    for name, handler in CALLS.items():
        if name not in DRAWS:
            groups.setdefault(handler.__name__, []).append(name)
    rows = []
    for names in groups.values():
        handler = CALLS[names[0]]
        text = (handler.__doc__ or "").split("\n", 1)[0].replace("``", "`").rstrip(".")
        rows.append((codes(sorted(names)), text.partition(": ")[2] if text.startswith("`") else text))
    return grid(("calls", "note"), rows)


def _draws() -> str:
    rows = ((code(name), " and ".join(map(code, draw.positive)) or "always") for name, draw in DRAWS.items())
    return grid(("call", "draws where these are above 0"), rows)


def _ignored() -> str:
    rows = ((family, codes(f"gl{word}" for word in words.split())) for family, words in IRRELEVANT.items())
    return grid(("what they are about", "calls; `*` is any further text"), rows)


def _direct() -> str:
    rows = [(code(name), code(plain), "texture") for name, plain in BY_TEXTURE.items()]
    rows += [(code(name), code(plain), "unit") for name, plain in BY_UNIT.items()]
    return grid(("call", "is", "with a"), rows)


#: Name in a page -> what writes the table.
STREAM_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "stream calls": _modelled,
    "stream draws": _draws,
    "stream ignored": _ignored,
    "stream aliases": lambda: grid(("older name", "is"), ((code(a), code(b)) for a, b in ALIASES.items())),
    "direct access": _direct,
}
