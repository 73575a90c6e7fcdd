"""Random cases and strategies: repeatable, shrinkable, within GL, and rich enough."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given

from statetracker.caps import Screen
from statetracker.conformance import strategies
from statetracker.conformance.generate import cases_from
from statetracker.conformance.shrink import FRAME, paste, shrink
from statetracker.conformance.weights import KINDS, TARGETS
from statetracker.gl import Sampler, Texture, UnitFacts
from statetracker.replay import Replayer
from statetracker.sampler import converter, sampler_state
from tests.conformance.planted import extra_calls


def test_a_seed_repeats_its_cases() -> None:
    """Case n of a seed is always the same, and survives JSON."""
    first, again = list(cases_from(9, 20)), list(cases_from(9, 20))
    assert first == again == json.loads(json.dumps(first))
    assert list(cases_from(8, 20)) != first


def test_cases_begin_with_the_frame() -> None:
    """Unit, texture, storage."""
    for one in cases_from(2, 100):
        names = [call["fn"] for call in one["calls"]]
        assert names[:2] == ["glActiveTexture", "glBindTexture"]
        assert names[2].startswith(("glTexImage", "glTexStorage"))


def test_every_target_kind_and_shader_comes_up() -> None:
    """Among some hundred cases; some are fixed function, some compare."""
    drawn = list(cases_from(0, 600))
    assert {one["texture"]["target"] for one in drawn} == set(TARGETS)
    assert {one["texture"]["class"] for one in drawn} == set(KINDS)
    kinds = Counter(str(one["shader"]["sampler_type"])[-6:] for one in drawn)
    assert kinds["Shadow"] > 10
    assert kinds["None"] > 10


def test_most_calls_are_right_and_some_are_wrong() -> None:
    """Errors are part of what is compared."""
    replayer = Replayer(converter(Screen.named("llvmpipe"), "mesa22"))
    errors = Counter(error for one in cases_from(3, 300) for error in replayer.run(one).errors)
    assert errors["GL_NO_ERROR"] > 20 * errors["GL_INVALID_ENUM"] > 0


@given(strategies.cases(), strategies.call_sequences())
def test_generated_cases_and_calls_replay(one: dict[str, Any], calls: list[tuple[str, list[Any]]]) -> None:
    """Whatever hypothesis chooses."""
    replayer = Replayer(converter(Screen.named("zink-lavapipe"), "mesa22"))
    assert len(replayer.run(one).errors) == len(one["calls"])
    assert all(name.startswith("gl") and isinstance(args, list) for name, args in calls)


@given(strategies.samplers(), strategies.textures(), strategies.screens(), strategies.draws())
def test_whatever_the_strategies_give_can_be_converted(
    sampler: Sampler, texture: Texture, screen: Screen, draw: dict[str, Any]
) -> None:
    """36 bytes, always the same."""
    unit = UnitFacts.of(draw["unit_lod_bias"], seamless=draw["seamless"], glsl130=draw["glsl130"])
    first = bytes(sampler_state(sampler, texture, screen, unit=unit))
    assert bytes(sampler_state(sampler, texture, screen, unit=unit)) == first


def test_shrinking_keeps_what_shows_and_the_frame() -> None:
    """Here: any case that sets GL_TEXTURE_WRAP_S to GL_CLAMP."""

    def shows(one: dict[str, Any]) -> bool:
        return any(call["args"][1:3] == ["GL_TEXTURE_WRAP_S", "GL_CLAMP"] for call in one["calls"])

    drawn = next(one for one in cases_from(1, 500) if shows(one) and len(extra_calls(one)) > 8)
    small = shrink(drawn, shows)
    assert len(extra_calls(small)) == 1
    assert shows(small)
    assert small["unit"] == 0
    assert {call["fn"] for call in small["calls"] if call["fn"].startswith(FRAME)} <= {
        *("glActiveTexture", "glBindTexture", "glBindSampler", "glTexImage1D", "glTexImage2D", "glTexImage3D"),
        *("glTexStorage1D", "glTexStorage2D", "glTexStorage3D"),
    }
    compile(paste(small, [], driver="llvmpipe"), "pasted", "exec")


def test_shrinking_gives_up_within_its_budget() -> None:
    """Every question costs a draw."""
    asked = []

    def shows(one: dict[str, Any]) -> bool:
        asked.append(one)
        return True

    shrink(next(cases_from(1, 1)), shows, budget=5)
    assert len(asked) <= 5
