"""What every `Renderer` promises of the objects that it makes, whatever the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import statetracker as st

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["CLAMPED", "assert_kept", "assert_warm"]

#: No device of these tests has it: the shader clamps.
CLAMPED: dict[str, Any] = {"wrap": "clamp", "filter": ("linear", "linear"), "border_color": (1.0, 0.0, 0.0, 1.0)}


def plain(draw: Any) -> Any:
    """A draw without what is made for each."""
    return draw._replace(bind=None) if "bind" in draw._fields else draw


def assert_kept(renderer: Any, bind: Callable[[st.Sampler], Any], policy: st.Policy) -> None:
    """Equal requests get equal objects and nothing is made twice; another colour or policy, and back, finds the key.

    Args:
        renderer: It has made nothing yet.
        bind: Binds a sampler for one shader with an image.
        policy: One under which another draw comes of the sampler.
    """
    asked = st.Sampler(**CLAMPED)
    first = bind(asked)
    made = dict(renderer.created), renderer.modules.made
    assert bind(asked) is first
    for again in (asked.copy(), st.Sampler(**CLAMPED)):
        assert plain(bind(again)) == plain(first)
    assert (dict(renderer.created), renderer.modules.made) == made
    other = bind(st.Sampler(**CLAMPED | {"border_color": (0.0, 1.0, 0.0, 1.0)}))
    assert (other.key, renderer.modules.made) == (first.key, made[1])
    assert plain(other) != plain(first)
    usual, renderer.policy = renderer.policy, policy
    assert plain(bind(asked)) != plain(first)
    renderer.policy = usual
    assert plain(bind(asked)) == plain(first)


def assert_warm(renderer: Any, other: Any, bind: Callable[[Any], Any], file: Path, kept: int) -> None:
    """A second start rewrites no module and creates no sampler.

    Args:
        renderer: The one of the first start.
        other: The one of the second.
        bind: Takes a shader with a renderer, and binds a clamped sampler for it.
        file: To keep things in.
        kept: How many samplers and modules these are.
    """
    first = bind(renderer)
    assert renderer.save(file) == other.warm(file) == kept
    creates = other.tracker.cso.statistics().creates
    again = bind(other)
    assert (again.key, again.unsupported) == (first.key, first.unsupported)
    assert (other.modules.made, other.tracker.cso.statistics().creates) == (0, creates)
