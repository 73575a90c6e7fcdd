"""Which uniforms a shader's outputs depend on: the shader is run on abstract values (`glsl_values`).

Constants are followed through variables, branches, calls and short loops, as an optimiser does; what stays unknown
carries the uniforms it comes from. A uniform is active when it reaches an output, or anything else that is seen from
outside: a discard, an image, a buffer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.trace.glsl_flow import Flow, State
from statetracker.trace.glsl_order import built_in_names, declaration_order
from statetracker.trace.glsl_statements import Statements
from statetracker.trace.glsl_values import NOTHING, Value, atoms_of, forget

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statetracker.trace import glsl_syntax as syn
    from statetracker.trace.glsl_values import Sources

__all__ = ["Flow", "trace_flow"]


def trace_flow(shaders: Sequence[syn.ShaderSyntax], stage: str, *, inputs: Mapping[str, Value] | None = None) -> Flow:
    """Run the shaders of one stage.

    inputs  what is constant of the outputs of the stage before

    Raises `ArgumentError` for what no GLSL compiler takes either.
    """
    forget()
    return _Runner(shaders, stage, inputs or {}).run()


class _Runner(Statements):
    """Declares everything, runs main, and says what came of it."""

    def run(self) -> Flow:
        """Declare everything, then run main."""
        state = State({}, NOTHING)
        for shader in self.shaders:
            self.structs.update(shader.structs)
            for function in shader.functions:
                if function.body is not None:
                    self.functions.setdefault(function.name, []).append(function)
        for shader in self.shaders:
            for declared in shader.globals:
                self.declare_global(declared, state)
        for name in built_in_names(self.shaders):
            state.values.setdefault(name, self.built_in_variable(name))
        mains = self.functions.get("main", [])
        if mains:
            self.call_function(mains[0], [], (), state)
        order = declaration_order(self.shaders)
        self.uniforms.sort(key=lambda leaf: (not leaf.block, order.get(leaf.root, len(order))))
        return Flow(
            self.uniforms,
            self.always,
            self.final_outputs(state),
            self.constant_outputs(state),
            bool(mains),
            frozenset(self.recorded),
            {matched: name for name, matched in self.outputs.items()},
        )

    def final_outputs(self, state: State) -> dict[str, Sources]:
        """What each output is made of at the end, or at each EmitVertex."""
        if self.stage == "geometry":
            return self.emitted
        return self.current_outputs(state)

    def constant_outputs(self, state: State) -> dict[str, Value]:
        """Outputs that are constant in part; after a geometry shader nothing is known of them."""
        if self.stage not in {"vertex", "tess-eval"}:
            return {}
        found = dict(self.declared_outputs(state))
        return {name: value for name, value in found.items() if any(a.known is not None for a in atoms_of(value))}
