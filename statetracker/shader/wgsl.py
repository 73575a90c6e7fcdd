"""What WGSL does not sample: remarks on instructions that a WebGPU device refuses, or carries out otherwise.

naga, wgpu's reader of SPIR-V, refuses most of them; a level of a comparison and the offset of a fetch it drops.
Source: WGSL, "Texture Built-in Functions"; measured with wgpu-py 0.32 and Dawn 133 (docs/webgpu.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.shader.constants import is_zero
from statetracker.shader.sample_ops import SAMPLES, split
from statetracker.spirv.names import Dim, ImageOperands, Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from statetracker.spirv import Editor, Instruction


class _Use(NamedTuple):
    """An instruction, its image type, and that type's texels."""

    editor: Editor
    one: Instruction
    image: Instruction
    operands: dict[int, list[int]]

    @property
    def compares(self) -> bool:
        return self.one.opcode in SAMPLES and SAMPLES[self.one.opcode].third == "dref"

    def has(self, *bits: int) -> bool:
        """Whether it has one of some image operands."""
        return any(bit in self.operands for bit in bits)

    @property
    def off_level_0(self) -> bool:
        """Whether its level of detail is explicit and not 0."""
        levels = self.operands.get(ImageOperands.Lod)
        return self.has(ImageOperands.Grad) or (levels is not None and not is_zero(self.editor, levels[0]))

    @property
    def line(self) -> bool:
        return self.image.words[2] == Dim.Dim1D and self.one.opcode in SAMPLES

    @property
    def integers(self) -> bool:
        return self.editor.definitions[self.image.words[1]].opcode == Op.TypeInt


_DYNAMIC: Final = (ImageOperands.Offset, ImageOperands.ConstOffsets, ImageOperands.Offsets)

# fmt: off
#: What an instruction does -> what is said of it.
RULES: Final[tuple[tuple[Callable[[_Use], bool], str], ...]] = (
    (lambda u: u.one.opcode == Op.ImageQueryLod,                             "WGSL asks for no level of detail: lower with lod_query=False"),
    (lambda u: u.one.opcode in SAMPLES and SAMPLES[u.one.opcode].sparse,     "WGSL has no sparse samples"),
    (lambda u: u.has(ImageOperands.MinLod),                                  "WGSL has no least level of detail for a sample"),
    (lambda u: u.compares and u.has(ImageOperands.Bias),                     "WGSL compares without an LOD bias"),
    (lambda u: u.compares and u.off_level_0,                                 "WGSL compares at level 0 where the level is explicit: naga drops the level"),
    (lambda u: u.one.opcode == Op.ImageFetch and u.has(ImageOperands.ConstOffset), "WGSL fetches without an offset: naga drops it"),
    (lambda u: u.has(*_DYNAMIC),                                             "WGSL has one constant offset for a sample"),
    (lambda u: u.line and u.has(ImageOperands.Bias),                         "WGSL samples 1D images without an LOD bias"),
    (lambda u: u.line and u.has(ImageOperands.Lod, ImageOperands.Grad, ImageOperands.ConstOffset), "WGSL samples 1D images at an implicit level, without an offset: naga takes both"),
    (lambda u: u.line and u.compares,                                        "WGSL compares no 1D images: naga takes them"),
    (lambda u: u.integers and u.one.opcode in SAMPLES and not SAMPLES[u.one.opcode].gather, "WGSL samples no integers"),
)
# fmt: on


def remarks(editor: Editor, one: Instruction, image: Instruction) -> list[str]:
    """Why a WebGPU device refuses an instruction, or runs it otherwise; empty where it runs it as it stands."""
    words = one.words[4 + (one.opcode in SAMPLES and bool(SAMPLES[one.opcode].third)) :]
    operands = split(words) if one.opcode in SAMPLES or one.opcode == Op.ImageFetch else {}
    use = _Use(editor, one, image, operands)
    return [reason for broken, reason in RULES if broken(use)]
