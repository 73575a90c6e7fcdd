"""Rules: a SPIR-V instruction to those of the vec4 back end, as far as registers are concerned.

A step is a back-end opcode and what it reads: letters are the operands in order (a, b, c), digits are earlier steps (1:
the first). An opcode with ``!`` writes no virtual register: the flag, the accumulator. The last step is the result.
Source: Ivy Bridge PRM, volume 4 part 3 (instruction set); docs/geometry.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Instructions that leave no code.
NOTHING: Final = frozenset({
    "OpLine", "OpNoLine", "OpNop", "OpLabel", "OpVariable", "OpSelectionMerge", "OpLoopMerge", "OpMemoryBarrier",
    "OpControlBarrier",
})  # fmt: skip

Steps = tuple[str, ...]


def _same(steps: Steps, names: str) -> dict[str, Steps]:
    return dict.fromkeys(names.split(), steps)


#: A comparison writes a register, or the flag alone where a branch or a selection right after it is all that reads it.
COMPARISONS: Final = frozenset({
    "OpIEqual", "OpINotEqual", "OpLogicalEqual", "OpLogicalNotEqual",
    "OpUGreaterThan", "OpSGreaterThan", "OpUGreaterThanEqual", "OpSGreaterThanEqual",
    "OpULessThan", "OpSLessThan", "OpULessThanEqual", "OpSLessThanEqual",
    "OpFOrdEqual", "OpFUnordEqual", "OpFOrdNotEqual", "OpFUnordNotEqual",
    "OpFOrdLessThan", "OpFUnordLessThan", "OpFOrdLessThanEqual", "OpFUnordLessThanEqual",
    "OpFOrdGreaterThan", "OpFUnordGreaterThan", "OpFOrdGreaterThanEqual", "OpFUnordGreaterThanEqual",
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
