"""Keys of shader variants: a front end's bytes, then the masks of the samplers that wrap with GL_CLAMP.

A key is the same for all that a program's stage is compiled for, so it is compared byte by byte. The fragment stage has
one layout, all other stages share the common one; each front end has members before the masks, of a length that never
changes. Source: docs/rules/lowering.md.
"""

from __future__ import annotations

from itertools import chain
from struct import Struct, error
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Triple: TypeAlias = Sequence[int]

Variant = TypeVar("Variant")

#: Stage -> which key it has.
KEY_KINDS: Final = {
    "vertex": "common",
    "tess-ctrl": "common",
    "tess-eval": "common",
    "geometry": "common",
    "fragment": "fragment",
    "compute": "common",
}


class VariantKeys:
    """A context's keys of shader variants, and how they compare.

    ``seen`` becomes True with the first mask that is not 0, and stays so.

    Args:
        emulates: GL_CLAMP is emulated; else all masks are 0.
        reduced: Compare only the bytes before the masks until this context has seen a mask that is not 0, as the seed
            does; else always all bytes.
        merged: One triple of masks for both wraps, as upstream has it; else GL_CLAMP's and then GL_MIRROR_CLAMP_EXT's.
        fragment_bytes: How many bytes the front end's members take in the fragment key.
        common_bytes: How many they take in the key of every other stage.

    Raises:
        ArgumentError: A negative length.
    """

    __slots__ = ("_bytes", "_masks", "emulates", "merged", "reduced", "seen")

    def __init__(
        self,
        *,
        emulates: bool = True,
        reduced: bool = False,
        merged: bool = False,
        fragment_bytes: int = 0,
        common_bytes: int = 0,
    ) -> None:
        self.emulates = emulates
        self.reduced = reduced
        self.merged = merged
        self.seen = False
        self._masks = Struct("<3I" if merged else "<6I")
        self._bytes = {"fragment": fragment_bytes, "common": common_bytes}
        for kind, length in self._bytes.items():
            if length < 0:
                raise ArgumentError(f"{kind}_bytes", length, accepted="0 or more")

    def key(self, stage: str, masks: tuple[Triple, Triple], own: bytes = b"") -> bytes:
        """Make a stage's whole key.

        Args:
            stage: A name of `cso.STAGES`.
            masks: (GL_CLAMP's triple, GL_MIRROR_CLAMP_EXT's), each three masks of 32 bits for S, T and R.
            own: The front end's members; filled up with zeros.

        Returns:
            Own members, then the masks, little-endian.

        Raises:
            UnknownName: An unknown stage.
            ArgumentError: Own members that are too long, and masks of more than 32 bits.
        """
        kind = looked_up("stage", stage, KEY_KINDS)
        length = self._bytes[kind]
        if len(own) > length:
            raise ArgumentError("own", f"{len(own)} bytes", accepted=f"at most {length} for the {kind} key")
        return bytes(own).ljust(length, b"\0") + self._packed(masks)

    def _packed(self, masks: tuple[Triple, Triple]) -> bytes:
        if not self.emulates:
            return bytes(self._masks.size)
        try:
            clamp, mirror = masks
            words = [a | b for a, b in zip(clamp, mirror, strict=True)] if self.merged else [*clamp, *mirror]
            packed = self._masks.pack(*words)
        except (error, TypeError, ValueError):
            raise ArgumentError("masks", masks, accepted="two triples of 32-bit masks") from None
        self.seen = self.seen or any(chain(clamp, mirror))
        return packed

    def compared_bytes(self, stage: str) -> int:
        """Return how many leading bytes of a stage's key count now; raises `UnknownName` for an unknown stage."""
        length = self._bytes[looked_up("stage", stage, KEY_KINDS)]
        return length if self.reduced and not (self.emulates and self.seen) else length + self._masks.size

    def same(self, stage: str, one: bytes, other: bytes) -> bool:
        """Return whether two keys of a stage mean one variant now, the one and the other."""
        count = self.compared_bytes(stage)
        return one[:count] == other[:count]


class VariantList(Generic[Variant]):
    """The variants of one program's stage: searched one after the other, as they were made.

    Whole keys are kept, so that variants made before a context saw its first mask (all theirs are 0) stay right.

    Args:
        stage: A name of `cso.STAGES`.
        keys: The context's way to make and compare keys.

    Raises:
        UnknownName: An unknown stage.
    """

    __slots__ = ("_made", "keys", "stage")

    def __init__(self, stage: str, keys: VariantKeys) -> None:
        looked_up("stage", stage, KEY_KINDS)
        self.stage = stage
        self.keys = keys
        self._made: list[tuple[bytes, Variant]] = []

    def __len__(self) -> int:
        return len(self._made)

    def get(self, masks: tuple[Triple, Triple], make: Callable[[bytes], Variant], own: bytes = b"") -> Variant:
        """Return the variant for these masks and own members.

        Args:
            masks: As for `VariantKeys.key`.
            make: Compiles one that is missing, from its key; what it raises passes through, and nothing is kept.
            own: The front end's members.
        """
        key = self.keys.key(self.stage, masks, own)
        for known, variant in self._made:
            if self.keys.same(self.stage, known, key):
                return variant
        variant = make(key)
        self._made.append((key, variant))
        return variant
