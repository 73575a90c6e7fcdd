"""`statetracker.batch.conversion`: the same bytes as one conversion after another."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from statetracker import batch
from statetracker.batch import RECORD, prepare, quantize_lod_biases, records, sampler_rows
from statetracker.caps import Screen
from statetracker.errors import ArgumentError, MissingExtra, UnknownName
from statetracker.gl import DepthTextureMode, Sampler, Texture
from statetracker.gl.facts import UNIT, TextureFacts, UnitFacts
from statetracker.sampler import DIALECTS, Dialect, converter, quantize_lod_bias, sampler_state
from statetracker.sampler.conversion import has_state
from tests.batch.random_rows import random_floats, random_rows

HALVES = some.integers(-5000, 5000).map(lambda n: (n + 0.5) / 256)
ODD = (0.0, -0.0, 1e-45, -1e-45, 0.49999997 / 256, -0.49999997 / 256, 16.0, -16.0, 15.999999, -15.999999, 3e38, -3e38)
SPECIAL = (*ODD, float("nan"), float("inf"), float("-inf"))
FLOATS = some.floats(width=32) | some.floats(-20, 20, width=32) | HALVES | some.sampled_from(SPECIAL)
SCREENS = [Screen.named(name) for name in ("llvmpipe", "softpipe", "zink-lavapipe", "seed")]
LLVMPIPE = SCREENS[0]
RGBA8 = Texture(internal_format="RGBA8")


def one_by_one(
    samplers: list[Sampler],
    facts: list[TextureFacts],
    screen: Screen,
    dialect: str | Dialect = "mesa22",
    unit: UnitFacts = UNIT,
) -> list[bytes]:
    return [
        bytes(sampler_state(s, f, screen, dialect=dialect, unit=unit)) for s, f in zip(samplers, facts, strict=True)
    ]


def rows(records: np.ndarray[Any, np.dtype[Any]]) -> list[bytes]:
    return [row.tobytes() for row in records]


def bits(values: Any) -> list[bytes]:
    return [value.tobytes() for value in np.asarray(values, "<f4")]


@given(some.data(), some.from_type(Screen) | some.sampled_from(SCREENS), some.from_type(Dialect))
def test_a_batch_is_one_conversion_after_another(data: some.DataObject, screen: Screen, dialect: Dialect) -> None:
    pairs = data.draw(some.lists(some.tuples(some.from_type(Sampler), some.from_type(TextureFacts)), max_size=4))
    samplers, facts = [s for s, _ in pairs], [f for _, f in pairs]
    glsl130, bindless = data.draw(some.tuples(some.booleans(), some.booleans()))
    bias, seamless = data.draw(some.tuples(FLOATS, some.booleans()))
    unit: dict[str, Any] = {"glsl130": glsl130, "bindless": bindless, "seamless": seamless}
    made = records(samplers, facts, screen, unit_lod_bias=bias, dialect=dialect, **unit)
    assert rows(made) == one_by_one(samplers, facts, screen, dialect, UnitFacts.of(bias, **unit))


@pytest.mark.parametrize("dialect", DIALECTS)
@given(
    some.integers(0, 1 << 32), some.lists(some.from_type(TextureFacts), min_size=1, max_size=20),
    some.from_type(Screen) | some.sampled_from(SCREENS), some.tuples(some.booleans(), some.booleans(), some.booleans()),
)  # fmt: skip
def test_rows_with_units_of_their_own_are_single_conversions(
    whole: bool, dialect: str, seed: int, facts: list[TextureFacts], screen: Screen, program: tuple[bool, bool, bool]
) -> None:
    """With `make columns` a million rows in each dialect."""
    biased, glsl130, bindless = program
    chance, count = np.random.default_rng(seed), 10_000 if whole else 8
    samplers, which = random_rows(chance, count), chance.integers(0, len(facts), count)
    biases = random_floats(chance, count, 20.0) if biased else np.zeros(count, np.float32)
    seamless = chance.random(count) < 0.5
    unit: dict[str, Any] = {"glsl130": glsl130, "bindless": bindless}
    given: dict[str, Any] = {"unit_lod_bias": biases, "seamless": seamless, "dialect": dialect, **unit}
    made = records(samplers, facts, screen, texture_index=which, **given)
    units = [UnitFacts.of(b, seamless=s, **unit) for b, s in zip(biases.tolist(), seamless.tolist(), strict=True)]
    used = zip(batch.samplers_of(samplers), (facts[n] for n in which), units, strict=True)
    one: Any = converter(screen, dialect).record
    assert rows(made) == [one(*row) if has_state(*row[1:]) else bytes(36) for row in used]


@given(some.lists(FLOATS, min_size=1))
@example(list(SPECIAL))
def test_biases_are_quantised_as_one_bias_is(values: list[float]) -> None:
    column = np.array(values, np.float32)
    assert bits(quantize_lod_biases(column)) == bits([quantize_lod_bias(float(value)) for value in column])


@given(
    some.lists(some.from_type(Sampler), min_size=1, max_size=4), some.lists(some.from_type(TextureFacts), min_size=1)
)
def test_an_index_combines_prepared_samplers_with_textures(samplers: list[Sampler], facts: list[TextureFacts]) -> None:
    prepared = prepare(samplers)
    who, what = (column.ravel() for column in np.meshgrid(np.arange(len(samplers)), np.arange(len(facts))))
    made = records(prepared.pick(who), facts, LLVMPIPE, texture_index=what)
    assert rows(made) == one_by_one([samplers[i] for i in who], [facts[i] for i in what], LLVMPIPE)


def test_a_mask_picks_prepared_samplers() -> None:
    samplers = [Sampler(lod_bias=1.0), Sampler(lod_bias=2.0, wrap="clamp"), Sampler(lod_bias=3.0)]
    picked = prepare(samplers).pick(np.array([True, False, True]))
    assert rows(records(picked, RGBA8, LLVMPIPE)) == one_by_one(samplers[::2], [RGBA8.facts()] * 2, LLVMPIPE)


def test_equal_textures_of_an_index_cost_what_one_does() -> None:
    samplers, facts = [Sampler(lod_bias=1.0), Sampler()], [RGBA8.facts()] * 4000
    tracemalloc.start()
    made = records(samplers, facts, LLVMPIPE, texture_index=[3999, 7])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20
    assert rows(made) == one_by_one(samplers, facts[:2], LLVMPIPE)


def test_an_index_that_is_wrong_is_named() -> None:
    with pytest.raises(ArgumentError, match="texture_index=-3 "):
        records([Sampler()] * 2, [RGBA8], LLVMPIPE, texture_index=[0, -3])


def test_a_bindless_buffer_texture_gives_zeros() -> None:
    buffer = RGBA8.facts().replace(target=0x8C2A)
    made = records([Sampler(), Sampler()], [buffer, RGBA8], LLVMPIPE, bindless=True)
    assert [any(row.tobytes()) for row in made] == [False, True]


def test_no_samplers_give_no_rows() -> None:
    assert records([], RGBA8, LLVMPIPE).shape == (0,)
    assert records([], [], LLVMPIPE).shape == (0,)
    assert records([], [RGBA8], LLVMPIPE, texture_index=[]).shape == (0,)


@pytest.mark.parametrize(
    ("samplers", "options"),
    [
        ([Sampler()], {"unit_lod_bias": [0.0, 1.0]}),
        ([Sampler()], {"seamless": [[True]]}),
        ([Sampler()], {"unit_lod_bias": "one"}),
        ([Sampler()], {"unit_lod_bias": 10**400}),
        ([Sampler()], {"seamless": [False, [True]]}),
        ([Sampler()], {"texture_index": [0, 0]}),
        ([Sampler()], {"texture_index": [0.0]}),
        ([Sampler()], {"texture_index": [1]}),
        ([Sampler()], {"texture_index": [-1]}),
        ([Sampler(), Sampler()], {}),
        (np.zeros(1, np.float32), {}),
        ([Sampler()], {"out": [0]}),
        ([Sampler()], {"out": np.empty(2, RECORD)}),
        ([Sampler()], {"out": np.empty(36, np.uint8)}),
        ([Sampler()] * 2, {"out": np.empty(4, RECORD)[::2], "texture_index": [0, 0]}),
    ],
)
def test_lengths_and_types_that_do_not_fit_are_refused(samplers: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        records(samplers, [RGBA8], LLVMPIPE, **options)


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(UnknownName, match="mesa99"):
        records([], RGBA8, LLVMPIPE, dialect="mesa99")


def test_without_numpy_the_error_names_it() -> None:
    """The package itself is there: `dir` and help work."""
    program = "import sys; sys.modules['numpy'] = None; import statetracker as st; dir(st.batch); st.batch.{}"
    root = Path(__file__).parents[2]
    for name in ("records", "Table", "SAMPLER", "LOWERING"):
        command = [sys.executable, "-c", program.format(name)]
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert MissingExtra.__name__ in ran.stderr
        assert "pip install numpy" in ran.stderr


def test_prepared_samplers_are_of_one_dialect() -> None:
    prepared = prepare([Sampler(lod_bias=20)], "seed")
    assert rows(records(prepared, RGBA8, LLVMPIPE, dialect="seed")) == one_by_one(
        [Sampler(lod_bias=20)], [RGBA8.facts()], LLVMPIPE, "seed"
    )
    with pytest.raises(ArgumentError, match="prepared for seed"):
        records(prepared, RGBA8, LLVMPIPE)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [("wrap_t", 0x2902, "wrap_t=10498 .*row 1"), ("max_anisotropy", 0.5, "max_anisotropy=0.5 .*row 1")],
)
def test_rows_that_gl_refuses_are_named(field: str, value: float, says: str) -> None:
    given = sampler_rows([Sampler(), Sampler()])
    given[field][1] = value
    with pytest.raises(ArgumentError, match=says):
        records(given, RGBA8, LLVMPIPE)


def test_more_rows_than_a_piece_are_converted_alike() -> None:
    given = np.tile(sampler_rows([Sampler(), Sampler(wrap="clamp", lod_bias=1.25)]), 20_000)
    biases = np.where(np.arange(len(given)) < 20_000, 0.0, 2.0)
    made = records(given, RGBA8, LLVMPIPE, unit_lod_bias=biases)
    assert len({row.tobytes() for row in made}) == 4
    assert made["lod_bias"][[0, 1, 39_998, 39_999]].tolist() == [0.0, 1.25, 2.0, 3.25]


@pytest.mark.parametrize("ready", [False, True])
def test_the_rows_that_are_given_are_filled(*, ready: bool) -> None:
    given = np.tile(sampler_rows([Sampler(), Sampler(wrap="clamp", min_lod=-2.0)]), 10_000)
    samplers = prepare(given) if ready else given
    room = np.full(len(given) * 36, 0xEE, np.uint8).view(RECORD)
    made = records(samplers, RGBA8, LLVMPIPE, out=room)
    assert made is room
    assert made.tobytes() == records(given, RGBA8, LLVMPIPE).tobytes()


def test_programs_are_of_glsl_130_unless_it_is_said_otherwise() -> None:
    screen = LLVMPIPE.replace(apply_texture_swizzle_to_border_color=True)
    sampler = Sampler(wrap="clamp-to-border", border_color=(0.5, 0, 0, 0))
    facts = Texture("2d", "DEPTH_COMPONENT16").facts().replace(depth_mode=DepthTextureMode.ALPHA)
    new, old = (rows(records([sampler], facts, screen, glsl130=glsl130)) for glsl130 in (True, False))
    assert rows(records([sampler], facts, screen)) == new != old
