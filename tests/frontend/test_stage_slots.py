"""`stage_slots` of `statetracker.frontend.stage`: what is remembered of a context never shows, but in what it costs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as hst

import statetracker as st
from statetracker.frontend import stage as module
from statetracker.frontend.stage import stage_slots
from statetracker.gl import Context, Program, SamplerUniform

LIMITS = st.Screen.named("zink-lavapipe").gl_limits()
TARGETS = ("GL_TEXTURE_2D", "GL_TEXTURE_CUBE_MAP", "GL_TEXTURE_3D")


def program(*samplers: SamplerUniform) -> Program:
    return Program(samplers or (SamplerUniform("a", "sampler2D"), SamplerUniform("b", "sampler3D", 2)))


def slots(
    gl: Context, used: Program | None = None, *, stage: str = "fragment", release: str = "22.3"
) -> tuple[Any, ...]:
    return stage_slots(gl, stage, used, release=release)


@pytest.fixture
def gl() -> Context:
    """Four textures of one level on units 0 to 3, as fixed function reads them."""
    context = Context(LIMITS, strict=True)
    for unit, name in enumerate(context.glGenTextures(4)):
        context.glActiveTexture(unit)
        context.glBindTexture("GL_TEXTURE_2D", name)
        context.glTexStorage2D("GL_TEXTURE_2D", 1, "GL_RGBA8", 4, 4)
        context.glEnable("GL_TEXTURE_2D")
    context.glActiveTexture(0)
    return context


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that grows with every answer that is worked out."""
    seen: list[object] = []
    original = module._Known._worked_out

    def watched(known: Any, context: Context) -> Any:
        seen.append(known)
        return original(known, context)

    monkeypatch.setattr(module._Known, "_worked_out", watched)
    return seen


def turns(context: Context, kind: str) -> tuple[Callable[[], object], Callable[[], object]]:
    """A kind of change, there and back."""
    one, other, *_ = context.textures
    (sampler,) = context.glGenSamplers(1)
    control, wrap = ("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS"), ("GL_TEXTURE_2D", "GL_TEXTURE_WRAP_S")
    every: dict[str, tuple[str, tuple[Any, ...], tuple[Any, ...]]] = {
        "texture": ("glBindTexture", ("GL_TEXTURE_2D", other), ("GL_TEXTURE_2D", one)),
        "parameter": ("glTexParameteri", (*wrap, "GL_CLAMP"), (*wrap, "GL_REPEAT")),
        "sampler": ("glBindSampler", (0, sampler), (0, 0)),
        "bias": ("glTexEnvf", (*control, 1.0), (*control, 0.0)),
    }
    call, there, back = every[kind]
    return lambda: context.call(call, *there), lambda: context.call(call, *back)


def test_nothing_is_looked_at_while_no_token_is_taken(gl: Context, worked: list[object]) -> None:
    """The same tuple comes back, and calls that change nothing take no token."""
    first = slots(gl)
    assert [pair[1].label for pair in first if pair] == [4, 3, 2, 1]
    gl.glActiveTexture(3)
    gl.glBindTexture("GL_TEXTURE_2D", gl.unit().textures[0x0DE1].label or 0)
    gl.glEnable("GL_TEXTURE_2D")
    gl.glTexEnvf("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS", 0.0)
    gl.glBindSampler(0, 0)
    stamp = st.gl.changes.last
    assert slots(gl) is first
    assert st.gl.changes.last == stamp
    assert len(worked) == 1


@pytest.mark.parametrize("kind", ["texture", "parameter", "sampler", "bias"])
def test_what_is_bound_or_set_back_brings_the_answer_back(gl: Context, worked: list[object], kind: str) -> None:
    there, back = turns(gl, kind)
    first = slots(gl)
    there()
    second = slots(gl)
    del worked[:]
    for _ in range(3):
        back()
        assert slots(gl) is first
        there()
        assert slots(gl) is second
    assert (second != first) == (kind != "parameter")
    assert worked == []


def test_switches_and_environments_are_followed(gl: Context) -> None:
    gl.glActiveTexture(3)
    first = slots(gl)
    gl.glDisable("GL_TEXTURE_2D")
    assert len(slots(gl)) == 3
    gl.glEnable("GL_TEXTURE_2D")
    assert slots(gl) == first
    gl.glTexEnvi("GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE", "GL_REPLACE")
    assert len(slots(gl)) == 1


def test_a_texture_that_is_passed_over_is_not_looked_at(gl: Context) -> None:
    """A look sees integers, which stay seen where the next one has nothing to look at."""
    (name,) = gl.glGenTextures(1)
    gl.glBindTexture("GL_TEXTURE_1D", name)
    gl.glTexStorage1D("GL_TEXTURE_1D", 1, "GL_RGBA8UI", 4)
    hidden = gl.unit().textures[0x0DE0]
    gl.glEnable("GL_TEXTURE_1D")
    hidden.is_integer = False
    hidden.changed()
    slots(gl)
    assert not hidden.is_integer
    gl.glDisable("GL_TEXTURE_2D")
    slots(gl)
    assert hidden.is_integer


