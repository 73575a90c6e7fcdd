"""The printer: an opcode without a row is an error; literals keep every bit; what is dead is left out."""

from __future__ import annotations

import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from statetracker.errors import ModuleError
from statetracker.shader.text import LANGUAGES
from statetracker.shader.text.printer import Printer
from statetracker.shader.text.template import FORMS, TARGETS, template
from statetracker.spirv import Editor, Instruction, Kind, Module
from statetracker.spirv.names import Op


def with_step(name: str, *, dead: bool = False) -> Module:
    """A module that does one thing more to its texel, by an instruction of that name."""
    module = Module.read(template(FORMS["implicit"], TARGETS["2d"], Kind.FLOAT))
    editor = Editor(module)
    at = next(at for at, one in enumerate(module.instructions) if one.opcode == Op.ReturnValue)
    texel = module.instructions[at].words[0]
    kind = module.definitions[texel].words[0]
    made = editor.build(name, kind, texel)
    end = module.instructions[at] if dead else Instruction(Op.ReturnValue, [made.result])
    editor.body[at : at + 1] = [made, end]
    return editor.finish()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["OpFwidth", "OpQuantizeToF16"])
def test_an_opcode_without_a_row_is_an_error(language: str, name: str) -> None:
    with pytest.raises(ModuleError, match=rf"{name}.*has no row in the printer of {language}"):
        Printer(with_step(name), LANGUAGES[language], TARGETS["2d"], Kind.FLOAT)


def test_what_nothing_reads_is_left_out() -> None:
    printed = Printer(with_step("OpFNegate", dead=True), LANGUAGES["glsl"], TARGETS["2d"], Kind.FLOAT)
    assert "-" not in printed.answer.text + "".join(printed.lines)
    printed = Printer(with_step("OpFNegate"), LANGUAGES["glsl"], TARGETS["2d"], Kind.FLOAT)
    assert printed.answer.text.startswith("-")


@given(some.floats(width=32, allow_nan=False, allow_infinity=False))
@example(3.4025001647762064e38)  # rounded to four digits it is no float any more
def test_a_literal_is_the_same_float(value: float) -> None:
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    for language in LANGUAGES.values():
        text = language.literal(Kind.FLOAT, bits).removesuffix("f")
        assert struct.pack("<f", float(text)) == struct.pack("<f", value)
        assert "." in text or "e" in text


def test_an_infinity_is_bits_or_the_greatest_float() -> None:
    for name, call in {"glsl": "uintBitsToFloat", "hlsl": "asfloat", "msl": "as_type<float>"}.items():
        assert LANGUAGES[name].literal(Kind.FLOAT, 0x7F800000) == f"{call}(0x7F800000u)"
    assert LANGUAGES["wgsl"].literal(Kind.FLOAT, 0xFF800000) == "-0x1.fffffep+127f"
