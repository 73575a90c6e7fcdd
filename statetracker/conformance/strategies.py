"""Hypothesis strategies for other projects' tests, too: samplers, textures, screens, calls, cases, draws, devices.

They are weighted so that every row of the rule tables comes up, and shrink to what GL starts with. All are made by the
generators that seeded runs use (`generate`, `states`). Needs the extra ``conformance`` (hypothesis).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.caps import PROFILES, Screen
from statetracker.conformance import states as random_states
from statetracker.conformance.generate import case
from statetracker.conformance.states import UNIT_OPTIONS, State
from statetracker.conformance.weights import BIASES
from statetracker.errors import MissingExtra

try:
    from hypothesis import strategies as some
except ImportError as error:
    raise MissingExtra("statetracker.conformance.strategies", "hypothesis", "conformance") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from hypothesis.strategies import SearchStrategy

    from statetracker.gl import Sampler, Texture

__all__ = ["call_sequences", "cases", "draws", "samplers", "screens", "states", "textures"]


def samplers(*, finite: bool = False) -> SearchStrategy[Sampler]:
    """Sampler objects: every wrap, filter, comparison and reduction, and borders of every kind.

    Args:
        finite: No NaN and no infinity, whose results GL leaves open.
    """
    return _drawn(lambda random: random_states.sampler(random, finite=finite))


def textures(*, target: str | None = None, depth: bool = False) -> SearchStrategy[Texture]:
    """Textures of one level or all levels, any format that their target can hold, depth sampled as stencil too.

    ``depth`` draws only formats with depth, where the target has them.
    """
    return _drawn(lambda random: random_states.texture(random, target=target, depth=depth))


def states(options: Iterable[str] = UNIT_OPTIONS) -> SearchStrategy[State]:
    """Draw what a conversion under test is given: finite numbers; of a unit only these options."""
    return _drawn(lambda random: random_states.state(random, options))


def screens() -> SearchStrategy[Screen]:
    """Built-in screens."""
    return some.sampled_from(sorted(PROFILES, key=lambda name: name != "llvmpipe")).map(Screen.named)


def cases() -> SearchStrategy[dict[str, Any]]:
    """Whole cases as live runs use them: calls, unit, shader (`statetracker.conformance.generate.case`)."""
    return _drawn(case)


def call_sequences() -> SearchStrategy[list[tuple[str, list[Any]]]]:
    """GL calls as (name, arguments), in the order in which a program would make them."""
    return cases().map(lambda case: [(call["fn"], call["args"]) for call in case["calls"]])


def draws() -> SearchStrategy[dict[str, Any]]:
    """Return what a draw needs: ``unit``, ``seamless``, ``unit_lod_bias``, ``glsl130`` and ``stage``."""
    return some.fixed_dictionaries(
        {
            "unit": some.sampled_from([0, 1, 2, 3, 7, 15]),
            "seamless": some.booleans(),
            "unit_lod_bias": _drawn(lambda random: random_states.number(random, BIASES)),
            "glsl130": some.sampled_from([True, False]),
            "stage": some.sampled_from(["fragment", "vertex", "geometry", "tess-ctrl", "tess-eval", "compute"]),
        }
    )


def _drawn(draw: Callable[[Random], Any]) -> SearchStrategy[Any]:
    """Return what a function draws from a `random.Random`, whose choices hypothesis makes."""
    return some.randoms(use_true_random=False).map(draw)
