"""`st.ModuleVariants`: modules that were rewritten, by what was asked for."""

from __future__ import annotations

from hashlib import sha256
from time import process_time
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import ArgumentError, ModuleError
from statetracker.pipe import Lowering, TexFilter, TexMipfilter
from statetracker.shader import Lowered, VariantStatistics
from tests.shader.modules import SIMPLE, module

BLOCK = (1, 0)
NOTHING = Lowering(min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR, min_mip_filter=TexMipfilter.LINEAR)
BORDER = NOTHING._replace(border="st", route="edge")
CLAMP = Lowering(clamp="st")
ARRAY = SIMPLE._replace(elements=3)
ONE, TWO = module([SIMPLE])[0], module([SIMPLE, ARRAY])[0]


@pytest.fixture
def variants() -> st.ModuleVariants:
    return st.ModuleVariants()


@pytest.mark.parametrize("lod_query", [True, False])
def test_a_variant_is_what_lower_makes_and_is_made_once(variants: st.ModuleVariants, *, lod_query: bool) -> None:
    shader = variants.add(TWO)
    request: Any = {(0, 0): BORDER, (0, 1): [CLAMP, BORDER, NOTHING]}
    made = variants.lowered(shader, request, values=BLOCK, lod_query=lod_query)
    assert made == st.lower(TWO, request, values=BLOCK, lod_query=lod_query)
    assert made.module != TWO
    assert variants.lowered(shader, dict(request), values=BLOCK, lod_query=lod_query) is made
    assert variants.statistics()[:2] == (1, 1)


@pytest.mark.parametrize("request_", [{}, {(0, 0): NOTHING}, {(0, 0): "", (0, 1): [NOTHING, ""]}])
def test_a_request_without_work_gives_the_module_unread(variants: st.ModuleVariants, request_: Any) -> None:
    given = b"no module at all"
    shader = variants.add(given)
    assert variants.lowered(shader, request_, values=BLOCK) == Lowered(given, (), (), (), ())
    assert variants.lowered(shader, request_, values=BLOCK).module is given
    assert variants.statistics() == VariantStatistics(0, 0, 2, 0, 1, 0, 0, 64 << 20)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({(0, 0): BORDER, (0, 1): CLAMP}, {(0, 1): CLAMP, (0, 0): BORDER}),
        ({(0, 0): CLAMP}, {(0, 0): CLAMP, (0, 1): NOTHING}),
        ({(0, 0): CLAMP}, {(0, 0): "st"}),
        ({(0, 1): [CLAMP, NOTHING]}, {(0, 1): (CLAMP, NOTHING)}),
    ],
)
def test_requests_that_mean_the_same_have_one_key_and_one_variant(
    variants: st.ModuleVariants, one: Any, other: Any
) -> None:
    shader = variants.add(TWO)
    assert hash(variants.key(shader, one)) == hash(variants.key(shader, other))
    made = variants.lowered(shader, one, values=BLOCK)
    assert made is variants.lowered(shader, other, values=BLOCK)
    assert made == st.lower(TWO, one, values=BLOCK)


def test_every_part_of_a_key_distinguishes_variants(variants: st.ModuleVariants) -> None:
    shader, other = variants.add(TWO), variants.add(ONE)
    keys = [
        variants.key(shader, {(0, 0): BORDER}, values=BLOCK),
        variants.key(other, {(0, 0): BORDER}, values=BLOCK),
        variants.key(shader, {(0, 1): BORDER}, values=BLOCK),
        variants.key(shader, {(0, 0): CLAMP}, values=BLOCK),
        variants.key(shader, {(0, 0): [BORDER]}, values=BLOCK),
        variants.key(shader, {(0, 0): BORDER}, values=(1, 1)),
        variants.key(shader, {(0, 0): BORDER}, values=BLOCK, lod_query=False),
    ]
    assert len(set(keys)) == len(keys)


def test_values_are_in_the_order_of_descriptors_whatever_was_asked_first(variants: st.ModuleVariants) -> None:
    shader = variants.add(module([SIMPLE, ARRAY._replace(dynamic=True)])[0])
    made = variants.lowered(shader, {(0, 1): (BORDER, BORDER), (0, 0): BORDER}, values=BLOCK)
    assert made.values == (((0, 0), 0), ((0, 1), 0), ((0, 1), 1))


def test_a_module_is_called_by_its_sha_256_however_it_is_given(variants: st.ModuleVariants) -> None:
    names = {variants.add(kind(ONE)) for kind in (bytes, bytearray, memoryview)}
    assert names == {sha256(ONE).hexdigest()}
    assert variants.statistics().modules == 1


def test_the_variant_that_was_not_used_for_longest_goes_first() -> None:
    first, small, other = {(0, 0): "s"}, {(0, 0): "r"}, {(0, 0): Lowering(mirror="r")}  # there is no r to clamp
    variants = st.ModuleVariants(max_bytes=len(st.lower(ONE, first).module) + len(ONE))
    shader = variants.add(ONE)
    kept, _ = variants.lowered(shader, first), variants.lowered(shader, small)
    assert variants.lowered(shader, first) is kept
    variants.lowered(shader, other)
    assert variants.statistics()[:4] == (1, 3, 0, 1)
    assert variants.lowered(shader, first) is kept
    variants.lowered(shader, small)
    assert variants.statistics()[:4] == (2, 4, 0, 2)


