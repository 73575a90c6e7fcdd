"""`statetracker.sampler.shader_needs`: what no sampler state can say."""

from __future__ import annotations

from itertools import product

import pytest

from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture, Wrap
from statetracker.sampler import ClampMasks, Lowering, WrapMasks, clamp_masks, lowering, wrap_masks

PLAIN = Texture("2d", "RGBA8").facts()
RECTANGLE = Texture("rectangle", "RGBA8").facts()
CLAMPS = (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT)
EMULATES = Screen(emulate_gl_clamp=True)


@pytest.mark.parametrize("wraps", list(product([Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT, Wrap.REPEAT], repeat=3)))
@pytest.mark.parametrize("emulates", [False, True])
def test_clamped_axes_are_saturated_where_clamp_is_emulated(wraps: tuple[Wrap, ...], emulates: bool) -> None:
    """Each axis for itself, CLAMP and its mirror."""
    s, t, r = wraps
    needs = lowering(Sampler(wrap_s=s, wrap_t=t, wrap_r=r), PLAIN, Screen(emulate_gl_clamp=emulates))
    assert needs[:3] == tuple(emulates and wrap != Wrap.REPEAT for wrap in wraps)
    letters = ["".join(x for x, w in zip("str", wraps, strict=True) if emulates and w == wrap) for wrap in CLAMPS]
    assert [needs.clamp, needs.mirror] == letters
    assert needs.merged.clamp == "".join(sorted(letters[0] + letters[1], key="str".index))
    assert needs.axes == needs.merged.axes


@pytest.mark.parametrize("wrap", [w for w in Wrap if w not in (Wrap.CLAMP, Wrap.MIRROR_CLAMP_EXT)])
def test_other_wraps_need_no_shader(wrap: Wrap) -> None:
    """Hardware has them."""
    assert lowering(Sampler(wrap=wrap), PLAIN, EMULATES) == Lowering()


@pytest.mark.parametrize("fields", [{"min_filter": "linear"}, {"min_filter": "nearest"}])
def test_masks_follow_gls_wrap_whatever_it_was_lowered_to(fields: dict[str, str]) -> None:
    """Border or edge, the coordinate is saturated."""
    assert lowering(Sampler(wrap="clamp", **fields), PLAIN, EMULATES).axes == 7


@pytest.mark.parametrize("lowers", [False, True])
def test_rectangle_has_texel_coordinates_that_a_shader_may_have_to_normalise(lowers: bool) -> None:
    """Saturation is to its size either way."""
    needs = lowering(Sampler(), RECTANGLE, Screen(lower_rect_tex=lowers))
    assert (needs.texel_coords, needs.normalize_rect, needs.needed) == (True, lowers, lowers)


def test_lowering_is_a_variant_key() -> None:
    """Equal needs are one key; a needless one says so."""
    needs = lowering(Sampler(wrap_s="clamp"), PLAIN, EMULATES)
    assert {needs: "variant"}[Lowering(saturate_s=True)] == "variant"
    assert needs.needed
    assert not Lowering(texel_coords=True).needed


@pytest.mark.parametrize("axes", range(8))
def test_axes_are_bits(axes: int) -> None:
    """1 S, 2 T, 4 R."""
    assert Lowering(bool(axes & 1), bool(axes & 2), bool(axes & 4)).axes == axes


def test_stage_masks_gather_slots() -> None:
    """Bit n is slot n, one mask an axis."""
    slots = [
        (0, Lowering(saturate_s=True)),
        (5, Lowering(saturate_s=True, saturate_r=True)),
        (31, Lowering(saturate_t=True)),
    ]
    assert clamp_masks(slots) == ClampMasks(s=0b100001, t=1 << 31, r=0b100000)
    assert clamp_masks([]) == ClampMasks() == (0, 0, 0)


