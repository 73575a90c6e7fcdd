"""The swizzle of a view, for devices whose views have none: every texel goes through it where it is read.

So a rewritten sample mixes texels that are swizzled with a border that is. Source: docs/shader_lowering.md.
"""

from __future__ import annotations

from typing import Final

from statetracker.shader.origin import Origin, selected
from statetracker.shader.sample_ops import SAMPLES, compares
from statetracker.shader.site import CannotRewrite, element_index
from statetracker.spirv import Editor, Emitter, Instruction
from statetracker.spirv.names import Decoration, Op

#: Instructions that read a texel by its index.
FETCHES: Final = frozenset({Op.ImageFetch, Op.ImageSparseFetch})
#: What a channel of a swizzle may be.
LETTERS: Final = "RGBA01"
_READS: Final = FETCHES | SAMPLES.keys()
#: Letter of a comparison's first channel -> the channel of (answer, 0, 0, 1).
_COMPARED: Final = dict(zip(LETTERS, "R00101", strict=True))
_ONES: Final = {16: 0x3C00, 32: 0x3F800000}


def swizzled(
    editor: Editor, one: Instruction, placed: list[Instruction], source: Origin, swizzles: list[str]
) -> list[Instruction]:
    """Return the instructions with the swizzle behind each that reads texels, or none; may raise `CannotRewrite`.

    ``one`` samples or fetches; ``placed`` stand in its place, or it alone. ``swizzles`` are those of each array element
    that can be meant, in order; empty for none. The answer of a comparison is swizzled last, with that of the border in
    it.
    """
    emit, compared = Emitter(editor), compares(one)
    reads = [each for each in placed if (each.result == one.result if compared else each.opcode in _READS)]
    meant = {each.result: _meant(editor, each, swizzles, compared=compared) for each in reads if any(swizzles)}
    if not any(map(any, meant.values())):
        return []
    varies = any(len(set(row)) > 1 for row in meant.values())
    index = element_index(emit, source) if varies else None
    relaxed = Decoration.RelaxedPrecision in editor.module.decorations.get(one.result, {})
    for each in placed:
        row = meant.get(each.result, [])
        if not any(row):
            emit.out.append(each)
            continue
        texel, kinds = _Texel(emit, each), list(dict.fromkeys(reversed(row) if source.open else row))
        whole = texel.through(kinds[0])
        for kind in kinds[1:]:
            assert index is not None  # noqa: S101 (else there is one kind)
            flag = selected(index, [one == kind for one in row])
            whole = texel.made("OpSelect", flag.spread(texel.count).id, texel.through(kind), whole)
        texel.finish(whole)
        for ident in texel.ids if relaxed else ():
            editor.decorate(ident, Decoration.RelaxedPrecision)
    return emit.out


def _meant(editor: Editor, one: Instruction, swizzles: list[str], *, compared: bool) -> list[str]:
    """Return what of each swizzle an instruction shows: all of it, one letter, nothing where it is as it stands."""
    if compared:
        return [_COMPARED[swizzle[0]].replace("R", "") if swizzle else "" for swizzle in swizzles]
    if one.opcode in SAMPLES and SAMPLES[one.opcode].gather:
        component = editor.definitions[one.words[4]]
        if component.opcode not in {Op.Constant, Op.ConstantNull}:
            raise CannotRewrite("the component that it gathers is no constant of this module")
        at = component.words[2] & 3 if component.opcode == Op.Constant else 0
        return [swizzle[at].replace(LETTERS[at], "") if swizzle else "" for swizzle in swizzles]
    return [swizzle.replace("RGBA", "") for swizzle in swizzles]


class _Texel:
    """Texels that an instruction reads, and what comes of them.

    Args:
        emit: Writes new instructions.
        one: The instruction that reads.

    Attributes:
        ids: New results that are such texels, or have one.

    Raises:
        CannotRewrite: Channels have more than 32 bits.
    """

    def __init__(self, emit: Emitter, one: Instruction) -> None:
        self.emit, self.editor, self.one = emit, emit.editor, one
        self.whole = self.editor.definitions[one.words[0]]
        self.sparse = self.whole.opcode == Op.TypeStruct
        self.kind = self.whole.words[2] if self.sparse else one.words[0]
        kind = self.editor.definitions[self.kind]
        self.component, self.count = kind.words[1:3] if kind.opcode == Op.TypeVector else (self.kind, 1)
        if self.editor.definitions[self.component].words[1] > 32:
            raise CannotRewrite("its texels have channels of 64 bits")
        self.code = 0
        self.ids: list[int] = []
        self._read: dict[str, int] = {}

    def made(self, name: str, *operands: int) -> int:
        self.ids.append(self.emit.op(name, self.kind, *operands))
        return self.ids[-1]

    def read(self, letter: str) -> int:
        """Write the instruction itself under another id, once for each channel that it gathers; return its texel."""
        if letter not in self._read:
            ident, words = self.editor.new_id(), list(self.one.words)
            words[1] = self._read[letter] = ident
            if letter:
                words[4] = self.editor.constant(self.editor.definitions[words[4]].words[0], LETTERS.index(letter))
            self.ids.append(ident)
            self.editor.definitions[ident] = self.one.copy(words)
            self.emit.out.append(self.editor.definitions[ident])
            if self.sparse:
                self.code = self.code or self.emit.op("OpCompositeExtract", self.whole.words[1], ident, 0)
                self._read[letter] = self.made("OpCompositeExtract", ident, 1)
        return self._read[letter]

    def through(self, kind: str) -> int:
        """Write the texel by what `_meant` gives; return its id."""
        texel = self.read(kind if kind in tuple("RGBA") else "")
        if kind in tuple("01"):
            return self.constants(kind * self.count)
        if len(kind) < 2:
            return texel
        picks = [LETTERS.index(letter) for letter in kind]
        return self.made("OpVectorShuffle", texel, texel if max(picks) < 4 else self.constants("01"), *picks)

    def constants(self, digits: str) -> int:
        """Return the id of zeros and ones as such channels: a vector, or one of them."""
        component = self.editor.definitions[self.component]
        one = _ONES[component.words[1]] if component.opcode == Op.TypeFloat else 1
        parts = [self.editor.constant(self.component, one * int(digit)) for digit in digits]
        vector = self.editor.type_vector(self.component, len(parts))
        return self.editor.composite(vector, parts) if len(parts) > 1 else parts[0]

    def finish(self, texel: int) -> None:
        """Replace the result of the instruction by the rearranged texel."""
        last = self.emit.out[-1]
        if self.sparse:
            self.emit.result(self.one, "OpCompositeConstruct", self.code, texel)
        elif last.result == texel:
            last.words[1] = self.one.result
            self.editor.definitions[self.one.result] = last
            self.ids.remove(texel)
        else:
            self.emit.result(self.one, "OpCopyObject", texel)
