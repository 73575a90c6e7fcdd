"""`statetracker.gl.sampler`: one sampler's GL state."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import Sampler, Texture
from statetracker.gl.facts import changes
from statetracker.gl.sampler import FIELDS, Attributes, Loss


def test_a_new_sampler_has_gls_defaults() -> None:
    """The specification's table, letter for letter."""
    assert Sampler().state() == {
        "wrap_s": 0x2901, "wrap_t": 0x2901, "wrap_r": 0x2901, "min_filter": 0x2702, "mag_filter": 0x2601,
        "min_lod": -1000.0, "max_lod": 1000.0, "lod_bias": 0.0, "max_anisotropy": 1.0, "compare_mode": 0,
        "compare_func": 0x0203, "srgb_decode": 0x8A49, "cube_map_seamless": False, "reduction_mode": 0x9367,
        "border_color": (0, 0, 0, 0),
    }  # fmt: skip


def test_wrap_sets_all_three_axes_and_single_axes_win() -> None:
    sampler = Sampler(wrap_t="repeat", wrap="clamp-to-edge")
    assert (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r) == (0x812F, 0x2901, 0x812F)


# fmt: off
#: Field, what is given, what is kept: numbers of any spelling, float32, 32-bit words, infinity where a float ends.
KEPT: list[tuple[str, Any, Any]] = [
    ("wrap_s",            0x2900,                       0x2900),
    ("wrap_s",            "clamp",                      0x2900),
    ("compare_mode",      True,                         0x884E),
    ("compare_mode",      False,                        0),
    ("lod_bias",          0.1,                          0.10000000149011612),
    *((name, large, math.inf) for name in ("min_lod", "max_lod", "max_anisotropy") for large in (10**400, 1e300)),
    ("border_color",      (1, 0.5, -0.0, math.nan),     (0x3F800000, 0x3F000000, 0x80000000, 0x7FC00000)),
    ("border_color",      (10**400, -(10**400), 1e300, 1), (0x7F800000, 0xFF800000, 0x7F800000, 0x3F800000)),
    ("border_color_i",    (-1, 2, 4294967295, 0),       (0xFFFFFFFF, 2, 0xFFFFFFFF, 0)),
    ("border_color_bits", (1, 2, 3, 4),                 (1, 2, 3, 4)),
]
# fmt: on


@pytest.mark.parametrize(("field", "value", "kept"), KEPT)
def test_a_value_is_kept_as_gl_has_it(field: str, value: object, kept: object) -> None:
    given: Any = {field: value}
    assert getattr(Sampler(**given), "border_color" if "border" in field else field) == kept


# fmt: off
MISFITS = [
    ({"wrap_s": "sideways"},          UnknownName),   ({"wrap": 0x1234},                UnknownName),
    ({"min_filter": True},            UnknownName),   ({"max_anisotropy": 0.5},         ArgumentError),
    ({"lod_bias": "much"},            ArgumentError), ({"lod_bias": True},              ArgumentError),
    ({"border_color": (1, 2, 3)},     ArgumentError), ({"border_color": "red!"},        ArgumentError),
    ({"border_color_i": (0.5,) * 4},  ArgumentError), ({"border_color_i": (1 << 32,) * 4}, ArgumentError),
    ({"cube_map_seamless": 2},        ArgumentError), ({"colour": 1},                   ArgumentError),
]
# fmt: on


@pytest.mark.parametrize(("fields", "error"), MISFITS)
def test_what_does_not_fit_is_an_argument_error(fields: dict[str, Any], error: type[ArgumentError]) -> None:
    with pytest.raises(error) as caught:
        Sampler(**fields)
    assert caught.value.accepted


def test_nothing_is_set_if_one_field_is_bad() -> None:
    sampler = Sampler()
    token = sampler.token
    with pytest.raises(ArgumentError):
        sampler.update(wrap="clamp", max_anisotropy=0)
    assert (sampler.state(), sampler.token) == (Sampler().state(), token)


def test_what_sets_several_fields_can_be_set_like_an_attribute() -> None:
    sampler = Sampler()
    sampler.wrap = "clamp"
    sampler.filter = ("linear", "nearest")
    sampler.border_color_i = (1, 2, 3, -1)
    assert (
        sampler.content() == Sampler(wrap="clamp", filter=("linear", "nearest"), border_color_i=(1, 2, 3, -1)).content()
    )
    with pytest.raises(UnknownName, match="wrap"):
        sampler.wrap = "clam"


def test_setting_an_attribute_is_a_change_like_any_other() -> None:
    """It is checked, takes any spelling and forgets what was derived."""
    sampler = Sampler()
    sampler.derived, token = object(), sampler.token
    setattr(sampler, "wrap_s", "clamp")  # noqa: B010 (a word, where the type checker wants a number)
    assert (sampler.wrap_s, sampler.derived) == (0x2900, None)
    assert sampler.token > token
    with pytest.raises(ArgumentError):
        sampler.max_anisotropy = 0.5
    with pytest.raises(AttributeError):
        setattr(sampler, "colour", 1)  # noqa: B010


