"""Words of Vulkan, WebGPU, moderngl and C, wherever a GL value or a stage is accepted; the nearest to a wrong one.

And border colours and rows of text: which words are floats, that what is shown makes the same words; columns.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as h

import statetracker as st
from statetracker.cso import CsoContext, RecordingDriver
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.gl.names import enum_value, glenum
from statetracker.spellings import (
    EVERYWHERE,
    SPELLINGS,
    STAGES,
    aligned,
    float_color,
    looked_up,
    signed_color,
    stage_named,
)
from statetracker.surface import Target
from statetracker.vulkan import enums as vk

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import IntEnum

WORDS = [
    (family, word, name) for family, words in SPELLINGS.items() if family != "stage" for word, name in words.items()
]


@pytest.mark.parametrize(("family", "word", "name"), WORDS)
def test_every_word_means_the_member_that_the_table_says(family: str, word: str, name: str) -> None:
    """In capitals, in kebab-case, and where no family is named."""
    kind: type[IntEnum] = getattr(e, family)
    for spelling in (word, word.lower().replace("_", "-")):
        assert enum_value(spelling, kind, "x", "TEXTURE_") == kind[name]
        if word in EVERYWHERE:
            assert glenum(spelling) == kind[name]


@pytest.mark.parametrize(
    ("family", "theirs"),
    [(e.Wrap, vk.SamplerAddressMode), (e.CompareFunc, vk.CompareOp), (e.ReductionMode, vk.SamplerReductionMode)],
)
def test_every_name_of_vulkan_is_a_word(family: type[IntEnum], theirs: type[IntEnum]) -> None:
    """And different names are different values; functions and reductions have the numbers that Vulkan gives them."""
    read = [enum_value(vk.vk_name(theirs, member), family, "x") for member in theirs]
    assert len(set(read)) == len(theirs)
    if theirs is vk.CompareOp:
        assert read == [0x200 + member for member in theirs]


def test_every_value_of_a_webgpu_sampler_is_a_word() -> None:
    """As our own descriptors spell them."""
    screen = st.Screen.named("webgpu")
    for wrap in ("repeat", "mirror-repeat", "clamp-to-edge"):
        result = st.convert(st.Sampler(wrap_s=wrap), st.Texture(internal_format="RGBA8"), screen)
        assert result.webgpu["address_mode_u"] == wrap
    for func in e.CompareFunc:
        sampler = st.Sampler(compare_mode=True, compare_func=func)
        word = st.convert(sampler, st.Texture(internal_format="DEPTH_COMPONENT24"), screen).webgpu["compare"]
        assert st.Sampler(compare_func=word).compare_func == func


def test_a_filter_is_a_pair_or_one_word_and_what_is_set_at_once_can_be_read() -> None:
    """In moderngl's order; nothing is set where one of them is wrong."""
    sampler = st.Sampler(filter=(0x2703, "nearest"), wrap="clamp")
    assert (sampler.min_filter, sampler.mag_filter) == sampler.filter == (0x2703, 0x2600)
    before = sampler.content()
    for wrong in (("linear",), ("linear", "linear-mipmap-linear"), "linear-mipmap-linear", 3, None):
        with pytest.raises(ArgumentError, match="filter"):
            sampler.update(filter=wrong)  # type: ignore[arg-type]
    assert sampler.content() == before
    sampler.update(filter="linear")
    assert sampler.filter == (0x2601, 0x2601)
    assert sampler.wrap == sampler.wrap_r == 0x2900
    sampler.wrap_t = "repeat"
    assert sampler.wrap == (0x2900, 0x2901, 0x2900)


def test_a_texture_says_how_large_its_base_level_is() -> None:
    assert st.Texture("2d", "RGBA8", (64, 32), base_level=1).size == (32, 16, 1)
    assert st.Texture("2d-array", "RGBA8", (64, 32, 5), levels=1).size == (64, 32, 5)
    assert st.Texture("2d", "RGBA8", (64, 32), levels=1, base_level=1).size == (0, 0, 0)


