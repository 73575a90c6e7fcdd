"""The body of a lowered function, in a language: SPIR-V's straight-line code as expressions and named steps.

What an opcode becomes is a row here, or of the language. An opcode without one is an error, never left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES, split
from statetracker.shader.text.language import LANES, MEMBERS, Call, Expression, Language, Rank
from statetracker.shader.text.template import BLOCK, Target
from statetracker.spirv import Instruction, Kind, Module, ids_in
from statetracker.spirv.names import ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Callable

#: Names of resources, and words that a language calls in a body.
_TAKEN: Final = ("image", "image_sampler", "values", "level", "bias", "sampler", "texture", "sample", "ddx", "ddy")
#: Step that the rewrite names -> the rule, as docs/shader_lowering.md#rules has it.
_STEPS: Final = {
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
_NAMED: Final = {"OpDPdx": "step_x", "OpDPdy": "step_y", "OpImageQueryLod": "queried"}


class Printer:
    """One function, the last of a module that `template` wrote and `lower` may have rewritten.

    ``answer`` is the expression that it returns, ``taken`` its parameters, with kind and count; its ``lines``, names
    ``used``, and whether it ``reads`` the block; ``made``: expressions by id.
    """

    def __init__(self, module: Module, language: Language, target: Target, texels: Kind) -> None:
        self.module, self.language, self.target, self.texels = module, language, target, texels
        self.lines: list[str] = []
        self.reads = False
        self.used = Counter(_TAKEN)
        self.made: dict[int, Expression] = {}
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

    def type_of(self, ident: int) -> tuple[Kind, int]:
        """Return what a type's components are, and how many."""
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
        """Return the expression of an id; constants are made here."""
        if ident not in self.made:
            self.made[ident] = self._constant(self.module.definitions[ident])
        return self.made[ident]

    def _constant(self, one: Instruction) -> Expression:
        kind, count = self.type_of(one.words[0])
        if one.opcode == Op.Constant:
            return self.scalar(kind, one.words[2])
        if one.opcode == Op.ConstantNull:
            return self.joined(kind, count, (self.scalar(kind, 0),) * count)
        if one.opcode != Op.ConstantComposite:
            raise self.unknown(one)
        return self.joined(kind, count, tuple(self.of(part) for part in one.words[2:]))

    def scalar(self, kind: Kind, bits: int) -> Expression:
        """Return a constant by its bits."""
        text = self.language.literal(kind, bits)
        return Expression(text, Rank.UNARY if text.startswith("-") else Rank.ATOM, kind, 1, (), bits)

    def joined(self, kind: Kind, count: int, pieces: tuple[Expression, ...]) -> Expression:
        """Return a vector of scalars and vectors; of one piece itself."""
        if count == 1:
            return pieces[0]
        made = Expression("", Rank.ATOM, kind, count, pieces)
        parts = [made.splat.text] if made.splat and self.language.splats else [one.text for one in pieces]
        return made._replace(text=f"{self.language.type(kind, count)}({', '.join(parts)})")

    def atom(self, ident: int) -> Expression:
        """Return an expression that may stand in the text several times: a step of its own, if it is none yet."""
        made = self.of(ident)
        if made.rank < Rank.ATOM or (len(made.text) > _WIDEST // 2 and not made.constant):
            self.let(ident, made, self.module.names.get(ident) or _NAMES[made.kind])
        return self.made[ident]

    def let(self, ident: int, made: Expression, name: str) -> None:
        """Write a step of its own, with the rule that it is of."""
        if name in _STEPS and not self.used[name]:
            self.lines.append(f"// {_STEPS[name]} ({_ANCHOR})")
        name = self._unique(name)
        self.lines.append(self.language.let(made.kind, made.width, name, made.text))
        self.made[ident] = Expression(name, Rank.ATOM, made.kind, made.width)

    def unknown(self, one: Instruction) -> Exception:
        """Return the error at an instruction that has no row."""
        return one.error(f"has no row in the printer of {self.language.name}")

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
        if not plain and (samples or wide or name in _STEPS or len(made.text) > _WIDEST):
            self.let(one.result, made, name)

    def _expression(self, one: Instruction) -> Expression:
        if one.opcode == Op.Load:
            return self._loaded(one)
        if one.opcode in {Op.AccessChain, Op.Image, Op.SampledImage}:
            return Expression("", Rank.ATOM)
        kind, count = self.type_of(one.words[0])
        if one.name in _OPERATORS:
            return self._binary(one, kind, count)
        row = _sampled if one.opcode in SAMPLES else _MADE.get(one.name, _unknown)
        made = row(self, one, kind, count)
        return Expression(made, Rank.ATOM, kind, count) if isinstance(made, str) else made

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

    def _binary(self, one: Instruction, kind: Kind, count: int) -> Expression:
        (sign, rank), (left, right) = _OPERATORS[one.name], map(self.of, one.words[2:4])
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


def _unknown(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> str:
    raise printer.unknown(one)


def _negated(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    text = printer.language.negated("!" if one.name == "OpLogicalNot" else "-", printer.of(one.words[2]))
    return Expression(text, Rank.UNARY if text[0] in "-!" else Rank.ATOM, kind, count)


def _called(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> str:
    name = _EXTENDED.get(one.words[3], "") if one.opcode == Op.ExtInst else _FUNCTIONS[one.name]
    if not name:
        raise printer.unknown(one)
    operands = one.words[4 if one.opcode == Op.ExtInst else 2 :]
    return printer.language.functions[name].format(*(printer.of(part).text for part in operands))


def _sampled(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> str:
    return printer.language.sample(_call_of(printer, one))


def _selected(printer: Printer, one: Instruction, kind: Kind, count: int) -> str:
    flag = printer.of(one.words[2])
    flag = flag.splat or flag
    if flag.width == 1 or kind not in printer.language.by_lanes:
        return printer.language.choice(flag, *map(printer.of, one.words[3:5]))
    parts = [printer.atom(ident) for ident in one.words[2:5]]
    each = (printer.language.choice(*(Expression(_lane(part, at), Rank.ATOM) for part in parts)) for at in range(count))
    return f"{printer.language.type(kind, count)}({', '.join(each)})"


def _bitcast(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression | str:
    made = printer.of(one.words[2])
    if made.vector is not None:
        return made
    if made.constant:
        scalars = made.pieces or (made,)
        return printer.joined(kind, count, tuple(printer.scalar(kind, part.bits or 0) for part in scalars))
    return _cast(printer, one, kind, count)


def _cast(printer: Printer, one: Instruction, kind: Kind, count: int) -> str:
    return f"{printer.language.type(kind, count)}({printer.of(one.words[2]).text})"


def _extracted(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> Expression | str:
    at, made = one.words[3], printer.of(one.words[2])
    if made.vector is not None and made.vector > 0:
        return _TEXTS[made.vector * 4 + at]
    if len(made.pieces) == made.width > 1:
        return made.pieces[at]
    if made.width > 1 and made.vector is None:
        made = printer.atom(one.words[2])
    return _lane(made, at)


def _shuffled(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression | str:
    first, second, picks = one.words[2], one.words[3], one.words[4:]
    made = printer.of(first)
    if made.vector is not None and made.vector > 0:
        lanes = "".join(LANES[at] for at in picks)
        return "values.share" + ("" if lanes == "xyz" else f".{lanes}")
    width = printer.type_of(printer.module.definitions[first].words[0])[1]
    if made.width < width:  # a size, without the layers that SPIR-V counts too
        width = made.width
        if picks == list(range(width)):
            return made
    if all(at < width for at in picks):
        return printer.atom(first).lanes("".join(LANES[at] for at in picks))
    both = [printer.atom(first), printer.atom(second)]
    pieces = [_lane(both[at >= width], at % width if at < width else at - width) for at in picks]
    return printer.joined(kind, count, tuple(Expression(text, Rank.ATOM, kind) for text in pieces))


def _asked(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression | str:
    if one.name == "OpImageQuerySizeLod":
        axes = count if printer.language.counts_layers else printer.target.axes
        level = printer.of(one.words[3]).text
        return Expression(printer.language.size(printer.target, level), Rank.ATOM, kind, axes)
    if one.name == "OpImageQueryLevels":
        printer.reads |= printer.language.levels.startswith("int(values")
        return printer.language.levels
    return printer.language.functions["query_lod"].format(printer.of(one.words[3]).text)


def _indexed(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> str:
    return f"{printer.atom(one.words[2]).within(Rank.ATOM)}[{printer.of(one.words[3]).text}]"


def _call_of(printer: Printer, one: Instruction) -> Call:
    """Return a sample, taken apart for the language."""
    row, words = SAMPLES.get(one.opcode), one.words
    third = row.third if row is not None else ""
    operands = split(words[5 if third else 4 :])
    coordinate, target = words[3], printer.target
    whole, layer = printer.of(coordinate), None
    spatial, projects = whole, row is not None and row.project
    if whole.width > target.spatial:
        first, *others = whole.pieces or (whole,)
        if len(whole.pieces) == 2 and first.width == target.spatial:
            spatial, others = first, list(others)
        else:
            whole = printer.atom(coordinate)
            spatial = Expression(whole.lanes(LANES[: target.spatial]), Rank.ATOM, whole.kind, target.spatial)
            others = [Expression(_lane(whole, target.spatial), Rank.ATOM, whole.kind)]
        if projects or target.arrayed:
            layer = others[0]
    given = {
        "bias": operands.get(ImageOperands.Bias),
        "lod": operands.get(ImageOperands.Lod),
        "offset": operands.get(ImageOperands.ConstOffset) or operands.get(ImageOperands.Offset),
    }
    return Call(
        target, printer.texels, "fetch" if row is None else "gather" if row.gather else "sample", whole, spatial, layer,
        reference=printer.of(words[4]) if third == "dref" else None,
        component=printer.of(words[4]).bits or 0 if third == "component" else 0,
        grad=tuple(printer.of(part) for part in operands.get(ImageOperands.Grad, ())),
        projects=projects,
        **{name: printer.of(part[0]) for name, part in given.items() if part},
    )  # fmt: skip


def _lane(made: Expression, at: int) -> str:
    if made.splat is not None:
        return made.splat.within(Rank.ATOM)
    if len(made.pieces) == made.width > 1:
        return made.pieces[at].within(Rank.ATOM)
    return made.lanes(LANES[at])


#: Word of the block from the second vector on -> the member's text.
_TEXTS: Final = {
    at // 4 + n: f"values.{name}" + f".{LANES[n]}" * (count > 1)
    for name, count, at in MEMBERS[1:-1]
    for n in range(count)
}
#: Opcode -> its row.
_MADE: Final[dict[str, Callable[[Printer, Instruction, Kind, int], Expression | str]]] = {
    **dict.fromkeys(("OpConvertFToS", "OpConvertFToU", "OpConvertSToF", "OpConvertUToF"), _cast),
    **dict.fromkeys(("OpFNegate", "OpSNegate", "OpLogicalNot"), _negated),
    **dict.fromkeys(("OpExtInst", *_FUNCTIONS), _called),
    "OpImageFetch": _sampled,
    "OpSelect": _selected,
    "OpBitcast": _bitcast,
    "OpCompositeExtract": _extracted,
    "OpVectorShuffle": _shuffled,
    "OpCompositeConstruct": lambda printer, one, kind, count: printer.joined(
        kind, count, tuple(printer.of(part) for part in one.words[2:])
    ),
    "OpVectorExtractDynamic": _indexed,
    "OpCopyObject": lambda printer, one, _kind, _count: printer.of(one.words[2]),
    **dict.fromkeys(("OpImageQuerySizeLod", "OpImageQueryLevels", "OpImageQueryLod"), _asked),
}
