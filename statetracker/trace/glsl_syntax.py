"""GLSL's grammar: tokens in, declarations, statements and expressions out. Nothing is checked that a compiler checks.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, section "Shading Language Grammar").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, TypeAlias

from statetracker.trace.glsl_preprocess import Token, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    "parse",
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


_QUALIFIERS: Final = frozenset(
    [
        "const",
        "in",
        "out",
        "inout",
        "attribute",
        "varying",
        "uniform",
        "buffer",
        "shared",
        "centroid",
        "flat",
        "smooth",
        "noperspective",
        "patch",
        "sample",
        "coherent",
        "volatile",
        "restrict",
        "readonly",
        "writeonly",
        "invariant",
        "precise",
        "highp",
        "mediump",
        "lowp",
        "subroutine",
        "layout",
    ]
)
_TYPE: Final = re.compile(
    r"void|bool|u?int|float|double|[biud]?vec[234]|d?mat[234](?:x[234])?|[iu]?(?:sampler|image)[1-3BCE]\w*"
    r"|[ui](?:nt)?64(?:_t|vec[234])|atomic_uint"
)
_ASSIGNMENTS: Final = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_PRECEDENCE: Final = {
    "||": 0, "^^": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_LOOSEST: Final = -1


def parse(tokens: Sequence[Token]) -> ShaderSyntax:
    """Read a shader's tokens; raises `ArgumentError` with the line where they are no GLSL."""
    return _Parser(tokens).shader()


def _literal(text: str) -> float:
    if text[:2] in {"0x", "0X"}:
        return int(text.rstrip("uU"), 16)
    digits = text.rstrip("fFlLuU")
    if digits.isdigit() and text[-1] not in "fF":
        return int(digits, 8) if len(digits) > 1 and digits[0] == "0" and not set(digits) & {"8", "9"} else int(digits)
    return float(digits)


