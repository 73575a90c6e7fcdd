"""Errors that a function raises, as its source says: in its own lines and in those of its private helpers."""

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


def raised(thing: Any, owner: type | None = None) -> set[type]:  # noqa: ANN401 (a function or a class)
    """Return the errors, ours and Python's, that leave a function, or the constructor of a class.

    Not those that a handler in it ends. A private helper is a function or method of the same module whose name begins
    with ``_``. What other functions raise is for their docstrings to say.

    Args:
        thing: The function or the class, as it stands in its module.
        owner: The class that defines it, for a method or a property, whose setter counts too.
    """
    if inspect.isclass(thing):
        makers = (base for base in thing.__mro__ if "__init__" in vars(base) and base.__module__.startswith("statetr"))
        owner = next(makers, None)
        return set() if owner is None else _reached(owner.__module__, f"{owner.__name__}.__init__()", frozenset())
    name = f"{thing.__name__}()" if owner is None else f"{owner.__name__}.{thing.__name__}"
    ends = ("",) if owner is None else ("", "=", "()")
    return {error for end in ends for error in _reached(thing.__module__, name + end, frozenset())}


@cache
def _functions(module: str) -> dict[str, ast.FunctionDef]:
    """Functions ``name()``, methods ``Class.name()``, properties ``Class.name``, what sets these ``Class.name=``."""
    source = inspect.getsourcefile(import_module(module))
    definitions: dict[str, ast.FunctionDef] = {}
    for node in ast.parse(Path(str(source)).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            definitions[f"{node.name}()"] = node
        elif isinstance(node, ast.ClassDef):
            definitions |= {
                f"{node.name}.{_member(part)}": part for part in node.body if isinstance(part, ast.FunctionDef)
            }
    return definitions


def _member(node: ast.FunctionDef) -> str:
    marks = {_name(mark) for mark in node.decorator_list}
    return node.name + ("=" if "setter" in marks else "" if marks & {"property", "cached_property"} else "()")


@cache
def _reached(module: str, name: str, above: frozenset[str]) -> set[type]:
    node = _functions(module).get(name)
    if node is None or name in above:
        return set()
    owner = name.rpartition(".")[0]
    return set(_leaving(node.body, module, owner, above | {name}))


def _leaving(nodes: Iterable[ast.AST], module: str, owner: str, above: frozenset[str]) -> Iterator[type]:
    for node in nodes:
        inner: Iterable[ast.AST] = ast.iter_child_nodes(node)
        if isinstance(node, ast.Try):
            ended = tuple(_ended(node, module))
            yield from (one for one in _leaving(node.body, module, owner, above) if not issubclass(one, ended))
            inner = [*node.handlers, *node.orelse, *node.finalbody]
        elif isinstance(node, ast.Raise):
            yield from _made(node, module)
        for helper in _helpers(node, owner):
            yield from _reached(module, helper, above)
        yield from _leaving(inner, module, owner, above)


def _made(node: ast.Raise, module: str) -> Iterator[type]:
    """Yield the class that is raised: by its name, or as what the function that makes it says that it returns."""
    name = _name(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
    maker = vars(import_module(module)).get(name)
    made = (vars(builtins) | vars(errors)).get(getattr(maker, "__annotations__", {}).get("return", name))
    if inspect.isclass(made):
        yield made


def _ended(node: ast.Try, module: str) -> Iterator[type]:
    """Yield what the handlers end; one with a bare ``raise`` lets all pass."""
    known = vars(builtins) | vars(errors) | vars(import_module(module))
    for handler in node.handlers:
        if not any(isinstance(part, ast.Raise) and part.exc is None for part in ast.walk(handler)):
            listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            for kind in (known.get(_name(one)) for one in listed):
                yield from kind if isinstance(kind, tuple) else (kind,) if inspect.isclass(kind) else ()


def _helpers(node: ast.AST, owner: str) -> Iterator[str]:
    """Yield the private helper that a node uses, as `_functions` names it: ``_name(...)``, ``self._name``."""
    if isinstance(node, ast.Call):
        for name in _helpers(node.func, owner):
            yield f"{name}()"
        if isinstance(node.func, ast.Name) and node.func.id.startswith("_"):
            yield f"{node.func.id}()"
    if isinstance(node, ast.Attribute) and _name(node.value) in {"self", "cls"} and node.attr.startswith("_"):
        yield f"{owner}.{node.attr}" + ("=" if isinstance(node.ctx, ast.Store) else "")


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
