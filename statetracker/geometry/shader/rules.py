"""What each SPIR-V instruction becomes in the vec4 back end, as far as registers are concerned.

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

#: GLSL.std.450: number -> name, steps.
EXTENDED: Final[Mapping[int, tuple[str, Steps]]] = {
    1:  ("Round",       ("rnd a",)),
    2:  ("RoundEven",   ("rnd a",)),
    3:  ("Trunc",       ("rnd a",)),
    4:  ("FAbs",        ("mov a",)),
    5:  ("SAbs",        ("mov a",)),
    6:  ("FSign",       ("cmp_flag! a", "and a", "or 2")),
    7:  ("SSign",       ("asr a", "cmp a", "or 1 2")),
    8:  ("Floor",       ("rnd a",)),
    9:  ("Ceil",        ("rnd a",)),
    10: ("Fract",       ("frc a",)),
    11: ("Radians",     ("mul a",)),
    12: ("Degrees",     ("mul a",)),
    13: ("Sin",         ("math a",)),
    14: ("Cos",         ("math a",)),
    15: ("Tan",         ("math a", "math a", "math 2", "mul 1 3")),
    16: ("Asin",        ("add a", "math 1", "mad a a a", "mad a 3 a", "mul 2 4", "add 5")),
    17: ("Acos",        ("add a", "math 1", "mad a a a", "mad a 3 a", "mul 2 4", "add 5")),
    18: ("Atan",        ("math a", "sel a 1", "mul 2 2", "mad 3 3 3", "mad 3 4 3", "mul 2 5", "cmp_flag! a", "sel 6")),
    19: ("Sinh",        ("math a", "math a", "add 1 2", "mul 3")),
    20: ("Cosh",        ("math a", "math a", "add 1 2", "mul 3")),
    21: ("Tanh",        ("math a", "math a", "add 1 2", "add 1 2", "math 4", "mul 3 5")),
    22: ("Asinh",       ("mul a a", "add 1", "math 2", "add a 3", "math 4", "mul 5")),
    23: ("Acosh",       ("mul a a", "add 1", "math 2", "add a 3", "math 4", "mul 5")),
    24: ("Atanh",       ("add a", "add a", "math 2", "mul 1 3", "math 4", "mul 5")),
    25: ("Atan2",       ("math b", "mul a 1", "mul 2 2", "mad 3 3 3", "mad 3 4 3", "mul 2 5", "cmp_flag! b", "sel 6")),
    26: ("Pow",         ("math a b",)),
    27: ("Exp",         ("mul a", "math 1")),
    28: ("Log",         ("math a", "mul 1")),
    29: ("Exp2",        ("math a",)),
    30: ("Log2",        ("math a",)),
    31: ("Sqrt",        ("math a",)),
    32: ("InverseSqrt", ("math a",)),
    37: ("FMin",        ("sel a b",)),
    38: ("UMin",        ("sel a b",)),
    39: ("SMin",        ("sel a b",)),
    40: ("FMax",        ("sel a b",)),
    41: ("UMax",        ("sel a b",)),
    42: ("SMax",        ("sel a b",)),
    43: ("FClamp",      ("sel a b", "sel 1 c")),
    44: ("UClamp",      ("sel a b", "sel 1 c")),
    45: ("SClamp",      ("sel a b", "sel 1 c")),
    46: ("FMix",        ("lrp a b c",)),
    48: ("Step",        ("cmp a b", "and 1")),
    49: ("SmoothStep",  ("add c a", "add b a", "math 2", "mul 1 3", "mad 4 4 4", "mul 4 4", "mul 5 6")),
    50: ("Fma",         ("mad a b c",)),
    53: ("Ldexp",       ("shl b", "add a 1")),
    54: ("PackSnorm4x8",    ("sel a", "mul 1", "rnd 2", "mov 3", "pack 4")),
    55: ("PackUnorm4x8",    ("sel a", "mul 1", "rnd 2", "mov 3", "pack 4")),
    56: ("PackSnorm2x16",   ("sel a", "mul 1", "rnd 2", "shl 3", "or 3 4")),
    57: ("PackUnorm2x16",   ("sel a", "mul 1", "rnd 2", "shl 3", "or 3 4")),
    58: ("PackHalf2x16",    ("f32to16 a", "shl 1", "or 1 2")),
    60: ("UnpackSnorm2x16", ("asr a", "mov 1", "mul 2")),
    61: ("UnpackUnorm2x16", ("shr a", "mov 1", "mul 2")),
    62: ("UnpackHalf2x16",  ("shr a", "f16to32 1")),
    63: ("UnpackSnorm4x8",  ("asr a", "mov 1", "mul 2")),
    64: ("UnpackUnorm4x8",  ("shr a", "mov 1", "mul 2")),
    66: ("Length",      ("dp a a", "math 1")),
    67: ("Distance",    ("add a b", "dp 1 1", "math 2")),
    68: ("Cross",       ("mul a b", "mad a b 1")),
    69: ("Normalize",   ("dp a a", "math 1", "mul a 2")),
    70: ("FaceForward", ("dp b c", "cmp_flag! 1", "sel a a")),
    71: ("Reflect",     ("dp a b", "mul 1 b", "add a 2")),
    72: ("Refract",     ("dp a b", "mad 1 1 c", "math 2", "mad c 1 3", "mul 4 b", "mad a c 5")),
    73: ("FindILsb",    ("fbl a",)),
    74: ("FindSMsb",    ("fbh a", "add 1")),
    75: ("FindUMsb",    ("fbh a", "add 1")),
    79: ("NMin",        ("sel a b",)),
    80: ("NMax",        ("sel a b",)),
    81: ("NClamp",      ("sel a b", "sel 1 c")),
}  # fmt: skip
