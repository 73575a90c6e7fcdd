"""Values: what instructions without control flow or variables become, as far as registers are concerned.

The tables have an instruction's steps: each is an opcode of the vec4 back end and what it reads. Letters are the
operands in order (a, b, c), digits are earlier steps (1: the first). An opcode with ``!`` writes no virtual register:
the flag, the accumulator. The last step is the result. Source: Ivy Bridge PRM, volume 4 part 3 (instruction set);
docs/geometry.md.
"""

from __future__ import annotations

import operator
import struct
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from statetracker.geometry.program import Destination
from statetracker.geometry.shader.code import Code, Column, Place, Value, immediate, places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: Instructions that leave no code.
NOTHING: Final = frozenset({
    "OpLine", "OpNoLine", "OpNop", "OpLabel", "OpVariable", "OpSelectionMerge", "OpLoopMerge", "OpMemoryBarrier",
    "OpControlBarrier",
})  # fmt: skip

MATRIX: Final = frozenset({
    "OpMatrixTimesVector", "OpMatrixTimesMatrix", "OpVectorTimesMatrix", "OpMatrixTimesScalar", "OpOuterProduct",
    "OpTranspose",
})  # fmt: skip

Steps = tuple[str, ...]


def _same(steps: Steps, names: str) -> dict[str, Steps]:
    return dict.fromkeys(names.split(), steps)


_ORDER: Final = {
    "LessThan": operator.lt, "LessThanEqual": operator.le, "GreaterThan": operator.gt, "GreaterThanEqual": operator.ge,
}  # fmt: skip
#: A comparison writes a register, or the flag alone where a branch or a selection right after it is all that reads it.
COMPARISONS: Final = frozenset({
    "OpIEqual", "OpINotEqual", "OpLogicalEqual", "OpLogicalNotEqual",
    *(f"OpF{nan}{name}" for nan in ("Ord", "Unord") for name in ("Equal", "NotEqual")),
    *(f"Op{kind}{name}" for kind in ("U", "S", "FOrd", "FUnord") for name in _ORDER),
})  # fmt: skip

#: SPIR-V instruction -> steps, component by component (dp: over all components).
ARITHMETIC: Final[Mapping[str, Steps]] = {
    **dict.fromkeys(sorted(COMPARISONS), ("cmp a b",)),
    **_same(("mov a",), "OpConvertFToU OpConvertFToS OpConvertSToF OpConvertUToF OpUConvert OpSConvert OpFConvert "
                        "OpSNegate OpFNegate"),
    **_same(("not a",), "OpNot OpLogicalNot"),
    **_same(("f32to16 a", "f16to32 1"), "OpQuantizeToF16"),
    **_same(("bfrev a",), "OpBitReverse"),
    **_same(("cbit a",), "OpBitCount"),
    **_same(("cmp a a",), "OpIsNan OpIsInf"),
    **_same(("add a b",), "OpIAdd OpISub OpFAdd OpFSub"),
    **_same(("mul a b",), "OpFMul OpVectorTimesScalar"),
    **_same(("mul_acc! a b", "mach a b"), "OpIMul"),
    **_same(("dp a b",), "OpDot"),
    **_same(("and a b",), "OpBitwiseAnd OpLogicalAnd"),
    **_same(("or a b",), "OpBitwiseOr OpLogicalOr"),
    **_same(("xor a b",), "OpBitwiseXor"),
    **_same(("shl a b",), "OpShiftLeftLogical"),
    **_same(("shr a b",), "OpShiftRightLogical"),
    **_same(("asr a b",), "OpShiftRightArithmetic"),
    **_same(("math a b",), "OpUDiv OpSDiv OpUMod OpSRem"),
    **_same(("math b", "mul a 1"), "OpFDiv"),
    **_same(("math b", "mul a 1", "frc 2", "mul 3 b"), "OpFMod OpFRem"),
    **_same(("math a b", "cmp_flag! 1", "add 1 b"), "OpSMod"),
    **_same(("any a",), "OpAny OpAll"),
    **_same(("test_flag! a", "sel b c"), "OpSelect"),
    **_same(("bfe a b c",), "OpBitFieldSExtract OpBitFieldUExtract"),
    **_same(("bfi1 c d", "bfi2 1 b a"), "OpBitFieldInsert"),
}  # fmt: skip

