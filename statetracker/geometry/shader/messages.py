"""Images, atomics, lengths of arrays: messages to the sampler or to memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.errors import NotLowered
from statetracker.geometry.program import Destination
from statetracker.geometry.shader.code import places
from statetracker.geometry.shader.memory import Pointer
from statetracker.geometry.shader.types import Storage
from statetracker.spirv import id_positions, literal_words_in

if TYPE_CHECKING:
    from statetracker.geometry.shader.values import Values
    from statetracker.spirv import Instruction

__all__ = ["MESSAGES", "message"]

#: How the names of instructions begin that send a message.
MESSAGES: Final = ("OpImage", "OpAtomic", "OpArrayLength")


def message(values: Values, one: Instruction) -> None:
    """Operands to message registers, and the answer in a register."""
    if "Sparse" in one.name:
        raise NotLowered(one.offset, "sparse images are not of gen7", instruction=one.name,
                         hint="Sample without residency.")  # fmt: skip
    skip = one.shape.typed + one.shape.defines
    for at in id_positions(one, lambda value: literal_words_in(values.module.definitions, one, value)):
        word = one.words[at]
        if at < skip:
            continue
        if word in values.pointers or values.is_pointer(word):
            for index in values.pointer(word).indices:
                values.code.put("mov_mrf", (index.place,))
            continue
        for column in values.of(word):
            values.code.put("mov_mrf", column)
    if one.name == "OpImageTexelPointer":
        values.pointers[one.result] = Pointer(one.result, Storage.UNIFORM_CONSTANT, one.words[0])
        return
    op = "tex" if one.name.startswith("OpImage") and one.name != "OpImageWrite" else "surface"
    if not one.result:
        values.code.write(op)
        return
    widths = values.types.columns(one.words[0])
    regs = [values.code.fresh() for _ in widths]
    for reg, width in zip(regs, widths, strict=True):
        values.code.write(op, Destination(reg, (1 << width) - 1))
    values.known[one.result] = tuple(places(reg, width) for reg, width in zip(regs, widths, strict=True))
