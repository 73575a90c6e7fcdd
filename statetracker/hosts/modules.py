"""`Modules`: what becomes of a renderer's shader modules, kept in memory, and in a file from run to run."""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import lru_cache, partial
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from statetracker.errors import ArgumentError
from statetracker.frontend.bounded_memo import BoundedMemo
from statetracker.shader.flat_images import flat
from statetracker.shader.glslang import compiled_text, written
from statetracker.shader.lower import lower_read
from statetracker.shader.module_variants import ModuleKey, shares
from statetracker.shader.request import Elements, Note
from statetracker.shader.split import SplitSampler, split_samplers
from statetracker.spirv import Module
from statetracker.spirv.names import Dim, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.shader.module_variants import Share
    from statetracker.shader.request import Request
    from statetracker.shader.split_plan import BoundSampler

    Descriptor: TypeAlias = tuple[int, int]
    Places: TypeAlias = Mapping[Descriptor, tuple[Descriptor, Descriptor]]
    Samplers: TypeAlias = Mapping[Descriptor, BoundSampler]
    _Key: TypeAlias = tuple[ModuleKey, Any]


#: Sources that are kept read, which takes sixteen times their bytes; others are read again for a variant.
_READ: Final = 256
#: What the device cannot do of a module: nobody binds the block.
_BLOCK: Final = "the module reads a block of {}, which a renderer does not bind"


class Variant(NamedTuple):
    """A module as it is drawn with.

    Attributes:
        module: Its bytes.
        values: (descriptor, array element) of each element of its uniform block, in order; empty: it has none.
        samplers: What its combined samplers were split into; empty where they were not to be.
        unresolved: (descriptor or None, in words) of what the device does otherwise than the shader says.
        name: Its SHA-256: variants with the same module have one name.
    """

    module: bytes
    values: tuple[tuple[Descriptor, int], ...] = ()
    samplers: tuple[SplitSampler, ...] = ()
    unresolved: tuple[tuple[Descriptor | None, str], ...] = ()
    name: str = ""


@lru_cache(maxsize=4096)
def draw_key(*parts: object) -> str:
    """Return one word for what decides a pipeline: the same in every run."""
    return sha256(repr(parts).encode()).hexdigest()


