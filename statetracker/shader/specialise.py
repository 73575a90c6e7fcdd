"""Functions that take samplers, copied for each set of samplers they are called with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.origin import ACCESS_CHAINS
from statetracker.spirv import Editor, Function, Instruction, Module, renamed, without
from statetracker.spirv.names import Decoration, Op, StorageClass

if TYPE_CHECKING:
    from collections.abc import Collection

_EXPORT: Final = 0  # linkage type
_RESOURCES: Final = {Op.TypeImage, Op.TypeSampler, Op.TypeSampledImage}
_CONSTANTS: Final = {Op.Constant, Op.ConstantNull, Op.SpecConstant, Op.SpecConstantOp}
_WALKS: Final = (Op.Load, Op.CopyObject, *ACCESS_CHAINS)
_DEEPEST: Final = 16
#: What stands in a function's first block before everything else.
_FIRST: Final = {Op.Variable, Op.Line, Op.NoLine}


class _Recipe(NamedTuple):
    """Recipe of an argument: its variable, and opcode, type and indices of each step from there.

    An index is a constant's id, or -1: the next of the parameters that a copy has for them.
    """

    variable: int
    steps: tuple[tuple[int, int, tuple[int, ...]], ...]


def specialise(module: Module) -> Module:
    """Copy every function that takes images or samplers, once for each tuple of them it is called with.

    The originals go, but for exported ones and those that these call: modules that are linked later may call them with
    any sampler. Functions that are imported have no body to copy; their calls stay.
    """
    takers = {one.id: slots for one in module.functions if one.blocks and (slots := _resources(module, one))}
    return _Specialiser(module, takers).run() if takers else module


def _resources(module: Module, function: Function) -> dict[int, int]:
    """Return the parameters that are images, samplers or pointers to them: position -> id."""
    found = {}
    for at, ident in enumerate(function.parameters):
        kind = module.definitions[module.definitions[ident].words[0]]
        pointer = kind.opcode == Op.TypePointer and kind.words[1] == StorageClass.UniformConstant
        if pointer or kind.opcode in _RESOURCES:
            found[at] = ident
    return found


class _Specialiser:
    """Copies on demand, beginning at the functions that take no resources."""

    def __init__(self, module: Module, takers: dict[int, dict[int, int]]) -> None:
        self.module, self.takers = module, takers
        self.editor = Editor(module)
        self.functions = {one.id: one for one in module.functions}
        self.copies: dict[tuple[int, tuple[_Recipe, ...]], int] = {}
        self.made: list[list[Instruction]] = []
        self.failed = False

    def text(self, ident: int) -> list[Instruction]:
        function = self.functions[ident]
        return self.module.instructions[function.start : function.end]

    def exported(self) -> set[int]:
        """Functions of `takers` that other modules may call, directly or through others: they stay as they are."""
        said = self.module.decorations
        linked = {ident: said.get(ident, {}).get(Decoration.LinkageAttributes, ()) for ident in self.takers}
        waiting = [ident for ident, literals in linked.items() if literals and literals[-1] == _EXPORT]
        reached = set(waiting)
        while waiting:
            called = {one.words[2] for one in self.text(waiting.pop()) if one.opcode == Op.FunctionCall}
            waiting += (called & self.takers.keys()) - reached
            reached |= called & self.takers.keys()
        return reached

    def run(self) -> Module:
        """Return the new module; the old one where a call could not be followed."""
        kept = self.exported()
        body = self.module.instructions[: self.module.functions[0].start]
        for ident in self.functions:
            if ident not in self.takers:
                body += self.called(self.text(ident))
            elif ident in kept:
                body += self.text(ident)
        for at, made in enumerate(self.made):  # which grows
            self.made[at] = self.called(made)
        if self.failed:
            return self.module
        gone = {one.result for ident in self.takers.keys() - kept for one in self.text(ident)} - {0}
        return self.editor.finish(without(body, gone) + [one for function in self.made for one in function])

    def called(self, text: list[Instruction]) -> list[Instruction]:
        return [
            self.call(one) if one.opcode == Op.FunctionCall and one.words[2] in self.takers else one for one in text
        ]

    def call(self, one: Instruction) -> Instruction:
        """Return a call of the copy for its arguments, which is given the indices that are no constants."""
        callee, extra = one.words[2], list[int]()
        slots, arguments = self.takers[callee], one.words[3:]
        recipes = tuple(self.recipe(ident, extra) for at, ident in enumerate(arguments) if at in slots)
        if self.failed:
            return one
        if (callee, recipes) not in self.copies:
            self.copies[callee, recipes] = self.editor.new_id()
            self.copy(callee, recipes, [self.editor.definitions[ident].words[0] for ident in extra])
        kept = [ident for at, ident in enumerate(arguments) if at not in slots]
        return one.copy([*one.words[:2], self.copies[callee, recipes], *kept, *extra])

    def recipe(self, ident: int, extra: list[int]) -> _Recipe:
        """Return how the callee makes an argument; indices that are no constants join ``extra``."""
        walk = [self.editor.definitions[ident]]
        while walk[-1].opcode in _WALKS and len(walk) <= _DEEPEST:
            walk.append(self.editor.definitions[walk[-1].words[2]])
        variable, *steps = reversed(walk)
        self.failed |= variable.opcode != Op.Variable or variable.words[2] != StorageClass.UniformConstant
        made = []
        for one in steps:
            indexes = one.words[3:] if one.opcode in ACCESS_CHAINS else []
            varying = [at for at in indexes if self.editor.definitions[at].opcode not in _CONSTANTS]
            made.append((one.opcode, one.words[0], tuple(-1 if at in varying else at for at in indexes)))
            extra += varying
        return _Recipe(variable.result, tuple(made))

    def copy(self, callee: int, recipes: tuple[_Recipe, ...], extra: list[int]) -> None:
        """Write a function once more, its resource parameters replaced."""
        function, dropped, source = self.functions[callee], self.takers[callee], self.text(callee)
        self.editor.spend(sum(len(one.words) + 1 for one in source), source[0].offset)
        names = {one.result: self.editor.new_id() for one in source if one.result}
        names[callee] = self.copies[callee, recipes]
        added = [Instruction(Op.FunctionParameter, [kind, self.editor.new_id()]) for kind in extra]
        made: list[Instruction] = []
        varying = iter(added)
        for ident, (variable, steps) in zip(dropped.values(), recipes, strict=True):
            names[ident] = variable
            for code, kind, indexes in steps:
                words = [next(varying).words[1] if at < 0 else at for at in indexes]
                made.append(Instruction(code, [kind, self.editor.new_id(), names[ident], *words]))
                names[ident] = made[-1].words[1]
        text = _with_added(source, dropped.values(), added, made)
        out = [renamed(self.editor.definitions, one, names) for one in text]
        kinds = [
            self.editor.definitions[ident].words[0] for ident in function.parameters if ident not in dropped.values()
        ]
        returned = self.editor.definitions[function.type_id].words[1]
        out[0].words[3] = self.editor.type_function(returned, [*kinds, *extra])
        self.editor.definitions.update((one.result, one) for one in out if one.result)
        for old in (ident for ident in names if ident not in dropped.values()):  # but no name for other modules
            for decoration, literals in self.module.decorations.get(old, {}).items():
                if decoration != Decoration.LinkageAttributes:
                    self.editor.decorate(names[old], decoration, *literals)
        self.made.append(out)


def _with_added(
    source: list[Instruction], dropped: Collection[int], added: list[Instruction], made: list[Instruction]
) -> list[Instruction]:
    """Return a function without some parameters, with others before its first label, and code after its variables."""
    head = next(at for at, one in enumerate(source) if one.opcode == Op.Label)
    code = next(at for at in range(head + 1, len(source)) if source[at].opcode not in _FIRST)
    taken = [one for one in source[:head] if one.opcode != Op.FunctionParameter or one.words[1] not in dropped]
    return [*taken, *added, *source[head:code], *made, *source[code:]]
