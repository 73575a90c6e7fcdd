"""Rows of ``statetracker bench`` for the rewriter of shaders: a shader of about 10 KB, and what rewriting it costs.

GL_CLAMP is written as a clamped coordinate (letters), or by coverage; a border by coverage with mipmaps.
"""

from __future__ import annotations

import itertools
import struct
from typing import TYPE_CHECKING, Any, Final

from statetracker.benchmarks.measure import Work, statement
from statetracker.pipe import Lowering, TexFilter, TexMipfilter
from statetracker.shader import lower
from statetracker.spirv import Instruction, Module
from statetracker.spirv.grammar import opcode

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Samples in the example, each with a sampler and some arithmetic of its own: about 10 KB.
SAMPLES: Final = 49

_TIMES: Final = 3
_ARITHMETIC: Final = ("OpFMul", "OpFAdd", "OpFSub", "OpFMul")
_BLOCK: Final = (1, 0)
_LINEAR: Final = Lowering(min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR, route="edge")
#: GL_CLAMP by coverage, of a texture without mipmaps.
COVERAGE: Final = _LINEAR._replace(half_border="st", min_mip_filter=TexMipfilter.NONE)
#: A border colour on a sampler without borders, with mipmaps.
BORDER: Final = _LINEAR._replace(border="st", min_mip_filter=TexMipfilter.LINEAR)
#: How samples take their level, in turn: the instruction and its image operands' mask.
_FORMS: Final = (("OpImageSampleImplicitLod", 0), ("OpImageSampleImplicitLod", 1), ("OpImageSampleExplicitLod", 2))


def example(samples: int = SAMPLES) -> bytes:
    """Write a fragment shader that samples 2D textures with implicit LOD, with a bias and with an explicit LOD in turn.

    Coordinates and results go through arithmetic, as in shaders that people write.

    Args:
        samples: How many samplers it has, each with its own binding of set 0 and one sampling instruction.
    """
    ids = itertools.count(1)
    main, given, out, void, kind, real, vec2, vec4, taken, put, image, sampled, sampler, level, label, point = (
        next(ids) for _ in range(16)
    )
    name = struct.unpack("<2I", b"main\0\0\0\0")
    variables = [next(ids) for _ in range(samples)]
    head = [("OpCapability", 1), ("OpMemoryModel", 0, 1), ("OpEntryPoint", 4, main, *name, given, out)]
    head += [("OpExecutionMode", main, 7), ("OpDecorate", given, 30, 0), ("OpDecorate", out, 30, 0)]
    for binding, variable in enumerate(variables):
        head += [("OpDecorate", variable, 34, 0), ("OpDecorate", variable, 33, binding)]
    head += [("OpTypeVoid", void), ("OpTypeFunction", kind, void), ("OpTypeFloat", real, 32)]
    head += [("OpTypeVector", vec2, real, 2), ("OpTypeVector", vec4, real, 4)]
    head += [("OpTypePointer", taken, 1, vec4), ("OpTypePointer", put, 3, vec4)]
    head += [("OpTypeImage", image, real, 1, 0, 0, 0, 1, 0), ("OpTypeSampledImage", sampled, image)]
    head += [("OpTypePointer", sampler, 0, sampled), ("OpConstant", real, level, 0x3F800000)]
    head += [("OpVariable", taken, given, 1), ("OpVariable", put, out, 3)]
    head += [("OpVariable", sampler, variable, 0) for variable in variables]
    body = [("OpFunction", void, main, 0, kind), ("OpLabel", label), ("OpLoad", vec4, point, given)]
    total = point
    for (form, mask), variable in zip(itertools.cycle(_FORMS), variables, strict=False):
        texture, place, texel = next(ids), next(ids), next(ids)
        body += [("OpLoad", sampled, texture, variable), ("OpVectorShuffle", vec2, place, point, total, 0, 5)]
        body.append((form, vec4, texel, texture, place, *((mask, level) if mask else ())))
        for operation in _ARITHMETIC:
            made = next(ids)
            body.append((operation, vec4, made, texel, total))
            texel = made
        total = texel
    body += [("OpStore", out, total), ("OpReturn",), ("OpFunctionEnd",)]
    laid = [Instruction(opcode(word), list(words)) for word, *words in [*head, *body]]
    return Module(laid, version=0x10300, bound=next(ids)).to_bytes()


def shader_works() -> Iterator[Work]:
    """Yield the rows of the rewriter."""
    module = example()
    size = f"a module of {len(module) / 1000:.1f} KB"
    every, one, none = {(0, n): "st" for n in range(SAMPLES)}, {(0, 7): "st"}, {(0, 7): ""}
    clamp, border = ({(0, n): row for n in range(SAMPLES)} for row in (COVERAGE, BORDER))
    for name, text, asked in (
        (f"lower, {size}, {SAMPLES} of {SAMPLES} samples", "lower(module, asked)", every),
        (f"lower, {size}, 1 sample of it", "lower(module, asked)", one),
        (f"lower, {size}, nothing to clamp", "lower(module, asked)", none),
        (f"lower, {size}, GL_CLAMP by coverage, {SAMPLES} samples", "lower(module, asked, values=block)", clamp),
        (f"lower, {size}, border and mipmaps, {SAMPLES} samples", "lower(module, asked, values=block)", border),
        (f"Module.read and to_bytes, {size}", "Module.read(module).to_bytes()", none),
    ):
        names: dict[str, Any] = {"lower": lower, "Module": Module, "module": module, "asked": asked, "block": _BLOCK}
        yield statement(name, text, _TIMES, **names)._replace(size=len(module))
