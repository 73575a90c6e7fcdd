"""GLSL's operators and built-in functions on abstract values: constants fold, everything else gathers its sources.

Only folding that Mesa is seen to do, and that decides whether a sampler is active, is done here.

Source: docs/glsl.md (recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Final

from statetracker.trace.glsl_numbers import Number, Wide, alike, converted, divided, fitted, remainder, to_int
from statetracker.trace.glsl_values import (
    Array,
    Atom,
    Handle,
    Value,
    Vec,
    atoms_of,
    gather,
    known,
    mark,
    shape_of,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["EFFECTS", "OUT_ARGUMENTS", "binary", "built_in", "construct", "convert", "is_zero", "unary"]

#: Calls that are seen from outside whatever becomes of their result.
EFFECTS: Final = ("imageStore", "imageAtomic", "atomic")

#: Functions that write through arguments: which.
OUT_ARGUMENTS: Final = {
    "modf": (1,), "frexp": (1,), "uaddCarry": (2,), "usubBorrow": (2,), "umulExtended": (2, 3), "imulExtended": (2, 3),
}  # fmt: skip

_ARITHMETIC: Final[dict[str, Callable[[float, float], Number]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_COMPARISONS: Final[dict[str, Callable[[float, float], Number]]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_BITS: Final[dict[str, Callable[[int, int], int]]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
#: Functions of each component alone that fold when all their arguments are constant.
_FOLDED: Final[dict[str, Callable[..., float]]] = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "floor": math.floor,
    "fract": lambda x: x - math.floor(x),
    "inversesqrt": lambda x: 1.0 / math.sqrt(x),
    "isinf": math.isinf,
    "isnan": math.isnan,
    "log": math.log,
    "log2": math.log2,
    "max": max,
    "min": min,
    "pow": lambda x, y: float(x) ** float(y),
    "round": round,
    "roundEven": round,
    "sign": lambda x: int(x > 0) - int(x < 0),
    "sin": math.sin,
    "sqrt": math.sqrt,
    "trunc": math.trunc,
    "step": lambda edge, x: float(x >= edge),
    "mod": lambda x, y: x - y * math.floor(x / y),
}
_RELATIONS: Final = {
    "lessThan": "<", "lessThanEqual": "<=", "greaterThan": ">", "greaterThanEqual": ">=", "equal": "==",
    "notEqual": "!=",
}  # fmt: skip
#: Size functions of samplers: dimensions by what the type's name holds, layers counted one more.
_DIMENSIONS: Final = (("1D", 1), ("2D", 2), ("3D", 3), ("Cube", 2), ("Buffer", 1), ("External", 2))


def is_zero(atom: Atom) -> bool:
    """Whether a component is the constant 0."""
    return atom.known is not None and atom.known == 0


def _broadcast(values: Sequence[Value], operation: Callable[..., Atom]) -> Vec:
    """Work component by component; a scalar stands for every component."""
    columns = [atoms_of(value) or (Atom(None),) for value in values]
    size = max(len(column) for column in columns)
    rows = max((value.rows for value in values if isinstance(value, Vec)), default=0)
    return Vec(
        tuple(operation(*(column[at] if at < len(column) else column[-1] for column in columns)) for at in range(size)),
        rows,
    )


def _add(left: Atom, right: Atom) -> Atom:
    if left.known is not None and right.known is not None:
        return Atom(fitted(left.known + right.known, left.known, right.known))
    if is_zero(left):
        return right
    return left if is_zero(right) else gather("+", left, right)


def _multiply(left: Atom, right: Atom) -> Atom:
    """Whatever is multiplied by 0 is 0: its sources are gone."""
    if is_zero(left) or is_zero(right):
        return Atom(0.0 if isinstance(left.known, float) or isinstance(right.known, float) else 0)
    if left.known is not None and right.known is not None:
        return Atom(fitted(left.known * right.known, left.known, right.known))
    if right.known is not None and right.known == 1:
        return left
    return right if left.known is not None and left.known == 1 else gather("*", left, right)


def _divide(left: Atom, right: Atom) -> Atom:
    if left.known is not None and right.known is not None:
        return Atom(fitted(divided(left.known, right.known), left.known, right.known))
    return left if is_zero(left) else gather("/", left, right)


def _atom(op: str, left: Atom, right: Atom) -> Atom:  # noqa: PLR0911 (one line a family of operators)
    match op:
        case "+":
            return _add(left, right)
        case "*":
            return _multiply(left, right)
        case "/":
            return _divide(left, right)
        case "&&" | "||" | "^^":
            return _logic(op, left, right)
    a, b = left.known, right.known
    if op == "-" and is_zero(right):
        return left
    if op in {"-", "^"} and a is None and b is None and left.tag and left.tag == right.tag:
        return Atom(0)
    if op == "&" and (is_zero(left) or is_zero(right)):
        return Atom(0)
    return gather(op, left, right) if a is None or b is None else Atom(_calculate(op, a, b))


def _whole(number: Number) -> int:
    return to_int(number) if isinstance(number, float) else int(number)


def _calculate(op: str, left: Number, right: Number) -> Number:
    if op in {"<<", ">>"}:
        # Only the low bits of the number of places count.
        return fitted(_BITS[op](_whole(left), _whole(right) % (64 if isinstance(left, Wide) else 32)), left)
    left, right = alike(left, right)
    if op in _COMPARISONS:
        return _COMPARISONS[op](left, right)
    if op in _ARITHMETIC:
        return fitted(_ARITHMETIC[op](left, right), left, right)
    operation = remainder if op == "%" else _BITS[op]
    return fitted(operation(_whole(left), _whole(right)), left, right)


def _logic(op: str, left: Atom, right: Atom) -> Atom:
    if op != "^^":
        deciding = op == "||"
        for one, other in ((left, right), (right, left)):
            if one.known is not None:
                return Atom(deciding) if bool(one.known) == deciding else other
    elif left.known is not None and right.known is not None:
        return Atom(bool(left.known) != bool(right.known))
    return gather(op, left, right)


def _dot(left: Sequence[Atom], right: Sequence[Atom]) -> Atom:
    total = Atom(0.0)
    for a, b in zip(left, right, strict=False):
        total = _add(total, _multiply(a, b))
    return total


def binary(op: str, left: Value, right: Value) -> Value:
    """``left op right``."""
    if op in {"==", "!="} and (len(atoms_of(left)) > 1 or not isinstance(left, Vec)):
        pairs = _broadcast((left, right), lambda a, b: _atom("==", a, b)).atoms
        if all(atom.known is not None for atom in pairs):
            return known(all(atom.known for atom in pairs) == (op == "=="))
        return Vec((gather(op, *pairs),))
    if op == "*" and isinstance(left, Vec) and isinstance(right, Vec) and (left.rows or right.rows):
        product = _matrix_product(left, right)
        if product is not None:
            return product
    return _broadcast((left, right), lambda a, b: _atom(op, a, b))


def _matrix_product(left: Vec, right: Vec) -> Vec | None:
    """Linear algebra's product; None where one side is a scalar."""
    if len(left.atoms) == 1 or len(right.atoms) == 1:
        return None
    if not left.rows:
        columns = _columns(right)
        return Vec(tuple(_dot(left.atoms, column) for column in columns))
    lines = [left.atoms[row :: left.rows] for row in range(left.rows)]
    if not right.rows:
        return Vec(tuple(_dot(line, right.atoms) for line in lines))
    return Vec(tuple(_dot(line, column) for column in _columns(right) for line in lines), left.rows)


