"""The tables of docs/geometry.md: what each SPIR-V instruction becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.geometry.shader.rules import ARITHMETIC, EXTENDED, PAIRS
from tools.codegen.doc_layout import codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["GEOMETRY_TABLES"]


#: Instructions that special code lowers -> what becomes of them.
_SPECIAL: Final[Mapping[str, str]] = {
    "OpMatrixTimesVector, OpMatrixTimesMatrix": "mul, then a mad for each further column",
    "OpVectorTimesMatrix": "a dp for each column, into one register",
    "OpMatrixTimesScalar, OpOuterProduct": "a mul for each column",
    "OpTranspose, OpCompositeConstruct, OpCompositeInsert, OpVectorShuffle":
        "nothing where a swizzle reads it; else a mov for each register it is gathered from, once",
    "OpCompositeExtract, OpCopyObject, OpCopyLogical, OpBitcast": "nothing: it is read where it lies",
    "OpVectorExtractDynamic, OpVectorInsertDynamic": "cmp_flag and a predicated mov for each component",
    "Determinant, MatrixInverse": "mul and mad for each product of the cofactors, one reciprocal",
    "Modf, Frexp": "as ModfStruct, FrexpStruct, and a store",
    "OpLoad, OpStore, OpAccessChain, OpInBoundsAccessChain, OpCopyMemory":
        "values of variables stay where they were made; the same place where control flow meets: a mov",
    "input": "read from the payload; an index at run time: cmp_flag and a predicated mov for each vertex or element",
    "push constant, uniform": "read from the payload; an index at run time: a pull message",
    "uniform block, storage block": "a pull message for each vec4; a store: mov_mrf and a message",
    "array or matrix indexed at run time": "scratch memory: a message for each vec4; taken before any spill",
    "output array indexed at run time": "cmp_flag and a predicated mov for each element",
    "OpImageSample..., OpImageFetch, OpImageGather, OpImageQuery..., OpImageRead, OpAtomic...":
        "mov_mrf for each operand, and a message whose answer is a register",
    "OpSelectionMerge, OpBranchConditional": "if, else, endif; a known condition: only the branch taken",
    "OpLoopMerge": "unrolled where the count is known (up to 32 rounds and 1000 instructions), else do, break, while",
    "OpSwitch": "an if for each case; a break from deep within: a loop of one round",
    "OpPhi": "a mov at the end of each block it comes from; none where they agree",
    "OpFunctionCall": "inlined; a return from deep within: a loop of one round",
    "OpEmitVertex, OpEmitStreamVertex": "if below max_vertices: a mov_mrf for each output slot, the URB write",
    "OpEndPrimitive, OpEndStreamPrimitive": "the cut bit of the last vertex, where there are cut bits",
}  # fmt: skip


def _by_steps(rows: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """Rows with the same steps in one."""
    by_steps: dict[tuple[str, ...], list[str]] = {}
    for name, steps in rows:
        by_steps.setdefault(steps, []).append(name)
    return grid(("instruction", "steps"), ((codes(names), "; ".join(steps)) for steps, names in by_steps.items()))


GEOMETRY_TABLES: Final[dict[str, Callable[[], str]]] = {
    "geometry instructions": lambda: _by_steps([*ARITHMETIC.items(), *PAIRS.items()]),
    "geometry extended": lambda: _by_steps(EXTENDED.values()),
    "geometry special": lambda: grid(("what", "becomes"), _SPECIAL.items()),
}
