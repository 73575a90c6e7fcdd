"""`statetracker.batch.words`: the parts of word 0 are those of the whole conversion."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.batch.rows import sampler_rows
from statetracker.batch.words import BORDER_READ, Words, parts_of
from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture, Wrap
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.sampler import Dialect, dialect
from statetracker.sampler.conversion import Converter
from statetracker.sampler.gl_side import BORDER_USED, CONTEXT_SEAMLESS, SKIPS_DECODE, WORD_MASK, sampler_key

OFF = np.zeros((), np.bool_)
R8 = Texture(internal_format="R8").facts()


def words_of(plans: list[Any], samplers: list[Sampler], which: Any = None, seamless: Any = OFF) -> list[int]:
    parts, _ = parts_of(sampler_rows(samplers))
    words: list[int] = Words(plans).of(parts, which, seamless).tolist()
    return words


def expected(plan: Any, sampler: Sampler, *, seamless: bool) -> int:
    word: int = plan.word(sampler_key(sampler) | CONTEXT_SEAMLESS * seamless)
    return word & WORD_MASK | (BORDER_READ if word & BORDER_USED else 0)


@given(
    some.lists(some.from_type(Sampler), min_size=1, max_size=5),
    some.lists(some.from_type(TextureFacts), min_size=1, max_size=3),
    some.from_type(Screen),
    some.from_type(Dialect),
    some.booleans(),
)
def test_parts_put_together_are_the_word(
    samplers: list[Sampler], facts: list[TextureFacts], screen: Screen, rules: Dialect, seamless: bool
) -> None:
    memo = Converter(screen, rules).memo
    plans = [memo.plan(one, UnitFacts()) for one in facts]
    who, what = (column.ravel() for column in np.meshgrid(np.arange(len(samplers)), np.arange(len(plans))))
    words = words_of(plans, [samplers[n] for n in who], what, np.array(seamless))
    pairs = zip(who.tolist(), what.tolist(), strict=True)
    assert words == [expected(plans[t], samplers[s], seamless=seamless) for s, t in pairs]


@pytest.mark.parametrize("emulates", [False, True])
def test_all_512_triples_of_wraps_are_right(emulates: bool) -> None:
    screen = Screen(emulate_gl_clamp=emulates)
    plan = Converter(screen, dialect("mesa22")).memo.plan(R8)
    for least in ("linear", "nearest"):
        samplers = [
            Sampler(wrap_s=s, wrap_t=t, wrap_r=r, min_filter=least, border_color=(1, 0, 0, 0))
            for s, t, r in product(Wrap, repeat=3)
        ]
        assert words_of([plan], samplers) == [expected(plan, sampler, seamless=False) for sampler in samplers]


def test_an_entry_is_worked_out_once_and_kept_with_its_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Converter(Screen(), dialect("mesa22")).memo.plan(R8)
    settled: list[int] = []
    settle = Words._settle

    def watched(words: Words, place: int) -> None:
        settled.append(place)
        settle(words, place)

    monkeypatch.setattr(Words, "_settle", watched)
    words_of([plan], [Sampler(), Sampler()])
    assert len(settled) == len(set(settled)) == 5
    words_of([plan], [Sampler(), Sampler(wrap_r="clamp-to-edge")])
    assert len(settled) == 6


@given(some.from_type(Sampler))
def test_whether_decoding_is_skipped_is_the_samplers(sampler: Sampler) -> None:
    _, skips = parts_of(sampler_rows([sampler]))
    assert skips.tolist() == [bool(sampler_key(sampler) & SKIPS_DECODE)]
