"""What several shaders of one stage become when they are linked: the order of their globals.

Source: docs/glsl.md (recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.trace import glsl_syntax as syn

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["built_in_names", "declaration_order"]


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
    found: set[str] = set()

    def visit(node: object) -> None:
        if isinstance(node, syn.NameRef) and node.name.startswith("gl_"):
            found.add(node.name)
        elif isinstance(node, tuple):
            for part in node:
                visit(part)

    for shader in shaders:
        for function in shader.functions:
            visit(function.body)
    return found


def _declared_names(declared: syn.Declaration | syn.InterfaceBlock) -> list[str]:
    return [declared.name] if isinstance(declared, syn.InterfaceBlock) else [name.name for name in declared.names]
