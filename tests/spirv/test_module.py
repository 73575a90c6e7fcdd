"""`statetracker.spirv`: modules are read whole or refused at a word."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from statetracker.errors import ModuleError
from statetracker.spirv import Editor, Instruction, Module, ids_in, opcode, text_of, words_of
from statetracker.spirv.names import Decoration
from tests.shader.compiled import MODULES
from tests.shader.validator import assert_valid

FUNCTIONS = MODULES["function_nested.frag"]
PATCH = (Path(__file__).resolve().parents[1] / "data" / "geometry" / "shaders" / "skinned_patch.spv").read_bytes()


def refused(data: bytes) -> ModuleError:
    with pytest.raises(ModuleError) as caught:
        Module.read(data)
    return caught.value


def with_word(data: bytes, at: int, word: int) -> bytes:
    return data[: at * 4] + struct.pack("<I", word) + data[at * 4 + 4 :]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_written_as_it_was_read(name: str) -> None:
    assert Module.read(MODULES[name]).to_bytes() == MODULES[name]


def test_a_big_endian_module_is_read_as_the_same_module() -> None:
    words = struct.unpack(f"<{len(FUNCTIONS) // 4}I", FUNCTIONS)
    assert Module.read(struct.pack(f">{len(words)}I", *words)).to_bytes() == FUNCTIONS


def test_a_module_shows_its_entry_points_functions_names_and_decorations() -> None:
    module = Module.read(FUNCTIONS)
    (entry,) = module.entry_points
    assert (entry.model, entry.name) == (4, "main")
    assert module.names[entry.function] == "main"
    assert 7 in module.execution_modes[entry.function]  # OriginUpperLeft
    assert [len(one.parameters) for one in module.functions] == [0, 2, 2]
    assert all(one.blocks[0].instructions[-1].name in {"OpReturn", "OpReturnValue"} for one in module.functions)
    sampler = next(ident for ident, name in module.names.items() if name == "s")
    assert module.decorations[sampler][33] == (1,)


def test_a_module_cut_short_is_refused_or_whole() -> None:
    for words in range(len(FUNCTIONS) // 4):
        try:
            module = Module.read(FUNCTIONS[: words * 4])
        except ModuleError as error:
            assert 0 <= error.offset <= words  # noqa: PT017
        else:
            assert module.instructions[-1].name == "OpFunctionEnd" or not module.functions


def test_a_forged_word_count_is_refused_at_its_word() -> None:
    for count in (0, 0xFFFF):
        error = refused(with_word(FUNCTIONS, 5, count << 16 | 17))
        assert error.offset == 5
        assert "word count" in str(error)


def test_a_bad_id_is_refused_at_its_instruction() -> None:
    module = Module.read(FUNCTIONS)
    load = next(one for one in module.instructions if one.name == "OpLoad")
    for bad in (0, module.bound, 0xFFFFFFFF):
        error = refused(with_word(FUNCTIONS, load.offset + 3, bad))
        assert (error.offset, error.instruction) == (load.offset, "OpLoad")


def test_an_id_defined_twice_is_refused() -> None:
    load, other = [one for one in Module.read(FUNCTIONS).instructions if one.name == "OpLoad"][:2]
    assert "a second time" in str(refused(with_word(FUNCTIONS, other.offset + 2, load.result)))


@pytest.mark.parametrize(("at", "word"), [(1, 0x00010900), (1, 0x00020000), (3, 0), (3, 0xFFFFFFFF), (4, 1)])
def test_a_header_out_of_range_is_refused_at_its_word(at: int, word: int) -> None:
    assert refused(with_word(FUNCTIONS, at, word)).offset == at


@pytest.mark.parametrize(
    ("data", "at"),
    [(b"", 0), (b"\x7fELF", 0), (b"#version 450\n", 0), (FUNCTIONS[:-1], len(FUNCTIONS) // 4 - 1)],
    ids=["nothing", "ELF", "GLSL", "ends within a word"],
)
def test_what_is_no_module_is_refused_at_its_word(data: bytes, at: int) -> None:
    assert refused(data).offset == at


def test_a_thousand_flipped_bytes_give_an_error_with_an_offset_or_a_module() -> None:
    chance = random.Random(9)  # noqa: S311
    read = 0
    for _ in range(1000):
        at = chance.randrange(len(FUNCTIONS))
        flipped = bytearray(FUNCTIONS)
        flipped[at] ^= chance.randrange(1, 256)
        try:
            module = Module.read(bytes(flipped))
        except ModuleError as error:
            assert 0 <= error.offset <= len(FUNCTIONS) // 4  # noqa: PT017
        else:
            module.check()
            read += 1
    assert 0 < read < 1000


def test_literals_are_no_ids() -> None:
    switch = Instruction(opcode("OpSwitch"), [9, 10, 7, 11])
    selector = {9: Instruction(opcode("OpLoad"), [8, 9, 1]), 8: Instruction(opcode("OpTypeInt"), [8, 32, 0])}
    assert [*ids_in(selector, switch)] == [0, 1, 3]
    sample = Instruction(opcode("OpImageSampleExplicitLod"), [1, 2, 3, 4, 0x4 | 0x8, 5, 6, 7])
    assert [*ids_in({}, sample)] == [0, 1, 2, 3, 5, 6, 7]
    assert text_of([0x6E69616D, 0, 5]) == ("main", 2)


def test_an_editor_reuses_types_constants_and_imports() -> None:
    editor = Editor(Module.read(FUNCTIONS))
    assert editor.type_float() == editor.type_vector(editor.type_float(), 1) == editor.type_float()
    before = editor.bound
    assert editor.float_constant(123.5) == editor.float_constant(123.5)
    assert editor.bound == before + 1
    assert editor.glsl() == editor.glsl()
    editor.capability(50)
    editor.capability(50)
    made = Module.read(editor.finish().to_bytes())
    assert sum(one.opcode == 17 and one.words == [50] for one in made.instructions) == 1


@pytest.mark.parametrize(("value", "bits"), [(1e39, 0x7F800000), (-1e39, 0xFF800000), (3.4028235e38, 0x7F7FFFFF)])
def test_a_constant_is_any_float_rounded(value: float, bits: int) -> None:
    """Beyond the greatest it was an OverflowError."""
    editor = Editor(Module.read(FUNCTIONS))
    assert editor.definitions[editor.float_constant(value)].words[2] == bits


def test_a_specialised_operation_holds_no_other_however_often() -> None:
    """Two thousand of them in each other were a RecursionError."""
    editor = Editor(Module.read(FUNCTIONS))
    operation = Instruction(opcode("OpSpecConstantOp"), [editor.type_float(), editor.new_id(), *[52] * 2000])
    at = next(n for n, one in enumerate(editor.body) if one.opcode == opcode("OpFunction"))
    made = editor.finish([*editor.body[:at], operation, *editor.body[at:]], check=False)
    assert "holds opcode 52" in str(refused(made.to_bytes()))


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("first", ["OpTypeRayQueryKHR", "OpLine"])
def test_decorations_stand_before_a_type_of_an_extension_and_a_line_that_come_first(first: str) -> None:
    """They stood behind it: the new module was invalid."""
    editor, number = Editor(Module.read(FUNCTIONS)), 4472  # of the capability RayQueryKHR
    ident, file = editor.new_id(), editor.new_id()
    at = next(n for n, one in enumerate(editor.body) if one.name == "OpTypeVoid")
    editor.body.insert(at, Instruction(opcode(first), [ident] if first != "OpLine" else [file, 1, 1]))
    named = next(n for n, one in enumerate(editor.body) if one.name in {"OpSource", "OpName"})
    editor.body.insert(named, Instruction(opcode("OpString"), [file, *words_of("a.frag")]))
    editor.body[1:1] = [Instruction(opcode("OpExtension"), words_of("SPV_KHR_ray_query"))]
    editor.capability(number)
    work = Editor(editor.finish())
    work.decorate(work.float_constant(0.125), Decoration.RelaxedPrecision)
    assert_valid(work.finish().to_bytes())


def test_what_does_not_fit_into_a_file_is_not_written() -> None:
    """An entry point may have 65,535 words, and gets one more with a new variable: it was a struct.error."""
    read = Module.read(FUNCTIONS)
    at = next(n for n, one in enumerate(read.instructions) if one.opcode == opcode("OpEntryPoint"))
    entry = read.instructions[at]
    for count in (0xFFFE, 0xFFFF):
        longer = entry.copy([*entry.words, *[entry.words[-1]] * (count - len(entry.words))])
        made = read.having([*read.instructions[:at], longer, *read.instructions[at + 1 :]])
        if count < 0xFFFF:
            assert len(Module.read(made.to_bytes()).instructions) == len(read.instructions)
            continue
        with pytest.raises(ModuleError, match="more than 65,535 words"):
            made.to_bytes()


def test_a_constant_is_made_of_what_came_before() -> None:
    """Also not of itself: a walk over its parts would never end."""
    one = next(one for one in Module.read(PATCH).instructions if one.name == "OpConstantComposite")
    error = refused(with_word(PATCH, one.offset + 3, one.words[1]))
    assert str(error) == f"word {one.offset} (OpConstantComposite): its operand {one.words[1]} comes after it"


def test_a_block_computes_with_what_came_before_and_a_phi_with_what_comes_after() -> None:
    for data in (*MODULES.values(), PATCH):
        assert Module.read(data).instructions
    blocks = [block.instructions for function in Module.read(PATCH).functions for block in function.blocks]
    block, one = next((block, one) for block in blocks for one in block if one.name == "OpLoad")
    for other in (one, next(later for later in block[block.index(one) + 1 :] if later.shape.typed)):
        error = refused(with_word(PATCH, one.offset + 3, other.words[1]))
        assert f"its operand {other.words[1]} comes after it" in str(error)


@pytest.mark.parametrize("columns", [0, 1, 5, 750883872])
def test_a_matrix_has_two_to_four_columns(columns: int) -> None:
    one = next(one for one in Module.read(PATCH).instructions if one.name == "OpTypeMatrix")
    assert f"a matrix of {columns} columns; accepted: 2 to 4" in str(refused(with_word(PATCH, one.offset + 3, columns)))