def test_a_copy_is_another_sampler_with_the_same_state() -> None:
    sampler = Sampler(wrap="clamp", border_color=(1, 1, 1, 1))
    other = sampler.copy(wrap_r="repeat")
    assert other.token != sampler.token
    assert other.state() == sampler.state() | {"wrap_r": 0x2901}


def test_a_copy_aside_is_no_change() -> None:
    """What is kept until the next change of any sampler stays."""
    sampler = Sampler(wrap="clamp", border_color=(1, 1, 1, 1))
    last = changes.last
    other = sampler.aside(filter="nearest")
    assert changes.last is last
    assert other.state() == sampler.copy(filter="nearest").state()
    other.lod_bias = 1.0
    assert changes.last is other.token


def test_repr_makes_the_sampler_again() -> None:
    """It shows what is not default, in GL's words."""
    sampler = Sampler(wrap_s="clamp", min_lod=-0.5, border_color=(1, 0, 0, 0))
    assert repr(sampler) == "Sampler(wrap_s='GL_CLAMP', min_lod=-0.5, border_color=(1.0, 0.0, 0.0, 0.0))"
    assert eval(repr(sampler)).state() == sampler.state()  # noqa: S307 (our own text)


# fmt: off
OTHERS: dict[str, tuple[Any, ...]] = {
    "wrap_s":            ("clamp", "mirrored-repeat"),
    "wrap_t":            ("clamp", "mirrored-repeat"),
    "wrap_r":            ("clamp", "mirrored-repeat"),
    "min_filter":        ("nearest", "linear"),
    "mag_filter":        ("nearest",),
    "min_lod":           (0.0, -0.0, math.nan, math.inf),
    "max_lod":           (0.0, -0.0, math.nan, math.inf),
    "lod_bias":          (-0.0, math.nan, math.inf, 1e-45),
    "max_anisotropy":    (16.0, math.nan),
    "compare_mode":      (True,),
    "compare_func":      ("never", "always"),
    "srgb_decode":       ("skip-decode",),
    "cube_map_seamless": (True,),
    "reduction_mode":    ("min", "max"),
    "border_color":      ((0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0), (-0.0, 0, 0, 0), (math.nan, 0, 0, 0)),
}
# fmt: on


def test_content_has_every_field_bit_for_bit() -> None:
    """And nothing else: who has it, and what it was before, do not show."""
    fields: list[dict[str, Any]] = [{}, *({name: value} for name, values in OTHERS.items() for value in values)]
    assert set(OTHERS) == set(FIELDS)
    contents = [Sampler(**given).content() for given in fields]
    assert len(set(contents)) == len(fields)
    changing = Sampler()
    start = changing.state()
    for given, content in zip(fields, contents, strict=True):
        changing.update(**given)
        assert changing.content() == content == Sampler(**given).content()
        changing.restore(start)
        assert changing.content() == contents[0]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 (made here)
def test_a_copy_of_any_kind_has_the_state_to_the_bit_and_a_token_of_its_own(way: Callable[[Sampler], Sampler]) -> None:
    """Border words are no floats, and two objects never share a token."""
    for one in (
        Sampler(),
        Sampler(border_color=(1, 0.5, math.nan, -0.0), min_lod=-0.0, wrap="clamp", lod_bias=math.nan),
    ):
        one.handles, one.label = 1, 7
        other = way(one)
        assert other.content() == one.content()
        assert other.token != one.token
        assert (other.handles, other.label, other.derived) == (0, None, None)


def test_a_value_that_is_set_in_vain_takes_no_token() -> None:
    """So a loop that sets everything before each draw pays for what differs; -0.0 and NaN are no equal values."""
    sampler, texture = Sampler(border_color=(1, 0, 0, 1), max_lod=float("nan")), Texture("2d", "RGBA8", (4, 4))
    for name, value, another in [
        ("wrap_s", "repeat", "clamp"), ("compare_mode", "none", "compare-ref-to-texture"), ("lod_bias", 0.0, -0.0),
        ("border_color", (1, 0, 0, 1), (0, 0, 0, 1)), ("cube_map_seamless", False, True),
    ]:  # fmt: skip
        before = sampler.token
        setattr(sampler, name, value)
        assert sampler.token == before, name
        setattr(sampler, name, another)
        assert sampler.token != before, name
    before = sampler.token
    sampler.max_lod = float("nan")
    assert sampler.token != before
    for name, value, another in [("base_level", 0, 1), ("max_level", 1000, 2)]:
        before = texture.token
        setattr(texture, name, value)
        assert texture.token == before, name
        setattr(texture, name, another)
        assert texture.token != before, name


class Log:
    """Keeps what is set on it."""

    def __init__(self) -> None:
        self.__dict__["order"] = []

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__["order"].append((name, value))


def test_attributes_are_set_in_their_order() -> None:
    log = Log()
    Attributes({"border_color": 1, "repeat_x": True}).onto(log)
    assert log.__dict__["order"] == [("border_color", 1), ("repeat_x", True)]


def test_a_loss_says_what_the_host_has_instead() -> None:
    error = Loss("lod_bias", 1.0, "0.0", "It has no such field").error("moderngl")
    assert isinstance(error, ArgumentError)
    assert str(error) == "lod_bias=1.0 cannot be used; accepted: 0.0 by moderngl. It has no such field."
