"""The tables of docs/streams.md and of the calls by name: what the replay of a stream of GL calls knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.caps import Screen
from statetracker.gl.context import BY_TEXTURE, BY_UNIT
from statetracker.replay import Binds, DumpReplay, RecordedStates, compare_states
from statetracker.replay.calls import ALIASES, DRAWS, IRRELEVANT
from statetracker.replay.session import CALLS
from statetracker.sampler import converter
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["STREAM_TABLES"]

_PROGRAMS: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "programs"


def _modelled() -> str:
    groups: dict[str, list[str]] = {}
    for name, handler in CALLS.items():
        if name not in DRAWS:
            groups.setdefault(handler.__qualname__, []).append(name)
    rows = []
    for names in groups.values():
        handler = CALLS[names[0]]
        note = (handler.__doc__ or "").split("\n", 1)[0].rstrip(".")
        rows.append((codes(sorted(names)), note if note[1:2].isupper() else note[:1].lower() + note[1:]))
    return grid(("calls", "note"), rows)


def _draws() -> str:
    rows = ((code(name), " and ".join(map(code, positive)) or "always") for name, positive in sorted(DRAWS.items()))
    return grid(("call", "draws where these are above 0"), rows)


def _ignored() -> str:
    rows = ((family, codes(f"gl{word}" for word in words.split())) for family, words in IRRELEVANT.items())
    return grid(("what they are about", "calls; `*` is any further text"), rows)


def _direct() -> str:
    rows = [(code(name), code(plain), "texture") for name, plain in BY_TEXTURE.items()]
    rows += [(code(name), code(plain), "unit") for name, plain in BY_UNIT.items()]
    return grid(("call", "is", "with a"), rows)


def _agreement() -> str:
    """Replay every recorded program, and compare with what Mesa created in the same run."""
    screen = converter(Screen.named("llvmpipe"), "mesa22")
    rows = []
    for path in sorted(_PROGRAMS.glob("*.dump.txt.gz")):
        name = path.name.removesuffix(".dump.txt.gz")
        run = DumpReplay(str(path), screen)
        events = list(run)
        recorded = RecordedStates(str(_PROGRAMS / f"{name}.states.jsonl.gz"))
        comparison = compare_states([event.state for event in run.created], recorded.states, complete=recorded.complete)
        stages = sorted({event.stage for event in events if isinstance(event, Binds)})
        counts = f"{len(comparison.missing)} missing, {len(comparison.extra)} too many"
        agrees = "yes" if comparison.same else f"no: {counts}"
        rows.append(
            (code(name), len(recorded.states), agrees, ", ".join(stages), ", ".join(run.replay.unmodelled) or "-")
        )
    agree = sum(row[2] == "yes" for row in rows)
    return f"{agree} of {len(rows)} agree.\n\n" + grid(("program", "states", "agrees", "stages", "not modelled"), rows)


#: Name in a page -> what writes the table.
STREAM_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "stream calls": _modelled,
    "stream draws": _draws,
    "stream ignored": _ignored,
    "program agreement": _agreement,
    "stream aliases": lambda: grid(("older name", "is"), ((code(a), code(b)) for a, b in ALIASES.items())),
    "direct access": _direct,
}
