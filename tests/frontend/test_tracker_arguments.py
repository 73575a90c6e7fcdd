"""What a tracker is made of: a screen and a driver that fit, each in its place."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import statetracker as st
from statetracker.cso import RecordingDriver
from statetracker.errors import ArgumentError, UnknownName

WEBGPU = st.Screen.webgpu({"core-features-and-limits"}).replace(emulate_gl_clamp=False)
NATIVE = st.Screen.device("Adreno (TM) 640").replace(emulate_gl_clamp=False)


class WithScreen(RecordingDriver):
    """A driver that makes samplers for one screen."""

    def __init__(self, screen: st.Screen) -> None:
        super().__init__()
        self.screen = screen


# fmt: off
MISFITS = [
    (WEBGPU, WEBGPU.replace(emulate_gl_clamp=True),               "GL_CLAMP"),
    (WEBGPU, NATIVE,                                              "WebGPU"),
    (NATIVE, WEBGPU,                                              "WebGPU"),
    (NATIVE.replace(use_format_with_border_color=True), NATIVE.replace(use_format_with_border_color=False), "border"),
    (NATIVE.replace(lower_rect_tex=True), NATIVE.replace(lower_rect_tex=False), "rectangle"),
]
# fmt: on


@pytest.mark.parametrize(("theirs", "ours", "words"), MISFITS)
def test_a_screen_that_the_driver_does_not_fit_is_refused_with_the_reason(
    theirs: st.Screen, ours: st.Screen, words: str
) -> None:
    with pytest.raises(ArgumentError, match=words) as caught:
        st.StateTracker(ours, WithScreen(theirs))
    assert "StateTracker.over(driver)" in str(caught.value)
    tracker = st.StateTracker(theirs, WithScreen(theirs))
    with pytest.raises(ArgumentError, match=words):
        tracker.screen = ours
    assert tracker.screen == theirs
    with pytest.raises(ArgumentError, match=words):
        st.StateTracker(ours, RecordingDriver()).device_lost(WithScreen(theirs))


def test_a_tracker_over_a_driver_takes_its_screen() -> None:
    driver = WithScreen(NATIVE)
    tracker = st.StateTracker.over(driver, policy=st.Policy(max_anisotropy=2))
    assert tracker.screen == NATIVE
    assert tracker.policy.max_anisotropy == 2
    with pytest.raises(ArgumentError, match=r"driver=.*a driver with a screen"):
        st.StateTracker.over(RecordingDriver())


def test_a_screen_may_have_less_than_the_drivers() -> None:
    tracker = st.StateTracker(NATIVE.replace(max_anisotropy=2.0), WithScreen(NATIVE))
    assert tracker.screen.max_anisotropy == 2.0


@pytest.mark.parametrize(
    "made",
    [
        lambda: st.StateTracker(RecordingDriver(), NATIVE),  # type: ignore[arg-type]
        lambda: st.StateTracker(NATIVE),
        lambda: st.StateTracker(NATIVE, object()),  # type: ignore[arg-type]
        lambda: st.StateTracker("llvmpipe", RecordingDriver()),  # type: ignore[arg-type]
    ],
    ids=["the other way round", "no driver", "no callbacks", "a name"],
)
def test_a_wrong_argument_says_what_goes_where(made: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError, match=r"StateTracker\(screen, driver\)"):
        made()


@pytest.mark.parametrize("policy", [{}, {"max_anisotropy": 4}, "lru", 0])
def test_a_policy_is_a_policy_from_the_beginning(policy: Any) -> None:
    with pytest.raises(ArgumentError, match="accepted: a Policy"):
        st.StateTracker(NATIVE, RecordingDriver(), policy=policy)


@pytest.mark.parametrize("stage", [["fragment"], {}, None, 1.5, ("fragment",)])
def test_what_is_no_stage_is_an_unknown_name(stage: Any) -> None:
    tracker = st.StateTracker(NATIVE, RecordingDriver())
    for call in (tracker.bind, tracker.cso.set_samplers):
        with pytest.raises(UnknownName, match="stage"):
            call(stage, ())
    with pytest.raises(UnknownName, match="stage"):
        tracker.cso.handles(stage)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_copy_is_refused(way: Callable[[object], object]) -> None:
    """Two would delete each handle twice."""
    tracker = st.StateTracker(NATIVE, RecordingDriver())
    for one in (tracker, tracker.cso):
        with pytest.raises(ArgumentError, match="make another"):
            way(one)
