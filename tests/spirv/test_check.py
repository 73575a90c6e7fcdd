"""What a module promises to those who read on: variables, functions, loads and chains have the types that they say."""

from __future__ import annotations

import pytest

from statetracker.errors import ModuleError
from statetracker.spirv import Editor, Instruction, Module, opcode
from tests.shader.compiled import MODULES

MODULE = MODULES["function_array_element.frag"]


def refused(module: Module) -> str:
    with pytest.raises(ModuleError) as caught:
        Module.read(module.to_bytes())
    return str(caught.value)


def first(module: Module, name: str) -> Instruction:
    return next(one for one in module.instructions if one.name == name)


@pytest.mark.parametrize(
    ("name", "at", "other"),
    [
        ("OpVariable", 0, "OpTypeFloat"),
        ("OpVariable", 2, 12),  # another storage class than its pointer's
        ("OpFunction", 3, "OpTypeVoid"),
        ("OpFunctionCall", 2, "OpTypeVoid"),
        ("OpLoad", 0, "OpTypeVoid"),
        ("OpLoad", 2, "OpConstant"),
        ("OpAccessChain", 0, "OpTypeVoid"),
        ("OpAccessChain", 2, "OpConstant"),
    ],
)
def test_what_leads_to_a_value_has_the_type_of_it(name: str, at: int, other: str | int) -> None:
    module = Module.read(MODULE)
    first(module, name).words[at] = other if isinstance(other, int) else first(module, other).result
    assert f"({name}): its type does not fit its operands" in refused(module)


@pytest.mark.parametrize("name", ["OpFunctionCall", "OpAccessChain"])
@pytest.mark.parametrize("more", [1, 3])
def test_a_call_has_an_argument_for_each_parameter_and_a_chain_ends_where_its_indexes_lead(
    name: str, more: int
) -> None:
    module = Module.read(MODULE)
    one = first(module, name)
    one.words += one.words[-1:] * more
    assert f"({name}): its type does not fit its operands" in refused(module)


def test_a_copy_is_of_its_own_type() -> None:
    module = Module.read(MODULE)
    at = next(n for n, one in enumerate(module.instructions) if one.name == "OpLoad")
    load = module.instructions[at]
    copy = Instruction(opcode("OpCopyObject"), [load.words[0], module.bound, load.result])
    module.instructions.insert(at + 1, copy)
    module.bound += 1
    assert Module.read(module.to_bytes())
    copy.words[0] = first(module, "OpTypeVoid").result
    assert "(OpCopyObject): its type does not fit its operands" in refused(module)


def test_a_load_may_say_how_it_reads() -> None:
    """Aligned to 16 bytes."""
    module = Module.read(MODULE)
    first(module, "OpLoad").words += [2, 16]
    assert Module.read(module.to_bytes())


@pytest.mark.parametrize("count", [0, 2])
def test_a_function_has_the_parameters_of_its_type(count: int) -> None:
    module = Module.read(MODULE)
    at = next(n for n, one in enumerate(module.instructions) if one.name == "OpFunctionParameter")
    one = module.instructions[at]
    others = [one.copy([one.words[0], module.bound + n]) for n in range(count)]
    module.instructions[at : at + 1] = [one, *others][: count or None] if count else []
    module.bound += 2
    assert "parameters that its function's type has" in refused(module) or not count


def test_values_are_made_in_functions_and_types_before_them() -> None:
    module = Module.read(MODULE)
    sample, load = first(module, "OpImageSampleImplicitLod"), first(module, "OpLoad")
    kind = Instruction(opcode("OpTypeBool"), [module.bound])
    places = {"OpImageSampleImplicitLod": (sample, first(module, "OpTypeVoid")), "OpTypeBool": (kind, load)}
    for name, (one, before) in places.items():
        read = Module(list(module.instructions), version=module.version, bound=module.bound + 1)
        read.instructions = [other for other in read.instructions if other is not one]
        read.instructions.insert(read.instructions.index(before), one)
        assert f"({name})" in refused(read)


@pytest.mark.parametrize(("deep", "sound"), [(200, True), (300, False), (5000, False)])
def test_types_are_nested_as_deep_as_structures_may_be(deep: int, sound: bool) -> None:
    """A walk over them did not come back."""
    editor = Editor(Module.read(MODULE))
    kind = editor.type_float()
    try:
        for _ in range(deep):
            kind = editor.declare("OpTypeArray", kind, editor.constant(editor.type_int(signed=True), 2))
        data = editor.finish().to_bytes()
    except ModuleError as error:
        assert not sound
        assert "more than 255 deep" in str(error)  # noqa: PT017
    else:
        assert sound
        assert Module.read(data)


def test_no_pointer_points_to_itself() -> None:
    for at in (0, 1):
        module = Module.read(MODULE)
        pointers = [one for one in module.instructions if one.name == "OpTypePointer"]
        pointers[0].words[2] = pointers[at].result
        assert "comes after it" in refused(module)
