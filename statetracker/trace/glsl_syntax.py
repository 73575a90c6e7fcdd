"""What a GLSL shader is made of: declarations, statements, expressions. `glsl_parse` makes them of tokens.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, section "Shading Language Grammar").
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = [
    "Assign",
    "Binary",
    "Block",
    "Call",
    "Case",
    "Comma",
    "Declaration",
    "Declarator",
    "Expression",
    "ExpressionStatement",
    "For",
    "Function",
    "If",
    "Index",
    "InterfaceBlock",
    "Jump",
    "ListInit",
    "Literal",
    "Member",
    "NameRef",
    "Parameter",
    "Qualifiers",
    "Return",
    "ShaderSyntax",
    "Statement",
    "Step",
    "Switch",
    "Ternary",
    "TypeSpec",
    "Unary",
    "While",
]


class Literal(NamedTuple):
    """A number, or true or false."""

    value: float | bool


class NameRef(NamedTuple):
    """A variable."""

    name: str


class Unary(NamedTuple):
    """``-x``, ``!x``, ``~x``, ``+x``."""

    op: str
    operand: Expression


class Step(NamedTuple):
    """``++x``, ``x--``: the operator is ``+`` or ``-``; ``after`` for the postfix forms."""

    op: str
    target: Expression
    after: bool


class Binary(NamedTuple):
    """Two operands; never an assignment."""

    op: str
    left: Expression
    right: Expression


class Ternary(NamedTuple):
    """``condition ? yes : no``."""

    condition: Expression
    yes: Expression
    no: Expression


class Assign(NamedTuple):
    """``target = value``; ``op`` is the operator before ``=``, or empty."""

    op: str
    target: Expression
    value: Expression


class Call(NamedTuple):
    """A function or constructor call, or ``x.length()``; ``dims`` for constructors of arrays."""

    name: str
    arguments: tuple[Expression, ...]
    dims: tuple[Expression | None, ...] = ()


class Member(NamedTuple):
    """``base.name``: a structure's member or a swizzle."""

    base: Expression
    name: str


class Index(NamedTuple):
    """``base[place]``."""

    base: Expression
    place: Expression


class Comma(NamedTuple):
    """``left, right``."""

    left: Expression
    right: Expression


class ListInit(NamedTuple):
    """``{a, b}`` as an initial value."""

    items: tuple[Expression, ...]


Expression: TypeAlias = (
    Literal | NameRef | Unary | Step | Binary | Ternary | Assign | Call | Member | Index | Comma | ListInit
)


class Qualifiers(NamedTuple):
    """Words before a type, and what layout(...) says."""

    words: frozenset[str] = frozenset()
    layout: dict[str, Expression | None] = {}  # noqa: RUF012 (never changed in place)


class TypeSpec(NamedTuple):
    """A type by name; ``dims`` are array sizes, None for ``[]``."""

    name: str
    dims: tuple[Expression | None, ...] = ()


class Declarator(NamedTuple):
    """One name of a declaration, with the array sizes behind it."""

    name: str
    dims: tuple[Expression | None, ...] = ()
    initial: Expression | None = None


class Declaration(NamedTuple):
    """Variables: global, local, or members of structures and blocks."""

    qualifiers: Qualifiers
    type: TypeSpec
    names: tuple[Declarator, ...]


class InterfaceBlock(NamedTuple):
    """``uniform Name { members } instance[dims];``; ``instance`` empty where it has none."""

    qualifiers: Qualifiers
    name: str
    members: tuple[Declaration, ...]
    instance: str
    dims: tuple[Expression | None, ...]


class Parameter(NamedTuple):
    """A function's parameter."""

    qualifiers: Qualifiers
    type: TypeSpec
    name: str


class Block(NamedTuple):
    """``{ ... }``."""

    body: tuple[Statement, ...]


class ExpressionStatement(NamedTuple):
    """An expression for its effect."""

    expression: Expression


class If(NamedTuple):
    """``if (condition) yes else no``."""

    condition: Expression
    yes: Statement
    no: Statement | None


class For(NamedTuple):
    """``for (first; condition; step) body``."""

    first: Statement
    condition: Expression | Declaration | None
    step: Expression | None
    body: Statement


class While(NamedTuple):
    """``while (condition) body``; ``after`` for ``do body while (condition)``."""

    condition: Expression | Declaration
    body: Statement
    after: bool


class Switch(NamedTuple):
    """``switch (value) { body }`` with `Case` labels in the body."""

    value: Expression
    body: tuple[Statement, ...]


class Case(NamedTuple):
    """A label; None for ``default``."""

    value: Expression | None


class Return(NamedTuple):
    """``return value``."""

    value: Expression | None


class Jump(NamedTuple):
    """``break``, ``continue`` or ``discard``."""

    kind: str


Statement: TypeAlias = Declaration | Block | ExpressionStatement | If | For | While | Switch | Case | Return | Jump


class Function(NamedTuple):
    """A function; ``body`` is None for a prototype."""

    name: str
    type: TypeSpec
    parameters: tuple[Parameter, ...]
    body: Block | None
    line: int


class ShaderSyntax(NamedTuple):
    """A shader: its globals in order, its structures, its functions."""

    globals: list[Declaration | InterfaceBlock]
    structs: dict[str, tuple[Declaration, ...]]
    functions: list[Function]
