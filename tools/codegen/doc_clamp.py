"""The tables of docs/rules/lowering.md beside the members: what changes clamp masks, and how variant keys end."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from statetracker.caps import Screen
from statetracker.frontend.stage_watch import CLAMP_EVENTS, variant_keys
from statetracker.gl import Sampler, Texture
from statetracker.sampler import DIALECTS, sampler_state, unsupported_clamps
from statetracker.shader import KEY_KINDS
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["CLAMP_TABLES"]

_UPSTREAM: Final = {"no": "no", "": "not examined"}


def _events() -> str:
    rows = ((e.event, codes(e.calls), _UPSTREAM.get(e.upstream, f"from {e.upstream} on")) for e in CLAMP_EVENTS)
    return grid(("event", "calls", "Mesa looks again"), rows)


def _keys() -> str:
    screen, own = Screen(emulate_gl_clamp=True), 8
    rows = []
    for name in DIALECTS:
        keys = variant_keys(screen, name, compatible=True, fragment_bytes=own)
        before = keys.compared_bytes("fragment") - own
        keys.key("fragment", ((1, 0, 0), (0, 0, 0)))
        rows.append((code(name), f"own + {before}", f"own + {keys.compared_bytes('fragment') - own}"))
    return grid(("dialect", "bytes compared until a mask is seen", "afterwards"), rows)


def _kinds() -> str:
    kinds = dict.fromkeys(KEY_KINDS.values())
    return grid(("key", "stages"), ((k, codes(s for s, kind in KEY_KINDS.items() if kind == k)) for k in kinds))


def _unsupported() -> str:
    screen, facts = Screen.named("zink-lavapipe"), Texture("2d", "RGBA8").facts()
    lowered = [name for name, row in DIALECTS.items() if row.clamp_filter != "never"]
    rows = []
    for smallest, largest in product(("linear", "nearest"), repeat=2):
        sampler = Sampler(wrap="clamp", min_filter=smallest, mag_filter=largest)
        row = [f"{smallest} / {largest}"]
        for name in lowered:
            clamps = unsupported_clamps(sampler, facts, screen, sampler_state(sampler, facts, screen, dialect=name))
            row.append("; ".join(f"{one.half}: {one.reads}, {one.share:g}" for one in clamps) or "right")
        rows.append(tuple(row))
    return grid(("min / mag filter", *map(code, lowered)), rows)


#: Name in a page -> what writes the table.
CLAMP_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "clamp events": _events,
    "unsupported clamps": _unsupported,
    "variant keys": _keys,
    "variant key kinds": _kinds,
}
