"""What several shaders of one stage become when they are linked: the order of their globals.

Source: docs/glsl.md (recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.trace import glsl_syntax as syn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["built_in_names", "declaration_order", "used_names"]


def declaration_order(shaders: Sequence[syn.ShaderSyntax]) -> dict[str, int]:
    """Rank uniforms as linking several shaders of a stage does.

    The globals of the shader with main come in order of declaration; those that only a function of another shader
    names come before them, each new one in front.
    """
    home = next((shader for shader in shaders if any(f.name == "main" and f.body for f in shader.functions)), None)
    if home is None:
        return {}
    order = [name for declared in home.globals for name in _declared_names(declared)]
    elsewhere = {name for shader in shaders for declared in shader.globals for name in _declared_names(declared)}
    own = {f.name for f in home.functions if f.body}
    foreign = {f.name: f for shader in shaders if shader is not home for f in shader.functions if f.body}
    visited: set[str] = set()

    def visit(node: object, away: bool) -> None:  # noqa: FBT001 (whether the function is another shader's)
        if isinstance(node, syn.Call) and node.name not in visited and (node.name in foreign or node.name in own):
            visited.add(node.name)
            if node.name in foreign and node.name not in own:
                visit(foreign[node.name].body, True)
        if away and isinstance(node, syn.NameRef) and node.name in elsewhere and node.name not in order:
            order.insert(0, node.name)
        if isinstance(node, tuple):
            for part in node:
                visit(part, away)

    for function in home.functions:
        visit(function.body, False)
    return {name: rank for rank, name in enumerate(order)}


def built_in_names(shaders: Sequence[syn.ShaderSyntax]) -> set[str]:
    """Every ``gl_`` variable that functions name."""
    bodies = (function.body for shader in shaders for function in shader.functions)
    names = (node.name for body in bodies for node in _nodes(body) if isinstance(node, syn.NameRef))
    return {name for name in names if name.startswith("gl_")}


def used_names(shaders: Sequence[syn.ShaderSyntax]) -> set[str]:
    """Every variable that main, the functions it calls and the initial values of globals name."""
    functions: dict[str, list[object]] = {}
    for shader in shaders:
        for function in shader.functions:
            functions.setdefault(function.name, []).append(function.body)
    found: set[str] = set()
    todo: list[object] = [*functions.pop("main", []), *(shader.globals for shader in shaders)]
    while todo:
        for node in _nodes(todo.pop()):
            if isinstance(node, syn.NameRef):
                found.add(node.name)
            elif isinstance(node, syn.Call):
                todo.extend(functions.pop(node.name, []))
    return found


def _nodes(tree: object) -> Iterator[object]:
    """A tree's nodes, from the top down."""
    yield tree
    if isinstance(tree, (tuple, list)):
        for part in tree:
            yield from _nodes(part)


def _declared_names(declared: syn.Declaration | syn.InterfaceBlock) -> list[str]:
    return [declared.name] if isinstance(declared, syn.InterfaceBlock) else [name.name for name in declared.names]
