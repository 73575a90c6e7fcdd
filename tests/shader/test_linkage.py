"""Modules that other modules are linked with, and decoration groups: what `st.lower` makes of them."""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING

import pytest

import statetracker as st
from statetracker.errors import ArgumentError
from statetracker.spirv import Function, Instruction, Module, opcode
from tests.shader.compiled import MODULES
from tests.shader.modules import SIMPLE, module
from tests.shader.validator import assert_valid

if TYPE_CHECKING:
    from collections.abc import Callable

NESTED = MODULES["function_nested.frag"]  # main calls f and g with samplers, f calls g
EXPORT, IMPORT = 0, 1
LINKAGE, SET, BINDING = 41, 34, 33


def built(instructions: list[Instruction], module_of: Module, bound: int = 0) -> bytes:
    return Module(instructions, version=module_of.version, bound=bound or module_of.bound).to_bytes()


def linked(data: bytes, linkage: int, of: Callable[[Function], bool]) -> bytes:
    """The module with some functions exported or imported (then without bodies, and first)."""
    read = Module.read(data)
    functions = [one for one in read.functions if of(one)]
    name = list(struct.unpack("<1I", b"f\0\0\0"))
    decorations = [Instruction(opcode("OpDecorate"), [one.id, LINKAGE, *name, linkage]) for one in functions]
    head = list(read.instructions[: read.functions[0].start])
    body = read.instructions[read.functions[0].start :]
    if linkage == IMPORT:
        declared = []
        for one in functions:
            whole = read.instructions[one.start : one.end]
            declared += [whole[0], *(part for part in whole if part.name == "OpFunctionParameter"), whole[-1]]
            body = [part for part in body if part not in whole]
            gone = {part.result for part in whole if part.shape.defines} - {part.result for part in declared[:-1]}
            head = [part for part in head if part.name not in {"OpName", "OpDecorate"} or part.words[0] not in gone]
        body = declared + body
    at = next(n for n, one in enumerate(head) if one.name.startswith("OpType"))
    capability = Instruction(opcode("OpCapability"), [5])
    return built([capability, *head[:at], *decorations, *head[at:], *body], read)


def takes_a_sampler(function: Function) -> bool:
    return bool(function.parameters)


def linkages(data: bytes) -> dict[int, int]:
    """Id -> its linkage type."""
    return {ident: of[LINKAGE][-1] for ident, of in Module.read(data).decorations.items() if LINKAGE in of}


def texts(data: bytes, function: int) -> list[tuple[int, list[int]]]:
    read = Module.read(data)
    (seen,) = (one for one in read.functions if one.id == function)
    return [(one.opcode, one.words) for one in read.instructions[seen.start : seen.end]]


def test_an_exported_function_stays_and_its_sampling_is_unresolved() -> None:
    made = linked(module([SIMPLE._replace(via="function")])[0], EXPORT, takes_a_sampler)
    ((function, _),) = linkages(made).items()
    result = st.lower(made, {(0, 0): "st"})
    assert [note.reason for note in result.unresolved] == ["the sampler is a parameter of its function"]
    assert texts(result.module, function) == texts(made, function)


def test_a_call_of_an_exported_function_goes_to_a_copy_that_is_not_exported() -> None:
    made = linked(module([SIMPLE._replace(via="function")])[0], EXPORT, takes_a_sampler)
    result = st.lower(made, {(0, 0): "st"})
    assert len(result.rewritten) == 1
    assert linkages(result.module) == linkages(made)
    called = [one.words[2] for one in Module.read(result.module).instructions if one.name == "OpFunctionCall"]
    assert len(called) == 1
    assert called[0] not in linkages(made)


def test_what_an_exported_function_calls_stays_too() -> None:
    calls = {one.words[2] for one in Module.read(NESTED).instructions if one.name == "OpFunctionCall"}
    outer = next(
        one
        for one in Module.read(NESTED).functions
        if one.id in calls and any(part.name == "OpFunctionCall" for block in one.blocks for part in block.instructions)
    )
    made = linked(NESTED, EXPORT, lambda one: one.id == outer.id)
    result = st.lower(made, {(0, 1): "st", (0, 2): "st"})
    for function in Module.read(made).functions:
        if function.parameters:
            assert texts(result.module, function.id) == texts(made, function.id)
    assert len(result.unresolved) == 2  # one in each of the two
    assert len(result.rewritten) == 4  # in their copies, for two samplers


def test_a_sampler_for_an_imported_function_is_unresolved() -> None:
    made = linked(module([SIMPLE._replace(via="function"), SIMPLE])[0], IMPORT, takes_a_sampler)
    result = st.lower(made, {(0, 0): "st", (0, 1): "st"})
    (note,) = result.unresolved
    assert (note.instruction, note.descriptor) == ("OpFunctionCall", (0, 0))
    assert "imported" in note.reason
    assert [one.descriptor for one in result.rewritten] == [(0, 1)]
    assert not st.lower(made, {(0, 1): "st"}).unresolved


