"""The body of a lowered function, in a language: SPIR-V's straight-line code as expressions and named steps.

What an opcode becomes is a row here, or of the language. An opcode without one is an error, never left out.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from statetracker.shader.sample_ops import SAMPLES
from statetracker.shader.text.language import Expression, Language, Rank
from statetracker.shader.text.rows import MADE, NAMES, STEPS, WIDEST, Steps, call_of
from statetracker.shader.text.template import BLOCK, Target
from statetracker.spirv import Instruction, Kind, Module, ids_in
from statetracker.spirv.names import Op

#: Opcode -> operator and how tightly it binds. Arithmetic takes a scalar beside a vector.
_OPERATORS: Final = {
    **dict.fromkeys(("OpFAdd", "OpIAdd"), ("+", Rank.SUM)),
    **dict.fromkeys(("OpFSub", "OpISub"), ("-", Rank.SUM)),
    **dict.fromkeys(("OpFMul", "OpIMul", "OpVectorTimesScalar"), ("*", Rank.PRODUCT)),
    "OpFDiv": ("/", Rank.PRODUCT),
    "OpShiftRightArithmetic": (">>", Rank.SHIFT),
    **dict.fromkeys(("OpFOrdLessThan", "OpSLessThan", "OpULessThan"), ("<", Rank.RELATION)),
    **dict.fromkeys(("OpFOrdLessThanEqual", "OpSLessThanEqual", "OpULessThanEqual"), ("<=", Rank.RELATION)),
    **dict.fromkeys(("OpFOrdEqual", "OpIEqual"), ("==", Rank.RELATION)),
    **dict.fromkeys(("OpFUnordNotEqual", "OpINotEqual"), ("!=", Rank.RELATION)),
    "OpLogicalAnd": ("&&", Rank.LOGIC),
    "OpLogicalOr": ("||", Rank.LOGIC),
}
#: Number in GLSL.std.450 -> the function's name in a language's table.
_EXTENDED: Final = {
    **dict(zip((2, 4, 8, 9, 29, 30, 31), ("round_even", "abs", "floor", "ceil", "exp2", "log2", "sqrt"), strict=True)),
    **dict.fromkeys((37, 38, 39), "min") | dict.fromkeys((40, 41, 42), "max") | dict.fromkeys((43, 44, 45), "clamp"),
    46: "mix",
    81: "finite_clamp",
}
_FUNCTIONS: Final = {"OpDPdx": "dpdx", "OpDPdy": "dpdy", "OpDot": "dot"}
#: Steps of their own, like samples.
_ALONE: Final = ("OpImageFetch", "OpDPdx", "OpDPdy")
_CASTS: Final = ("OpConvertFToS", "OpConvertFToU", "OpConvertSToF", "OpConvertUToF")
_NEGATIONS: Final = {"OpFNegate": "-", "OpSNegate": "-", "OpLogicalNot": "!"}
_NAMED: Final = {"OpDPdx": "step_x", "OpDPdy": "step_y", "OpImageQueryLod": "queried"}


class Printer(Steps):
    """One function: ``answer`` the expression that it returns, ``taken`` its parameters, with kind and count.

    It is the last function of a module that `template` wrote and `lower` may have rewritten.
    """

    def __init__(self, module: Module, language: Language, target: Target, texels: Kind) -> None:
        super().__init__(module, language, target, texels)
        self.taken: list[tuple[str, Kind, int]] = []
        function = module.functions[-1]
        (block,) = function.blocks
        for ident in function.parameters:
            kind, count = self.type_of(module.definitions[ident].words[0])
            name = module.names[ident]
            self.used[name] += 1
            self.made[ident] = Expression(name, Rank.ATOM, kind, count)
            if name != "index":
                self.taken.append((name, kind, count))
        steps = block.instructions[1:-1]
        self._returned = block.instructions[-1].words[0]
        self._counts = self._read_counts(steps, self._returned)
        for one in steps:
            if self._counts[one.result]:
                self._step(one)
        self.answer = self.of(self._returned)

    def _read_counts(self, steps: list[Instruction], answer: int) -> Counter[int]:
        """Return how often each result is read by what is read itself."""
        counts = Counter([answer])
        for one in reversed(steps):
            if counts[one.result]:
                read = [one.words[at] for at in ids_in(self.module.definitions, one) if at > 1]
                counts.update({*read} if one.opcode == Op.CompositeConstruct else read)
        return counts

    def _step(self, one: Instruction) -> None:
        made = self._expression(one)
        self.made[one.result] = made
        name = self.module.names.get(one.result, "")
        if not name:
            name = "sampled" if one.opcode in SAMPLES else _NAMED.get(one.name, NAMES[made.kind])
        samples = one.opcode in SAMPLES or one.name in _ALONE
        plain = (
            one.result == self._returned
            or made.constant
            or made.vector is not None
            or not made.text
            or made.text.isidentifier()
        )
        plain |= made.splat is not None and _is_short(made.splat)
        wide = self._counts[one.result] > 1 and not _is_short(made)
        if not plain and (samples or wide or name in STEPS or len(made.text) > WIDEST):
            self.let(one.result, made, name)

    def _expression(self, one: Instruction) -> Expression:  # noqa: PLR0911 (a row each)
        name, words = one.name, one.words
        if one.opcode == Op.Load:
            return self._loaded(one)
        if one.opcode in {Op.AccessChain, Op.Image} or one.opcode == Op.SampledImage:
            return Expression("", Rank.ATOM)
        kind, count = self.type_of(words[0])
        if name in MADE:
            return MADE[name](self, one, kind, count)
        if name in _OPERATORS:
            return self._binary(name, self.of(words[2]), self.of(words[3]), kind, count)
        if name in _NEGATIONS:
            text = self.language.negated(_NEGATIONS[name], self.of(words[2]))
            return Expression(text, Rank.UNARY if text[0] in "-!" else Rank.ATOM, kind, count)
        if name in _CASTS:
            return Expression(f"{self.language.type(kind, count)}({self.of(words[2]).text})", Rank.ATOM, kind, count)
        function, operands = _FUNCTIONS.get(name, ""), words[2:]
        if one.opcode == Op.ExtInst:
            function, operands = _EXTENDED.get(words[3], ""), words[4:]
        if function:
            form = self.language.functions[function]
            return Expression(form.format(*(self.of(part).text for part in operands)), Rank.ATOM, kind, count)
        if one.opcode in SAMPLES or name == "OpImageFetch":
            return Expression(self.language.sample(call_of(self, one)), Rank.ATOM, kind, count)
        raise self.unknown(one)

    def _loaded(self, one: Instruction) -> Expression:
        """Return a vector of the block, by its number; the sampler itself has no text."""
        pointer = self.module.definitions[one.words[2]]
        if pointer.opcode != Op.AccessChain:
            return Expression("", Rank.ATOM)
        place = self.module.decorations[pointer.words[2]]
        if tuple(place[at][0] for at in (34, 33)) != BLOCK:
            return Expression("", Rank.ATOM)
        self.reads = True
        number = self._whole(pointer.words[-1])
        return Expression("values.border" if number == 0 else "values", Rank.ATOM, self.texels, 4, (), None, number)

    def _whole(self, ident: int) -> int:
        """Return an index of the block; the sampler's own index is 0, for the function has one sampler."""
        one = self.module.definitions[ident]
        if one.opcode == Op.FunctionParameter:
            return 0
        if one.opcode == Op.Constant:
            return one.words[2]
        first, second = (self._whole(part) for part in one.words[2:4])
        if one.name not in {"OpIAdd", "OpIMul"}:
            raise self.unknown(one)
        return first + second if one.name == "OpIAdd" else first * second

    def _binary(self, name: str, left: Expression, right: Expression, kind: Kind, count: int) -> Expression:
        sign, rank = _OPERATORS[name]
        if rank in {Rank.SUM, Rank.PRODUCT}:
            if left.splat is None:
                right = right.splat or right
            else:
                left = left.splat if right.splat is None else left
        text = self.language.operation(sign, left, right, count)
        if text:
            return Expression(text, Rank.ATOM, kind, count)
        tight = Rank.ATOM if rank == Rank.SHIFT else rank + 1
        return Expression(
            f"{left.within(rank if rank > Rank.RELATION else tight)} {sign} {right.within(tight)}", rank, kind, count
        )


def _is_short(made: Expression) -> bool:
    """Return whether text may stand twice: a component of something, a member of the block."""
    return made.rank == Rank.ATOM and made.text.replace(".", "").replace("_", "").isalnum()
