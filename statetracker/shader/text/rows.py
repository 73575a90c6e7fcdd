"""Rows of the printer for vectors, sizes and samples: what an instruction becomes, by the expressions that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES, split
from statetracker.shader.text.expression import LANES, Call, Expression, Rank
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.text.steps import Steps
    from statetracker.spirv import Instruction, Kind


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
        return Expression(_MEMBERS[made.vector * 4 + at], Rank.ATOM, kind)
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


def _constructed(steps: Steps, one: Instruction, kind: Kind, count: int) -> Expression:
    return steps.joined(kind, count, tuple(steps.of(part) for part in one.words[2:]))


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


def _copied(steps: Steps, one: Instruction, _kind: Kind, _count: int) -> Expression:
    return steps.of(one.words[2])


def call_of(steps: Steps, one: Instruction) -> Call:
    """A sample, taken apart for the language."""
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
    """One component of an atom; of a constant, or of what is put together, the piece."""
    if made.splat is not None:
        return made.splat.within(Rank.ATOM)
    if len(made.pieces) == made.width > 1:
        return made.pieces[at].within(Rank.ATOM)
    return made.lanes(LANES[at])


#: Word of the block from the second vector on -> the member's text.
_MEMBERS: Final = {
    **{4 + at: f"values.share.{letter}" for at, letter in enumerate("xyz")},
    7: "values.lod_bias",
    8: "values.rest",
    9: "values.min_lod",
    10: "values.max_lod",
}
#: Opcode -> its row.
MADE: Final[dict[str, Callable[[Steps, Instruction, Kind, int], Expression]]] = {
    "OpSelect": _selected,
    "OpBitcast": _bitcast,
    "OpCompositeExtract": _extracted,
    "OpVectorShuffle": _shuffled,
    "OpCompositeConstruct": _constructed,
    "OpVectorExtractDynamic": _indexed,
    "OpCopyObject": _copied,
    **dict.fromkeys(("OpImageQuerySizeLod", "OpImageQueryLevels", "OpImageQueryLod"), _asked),
}
