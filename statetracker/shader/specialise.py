"""Functions that take samplers, copied for each set of samplers they are called with."""

from __future__ import annotations

from typing import Final

from statetracker.shader.origin import ACCESS_CHAINS
from statetracker.spirv import Editor, Function, Instruction, Module, renamed, without
from statetracker.spirv.names import Decoration, Op, StorageClass

_EXPORT: Final = 0  # linkage type
_RESOURCES: Final = {Op.TypeImage, Op.TypeSampler, Op.TypeSampledImage}
_CONSTANTS: Final = {Op.Constant, Op.ConstantNull, Op.SpecConstant, Op.SpecConstantOp}
#: What stands in a function's first block before everything else.
_FIRST: Final = {Op.Variable, Op.Line, Op.NoLine}

Recipe = tuple[object, ...]


def specialise(module: Module) -> Module:
    """Copy every function that takes images or samplers, once for each tuple of them it is called with.

    The originals go, but for exported ones and those that these call: modules that are linked later may call them with
    any sampler. Functions that are imported have no body to copy; their calls stay.
    """
    takers = {one.id: slots for one in module.functions if one.blocks and (slots := _resources(module, one))}
    return _Specialiser(module, takers).run() if takers else module


def _resources(module: Module, function: Function) -> list[int]:
    """Positions of the parameters that are images, samplers or pointers to them."""
    kinds = (module.definitions[module.definitions[ident].words[0]] for ident in function.parameters)
    return [
        at
        for at, kind in enumerate(kinds)
        if kind.opcode in _RESOURCES
        or (kind.opcode == Op.TypePointer and kind.words[1] == StorageClass.UniformConstant)
    ]


