"""Assembly programs of a context, and what their texts say."""

from __future__ import annotations

import pytest

from statetracker.errors import ArgumentError
from statetracker.gl import Context
from statetracker.gl.enums import Target
from statetracker.gl.names import glenum
from statetracker.replay.assembly import Assembly, samplers_of

FRAGMENT = glenum("GL_FRAGMENT_PROGRAM_ARB")
TAKEN = "!!ARBfp1.0 TEMP r; TEX r, fragment.texcoord[0], texture[3], 2D; END"
REFUSED = "!!ARBfp1.0 TEMP r; TEX r, r, texture[1], 2D; TEX r, r, texture[1], SHADOW2D; END"


def test_a_program_that_gl_refuses_leaves_what_was_there() -> None:
    assembly = Assembly(Context(), {})
    assembly.glBindProgramARB(FRAGMENT, 1)
    assert assembly.glProgramStringARB(FRAGMENT, 0, 0, TAKEN) == ()
    assert "2D and SHADOW2D" in assembly.glProgramStringARB(FRAGMENT, 0, 0, REFUSED)[0]
    assert assembly.bound[FRAGMENT].units == {3: Target.TEXTURE_2D}
    assembly.report_failure()
    assert assembly.bound[FRAGMENT].units == {3: Target.TEXTURE_2D}
    assert "2D and 3D" in assembly.glNamedProgramStringEXT(9, 0, 0, 0, REFUSED.replace("SHADOW2D", "3D"))[0]
    assert assembly.texts[9].units is None


def test_a_text_that_gl_reports_as_wrong_is_undone() -> None:
    assembly = Assembly(Context(), {})
    assembly.glBindProgramARB(FRAGMENT, 1)
    assembly.glProgramStringARB(FRAGMENT, 0, 0, TAKEN)
    assembly.glProgramStringARB(FRAGMENT, 0, 0, TAKEN.replace("[3]", "[5]"))
    assembly.report_failure()
    assert assembly.bound[FRAGMENT].units == {3: Target.TEXTURE_2D}


T = Target


def program(*instructions: str) -> str:
    return "!!ARBfp1.0\nTEMP r, t;\n" + "\n".join(instructions) + "\nEND\n"


TARGETS = {
    **{word: Target[f"TEXTURE_{word}"] for word in ("1D", "2D", "3D")},
    "CUBE": T.TEXTURE_CUBE_MAP,
    "RECT": T.TEXTURE_RECTANGLE,
    "ARRAY1D": T.TEXTURE_1D_ARRAY,
    "ARRAY2D": T.TEXTURE_2D_ARRAY,
}

# fmt: off
READ = [
    *((f"{word} ends in both", program(f"{word} r, fragment.texcoord[2], texture[3], 2D;"), {3: T.TEXTURE_2D})
      for word in ("TEX", "TXP", "TXB", "TXL", "TEX_SAT", "TXP_SAT")),
    *((f"{shadow}{word}", program(f"TEX r, t, texture[1], {shadow}{word};"), {1: target})
      for word, target in TARGETS.items() for shadow in ("", "SHADOW")),
    ("the first instruction counts",
     "!!ARBfp1.0\nTEX result.color, fragment.color, texture[0], 3D;\nEND", {0: T.TEXTURE_3D}),
    ("TXD has two more operands", program("TXD r, t, t.x, t.y, texture[1], 3D;"), {1: T.TEXTURE_3D}),
    ("KIL samples nothing", program("KIL r;", "MOV result.color, r;"), {}),
    ("texture alone is unit 0", program("TEX r, t, texture, CUBE;"), {0: T.TEXTURE_CUBE_MAP}),
    ("a hash starts a comment",
     program("# TEX r, t, texture[1], 2D;", "TEX r, t, # here; \n texture[ 2 ], 2D;"), {2: T.TEXTURE_2D}),
    ("units ascend, and unused results count",
     program("TEX t, t, texture[4], 1D;", "TEX r, t, texture[0], 2D;", "MOV result.color, r;"),
     {0: T.TEXTURE_2D, 4: T.TEXTURE_1D}),
    ("the same target twice, and targets on two units",
     program("TEX r, t, texture[1], SHADOW2D;", "TXP r, t, texture[1], SHADOW2D;", "TEX r, t, texture, 2D;"),
     {0: T.TEXTURE_2D, 1: T.TEXTURE_2D}),
    ("nothing is no program", "", {}),
    ("an instruction alone is no program", "TEX, texture[1]", {}),
]
# fmt: on


@pytest.mark.parametrize(("text", "units"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_what_a_program_samples(text: str, units: dict[int, T]) -> None:
    assert list(samplers_of(text).items()) == list(units.items())


@pytest.mark.parametrize(
    ("first", "second"), [("2D", "SHADOW2D"), ("SHADOW2D", "2D"), ("2D", "3D"), ("SHADOW1D", "RECT")]
)
def test_two_targets_on_one_unit_are_an_error(first: str, second: str) -> None:
    text = program(
        f"TEX r, t, texture[1], {first};", f"TEX r, t, texture [ 1 ], {second};", "TEX r, t, texture[2], 2D;"
    )
    with pytest.raises(ArgumentError, match=rf"texture\[1\].*{first} and {second}"):
        samplers_of(text)
