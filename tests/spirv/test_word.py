"""A `Word` writes what is done with it; what it computes is drawn in tests/shader/test_stencil.py."""

from __future__ import annotations

import pytest

from statetracker.spirv import Editor, Emitter, Kind, Module
from tests.shader.compiled import MODULES
from tests.shader.validator import assert_valid

MODULE = Module.read(MODULES["function_nested.frag"])


@pytest.mark.live("spirv-val")
def test_every_operator_writes_a_valid_instruction() -> None:
    editor = Editor(MODULE)
    emit = Emitter(editor)
    a, b, real = emit.uint(5), emit.number(Kind.INT, -5), emit.number(Kind.FLOAT, 0.5)
    for word in (a, b):
        for made in (word + 1, word - 1, word * 3, word & ~1, word | 2, word << 1, word >> 1, ~word, -word):
            assert made.kind is word.kind
        for made in (word < 7, word.equals(7), word.differs(7)):
            assert made.select(word, 9).kind is word.kind
        assert word.min(1).max(2).clamp(0, 9).kind is word.kind
        assert word.to(word.kind) is word
        assert word.to(Kind.FLOAT).to(Kind.INT).to(Kind.UINT).kind is Kind.UINT
    for made in (a // 3, a % 3, real + 1.0, real - 1.0, real * 2.0, real / 2.0, real.abs(), real.floor(), real.ceil()):
        assert emit.type_of(made.id) == emit.type_id(made.kind)
    assert real.exp2().log2().min(1.0).max(0.0).clamp(0.0, 1.0).to(Kind.UINT).kind is Kind.UINT
    last = next(at for at, one in enumerate(editor.body) if one.name == "OpReturn")
    editor.body[last:last] = emit.out
    assert_valid(editor.finish().to_bytes())


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("count", [1, 2, 4])
def test_vectors_of_bools_are_joined_by_selection_and_scalars_by_logic(count: int) -> None:
    """naga, wgpu's reader, has OpLogicalAnd and OpLogicalOr of scalars alone."""
    editor = Editor(MODULE)
    emit = Emitter(editor)
    low = emit.number(Kind.FLOAT, 0.5, count) < emit.number(Kind.FLOAT, 1.0, count)
    high = emit.number(Kind.FLOAT, 2.0, count) < emit.number(Kind.FLOAT, 1.0, count)
    both, either = low & high, low | high
    names = [one.name for one in emit.out[2:]]
    assert names == (["OpLogicalAnd", "OpLogicalOr"] if count == 1 else ["OpSelect", "OpSelect"])
    if count > 1:
        assert [one.operands for one in emit.out[2:]] == [[low.id, high.id, low.id], [low.id, low.id, high.id]]
    assert both.kind is either.kind is Kind.BOOL
    last = next(at for at, one in enumerate(editor.body) if one.name == "OpReturn")
    editor.body[last:last] = emit.out
    assert_valid(editor.finish().to_bytes())


@pytest.mark.live("spirv-val")
def test_plain_numbers_beside_bools_are_bools() -> None:
    """They were OpConstant, which has no bools: the module was invalid."""
    editor = Editor(MODULE)
    emit = Emitter(editor)
    for count in (1, 2):
        flag = emit.number(Kind.FLOAT, 0.5, count) < 1.0
        assert flag.equals(True).kind is (flag & False).kind is Kind.BOOL
    last = next(at for at, one in enumerate(editor.body) if one.name == "OpReturn")
    editor.body[last:last] = emit.out
    made = editor.finish()
    assert {"OpConstantTrue", "OpConstantFalse"} <= {one.name for one in made.instructions}
    assert_valid(made.to_bytes())


def test_a_value_of_the_module_has_its_own_kind() -> None:
    editor = Editor(MODULE)
    emit = Emitter(editor)
    for kind in (Kind.FLOAT, Kind.INT, Kind.UINT):
        assert emit.word(emit.number(kind, 1).id).kind is kind
