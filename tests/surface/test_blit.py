"""Stencil blits from their plans, against a plain loop over texels."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pytest

from statetracker.errors import ArgumentError
from statetracker.surface import address
from statetracker.surface.blit import Rect, plan_blit, run_blit
from statetracker.surface.stencil import StencilTree, stencil_tree

Values = dict[tuple[int, int, int], Any]


def filled(tree: StencilTree, random: np.random.Generator) -> tuple[Any, Values]:
    """A tree's memory with random stencil, and the values by level, layer and sample."""
    memory = np.zeros(tree.row_pitch_B * tree.rows // 2, np.uint8)
    values: Values = {}
    for level in range(tree.levels):
        width, height = tree.level_size(level)
        y, x = np.mgrid[0:height, 0:width]
        for layer in range(tree.layers):
            for sample in range(tree.samples):
                value = values[level, layer, sample] = random.integers(0, 256, (height, width), dtype=np.uint8)
                at = tree.place(x, y, level=level, layer=layer, sample=sample)
                memory[address("W", *at, tree.row_pitch_B)] = value
    return memory, values


def read(tree: StencilTree, memory: Any, where: tuple[int, int, int]) -> Any:
    """One image's values."""
    level, layer, sample = where
    width, height = tree.level_size(level)
    y, x = np.mgrid[0:height, 0:width]
    return memory[address("W", *tree.place(x, y, level=level, layer=layer, sample=sample), tree.row_pitch_B)]


def looped(values: Any, into: Any, source: list[int], target: list[int]) -> None:
    """Blit one image by a loop over the destination's texels."""
    for y in range(into.shape[0]):
        for x in range(into.shape[1]):
            if not (min(target[0::2]) <= x < max(target[0::2]) and min(target[1::2]) <= y < max(target[1::2])):
                continue
            at = []
            for pixel, a, b, c, d in ((x, *target[0::2], *source[0::2]), (y, *target[1::2], *source[1::2])):
                at.append(floor(Fraction(2 * (pixel - a) + 1, 2 * (b - a)) * (d - c) + c))
            if 0 <= at[0] < values.shape[1] and 0 <= at[1] < values.shape[0]:
                into[y, x] = values[at[1], at[0]]


PAIRS = {
    6: [(1, 1), (1, 4), (4, 1), (4, 4)],
    7: [(1, 1), (1, 4), (4, 1), (8, 1), (8, 8)],
    8: [(1, 1), (2, 1), (8, 1), (1, 2)],
}


@pytest.mark.parametrize(("gen", "pair"), [(gen, pair) for gen, pairs in PAIRS.items() for pair in pairs])
def test_blit_gives_what_a_plain_loop_gives(gen: int, pair: tuple[int, int]) -> None:
    """Scaled, mirrored, clipped; levels, layers; one to several samples and back."""
    random = np.random.default_rng(gen * 100 + pair[0] * 10 + pair[1])

    def tree(samples: int) -> StencilTree:
        width, height = (int(part) for part in random.integers(1, 50, 2))
        levels = 1 if samples > 1 else int(random.integers(1, max(width, height).bit_length() + 1))
        return stencil_tree(gen, (width, height), levels=levels, layers=2, samples=samples)

    def edges(size: tuple[int, int]) -> list[int]:
        seen = [int(random.integers(-3, size[axis % 2] + 4)) for axis in range(4)]
        seen[2] += seen[0] == seen[2]
        seen[3] += seen[1] == seen[3]
        return seen

    for _ in range(12):
        source, target = tree(pair[0]), tree(pair[1])
        of_image = (int(random.integers(source.levels)), int(random.integers(2)))
        to_image = (int(random.integers(target.levels)), int(random.integers(2)))
        of, to = edges(source.level_size(of_image[0])), edges(target.level_size(to_image[0]))
        if min(pair) > 1:
            to = [to[0], to[1], to[0] + of[2] - of[0], to[1] + of[3] - of[1]]
        memory, values = filled(source, random)
        before, expected = filled(target, random)
        plan = plan_blit(source, target, tuple(of), tuple(to), source_image=of_image, target_image=to_image)  # type: ignore[arg-type]
        after = run_blit(plan, source, memory, target, before)
        for sample in range(target.samples):
            looped(values[(*of_image, sample if pair[0] == pair[1] else 0)], expected[(*to_image, sample)], of, to)
        for where, value in expected.items():
            assert np.array_equal(read(target, after, where), value), (of, to, where)


def test_plan_is_data_with_its_steps_in_words() -> None:
    """In the order in which a fragment takes them."""
    source, target = stencil_tree(7, (40, 30), samples=4), stencil_tree(7, (40, 30))
    plan = plan_blit(source, target, (0, 0, 40, 30), (10, 5, 30, 20))
    assert (plan.drawn, plan.kept, plan.scale) == (Rect(16, 2, 64, 10), Rect(10, 5, 30, 20), (2.0, 2.0))
    assert [step.split()[0] for step in plan.steps] == ["draw", "Y", "one", "drop", "source", "sample", "W"]
    assert plan.to_dict()["samples"] == (4, 1)


def test_generation_8_reads_w_tiles_and_still_draws_through_y() -> None:
    """Only the source needs no override there."""
    tree = stencil_tree(8, (40, 30))
    plan = plan_blit(tree, tree, (0, 0, 40, 30), (0, 0, 40, 30))
    assert (plan.source.needed, plan.target.needed, plan.target.tiling) == (False, True, "Y")


def test_blits_that_make_no_sense_are_refused() -> None:
    """Empty rectangles; two multisampled surfaces of different counts; memory of another size."""
    one, four, eight = (stencil_tree(7, (8, 8), samples=samples) for samples in (1, 4, 8))
    for arguments in (
        (one, one, (0, 0, 0, 8), (0, 0, 8, 8)),
        (four, eight, (0, 0, 8, 8), (0, 0, 8, 8)),
        (four, four, (0, 0, 8, 8), (0, 0, 4, 8)),
    ):
        with pytest.raises(ArgumentError):
            plan_blit(*arguments)
    plan = plan_blit(one, one, (0, 0, 8, 8), (0, 0, 8, 8))
    with pytest.raises(ArgumentError, match="memory"):
        run_blit(plan, one, np.zeros(3, np.uint8), one, np.zeros(4096, np.uint8))
