"""The printer's types: pieces of text, samples to be written, and languages.

`Language` has C's operators and HLSL's names of types, where a language says nothing else.
"""

from __future__ import annotations

import re
import struct
from enum import IntEnum
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from statetracker.spirv import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.shader.text.template import Form, Target


class Rank(IntEnum):
    """Ranks of operators by how tightly they bind; a name, a call, a literal or what is in parentheses is an atom."""

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

    Attributes:
        rank: How tightly its outermost operator binds.
        pieces: What it is put together from, scalars and vectors; empty where it is not.
        bits: Of a constant scalar.
        vector: The number of the block's vector that it is; None: no such vector.
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
        """True where it is one, or made of some."""
        return self.bits is not None or (bool(self.pieces) and all(one.constant for one in self.pieces))

    def within(self, rank: int) -> str:
        """Return the text as an operand of what binds as tightly as ``rank``."""
        return self.text if self.rank >= rank else f"({self.text})"

    def lanes(self, picks: str) -> str:
        """Return some components of an atom; of a scalar itself."""
        return self.text if self.width == 1 else f"{self.within(Rank.ATOM)}.{picks}"


class Call(NamedTuple):
    """A sample, a gather or a fetch.

    Attributes:
        target: Of the texture; ``texels`` what its channels are.
        way: ``sample``, ``gather`` or ``fetch``.
        whole: The coordinate as SPIR-V has it: with the layer, with q where it is divided by it (``projects``).
        spatial: The coordinate without; ``layer`` None without layers.
        offset: A constant; ``grad`` two gradients or none; ``component`` of a gather.
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
        """The operands of its level of detail: one, two gradients, or none."""
        return [one.text for one in (self.lod or self.bias, *self.grad) if one is not None]

    @property
    def by(self) -> str:
        """The way of sampling, as in a name."""
        return "Level" if self.lod else "Bias" if self.bias else "Grad" if self.grad else ""

    @property
    def offsets(self) -> list[str]:
        """The offset, if there is one."""
        return [self.offset.text] if self.offset else []


class Lacks(Exception):
    """The language has no such sample."""


#: Members of the block: name, components, byte; four words first, of which ``border`` is made, are as the texels are.
MEMBERS: Final = (
    ("border", 4, 0),
    ("share", 3, 16),
    ("lod_bias", 1, 28),
    ("rest", 1, 32),
    ("min_lod", 1, 36),
    ("max_lod", 1, 40),
    ("levels", 1, 44),
)
FUNCTIONS: Final = {
    **{name: f"{name}({{}})" for name in ("abs", "floor", "ceil", "exp2", "log2", "sqrt")},
    **{name: f"{name}({{}}, {{}})" for name in ("min", "max", "dot")},
    "clamp": "clamp({}, {}, {})",
    "mix": "mix({}, {}, {})",
    "finite_clamp": "min(max({1}, {0}), {2})",  # of a NaN the least: each is its first operand, unless it compares
    "round_even": "round({})",
}
_UNIFORM: Final = "its level of detail comes of derivatives: call it in uniform control flow of a fragment stage"
LEVEL_0: Final = "{} compares at level 0 where the level is explicit: right for textures of one level alone"


class Language:
    """The base: C's operators and HLSL's names of types.

    Attributes:
        name: As in ``--language``.
        lod_query: A sampler can be asked for its level of detail, as GL has it.
        splats: A vector of one scalar is made by naming it once.
        counts_layers: A size has the layers of an array too.
        levels: The number of levels.
    """

    name: ClassVar[str]
    lod_query: ClassVar[bool] = False
    splats: ClassVar[bool] = True
    counts_layers: ClassVar[bool] = False
    levels: ClassVar[str] = "texture_levels(image)"
    functions: ClassVar[dict[str, str]] = FUNCTIONS | {"dpdx": "ddx({})", "dpdy": "ddy({})"}
    #: What chooses of two by a bool, and by a vector of them.
    chosen: ClassVar[str] = "({2} ? {0} : {1})"
    chosen_lanes: ClassVar[str] = ""
    #: Kinds that are chosen component by component.
    by_lanes: ClassVar[tuple[Kind, ...]] = ()
    float_ends: ClassVar[str] = ""
    ends: ClassVar[str] = ";"
    #: Before the type of three floats, to be followed by a fourth.
    packed: ClassVar[str] = ""
    #: Before types that have a precision.
    precision: ClassVar[str] = ""
    #: The parameter for the block.
    values: ClassVar[str] = "SamplerValues values"
    #: Bits of a float that has no literal, as text.
    bits: ClassVar[str] = "asfloat(0x{:08X}u)"
    #: Patterns in a text, each with what a caller has to know then, of the language's ``title``.
    remarked: ClassVar[tuple[tuple[str, str], ...]] = ()
    title: ClassVar[str] = ""

    def type(self, kind: Kind, count: int) -> str:
        """Return the name of a type."""
        name = ("float", "int", "uint", "bool")[kind]
        return name if count == 1 else f"{name}{count}"

    def literal(self, kind: Kind, bits: int) -> str:
        """Return a constant scalar."""
        if kind is Kind.BOOL:
            return "true" if bits else "false"
        if kind is not Kind.FLOAT:
            return f"{bits}u" if kind is Kind.UINT else str(bits - (bits >> 31 << 32))
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        if not isfinite(value):
            return self.not_finite(value, bits)
        texts = (f"{value:.{digits}g}" for digits in range(1, 10))
        text = next(one for one in texts if _is(one, bits))
        return (text if "." in text or "e" in text else f"{text}.0") + self.float_ends

    def not_finite(self, value: float, bits: int) -> str:  # noqa: ARG002 (of WGSL)
        """Return an infinity or a NaN."""
        return self.bits.format(bits)

    def let(self, kind: Kind, count: int, name: str, text: str) -> str:
        """Return a step with a name."""
        return f"{self.precision * (kind is not Kind.BOOL)}{self.type(kind, count)} {name} = {text};"

    def choice(self, flag: Expression, yes: Expression, no: Expression) -> str:
        """One of two."""
        form = self.chosen if flag.width == 1 else self.chosen_lanes
        return form.format(yes.text, no.text, flag.within(Rank.RELATION) if form[0] == "(" else flag.text)

    def operation(self, sign: str, left: Expression, right: Expression, count: int) -> str:  # noqa: ARG002 (of others)
        """Return an operation that is no operator here; empty: it is one."""
        return ""

    def negated(self, sign: str, operand: Expression) -> str:
        """Return a value negated."""
        return f"{sign}{operand.within(Rank.UNARY)}"

    def sample(self, call: Call) -> str:
        """Return a sample; raises `Lacks`."""
        raise NotImplementedError

    def size(self, target: Target, level: str) -> str:
        """Return the size of a level, integers."""
        raise NotImplementedError

    def resources(self, target: Target, texels: Kind, form: Form) -> list[str]:
        """Return the parameters for texture and sampler."""
        raise NotImplementedError

    def parameter(self, kind: Kind, count: int, name: str) -> str:
        """Return a parameter."""
        return f"{self.precision}{self.type(kind, count)} {name}"

    def function(self, returned: str, name: str, parameters: Sequence[str], body: Sequence[str]) -> str:
        """Return a whole function."""
        lines = "".join(f"    {line}\n" for line in body)
        return f"{self.precision}{returned} {name}({', '.join(parameters)}) {{\n{lines}}}\n"

    def block(self, texels: Kind) -> str:
        """Return the declaration of the block's type."""
        rows = [
            f"    {self.packed * (count == 3)}{self.parameter(Kind.FLOAT if at else texels, count, name)}{self.ends}\n"
            for name, count, at in MEMBERS
        ]
        return f"struct SamplerValues {{\n{''.join(rows)}}};\n"

    def declarations(self, target: Target, texels: Kind, forms: Sequence[Form], text: str) -> list[str]:  # noqa: ARG002
        """Return what the functions need before them, beside the block."""
        return []

    def remarks(self, form: Form, text: str) -> list[str]:
        """Return what a caller has to know of a function."""
        said = [remark.format(self.title) for pattern, remark in self.remarked if re.search(pattern, text, re.DOTALL)]
        return [_UNIFORM] * form.implicit + said


def suffix(target: Target) -> str:
    """Return the end of a texture's type in GLSL and HLSL: ``2DArray``."""
    return ("1D", "2D", "3D", "Cube")[target.dim] + "Array" * target.arrayed


def _is(text: str, bits: int) -> bool:
    """Return whether a decimal number means the float of these bits; the greatest ones round up to none."""
    try:
        return struct.pack("<f", float(text)) == struct.pack("<I", bits)
    except OverflowError:
        return False
