"""Calls in a shader: constructors, its own functions, built-in ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from statetracker.trace.glsl_expressions import Expressions
from statetracker.trace.glsl_flow import Frame, merge, scalar_of
from statetracker.trace.glsl_functions import EFFECTS, OUT_ARGUMENTS, built_in, construct, convert
from statetracker.trace.glsl_values import NOTHING, Array, Handle, Record, Value, Vec, join, known, shape_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.trace import glsl_syntax as syn
    from statetracker.trace.glsl_flow import State
    from statetracker.trace.glsl_values import Sources

__all__ = ["Calls"]


class Calls(Expressions):
    """Runs a function's body where it is called."""

    def call(self, call: syn.Call, state: State) -> Value:
        """A constructor, one of the shader's functions, or a built-in one."""
        arguments = [self.value(argument, state) for argument in call.arguments]
        if call.dims:
            return Array(tuple(self.converted(call.name, argument) for argument in arguments))
        if call.name in self.structs:
            names = [name.name for member in self.structs[call.name] for name in member.names]
            return Record(dict(zip(names, arguments, strict=False)))
        own = self.overload(call.name, arguments)
        if own is not None:
            return self.call_function(own, arguments, call.arguments, state)
        if shape_of(call.name)[0]:
            return construct(call.name, arguments)
        if call.name.startswith("Emit") and call.name.endswith("Vertex"):
            self.emit(state)
            return known(0)
        return self.call_built_in(call, arguments, state)

    def call_built_in(self, call: syn.Call, arguments: Sequence[Value], state: State) -> Value:
        """A built-in function, with what it writes and what is seen of it from outside."""
        value = built_in(call.name, arguments)
        if arguments and isinstance(arguments[0], Handle) and isinstance(value, Vec):
            value = self.looked_up(value)
        for place in OUT_ARGUMENTS.get(call.name, ()):
            if place < len(arguments):
                self.write(self.path(call.arguments[place], state), value, state)
        if call.name.startswith(EFFECTS):
            self.effect(state, sources_of(*arguments))
            if call.name.startswith("atomic") and arguments and call.arguments:
                self.write(self.path(call.arguments[0], state), value, state)
        return value

    def emit(self, state: State) -> None:
        """A geometry shader hands its outputs on."""
        self.effect(state)
        for name, sources in self.current_outputs(state).items():
            self.emitted[name] = self.emitted.get(name, NOTHING) | sources

    def overload(self, name: str, arguments: Sequence[Value]) -> syn.Function | None:
        """The function that fits the arguments best: the same number of them, then the same shapes."""
        fitting = [f for f in self.functions.get(name, ()) if len(f.parameters) == len(arguments)]
        if len(fitting) <= 1:
            return fitting[0] if fitting else None
        return max(fitting, key=lambda f: sum(map(self.fits, f.parameters, arguments)))

    def fits(self, parameter: syn.Parameter, argument: Value) -> bool:
        """Whether an argument has a parameter's shape."""
        if isinstance(argument, Handle):
            return argument.type == parameter.type.name
        if isinstance(argument, Array):
            return bool(parameter.type.dims)
        if isinstance(argument, Record):
            return parameter.type.name in self.structs
        shape = shape_of(parameter.type.name)
        number = argument.atoms[0].known if argument.atoms else None
        exact = number is None or isinstance(number, float) == (scalar_of(parameter.type.name) in {"float", "double"})
        return shape == (len(argument.atoms), argument.rows) and not parameter.type.dims and exact

    def call_function(
        self, function: syn.Function, arguments: Sequence[Value], targets: Sequence[syn.Expression], state: State
    ) -> Value:
        """Run a function's body on its arguments, then copy out what it gives back."""
        if function.name in self.calls or function.body is None:
            self.recursion(function)
        paths = [
            self.path(target, state) if parameter.qualifiers.words & {"out", "inout"} else None
            for parameter, target in zip(function.parameters, targets, strict=True)
        ]
        outer, before = self.frame, state.control
        self.calls.append(function.name)
        self.frame = Frame(outer.depth + 1)
        keys = [
            self.bind(parameter, value, state) for parameter, value in zip(function.parameters, arguments, strict=True)
        ]
        after = self.block(function.body.body, state.copy())
        ways = [*self.frame.returns, *([(after, None)] if after is not None else [])]
        self.frame = outer
        self.calls.pop()
        merged = merge([way for way, _ in ways], before)
        if merged is not None:
            state.become(merged)
        for key, path in zip(keys, paths, strict=True):
            if path is not None and key in state.values:
                self.write(path, state.values[key], state)
        return self.returned(function, ways, before, state)

    def recursion(self, function: syn.Function) -> NoReturn:
        """GLSL knows none."""
        from statetracker.trace.glsl_preprocess import refuse

        refuse(function.line, f"function {function.name} calls itself")

    def bind(self, parameter: syn.Parameter, value: Value, state: State) -> str:
        """Give a parameter its value."""
        key = f"{self.frame.depth}:0:{parameter.name}"
        self.frame.scopes[0][parameter.name] = key
        if "out" in parameter.qualifiers.words and "inout" not in parameter.qualifiers.words:
            value = self.plain(parameter.type.name, parameter.type.dims, state)
        if shape_of(parameter.type.name)[0] or parameter.type.name in self.structs:
            state.values[key] = self.as_parameter(parameter, value)
        else:
            self.frame.handles[key] = value
        return key

    def as_parameter(self, parameter: syn.Parameter, value: Value) -> Value:
        """Convert constants to the parameter's type."""
        return value if parameter.type.dims else self.converted(parameter.type.name, value)

    def converted(self, type_name: str, value: Value) -> Value:
        """Convert constants to a type; what is no vector or matrix stays as it is."""
        if not isinstance(value, Vec) or not shape_of(type_name)[0]:
            return value
        return Vec(tuple(convert(scalar_of(type_name), atom) for atom in value.atoms), value.rows)

    def returned(
        self, function: syn.Function, ways: Sequence[tuple[State, Value | None]], before: Sources, state: State
    ) -> Value:
        """What a call is worth: any of the values returned."""
        values = [self.converted(function.type.name, value) for _, value in ways if value is not None]
        if not values:
            return self.plain(function.type.name, function.type.dims, state)
        extra = NOTHING.union(*(way.control for way, _ in ways)) - before
        result = values[0]
        for value in values[1:]:
            result = join(result, value, extra)
        return result

    def block(self, body: Sequence[syn.Statement], state: State | None) -> State | None:
        """Statements in a scope of their own: `Statements`."""
        raise NotImplementedError