def test_stage_masks_keep_clamp_and_mirror_apart() -> None:
    """Two triples with no bit in both; merged, they are what upstream has."""
    slots = [
        (0, Lowering(saturate_s=True, mirror_s=True, saturate_t=True)),
        (3, Lowering(saturate_s=True)),
        (31, Lowering(saturate_r=True, mirror_r=True)),
    ]
    masks = wrap_masks(slots)
    assert masks == WrapMasks(ClampMasks(0b1000, 1, 0), ClampMasks(1, 0, 1 << 31))
    assert masks.merged == clamp_masks(slots) == ClampMasks(0b1001, 1, 1 << 31)
    assert masks.any
    assert not WrapMasks().any


def test_clamp_and_mirror_are_different_variants() -> None:
    """The shader's coordinate is another one."""
    wraps = [lowering(Sampler(wrap_s=wrap), PLAIN, EMULATES) for wrap in CLAMPS]
    assert len(set(wraps)) == 2
    assert len({needs.merged for needs in wraps}) == 1


@pytest.mark.parametrize("has_samplers", [False, True])
def test_a_buffer_texture_has_no_sampler_to_clamp_unless_the_driver_says_so(has_samplers: bool) -> None:
    """A sampler object may be bound to its unit nevertheless."""
    screen, buffer = EMULATES.replace(texture_buffer_sampler=has_samplers), Texture("buffer", "RGBA8").facts()
    assert lowering(Sampler(wrap="clamp"), buffer, screen).needed is has_samplers


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        (Lowering(), "nothing"),
        (Lowering(texel_coords=True), "nothing"),
        (Lowering(saturate_s=True, saturate_t=True), "clamp st"),
        (Lowering(saturate_s=True, saturate_t=True, mirror_t=True), "clamp s, mirror-clamp t"),
        (Lowering(saturate_t=True, texel_coords=True), "clamp t, in texels"),
        (Lowering(texel_coords=True, normalize_rect=True), "normalize rect"),
        (Lowering(saturate_r=True, fold_s=True, fold_r=True), "clamp r, fold sr"),
        (Lowering(cube_edges=True, add_lod_bias=True), "cube edges, add lod bias"),
        (Lowering(fold_t=True, second_sampler=True), "fold t, second sampler"),
    ],
)
def test_a_lowering_reads_as_words(needs: Lowering, words: str) -> None:
    """For people; the fields are for machines."""
    assert str(needs) == words


def test_plain_texture_needs_no_normalisation_where_rectangles_do() -> None:
    """A driver without rectangle textures still has all others."""
    assert not lowering(Sampler(), PLAIN, Screen(lower_rect_tex=True)).needed


@pytest.mark.parametrize("axis", ["s", "t", "r"])
def test_masks_are_there_if_any_axis_has_a_bit(axis: str) -> None:
    """Each axis alone counts, of either wrap."""
    masks = ClampMasks(**{axis: 4})
    assert masks.any
    assert WrapMasks(clamp=masks).any
    assert WrapMasks(mirror=masks).any
    assert not ClampMasks().any
    assert not WrapMasks().any


@pytest.mark.parametrize("axis", ["s", "t", "r"])
def test_only_axes_that_are_saturated_are_mirrored(axis: str) -> None:
    """A mirror bit without its saturate bit says nothing."""
    alone = Lowering(**{f"mirror_{axis}": True})
    assert (alone.mirrored, alone.mirror, alone.needed) == (0, "", False)
    both = Lowering(**{f"mirror_{axis}": True, f"saturate_{axis}": True})
    assert (both.mirrored, both.mirror, both.clamp) == (1 << "str".index(axis), axis, "")


@pytest.mark.parametrize("axes", range(8))
def test_folded_axes_are_letters(axes: int) -> None:
    """And any of them is work for the shader."""
    needs = Lowering(fold_s=bool(axes & 1), fold_t=bool(axes & 2), fold_r=bool(axes & 4))
    assert needs.folded == "".join(letter for n, letter in enumerate("str") if axes >> n & 1)
    assert needs.needed is (axes != 0)


@pytest.mark.parametrize("field", ["cube_edges", "add_lod_bias", "second_sampler"])
def test_what_a_device_lacks_is_work_by_itself(field: str) -> None:
    """And is named as its field."""
    needs = Lowering(**{field: True})
    assert needs.needed
    assert needs.for_the_device == [field]
    assert not Lowering().for_the_device
