"""The body of a lowered function, in a language: SPIR-V's straight-line code as expressions and named steps.

What an opcode becomes is a row here, or of the language. An opcode without one is an error, never left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES
from statetracker.shader.text.expression import Expression, Rank
from statetracker.shader.text.rows import MADE, call_of
from statetracker.shader.text.template import BLOCK
from statetracker.spirv import Kind, id_positions
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from statetracker.shader.text.language import Language
    from statetracker.shader.text.template import Target
    from statetracker.spirv import Instruction, Module

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
#: Names of resources, and words that a language calls in a body.
_TAKEN: Final = ("image", "image_sampler", "values", "level", "bias", "sampler", "texture", "sample", "ddx", "ddy")
#: Steps of their own, like samples.
_ALONE: Final = ("OpImageFetch", "OpDPdx", "OpDPdy")
_CASTS: Final = ("OpConvertFToS", "OpConvertFToU", "OpConvertSToF", "OpConvertUToF")
_NEGATIONS: Final = {"OpFNegate": "-", "OpSNegate": "-", "OpLogicalNot": "!"}
#: Step that the rewrite names -> the rule, as docs/shader_lowering.md#rules has it.
STEPS: Final = {
    "coverage": "coverage: the weight of the texels inside, an axis each, multiplied",
    "outside": "what is left of the weight is the border's",
    "is_inside": "a texel outside is the border",
    "lod_in_limits": "the level of detail within the state's own limits",
    "coarse_texel": "two levels have a coverage each",
    "magnified": "which of two filters is in force",
    "first_texel": "filtered here: the texels of the footprint, one by one",
    "on_z": "the face of the cube that the direction meets",
}
_ANCHOR: Final = "docs/shader_lowering.md#rules"
_WIDEST: Final = 64  # text of a value that is read once, in the line that reads it
#: A step without a name of its own, by what it is.
_NAMES: Final = {Kind.FLOAT: "part", Kind.INT: "number", Kind.UINT: "number", Kind.BOOL: "flag"}
_NAMED: Final = {"OpDPdx": "step_x", "OpDPdy": "step_y", "OpImageQueryLod": "queried"}


class Printer:
    """One function's steps.

    lines    of its body; ``answer`` the expression that it returns
    taken    names of parameters, with kind and count
    reads    whether it reads the block
    """

    def __init__(self, module: Module, language: Language, target: Target, texels: Kind) -> None:
        """Print the last function of a module that `template` wrote and `lower` may have rewritten."""
        self.module, self.language, self.target, self.texels = module, language, target, texels
        self.lines: list[str] = []
        self.taken: list[tuple[str, Kind, int]] = []
        self.reads = False
        self.used = Counter(_TAKEN)
        self._made: dict[int, Expression] = {}
        self._waiting: dict[int, str] = {}  # id -> the name that it gets once it is read twice
        function = module.functions[-1]
        (block,) = function.blocks
        for ident in function.parameters:
            kind, count = self.type_of(module.definitions[ident].words[0])
            name = module.names[ident]
            self.used[name] += 1
            self._made[ident] = Expression(name, Rank.ATOM, kind, count)
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
        """How often each result is read by what is read itself."""
        counts = Counter([answer])
        for one in reversed(steps):
            if counts[one.result]:
                read = [one.words[at] for at in id_positions(one, self._literals) if at > 1]
                counts.update({*read} if one.opcode == Op.CompositeConstruct else read)
        return counts

    def _literals(self, _value: int) -> int:
        """No instruction here has literals of a value's type."""
        return 1

    def type_of(self, ident: int) -> tuple[Kind, int]:
        """What a type's components are, and how many."""
        one, count = self.module.definitions[ident], 1
        if one.opcode == Op.TypeVector:
            one, count = self.module.definitions[one.words[1]], one.words[2]
        if one.opcode == Op.TypeInt:
            return (Kind.INT if one.words[2] else Kind.UINT), count
        return (Kind.FLOAT if one.opcode == Op.TypeFloat else Kind.BOOL), count

    def _unique(self, name: str) -> str:
        self.used[name] += 1
        return name if self.used[name] == 1 else f"{name}_{self.used[name]}"

    def of(self, ident: int) -> Expression:
        """The expression of an id; constants are made here."""
        if ident not in self._made:
            self._made[ident] = self._constant(self.module.definitions[ident])
        return self._made[ident]

    def _constant(self, one: Instruction) -> Expression:
        kind, count = self.type_of(one.words[0])
        if one.opcode == Op.Constant:
            return self.scalar(kind, one.words[2])
        if one.opcode == Op.ConstantNull:
            return self.joined(kind, count, (self.scalar(kind, 0),) * count)
        if one.opcode != Op.ConstantComposite:
            raise self._unknown(one)
        return self.joined(kind, count, tuple(self.of(part) for part in one.words[2:]))

    def scalar(self, kind: Kind, bits: int) -> Expression:
        """A constant by its bits."""
        text = self.language.literal(kind, bits)
        return Expression(text, Rank.UNARY if text.startswith("-") else Rank.ATOM, kind, 1, (), bits)

    def joined(self, kind: Kind, count: int, pieces: tuple[Expression, ...]) -> Expression:
        """A vector of scalars and vectors; of one piece itself."""
        if count == 1:
            return pieces[0]
        made = Expression("", Rank.ATOM, kind, count, pieces)
        parts = [made.splat.text] if made.splat and self.language.splats else [one.text for one in pieces]
        return made._replace(text=f"{self.language.type(kind, count)}({', '.join(parts)})")

    def atom(self, ident: int) -> Expression:
        """An expression that may stand in the text several times: a step of its own, if it is none yet."""
        made = self.of(ident)
        if made.rank < Rank.ATOM or (len(made.text) > _WIDEST // 2 and not made.constant):
            self._let(ident, made, self.module.names.get(ident) or _NAMES[made.kind])
        return self._made[ident]

    def _let(self, ident: int, made: Expression, name: str) -> None:
        """Write a step of its own, with the rule that it is of."""
        if name in STEPS and not self.used[name]:
            self.lines.append(f"// {STEPS[name]} ({_ANCHOR})")
        name = self._unique(name)
        self.lines.append(self.language.let(made.kind, made.width, name, made.text))
        self._made[ident] = Expression(name, Rank.ATOM, made.kind, made.width)

    def _step(self, one: Instruction) -> None:
        made = self._expression(one)
        self._made[one.result] = made
        name = self.module.names.get(one.result, "")
        if not name:
            name = "sampled" if one.opcode in SAMPLES else _NAMED.get(one.name, _NAMES[made.kind])
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
        if not plain and (samples or wide or name in STEPS or len(made.text) > _WIDEST):
            self._let(one.result, made, name)

    def _expression(self, one: Instruction) -> Expression:  # noqa: PLR0911 (a row each)
        """What an instruction becomes."""
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
        raise self._unknown(one)

    def _unknown(self, one: Instruction) -> Exception:
        return one.error(f"has no row in the printer of {self.language.name}")

    def _loaded(self, one: Instruction) -> Expression:
        """A vector of the block, by its number; the sampler itself has no text."""
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
        """An index of the block; the sampler's own index is 0, for the function has one sampler."""
        one = self.module.definitions[ident]
        if one.opcode == Op.FunctionParameter:
            return 0
        if one.opcode == Op.Constant:
            return one.words[2]
        first, second = (self._whole(part) for part in one.words[2:4])
        if one.name not in {"OpIAdd", "OpIMul"}:
            raise self._unknown(one)
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
    """Whether text may stand twice: a component of something, a member of the block."""
    return made.rank == Rank.ATOM and made.text.replace(".", "").replace("_", "").isalnum()
