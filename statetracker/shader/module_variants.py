"""`ModuleVariants`: modules that `lower` made, kept by what was asked for; `ModuleKey`: what decides what it makes.

A front end wants the key of a pipeline with every bind, and a module only where the key is new; requests that mean the
same have one key. A variant holds nothing of a driver and can be made again: none is pinned, and the one unused for
longest goes first. See docs/variants.md.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.shader.lower import lower
from statetracker.shader.request import Elements, Lowered, Request, descriptor, not_a_request, wanted

if TYPE_CHECKING:
    from statetracker.pipe.lowering import Lowering
    from statetracker.shader.block_values import Descriptor

    Share: TypeAlias = Lowering | Elements

_DESCRIPTOR = itemgetter(0)


class ModuleKey(NamedTuple):
    """The key of a variant of a module: hashable, and the same in every run.

    Attributes:
        module: The module's SHA-256, as `ModuleVariants.add` gives it.
        request: (descriptor, what it needs) of each that needs something, in order: a `Lowering`, or those of an array.
        values: The (set, binding) of the uniform block, or None.
        lod_query: As for `lower`.
    """

    module: str
    request: tuple[tuple[Descriptor, Share], ...]
    values: Descriptor | None
    lod_query: bool

    def asked(self) -> Request:
        """Return the request for `lower`."""
        return {place: share.rows if isinstance(share, Elements) else share for place, share in self.request}


def shares(request: Request) -> tuple[tuple[Descriptor, Share], ...]:
    """Return a request's descriptors that need something, in order. Raises `ArgumentError` for a malformed one."""
    if not isinstance(request, Mapping):
        raise not_a_request(request)
    asked: list[tuple[Descriptor, Share]] = []
    for place, value in request.items():
        try:
            share = _share(place, value)
        except TypeError:  # a list
            share = _share.__wrapped__(place, value)
        if share is not None:
            asked.append((place, share))
    if len(asked) > 1:
        asked.sort(key=_DESCRIPTOR)
    return tuple(asked)


@lru_cache(maxsize=4096, typed=True)
def _share(place: Descriptor, value: Any) -> Share | None:  # noqa: ANN401 (`wanted` checks it)
    """One descriptor's share: checked once, letters as a `Lowering`. None: there is nothing to do."""
    elements = wanted({place: value}).get(place)
    return elements.rows[0] if elements is not None and elements.all else elements


class VariantStatistics(NamedTuple):
    """A snapshot of the counters of a `ModuleVariants`.

    Attributes:
        hits: Requests for a variant that was held.
        misses: Requests for one that was made.
        shortcuts: Requests without work, which need none.
        evictions: Variants given up because of the limit.
        modules: Modules that were added, less those removed.
        held: Variants that are held.
        bytes: The bytes of their modules.
        max_bytes: The limit of these.
    """

    hits: int
    misses: int
    shortcuts: int
    evictions: int
    modules: int
    held: int
    bytes: int
    max_bytes: int


class ModuleVariants:
    """The variants of a front end's modules.

    One thread at a time.

    Args:
        max_bytes: How many bytes of rewritten modules to hold; the last variant is held even if it alone has more. The
            modules that were added are held beside them, until they are removed.
        keep_going: As for `lower`, of every variant: descriptors that a module lacks are no error.

    Raises:
        ArgumentError: A limit that is no number of bytes.
    """

    def __init__(self, *, max_bytes: int = 64 << 20, keep_going: bool = False) -> None:
        if not isinstance(max_bytes, int) or max_bytes < 1:
            raise ArgumentError("max_bytes", max_bytes, accepted="a number of bytes, 1 or more")
        self._max_bytes = max_bytes
        self._keep_going = keep_going
        self._modules: dict[str, tuple[bytes, int]] = {}
        self._held: OrderedDict[ModuleKey, Lowered] = OrderedDict()
        self._keys: defaultdict[str, set[ModuleKey]] = defaultdict(set)  # of the variants of each module
        self._bytes = self._hits = self._misses = self._shortcuts = self._evictions = 0

    def add(self, module: bytes | bytearray | memoryview) -> str:
        """Hold a module, and give what it is called here: its SHA-256. It is read when a variant of it is made.

        Args:
            module: Its bytes.

        Raises:
            ArgumentError: It is no bytes, bytearray or memoryview.
        """
        if not isinstance(module, bytes | bytearray | memoryview):
            raise ArgumentError("module", module, accepted="bytes of a SPIR-V module")
        data = bytes(module)
        name = sha256(data).hexdigest()
        held, times = self._modules.get(name, (data, 0))
        self._modules[name] = (held, times + 1)
        return name

    def remove(self, module: str) -> None:
        """Drop a module and its variants; one that was added several times, with the last of as many removals.

        Args:
            module: What `add` gave.

        Raises:
            ArgumentError: It was never added.
        """
        data, times = self._added(module)
        if times > 1:
            self._modules[module] = (data, times - 1)
            return
        del self._modules[module]
        for key in self._keys.pop(module, ()):
            self._bytes -= len(self._held.pop(key).module)

    def key(
        self, module: str, request: Request, *, values: Descriptor | None = None, lod_query: bool = True
    ) -> ModuleKey:
        """Return the key of a variant, for a front end's pipelines; nothing is rewritten.

        Args:
            module: What `add` gave.
            request: As for `lowered`.
            values: As for `lowered`.
            lod_query: As for `lowered`.

        Raises:
            ArgumentError: A module that was not added, a malformed lowering, or values that are no place.
        """
        self._added(module)
        if values is not None:
            descriptor("values", values)
        return ModuleKey(module, shares(request), values, lod_query)

    def lowered(
        self, module: str, request: Request, *, values: Descriptor | None = None, lod_query: bool = True
    ) -> Lowered:
        """Return what `lower` makes of a module, with its descriptors in order.

        Raises what `key` and `lower` raise; then nothing is held or counted.

        Args:
            module: What `add` gave.
            request: (set, binding) -> a `Lowering`, as for `lower`; where none needs anything, the module comes back
                unread.
            values: As for `lower`, but only a place.
            lod_query: As for `lower`.
        """
        key = self.key(module, request, values=values, lod_query=lod_query)
        data, _ = self._modules[module]
        if not key.request:
            self._shortcuts += 1
            return Lowered(data, (), (), (), ())
        made = self._held.get(key)
        if made is not None:
            self._held.move_to_end(key)
            self._hits += 1
            return made
        made = lower(data, key.asked(), values=values, keep_going=self._keep_going, lod_query=lod_query)
        self._misses += 1
        self._held[key] = made
        self._keys[module].add(key)
        self._bytes += len(made.module)
        while self._bytes > self._max_bytes and len(self._held) > 1:
            old, gone = self._held.popitem(last=False)
            self._keys[old.module].discard(old)
            self._bytes -= len(gone.module)
            self._evictions += 1
        return made

    def statistics(self) -> VariantStatistics:
        """Count what happened so far."""
        counts = self._hits, self._misses, self._shortcuts, self._evictions
        return VariantStatistics(*counts, len(self._modules), len(self._held), self._bytes, self._max_bytes)

    def _added(self, module: str) -> tuple[bytes, int]:
        try:
            return self._modules[module]
        except (KeyError, TypeError):
            raise ArgumentError("module", module, accepted="what `add` gave of a module that is not removed") from None
