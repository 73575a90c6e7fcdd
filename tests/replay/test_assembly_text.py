from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl.enums import Target
from statetracker.replay.assembly import samplers_of


def program(*instructions: str) -> str:
    return "!!ARBfp1.0\nTEMP r, t;\n" + "\n".join(instructions) + "\nEND\n"


@pytest.mark.parametrize("instruction", ["TEX", "TXP", "TXB", "TXL", "TEX_SAT", "TXP_SAT"])
def test_every_texture_instruction_ends_in_unit_and_target(instruction: str) -> None:
    assert samplers_of(program(f"{instruction} r, fragment.texcoord[2], texture[3], 2D;")) == {3: Target.TEXTURE_2D}


def test_the_first_instruction_counts_too() -> None:
    text = "!!ARBfp1.0\nTEX result.color, fragment.color, texture[0], 3D;\nEND"
    assert samplers_of(text) == {0: Target.TEXTURE_3D}


def test_txd_has_two_more_operands() -> None:
    assert samplers_of(program("TXD r, t, t.x, t.y, texture[1], 3D;")) == {1: Target.TEXTURE_3D}


def test_kil_samples_nothing() -> None:
    assert samplers_of(program("KIL r;", "MOV result.color, r;")) == {}


def test_texture_alone_is_unit_0() -> None:
    assert samplers_of(program("TEX r, t, texture, CUBE;")) == {0: Target.TEXTURE_CUBE_MAP}


@pytest.mark.parametrize(
    ("word", "target"),
    [
        ("1D", Target.TEXTURE_1D),
        ("2D", Target.TEXTURE_2D),
        ("3D", Target.TEXTURE_3D),
        ("CUBE", Target.TEXTURE_CUBE_MAP),
        ("RECT", Target.TEXTURE_RECTANGLE),
        ("ARRAY1D", Target.TEXTURE_1D_ARRAY),
        ("ARRAY2D", Target.TEXTURE_2D_ARRAY),
        ("SHADOW1D", Target.TEXTURE_1D),
        ("SHADOW2D", Target.TEXTURE_2D),
        ("SHADOWRECT", Target.TEXTURE_RECTANGLE),
        ("SHADOWCUBE", Target.TEXTURE_CUBE_MAP),
        ("SHADOWARRAY2D", Target.TEXTURE_2D_ARRAY),
    ],
)
def test_targets_may_be_shadows(word: str, target: Target) -> None:
    assert samplers_of(program(f"TEX r, t, texture[1], {word};")) == {1: target}


def test_a_hash_starts_a_comment() -> None:
    assert samplers_of(program("# TEX r, t, texture[1], 2D;", "TEX r, t, # here; \n texture[ 2 ], 2D;")) == {
        2: Target.TEXTURE_2D
    }


def test_units_come_in_ascending_order_and_unused_results_count() -> None:
    units = samplers_of(program("TEX t, t, texture[4], 1D;", "TEX r, t, texture[0], 2D;", "MOV result.color, r;"))
    assert list(units) == [0, 4]


@pytest.mark.parametrize(
    ("first", "second"), [("2D", "SHADOW2D"), ("SHADOW2D", "2D"), ("2D", "3D"), ("SHADOW1D", "RECT")]
)
def test_two_targets_on_one_unit_are_an_error(first: str, second: str) -> None:
    text = program(
        f"TEX r, t, texture[1], {first};", f"TEX r, t, texture [ 1 ], {second};", "TEX r, t, texture[2], 2D;"
    )
    with pytest.raises(ArgumentError, match=rf"texture\[1\].*{first} and {second}"):
        samplers_of(text)


def test_the_same_target_twice_and_targets_on_two_units_are_none() -> None:
    text = program("TEX r, t, texture[1], SHADOW2D;", "TXP r, t, texture[1], SHADOW2D;", "TEX r, t, texture, 2D;")
    assert samplers_of(text) == {0: Target.TEXTURE_2D, 1: Target.TEXTURE_2D}
    assert samplers_of(program("TEX r, t, texture, 2D;", "# TEX r, t, texture, SHADOW2D;")) == {0: Target.TEXTURE_2D}


def test_other_text_is_no_program() -> None:
    assert samplers_of("") == {}
    assert samplers_of("TEX, texture[1]") == {}
