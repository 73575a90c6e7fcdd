"""Names that GL has for a uniform, and its types."""

from __future__ import annotations

import pytest

from statetracker.gl.program import is_sampler
from statetracker.replay.glsl_declarations import WHOLE, Variable, is_basic, leaves

STRUCTS = {
    "Map": [Variable("float", "k"), Variable("sampler2D", "t", (2,))],
    "Light": [Variable("Map", "map"), Variable("Map", "maps", (2,))],
}


def names(type_: str, *dims: int) -> list[tuple[str, int]]:
    return [(leaf.name, leaf.size) for leaf in leaves(Variable(type_, "v", dims), STRUCTS)]


@pytest.mark.parametrize(
    ("type_", "dims", "expected"),
    [
        ("float", (), [("v", 0)]),
        ("sampler2D", (3,), [("v", 3)]),
        ("sampler2D", (WHOLE,), [("v", WHOLE)]),
        ("sampler2D", (2, 3), [("v[0]", 3), ("v[1]", 3)]),
        ("Map", (), [("v.k", 0), ("v.t", 2)]),
        ("Map", (2,), [("v[0].k", 0), ("v[0].t", 2), ("v[1].k", 0), ("v[1].t", 2)]),
        ("Map", (WHOLE,), [("v[0].k", 0), ("v[0].t", 2)]),
        (
            "Light",
            (),
            [("v.map.k", 0), ("v.map.t", 2)]
            + [(f"v.maps[{at}].{name}", size) for at in (0, 1) for name, size in (("k", 0), ("t", 2))],
        ),
    ],
)  # fmt: skip
def test_a_uniform_has_a_leaf_for_each_name_that_gl_has(
    type_: str, dims: tuple[int, ...], expected: list[tuple[str, int]]
) -> None:
    assert names(type_, *dims) == expected


def test_a_leaf_knows_its_variable_and_the_variables_index() -> None:
    seen = [(leaf.group, leaf.root, leaf.outer, leaf.nested) for leaf in leaves(Variable("Map", "v", (2,)), STRUCTS)]
    assert seen == [("v.k", "v", 0, True), ("v.t", "v", 0, True), ("v.k", "v", 1, True), ("v.t", "v", 1, True)]
    assert [leaf.nested for leaf in leaves(Variable("int", "v", (2,)), STRUCTS)] == [False]


def test_arrays_of_arrays_and_arrays_in_structures_are_kept_whole() -> None:
    assert {leaf.outer for leaf in leaves(Variable("sampler2D", "v", (2, 2)), {})} == {WHOLE}
    inside = [leaf.outer for leaf in leaves(Variable("Light", "v"), STRUCTS)]
    assert inside == [0, 0, WHOLE, WHOLE, WHOLE, WHOLE]


@pytest.mark.parametrize("name", ["sampler2D", "isamplerCube", "usampler2DArray", "samplerCubeArrayShadow"])
def test_samplers_are_basic_types(name: str) -> None:
    assert is_sampler(name)
    assert is_basic(name)


@pytest.mark.parametrize("name", ["float", "uint64_t", "bvec2", "u64vec3", "mat2x3", "dmat4", "image2D", "atomic_uint"])
def test_numbers_and_images_are_basic_and_no_samplers(name: str) -> None:
    assert is_basic(name)
    assert not is_sampler(name)


@pytest.mark.parametrize("name", ["material", "mat5", "vec", "vec44", "sampler", "sampler2", "samplerState", "boolean"])
def test_a_name_that_begins_like_a_type_is_none(name: str) -> None:
    assert not is_sampler(name)
    assert not is_basic(name)
