"""Assembly programs of a context."""

from __future__ import annotations

from statetracker.gl import Context
from statetracker.gl.enums import Target
from statetracker.gl.names import glenum
from statetracker.replay.assembly import Assembly

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
