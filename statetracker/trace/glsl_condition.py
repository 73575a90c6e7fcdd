"""The expression of an #if in a GLSL shader.

Source: docs/glsl.md (The OpenGL Shading Language, section "Preprocessor").
"""

from __future__ import annotations

from typing import Final, NoReturn

from statetracker.errors import ArgumentError

__all__ = ["Condition", "refuse"]

_BITS: Final = 64
_LOOSEST: Final = -1

#: Binary operators of #if, by how tightly they bind.
_PRECEDENCE: Final = {
    "||": 0, "&&": 1, "|": 2, "^": 3, "&": 4, "==": 5, "!=": 5, "<": 6, ">": 6, "<=": 6, ">=": 6,
    "<<": 7, ">>": 7, "+": 8, "-": 8, "*": 9, "/": 9, "%": 9,
}  # fmt: skip


def refuse(line: int, problem: str) -> NoReturn:
    """Say what is wrong with a shader, and on which line."""
    raise ArgumentError("GLSL source", f"line {line}", hint=f"{problem}.")


class Condition:
    """The expression of an #if, macros expanded. Numbers have 64 bits."""

    def __init__(self, line: int, tokens: list[str]) -> None:
        self.line = line
        self.tokens = tokens
        self.place = 0

    def value(self) -> int:
        """Its value; raises `ArgumentError` where it is none."""
        found = self.binary(_LOOSEST)
        if self.place != len(self.tokens):
            self.trouble()
        return found

    def trouble(self) -> NoReturn:
        """Show the expression."""
        refuse(self.line, f"#if {' '.join(self.tokens)!r} cannot be read")

    def take(self) -> str:
        """The next token."""
        if self.place >= len(self.tokens):
            self.trouble()
        self.place += 1
        return self.tokens[self.place - 1]

    def binary(self, looser: int) -> int:
        """Operators that bind tighter than ``looser``."""
        left = self.unary()
        while self.place < len(self.tokens):
            op = self.tokens[self.place]
            binds = _PRECEDENCE.get(op, _LOOSEST)
            if binds <= looser:
                break
            self.place += 1
            left = _in_64_bits(self.apply(op, left, self.binary(binds)))
        return left

    def unary(self) -> int:  # noqa: PLR0911 (one line an operator)
        """A number, a name (0), or an operator before one."""
        word = self.take()
        match word:
            case "(":
                found = self.binary(_LOOSEST)
                if self.take() != ")":
                    self.trouble()
                return found
            case "!":
                return int(not self.unary())
            case "-":
                return -self.unary()
            case "+":
                return self.unary()
            case "~":
                return ~self.unary()
        if word[0].isdigit():
            digits = word.rstrip("uU")
            try:
                return int(digits, 8 if digits[:1] == "0" and digits.isdigit() else 0)
            except ValueError:
                self.trouble()
        if not (word[0].isalpha() or word[0] == "_"):
            self.trouble()
        return 0

    def apply(self, op: str, left: int, right: int) -> int:  # noqa: PLR0911, PLR0912, C901 (one line an operator)
        """Calculate."""
        match op:
            case "||":
                return int(bool(left or right))
            case "&&":
                return int(bool(left and right))
            case "|":
                return left | right
            case "^":
                return left ^ right
            case "&":
                return left & right
            case "==":
                return int(left == right)
            case "!=":
                return int(left != right)
            case "<":
                return int(left < right)
            case ">":
                return int(left > right)
            case "<=":
                return int(left <= right)
            case ">=":
                return int(left >= right)
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
        if op in {"<<", ">>"}:
            if not 0 <= right < _BITS:
                refuse(self.line, f"#if shifts by {right}; 0 to {_BITS - 1} can be")
            return left << right if op == "<<" else left >> right
        if right == 0:
            refuse(self.line, "#if divides by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - quotient * right


def _in_64_bits(value: int) -> int:
    return (value + (1 << _BITS - 1)) % (1 << _BITS) - (1 << _BITS - 1)