def grouped(data: bytes) -> bytes:
    """The module with every decoration of set, binding and precision in a group."""
    read = Module.read(data)
    bound, out, targets = read.bound, list[Instruction](), dict[tuple[int, ...], list[int]]()
    for one in read.instructions:
        if one.name == "OpDecorate" and one.words[1] in {SET, BINDING, 0}:
            targets.setdefault(tuple(one.words[1:]), []).append(one.words[0])
        elif one.name.startswith("OpType") and targets:
            for words, idents in targets.items():
                out.append(Instruction(opcode("OpDecorate"), [bound, *words]))
                out.append(Instruction(opcode("OpDecorationGroup"), [bound]))
                out.append(Instruction(opcode("OpGroupDecorate"), [bound, *idents]))
                bound += 1
            targets = {}
            out.append(one)
        else:
            out.append(one)
    return built(out, read, bound)


FORMS = [SIMPLE, SIMPLE._replace(relaxed=True), SIMPLE._replace(via="function", relaxed=True)]


def test_set_and_binding_may_come_from_a_decoration_group() -> None:
    """The same is rewritten, and the same is decorated, as with decorations of each id."""
    plain, _ = module(FORMS)
    request = {(0, 0): "st", (0, 1): "s", (0, 2): "t"}
    one, other = st.lower(plain, request), st.lower(grouped(plain), request)
    assert [(note.instruction, note.descriptor, note.reason) for note in one.rewritten] == [
        (note.instruction, note.descriptor, note.reason) for note in other.rewritten
    ]
    assert len(other.rewritten) == 3
    counts = []
    for made in (one, other):
        read = Module.read(made.module)
        counts.append(
            sorted(tuple(sorted(of.items())) for ident, of in read.decorations.items() if ident in used(read))
        )
    assert counts[0] == counts[1]


def used(read: Module) -> set[int]:
    return {one.result for one in read.instructions if one.shape.typed and one.shape.defines}


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("change", [grouped, *(partial(linked, linkage=way, of=takes_a_sampler) for way in (0, 1))])
@pytest.mark.parametrize("data", [NESTED, module(FORMS)[0]], ids=["compiled", "generated"])
def test_such_modules_are_valid_before_and_after(data: bytes, change: Callable[[bytes], bytes]) -> None:
    made = change(data)
    assert_valid(made, "spv1.3")
    assert_valid(st.lower(made, {(0, at): "st" for at in range(3)}, keep_going=True).module, "spv1.3")


def test_members_may_be_decorated_by_a_group() -> None:
    read = Module.read(module([SIMPLE])[0])
    at = next(n for n, one in enumerate(read.instructions) if one.name.startswith("OpType"))
    last = next(n for n, one in enumerate(read.instructions) if one.name == "OpFunction")
    number = next(one.result for one in read.instructions if one.name == "OpTypeFloat")
    group, struct_id = read.bound, read.bound + 1
    annotations = [
        Instruction(opcode("OpDecorate"), [group, 35, 16]),
        Instruction(opcode("OpDecorationGroup"), [group]),
        Instruction(opcode("OpGroupMemberDecorate"), [group, struct_id, 1]),
        Instruction(opcode("OpMemberDecorate"), [struct_id, 0, 35, 0]),
    ]
    kind = Instruction(opcode("OpTypeStruct"), [struct_id, number, number])
    out = [*read.instructions[:at], *annotations, *read.instructions[at:last], kind, *read.instructions[last:]]
    made = Module.read(built(out, read, read.bound + 2))
    assert made.member_decorations == {(struct_id, 0): {35: (0,)}, (struct_id, 1): {35: (16,)}}


@pytest.mark.live("spirv-val")
def test_a_sampler_that_goes_to_an_imported_function_stays_combined_and_others_do_not() -> None:
    forms = [SIMPLE._replace(via="function"), SIMPLE]
    made = linked(module(forms)[0], IMPORT, takes_a_sampler)
    result = st.split_samplers(made)
    assert [one.descriptor for one in result.samplers] == [(0, 1)]
    (note,) = result.unresolved
    assert (note.instruction, note.descriptor) == ("OpFunctionCall", (0, 0))
    assert note.reason.startswith("the sampler goes where its variable is not known")
    assert_valid(result.module, "spv1.3")
    with pytest.raises(ArgumentError, match="accepted: combined samplers of the module: 0:1"):
        st.split_samplers(made, places={(0, 0): ((3, 0), (3, 1))})


@pytest.mark.live("spirv-val")
def test_an_exported_function_keeps_its_combined_sampler() -> None:
    made = linked(module([SIMPLE._replace(via="function")])[0], EXPORT, takes_a_sampler)
    ((function, _),) = linkages(made).items()
    result = st.split_samplers(made)
    assert [one.descriptor for one in result.samplers] == [(0, 0)]
    assert texts(result.module, function) == texts(made, function)
    assert_valid(result.module, "spv1.3")
