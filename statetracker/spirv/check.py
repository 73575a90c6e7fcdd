"""Checks of a module: forms, ids, types, the layout of functions and blocks.

Source: SPIR-V 1.6, 2.4 (logical layout) and 2.16 (validation).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statetracker.errors import ModuleError
from statetracker.spirv.grammar import shapes
from statetracker.spirv.instruction import Instruction, ids_in
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


#: Instructions that end a block.
TERMINATORS: Final = frozenset(
    {
        *(Op.Branch, Op.BranchConditional, Op.Switch, Op.Kill, Op.Return, Op.ReturnValue, Op.Unreachable),
        *(Op.TerminateInvocation, Op.IgnoreIntersectionKHR, Op.TerminateRayKHR, Op.EmitMeshTasksEXT),
    }
)
_LINES: Final = frozenset({Op.Line, Op.NoLine})


@cache
def type_opcodes() -> frozenset[int]:
    """Return the opcodes of types, of extensions too."""
    return frozenset(code for code, form in shapes().items() if form.name.startswith("OpType"))


@cache
def _constants() -> frozenset[int]:
    return frozenset(code for code, form in shapes().items() if form.name.startswith(("OpConstant", "OpSpecConstant")))


def renamed(definitions: dict[int, Instruction], one: Instruction, names: Mapping[int, int]) -> Instruction:
    """Return the instruction with other ids, those that ``names`` has in their place; literals stay.

    Raises what `ids_in` raises.
    """
    words = list(one.words)
    for at in ids_in(definitions, one):
        words[at] = names.get(words[at], words[at])
    return one.copy(words)


def check(instructions: list[Instruction], bound: int) -> dict[int, Instruction]:
    """Check a whole module; id -> the instruction that gives it. `ModuleError` at the first thing wrong."""
    if not any(one.opcode == Op.MemoryModel for one in instructions):
        raise ModuleError(5, "the module declares no memory model")
    definitions, places, blocks = _placed(instructions, bound)
    types, constants = type_opcodes(), _constants()
    for at, one in enumerate(instructions):
        words, form, block = one.words, one.shape, blocks[at]
        # Constants are made of what came before, and so is what a block computes; so no walk back is endless.
        # Between blocks the order of the text says nothing: a loop reads what comes after it.
        ordered = one.opcode in constants or (block and one.opcode != Op.Phi)
        for position in ids_in(definitions, one):
            ident = words[position]
            if ident not in places:
                raise one.error(_missing(ident, bound))
            made = places[ident]
            if made >= at and ordered and blocks[made] == block and (made > at or position != form.typed):
                raise one.error(f"its operand {ident} comes after it")
        if form.typed and definitions[words[0]].opcode not in types:
            raise one.error(f"its result type {words[0]} is no type")
    _check_types(definitions)
    _check_layout(definitions, instructions)
    return definitions


def _missing(ident: int, bound: int) -> str:
    if 0 < ident < bound:
        return f"id {ident} is defined nowhere"
    return f"id {ident} is not below the bound {bound}" if ident else "id 0 is no id"


def _placed(instructions: list[Instruction], bound: int) -> tuple[dict[int, Instruction], dict[int, int], list[int]]:
    """Id -> the instruction that gives it, and its number; the block of each instruction, 0 outside of all."""
    definitions, places, blocks = dict[int, Instruction](), dict[int, int](), list[int]()
    block = last = 0
    for number, one in enumerate(instructions):
        if one.opcode == Op.Label:
            block = last = last + 1
        blocks.append(block)
        if one.opcode in TERMINATORS:
            block = 0
        form = one.shape
        if not form.defines:
            continue
        at = int(form.typed)
        if at >= len(one.words):
            raise one.error("ends before its result id")
        ident = one.words[at]
        if not 0 < ident < bound:
            raise one.error(_missing(ident, bound))
        if ident in definitions:
            raise one.error(f"id {ident} is defined a second time, first at word {definitions[ident].offset}")
        definitions[ident], places[ident] = one, number
    return definitions, places, blocks


#: Opcode of a type -> positions of the words that must be types defined before it.
_TYPE_PARTS: Final[dict[int, slice]] = {
    **dict.fromkeys((Op.TypeVector, Op.TypeMatrix, Op.TypeImage, Op.TypeSampledImage), slice(1, 2)),
    **dict.fromkeys((Op.TypeArray, Op.TypeRuntimeArray), slice(1, 2)),
    **dict.fromkeys((Op.TypeStruct, Op.TypeFunction), slice(1, None)),
    Op.TypePointer: slice(2, 3),
}
#: Opcode of a type -> the word that is a number of bits or of components, which there are, and the words for it.
_NUMBERS: Final[dict[int, tuple[int, Collection[int], str]]] = {
    Op.TypeFloat: (1, (16, 32, 64), "a width of {} bits; accepted: 16, 32, 64"),
    Op.TypeInt: (1, (8, 16, 32, 64), "a width of {} bits; accepted: 8, 16, 32, 64"),
    Op.TypeVector: (2, range(2, 17), "a vector of {} components; accepted: 2 to 16"),
    Op.TypeMatrix: (2, range(2, 5), "a matrix of {} columns; accepted: 2 to 4"),
}
_NO_PARTS: Final = slice(0)
_MOST_NESTED: Final = 255  # as structures may be (2.17)


def _check_types(definitions: dict[int, Instruction]) -> None:
    """Types are made of types before them, but for pointers declared ahead, so that walks over them are short."""
    types, depths = type_opcodes(), dict[int, int]()
    for one in definitions.values():
        if one.opcode not in types:
            continue
        depth = 0
        for ident in one.words[_TYPE_PARTS.get(one.opcode, _NO_PARTS)]:
            part = definitions[ident]
            if part.opcode not in types:
                raise one.error(f"its part {ident} is no type")
            if ident not in depths and (part.opcode != Op.TypePointer or one.opcode == Op.TypePointer):
                raise one.error(f"its part {ident} comes after it")
            depth = max(depth, depths.get(ident, 0) + 1)
        if depth > _MOST_NESTED:
            raise one.error(f"types in types, more than {_MOST_NESTED} deep")
        depths[one.words[0]] = depth
        at, accepted, wrong = _NUMBERS.get(one.opcode, (0, one.words, ""))
        if one.words[at] not in accepted:
            raise one.error(wrong.format(one.words[at]))
        if one.opcode == Op.TypeSampledImage and definitions[one.words[1]].opcode != Op.TypeImage:
            raise one.error(f"its part {one.words[1]} is no image type")


_CHAINS: Final = frozenset({Op.AccessChain, Op.InBoundsAccessChain})
_FITTING: Final = _CHAINS | {Op.Variable, Op.FunctionCall, Op.Load, Op.CopyObject}
_OF_ONE_KIND: Final = frozenset({Op.TypeArray, Op.TypeRuntimeArray, Op.TypeVector, Op.TypeMatrix})


def _check_fit(definitions: dict[int, Instruction], one: Instruction) -> None:
    """Variables, calls and what leads from a variable to a value have the types that they say."""
    code, words, kind = one.opcode, one.words, definitions[one.words[0]]
    if code == Op.Variable:
        fits = kind.opcode == Op.TypePointer and kind.words[1] == words[2]
    elif code == Op.FunctionCall:
        head = definitions[words[2]]
        fits = head.opcode == Op.Function and len(definitions[head.words[3]].words) == len(words) - 1
    else:
        of = definitions.get(definitions[words[2]].type_id, one)
        if code != Op.CopyObject:
            of = definitions[of.words[2]] if of.opcode == Op.TypePointer else one
        if code in _CHAINS:
            of = _reached(definitions, of, words[3:])
            kind = definitions[kind.words[2]] if kind.opcode == Op.TypePointer else kind
        fits = of is kind
    if not fits:
        raise one.error("its type does not fit its operands")


def _reached(definitions: dict[int, Instruction], of: Instruction, indexes: list[int]) -> Instruction:
    for index in indexes:
        parts = of.words[1:2] if of.opcode in _OF_ONE_KIND else []
        if of.opcode == Op.TypeStruct and definitions[index].opcode == Op.Constant:
            parts = of.words[definitions[index].words[2] + 1 :]
        of = definitions[parts[0] if parts else index]
    return of


def _check_layout(definitions: dict[int, Instruction], instructions: list[Instruction]) -> None:
    where, missing, leads = "module", 0, _leads()
    for one in instructions:
        code = one.opcode
        accepted, then = leads[code]
        if where not in accepted:
            raise one.error(f"cannot stand here ({_PLACES[where]})")
        where = then or where
        if code in _FITTING:
            _check_fit(definitions, one)
        if code == Op.Function:
            kind = definitions[one.words[3]]
            if kind.opcode != Op.TypeFunction:
                raise one.error("its type does not fit its operands")
            missing = len(kind.words) - 2
        elif code == Op.FunctionParameter:
            missing -= 1
        elif missing and code not in _LINES:
            raise one.error(f"parameters that its function's type has before it: {missing}")
    if where not in {"module", "functions"}:
        last = instructions[-1]
        raise ModuleError(last.offset, "the module ends within a function", instruction=last.name)


_PLACES: Final = {
    "module": "before the first function",
    "functions": "after a function",
    "head": "before a function's first block",
    "block": "in a block",
    "between": "after the end of a block",
}


@cache
def _leads() -> dict[int, tuple[Collection[str], str]]:
    """Opcode -> where it may stand, where it leads; empty: it stays there.

    Types and constants stand before the functions, most values in a block.
    """
    both = {code for code, form in shapes().items() if not form.typed} | {Op.Undef, Op.ExtInst, Op.Variable}
    return {
        **dict.fromkeys(shapes(), ({"block"}, "")),
        **dict.fromkeys(both, ({"block", "module"}, "")),
        **dict.fromkeys(type_opcodes() | _constants(), ({"module"}, "")),
        **dict.fromkeys(_LINES, (_PLACES, "")),
        **dict.fromkeys(TERMINATORS, ({"block"}, "between")),
        Op.Function: ({"module", "functions"}, "head"),
        Op.FunctionParameter: ({"head"}, "head"),
        Op.Label: ({"head", "between"}, "block"),
        Op.FunctionEnd: ({"head", "between"}, "functions"),
    }
