"""`st.convert`: what it is given, checked first; what a program keeps or sends to a worker can be copied."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import statetracker as st
from statetracker import errors
from statetracker.caps import FormatFeatures, Screen
from statetracker.caps.devices import device_facts
from statetracker.errors import ArgumentError
from statetracker.gl import TextureFacts
from tests.vulkan.devices import newest_rows

LLVMPIPE = st.Screen.named("llvmpipe")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dialect", ["mesa22"]),
        ("dialect", {}),
        ("dialect", None),
        ("vulkan_dialect", ["native"]),
        ("unit_lod_bias", "x"),
        ("unit_lod_bias", None),
        ("unit_lod_bias", True),
        ("sampler", "x"),
        ("texture", "2d"),
        ("screen", "llvmpipe"),
    ],
)
def test_argument_of_the_wrong_kind_is_named(field: str, value: Any) -> None:
    given: dict[str, Any] = {"sampler": st.Sampler(), "texture": st.Texture(size=(4, 4)), "screen": LLVMPIPE}
    with pytest.raises(ArgumentError) as caught:
        st.convert(**given | {field: value})
    assert caught.value.field == field
    assert caught.value.accepted


def test_facts_are_hashable_and_need_a_sampler() -> None:
    with pytest.raises(ArgumentError, match="sampler=None"):
        st.convert(None, st.Texture().facts(), LLVMPIPE)
    with pytest.raises(ArgumentError, match="facts"):
        TextureFacts.of(**st.Texture().facts().to_dict() | {"swizzle": [0, 1, 2, 3]})


def test_unit_bias_beyond_every_float_is_the_largest() -> None:
    """As one beyond float32 is."""
    great, large = (
        st.convert(None, st.Texture(size=(4, 4)), LLVMPIPE, unit_lod_bias=bias) for bias in (10**400, 1e300)
    )
    assert bytes(great) == bytes(large)


#: No GL_CLAMP, and no filtering of 32-bit floats.
ADRENO = st.Screen.device(report=38434)


def explained(sampler: st.Sampler, internal_format: str, screen: st.Screen, **how: Any) -> tuple[str, ...]:
    result = st.convert(sampler, st.Texture("2d", internal_format), screen, **how)
    assert result.explain().state == result.pipe
    return result.explain().notes


def test_an_explanation_says_where_the_devices_sampler_is_not_made_of_the_record() -> None:
    """Where the shader filters, too."""
    clamped = st.Sampler(wrap="clamp", min_filter="linear", border_color=(1, 0.5, 0, 1))
    (note,) = explained(clamped, "RGBA8", ADRENO)
    assert note == (
        f"this record is for a Gallium driver. The sampler of {ADRENO.name} is made of one with wrap_s CLAMP, "
        "wrap_t CLAMP, wrap_r CLAMP; left to the shader: half border str, by edge. explain_vulkan() has the reasons"
    )
    result = st.convert(clamped, st.Texture("2d", "RGBA8"), ADRENO)
    first = [result.explain_vulkan().of(name)[0].because for name in ("address_mode_u", "address_mode_w")]
    assert first == ["wrap_s is CLAMP", "wrap_r is CLAMP"]
    (note,) = explained(st.Sampler(min_filter="linear"), "RGBA32F", ADRENO)
    assert "is made of one with min_img_filter LINEAR, min_mip_filter NONE, mag_img_filter LINEAR;" in note
    assert "left to the shader: filter texels." in note
    zink = st.Screen.named("zink-lavapipe")
    how: dict[str, Any]
    for wrap, screen, how in (
        ("repeat", ADRENO, {}),
        ("clamp", ADRENO, {"vulkan_dialect": "zink22"}),
        ("clamp", zink, {}),
    ):
        notes = explained(st.Sampler(wrap=wrap, min_filter="linear"), "RGBA8", screen, **how)
        assert [note for note in notes if "Gallium driver" in note] == []


def test_a_rectangle_is_anisotropic_where_its_sampler_is() -> None:
    """Its lowering had what the state asks for, on devices without anisotropy too."""
    rectangle = st.Texture("rectangle", "RGBA8", size=(4, 4))
    seen = set()
    for row in newest_rows()[::40]:
        result = st.convert(st.Sampler(max_anisotropy=8.0), rectangle, st.Screen.from_vulkan(device_facts(row)))
        assert result.lowering.normalize
        assert result.lowering.anisotropic == result.vulkan.anisotropy_enable
        seen.add(result.lowering.anisotropic)
    assert seen == {False, True}


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),  # noqa: S301 (made here)
    "pickle 2": lambda one: pickle.loads(pickle.dumps(one, 2)),  # noqa: S301
}
SCREENS: dict[str, Callable[[], Screen]] = {
    "llvmpipe": lambda: Screen.named("llvmpipe"),
    "seed, which has a hook": lambda: Screen.named("seed"),
    "zink-lavapipe": lambda: Screen.named("zink-lavapipe"),
    "of the corpus": lambda: Screen.device("Adreno (TM) 640"),
    "custom": lambda: Screen("mine", emulate_gl_clamp=True, linear_filtering=FormatFeatures({"R32_FLOAT": False})),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return WAYS[request.param]


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest) -> Screen:
    return SCREENS[request.param]()


def result(screen: Screen) -> st.Result:
    sampler = st.Sampler(wrap="clamp", min_filter="linear", lod_bias=1.5, border_color=(1.0, 0.5, 0.0, 1.0))
    return st.convert(sampler, st.Texture(internal_format="RGBA8", size=(8, 8)), screen, vulkan_dialect="native")


def seen(one: st.Result) -> tuple[Any, ...]:
    """Everything that a result gives."""
    given = (one.pipe, one.vulkan, one.lowering, one.lowering_values, one.unsupported, one.view, one.device)
    more = (one.violations, one.incomplete, one.explain().to_dict(), one.explain_vulkan().to_dict())
    return (*given, *more, repr(one), bytes(one))


def test_a_screen_is_equal_to_its_copy_used_or_not(screen: Screen, way: Callable[[Any], Any]) -> None:
    for _ in range(2):
        other = way(screen)
        assert (other, hash(other), other.to_dict()) == (screen, hash(screen), screen.to_dict())
        assert seen(result(other)) == seen(result(screen))
        st.StateTracker(screen, st.cso.RecordingDriver()).bind("fragment", ((st.Sampler(), st.Texture()),))


def test_a_hook_that_is_a_function_of_a_module_is_pickled_by_its_name() -> None:
    screen = Screen("mine", linear_filtering=refuses_all)
    assert pickle.loads(pickle.dumps(screen)).linear_filtering is refuses_all  # noqa: S301
    local = screen.replace(linear_filtering=lambda _view, _resource: True)
    assert copy.copy(local) == copy.deepcopy(local) == local


def refuses_all(_view: str, _resource: str) -> bool:
    return False


@pytest.mark.parametrize("policy", [st.Policy(), st.Policy(force_nearest=True, lod_quantum=0.25, max_states=7)])
def test_a_policy_is_equal_to_its_copy(policy: st.Policy, way: Callable[[Any], Any]) -> None:
    other = way(policy)
    assert other == policy
    assert hash(other) == hash(policy)
    with pytest.raises(AttributeError):
        other.lod_offset = 1.0


@pytest.mark.parametrize("used", [False, True])
def test_a_result_says_the_same_as_its_copy(screen: Screen, way: Callable[[Any], Any], used: bool) -> None:
    one = result(screen)
    if used:
        seen(one)
    assert seen(way(one)) == seen(one)


def test_the_parts_of_a_result_say_the_same_as_their_copies(screen: Screen, way: Callable[[Any], Any]) -> None:
    one = result(screen)
    info = way(one.vulkan)
    for name in ("lowering", "dialect", "border"):
        assert getattr(info, name) == getattr(one.vulkan, name)
    for part in (one.vulkan, one.lowering, one.lowering_values, one.view, one.violations, one.unsupported):
        assert way(part) == part
    for why in (one.explain(), one.explain_vulkan()):
        assert (str(way(why)), way(why).to_dict()) == (str(why), why.to_dict())


def test_what_was_bound_can_be_kept(screen: Screen, way: Callable[[Any], Any]) -> None:
    tracker = st.StateTracker(screen, st.cso.RecordingDriver())
    bound = tracker.bind("fragment", ((st.Sampler(wrap="clamp"), st.Texture(internal_format="RGBA8")),))
    state = way(bound.states[0])
    assert (state.record, state.lowering, state.screen) == (bound.states[0].record, bound.states[0].lowering, screen)


@pytest.mark.parametrize(
    "error",
    [
        errors.UnknownName("screen", "x", accepted="a, b", hint="Look."),
        errors.AmbiguousName("device", "a", candidates=("a1", "a2")),
        errors.SurfaceRefused("pitch", "row_pitch_B", 7),
        errors.GLError("GL_INVALID_ENUM", "glTexParameteri", "no"),
        errors.DriverError("create_sampler_state", "gave None", handles=(1, 2)),
        errors.InvalidCallOrder("bind", "it is late", hint="Earlier."),
        errors.RecordingError("a.jsonl", 7, "is damaged"),
        errors.NotLowered(17, "no", instruction="OpLoad"),
        errors.MissingExtra("part", "numpy", "batch"),
        errors.LibraryMissing("Vulkan", ("a", "b"), package="libvulkan1"),
        errors.SamplerLimitExceeded("samplers", 7, 8),
        errors.DeviceLost("Vulkan", "vkQueueSubmit", "VK_ERROR_DEVICE_LOST"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_that_a_worker_raises_arrives_whole(
    error: errors.StateTrackerError, way: Callable[[Any], Any]
) -> None:
    other = way(error)
    assert (type(other), str(other), other.args, vars(other)) == (type(error), str(error), error.args, vars(error))


def test_another_process_reads_the_same() -> None:
    one = result(Screen.device("Adreno (TM) 640"))
    things = pickle.dumps((one, one.vulkan, st.Policy(lod_offset=1.0), st.Sampler(wrap="clamp"), st.Texture()))
    program = (
        "import pickle, sys; one, info, *others = pickle.load(sys.stdin.buffer);"
        "print(bytes(one).hex(), one.vulkan == info, one.lowering, *others)"
    )
    ran = subprocess.run([sys.executable, "-c", program], input=things, capture_output=True, check=True)
    others = st.Policy(lod_offset=1.0), st.Sampler(wrap="clamp"), st.Texture()
    assert ran.stdout.decode().strip() == " ".join(map(str, (bytes(one).hex(), True, one.lowering, *others)))


def test_a_result_stays_what_it_was_when_its_sampler_changes() -> None:
    """What was computed later was of the changed sampler."""
    sampler = st.Sampler(wrap="repeat", min_filter="linear", border_color=(1.0, 0.5, 0.25, 2.0), lod_bias=-0.5)
    texture = st.Texture(internal_format="RGBA8", size=(8, 8))
    screen = st.Screen.named("zink-lavapipe")
    result, before = st.convert(sampler, texture, screen), st.convert(sampler.copy(), texture, screen)
    sampler.update(wrap="clamp", min_filter="nearest")
    assert result.lowering == before.lowering
    assert result.vulkan == before.vulkan
    assert str(result.explain()) == str(before.explain())
    assert st.Sampler.of_content(before._inputs[0].content()).state() == before._inputs[0].state()