def test_a_value_shows_its_name_however_it_was_set() -> None:
    context = st.Context()
    context.glGenSamplers(1)
    context.glSamplerParameteri(1, "GL_TEXTURE_WRAP_S", 0x2900)
    for sampler in (context.samplers[1], st.Sampler(wrap_s=0x2900), st.Sampler(wrap_s="clamp").copy()):
        assert repr(sampler.wrap_s) == "GL_CLAMP"
        assert repr(st.Sampler.of_content(sampler.content()).wrap_s) == "GL_CLAMP"
        assert repr(sampler) == "Sampler(wrap_s='GL_CLAMP')"
        assert sampler.wrap_s == 0x2900


def test_a_word_of_another_family_is_refused() -> None:
    """``VK_COMPARE_OP_LESS`` is no wrap mode, and ``1`` no number of a wrap."""
    for word in ("VK_COMPARE_OP_LESS", "<=", "1"):
        with pytest.raises(UnknownName):
            st.Sampler(wrap_s=word)


@pytest.mark.parametrize(
    ("spelling", "stage"),
    [
        *zip(STAGES, STAGES, strict=True),
        *SPELLINGS["stage"].items(),
        ("frag", "fragment"),
        ("TESS_CTRL", "tess-ctrl"),
        (0x8B30, "fragment"),
        (0x8E87, "tess-eval"),
    ],
)
def test_a_stage_is_known_by_each_of_its_names(spelling: object, stage: str) -> None:
    assert stage_named(spelling) == stage


def test_a_bind_under_another_name_is_a_bind_of_the_stage() -> None:
    """The driver sees the stage's own name, and what is bound under one name is bound under all."""
    seen: list[str] = []

    class Driver(RecordingDriver):
        def bind_sampler_states(self, stage: str, start: int, handles: Any) -> None:
            seen.append(stage)
            super().bind_sampler_states(stage, start, handles)

    slots = ((st.Sampler(wrap="clamp-to-edge"), st.Texture(internal_format="RGBA8")),)
    with st.StateTracker(st.Screen.named("llvmpipe"), Driver()) as tracker:
        first = tracker.bind("frag", slots)
        assert tracker.bind("VK_SHADER_STAGE_FRAGMENT_BIT", slots) is first
        assert tracker.bind("fragment", slots) is first
        assert seen == ["fragment"]
        tracker.invalidate("frag")
        tracker.bind("fragment", slots)
        assert list(tracker.stages) == ["fragment"]
    assert set(seen) == {"fragment"}
    cso = CsoContext(Driver())
    cso.set_samplers("frag", [bytes(st.SamplerState())])
    assert cso.handles("fragment") == cso.handles("frag")
    assert set(seen) == {"fragment"}


