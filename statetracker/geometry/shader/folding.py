"""Arithmetic on constants: what decides how often a loop runs, and which branch is taken."""

from __future__ import annotations

import operator
import struct
from typing import TYPE_CHECKING, Final

from statetracker.geometry.shader.code import Place, immediate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MASK: Final = 0xFFFFFFFF


def _signed(bits: int) -> int:
    return (bits & _MASK) - ((bits & 0x80000000) << 1)


def _float(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits & _MASK))[0]
    return value


def _bits(value: float) -> int:
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        bits = 0x7F800000 if value > 0 else 0xFF800000
    return bits


def _floats(of: Callable[[float, float], float]) -> Callable[[int, int], int]:
    return lambda a, b: _bits(of(_float(a), _float(b)))


def _comparisons() -> dict[str, Callable[..., int]]:
    functions: dict[str, Callable[..., int]] = {}
    for name, of in (
        ("LessThan", operator.lt), ("LessThanEqual", operator.le),
        ("GreaterThan", operator.gt), ("GreaterThanEqual", operator.ge),
    ):  # fmt: skip
        functions[f"OpFOrd{name}"] = lambda a, b, of=of: int(of(_float(a), _float(b)))
        functions[f"OpS{name}"] = lambda a, b, of=of: int(of(_signed(a), _signed(b)))
        functions[f"OpU{name}"] = lambda a, b, of=of: int(of(a, b))
    return functions


#: Instruction -> what it does to the bits of its operands.
FOLDED: Final[Mapping[str, Callable[..., int]]] = {
    **_comparisons(),
    "OpIAdd": lambda a, b: a + b,
    "OpISub": lambda a, b: a - b,
    "OpIMul": lambda a, b: a * b,
    "OpSNegate": lambda a: -a,
    "OpUDiv": lambda a, b: a // b if b else 0,
    "OpUMod": lambda a, b: a % b if b else 0,
    "OpSDiv": lambda a, b: int(_signed(a) / _signed(b)) if b else 0,
    "OpSRem": lambda a, b: _signed(a) - int(_signed(a) / _signed(b)) * _signed(b) if b else 0,
    "OpSMod": lambda a, b: _signed(a) % _signed(b) if b else 0,
    "OpShiftLeftLogical": lambda a, b: a << (b & 31),
    "OpShiftRightLogical": lambda a, b: a >> (b & 31),
    "OpShiftRightArithmetic": lambda a, b: _signed(a) >> (b & 31),
    "OpBitwiseAnd": lambda a, b: a & b,
    "OpBitwiseOr": lambda a, b: a | b,
    "OpBitwiseXor": lambda a, b: a ^ b,
    "OpNot": lambda a: ~a,
    "OpIEqual": lambda a, b: int(a == b),
    "OpINotEqual": lambda a, b: int(a != b),
    "OpLogicalEqual": lambda a, b: int(a == b),
    "OpLogicalNotEqual": lambda a, b: int(a != b),
    "OpLogicalAnd": lambda a, b: a & b,
    "OpLogicalOr": lambda a, b: a | b,
    "OpLogicalNot": lambda a: 1 - a,
    "OpSelect": lambda a, b, c: b if a else c,
    "OpFAdd": _floats(lambda a, b: a + b),
    "OpFSub": _floats(lambda a, b: a - b),
    "OpFMul": _floats(lambda a, b: a * b),
    "OpFDiv": _floats(lambda a, b: a / b if b else float("inf")),
    "OpFNegate": lambda a: a ^ 0x80000000,
    "OpConvertSToF": lambda a: _bits(float(_signed(a))),
    "OpConvertUToF": lambda a: _bits(float(a)),
    "OpConvertFToS": lambda a: int(_float(a)) if abs(_float(a)) < 2**31 else 0,
    "OpConvertFToU": lambda a: int(_float(a)) if 0 <= _float(a) < 2**32 else 0,
}


def fold(name: str, operands: Sequence[Place]) -> Place | None:
    """A scalar computed now, where all its operands are known; else None."""
    of = FOLDED.get(name)
    if of is None:
        return None
    bits = [one.at for one in operands if one.file == "immediate" and isinstance(one.at, int)]
    return immediate(of(*bits) & _MASK) if len(bits) == len(operands) else None
