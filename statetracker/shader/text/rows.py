"""Rows of the printer for vectors, sizes and samples: what an instruction becomes, by the expressions that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.shader.sample_ops import SAMPLES, split
from statetracker.shader.text.expression import LANES, Call, Expression, Rank
from statetracker.spirv.names import ImageOperands

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.shader.text.printer import Printer
    from statetracker.spirv import Instruction, Kind


def _selected(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    flag = printer.of(one.words[2])
    flag = flag.splat or flag
    if flag.width > 1 and kind in printer.language.by_lanes:
        flag, yes, no = (printer.atom(ident) for ident in one.words[2:5])
        each = [
            printer.language.choice(*(Expression(_lane(part, at), Rank.ATOM) for part in (flag, yes, no)))
            for at in range(count)
        ]
        return Expression(f"{printer.language.type(kind, count)}({', '.join(each)})", Rank.ATOM, kind, count)
    yes, no = (printer.of(ident) for ident in one.words[3:5])
    text = printer.language.choice(flag, yes, no)
    return Expression(text, Rank.ATOM, kind, count)


def _bitcast(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    made = printer.of(one.words[2])
    if made.vector is not None:
        return made
    if made.constant:
        scalars = made.pieces or (made,)
        return printer.joined(kind, count, tuple(printer.scalar(kind, part.bits or 0) for part in scalars))
    return Expression(f"{printer.language.type(kind, count)}({made.text})", Rank.ATOM, kind, count)


def _extracted(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    at, made = one.words[3], printer.of(one.words[2])
    if made.vector is not None and made.vector > 0:
        return Expression(_MEMBERS[made.vector * 4 + at], Rank.ATOM, kind)
    if len(made.pieces) == made.width > 1:
        return made.pieces[at]
    if made.width > 1 and made.vector is None:
        made = printer.atom(one.words[2])
    return Expression(_lane(made, at), Rank.ATOM, kind, count)


def _shuffled(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    first, second, picks = one.words[2], one.words[3], one.words[4:]
    made = printer.of(first)
    if made.vector is not None and made.vector > 0:
        lanes = "".join(LANES[at] for at in picks)
        return Expression("values.share" + ("" if lanes == "xyz" else f".{lanes}"), Rank.ATOM, kind, count)
    width = printer.type_of(printer.module.definitions[first].words[0])[1]
    if made.width < width:  # a size, without the layers that SPIR-V counts too
        width = made.width
        if picks == list(range(width)):
            return made
    if all(at < width for at in picks):
        lanes = "".join(LANES[at] for at in picks)
        return Expression(printer.atom(first).lanes(lanes), Rank.ATOM, kind, count)
    both = [printer.atom(first), printer.atom(second)]
    pieces = [_lane(both[at >= width], at % width if at < width else at - width) for at in picks]
    return printer.joined(kind, count, tuple(Expression(text, Rank.ATOM, kind) for text in pieces))


def _constructed(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    return printer.joined(kind, count, tuple(printer.of(part) for part in one.words[2:]))


def _asked(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    if one.name == "OpImageQuerySizeLod":
        axes = count if printer.language.counts_layers else printer.target.axes
        level = printer.of(one.words[3]).text
        return Expression(printer.language.size(printer.target, level), Rank.ATOM, kind, axes)
    if one.name == "OpImageQueryLevels":
        printer.reads |= printer.language.levels.startswith("int(values")
        return Expression(printer.language.levels, Rank.ATOM, kind)
    return Expression(
        printer.language.functions["query_lod"].format(printer.of(one.words[3]).text), Rank.ATOM, kind, count
    )


def _indexed(printer: Printer, one: Instruction, kind: Kind, count: int) -> Expression:
    text = f"{printer.atom(one.words[2]).within(Rank.ATOM)}[{printer.of(one.words[3]).text}]"
    return Expression(text, Rank.ATOM, kind, count)


def _copied(printer: Printer, one: Instruction, _kind: Kind, _count: int) -> Expression:
    return printer.of(one.words[2])


def call_of(printer: Printer, one: Instruction) -> Call:
    """A sample, taken apart for the language."""
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
MADE: Final[dict[str, Callable[[Printer, Instruction, Kind, int], Expression]]] = {
    "OpSelect": _selected,
    "OpBitcast": _bitcast,
    "OpCompositeExtract": _extracted,
    "OpVectorShuffle": _shuffled,
    "OpCompositeConstruct": _constructed,
    "OpVectorExtractDynamic": _indexed,
    "OpCopyObject": _copied,
    **dict.fromkeys(("OpImageQuerySizeLod", "OpImageQueryLevels", "OpImageQueryLod"), _asked),
}
