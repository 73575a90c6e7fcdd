"""moderngl's samplers and textures: read, set, and beside what GL itself has."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as h

import statetracker as st
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e

if TYPE_CHECKING:
    from collections.abc import Iterator

LIVE = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
BORDER = e.Wrap.CLAMP_TO_BORDER
AXES = ("wrap_s", "wrap_t", "wrap_r")

floats = h.floats(-1000, 1000, width=32)


@h.composite
def expressible(draw: h.DrawFn) -> st.Sampler:
    """What moderngl can set."""
    wraps = draw(h.tuples(*[h.sampled_from([e.Wrap.REPEAT, e.Wrap.CLAMP_TO_EDGE, BORDER])] * 3))
    used = BORDER in wraps
    comparing: list[dict[str, Any]] = [{"compare_mode": True, "compare_func": func} for func in e.CompareFunc]
    return st.Sampler(
        **dict(zip(AXES, wraps, strict=True)),
        filter=(draw(h.sampled_from(list(e.MinFilter))), draw(h.sampled_from(list(e.MagFilter)))),
        max_anisotropy=draw(h.sampled_from([1.0, 2.0, 16.0])),
        min_lod=draw(floats),
        max_lod=draw(floats),
        border_color=draw(h.tuples(*[h.floats(0, 1, width=32)] * 4)) if used else (0, 0, 0, 0),
        **draw(h.sampled_from([{}, *comparing])),
    )


def lookalike(**attributes: Any) -> Any:
    """What a ``moderngl.Sampler`` is at first."""
    first = {"filter": (0x2601, 0x2601), "compare_func": "?", "anisotropy": 1.0, "border_color": (0.0,) * 4}
    ends = {"repeat_x": True, "repeat_y": True, "repeat_z": True, "min_lod": -1000.0, "max_lod": 1000.0}
    return SimpleNamespace(**first | ends | attributes)


def same(one: st.Sampler, other: st.Sampler) -> bool:
    """Equal, but for a function that compares nothing."""
    if not one.compare_mode and not other.compare_mode:
        other = other.copy(compare_func=one.compare_func)
    return one.content() == other.content()


def says_all(sampler: st.Sampler) -> bool:
    """Whether all axes have the border or none has: moderngl does not say which."""
    borders = [getattr(sampler, axis) == BORDER for axis in AXES]
    return not any(borders) or (all(borders) and any(sampler.border_color))


@given(expressible())
def test_what_moderngl_can_say_comes_back(sampler: st.Sampler) -> None:
    there = lookalike()
    assert not sampler.to_moderngl(there).losses
    if says_all(sampler):
        assert same(st.Sampler.from_moderngl(there), sampler)


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({"wrap_t": "clamp"}, "wrap_t"),
        ({"wrap_r": "mirrored-repeat"}, "wrap_r"),
        ({"lod_bias": 0.5}, "lod_bias"),
        ({"srgb_decode": "skip-decode"}, "srgb_decode"),
        ({"cube_map_seamless": True}, "cube_map_seamless"),
        ({"reduction_mode": "min"}, "reduction_mode"),
    ],
)
def test_what_moderngl_cannot_say_is_an_error_or_a_named_loss(fields: dict[str, Any], lost: str) -> None:
    """Nothing is set where it is an error; the rest is where it is a loss."""
    there = lookalike()
    with pytest.raises(ArgumentError, match=f"^{lost}=.* by moderngl"):
        st.Sampler(min_lod=3, **fields).to_moderngl(there)
    assert there.min_lod == -1000.0
    seen = st.Sampler(min_lod=3, **fields).to_moderngl(there, lossy=True)
    assert [loss.field for loss in seen.losses] == [lost]
    assert there.min_lod == 3.0


@pytest.mark.parametrize("wrong", [None, 3, object(), {"filter": (1, 2)}])
def test_what_is_no_sampler_and_no_texture_is_refused(wrong: object) -> None:
    with pytest.raises(ArgumentError, match="moderngl"):
        st.Sampler.from_moderngl(wrong)
    with pytest.raises(ArgumentError, match="moderngl"):
        st.Texture.from_moderngl(wrong)


def test_words_that_moderngl_does_not_have_are_refused() -> None:
    with pytest.raises(UnknownName, match="compare_func"):
        st.Sampler.from_moderngl(lookalike(compare_func="=<"))
    texture = type("Texture", (), {"dtype": "f3", "components": 4, "size": (1, 1), "filter": (1, 1), "swizzle": "RGBA"})
    with pytest.raises(UnknownName, match="dtype"):
        st.Texture.from_moderngl(texture())


# Beside the package


@pytest.mark.live("moderngl")
def test_the_program_of_the_page_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    """In at most 30 lines."""
    page = (Path(__file__).parents[2] / "docs" / "hosts.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(program.splitlines()) <= 30
    exec(compile(program, "docs/hosts.md", "exec"), {"__name__": "__main__"})  # noqa: S102 (our own documentation)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert capsys.readouterr().out == printed


@pytest.fixture(scope="module")
def _context() -> Iterator[Any]:
    import moderngl

    options: dict[str, Any] = {"standalone": True, "backend": "egl"}  # its types know one word less than it does
    context = moderngl.create_context(**options)
    yield context
    context.release()


@pytest.fixture
def theirs(_context: Any) -> Any:
    _context.__enter__()
    return _context


def read(theirs: Any, unit: int, target: int) -> tuple[st.Texture, st.Sampler | None]:
    """What GL itself has on a unit."""
    context = st.Context.from_current(theirs)
    return context.bound(target, unit), context.unit(unit).sampler


@pytest.mark.live("moderngl")
@LIVE
@given(sampler=expressible())
def test_gl_has_what_is_set_through_moderngl_and_it_is_read_as_gl_has_it(theirs: Any, sampler: st.Sampler) -> None:
    """Mixed axes are set too, and not read; a border colour that no axis reads is not set."""
    there = theirs.sampler()
    sampler.to_moderngl(there)
    there.use(1)
    seen = read(theirs, 1, 0x0DE1)[1]
    assert seen is not None
    assert same(seen, sampler)
    if says_all(sampler):
        assert same(st.Sampler.from_moderngl(there), seen)
    there.clear(1)
    there.release()


@pytest.mark.live("moderngl")
@pytest.mark.parametrize("dtype", ["f1", "f2", "f4", "u1", "u2", "u4", "i1", "i2", "i4", "nu1", "nu2", "ni1", "ni2"])
def test_each_data_type_is_the_format_that_gl_has(theirs: Any, dtype: str) -> None:
    for components in (1, 2, 3, 4):
        there = theirs.texture((8, 4), components, dtype=dtype)
        there.use(2)
        live = read(theirs, 2, 0x0DE1)[0]
        ours = st.Texture.from_moderngl(there)
        there.release()
        assert ours.images == live.images
        assert ours.sampler.content() == live.sampler.content()


@pytest.mark.live("moderngl")
def test_each_kind_of_texture_is_read(theirs: Any) -> None:
    """With its levels, swizzle, filters and comparison, as GL has them."""
    made = {
        0x0DE1: theirs.texture((16, 8), 4),
        0x806F: theirs.texture3d((8, 4, 2), 1, dtype="f2"),
        0x8C1A: theirs.texture_array((8, 4, 3), 2),
        0x8513: theirs.texture_cube((8, 8), 3),
        0x9100: theirs.texture((8, 4), 4, samples=4),
    }
    made[0x0DE1].build_mipmaps()
    made[0x0DE1].swizzle = "BGR1"
    made[0x0DE1].anisotropy = 4.0
    made[0x0DE1].repeat_x = False
    made[0x8C1A].filter = (0x2600, 0x2600)
    for target, there in made.items():
        there.use(3)
        live = read(theirs, 3, target)[0]
        ours = st.Texture.from_moderngl(there)
        assert (ours.target, ours.swizzle, ours.images) == (target, live.swizzle, live.images)
        if target != 0x8513:  # of cube maps moderngl has no repeat_x, and sets none
            assert ours.sampler.content() == live.sampler.content()
        there.release()


@pytest.mark.live("moderngl")
def test_a_depth_texture_compares(theirs: Any) -> None:
    """A new one says that it does not repeat, where GL does: `from_current` has GL's word."""
    there = theirs.depth_texture((8, 4))
    there.compare_func = ">"
    there.use(3)
    live = read(theirs, 3, 0x0DE1)[0]
    ours = st.Texture.from_moderngl(there)
    assert ours.images == live.images
    assert (ours.sampler.compare_mode, ours.sampler.compare_func) == (0x884E, e.CompareFunc.GREATER)
    assert (live.sampler.compare_mode, live.sampler.compare_func) == (0x884E, e.CompareFunc.GREATER)
    assert (there.repeat_x, live.sampler.wrap_s) == (False, e.Wrap.REPEAT)
    there.compare_func = ""
    assert not st.Texture.from_moderngl(there).sampler.compare_mode
    there.release()
