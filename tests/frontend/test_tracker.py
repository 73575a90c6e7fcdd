"""The loop of a front end: what is bound, what changed, and what happens when something goes wrong."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker import gl
from statetracker.errors import (
    ArgumentError,
    DeviceLost,
    DriverError,
    InvalidCallOrder,
    SamplerLimitExceeded,
    UnknownName,
)
from tests.cso.failing import FailingDriver as Driver
from tests.frontend.conftest import TEXTURE, pairs, sampler

ROOT = Path(__file__).parents[2]
Tracker = st.StateTracker[int]
FRAGMENT = "MESA_SHADER_FRAGMENT"


def llvmpipe(driver: Driver, **options: Any) -> Tracker:
    return st.StateTracker(st.Screen.named("llvmpipe"), driver, **options)


def test_a_tracker_and_a_slot_show_what_they_are_in_a_line(tracker: Tracker) -> None:
    bound = tracker.bind("fragment", ((sampler(wrap="clamp"), TEXTURE),))
    assert repr(tracker) == "StateTracker('zink-lavapipe', dialect 22.3, live=1)"
    assert repr(bound.slot(0)) == "BoundSlot(handle=0, lowering=clamp str)"


def test_a_first_bind_creates_in_the_order_of_the_slots_and_binds_once(tracker: Tracker, driver: Driver) -> None:
    bound = tracker.bind("fragment", {2: (sampler(2), TEXTURE), 0: (sampler(0), TEXTURE)})
    assert driver.take() == [["create", 0], ["create", 1], ["bind", FRAGMENT, 0, [0, None, 1]]]
    assert bound.handles == (0, None, 1)
    assert bound.changed == {0: 0, 2: 1}
    assert bound.stage == "fragment"


def test_a_later_bind_gives_the_driver_the_slots_up_to_the_one_that_changed(tracker: Tracker, driver: Driver) -> None:
    """Of the same again none, of equal state in another stage no new one."""
    slots = dict(enumerate(pairs(*range(16))))
    tracker.bind("fragment", slots)
    driver.take()
    for same in (slots, dict(slots), slots, dict(enumerate(pairs(*range(16))))):
        bound = tracker.bind("fragment", same)
        assert (bound.handles, bound.changed, driver.take()) == ((*range(16),), {}, [])
    slots[5] = sampler(99), TEXTURE
    assert tracker.bind("fragment", slots).changed == {5: 16}
    assert driver.take() == [["create", 16], ["bind", FRAGMENT, 0, [0, 1, 2, 3, 4, 16]]]
    assert tracker.bind("vertex", pairs(1)).changed == {0: 1}
    assert driver.take() == [["bind", "MESA_SHADER_VERTEX", 0, [1]]]


@pytest.mark.parametrize("form", [dict, lambda slots: tuple(slots.values()), lambda slots: [*slots.values()]])
def test_a_parameter_that_changes_shows_in_every_form_of_slots(tracker: Tracker, form: Callable[[Any], Any]) -> None:
    texture = st.Texture(internal_format="RGBA8")
    slots = form(dict(enumerate(pairs(1, 2, texture=texture))))
    tracker.bind("fragment", slots)
    slots[1][0].min_filter = gl.MinFilter.NEAREST
    assert tracker.bind("fragment", slots).changed == {1: 2}
    texture.store("swizzle", texture.swizzle)
    assert tracker.bind("fragment", slots).changed == {}
    assert tracker.end_frame().conversions == 3


def test_equal_content_is_converted_once_for_all_that_have_it(tracker: Tracker) -> None:
    """Objects made anew for every frame, with and without numbers, and a parameter set back."""
    for n in (1, 2, 3):
        pair = sampler(5), st.Texture(internal_format="RGBA8", size=(n, n))
        assert tracker.bind("fragment", {0: pair}).handles == tracker.bind("fragment", (pair,)).handles == (0,)
    assert tracker.end_frame().conversions == 1
    again, texture = sampler(5), st.Texture(internal_format="RGBA8")
    for lod, conversions in ((6.0, 1), (5.0, 1), (6.0, 0), (-0.0, 1), (0.0, 1), (float("nan"), 1), (-0.0, 0)):
        again.min_lod = lod
        tracker.bind("fragment", {0: (again, texture)})
        assert tracker.end_frame().conversions == conversions, lod
    tracker.bind("fragment", {0: (again, texture, 1.0)})
    tracker.bind("fragment", {0: (again, texture)}, seamless=True)
    tracker.bind("fragment", {0: (again, st.Texture(internal_format="R8"))})
    assert tracker.end_frame().conversions == 3


def test_slots_that_are_not_named_keep_what_they_had(tracker: Tracker, driver: Driver) -> None:
    tracker.bind("fragment", pairs(0, 1, 2))
    driver.take()
    bound = tracker.bind("fragment", {1: (sampler(7), TEXTURE), 2: None})
    assert (bound.handles, bound.changed) == ((0, 3, 2), {1: 3})
    assert driver.take()[-1] == ["bind", FRAGMENT, 0, [0, 3]]
    assert tracker.bind("fragment", {}).handles == (0, 3, 2)


@pytest.mark.parametrize("wanted", [False, True])
def test_a_buffer_texture_gets_no_sampler_where_gl_has_none(driver: Driver, wanted: bool) -> None:
    screen = st.Screen.named("llvmpipe").replace(texture_buffer_sampler=wanted)
    bound = st.StateTracker(screen, driver).bind("vertex", {0: (sampler(), st.Texture("buffer", "RGBA8"))})
    assert bool(bound.changed) is wanted


def test_the_units_bias_and_the_switches_count(tracker: Tracker) -> None:
    unit, one = gl.Unit(), sampler()
    plain = tracker.bind("fragment", {0: (one, TEXTURE, unit)})
    unit.set_lod_bias(1.5)
    assert tracker.bind("fragment", {0: (one, TEXTURE, unit)}).changed == {0: 1}
    assert tracker.bind("fragment", {0: (one, TEXTURE, 1.5)}).changed == {}
    assert tracker.bind("fragment", {0: (one, TEXTURE, 1.5)}, seamless=True).changed == {0: 2}
    assert tracker.bind("fragment", {0: (one, TEXTURE, -0.0)}).handles == plain.handles


@pytest.mark.parametrize("seamless", [False, True])
def test_glsl_130_counts_where_the_border_follows_the_swizzle(driver: Driver, *, seamless: bool) -> None:
    """A depth texture read as alpha, where the hardware rearranges the border colour."""
    tracker = st.StateTracker(st.Screen.named("r600"), driver)
    depth = st.Texture(internal_format="DEPTH_COMPONENT16", depth_mode="alpha")
    one = sampler(wrap="clamp-to-border", border_color=(0.25, 0.5, 0.75, 1.0))
    for newer in (False, True, False):
        converted = st.convert(one, depth, tracker.screen, glsl130=newer, seamless=seamless)
        wanted = tracker.policy.apply(bytes(converted))
        assert tracker.record(one, depth, glsl130=newer, seamless=seamless) == wanted
        bound = tracker.bind("fragment", ((one, depth),), seamless, newer)
        assert bound.changed
        assert bound.states[0].record == wanted
        assert tracker.bind("fragment", ((one, depth),), seamless, newer).changed == {}
    assert len(driver.of("create")) == 2


@pytest.mark.parametrize("bias", [math.nan, -0.0, 0.0, 20.0, -20.0, math.inf, 1e-45])
def test_a_bias_means_what_it_means_to_the_conversion(tracker: Tracker, bias: float) -> None:
    """NaN is -16 levels; the sign of zero is lost in a sum. Whether a unit has it, or it is given as it is."""
    unit = gl.Unit()
    unit.set_lod_bias(bias)
    one = sampler(lod_bias=-0.0)
    wanted = tracker.policy.apply(bytes(st.convert(one, TEXTURE, tracker.screen, unit_lod_bias=bias)))
    for way in (bias, unit):
        assert tracker.record(one, TEXTURE, way) == wanted
        assert tracker.bind("fragment", ((one, TEXTURE, way),)).states[0].record == wanted
    assert tracker.record(one, TEXTURE, float("nan")) == tracker.record(one, TEXTURE, -16)


@pytest.mark.parametrize("dialect", ["seed", "mesa21", "mesa22", "mesa24"])
def test_a_bias_that_is_no_number_or_minus_zero_is_what_the_dialect_makes_of_it(driver: Driver, dialect: str) -> None:
    """Where the parts are added first, the sum is no number; a NaN is remembered like any other bias."""
    tracker = st.StateTracker(st.Screen.named("seed"), driver, dialect=dialect, policy=st.Policy(canonical=False))
    for own, bias in ((1.0, math.nan), (1.0, 0.1), (1.0, math.inf), (-0.0, -0.0), (-0.0, 0.0)):
        one = st.Sampler(lod_bias=own)
        wanted = bytes(st.convert(one, TEXTURE, tracker.screen, dialect=dialect, unit_lod_bias=bias or 0.0))
        for _ in range(3):
            assert tracker.bind("fragment", ((one, TEXTURE, bias * 1.0),)).states[0].record == wanted
    assert tracker.end_frame().conversions == 4


@pytest.mark.parametrize(("canonical", "creates"), [(True, 1), (False, 3)])
def test_what_cannot_matter_makes_no_second_state(driver: Driver, canonical: bool, creates: int) -> None:
    alike: list[dict[str, Any]] = [{"border_color": (1, 0, 0, 1)}, {"compare_func": "less"}, {"lod_bias": -0.0}]
    tracker = llvmpipe(driver, policy=st.Policy(canonical=canonical))
    tracker.bind("fragment", [(sampler(wrap="repeat", **fields), TEXTURE) for fields in alike])
    assert tracker.end_frame().creates == creates


def test_the_shaders_share_comes_with_the_bind(tracker: Tracker) -> None:
    slots = {0: (sampler(wrap_s="clamp"), TEXTURE), 2: (sampler(wrap_t="clamp"), TEXTURE), 3: (sampler(), TEXTURE)}
    bound = tracker.bind("fragment", slots)
    assert bound.clamps == (0b1, 0b100, 0)
    assert list(bound.lowerings) == [0, 2]
    assert tracker.bind("fragment", {3: slots[3]}).clamps == (0, 0, 0)


def test_end_frame_counts_what_happened_in_the_frame(tracker: Tracker) -> None:
    one, two = pairs(1), pairs(2, 1)
    for slots in (one, one, two, one):
        tracker.bind("fragment", slots)
    # frame, binds, unchanged, slots changed, conversions, creates, deletes, live, merged
    assert tracker.end_frame() == (1, 4, 1, 4, 2, 2, 0, 2, 0)
    assert tracker.end_frame() == (2, 0, 0, 0, 0, 0, 0, 2, 0)


# What ends what was bound


def test_a_lost_device_takes_the_handles_and_leaves_the_states(tracker: Tracker, driver: Driver) -> None:
    """A new one may bring a new driver."""
    slots = pairs(0, 1)
    tracker.bind("fragment", slots)
    tracker.end_frame()
    generation = tracker.generation
    tracker.device_lost()
    driver.take()
    bound = tracker.bind("fragment", slots)
    assert (bound.changed, bound.generation) == ({0: 2, 1: 3}, tracker.generation)
    assert tracker.generation != generation
    assert driver.take() == [["create", 2], ["create", 3], ["bind", FRAGMENT, 0, [2, 3]]]
    assert tracker.end_frame().conversions == 0
    other = Driver()
    tracker.device_lost(other)
    tracker.bind("fragment", slots)
    tracker.destroy()
    assert driver.take() == []
    assert [event[0] for event in other.events] == ["create", "create", "bind", "bind", "delete", "delete"]


KEYED = st.Screen.named("zink-lavapipe").replace(use_format_with_border_color=True)
LOSING: dict[str, tuple[str, Callable[[Tracker], object]]] = {
    "a create": ("create", lambda tracker: tracker.bind("fragment", pairs(50))),
    "a bind": ("bind", lambda tracker: tracker.bind("fragment", pairs(50))),
    "restoring": ("bind", lambda tracker: tracker.restore_samplers()),
    "unbinding": ("bind", lambda tracker: tracker.unbind()),
    "destroying": ("bind", lambda tracker: tracker.destroy()),
    "another key rule": ("bind", lambda tracker: setattr(tracker, "screen", KEYED)),
    "a smaller budget": ("delete", lambda tracker: setattr(tracker, "policy", st.Policy(max_states=2))),
    "the end of a frame": ("delete", lambda tracker: tracker.end_frame()),
}


@pytest.mark.parametrize("way", LOSING)
def test_a_device_that_is_lost_in_any_method_takes_the_handles(driver: Driver, way: str) -> None:
    """What is bound next is made anew, and no dead handle is bound or deleted."""
    call, lose = LOSING[way]
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver, policy=st.Policy(max_states=6))
    slots = pairs(0, 1)
    tracker.bind("fragment", slots)
    tracker.save_samplers()
    for n in range(2, 11):
        tracker.bind("vertex", pairs(n))
    tracker.bind("fragment", slots)
    driver.fails[call] = DeviceLost("Vulkan", call, "VK_ERROR_DEVICE_LOST")
    with pytest.raises(DriverError) as caught:
        lose(tracker)
    assert isinstance(caught.value.__cause__, DeviceLost)
    assert tracker.cso.statistics().live == 0
    dead = {event[1] for event in driver.of("create")}
    driver.events.clear()
    bound = tracker.bind("fragment", slots)
    assert not {*bound.handles} & dead
    assert bound.changed == dict(enumerate(bound.handles))
    tracker.destroy()
    assert not dead.intersection(driver.deleted())


@pytest.mark.parametrize("failing", [1, 2])
def test_a_screen_that_could_not_be_replaced_leaves_no_stale_answer(
    tracker: Tracker, driver: Driver, failing: int
) -> None:
    """The unbinding that comes first may have reached some stages and not others."""
    slots, old = pairs(0, 1), tracker.screen
    for stage in ("fragment", "vertex"):
        tracker.bind(stage, slots)
    left = failing

    def fails(call: str) -> bool:
        nonlocal left
        left -= call == "bind"
        if call == "bind" and not left:
            raise RuntimeError("busy")
        return False

    driver._fail = fails  # type: ignore[method-assign]
    with pytest.raises(DriverError):
        tracker.screen = KEYED
    assert (tracker.screen, tracker.generation) == (old, 0)
    for stage in ("fragment", "vertex"):
        driver.take()
        bound = tracker.bind(stage, slots)
        assert None not in bound.handles
        assert driver.take()[-1] == ["bind", f"MESA_SHADER_{stage.upper()}", 0, [*bound.handles]]


def test_another_policy_is_another_generation_and_keeps_handles_of_equal_states(tracker: Tracker) -> None:
    slots = ((sampler(0, max_anisotropy=8), TEXTURE), (sampler(1), TEXTURE))
    tracker.bind("fragment", slots)
    before = tracker.generation
    tracker.policy = st.Policy()
    assert tracker.generation == before  # an equal one changes nothing
    tracker.policy = st.Policy(max_anisotropy=4)
    assert tracker.generation != before
    bound = tracker.bind("fragment", slots)
    assert bound.handles == (2, 1)
    assert bound.changed == {0: 2}
    for n in range(20):
        tracker.bind("fragment", pairs(n))
    tracker.policy = st.Policy(max_states=5)
    assert tracker.cso.statistics().live == 5
    tracker.policy = st.Policy()
    assert tracker.cso.max_size == 4096


def test_another_screen_makes_other_states_and_one_with_another_key_rule_a_new_cache(driver: Driver) -> None:
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver)
    slots = ((sampler(wrap="clamp"), TEXTURE),)
    tracker.bind("fragment", slots)
    tracker.screen = st.Screen.named("softpipe")
    bound = tracker.bind("fragment", slots)
    assert (bound.changed, bound.clamps) == ({0: 1}, (0, 0, 0))
    driver.take()
    tracker.screen = tracker.screen.replace(use_format_with_border_color=True)
    assert driver.take() == [["bind", FRAGMENT, 0, [None]], ["delete", 0], ["delete", 1]]
    tracker.bind("fragment", slots)
    tracker.destroy()
    assert [event[0] for event in driver.take()] == ["create", "bind", "bind", "delete"]
    counts = tracker.end_frame()
    assert (counts.creates, counts.deletes, counts.live) == (3, 3, 0)


def test_a_block_destroys_at_its_end(driver: Driver) -> None:
    with llvmpipe(driver) as tracker:
        tracker.bind("fragment", pairs(0))
    assert [event[0] for event in driver.take()] == ["create", "bind", "bind", "delete"]
    with pytest.raises(InvalidCallOrder, match="destroyed"):
        tracker.bind("fragment", pairs(0))


def test_what_is_known_of_sets_stays_when_other_code_has_bound(tracker: Tracker, driver: Driver) -> None:
    """As the overlay of a front end does in every frame."""
    every = [pairs(number) for number in range(3)]
    answers = [tracker.bind("fragment", slots) for slots in every]
    tracker.end_frame()
    for _ in range(2):
        tracker.invalidate()
        driver.take()
        assert all(tracker.bind("fragment", slots) is answer for slots, answer in zip(every, answers, strict=True))
        assert driver.bound() == [[0], [1], [2]]
        driver.events.clear()
        assert tracker.end_frame().conversions == 0


def test_one_stage_can_be_forgotten_alone_and_all_unbound(tracker: Tracker, driver: Driver) -> None:
    """Then nothing is made."""
    slots = pairs(0)
    for stage in ("fragment", "vertex"):
        tracker.bind(stage, slots)
    ways: list[tuple[Callable[[], object], list[str]]] = [
        (lambda: tracker.invalidate("vertex"), ["VERTEX"]),
        (tracker.unbind, ["FRAGMENT", "VERTEX"]),
    ]
    for forget, bound in ways:
        forget()
        driver.take()
        for stage in ("fragment", "vertex"):
            tracker.bind(stage, slots)
        assert driver.take() == [["bind", f"MESA_SHADER_{stage}", 0, [0]] for stage in bound]


# A context of GL


def test_a_context_binds_what_its_next_draw_samples(tracker: Tracker, driver: Driver) -> None:
    context = st.Context(tracker.screen.gl_limits())
    (name,) = context.glGenTextures(1)
    context.glBindTexture("GL_TEXTURE_2D", name)
    context.glTexStorage2D("GL_TEXTURE_2D", 1, "GL_RGBA8", 4, 4)
    context.glEnable("GL_TEXTURE_2D")
    context.glTexEnvf("GL_TEXTURE_FILTER_CONTROL", "GL_TEXTURE_LOD_BIAS", 1.0)
    bound = tracker.bind_context(context, "fragment")
    assert bound.changed == {0: 0}
    assert st.SamplerState.from_hex(str(driver.events[0][2])).lod_bias == 1.0
    assert tracker.bind_context(context, "vertex").handles == ()
    context.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_WRAP_S", "GL_CLAMP")
    again = tracker.bind_context(context, "fragment")
    assert (again.changed, again.clamps.s) == ({0: 1}, 1)
    assert tracker.bind_context(context, "fragment").changed == {}


def test_the_program_in_use_decides_unless_another_is_named(driver: Driver) -> None:
    """GLSL 1.20 and 1.30 arrange a border colour differently; fixed function is older."""
    tracker = st.StateTracker(st.Screen.named("r600"), driver)
    context = st.Context(tracker.screen.gl_limits())
    (name,) = context.glGenTextures(1)
    context.glBindTexture("GL_TEXTURE_2D", name)
    context.glTexImage2D("GL_TEXTURE_2D", 0, "GL_DEPTH_COMPONENT16", 4, 4, 0, "GL_DEPTH_COMPONENT", "GL_FLOAT")
    depth = context.textures[name]
    assert depth is not None
    depth.sampler.update(wrap="clamp-to-border", border_color=(0.25, 0.5, 0.75, 1.0), min_filter="linear")
    context.glTexParameteri("GL_TEXTURE_2D", "GL_DEPTH_TEXTURE_MODE", "GL_ALPHA")
    context.glEnable("GL_TEXTURE_2D")
    uniform = (gl.SamplerUniform("s", "sampler2D"),)
    older, newer = (gl.Program(uniform, glsl_version=version) for version in (120, 130))
    wanted = [tracker.record(None, depth, glsl130=version) for version in (False, True)]
    assert wanted[0] != wanted[1] == tracker.record(None, depth)

    def bound(program: st.Program | None = None) -> bytes | None:
        return tracker.bind_context(context, "fragment", program).states[0].record

    assert [bound(), bound(older), bound(newer)] == [wanted[0], wanted[0], wanted[1]]
    context.glUseProgram(context.add_program(newer))
    assert [bound(), bound(older), bound(newer)] == [wanted[1], wanted[0], wanted[1]]
    assert tracker.bind("fragment", ((None, depth),)).states[0].record == wanted[1]


# What is refused


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        (7, "slots=7 cannot be used; accepted: slot -> "),
        ({0: None, 1: 5}, "slot=5 cannot be used"),
        ({0: ("clamp", None)}, "sampler='clamp' cannot be used; accepted: a Sampler, or None"),
        ({0: (None, None)}, "texture=None cannot be used; accepted: a Texture"),
        ({0: (None,)}, "cannot be used; accepted: "),
        ({0: (None, st.Texture(), "high")}, "unit='high' cannot be used; accepted: a gl.Unit"),
        ({0: (None, st.Texture(), 1, 2)}, "cannot be used; accepted: "),
        ({32: (None, st.Texture())}, r"slot=32 cannot be used; accepted: 0\.\.31"),
        ({-1: (None, st.Texture())}, "slot=-1 cannot be used"),
        ({"0": (None, st.Texture())}, "slot='0' cannot be used"),
    ],
)
def test_what_cannot_be_bound_is_refused_and_nothing_is_done(
    tracker: Tracker, driver: Driver, slots: Any, words: str
) -> None:
    with pytest.raises(ArgumentError, match=words):
        tracker.bind("fragment", slots)
    assert driver.take() == []
    assert tracker.bind("fragment", {0: (None, TEXTURE)}).changed == {0: 0}


@pytest.mark.parametrize("switches", [(2, True), (False, None), ([], True)])
def test_switches_are_true_or_false(tracker: Tracker, switches: tuple[Any, Any]) -> None:
    with pytest.raises(ArgumentError, match="accepted: True or False each"):
        tracker.bind("fragment", pairs(0), *switches)


def test_unknown_words_are_refused(tracker: Tracker, driver: Driver) -> None:
    with pytest.raises(UnknownName, match="stage: 'pixel' is not known"):
        tracker.bind("pixel", {})
    for options, words in (({"dialect": "mesa99"}, "dialect"), ({"eviction": "fifo"}, "policy: 'fifo' is not known")):
        with pytest.raises(UnknownName, match=words):
            llvmpipe(driver, **options)
    with pytest.raises(ArgumentError, match="screen='llvmpipe'"):
        tracker.screen = "llvmpipe"  # type: ignore[assignment]
    with pytest.raises(ArgumentError, match="policy=None"):
        tracker.policy = None  # type: ignore[assignment]


def test_slots_are_numbers_in_every_order(tracker: Tracker) -> None:
    """The same ones give the same answer while nothing changes."""

    class Named(IntEnum):
        WALL = 0
        LIGHT = 1

    (pair,) = pairs(1)
    same = tracker.bind("fragment", {Named.WALL: pair, Named.LIGHT: pair})
    sampler(5)  # takes a token
    slots: Any
    for slots in ({Named.LIGHT: pair, Named.WALL: pair}, (pair, pair), {0: pair, 1: pair}):
        assert tracker.bind("fragment", slots) is same
    wrong: Any
    for wrong in ({False: pair}, {0.0: pair}, {True: pair}, {1.0: pair}, {32: pair}, dict.fromkeys(range(33), pair)):
        with pytest.raises(ArgumentError, match=r"0\.\.31"):
            tracker.bind("fragment", wrong)


# Programs


def test_two_runs_make_the_same_calls() -> None:
    program = (
        "import statetracker as st, random; from statetracker.cso import RecordingDriver; r = random.Random(1)\n"
        "d = RecordingDriver(); k = st.StateTracker(st.Screen.named('seed'), d, policy=st.Policy(max_states=16))\n"
        "t = st.Texture(internal_format='R8'); s = [st.Sampler(max_lod=n) for n in range(40)]\n"
        "for _ in range(200): k.bind('fragment', {n: (s[r.randrange(40)], t) for n in r.sample(range(8), 3)})\n"
        "print(*d.lines())"
    )
    command = [sys.executable, "-c", program]
    one, other = (subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(2))
    assert one.stdout == other.stdout
    assert "delete" in one.stdout


def test_the_pages_loop_prints_what_the_page_says() -> None:
    page = (ROOT / "docs" / "tracker.md").read_text(encoding="utf-8")
    program, printed = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)[:2]
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == (printed, "")


# A limit of different states

BIASED = [((st.Sampler(lod_bias=n / 256), TEXTURE),) for n in (0, 64, 65)]


def test_a_limit_of_different_states_holds_and_merges_are_counted_and_explained(driver: Driver) -> None:
    """A policy with another limit starts another cache."""
    tracker = llvmpipe(driver)
    for limit, live in ((2, 2), (1, 1), (None, 3)):
        tracker.policy = st.Policy(unique_limit=limit)
        bound = [tracker.bind("fragment", one).handles for one in BIASED]
        counts = tracker.end_frame()
        assert counts.live == live
        if limit == 2:
            assert bound[1] == bound[2] != bound[0]
            assert (counts.creates, counts.merged) == (2, 1)
            (merge,) = tracker.merges()
            assert str(merge).endswith(": LOD 0.003906 levels (distance 0.00781)")
    assert (tracker.merges(), tracker.end_frame().merged) == ([], 0)


def test_at_a_limit_that_raises_the_slots_stay_as_they_were(driver: Driver) -> None:
    tracker = llvmpipe(driver, policy=st.Policy(unique_limit=1, when_full="raise"))
    bound = tracker.bind("fragment", BIASED[0])
    with pytest.raises(SamplerLimitExceeded, match="1 of 1 states exist"):
        tracker.bind("fragment", BIASED[1])
    assert tracker.bind("fragment", BIASED[0]) is bound