class _Specialiser:
    """Copies on demand, beginning at the functions that take no resources."""

    def __init__(self, module: Module, takers: dict[int, list[int]]) -> None:
        self.module, self.takers = module, takers
        self.editor = Editor(module)
        self.functions = {one.id: one for one in module.functions}
        self.kept = self.exported()
        self.copies: dict[tuple[int, tuple[Recipe | None, ...]], int] = {}
        self.made: list[list[Instruction]] = []
        self.failed = False

    def exported(self) -> set[int]:
        """Functions of `takers` that other modules may call, directly or through others: they stay as they are."""
        waiting = [ident for ident in self.takers if self.is_export(ident)]
        reached = set(waiting)
        while waiting:
            called = {one.words[2] for one in self.text(waiting.pop()) if one.opcode == Op.FunctionCall}
            waiting += (called & self.takers.keys()) - reached
            reached |= called & self.takers.keys()
        return reached

    def text(self, ident: int) -> list[Instruction]:
        function = self.functions[ident]
        return self.module.instructions[function.start : function.end]

    def is_export(self, ident: int) -> bool:
        literals = self.module.decorations.get(ident, {}).get(Decoration.LinkageAttributes, ())
        return bool(literals) and literals[-1] == _EXPORT

    def run(self) -> Module:
        """Return the new module; the old one where a call could not be followed."""
        text, functions = self.module.instructions, self.module.functions
        body = text[: functions[0].start]
        for one in functions:
            if one.id not in self.takers:
                body += self.called(text[one.start : one.end])
            elif one.id in self.kept:
                body += text[one.start : one.end]
        for at, made in enumerate(self.made):  # which grows
            self.made[at] = self.called(made)
        if self.failed:
            return self.module
        gone = {one.result for ident in self.takers.keys() - self.kept for one in self.text(ident)} - {0}
        return self.editor.finish(without(body, gone) + [one for function in self.made for one in function])

    def called(self, text: list[Instruction]) -> list[Instruction]:
        return [new for one in text for new in (self.call(one) if one.opcode == Op.FunctionCall else (one,))]

    def call(self, one: Instruction) -> list[Instruction]:
        callee = one.words[2]
        if callee not in self.takers:
            return [one]
        arguments, extra, recipes = one.words[3:], list[int](), list[Recipe | None]()
        for at, argument in enumerate(arguments):
            recipes.append(self.recipe(argument, extra) if at in self.takers[callee] else None)
        if self.failed:
            return [one]
        key = (callee, tuple(recipes))
        if key not in self.copies:
            self.copies[key] = self.editor.new_id()
            self.copy(key, [self.editor.definitions[ident].words[0] for ident in extra])
        kept = [ident for at, ident in enumerate(arguments) if at not in self.takers[callee]]
        return [one.copy([one.words[0], one.words[1], self.copies[key], *kept, *extra])]

    def recipe(self, ident: int, extra: list[int], depth: int = 0) -> Recipe:
        """Return how the callee rebuilds an argument; indices that are no constants become parameters (``extra``)."""
        one = self.editor.definitions[ident]
        if one.opcode == Op.Variable and one.words[2] == StorageClass.UniformConstant:
            return ("variable", ident)
        if depth < 16 and one.opcode in {Op.Load, Op.CopyObject}:
            return ("one", one.opcode, one.words[0], self.recipe(one.words[2], extra, depth + 1), ())
        if depth < 16 and one.opcode in ACCESS_CHAINS:
            base = self.recipe(one.words[2], extra, depth + 1)
            indexes: list[tuple[str, int]] = []
            for index in one.words[3:]:
                if self.editor.definitions[index].opcode in _CONSTANTS:
                    indexes.append(("constant", index))
                else:
                    indexes.append(("parameter", len(extra)))
                    extra.append(index)
            return ("one", one.opcode, one.words[0], base, tuple(indexes))
        self.failed = True
        return ()

    def copy(self, key: tuple[int, tuple[Recipe | None, ...]], extra: list[int]) -> None:
        """Write a function once more, its resource parameters replaced."""
        function, recipes = self.functions[key[0]], key[1]
        slots = self.takers[function.id]
        source = self.text(function.id)
        self.editor.spend(sum(len(one.words) + 1 for one in source), source[0].offset)
        names = {one.result: self.editor.new_id() for one in source if one.result}
        names[function.id] = self.copies[key]
        added = [Instruction(Op.FunctionParameter, [kind, self.editor.new_id()]) for kind in extra]
        made: list[Instruction] = []
        for at, recipe in enumerate(recipes):
            if recipe is not None:
                names[function.parameters[at]] = self.cook(recipe, made, [one.words[1] for one in added])
        dropped = {function.parameters[at] for at in slots}
        out = [renamed(self.editor.definitions, one, names) for one in _with_added(source, dropped, added, made)]
        kept = (ident for at, ident in enumerate(function.parameters) if at not in slots)
        kinds = [self.editor.definitions[ident].words[0] for ident in kept]
        returned = self.editor.definitions[function.type_id].words[1]
        out[0].words[3] = self.editor.type_function(returned, [*kinds, *extra])
        for one in [*out, *made, *added]:
            if one.result:
                self.editor.definitions[one.result] = one
        for old in (ident for ident in names if ident not in dropped):  # but no name for other modules
            for decoration, literals in self.module.decorations.get(old, {}).items():
                if decoration != Decoration.LinkageAttributes:
                    self.editor.decorate(names[old], decoration, *literals)
        self.made.append(out)

    def cook(self, recipe: Recipe, made: list[Instruction], parameters: list[int]) -> int:
        if recipe[0] == "variable":
            return int(recipe[1])  # type: ignore[call-overload, no-any-return]
        _, code, kind, base, indexes = recipe
        at = self.cook(base, made, parameters)  # type: ignore[arg-type]
        words = [ident if how == "constant" else parameters[ident] for how, ident in indexes]  # type: ignore[attr-defined]
        one = Instruction(int(code), [int(kind), self.editor.new_id(), at, *words])  # type: ignore[call-overload]
        made.append(one)
        return one.words[1]


def _with_added(
    source: list[Instruction], dropped: set[int], added: list[Instruction], made: list[Instruction]
) -> list[Instruction]:
    """Return a function without some parameters, with others before its first label, and code after its variables."""
    out: list[Instruction] = []
    opened = placed = False
    for one in source:
        if one.opcode == Op.FunctionParameter and one.words[1] in dropped:
            continue
        if one.opcode == Op.Label and not opened:
            out += added
            opened = True
        elif opened and not placed and one.opcode not in _FIRST:
            out += made
            placed = True
        out.append(one)
    return out