def test_a_programs_slots_are_looked_up_under_each_name_of_a_stage() -> None:
    program = st.Program([st.SamplerUniform("shadow", "sampler2DShadow", stages=("frag", "VERT"))])
    assert program.slots("fragment") == program.slots("frag") == program.slots("vert") != []
    context = st.Context()
    assert context.slots("frag", program) == program.slots("fragment")
    with pytest.raises(UnknownName, match="Did you mean 'fragment'"):
        context.slots("fragmnet")


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (lambda: st.Sampler(wrap_s="clamp_to_egde"), "clamp-to-edge"),
        (lambda: st.Sampler(warp_s="repeat"), "wrap_s"),  # type: ignore[call-arg]
        (lambda: st.Texture(internal_fromat="RGBA8"), "internal_format"),  # type: ignore[arg-type]
        (lambda: st.Texture("cube-mapp"), "cube-map"),
        (lambda: st.Screen.named("llvmpip"), "llvmpipe"),
        (lambda: st.Policy(force_neerest=True), "force_nearest"),  # type: ignore[call-arg]
        (lambda: stage_named("vertx"), "vertex"),
        (lambda: st.Screen.named("llvmpipe").replace(emulate_gl_clmap=True), "emulate_gl_clamp"),
        # Another API's name.
        (lambda: st.Sampler(address_mode_u="repeat"), "wrap_s"),  # type: ignore[call-arg]
        (lambda: st.Sampler(lodMaxClamp=1.0), "max_lod"),  # type: ignore[call-arg]
        (lambda: st.Sampler(anisotropy=4.0), "max_anisotropy"),  # type: ignore[call-arg]
        (lambda: st.Policy(anisotropy=4.0), "force_anisotropy"),  # type: ignore[call-arg]
        (lambda: st.Texture("2d", "rgba8unorm"), "RGBA8"),
        (lambda: st.Texture("2d", "rg16float"), "RG16F"),
    ],
)
def test_the_nearest_word_to_a_wrong_one_is_offered(wrong: Callable[[], object], word: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        wrong()
    of_a_format = word.isupper()  # its hint has the word as it is
    assert caught.value.nearest == ("" if of_a_format else word)
    assert str(caught.value).endswith(f". Did you mean {word if of_a_format else repr(word)}?")


def test_nothing_is_offered_where_nothing_is_near() -> None:
    with pytest.raises(UnknownName) as caught:
        st.Sampler(wrap_s="zzz")
    assert caught.value.nearest == ""
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize("among", [Target, {one.value: one for one in Target}])
def test_a_word_of_a_table_or_an_enum_is_its_row_and_another_is_told_the_words(among: Any) -> None:
    assert looked_up("target", "2D", among) is Target.D2
    for wrong in ("2E", 2, None, ["2D"]):
        with pytest.raises(UnknownName) as told:
            looked_up("target", wrong, among)
        assert (told.value.field, told.value.value, told.value.accepted) == ("target", wrong, "2D, 2D_ARRAY, CUBE")


COLOURS = h.one_of(
    h.integers(0, 2**32 - 1),
    h.integers(-300, 300).map(lambda n: n & 0xFFFFFFFF),
    h.floats(width=32).map(lambda x: unpack("<I", pack("<f", x))[0]),
)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((0x3F800000, 0x3DCCCCCD, 0, 0x80000000), (1.0, 0.1, 0.0, -0.0)),
        ((0x7F7FFFFF, 0, 0, 0x00800000), (3.4028234663852886e38, 0.0, 0.0, 1.1754944e-38)),
        ((0x3F800000, 1, 0, 0), None),
        ((0x3F800000, 0x7F800000, 0, 0), None),
        ((0x3F800000, 0xFFFFFFFF, 0, 0), None),
    ],
)
def test_normal_floats_are_floats_in_few_digits(words: tuple[int, ...], shown: tuple[float, ...] | None) -> None:
    """Denormals, infinities and NaN are integers that happen to be so."""
    assert repr(float_color(words)) == repr(shown)


def test_the_largest_word_is_minus_one() -> None:
    assert signed_color((0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 5)) == (-1, 2**31 - 1, -(2**31), 5)


@given(h.tuples(COLOURS, COLOURS, COLOURS, COLOURS), h.booleans())
def test_a_sampler_and_a_state_are_rebuilt_from_what_is_shown(words: tuple[int, ...], integer: bool) -> None:
    """Bit for bit, whatever the words are."""
    sampler = st.Sampler(border_color_bits=words)
    assert eval(repr(sampler), {"Sampler": st.Sampler}).content() == sampler.content()  # noqa: S307 (our own text)
    state = st.SamplerState(border_color=words, border_color_is_integer=integer)
    assert eval(repr(state), {"SamplerState": st.SamplerState}) == state  # noqa: S307


def test_a_colour_is_shown_as_it_was_given_and_integers_as_words() -> None:
    assert repr(st.Sampler(border_color=(1, 0.5, 0, 0.1))) == "Sampler(border_color=(1.0, 0.5, 0.0, 0.1))"
    assert repr(st.Sampler(border_color_i=(1, -1, 0, 255))) == "Sampler(border_color_i=(1, -1, 0, 255))"
    assert "border_color=(0.0, 0.0, 0.0, 1.0)" in repr(st.SamplerState(border_color=(0.0, 0.0, 0.0, 1.0)))
    integers = st.SamplerState(border_color=(0x3F800000, 0, 0, 0), border_color_is_integer=True)
    assert "border_color=(1065353216, 0, 0, 0)" in repr(integers)


def test_cells_start_below_each_other_no_line_ends_in_blanks_and_rows_are_of_one_length() -> None:
    assert aligned([("a", "bb", "c"), ("aaa", "b", "long, and longer")]) == ["a    bb  c", "aaa  b   long, and longer"]
    assert aligned([("a", "b"), ("aa", "")]) == ["a   b", "aa"]
    with pytest.raises(ValueError, match="zip"):
        aligned([("a", "b"), ("a",)])
