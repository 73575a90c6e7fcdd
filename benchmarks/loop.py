"""Rows of ``statetracker bench`` for the cache and the frame loop."""

from __future__ import annotations

import itertools
import tracemalloc
from time import process_time_ns
from typing import TYPE_CHECKING, Any, Final

from statetracker.benchmarks.measure import Driver, Work, statement
from statetracker.caps import Screen
from statetracker.cso import CsoContext
from statetracker.frontend.tracker import StateTracker
from statetracker.gl import Context, Sampler, Texture, changes
from statetracker.pipe import SamplerState

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The row that is measured in bytes.
MEMORY: Final = "cache, memory of one of 4,000 states, record included"

_COLLIDING: Final = 4_000
_TIMES: Final = 5_000

_2D: Final = 0x0DE1
_WRAP_S: Final = 0x2802
_WRAPS: Final = {"r": "repeat", "e": "clamp-to-edge"}


class _OneHandle(Driver):
    """The same, and one handle for all states, which takes no memory of its own."""

    def create_sampler_state(self, record: bytes) -> int:  # noqa: ARG002
        return 1


def _timed(name: str, text: str, count: int = 1, setup: str = "pass", **names: Any) -> Work:  # noqa: ANN401
    return statement(name, text, _TIMES, count, setup, **names)


def _cache() -> Iterator[Work]:
    colliding = [bytes(SamplerState(max_lod=1.0, border_color=(n, n, 0, 0))) for n in range(_COLLIDING)]
    different = [bytes(SamplerState(max_lod=n / 8)) for n in range(_COLLIDING)]
    context = CsoContext(_OneHandle())
    for record in colliding:
        context.sampler_state(record)
    spread = itertools.cycle(colliding[n * 7919 % _COLLIDING] for n in range(_COLLIDING))
    for _ in range(_COLLIDING):
        next(spread)  # cycle() keeps a copy: from here on no arithmetic is measured
    words = "cache, hit among 4,000 states of one XOR word"
    yield _timed(words, "f(r)", f=context.sampler_state, r=colliding[2345])
    yield _timed(f"{words}, each in turn", "f(next(n))", f=context.sampler_state, n=spread)
    staged: dict[str, Any] = {"f": context.single_sampler, "r": colliding[5]}
    yield _timed("cache, single_sampler, hit", "f('fragment', 3, r)", **staged)
    both = "f('fragment', 3, r); g('fragment')"
    yield _timed("cache, single_sampler, hit, and single_sampler_done", both, g=context.single_sampler_done, **staged)

    def miss() -> float:
        find = CsoContext(_OneHandle()).sampler_state
        start = process_time_ns()
        for record in different:
            find(record)
        return process_time_ns() - start

    yield Work("cache, miss", len(different), miss)


def _bound(count: int) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """Return a tracker's bind, and slots: some, others with the last one changed, others with all changed."""
    tracker = StateTracker(Screen.named("zink-lavapipe"), Driver())
    texture = Texture(internal_format="RGBA8")
    pairs = [(Sampler(max_lod=n / 8), texture) for n in range(2 * count)]
    some, others = tuple(pairs[:count]), tuple(pairs[count:])
    for slots in (others, some):
        tracker.bind("fragment", slots)
    return {"bind": tracker.bind}, [some, (*some[:-1], others[-1]), others]


def _binds() -> Iterator[Work]:
    local = "c = changes; s = seen"
    yield _timed(
        "bind, nothing changed: the loop's own check", "c.last is s", setup=local, changes=changes, seen=changes.last
    )
    for count in (1, 4, 16):
        names, (some, one, every) = _bound(count)
        pair = "bind('fragment', a); bind('fragment', b)"
        mapping, last = dict(enumerate(some)), {count - 1: one[-1]}
        yield _timed(f"bind, 0 of {count} changed", "bind('fragment', a)", a=some, **names)
        if count > 1:
            yield _timed(f"bind, 0 of {count} changed, slots in a dict", "bind('fragment', a)", a=mapping, **names)
        yield _timed(f"bind, two tuples in turn, 1 of {count} changed", pair, 2, a=some, b=one, **names)
        if count > 1:
            only = {count - 1: some[-1]}
            yield _timed(f"bind, two dicts in turn, 1 of {count} named and changed", pair, 2, a=only, b=last, **names)
            yield _timed(f"bind, two tuples in turn, all of {count} changed", pair, 2, a=some, b=every, **names)
        sampler = some[-1][0]
        back_and_forth = "s.wrap_s = r; bind('fragment', a); s.wrap_s = e; bind('fragment', a)"
        name = f"set one parameter of 1 of {count}, and bind"
        yield _timed(name, back_and_forth, 2, a=some, s=sampler, **_WRAPS, **names)
    yield _timed("set one parameter of a sampler", "s.wrap_s = r; s.wrap_s = e", 2, s=Sampler(), **_WRAPS)


def _contexts() -> Iterator[Work]:
    """Yield the same of a GL context with four textures in fixed function."""
    screen = Screen.named("zink-lavapipe")
    context, tracker = Context(screen.gl_limits()), StateTracker(screen, Driver())
    textures = context.glGenTextures(5)
    for unit, texture in enumerate(textures[1:]):
        context.glActiveTexture(unit)
        context.glEnable(_2D)
        for name in (textures[0], texture):
            context.glBindTexture(_2D, name)
        context.glTexStorage2D(_2D, 9, "GL_RGBA8", 256, 256)
    context.glBindTexture(_2D, textures[0])
    context.glTexStorage2D(_2D, 9, "GL_RGBA8", 256, 256)
    names: dict[str, Any] = {"c": context, "t": tracker, "x": _2D, "w": _WRAP_S, "a": textures[0], "b": textures[-1]}
    ask = "t.bind_context(c, 'fragment')"
    yield _timed("bind_context, nothing changed", ask, **names)
    turns = {
        "glBindTexture": ("c.glBindTexture(x, a)", "c.glBindTexture(x, b)"),
        "glTexParameteri": ("c.glTexParameteri(x, w, 0x2901)", "c.glTexParameteri(x, w, 0x812F)"),
    }
    for call, (one, other) in turns.items():
        yield _timed(f"{call}, another value", f"{one}; {other}", 2, **names)
        yield _timed(f"{call}, another value, and bind_context", f"{one}; {ask}; {other}; {ask}", 2, **names)


def _fresh() -> Iterator[Work]:
    tracker = StateTracker(Screen.named("zink-lavapipe"), Driver())
    texture = Texture(internal_format="RGBA8")

    def once() -> float:
        tracker.unbind()
        pairs = [((Sampler(max_lod=n / 8), texture),) for n in range(1_000)]
        tracker.device_lost()
        bind = tracker.bind
        start = process_time_ns()
        for slots in pairs:
            bind("fragment", slots)
        return process_time_ns() - start

    yield Work("bind, a new sampler: converted, created, bound", 1_000, once)


def loop_works() -> Iterator[Work]:
    """Everything that is timed here."""
    yield from _cache()
    yield from _binds()
    yield from _contexts()
    yield from _fresh()


def state_bytes() -> float:
    """Bytes of a cached state, its record included and the driver's handle not, by `tracemalloc`."""
    base = SamplerState()
    tracemalloc.start()
    try:
        context = CsoContext(_OneHandle())
        before = tracemalloc.get_traced_memory()[0]
        for n in range(_COLLIDING):
            context.sampler_state(bytes(base.replace(max_lod=n / 8)))
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    return taken / context.statistics().live
