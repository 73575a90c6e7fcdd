"""Rows for vectors, sizes and samples: what an instruction becomes, by the expressions that it reads.

`Steps` has the expressions of a module's values and the lines of a function, each a step with a name.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES, split
from statetracker.shader.text.language import LANES, MEMBERS, Call, Expression, Language, Rank
from statetracker.spirv import Instruction, Kind, Module
from statetracker.spirv.names import ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.text.template import Target


#: Names of resources, and words that a language calls in a body.
_TAKEN: Final = ("image", "image_sampler", "values", "level", "bias", "sampler", "texture", "sample", "ddx", "ddy")
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
WIDEST: Final = 64  # text of a value that is read once, in the line that reads it
#: A step without a name of its own, by what it is.
NAMES: Final = {Kind.FLOAT: "part", Kind.INT: "number", Kind.UINT: "number", Kind.BOOL: "flag"}


class Steps:
    """A function so far: its ``lines``, names ``used``, and whether it ``reads`` the block; ``made`` by id."""

    def __init__(self, module: Module, language: Language, target: Target, texels: Kind) -> None:
        self.module, self.language, self.target, self.texels = module, language, target, texels
        self.lines: list[str] = []
        self.reads = False
        self.used = Counter(_TAKEN)
        self.made: dict[int, Expression] = {}

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
        if made.rank < Rank.ATOM or (len(made.text) > WIDEST // 2 and not made.constant):
            self.let(ident, made, self.module.names.get(ident) or NAMES[made.kind])
        return self.made[ident]

    def let(self, ident: int, made: Expression, name: str) -> None:
        """Write a step of its own, with the rule that it is of."""
        if name in STEPS and not self.used[name]:
            self.lines.append(f"// {STEPS[name]} ({_ANCHOR})")
        name = self._unique(name)
        self.lines.append(self.language.let(made.kind, made.width, name, made.text))
        self.made[ident] = Expression(name, Rank.ATOM, made.kind, made.width)

    def unknown(self, one: Instruction) -> Exception:
        """Return the error at an instruction that has no row."""
        return one.error(f"has no row in the printer of {self.language.name}")


def _selected(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    flag = steps.of(one.words[2])
    flag = flag.splat or flag
    if flag.width > 1 and kind in steps.language.by_lanes:
        flag, yes, no = (steps.atom(ident) for ident in one.words[2:5])
        each = [
            steps.language.choice(*(Expression(_lane(part, at), Rank.ATOM) for part in (flag, yes, no)))
            for at in range(count)
        ]
        return Expression(f"{steps.language.type(kind, count)}({', '.join(each)})", Rank.ATOM, kind, count)
    yes, no = (steps.of(ident) for ident in one.words[3:5])
    text = steps.language.choice(flag, yes, no)
    return Expression(text, Rank.ATOM, kind, count)


def _bitcast(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    made = steps.of(one.words[2])
    if made.vector is not None:
        return made
    if made.constant:
        scalars = made.pieces or (made,)
        return steps.joined(kind, count, tuple(steps.scalar(kind, part.bits or 0) for part in scalars))
    return Expression(f"{steps.language.type(kind, count)}({made.text})", Rank.ATOM, kind, count)


def _extracted(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    at, made = one.words[3], steps.of(one.words[2])
    if made.vector is not None and made.vector > 0:
        return Expression(_TEXTS[made.vector * 4 + at], Rank.ATOM, kind)
    if len(made.pieces) == made.width > 1:
        return made.pieces[at]
    if made.width > 1 and made.vector is None:
        made = steps.atom(one.words[2])
    return Expression(_lane(made, at), Rank.ATOM, kind, count)


def _shuffled(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    first, second, picks = one.words[2], one.words[3], one.words[4:]
    made = steps.of(first)
    if made.vector is not None and made.vector > 0:
        lanes = "".join(LANES[at] for at in picks)
        return Expression("values.share" + ("" if lanes == "xyz" else f".{lanes}"), Rank.ATOM, kind, count)
    width = steps.type_of(steps.module.definitions[first].words[0])[1]
    if made.width < width:  # a size, without the layers that SPIR-V counts too
        width = made.width
        if picks == list(range(width)):
            return made
    if all(at < width for at in picks):
        lanes = "".join(LANES[at] for at in picks)
        return Expression(steps.atom(first).lanes(lanes), Rank.ATOM, kind, count)
    both = [steps.atom(first), steps.atom(second)]
    pieces = [_lane(both[at >= width], at % width if at < width else at - width) for at in picks]
    return steps.joined(kind, count, tuple(Expression(text, Rank.ATOM, kind) for text in pieces))


def _asked(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    if one.name == "OpImageQuerySizeLod":
        axes = count if steps.language.counts_layers else steps.target.axes
        level = steps.of(one.words[3]).text
        return Expression(steps.language.size(steps.target, level), Rank.ATOM, kind, axes)
    if one.name == "OpImageQueryLevels":
        steps.reads |= steps.language.levels.startswith("int(values")
        return Expression(steps.language.levels, Rank.ATOM, kind)
    return Expression(steps.language.functions["query_lod"].format(steps.of(one.words[3]).text), Rank.ATOM, kind, count)


def _indexed(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    text = f"{steps.atom(one.words[2]).within(Rank.ATOM)}[{steps.of(one.words[3]).text}]"
    return Expression(text, Rank.ATOM, kind, count)


def call_of(steps: Steps, one: Instruction) -> Call:
    """Return a sample, taken apart for the language."""
    row, words = SAMPLES.get(one.opcode), one.words
    third = row.third if row is not None else ""
    operands = split(words[5 if third else 4 :])
    coordinate, target = words[3], steps.target
    whole, layer = steps.of(coordinate), None
    spatial, projects = whole, row is not None and row.project
    if whole.width > target.spatial:
        first, *others = whole.pieces or (whole,)
        if len(whole.pieces) == 2 and first.width == target.spatial:
            spatial, others = first, list(others)
        else:
            whole = steps.atom(coordinate)
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
        target, steps.texels, "fetch" if row is None else "gather" if row.gather else "sample", whole, spatial, layer,
        reference=steps.of(words[4]) if third == "dref" else None,
        component=steps.of(words[4]).bits or 0 if third == "component" else 0,
        grad=tuple(steps.of(part) for part in operands.get(ImageOperands.Grad, ())),
        projects=projects,
        **{name: steps.of(part[0]) for name, part in given.items() if part},
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
MADE: Final[dict[str, Callable[[Steps, Instruction, Kind, int], Expression]]] = {
    "OpSelect": _selected,
    "OpBitcast": _bitcast,
    "OpCompositeExtract": _extracted,
    "OpVectorShuffle": _shuffled,
    "OpCompositeConstruct": lambda steps, one, kind, count: steps.joined(
        kind, count, tuple(steps.of(part) for part in one.words[2:])
    ),
    "OpVectorExtractDynamic": _indexed,
    "OpCopyObject": lambda steps, one, _kind, _count: steps.of(one.words[2]),
    **dict.fromkeys(("OpImageQuerySizeLod", "OpImageQueryLevels", "OpImageQueryLod"), _asked),
}
