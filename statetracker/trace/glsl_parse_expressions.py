"""GLSL's expressions: tokens in, expressions out. Nothing is checked that a compiler checks.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, section "Shading Language Grammar").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NoReturn

from statetracker.trace.glsl_numbers import Double, Number, Wide, to_float, to_int, to_uint
from statetracker.trace.glsl_preprocess import Token, refuse
from statetracker.trace.glsl_syntax import (
    Assign,
    Binary,
    Call,
    Comma,
    Expression,
    Index,
    Literal,
    Member,
    NameRef,
    ShaderSyntax,
    Step,
    Ternary,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ExpressionParser"]

_TYPE: Final = re.compile(
    r"void|bool|u?int|float|double|[biud]?vec[234]|d?mat[234](?:x[234])?|u?int64_t|[iu]64vec[234]|atomic_uint"
    r"|[iu]?(?:sampler|image)(?:[123]D|Cube|[12]DArray|CubeArray|2DRect|Buffer|2DMS(?:Array)?|ExternalOES)(?:Shadow)?"
)
_ASSIGNMENTS: Final = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_PRECEDENCE: Final = {
    "||": 0, "^^": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_LOOSEST: Final = -1


def _literal(text: str) -> Number:
    """A number as written; one without a suffix that an int cannot hold wraps."""
    lower = text.lower()
    hexadecimal = lower.startswith("0x")
    digits = lower.rstrip("ul" if hexadecimal else "ful")
    suffix = lower[len(digits) :]
    if not hexadecimal and ("f" in suffix or not digits.isdigit()):
        return Double(digits) if suffix == "lf" else to_float(float(digits))
    octal = len(digits) > 1 and digits[0] == "0" and not set(digits) & {"8", "9"}
    whole = int(digits, 16 if hexadecimal else 8 if octal else 10)
    if "l" in suffix:
        return Wide(whole)
    return to_uint(whole) if "u" in suffix else to_int(whole)


class ExpressionParser:
    """Walks over tokens; reads what can stand in an expression."""

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

    def dims(self) -> tuple[Expression | None, ...]:
        """``[2][]``."""
        found: list[Expression | None] = []
        while self.accept("["):
            found.append(None if self.text == "]" else self.expression())
            self.take("]")
        return tuple(found)

    def is_type(self) -> bool:
        """Whether a type stands here."""
        return self.text == "struct" or self.text in self.out.structs or bool(_TYPE.fullmatch(self.text))
