"""`statetracker.batch.table`: what repeats has one number, and each pair the answers of `statetracker.convert`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import statetracker as st
from statetracker.batch import SAMPLER, Table, sampler_rows
from statetracker.batch.rows import info_rows, lowering_rows, value_rows
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl.facts import TextureFacts

ZINK = st.Screen.named("zink-lavapipe")
CLAMP: dict[str, Any] = {"wrap": "clamp", "border_color": (1, 0.5, 0, 1), "min_filter": "linear"}
SAMPLERS = [st.Sampler(), st.Sampler(lod_bias=1.5), st.Sampler(**CLAMP), st.Sampler()]
TEXTURES = [st.Texture(internal_format=name) for name in ("RGBA8", "R8", "RGBA8")]


@given(
    some.lists(some.from_type(st.Sampler), min_size=1, max_size=3),
    some.lists(some.from_type(TextureFacts), min_size=1, max_size=3),
    some.from_type(st.Screen),
    some.tuples(some.floats(-20, 20, width=32), some.booleans(), some.booleans(), some.booleans()),
)
def test_every_pair_has_the_record_of_one_conversion(
    samplers: list[st.Sampler], facts: list[TextureFacts], screen: st.Screen, unit: Any
) -> None:
    table = Table(screen)
    options = dict(zip(("unit_lod_bias", "seamless", "glsl130", "bindless"), unit, strict=True))
    pairs = table.pairs(table.samplers(samplers)[:, None], table.textures(facts, **options))
    for s, row in zip(samplers, pairs, strict=True):
        for texture, pair in zip(facts, row, strict=True):
            wanted = bytes(st.convert(s, texture, screen, **options))
            assert table.records[pair].tobytes() == wanted == bytes(table.result(int(pair)))


def test_what_repeats_has_one_number_whether_object_or_row() -> None:
    table = Table(ZINK)
    assert table.samplers(SAMPLERS).tolist() == [0, 1, 2, 0]
    assert table.samplers(sampler_rows([SAMPLERS[2], st.Sampler(lod_bias=-0.0), SAMPLERS[0]])).tolist() == [2, 3, 0]
    assert table.textures(TEXTURES).tolist() == [0, 1, 0]
    assert table.textures(TEXTURES, unit_lod_bias=[0, 0, 1]).tolist() == [0, 1, 2]
    assert table.textures(TEXTURES[0], bindless=True).tolist() == [3]


def test_padding_of_rows_makes_no_difference() -> None:
    rows = sampler_rows([st.Sampler(), st.Sampler()])
    used = {offset + n for kind, offset, *_ in (SAMPLER.fields or {}).values() for n in range(kind.itemsize)}
    padding = min({*range(SAMPLER.itemsize)} - used)
    rows.view(np.uint8).reshape(2, SAMPLER.itemsize)[1, padding] = 7
    assert rows.tobytes()[: SAMPLER.itemsize] != rows.tobytes()[SAMPLER.itemsize :]
    assert Table(ZINK).samplers(rows).tolist() == [0, 0]


def test_a_pair_is_converted_once_and_keeps_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(ZINK)
    samplers, textures = table.samplers(SAMPLERS), table.textures(TEXTURES)
    first = table.pairs(samplers[:2], textures[:2])
    more = table.samplers([st.Sampler(max_lod=3.0)])
    assert table.pairs(samplers[:2], textures[:2]).tolist() == first.tolist()
    assert len(table.records) == 2
    assert table.pairs(more, textures[0]).tolist() == [2]
    monkeypatch.setattr(table, "_convert", None)
    assert table.pairs(samplers[[0, 1, 1, 0]], textures[[0, 1, 1, 2]]).tolist() == [*first, first[1], first[0]]


def test_create_infos_and_lowerings_are_those_of_convert() -> None:
    screen = st.Screen.device("Adreno (TM) 640")
    table = Table(screen)
    pairs = table.pairs(table.samplers(SAMPLERS)[:, None], table.textures(TEXTURES)).ravel()
    results = [st.convert(s, texture, screen) for s in SAMPLERS for texture in TEXTURES]
    assert table.create_infos[pairs].tobytes() == info_rows(one.vulkan for one in results).tobytes()
    assert table.lowerings[pairs].tobytes() == lowering_rows(one.lowering for one in results).tobytes()
    assert table.lowering_values[pairs].tobytes() == value_rows(one.lowering_values for one in results).tobytes()
    assert len(table.create_infos) == 6
    assert len({row.tobytes() for row in table.lowerings}) > 1


def test_the_options_of_convert_are_the_tables() -> None:
    table = Table(ZINK, dialect="seed", vulkan_dialect="zink22", filter_in_shader=False)
    (pair,) = table.pairs(table.samplers(SAMPLERS[2:3]), table.textures(TEXTURES[1]))
    result = table.result(int(pair))
    wanted = st.convert(SAMPLERS[2], TEXTURES[1], ZINK, dialect="seed", vulkan_dialect="zink22", filter_in_shader=False)
    assert bytes(result) == bytes(wanted) == table.records[0].tobytes()
    assert result.vulkan == wanted.vulkan
    assert result.vulkan.dialect.name == "zink22"


@pytest.mark.parametrize(("samplers", "textures"), [([4], [0]), ([-1], [0]), ([0.0], [0]), ([0], [2])])
def test_numbers_that_the_table_has_not_given_are_refused(samplers: list[Any], textures: list[Any]) -> None:
    table = Table(ZINK)
    table.samplers(SAMPLERS)
    table.textures(TEXTURES)
    with pytest.raises(ArgumentError, match="that the table gave") as caught:
        table.pairs(samplers, textures)
    assert caught.value.value in {4, -1, 2, np.dtype(np.float64)}


def test_no_pairs_are_none() -> None:
    assert Table(ZINK).pairs([], []).shape == (0,)


def test_textures_and_samplers_that_come_one_by_one_seldom_copy_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    samplers = sampler_rows([st.Sampler(lod_bias=n / 256) for n in range(200)])
    table, full, grids, pairs = Table(ZINK), np.full, list[object](), list[int]()

    def counted(shape: Any, *rest: Any) -> Any:
        grids.extend([shape] if isinstance(shape, tuple) else [])
        return full(shape, *rest)

    monkeypatch.setattr(np, "full", counted)
    for n in range(200):
        texture = table.textures(TEXTURES[0], unit_lod_bias=n / 256)
        pairs += table.pairs(table.samplers(samplers[n : n + 1]), texture).tolist()
    assert len(grids) < 100
    assert pairs == list(range(200))
    assert table.pairs(np.arange(200), np.arange(200)).tolist() == pairs
    assert table.records["lod_bias"][[3, 199]].tolist() == [2 * 3 / 256, 2 * 199 / 256]


def test_no_grid_is_made_that_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statetracker.batch.table._MOST", 5)
    table = Table(ZINK)
    with pytest.raises(ArgumentError, match=r"at most 5 .*batch\.records"):
        table.pairs(table.samplers(SAMPLERS), table.textures(TEXTURES)[:1])


def test_shapes_that_do_not_fit_are_refused() -> None:
    table = Table(ZINK)
    with pytest.raises(ArgumentError, match=r"textures=\(3,\)"):
        table.pairs(table.samplers(SAMPLERS), table.textures(TEXTURES))


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(UnknownName, match="mesa99"):
        Table(ZINK, dialect="mesa99")
    with pytest.raises(UnknownName, match="zink99"):
        Table(ZINK, vulkan_dialect="zink99")
