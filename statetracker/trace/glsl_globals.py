"""Globals of a shader: inputs, outputs, blocks, and the variables that GLSL has by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.trace import glsl_syntax as syn
from statetracker.trace.glsl_flow import interface_name
from statetracker.trace.glsl_uniforms import Uniforms
from statetracker.trace.glsl_values import (
    NOTHING,
    WHOLE,
    Array,
    Record,
    Source,
    Value,
    known,
    sources_of,
    unknown,
    with_sources,
)
from statetracker.trace.glsl_variables import CONSTANTS, FRAGMENT_INPUTS, MOST_VERTICES, OUTPUTS, PER_VERTEX, SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.trace.glsl_flow import State
    from statetracker.trace.glsl_values import Sources

__all__ = ["Globals"]


class Globals(Uniforms):
    """Gives every global its value."""

    def declare_global(self, declared: syn.Declaration | syn.InterfaceBlock, state: State) -> None:
        """Give a global its value: uniforms and inputs are their own sources."""
        words = declared.qualifiers.words
        if isinstance(declared, syn.InterfaceBlock):
            self.declare_block(declared, state)
            return
        for name in declared.names:
            dims = name.dims + declared.type.dims
            if "uniform" in words:
                if name.name not in self.uniform_keys:
                    self.uniform_keys.add(name.name)
                    value = self.uniform(declared, name.name, dims, state)
                    state.values[name.name] = value
                continue
            if self.is_input(words):
                state.values[name.name] = self.input(declared, name.name, dims, state)
                continue
            if self.is_output(words):
                self.declare_output(declared, name.name, state)
            if words & {"shared", "out"} and self.stage in {"compute", "tess-ctrl"}:
                self.weak.add(name.name)
            if name.initial is not None:
                initial = self.initial(declared.type.name, dims, name.initial, state)
                state.values[name.name] = initial
            elif name.name not in state.values:
                state.values[name.name] = self.plain(declared.type.name, dims, state)

    def declare_output(self, declared: syn.Declaration, name: str, state: State) -> None:
        """Remember what an output is matched by, and whether transform feedback records it."""
        self.outputs[name] = self.matched_by(declared, name, state)
        if "xfb_offset" in declared.qualifiers.layout:
            self.recorded.add(self.outputs[name])

    def matched_by(self, declared: syn.Declaration, name: str, state: State) -> str:
        """What an input or output is matched by: its place in layout(...), or else its name."""
        place = (self.location(declared, state, key) for key in ("location", "component", "index"))
        return interface_name(name, *place)

    def is_input(self, words: frozenset[str]) -> bool:
        """Whether these qualifiers make an input."""
        return bool(words & {"in", "attribute"}) or ("varying" in words and self.stage == "fragment")

    def is_output(self, words: frozenset[str]) -> bool:
        """Whether these qualifiers make an output."""
        return bool(words & {"out", "inout"}) or ("varying" in words and self.stage != "fragment")

    def declare_block(self, block: syn.InterfaceBlock, state: State) -> None:
        """Members of blocks: inputs and outputs are matched by the block's name, buffers are seen from outside."""
        words = block.qualifiers.words
        if block.name == "gl_PerVertex" and not block.instance:
            return
        fields: dict[str, Value] = {}
        for member in block.members:
            for name in member.names:
                dims = name.dims + member.type.dims
                full = name.name if block.name == "gl_PerVertex" else f"{block.name}.{name.name}"
                if "xfb_offset" in {*block.qualifiers.layout, *member.qualifiers.layout}:
                    self.recorded.add(full)
                fields[name.name] = self.block_member(block, full, member.type.name, dims, state)
                if not block.instance:
                    state.values[name.name] = fields[name.name]
                    self.note_block_variable(name.name, full, words)
        if block.instance:
            instance: Value = Record(fields)
            for dim in block.dims[:1]:
                size = self.size(dim, state)
                instance = Array((instance,) * (MOST_VERTICES if size == WHOLE else size))
            state.values[block.instance] = instance
            self.note_block_variable(block.instance, block.name, words)
            if "out" in words:
                self.block_outputs[block.instance] = block.name

    def block_member(
        self,
        block: syn.InterfaceBlock,
        full: str,
        type_name: str,
        dims: Sequence[syn.Expression | None],
        state: State,
    ) -> Value:
        """A member of a block, as a value."""
        words = block.qualifiers.words
        if "in" in words:
            return self.from_before(full, self.plain(type_name, dims, state, frozenset({Source("input", full)})))
        if "uniform" in words and full not in self.uniform_keys:
            self.uniform_keys.add(full)
            start = len(self.uniforms)
            self.uniform_value(type_name, full, dims, state, full)
            packed = "packed" in block.qualifiers.layout
            self.uniforms[start:] = [leaf._replace(block=True) for leaf in self.uniforms[start:]]
            sources = frozenset({Source("uniform", full, WHOLE)})
            if not packed:
                self.always |= sources
            return self.plain(type_name, dims, state, sources)
        return self.plain(type_name, dims, state)

    def note_block_variable(self, key: str, full: str, words: frozenset[str]) -> None:
        """Remember what a write to a block's variable means."""
        if "buffer" in words:
            self.seen_outside.add(key)
            self.weak.add(key)
        elif "out" in words:
            self.outputs[key] = full
            if self.stage == "tess-ctrl":
                self.weak.add(key)

    def input(self, declared: syn.Declaration, name: str, dims: Sequence[syn.Expression | None], state: State) -> Value:
        """An input: its own source, except in a vertex shader, where nothing stands before it."""
        matched = self.matched_by(declared, name, state)
        sources = NOTHING if self.stage == "vertex" else frozenset({Source("input", matched)})
        return self.from_before(matched, self.plain(declared.type.name, dims, state, sources))

    def initial(
        self, type_name: str, dims: Sequence[syn.Expression | None], expression: syn.Expression, state: State
    ) -> Value:
        """An initial value: `Expressions`."""
        raise NotImplementedError

    def built_in_variable(self, name: str) -> Value:
        """A ``gl_`` variable before anything is written to it."""
        if name in CONSTANTS:
            return known(CONSTANTS[name])
        if name in {"gl_in", "gl_out"}:
            return self.per_vertex(name == "gl_in")
        sources = NOTHING
        if self.stage == "fragment" and name in FRAGMENT_INPUTS:
            sources = frozenset(Source("input", output) for output in FRAGMENT_INPUTS[name])
        elif self.stage == "tess-eval" and name.startswith("gl_TessLevel"):
            sources = frozenset({Source("input", name)})
        size, rows, elements = SHAPES.get(name, (16, 4, 0) if "Matrix" in name else (4, 0, 0))
        items = [unknown(size, sources, rows=rows) for _ in range(elements or 1)]
        return Array(tuple(items)) if elements else items[0]

    def per_vertex(self, incoming: bool) -> Value:  # noqa: FBT001 (gl_in or gl_out)
        """gl_in and gl_out."""
        fields: dict[str, Value] = {}
        for name, size in PER_VERTEX.items():
            fields[name] = unknown(size, frozenset({Source("input", name)}) if incoming else NOTHING)
        for name, size in (("gl_ClipDistance", 1), ("gl_CullDistance", 1), ("gl_TexCoord", 4)):
            sources = frozenset({Source("input", name)}) if incoming else NOTHING
            fields[name] = Array(tuple(unknown(size, sources) for _ in range(8)))
        return Array(tuple(with_sources(Record(fields), NOTHING) for _ in range(MOST_VERTICES)))

    def current_outputs(self, state: State) -> dict[str, Sources]:
        """What each output is made of now."""
        found = {name: sources_of(value) for name, value in self.declared_outputs(state)}
        for key, value in state.values.items():
            if key in OUTPUTS and not (self.stage == "fragment" and key in FRAGMENT_INPUTS):
                found[key] = sources_of(value)
        return found

    def declared_outputs(self, state: State) -> Iterator[tuple[str, Value]]:
        """Outputs that the shader declares, members of blocks one by one."""
        for key, name in self.outputs.items():
            value = state.values.get(key)
            if value is None:
                continue
            if key in self.block_outputs and isinstance(value, Array) and value.items:
                # The same member of all blocks of an array is one output.
                for member in value.items[0].fields if isinstance(value.items[0], Record) else ():
                    fields = tuple(item.fields[member] for item in value.items if isinstance(item, Record))
                    yield (member if name == "gl_PerVertex" else f"{name}.{member}"), Array(fields)
            elif key in self.block_outputs and isinstance(value, Record):
                for member, field in value.fields.items():
                    yield (member if name == "gl_PerVertex" else f"{name}.{member}"), field
            else:
                yield name, value
