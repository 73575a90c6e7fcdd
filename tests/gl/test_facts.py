"""`statetracker.gl.facts`: what conversion reads of a texture."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Texture, TextureFacts


def test_equal_facts_are_the_same_object() -> None:
    one, two = (Texture("2d", "RGBA8", (n, n)).facts() for n in (4, 8))
    assert one is two
    assert TextureFacts.of(**one.to_dict()) is one


def test_replaced_facts_are_other_facts() -> None:
    facts = Texture("2d", "RGBA8").facts()
    other = facts.replace(storage_format="B8G8R8A8_UNORM")
    assert other is not facts
    assert other.replace(storage_format=None) is facts


def test_a_name_that_is_no_fact_is_refused_and_not_ignored() -> None:
    facts = Texture("2d", "RGBA8").facts()
    with pytest.raises(ArgumentError, match="internal_fromat"):
        facts.replace(internal_fromat="R8UI")
    with pytest.raises(ArgumentError, match="base_format"):
        TextureFacts.of(target=facts.target)


def test_facts_never_change() -> None:
    with pytest.raises(AttributeError):
        Texture("2d", "RGBA8").facts().is_integer = True


def test_repr_shows_every_fact() -> None:
    facts = Texture("2d", "R8UI").facts()
    assert all(f"{name}={value!r}" in repr(facts) for name, value in facts.to_dict().items())


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 (made here)
def test_a_copy_of_facts_is_the_same_object(way: Callable[[TextureFacts], TextureFacts]) -> None:
    facts = Texture(internal_format="RG16F").facts()
    assert way(facts) is facts
