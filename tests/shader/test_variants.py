"""`statetracker.shader.variants`: keys byte by byte, the seed's short ones, and lists of variants."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError
from statetracker.shader import KEY_KINDS, VariantKeys, VariantList
from statetracker.spellings import STAGES

NONE = ((0, 0, 0), (0, 0, 0))
CLAMP_S = ((1, 0, 0), (0, 0, 0))
MIRROR_S = ((0, 0, 0), (1, 0, 0))
WORDS = some.integers(0, 2**32 - 1)
TRIPLES = some.tuples(WORDS, WORDS, WORDS)


def test_every_stage_has_a_key_and_only_the_fragment_stage_its_own() -> None:
    assert list(KEY_KINDS) == list(STAGES)
    assert [stage for stage, kind in KEY_KINDS.items() if kind == "fragment"] == ["fragment"]


@pytest.mark.parametrize("stage", STAGES)
def test_masks_are_the_last_member_and_the_rest_is_filled_with_zeros(stage: str) -> None:
    keys = VariantKeys(fragment_bytes=8, common_bytes=4, merged=True)
    key = keys.key(stage, ((1, 2, 0x80000000), (4, 0, 0)), b"\x07")
    own = 8 if stage == "fragment" else 4
    assert key == b"\x07".ljust(own, b"\0") + bytes.fromhex("05000000 02000000 00000080")


@given(TRIPLES, TRIPLES)
def test_two_triples_keep_what_one_merges(clamp: tuple[int, int, int], mirror: tuple[int, int, int]) -> None:
    whole = VariantKeys().key("vertex", (clamp, mirror))
    merged = VariantKeys(merged=True).key("vertex", (clamp, mirror))
    both = [int.from_bytes(whole[at : at + 4], "little") for at in range(0, 24, 4)]
    assert both == [*clamp, *mirror]
    assert merged == VariantKeys(merged=True).key("vertex", (mirror, clamp))
    assert [int.from_bytes(merged[at : at + 4], "little") for at in (0, 4, 8)] == [
        a | b for a, b in zip(clamp, mirror, strict=True)
    ]


def test_without_emulation_masks_are_zero_and_never_seen() -> None:
    keys = VariantKeys(emulates=False, reduced=True)
    assert keys.key("fragment", CLAMP_S) == bytes(24)
    assert not keys.seen
    assert keys.compared_bytes("fragment") == 0


def test_the_reduced_key_grows_with_the_first_mask_and_never_shrinks() -> None:
    keys = VariantKeys(reduced=True, fragment_bytes=16, common_bytes=8)
    keys.key("fragment", NONE)
    assert [keys.compared_bytes(stage) for stage in ("fragment", "compute")] == [16, 8]
    keys.key("compute", MIRROR_S)
    assert [keys.compared_bytes(stage) for stage in ("fragment", "compute")] == [40, 32]
    keys.key("compute", NONE)
    assert keys.seen


def test_variants_made_before_the_first_mask_stay_right() -> None:
    """Their masks are 0; whole keys were kept, so nothing is compiled again and nothing is confused."""
    made: list[bytes] = []
    variants: VariantList[int] = VariantList("fragment", VariantKeys(reduced=True, fragment_bytes=1))

    def make(key: bytes) -> int:
        made.append(key)
        return len(made)

    first = [variants.get(NONE, make, b"a"), variants.get(NONE, make, b"b"), variants.get(NONE, make, b"a")]
    later = [variants.get(CLAMP_S, make, b"a"), variants.get(NONE, make, b"a"), variants.get(MIRROR_S, make, b"a")]
    assert (first, later) == ([1, 2, 1], [3, 1, 4])
    assert (len(variants), made[2][1:5]) == (4, b"\1\0\0\0")


def test_variants_that_differ_in_masks_alone_are_not_merged() -> None:
    """Not even in axes that the shader's textures do not have."""
    variants: VariantList[object] = VariantList("vertex", VariantKeys())
    assert variants.get(((0, 0, 1), (0, 0, 0)), lambda _: object()) is not variants.get(NONE, lambda _: object())


def test_a_variant_that_cannot_be_made_is_not_kept() -> None:
    variants: VariantList[bytes] = VariantList("vertex", VariantKeys())
    with pytest.raises(ZeroDivisionError):
        variants.get(NONE, lambda _: bytes(1 // 0))
    assert len(variants) == 0


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ArgumentError, match="own='3 bytes'"):
        VariantKeys(common_bytes=2).key("vertex", NONE, b"abc")
    with pytest.raises(ArgumentError, match="32-bit"):
        VariantKeys().key("vertex", ((1 << 32, 0, 0), (0, 0, 0)))
    wrong: Any
    for wrong in (5, ((0, 0, 0),), ((0, 0), (0, 0, 0)), ((0.5, 0, 0), (0, 0, 0))):
        with pytest.raises(ArgumentError, match="two triples of 32-bit masks"):
            VariantKeys(merged=True).key("vertex", wrong)
    own: Any
    for own in (bytearray(b"ab"), memoryview(b"ab")):
        key = VariantKeys(common_bytes=4).key("vertex", NONE, own)
        assert (type(key), key) == (bytes, b"ab".ljust(28, b"\0"))
    with pytest.raises(ArgumentError, match="stage"):
        VariantList("pixel", VariantKeys())
    with pytest.raises(ArgumentError, match="common_bytes"):
        VariantKeys(common_bytes=-1)