def test_the_last_variant_is_held_even_if_it_alone_is_above_the_limit() -> None:
    variants = st.ModuleVariants(max_bytes=1)
    shader = variants.add(ONE)
    made = [variants.lowered(shader, {(0, 0): axes}) for axes in ("s", "t", "t")]
    assert made[1] is made[2]
    assert variants.statistics() == VariantStatistics(1, 2, 0, 1, 1, 1, len(made[2].module), 1)


@pytest.mark.parametrize(
    ("error", "given", "request_", "values"),
    [
        (ModuleError, b"no module at all", {(0, 0): BORDER}, BLOCK),
        (ArgumentError, ONE, {(5, 5): BORDER}, BLOCK),
        (ArgumentError, ONE, {(0, 0): BORDER}, None),
        (ArgumentError, ONE, {(0, 0): BORDER}, (0, 0)),
        (ArgumentError, ONE, {(0, 0): BORDER._replace(route="")}, BLOCK),
        (ArgumentError, ONE, {(0, 0): NOTHING._replace(route="edge")}, BLOCK),
        (ArgumentError, ONE, {(0, 0): tuple(BORDER)}, BLOCK),
        (ArgumentError, ONE, {(0, 0): 7}, BLOCK),
        (ArgumentError, ONE, {"0:0": BORDER}, BLOCK),
        (ArgumentError, ONE, [((0, 0), BORDER)], BLOCK),
    ],
)
def test_errors_of_lower_pass_through_and_change_nothing(
    variants: st.ModuleVariants, error: type[Exception], given: bytes, request_: Any, values: Any
) -> None:
    kept = variants.lowered(variants.add(ONE), {(0, 0): BORDER}, values=BLOCK)
    shader = variants.add(given)
    before = variants.statistics()
    with pytest.raises(error) as caught:
        variants.lowered(shader, request_, values=values)
    with pytest.raises(error) as wanted:
        st.lower(given, request_, values=values)
    assert str(caught.value) == str(wanted.value)
    assert variants.statistics() == before
    assert variants.lowered(variants.add(ONE), {(0, 0): BORDER}, values=BLOCK) is kept


def test_numbers_are_no_place_for_values(variants: st.ModuleVariants) -> None:
    """They change from state to state, and a variant must not."""
    numbers: Any = {(0, 0): st.convert(st.Sampler(), st.Texture(), st.Screen.named("llvmpipe")).lowering_values}
    with pytest.raises(ArgumentError, match="values"):
        variants.key(variants.add(ONE), {(0, 0): BORDER}, values=numbers)


def test_descriptors_that_a_module_lacks_are_listed_where_that_is_wanted() -> None:
    variants = st.ModuleVariants(keep_going=True)
    assert variants.lowered(variants.add(ONE), {(0, 0): CLAMP, (5, 5): CLAMP}).unmatched == ((5, 5),)


@pytest.mark.parametrize("name", ["", "0" * 64, ONE, None, []])
def test_a_module_that_was_not_added_is_an_error(variants: st.ModuleVariants, name: Any) -> None:
    for call in (variants.remove, lambda name: variants.key(name, {}), lambda name: variants.lowered(name, {})):
        with pytest.raises(ArgumentError, match="module"):
            call(name)


@pytest.mark.parametrize("wrong", [0, -1, None, 1.5])
def test_a_limit_is_a_number_of_bytes_and_a_module_is_bytes(variants: st.ModuleVariants, wrong: Any) -> None:
    with pytest.raises(ArgumentError, match="max_bytes"):
        st.ModuleVariants(max_bytes=wrong)
    with pytest.raises(ArgumentError, match="module"):
        variants.add(wrong)


def test_a_module_goes_with_its_variants_after_as_many_removals_as_it_was_added(variants: st.ModuleVariants) -> None:
    shader, other = variants.add(ONE), variants.add(TWO)
    assert variants.add(ONE) == shader
    made, kept = variants.lowered(shader, {(0, 0): "s"}), variants.lowered(other, {(0, 0): "s"})
    variants.remove(shader)
    assert variants.lowered(shader, {(0, 0): "s"}) is made
    variants.remove(shader)
    with pytest.raises(ArgumentError, match="module"):
        variants.lowered(shader, {(0, 0): "s"})
    assert variants.lowered(other, {(0, 0): "s"}) is kept
    assert variants.statistics() == VariantStatistics(2, 2, 0, 0, 1, 1, len(kept.module), 64 << 20)


def test_removal_takes_no_longer_for_each_variant_of_other_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight thousand took six seconds. What was evicted before is not looked for."""
    monkeypatch.setattr("statetracker.shader.module_variants.lower", lambda *_, **__: st.lower(ONE, {}))
    variants = st.ModuleVariants(max_bytes=7000 * len(ONE))
    shaders = [variants.add(ONE + number.to_bytes(4, "little")) for number in range(8000)]
    for shader in shaders:
        variants.lowered(shader, {(0, 0): "s"})
    begun = process_time()
    for shader in shaders:
        variants.remove(shader)
    assert process_time() - begun < 1.0
    assert variants.statistics()[3:7] == (1000, 0, 0, 0)