def test_programs_and_rules_have_answers_of_their_own(gl: Context) -> None:
    one, other = program(), program(SamplerUniform("a", "sampler2D"))
    assert [len(slots(gl, used)) for used in (one, other, None, one)] == [3, 1, 4, 3]
    one.set_units(0, [2])
    assert slots(gl, one)[0][1].label == 3
    assert [slots(gl, stage=stage) for stage in ("vertex", "geometry")] == [(), ()]


def test_a_programs_units_are_read_whatever_fixed_function_has_on(gl: Context, worked: list[object]) -> None:
    """Two types may not share a unit in a draw; asked for, both are followed."""
    used = program(SamplerUniform("a", "sampler2D"), SamplerUniform("b", "samplerCube"))
    used.set_units(0, [9])
    used.set_units(1, [9])
    gl.glActiveTexture(9)
    first = slots(gl, used)
    for _ in range(2):
        gl.glBindTexture("GL_TEXTURE_2D", 3)
        second = slots(gl, used)
        assert [pair and pair[1].label for pair in second] == [3, None]
        gl.glBindTexture("GL_TEXTURE_2D", 0)
        assert slots(gl, used) is first
    gl.glTexParameteri("GL_TEXTURE_CUBE_MAP", "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    gl.glTexParameteri("GL_TEXTURE_CUBE_MAP", "GL_TEXTURE_WRAP_S", "GL_REPEAT")
    assert slots(gl, used) is first
    assert len(worked) == 2


def test_a_sampler_objects_filters_decide_completeness(gl: Context) -> None:
    """A texture of one level of three is complete for filters that read no others."""
    (name,), (sampler,) = gl.glGenTextures(1), gl.glGenSamplers(1)
    gl.glBindTexture("GL_TEXTURE_2D", name)
    gl.glTexImage2D("GL_TEXTURE_2D", 0, "GL_RGBA8", 4, 4, 0, "GL_RGBA", "GL_UNSIGNED_BYTE")
    gl.glBindSampler(0, sampler)
    used = program(SamplerUniform("a", "sampler2D"))
    for filtered, label in 2 * [("GL_LINEAR", name), ("GL_LINEAR_MIPMAP_LINEAR", None), ("GL_NEAREST", name)]:
        gl.glSamplerParameteri(sampler, "GL_TEXTURE_MIN_FILTER", filtered)
        assert [pair and pair[1].label for pair in slots(gl, used)] == [label]


def test_a_pair_has_a_bias_only_where_the_unit_has_one(gl: Context) -> None:
    """`StateTracker.bind` remembers pairs better."""
    gl.glTexEnvf("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS", 0.5)
    assert [pair and pair[2:] for pair in slots(gl)] == [(), (), (), (0.5,)]


def test_planes_of_an_external_image_take_the_slots_that_are_left(gl: Context) -> None:
    """The primary's sampler and texture again, for the formats of the release."""
    external = st.Texture("external-oes", "RGBA8", (4, 4), levels=1)
    external.surface_format, external.storage_format = "NV12", "R8_UNORM"
    gl.unit(0).bind(external.target, external)
    used = Program(
        (SamplerUniform("a", "sampler2D"), SamplerUniform("e", "samplerExternalOES"), SamplerUniform("b", "sampler2D"))
    )
    asked = slots(gl, used)
    assert asked[1] == asked[3] == (external.sampler, external)
    assert len(asked) == 4
    external.surface_format = "NV21"
    assert [len(slots(gl, used, release=release)) for release in ("22.3", "24.1")] == [3, 4]


def test_what_is_remembered_is_bounded(gl: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_ANSWERS", 4)
    monkeypatch.setattr(module, "_MOST_PROGRAMS", 3)
    sizes = []
    for n in range(9):
        gl.glTexParameterf("GL_TEXTURE_2D", "GL_TEXTURE_MAX_LOD", n)
        slots(gl)
        (known,) = gl.derived["stage_slots"].newer.values()
        sizes.append((len(known._answers.newer), len(known._by_tokens.newer)))
    assert sizes == [(n, n) for n in (1, 2, 3, 4, 1, 2, 3, 4, 1)]
    for n in range(9):
        slots(gl, program(SamplerUniform(f"s{n}", "sampler2D")))
        assert len(gl.derived["stage_slots"]) <= 2 * 3


def test_a_frame_of_many_programs_is_not_worked_out_again(gl: Context, worked: list[object]) -> None:
    every = [program(SamplerUniform("a", "sampler2D")) for _ in range(500)]
    for _ in range(2):
        del worked[:]
        for used in every:
            for stage in ("vertex", "fragment"):
                slots(gl, used, stage=stage)
    assert worked == []


CALLS: dict[str, Callable[[Context, int, int], object]] = {
    "unit": lambda gl, n, _: gl.glActiveTexture(n % 3),
    "bind": lambda gl, n, k: gl.glBindTexture(TARGETS[k % 3], 3 * (n % 3) + k % 3 if n else 0),
    "bind by unit": lambda gl, n, k: gl.glBindTextureUnit(n % 3, k),
    "delete": lambda gl, n, _: gl.glDeleteTextures([n]),
    "image": lambda gl, n, k: gl.glTexImage2D(
        TARGETS[0], 0, ("GL_RGBA8", "GL_R8UI", "GL_DEPTH_COMPONENT16", "GL_DEPTH24_STENCIL8")[k % 4], 1 + n, 4, 0,
        ("GL_RGBA", "GL_RED_INTEGER", "GL_DEPTH_COMPONENT", "GL_DEPTH_STENCIL")[k % 4],
        ("GL_UNSIGNED_BYTE", "GL_UNSIGNED_BYTE", "GL_UNSIGNED_INT", "GL_UNSIGNED_INT_24_8")[k % 4],
    ),
    "volume": lambda gl, n, k: gl.glTexImage3D(
        TARGETS[2], 0, "GL_RGBA8", n, 1 + k, 1, 0, "GL_RGBA", "GL_UNSIGNED_BYTE"
    ),
    "levels": lambda gl, n, k: gl.glTexParameteri(TARGETS[k % 3], "GL_TEXTURE_MAX_LEVEL", n % 2),
    "base": lambda gl, n, k: gl.glTexParameteri(TARGETS[k % 3], "GL_TEXTURE_BASE_LEVEL", n % 3),
    "filter": lambda gl, n, k: gl.glTexParameteri(
        TARGETS[k % 3], "GL_TEXTURE_MIN_FILTER", ("GL_NEAREST", "GL_LINEAR", "GL_LINEAR_MIPMAP_LINEAR")[n % 3]
    ),
    "by name": lambda gl, n, k: gl.call(
        "glTextureParameteriEXT", n, TARGETS[k % 3], "GL_TEXTURE_WRAP_S", ("GL_REPEAT", "GL_CLAMP")[k % 2]
    ),
    "sampler": lambda gl, n, k: gl.glBindSampler(n % 3, k % 3),
    "sampler filter": lambda gl, n, k: gl.glSamplerParameteri(
        1 + n % 2, "GL_TEXTURE_MAG_FILTER", ("GL_NEAREST", "GL_LINEAR")[k % 2]
    ),
    "enable": lambda gl, n, k: (gl.glEnable if k else gl.glDisable)(TARGETS[n % 3]),
    "mode": lambda gl, n, _: gl.glTexEnvi(
        "GL_TEXTURE_ENV", "GL_TEXTURE_ENV_MODE", ("GL_MODULATE", "GL_REPLACE", "GL_DECAL")[n % 3]
    ),
    "bias": lambda gl, n, _: gl.glTexEnvf("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS", n % 3 / 2),
    "program": lambda gl, n, _: gl.glUseProgram(n % 3),
    "uniform": lambda gl, n, k: gl.glProgramUniform1i(1 + n % 2, k % 3, n % 3),
    "push": lambda gl, n, _: gl.glPushAttrib(0x40000 if n % 2 else 0x2000),
    "pop": lambda gl, *_: gl.glPopAttrib(),
}  # fmt: skip


def prepared() -> Context:
    context = Context(LIMITS)
    context.glGenTextures(9)
    context.glGenSamplers(2)
    for used in (program(), program(SamplerUniform("c", "samplerCube"), SamplerUniform("d", "sampler2D"))):
        context.add_program(used)
    return context


def described(found: tuple[Any, ...]) -> list[object]:
    """Slots of one context in words that fit another's."""
    return [pair and (pair[1].label, pair[1].target, pair[1].facts(), pair[0].content(), pair[2:]) for pair in found]


@given(hst.lists(hst.tuples(hst.sampled_from(sorted(CALLS)), hst.integers(0, 5), hst.integers(0, 5)), max_size=80))
def test_after_any_calls_the_answer_is_the_one_a_context_without_a_memory_gives(
    calls: list[tuple[str, int, int]],
) -> None:
    """Both contexts are asked after each call, as by a draw: that is when GL tests completeness."""
    with_memory, without = prepared(), prepared()
    for name, n, k in calls:
        for context in (with_memory, without):
            CALLS[name](context, n, k)
        for stage in ("fragment", "vertex"):
            answer = stage_slots(with_memory, stage, with_memory.program, release="22.3")
            fresh = module._Known(stage, without.program, release="22.3")._worked_out(without)
            assert described(answer) == described(fresh)


def test_a_copy_of_a_context_has_its_own_objects_though_slots_were_asked_for(gl: Context) -> None:
    first = slots(gl)
    other = copy.deepcopy(gl)
    again = slots(other)
    assert len(again) == len(first) == 4
    assert {id(pair[1]) for pair in again if pair}.isdisjoint(id(pair[1]) for pair in first if pair)
    assert slots(gl) == first