#: SPIR-V instruction -> steps; the last two are the two members of its result.
PAIRS: Final[Mapping[str, Steps]] = {
    "OpIAddCarry":    ("add a b", "cmp 1 a"),
    "OpISubBorrow":   ("add a b", "cmp a b"),
    "OpUMulExtended": ("mul_acc! a b", "mach a b", "mov"),
    "OpSMulExtended": ("mul_acc! a b", "mach a b", "mov"),
    "ModfStruct":     ("frc a", "add a 1"),
    "FrexpStruct":    ("and a", "shr a"),
}  # fmt: skip


def _extended(steps: Steps, names: str) -> dict[int, tuple[str, Steps]]:
    numbers, words = names.split()[::2], names.split()[1::2]
    return {int(number): (name, steps) for number, name in zip(numbers, words, strict=True)}


#: GLSL.std.450: number -> name, steps.
EXTENDED: Final[Mapping[int, tuple[str, Steps]]] = dict(sorted({
    **_extended(("rnd a",), "1 Round 2 RoundEven 3 Trunc 8 Floor 9 Ceil"),
    **_extended(("mov a",), "4 FAbs 5 SAbs"),
    **_extended(("cmp_flag! a", "and a", "or 2"), "6 FSign"),
    **_extended(("asr a", "cmp a", "or 1 2"), "7 SSign"),
    **_extended(("frc a",), "10 Fract"),
    **_extended(("mul a",), "11 Radians 12 Degrees"),
    **_extended(("math a",), "13 Sin 14 Cos 29 Exp2 30 Log2 31 Sqrt 32 InverseSqrt"),
    **_extended(("math a", "math a", "math 2", "mul 1 3"), "15 Tan"),
    **_extended(("add a", "math 1", "mad a a a", "mad a 3 a", "mul 2 4", "add 5"), "16 Asin 17 Acos"),
    **_extended(("math a", "sel a 1", "mul 2 2", "mad 3 3 3", "mad 3 4 3", "mul 2 5", "cmp_flag! a", "sel 6"),
                "18 Atan"),
    **_extended(("math a", "math a", "add 1 2", "mul 3"), "19 Sinh 20 Cosh"),
    **_extended(("math a", "math a", "add 1 2", "add 1 2", "math 4", "mul 3 5"), "21 Tanh"),
    **_extended(("mul a a", "add 1", "math 2", "add a 3", "math 4", "mul 5"), "22 Asinh 23 Acosh"),
    **_extended(("add a", "add a", "math 2", "mul 1 3", "math 4", "mul 5"), "24 Atanh"),
    **_extended(("math b", "mul a 1", "mul 2 2", "mad 3 3 3", "mad 3 4 3", "mul 2 5", "cmp_flag! b", "sel 6"),
                "25 Atan2"),
    **_extended(("math a b",), "26 Pow"),
    **_extended(("mul a", "math 1"), "27 Exp"),
    **_extended(("math a", "mul 1"), "28 Log"),
    **_extended(("sel a b",), "37 FMin 38 UMin 39 SMin 40 FMax 41 UMax 42 SMax 79 NMin 80 NMax"),
    **_extended(("sel a b", "sel 1 c"), "43 FClamp 44 UClamp 45 SClamp 81 NClamp"),
    **_extended(("lrp a b c",), "46 FMix"),
    **_extended(("cmp a b", "and 1"), "48 Step"),
    **_extended(("add c a", "add b a", "math 2", "mul 1 3", "mad 4 4 4", "mul 4 4", "mul 5 6"), "49 SmoothStep"),
    **_extended(("mad a b c",), "50 Fma"),
    **_extended(("shl b", "add a 1"), "53 Ldexp"),
    **_extended(("sel a", "mul 1", "rnd 2", "mov 3", "pack 4"), "54 PackSnorm4x8 55 PackUnorm4x8"),
    **_extended(("sel a", "mul 1", "rnd 2", "shl 3", "or 3 4"), "56 PackSnorm2x16 57 PackUnorm2x16"),
    **_extended(("f32to16 a", "shl 1", "or 1 2"), "58 PackHalf2x16"),
    **_extended(("asr a", "mov 1", "mul 2"), "60 UnpackSnorm2x16 63 UnpackSnorm4x8"),
    **_extended(("shr a", "mov 1", "mul 2"), "61 UnpackUnorm2x16 64 UnpackUnorm4x8"),
    **_extended(("shr a", "f16to32 1"), "62 UnpackHalf2x16"),
    **_extended(("dp a a", "math 1"), "66 Length"),
    **_extended(("add a b", "dp 1 1", "math 2"), "67 Distance"),
    **_extended(("mul a b", "mad a b 1"), "68 Cross"),
    **_extended(("dp a a", "math 1", "mul a 2"), "69 Normalize"),
    **_extended(("dp b c", "cmp_flag! 1", "sel a a"), "70 FaceForward"),
    **_extended(("dp a b", "mul 1 b", "add a 2"), "71 Reflect"),
    **_extended(("dp a b", "mad 1 1 c", "math 2", "mad c 1 3", "mul 4 b", "mad a c 5"), "72 Refract"),
    **_extended(("fbl a",), "73 FindILsb"),
    **_extended(("fbh a", "add 1"), "74 FindSMsb 75 FindUMsb"),
}.items()))  # fmt: skip


