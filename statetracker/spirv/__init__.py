"""SPIR-V modules: read, check, query, edit, write.

`Module.read` takes a file's bytes; `Editor` adds to a module and makes a new one; `Emitter` and `Word` write
arithmetic into it. See docs/spirv.md.
"""

from __future__ import annotations

from statetracker.spirv.check import renamed
from statetracker.spirv.editor import Editor, without
from statetracker.spirv.grammar import Shape, opcode, shape
from statetracker.spirv.instruction import Instruction, ids_in, literal_words_in, text_of, words_of
from statetracker.spirv.module import Block, EntryPoint, Function, Module
from statetracker.spirv.word import Emitter, Kind, Word

__all__ = [
    "Block",
    "Editor",
    "Emitter",
    "EntryPoint",
    "Function",
    "Instruction",
    "Kind",
    "Module",
    "Shape",
    "Word",
    "ids_in",
    "literal_words_in",
    "opcode",
    "renamed",
    "shape",
    "text_of",
    "without",
    "words_of",
]
