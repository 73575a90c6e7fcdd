"""Changes of an expression: into another comparison, operator, number, or the constant next to it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["alternatives", "conditions", "names_dropped", "neighbours", "step_alternatives"]

#: Comparison -> what it is changed into.
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
#: Operator -> what it is changed into. | does not become ^: of bits never set together, both give the same.
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
#: Function -> what it is changed into.
_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CONSTANT: Final = re.compile(r"_?[A-Z][A-Z0-9_]*")
_NAMES: Final = re.compile(r"\w*_\w*( \w*_\w*)+")  # a list of names, written as one string
_NAME: Final = re.compile(r"\w*_\w* ?")


def alternatives(node: ast.expr) -> Iterator[str]:
    """Yield what a single expression can be changed into, as text."""
    match node:
        case ast.Compare():
            yield from _other_comparisons(node)
        case ast.BoolOp(op=op, values=values):
            yield _text(ast.BoolOp(op=ast.Or() if isinstance(op, ast.And) else ast.And(), values=values))
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield _text(rest[0] if len(rest) == 1 else ast.BoolOp(op=op, values=rest))
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _OPERATORS:
                yield _text(ast.BinOp(left=left, op=_OPERATORS[type(op)](), right=right))
            if isinstance(op, ast.BitOr | ast.BitAnd):  # a bit, or a mask, that is missing
                yield _text(left)
                yield _text(right)
        case ast.UnaryOp(operand=operand):
            yield _text(operand)
        case ast.Constant(value=value):
            yield from map(repr, _other_values(value))
        case ast.Name(id=name) if name in _CALLS:
            yield _CALLS[name]


def names_dropped(node: ast.expr, source: str) -> Iterator[tuple[int, int]]:
    """Yield where each name of a list written as one string stands in its text, with a blank beside it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAMES.fullmatch(node.value):
        for match in _NAME.finditer(source):
            last = match.start() > 0 and source[match.start() - 1] == " " and not match.group().endswith(" ")
            yield match.start() - last, match.end()


def step_alternatives(node: ast.stmt) -> Iterator[str]:
    """Yield what a single step can be changed into: nothing, or another operator."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            yield "pass"
            if type(op) in _OPERATORS:
                yield ast.unparse(ast.AugAssign(target=target, op=_OPERATORS[type(op)](), value=value))
        case ast.Expr(value=ast.Call()):
            yield "pass"


def conditions(test: ast.expr) -> tuple[tuple[str, ...], bool]:
    """Return what a condition can be changed into, and whether that says all there is to say of the node itself."""
    plain = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
    return ("True", "False"), plain or isinstance(test, ast.UnaryOp)


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def _other_comparisons(node: ast.Compare) -> Iterator[str]:
    for place, op in enumerate(node.ops):
        for other in _COMPARISONS[type(op)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield _text(ast.Compare(left=node.left, ops=ops, comparators=node.comparators))


def _other_values(value: object) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1) if value else (1,)
        case float():
            return (value + 1.0 if value + 1.0 != value else 2.0 * value,)
        case str() if " " not in value:
            return (f"{value}X",)
        case _:
            return ()


def neighbours(tree: ast.Module) -> dict[str, str]:
    """Say for each constant that a module reads which one takes its place: the next of its kind.

    Kinds are the module's own constants (texts, numbers, attributes of other modules), the names of one import, the
    members of one enum, the keys that the module uses with one table.
    """
    kinds: dict[str, list[str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            kinds[f"from {statement.module}"] = [a.asname or a.name for a in statement.names]
        for target, kind in _constants(statement):
            kinds.setdefault(kind, []).append(target)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=base), attr=name) if _CONSTANT.fullmatch(name):
                kinds.setdefault(f"{base}.", []).append(f"{base}.{name}")
            case ast.Subscript(value=ast.Name(id=base), slice=ast.Constant(value=str())):
                kinds.setdefault(f"{base}[]", []).append(ast.unparse(node))
    swaps: dict[str, str] = {}
    for kind, names in kinds.items():
        unique = [n for n in dict.fromkeys(names) if kind.endswith((".", "[]")) or _CONSTANT.fullmatch(n)]
        if len(unique) > 1:
            swaps |= zip(unique, (*unique[1:], unique[0]), strict=True)
    return swaps


def _constants(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            match value:
                case ast.Constant(value=str()):
                    yield name, "text"
                case ast.Attribute():
                    yield name, "attribute"
                case ast.Constant() | ast.BinOp() | ast.Subscript() | ast.UnaryOp():
                    yield name, "number"
