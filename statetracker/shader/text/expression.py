"""`Expression`: a piece of text with what it stands for; `Call`: a sample to be written in some language."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from statetracker.spirv import Kind

if TYPE_CHECKING:
    from statetracker.shader.text.template import Target


class Rank(IntEnum):
    """How tightly operators bind; a name, a call, a literal or what is in parentheses is an atom."""

    LOGIC = 1
    RELATION = 2
    SHIFT = 3
    SUM = 4
    PRODUCT = 5
    UNARY = 6
    ATOM = 7


LANES = "xyzw"


class Expression(NamedTuple):
    """Text of a value.

    rank     how tightly its outermost operator binds
    pieces   what it is put together from, scalars and vectors; empty where it is not
    bits     of a constant scalar
    vector   the number of the block's vector that it is; None: no such vector
    """

    text: str
    rank: int
    kind: Kind = Kind.FLOAT
    width: int = 1
    pieces: tuple[Expression, ...] = ()
    bits: int | None = None
    vector: int | None = None

    @property
    def splat(self) -> Expression | None:
        """The scalar that every component is; None where they differ."""
        alike = len(self.pieces) == self.width > 1 and len({one.text for one in self.pieces}) == 1
        return self.pieces[0] if alike else None

    @property
    def constant(self) -> bool:
        """Whether it is one, or made of some."""
        return self.bits is not None or (bool(self.pieces) and all(one.constant for one in self.pieces))

    def within(self, rank: int) -> str:
        """The text as an operand of what binds as tightly as ``rank``."""
        return self.text if self.rank >= rank else f"({self.text})"

    def lanes(self, picks: str) -> str:
        """Some components of an atom; of a scalar itself."""
        return self.text if self.width == 1 else f"{self.within(Rank.ATOM)}.{picks}"


class Call(NamedTuple):
    """A sample, a gather or a fetch.

    target      of the texture; ``texels`` what its channels are
    way         ``sample``, ``gather`` or ``fetch``
    whole       the coordinate as SPIR-V has it: with the layer, with q where it is divided by it (``projects``)
    spatial     the coordinate without; ``layer`` None without layers
    offset      a constant; ``grad`` two gradients or none; ``component`` of a gather
    """

    target: Target
    texels: Kind
    way: str
    whole: Expression
    spatial: Expression
    layer: Expression | None = None
    reference: Expression | None = None
    component: int = 0
    bias: Expression | None = None
    lod: Expression | None = None
    grad: tuple[Expression, ...] = ()
    offset: Expression | None = None
    projects: bool = False

    @property
    def levels(self) -> list[str]:
        """What gives its level of detail: one operand, two gradients, or nothing."""
        return [one.text for one in (self.lod or self.bias, *self.grad) if one is not None]

    @property
    def by(self) -> str:
        """How, in a name."""
        return "Level" if self.lod else "Bias" if self.bias else "Grad" if self.grad else ""

    @property
    def offsets(self) -> list[str]:
        """The offset, if there is one."""
        return [self.offset.text] if self.offset else []


class Lacks(Exception):
    """The language has no such sample."""