class Modules:
    """The variants of a renderer's modules: each is made once, in this run or in one before.

    ``made`` is how many had to be made. ``lod_query`` may be set for another context.

    Args:
        split: Combined samplers become images and samplers, for WebGPU.
        lod_query: As for `statetracker.lower`.
    """

    def __init__(self, *, split: bool, lod_query: bool) -> None:
        self.made = 0
        self._split, self.lod_query = split, lod_query
        self._sources: dict[str, bytes] = {}
        self._read: BoundedMemo[str, Module] = BoundedMemo(_READ)
        self._known: dict[_Key, Variant] = {}
        self._kept: dict[str, Variant] = {}
        self._translations: dict[str, bytes] = {}

    def add(self, module: bytes) -> str:
        """Hold a module, and return what it is called here."""
        name = sha256(module).hexdigest()
        self._sources[name] = module
        self._read.put(name, Module.read(module))
        return name

    def compiled(self, source: str, stage: str, flavour: str, *, bindings: bool) -> bytes:
        """Return what `compiled_text` does, which is called once for a source."""
        make = partial(compiled_text, source, stage, flavour, bindings=bindings)
        return self._translated(f"{stage} {flavour} {bindings} {source}", make)

    def written(self, variant: Variant, version: int, *, es: bool) -> str:
        """Return a variant as GLSL, which `glslang.written` writes once."""
        make = partial(written, variant.module, version, es=es)
        return self._translated(f"{variant.name} {version} {es}", make).decode()

    def _translated(self, key: str, make: Callable[[], bytes]) -> bytes:
        name = sha256(key.encode()).hexdigest()
        if name not in self._translations:
            self._translations[name] = make()
        return self._translations[name]

    def variant(
        self, name: str, request: Request, values: Descriptor, places: Places, samplers: Samplers = MappingProxyType({})
    ) -> Variant:
        """Return the variant of a module that does what a request asks for.

        Args:
            name: What `add` gave.
            request: As for `statetracker.lower`, like ``values``.
            values: As for `statetracker.lower`.
            places: As for `split_samplers`.
            samplers: As for `split_samplers`.
        """
        key = self._key(name, request, values, places, samplers)
        made = self._found(key)
        if made is None:
            made = self._made(key[0], places, samplers)
            self.made += 1
            self._known[key] = self._kept[_digest(key)] = made
        return made

    def known(
        self, name: str, request: Request, values: Descriptor, places: Places, samplers: Samplers = MappingProxyType({})
    ) -> Variant | None:
        """Return what `variant` does, but None for a rewritten module that would have to be made."""
        if not request:
            return self.variant(name, request, values, places, samplers)
        return self._found(self._key(name, request, values, places, samplers))

    def _key(self, name: str, request: Request, values: Descriptor, places: Places, samplers: Samplers) -> _Key:
        asked = shares(request) if self.lod_query else tuple(map(_unqueried, shares(request)))
        return ModuleKey(name, asked, values, self.lod_query), (*places.items(), *samplers.items())

    def _found(self, key: _Key) -> Variant | None:
        made = self._known.get(key)
        if made is None and len(self._known) < len(self._kept):  # some were loaded, and not met yet
            made = self._kept.get(_digest(key))
            if made is not None:
                self._known[key] = made
        return made

    def _made(self, key: ModuleKey, places: Places, given: Samplers) -> Variant:
        read, order, notes = self._read.get(key.module), (), list[Note]()
        if read is None:
            read = Module.read(self._sources[key.module])
            self._read.put(key.module, read)
        samplers: tuple[SplitSampler, ...] = ()
        lines = (one.opcode == Op.TypeImage and one.words[2] == Dim.Dim1D for one in read.instructions)
        if self._split and any(lines):
            read = flat(read, {Dim.Dim1D}, {})  # their views are 2D ones of one row
        if key.request:
            read, said = lower_read(read, key.asked(), key.values, keep_going=False, lod_query=key.lod_query)
            *_, unresolved, order, _ = said
            notes += unresolved
        if self._split:
            split = split_samplers(read, places=places, samplers=given)
            module, samplers = split.module, split.samplers
            notes += [*split.unresolved, *(Note(-1, name, None, _BLOCK.format(name)) for name in split.blocks)]
        else:
            module = bytes(read)
        reasons = tuple(dict.fromkeys((one.descriptor, one.reason) for one in notes))
        return Variant(module, order, samplers, reasons, sha256(module).hexdigest())

    def to_json(self) -> list[dict[str, Any]]:
        """Return all variants, and what was made of GLSL or is GLSL, as plain data for `load`."""
        texts = [{"text": key, "module": b64encode(module).decode()} for key, module in self._translations.items()]
        return texts + [
            {
                "key": digest,
                "module": b64encode(one.module).decode(),
                "values": one.values,
                "samplers": [[*part] for part in one.samplers],
                "unresolved": one.unresolved,
            }
            for digest, one in self._kept.items()
        ]

    def load(self, rows: list[dict[str, Any]]) -> list[Variant]:
        """Take what `to_json` gave in another run, return its variants; raises `ArgumentError` for anything else."""
        try:
            texts = {row["text"]: b64decode(row["module"]) for row in rows if "text" in row}
            read = {row["key"]: _variant(row) for row in rows if "text" not in row}
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
            raise ArgumentError("modules", None, accepted="what `to_json` gave") from None
        self._kept |= read
        self._translations |= texts
        return [*read.values()]


def _digest(key: _Key) -> str:
    return sha256(repr(key).encode()).hexdigest()


@lru_cache(maxsize=4096)
def _unqueried(asked: tuple[Descriptor, Share]) -> tuple[Descriptor, Share]:
    """Return what makes the same module without queries of levels: anisotropy counts at the edges of cubes alone."""
    place, share = asked
    rows = share.rows if isinstance(share, Elements) else (share,)
    rows = tuple(row if row.cube_edges else row._replace(anisotropic=False) for row in rows)
    return place, share._replace(rows=rows) if isinstance(share, Elements) else rows[0]


def _variant(row: dict[str, Any]) -> Variant:
    values = tuple((_place(place), int(element)) for place, element in row["values"])
    samplers = tuple(
        SplitSampler(_place(one[0]), _place(one[1]), one[2] and _place(one[2]), *one[3:]) for one in row["samplers"]
    )
    unresolved = tuple((place and _place(place), str(why)) for place, why in row["unresolved"])
    module = b64decode(row["module"])
    return Variant(module, values, samplers, unresolved, sha256(module).hexdigest())


def _place(pair: list[int]) -> Descriptor:
    group, binding = map(int, pair)
    return group, binding
