"""Which errors of this library a function raises, read from its source and from what it calls in its own module."""

from __future__ import annotations

import ast
import builtins
import inspect
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker import errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["raised"]

type_of = vars(errors).get


def raised(thing: Any, owner: type | None = None) -> set[type]:  # noqa: ANN401 (a function or a class)
    """Give the errors that leave a function, or the constructor of a class; what a handler in it catches does not.

    thing   the function or the class, as it stands in its module
    owner   the class that defines it, for a method or a property
    """
    if inspect.isclass(thing):
        found = [_reached(base.__module__, f"{base.__name__}.__init__", frozenset()) for base in _makers(thing)]
        return {error for part in found[:1] for error in part}
    name = thing.__name__ if owner is None else f"{owner.__name__}.{thing.__name__}"
    return _reached(thing.__module__, name, frozenset()) | _reached(thing.__module__, f"{name}=", frozenset())


def _makers(thing: type) -> Iterator[type]:
    return (base for base in thing.__mro__ if "__init__" in vars(base) and base.__module__.startswith("statetracker"))


@cache
def _functions(module: str) -> dict[str, ast.AST]:
    """Name -> function of a module, methods with their class; a class's bases in it lend theirs."""
    source = inspect.getsourcefile(import_module(module))
    tree = ast.parse(Path(str(source)).read_text(encoding="utf-8"))
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        if isinstance(node, ast.ClassDef):
            lent = {base.id for base in node.bases if isinstance(base, ast.Name)}
            found |= {f"{node.name}.{name.partition('.')[2]}": f for name, f in found.items() if name.split(".")[0] in lent}
            found |= {f"{node.name}.{_method(part)}": part for part in node.body if isinstance(part, ast.FunctionDef)}
    return found


def _method(node: ast.FunctionDef) -> str:
    """Its name; of what sets a property with ``=`` behind it."""
    sets = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)
    return f"{node.name}=" if sets else node.name


@cache
def _reached(module: str, name: str, above: frozenset[str]) -> set[type]:
    node = _functions(module).get(name)
    if node is None or name in above:
        return set()
    return set(_leaving(ast.iter_child_nodes(node), module, name.rpartition(".")[0], above | {name}))


def _leaving(nodes: Iterable[ast.AST], module: str, owner: str, above: frozenset[str]) -> Iterator[type]:
    for node in nodes:
        if isinstance(node, ast.Try):
            caught = tuple(_caught(node, module))
            yield from (e for e in _leaving(node.body, module, owner, above) if not issubclass(e, caught))
            yield from _leaving([*node.handlers, *node.orelse, *node.finalbody], module, owner, above)
            continue
        if isinstance(node, ast.Raise):
            name = _name(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
            made = getattr(vars(import_module(module)).get(name), "__annotations__", {}).get("return", name)
            if inspect.isclass(type_of(made)):
                yield type_of(made)
        called = _called(node, owner)
        if called:
            yield from _reached(module, called, above)
        yield from _leaving(ast.iter_child_nodes(node), module, owner, above)


def _caught(node: ast.Try, module: str) -> Iterator[type]:
    """What the handlers end; one with a bare ``raise`` lets all pass."""
    known = vars(builtins) | vars(errors) | vars(import_module(module))
    for handler in node.handlers:
        if not any(isinstance(part, ast.Raise) and part.exc is None for part in ast.walk(handler)):
            listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            for kind in (known.get(_name(kind)) for kind in listed):
                yield from kind if isinstance(kind, tuple) else (kind,) if inspect.isclass(kind) else ()


def _called(node: ast.AST, owner: str) -> str:
    """The private function of the module that a node uses: ``_name(...)``, ``self._name``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("_"):
        return node.func.id
    ours = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
    if isinstance(node, ast.Attribute) and ours and node.attr.startswith("_"):
        return f"{owner}.{node.attr}" + ("=" if isinstance(node.ctx, ast.Store) else "")
    return ""


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