def _columns(matrix: Vec) -> list[tuple[Atom, ...]]:
    return [matrix.atoms[at : at + matrix.rows] for at in range(0, len(matrix.atoms), matrix.rows)]


def unary(op: str, operand: Value) -> Value:
    """``op operand``."""

    def change(atom: Atom) -> Atom:
        if atom.known is None:
            return atom if op == "+" else gather(op, atom)
        match op:
            case "-":
                return Atom(fitted(-atom.known, atom.known))
            case "!":
                return Atom(not atom.known)
            case "~":
                return Atom(fitted(~_whole(atom.known), atom.known))
        return atom

    return _broadcast((operand,), change)


def convert(type_name: str, atom: Atom) -> Atom:
    """Turn a constant into another scalar type; an unknown keeps its sources."""
    return atom if atom.known is None else Atom(converted(type_name, atom.known))


def construct(type_name: str, arguments: Sequence[Value]) -> Value:
    """``vec4(a, b)``, ``mat3(m)``, ``float(x)``."""
    size, rows = shape_of(type_name)
    atoms = [convert(type_name, atom) for value in arguments for atom in atoms_of(value)] or [Atom(None)]
    only = arguments[0] if len(arguments) == 1 else None
    if rows and isinstance(only, Vec) and (only.rows or len(only.atoms) == 1):
        return Vec(tuple(_matrix_element(only, atoms, at // rows, at % rows) for at in range(size)), rows)
    if len(atoms) == 1:
        atoms *= size
    return Vec(tuple(atoms[at] if at < len(atoms) else gather("?", *atoms) for at in range(size)), rows)


def _matrix_element(only: Vec, atoms: Sequence[Atom], column: int, row: int) -> Atom:
    """A matrix from a scalar has it on the diagonal; one from a matrix is cut, or filled up with the identity."""
    identity = Atom(float(column == row))
    if not only.rows:
        return atoms[0] if column == row else identity
    inside = row < only.rows and column < len(atoms) // only.rows
    return atoms[column * only.rows + row] if inside else identity


def built_in(name: str, arguments: Sequence[Value]) -> Value:  # noqa: C901, PLR0911 (a list)
    """Call a built-in function; one that is not known works on each component alone."""
    first = arguments[0] if arguments else known(0.0)
    everything = [atom for value in arguments for atom in atoms_of(value)]
    if isinstance(first, Handle):
        return _lookup(name, first, gather(name, *everything))
    if name in _RELATIONS:
        return _broadcast(arguments, lambda a, b: _atom(_RELATIONS[name], a, b))
    if name in _WHOLE_VECTOR:
        return _whole_vector(name, first, everything)
    match name:
        case "dot":
            return Vec((_dot(atoms_of(first), atoms_of(arguments[-1])),))
        case "matrixCompMult":
            return _broadcast(arguments, _multiply)
        case "mix":
            return _broadcast(arguments, _mix)
        case "clamp":
            return _broadcast(arguments, _clamp)
        case "not":
            return unary("!", first)
        case "transpose" if isinstance(first, Vec) and first.rows:
            lines = [first.atoms[row :: first.rows] for row in range(first.rows)]
            return Vec(tuple(atom for line in lines for atom in line), len(first.atoms) // first.rows)
        case "outerProduct":
            product = tuple(_multiply(a, b) for b in atoms_of(arguments[-1]) for a in atoms_of(first))
            return Vec(product, len(atoms_of(first)))
        case "noise1" | "noise2" | "noise3" | "noise4":
            return known(*[0.0] * int(name[-1]))
    if not arguments:
        return unknown(4)
    folded = _FOLDED.get(name)
    return _broadcast(arguments, lambda *atoms: _fold(name, folded, atoms))


def _whole_vector(name: str, first: Value, everything: Sequence[Atom]) -> Value:
    """A function that mixes all components; its result folds only from constants."""
    if name == "length" and isinstance(first, Array):
        return known(len(first.items))
    numbers = [atom.known for atom in everything if atom.known is not None]
    folded = _REDUCTIONS.get(name)
    if folded is not None and len(numbers) == len(everything):
        return known(fitted(folded(numbers), *numbers))
    if name == "normalize" and len(numbers) == len(everything) and any(numbers):
        return known(*(fitted(number / math.hypot(*numbers), *numbers) for number in numbers))
    size = 1 if name in _REDUCTIONS or name == "determinant" else len(atoms_of(first))
    rows = first.rows if isinstance(first, Vec) and name == "inverse" else 0
    return Vec(tuple(gather((name, at), *everything) for at in range(size)), rows)


def _fold(name: str, function: Callable[..., float] | None, atoms: Sequence[Atom]) -> Atom:
    numbers = [atom.known for atom in atoms if atom.known is not None]
    if function is None or len(numbers) != len(atoms):
        return gather(name, *atoms)
    try:
        return Atom(fitted(function(*numbers), *numbers))
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return Atom(None)


def _clamp(value: Atom, low: Atom, high: Atom) -> Atom:
    """Between equal bounds nothing of the value is left."""
    if low.known is not None and low.known == high.known:
        return low
    return _fold("clamp", lambda x, a, b: min(max(x, a), b), (value, low, high))


def _mix(left: Atom, right: Atom, weight: Atom) -> Atom:
    """With a constant weight of 0 or 1 only one side is left."""
    if isinstance(weight.known, bool):
        return right if weight.known else left
    if weight.known is not None:
        return _add(_multiply(left, Atom(1.0 - weight.known)), _multiply(right, weight))
    return gather("mix", left, right, weight)


def _smoothstep(low: float, high: float, x: float) -> float:
    part = min(max((x - low) / (high - low), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


def _distance(numbers: Sequence[float]) -> float:
    half = len(numbers) // 2
    return math.dist(numbers[:half], numbers[half:])


_FOLDED["smoothstep"] = _smoothstep
_REDUCTIONS: Final[dict[str, Callable[[Sequence[float]], Number]]] = {
    "all": all,
    "any": any,
    "length": lambda numbers: math.hypot(*numbers),
    "distance": _distance,
}
_WHOLE_VECTOR: Final = frozenset(
    {*_REDUCTIONS, "cross", "determinant", "faceforward", "inverse", "normalize", "reflect", "refract"}
)


def _lookup(name: str, sampler: Handle, result: Atom) -> Vec:
    """A texture or image function: how many components it gives."""
    size = _lookup_size(name, sampler.type)
    return Vec(tuple(result._replace(tag=mark(result.tag, at)) for at in range(size)))


def _lookup_size(name: str, type_name: str) -> int:
    if name in {"textureSize", "imageSize"}:
        plain = next((size for word, size in _DIMENSIONS if word in type_name), 2)
        return plain + ("Array" in type_name)
    if name in {"textureQueryLevels", "textureSamples", "imageSamples"} or name.startswith("imageAtomic"):
        return 1
    if name in {"textureQueryLod", "textureQueryLOD"}:
        return 2
    compared = type_name.endswith("Shadow") and name.startswith("texture") and "Gather" not in name
    return 1 if compared else 4
