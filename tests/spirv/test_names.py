"""`statetracker.spirv.names` is what its generator writes."""

from __future__ import annotations

from statetracker.spirv import opcode
from statetracker.spirv.names import Op
from tools.codegen import make_spirv_grammar


def test_the_names_are_those_that_the_code_uses() -> None:
    """Run tools/codegen/make_spirv_grammar.py where this fails."""
    written = (make_spirv_grammar.SPIRV / "names.py").read_text(encoding="utf-8")
    assert written == make_spirv_grammar.names()


def test_an_opcode_has_its_number() -> None:
    assert Op.ImageQueryLod == opcode("OpImageQueryLod") == 105
