"""`Context.from_current`: what a live context of Mesa has is what ours has after the same calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

import statetracker as st
from statetracker.errors import ArgumentError, NoDevice
from statetracker.gl.current import read_context, read_limits
from statetracker.gl.parameters import PARAMETERS
from tools.proofs.gl_calls.generate import sequences
from tools.proofs.gl_calls.sides import PROFILES, Ours, on_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.proofs.gl_calls.sides import Call

LIVE = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
BUFFER = 0x8C2A
SCREEN = st.Screen.named("llvmpipe")
OWN = ("base_level", "max_level", "depth_mode", "stencil_mode", "swizzle", "generate_mipmap", "priority")


def state_of(context: st.Context) -> dict[str, object]:
    """What every unit has, in plain data, but for units that have nothing of their own."""
    seen: dict[str, object] = {"active": context.active, "seamless": context.seamless}
    for index in range(context.limits.max_combined_units):
        unit = context.unit(index)
        if unit.sampler is not None:
            seen[f"{index} sampler"] = unit.sampler.label, unit.sampler.content()
        seen[f"{index}"] = repr(unit.lod_bias), sorted(unit.enabled)
        for target in context.availability.targets:
            texture = context.bound(target, index)
            if texture.label or index == 0:
                seen[f"{index} {target:#x}"] = texture.label, *texture_state(texture)
    return seen


def texture_state(texture: st.Texture) -> tuple[object, ...]:
    if texture.target == BUFFER:  # the calls have no buffer objects, and without one GL's answer is that it is empty
        return (texture.target,)
    # A driver may take more samples than it is asked for.
    images = {
        key: (one.format.name, *one[1:4], one.samples > 0, one.fixed)
        for key, one in texture.images.items()
        if one.width or one.height
    }
    own = [getattr(texture, name) for name in OWN]
    return texture.sampler.content(), own, images, texture.immutable_levels, texture.view, bool(texture.missing())


def converted(context: st.Context) -> list[bytes]:
    """The records of everything that is bound, with the unit's bias and seams."""
    return [
        bytes(
            st.convert(used.sampler, used.texture, SCREEN, unit_lod_bias=used.unit_lod_bias, seamless=context.seamless)
        )
        for index in range(context.limits.max_combined_units)
        for target in sorted(context.availability.targets - {BUFFER})
        if index == 0 or context.bound(target, index).label
        for used in [context.current(index, target)]
    ]


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.parametrize("profile", PROFILES)
@LIVE
@given(calls=sequences())
def test_a_live_context_is_read_as_ours_is_after_the_same_calls(profile: str, calls: Sequence[Call]) -> None:
    """Parameters, images, bindings, biases and switches; so every conversion gives the same. GL saw no wrong call."""
    from statetracker.bindings import egl

    ours = Ours(profile)
    api, version = PROFILES[profile]
    with egl.Context(api, version) as live:
        for call in calls:
            if profile == "core" and "MultiTexEnv" in call[0]:  # a bias that no getter of a core context gives
                continue
            there, (here,) = on_context(live.gl, [call]), ours.make([call])
            if there[0].error != here.error:  # where we depart from Mesa: docs/departures.md
                return
        read = st.Context.from_current()
        assert live.gl.error() == "GL_NO_ERROR"
    assert state_of(read) == state_of(ours.gl)
    assert converted(read) == converted(ours.gl)


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_limits_are_those_of_the_driver(profile: str) -> None:
    """As the recorded profile of the same driver has them."""
    from statetracker.bindings import egl

    with egl.Context(*PROFILES[profile]):
        read, known = st.Context.from_current().limits, Ours(profile).gl.limits
    for name in ("profile", "max_texture_size", "max_3d_size", "max_cube_size", "max_layers", "max_samples"):
        assert getattr(read, name) == getattr(known, name), name
    assert (read.max_combined_units, read.max_anisotropy) == (known.max_combined_units, known.max_anisotropy)


@pytest.mark.live("egl:llvmpipe")
def test_a_loader_of_ones_own_is_used() -> None:
    """And the unit that was active is active again."""
    from statetracker.bindings import egl
    from statetracker.bindings.current_gl import CurrentGL, loader_of

    asked: list[str] = []
    with egl.Context() as live:
        seen = loader_of(None)

        def load(name: str) -> int:
            asked.append(name)
            return seen(name)

        gl = live.gl
        (sampler,) = gl.names("glGenSamplers")
        gl.call("glActiveTexture", 0x84C5)
        gl.call("glBindSampler", 5, sampler)
        gl.call("glSamplerParameteri", sampler, 0x2802, 0x812F)
        read = st.Context.from_current(load)
        assert CurrentGL(load).text("glGetString", 0x1F01).startswith("llvmpipe")
        assert gl.read("glGetIntegerv", 0x84E0) == [0x84C5]
    bound = read.unit(5).sampler
    assert bound is not None
    assert (bound.wrap_s, read.active) == (0x812F, 5)
    assert {"glGetString", "glActiveTexture", "glGetSamplerParameteriv"} <= set(asked)
    with pytest.raises(NoDevice, match="no context is current"):
        st.Context.from_current()


