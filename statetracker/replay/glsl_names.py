"""Names of a stage that main reaches, and with which index: the call graph by names, nothing else.

Functions that share a name are one; a sampler passed to a function is used by the caller. A parameter or a local
variable hides what has its name. What stands in code that never runs is reached too. Source: docs/glsl.md (recorded
live on Mesa 22.3.6: the order in which the globals of several shaders are joined).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from statetracker.replay.glsl_declarations import LONGEST, closing, constant
from statetracker.replay.glsl_uniforms import WHOLE, further, is_basic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from statetracker.replay.glsl_declarations import Body, Declarations


class Named(NamedTuple):
    """A name in a function; ``element`` has the tokens of ``[...]`` behind it, None where there is none."""

    name: str
    element: Sequence[str] | None


def named(body: Body, types: Collection[str]) -> Iterator[Named]:
    """Yield the names of a body that mean something global, in order.

    ``types`` are names of structures; a name behind a type is declared there, and hidden up to the end of its block.
    """
    scopes: list[set[str]] = [set(body.parameters)]
    hidden = Counter(body.parameters)
    declared: set[str] = set()
    brackets, before = 0, ""
    for place, word in enumerate(body.tokens):
        brackets += (word in "([") - (word in ")]")
        if word == "{":
            scopes.append(set())
        elif word == "}" and len(scopes) > 1:
            hidden.subtract(scopes.pop())
        elif word == ";" and not brackets:
            hidden.update(declared - scopes[-1])
            scopes[-1] |= declared
            declared = set()
        elif word.isidentifier() and (before in types or is_basic(before)):
            if not brackets:  # what the head of a loop declares is not followed to the loop's end
                declared.add(word)
        elif word.isidentifier() and before != "." and not hidden[word]:
            yield Named(word, _element(body.tokens, place + 1))
        before = word


def _element(tokens: Sequence[str], place: int) -> Sequence[str] | None:
    """Return what stands between brackets at a place."""
    if tokens[place : place + 1] != ["["]:
        return None
    part = tokens[place : place + LONGEST + 3]  # what is longer is no constant
    return part[1 : closing(part, 0) - 1]


def _graph(shaders: Sequence[Declarations]) -> dict[str, list[list[Named]]]:
    """Return the names in each body of some shaders, bodies of one name together."""
    types = {name for shader in shaders for name in shader.structs}
    graph: dict[str, list[list[Named]]] = {}
    for shader in shaders:
        for body in shader.bodies:
            graph.setdefault(body.name, []).append(list(named(body, types)))
    return graph


def reached(shaders: Sequence[Declarations]) -> list[Named]:
    """Every global name that main and what it reaches name; in a stage without main, every name."""
    graph = _graph(shaders)
    entries = [body.name for shader in shaders for body in shader.bodies if body.entry]
    todo = ["main", *entries] if "main" in graph else list(graph)
    visited: list[Named] = []
    while todo:
        for names in graph.pop(todo.pop(), ()):
            visited += names
            todo += [name.name for name in names if name.name in graph]
    return visited


def highest(names: Sequence[Named], constants: Mapping[str, int]) -> dict[str, int]:
    """Return the highest element that each name is used with; `WHOLE` without a constant index."""
    last: dict[str, int] = {}
    for name, element in names:
        value = None if element is None else constant(element, constants)
        last[name] = further(WHOLE if value is None or value < 0 else value, last.get(name, 0))
    return last


def order(shaders: Sequence[Declarations]) -> dict[str, int]:
    """Rank uniforms as linking several shaders of a stage does.

    The globals of the shader with main come in order of declaration; those that only a function of another shader
    names come before them, each new one in front.
    """
    home = next((shader for shader in shaders if any(body.name == "main" for body in shader.bodies)), None)
    others = [shader for shader in shaders if shader is not home]
    if home is None:
        return {}
    ranked = list(dict.fromkeys(leaf.root for leaf in home.leaves))
    elsewhere = {leaf.root for shader in others for leaf in shader.leaves}
    own, foreign = _graph([home] if others else []), _graph(others)
    visited = set(own)

    def visit(names: Sequence[Named], *, away: bool) -> None:
        for name, _ in names:
            if name in foreign and name not in visited:
                visited.add(name)
                for inner in foreign[name]:
                    visit(inner, away=True)
            if away and name in elsewhere and name not in ranked:
                ranked.insert(0, name)

    for bodies in own.values():
        for names in bodies:
            visit(names, away=False)
    return {name: rank for rank, name in enumerate(ranked)}
