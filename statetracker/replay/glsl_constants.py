"""Constant expressions of GLSL where a scan needs them: sizes of arrays, indices, numbers in ``layout(...)``.

Whole numbers only. What cannot be calculated is None, never an error.
"""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_NUMBER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uU]?")
#: No size and no index is larger; results beyond it are no constants.
_LARGEST: Final = 1 << 31
#: Tokens of an expression that is read.
LONGEST: Final = 200
_SIGNS: Final = frozenset(("(", ")", "+", "-", "*", "/", "%", "~", "&", "|", "^", "<<", ">>"))
_BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1),
    ast.Mod: operator.mod,
    ast.LShift: lambda left, right: left << (right & 31),
    ast.RShift: lambda left, right: left >> (right & 31),
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: Final[Mapping[type[ast.unaryop], Callable[[int], int]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_CONVERSIONS: Final = ("int", "uint")


def constant(tokens: Sequence[str], names: Mapping[str, int]) -> int | None:
    """Calculate an expression of whole numbers, of ``int(...)`` and of the names of constants; None for any other.

    Operators bind in Python as they do in GLSL, but for comparisons, which are not read.
    """
    if not tokens or len(tokens) > LONGEST:
        return None
    try:
        words = [_word(token) for token in tokens]
        return _value(ast.parse(" ".join(words), mode="eval").body, names) if all(words) else None
    except (ArithmeticError, MemoryError, RecursionError, SyntaxError, ValueError):
        return None


def _word(token: str) -> str:
    """A token as Python spells it: octal and unsigned numbers differ; empty for what no expression of ours has."""
    match = _NUMBER.fullmatch(token)
    if match is None:
        return token if token.isidentifier() or token in _SIGNS else ""
    digits = match[1]
    octal = digits.isdigit() and len(digits) > 1 and digits[0] == "0"
    return str(int(digits, 8)) if octal else digits


def _value(node: ast.expr, names: Mapping[str, int]) -> int | None:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool) and number <= _LARGEST:
            return number
        case ast.Name(id=name):
            return names.get(name)
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _CONVERSIONS:
            return _value(inner, names)
        case ast.UnaryOp(op=op, operand=inner) if type(op) in _UNARY:
            return _applied(_UNARY[type(op)], _value(inner, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _applied(_BINARY[type(op)], _value(left, names), _value(right, names))
    return None


def _applied(function: Callable[..., int], *operands: int | None) -> int | None:
    if None in operands:
        return None
    value = function(*operands)
    return value if abs(value) <= _LARGEST else None