def test_what_is_no_loader_is_refused() -> None:
    with pytest.raises(ArgumentError, match="moderngl"):
        st.Context.from_current(3)
    with pytest.raises(NoDevice, match="glGetString"):
        st.Context.from_current(lambda _: 0)


class Reported:
    """A context that answers from a table; what is not in it is 0."""

    def __init__(self, version: str, numbers: dict[int, int] | None = None, extensions: tuple[str, ...] = ()) -> None:
        self.version, self.extensions = version, extensions
        self.numbers = {0x821D: len(extensions)} | (numbers or {})

    def text(self, name: str, *numbers: int) -> str:
        return self.version if name == "glGetString" else self.extensions[numbers[1]]

    def read(self, _name: str, *numbers: int, count: int = 1, kind: str = "i") -> tuple[Any, ...]:
        assert kind in {"i", "f", "u"}
        return (self.numbers.get(numbers[0], 0),) * count

    def call(self, _name: str, *_: int) -> int:
        return 0


@pytest.mark.parametrize(
    ("version", "numbers", "extensions", "profile", "release"),
    [
        ("4.5 (Core Profile) Mesa 23.1.9", {0x9126: 1}, (), "core", "23.1"),
        ("4.5 (Compatibility Profile) Mesa 22.3.6", {0x9126: 2}, (), "compatibility", "22.3"),
        ("3.1 Mesa 21.1.0", {}, (), "core", "21.0"),
        ("3.1 Mesa 20.0", {}, ("GL_ARB_compatibility",), "compatibility", "21.0"),
        ("3.0 other", {}, (), "compatibility", "25.0"),
        ("4.6.0 NVIDIA 535.1", {0x9126: 1}, (), "core", "25.0"),
        ("OpenGL ES 3.2 Mesa 24.2.1", {}, (), "gles32", "24.1"),
        ("OpenGL ES 3.1 v1", {}, (), "gles31", "25.0"),
    ],
)
def test_profile_and_release_follow_from_the_version(
    version: str, numbers: dict[int, int], extensions: tuple[str, ...], profile: str, release: str
) -> None:
    """A driver that is not Mesa counts as the newest release."""
    limits = read_limits(Reported(version, numbers, extensions))
    assert (limits.profile, limits.release.name) == (profile, release)
    assert set(extensions) <= limits.extensions
    assert limits.has("GL_ARB_shadow") == limits.desktop  # part of desktop GL, whether it is listed or not
    assert limits.has("GL_ARB_texture_view") == version.startswith(("4.5", "4.6"))


class Fresh(Reported):
    """A context with nothing bound. It counts questions for the sampler state of a multisample texture."""

    refused = 0

    def __init__(self, version: str) -> None:
        super().__init__(version, {0x8B4D: 1, 0x84E0: 0x84C0})
        self.own = st.Context(read_limits(self))

    def read(self, name: str, *numbers: int, count: int = 1, kind: str = "i") -> tuple[Any, ...]:
        if not name.startswith("glGetTex"):
            return super().read(name, *numbers, count=count, kind=kind)
        self.refused += (
            numbers[0] in {0x9100, 0x9102} and numbers[1] in PARAMETERS and PARAMETERS[numbers[1]].on_sampler
        )
        return (tuple(getattr(self.own, name)(*numbers) or (0,)) * count)[:count]


@pytest.mark.parametrize("version", ["4.6.0 NVIDIA 580.159", "OpenGL ES 3.2 NVIDIA 580.159"])
def test_a_multisample_texture_is_not_asked_for_sampler_state(version: str) -> None:
    """NVIDIA refuses it, and the error would stay in the host's context."""
    asker = Fresh(version)
    read = read_context(asker, st.Context)
    assert asker.refused == 0
    assert read.bound(0x9100, 0).sampler.content() == st.Context().bound(0x9100, 0).sampler.content()


@pytest.mark.parametrize("version", ["2.1 Mesa 22.3.6", "OpenGL ES 3.0 Mesa", "OpenGL ES-CM 1.1", "", "what"])
def test_a_context_that_cannot_answer_is_an_error(version: str) -> None:
    with pytest.raises(NoDevice, match="does not say what textures hold"):
        read_limits(Reported(version))