def joined(columns: Sequence[Column]) -> Column:
    """Return the components of several columns in one."""
    return tuple(place for column in columns for place in column)


class Arithmetic:
    """Instructions on values; every method gives the columns of the result."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def steps(self, steps: Sequence[str], operands: Sequence[Column]) -> list[Column]:
        """Follow the steps of a rule; the column that each one makes (empty: none)."""
        made: list[Column] = []
        for step in steps:
            op, *reads = step.split()
            columns = [made[int(one) - 1] if one.isdecimal() else operands["abcd".index(one)] for one in reads]
            columns = [one for one in columns if one]
            width = max((len(one) for one in columns), default=1)
            if op.endswith("!"):
                mask = (1 << width) - 1
                self.code.write(op[:-1], None, [self.code.read(one, mask) for one in columns])
                made.append(())
            elif op == "dp":
                made.append(self.code.dot(columns[0], columns[1]))
            else:
                made.append(self.code.make(op, width, columns))
        return made

    def plain(self, name: str, operands: Sequence[Value]) -> Value:
        """Return an instruction of the table, component by component."""
        columns = [one[0] for one in operands]
        if all(len(one) == 1 for one in columns):
            known = fold(name, [one[0] for one in columns])
            if known is not None:
                return ((known,),)
        if name not in {"OpAny", "OpAll"}:
            return (self.steps(ARITHMETIC[name], columns)[-1],)
        mask = (1 << len(columns[0])) - 1  # the flag is set by all components, then read
        self.code.write("cmp_flag", None, [self.code.read(columns[0], mask)])
        return (self.code.make("mov", 1, []),)

    def pair(self, name: str, operands: Sequence[Value]) -> Value:
        """Return an instruction whose result has two members."""
        made = self.steps(PAIRS[name], [one[0] for one in operands])
        width = max(len(one[0]) for one in operands)
        return tuple(one if len(one) == width else self.code.make("mov", width, [one]) for one in made[-2:])

    def matrix_times_vector(self, matrix: Value, vector: Column) -> Column:
        """Return the sum of columns, each times a component: mul, then mad."""
        total = self.code.make("mul", len(matrix[0]), [matrix[0], vector[:1]])
        for n, column in enumerate(matrix[1:], 1):
            total = self.code.make("mad", len(column), [total, column, vector[n : n + 1]])
        return total

    def vector_times_matrix(self, vector: Column, matrix: Value) -> Column:
        """Return a dot product for each column."""
        reg = self.code.fresh()
        mask = (1 << len(vector)) - 1
        for n, column in enumerate(matrix):
            sources = [self.code.read(vector, mask), self.code.read(column, mask)]
            self.code.write(f"dp{len(vector)}", Destination(reg, 1 << n), sources)
        return places(reg, len(matrix))

    def matrix(self, name: str, operands: Sequence[Value]) -> Value:
        """Products of matrices, transposes."""
        a, b = operands[0], operands[-1]
        if name == "OpMatrixTimesVector":
            return (self.matrix_times_vector(a, b[0]),)
        if name == "OpMatrixTimesMatrix":
            return tuple(self.matrix_times_vector(a, column) for column in b)
        if name == "OpVectorTimesMatrix":
            return (self.vector_times_matrix(a[0], b),)
        if name == "OpMatrixTimesScalar":
            return tuple(self.code.make("mul", len(column), [column, b[0]]) for column in a)
        if name == "OpOuterProduct":
            return tuple(self.code.make("mul", len(a[0]), [a[0], (one,)]) for one in b[0])
        return tuple(tuple(column[n] for column in a) for n in range(len(a[0])))

    def _cofactors(self, matrix: Value) -> list[Column]:
        """Return the cofactors, rows after rows; those of 4x4 from the 2x2 determinants of row pairs."""
        size = len(matrix)
        at = [[(matrix[column][row],) for column in range(size)] for row in range(size)]

        if size == 2:
            return [at[1][1], at[1][0], at[0][1], at[0][0]]
        cofactors = []
        for row in range(size):
            rows = [at[n] for n in range(size) if n != row]
            low = {}
            for left, right in combinations(range(size), 2):
                first = self.code.make("mul", 1, [rows[-2][left], rows[-1][right]])
                low[left, right] = self.code.make("mad", 1, [first, rows[-2][right], rows[-1][left]])
            for column in range(size):
                rest = [n for n in range(size) if n != column]
                if size == 3:
                    cofactors.append(low[rest[0], rest[1]])
                    continue
                total = self.code.make("mul", 1, [rows[0][rest[0]], low[rest[1], rest[2]]])
                total = self.code.make("mad", 1, [total, rows[0][rest[1]], low[rest[0], rest[2]]])
                cofactors.append(self.code.make("mad", 1, [total, rows[0][rest[2]], low[rest[0], rest[1]]]))
        return cofactors

    def determinant(self, matrix: Value, cofactors: Sequence[Column] | None = None) -> Column:
        """Return a dot product of the first row with its cofactors."""
        size = len(matrix)
        rows = cofactors or self._cofactors(matrix)
        return self.code.dot(tuple(column[0] for column in matrix), joined(rows[:size]))

    def inverse(self, matrix: Value) -> Value:
        """Return the cofactors, transposed, over the determinant."""
        size = len(matrix)
        cofactors = self._cofactors(matrix)
        over = self.code.make("math", 1, [self.determinant(matrix, cofactors)])
        rows = [joined(cofactors[n * size : (n + 1) * size]) for n in range(size)]
        return tuple(self.code.make("mul", size, [row, over]) for row in rows)


# Arithmetic on constants: what decides how often a loop runs, and which branch is taken.

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


def _on(read: Callable[[int], Any], of: Callable[[Any, Any], Any], put: Callable[[Any], int]) -> Callable[..., int]:
    return lambda a, b: put(of(read(a), read(b)))


#: Instruction -> what it does to the bits of its operands.
FOLDED: Final[Mapping[str, Callable[..., int]]] = {
    **{f"OpFOrd{name}": _on(_float, of, int) for name, of in _ORDER.items()},
    **{f"OpS{name}": _on(_signed, of, int) for name, of in _ORDER.items()},
    **{f"OpU{name}": _on(int, of, int) for name, of in _ORDER.items()},
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
    "OpFAdd": _on(_float, operator.add, _bits),
    "OpFSub": _on(_float, operator.sub, _bits),
    "OpFMul": _on(_float, operator.mul, _bits),
    "OpFDiv": _on(_float, lambda a, b: a / b if b else float("inf"), _bits),
    "OpFNegate": lambda a: a ^ 0x80000000,
    "OpConvertSToF": lambda a: _bits(float(_signed(a))),
    "OpConvertUToF": lambda a: _bits(float(a)),
    "OpConvertFToS": lambda a: int(_float(a)) if abs(_float(a)) < 2**31 else 0,
    "OpConvertFToU": lambda a: int(_float(a)) if 0 <= _float(a) < 2**32 else 0,
}


def fold(name: str, operands: Sequence[Place]) -> Place | None:
    """Return a scalar computed now, where all its operands are known; else None."""
    of = FOLDED.get(name)
    if of is None:
        return None
    bits = [one.known for one in operands]
    return None if None in bits else immediate(of(*bits) & _MASK)