class _Parser:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = [*tokens, Token("end", "", tokens[-1].line if tokens else 0)]
        self.place = 0
        self.out = ShaderSyntax([], {}, [])
        self.nameless = 0

    # Tokens.

    @property
    def text(self) -> str:
        """The current token."""
        return self.tokens[self.place].text

    def ahead(self, distance: int = 1) -> Token:
        """A token further on."""
        return self.tokens[min(self.place + distance, len(self.tokens) - 1)]

    def trouble(self, wanted: str = "") -> NoReturn:
        """Name what stands here."""
        token = self.tokens[self.place]
        instead = f", but {wanted!r} is" if wanted else ""
        refuse(token.line, f"{token.text or 'the end'!r} is not expected here{instead}")

    def take(self, wanted: str) -> None:
        """Step over a token that must be there."""
        if self.text != wanted:
            self.trouble(wanted)
        self.place += 1

    def accept(self, wanted: str) -> bool:
        """Step over a token if it is there."""
        if self.text != wanted or self.tokens[self.place].kind == "end":
            return False
        self.place += 1
        return True

    def name(self) -> str:
        """Take a name."""
        token = self.tokens[self.place]
        if token.kind != "name":
            self.trouble("a name")
        self.place += 1
        return token.text

    # Declarations.

    def shader(self) -> ShaderSyntax:
        """Everything."""
        while self.tokens[self.place].kind != "end":
            if not self.accept(";"):
                self.external()
        return self.out

    def external(self) -> None:
        """One global declaration or function."""
        if self.text == "precision":
            self.skip_statement()
            return
        line = self.tokens[self.place].line
        qualifiers = self.qualifiers()
        if self.accept(";"):
            return
        if qualifiers.words and self.ahead().text == "{" and not self.is_type():
            self.interface_block(qualifiers)
            return
        if qualifiers.words and not self.is_type_before_name():
            self.skip_statement()  # invariant gl_Position;
            return
        type_ = self.type()
        if self.accept(";"):
            return
        if self.ahead().text == "(":
            self.function(type_, line)
            return
        self.out.globals.append(self.declarators(qualifiers, type_))
        self.take(";")

    def skip_statement(self) -> None:
        """Step over everything up to the semicolon."""
        while self.tokens[self.place].kind != "end" and not self.accept(";"):
            self.place += 1

    def is_qualifier(self) -> bool:
        """Whether a qualifier stands here; some of these words are names in older versions."""
        following = self.ahead()
        return self.text in _QUALIFIERS and (
            following.kind == "name" or (self.text == "layout" and following.text == "(") or following.text == ";"
        )

    def is_type(self) -> bool:
        """Whether a type stands here."""
        return self.text == "struct" or self.text in self.out.structs or bool(_TYPE.fullmatch(self.text))

    def is_type_before_name(self) -> bool:
        """Whether a type stands here that a declaration begins with (and not a constructor)."""
        if not self.is_type():
            return False
        if self.text == "struct":
            return True
        distance = 1
        while self.ahead(distance).text == "[":
            depth = 0
            while self.ahead(distance).kind != "end":
                depth += {"[": 1, "]": -1}.get(self.ahead(distance).text, 0)
                distance += 1
                if not depth:
                    break
        return self.ahead(distance).kind == "name" or self.ahead(distance).text in {";", ",", ")"}

    def qualifiers(self) -> Qualifiers:
        """Words before a type."""
        words: set[str] = set()
        layout: dict[str, Expression | None] = {}
        while self.is_qualifier():
            word = self.name()
            if word == "layout":
                self.layout(layout)
            elif word == "subroutine" and self.text == "(":
                self.brackets()
            words.add(word)
        return Qualifiers(frozenset(words), layout)

    def layout(self, found: dict[str, Expression | None]) -> None:
        """``layout(location = 1, std140)``."""
        self.take("(")
        while not self.accept(")"):
            key = self.name()
            found[key] = self.ternary() if self.accept("=") else None
            self.accept(",")

    def brackets(self) -> None:
        """Step over balanced brackets."""
        depth = 0
        while self.tokens[self.place].kind != "end":
            depth += {"(": 1, ")": -1}.get(self.text, 0)
            self.place += 1
            if not depth:
                return

    def type(self) -> TypeSpec:
        """A type with the array sizes right behind it."""
        if self.text == "struct":
            return TypeSpec(self.struct(), self.dims())
        if not self.is_type():
            self.trouble("a type")
        return TypeSpec(self.name(), self.dims())

    def struct(self) -> str:
        """``struct Name { members }``."""
        self.take("struct")
        name = self.name() if self.text != "{" else f"struct {len(self.out.structs)}"
        self.take("{")
        self.out.structs[name] = self.members()
        return name

    def members(self) -> tuple[Declaration, ...]:
        """Declarations up to the closing brace."""
        found = []
        while not self.accept("}"):
            qualifiers = self.qualifiers()
            found.append(self.declarators(qualifiers, self.type()))
            self.take(";")
        return tuple(found)

    def dims(self) -> tuple[Expression | None, ...]:
        """``[2][]``."""
        found: list[Expression | None] = []
        while self.accept("["):
            found.append(None if self.text == "]" else self.expression())
            self.take("]")
        return tuple(found)

    def declarators(self, qualifiers: Qualifiers, type_: TypeSpec) -> Declaration:
        """``a, b[2] = ..., c``."""
        found: list[Declarator] = []
        while True:
            name = self.name()
            dims = self.dims()
            found.append(Declarator(name, dims, self.initializer() if self.accept("=") else None))
            if not self.accept(","):
                return Declaration(qualifiers, type_, tuple(found))

    def initializer(self) -> Expression:
        """An expression or a braced list."""
        if not self.accept("{"):
            return self.assignment()
        items: list[Expression] = []
        while not self.accept("}"):
            items.append(self.initializer())
            self.accept(",")
        return ListInit(tuple(items))

    def interface_block(self, qualifiers: Qualifiers) -> None:
        """``uniform Name { ... } instance;``."""
        name = self.name()
        self.take("{")
        members = self.members()
        instance = self.name() if self.tokens[self.place].kind == "name" else ""
        dims = self.dims()
        self.take(";")
        self.out.globals.append(InterfaceBlock(qualifiers, name, members, instance, dims))

    def function(self, type_: TypeSpec, line: int) -> None:
        """A definition or a prototype."""
        name = self.name()
        self.take("(")
        parameters: list[Parameter] = []
        if self.text == "void" and self.ahead().text == ")":
            self.place += 1
        while not self.accept(")"):
            qualifiers = self.qualifiers()
            spec = self.type()
            called = self.name() if self.tokens[self.place].kind == "name" else ""
            parameters.append(Parameter(qualifiers, TypeSpec(spec.name, self.dims() + spec.dims), called))
            if not self.accept(",") and self.text != ")":
                self.trouble(")")
        body = None if self.accept(";") else self.block()
        self.out.functions.append(Function(name, type_, tuple(parameters), body, line))

    # Statements.

    def block(self) -> Block:
        """``{ ... }``."""
        self.take("{")
        found: list[Statement] = []
        while not self.accept("}"):
            found.append(self.statement())
        return Block(tuple(found))

    def statement(self) -> Statement:  # noqa: C901, PLR0911 (one line a keyword)
        """Any statement."""
        match self.text:
            case "{":
                return self.block()
            case ";":
                self.place += 1
                return Block(())
            case "if":
                return self.if_()
            case "for":
                return self.for_()
            case "while" | "do":
                return self.while_()
            case "switch":
                return self.switch()
            case "case" | "default":
                return self.case()
            case "return":
                return self.return_()
            case "break" | "continue" | "discard" as kind:
                self.place += 1
                self.take(";")
                return Jump(kind)
            case "precision":
                self.skip_statement()
                return Block(())
        return self.simple()

    def return_(self) -> Return:
        """``return value;``."""
        self.take("return")
        value = None if self.text == ";" else self.expression()
        self.take(";")
        return Return(value)

    def simple(self) -> Statement:
        """A declaration or an expression, with its semicolon."""
        if self.is_qualifier() or self.is_type_before_name():
            qualifiers = self.qualifiers()
            type_ = self.type()
            if self.accept(";"):
                return Block(())
            found: Statement = self.declarators(qualifiers, type_)
        else:
            found = ExpressionStatement(self.expression())
        self.take(";")
        return found

    def condition(self) -> Expression | Declaration:
        """What stands in the brackets of a loop: an expression or a declaration."""
        if self.is_qualifier() or self.is_type_before_name():
            qualifiers = self.qualifiers()
            return self.declarators(qualifiers, self.type())
        return self.expression()

    def if_(self) -> If:
        """``if``."""
        self.take("if")
        self.take("(")
        condition = self.expression()
        self.take(")")
        yes = self.statement()
        return If(condition, yes, self.statement() if self.accept("else") else None)

    def for_(self) -> For:
        """``for``."""
        self.take("for")
        self.take("(")
        first = Block(()) if self.accept(";") else self.simple()
        condition = None if self.text == ";" else self.condition()
        self.take(";")
        step = None if self.text == ")" else self.expression()
        self.take(")")
        return For(first, condition, step, self.statement())

    def while_(self) -> While:
        """``while`` and ``do``."""
        after = self.accept("do")
        body = self.statement() if after else Block(())
        self.take("while")
        self.take("(")
        condition = self.condition()
        self.take(")")
        if after:
            self.take(";")
            return While(condition, body, after=True)
        return While(condition, self.statement(), after=False)

    def switch(self) -> Switch:
        """``switch``."""
        self.take("switch")
        self.take("(")
        value = self.expression()
        self.take(")")
        return Switch(value, self.block().body)

    def case(self) -> Case:
        """``case x:`` and ``default:``."""
        if self.accept("default"):
            found = Case(None)
        else:
            self.take("case")
            found = Case(self.expression())
        self.take(":")
        return found

    # Expressions.

    def expression(self) -> Expression:
        """With commas."""
        found = self.assignment()
        while self.accept(","):
            found = Comma(found, self.assignment())
        return found

    def assignment(self) -> Expression:
        """Without commas."""
        target = self.ternary()
        if self.text in _ASSIGNMENTS:
            op = self.text[:-1]
            self.place += 1
            return Assign(op, target, self.assignment())
        return target

    def ternary(self) -> Expression:
        """``a ? b : c`` and tighter."""
        condition = self.binary(_LOOSEST)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.take(":")
        return Ternary(condition, yes, self.assignment())

    def binary(self, looser: int) -> Expression:
        """Operators that bind tighter than ``looser``."""
        left = self.unary()
        while True:
            op = self.text
            binds = _PRECEDENCE.get(op, _LOOSEST)
            if binds <= looser:
                return left
            self.place += 1
            left = Binary(op, left, self.binary(binds))

    def unary(self) -> Expression:
        """Operators before an operand."""
        op = self.text
        if op in {"++", "--"}:
            self.place += 1
            return Step(op[0], self.unary(), after=False)
        if op in {"-", "!", "~", "+"}:
            self.place += 1
            return Unary(op, self.unary())
        return self.postfix()

    def postfix(self) -> Expression:
        """Operators after an operand."""
        found = self.primary()
        while True:
            if self.accept("["):
                index = self.expression()
                self.take("]")
                found = Index(found, index)
            elif self.accept("."):
                member = self.name()
                found = Call(member, (found,)) if self.text == "(" and self.arguments() == () else Member(found, member)
            elif self.text in {"++", "--"}:
                found = Step(self.text[0], found, after=True)
                self.place += 1
            else:
                return found

    def arguments(self) -> tuple[Expression, ...]:
        """``(a, b)``."""
        self.take("(")
        if self.text == "void" and self.ahead().text == ")":
            self.place += 1
        found: list[Expression] = []
        while not self.accept(")"):
            found.append(self.assignment())
            if not self.accept(",") and self.text != ")":
                self.trouble(")")
        return tuple(found)

    def primary(self) -> Expression:
        """A literal, a name, a call or something in brackets."""
        token = self.tokens[self.place]
        if token.text == "(":
            self.place += 1
            found = self.expression()
            self.take(")")
            return found
        if token.kind == "number":
            self.place += 1
            return Literal(_literal(token.text))
        if token.kind != "name":
            self.trouble()
        if token.text in {"true", "false"}:
            self.place += 1
            return Literal(token.text == "true")
        dims: tuple[Expression | None, ...] = ()
        is_type = self.is_type()
        self.place += 1
        if is_type and self.text == "[":
            dims = self.dims()
        if self.text == "(":
            return Call(token.text, self.arguments(), dims)
        return NameRef(token.text)
