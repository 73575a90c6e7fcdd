"""Every public name, once: what the packages export, and the methods and properties of the classes among it."""

from __future__ import annotations

import inspect
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.codegen.doc_api import public_packages

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Public", "public_names"]


class Public(NamedTuple):
    """A public function, class, method or property.

    name    with its package: ``statetracker.gl.Sampler.update``
    thing   the function that runs (of a property its getter), or the class
    owner   the class that defines a method or property; None for what a package exports itself
    """

    name: str
    thing: Any
    owner: type | None = None

    @property
    def is_gl_call(self) -> bool:
        """Whether it is a GL function of `Context`."""
        return self.owner is not None and self.thing.__name__.startswith("gl")

    @property
    def text(self) -> str:
        """Its docstring; of a class also those that it has its constructor of."""
        if not inspect.isclass(self.thing):
            return inspect.getdoc(self.thing) or ""
        maker = next((base for base in self.thing.__mro__ if {"__init__", "__new__"} & vars(base).keys()), object)
        bases = self.thing.__mro__[: self.thing.__mro__.index(maker) + 1]
        docs = [part.__doc__ for base in bases for part in (base, vars(base).get("__init__"))]
        return "\n".join(inspect.cleandoc(doc) for doc in docs if doc)

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """What a caller gives, without self; nothing for a class that nobody makes by calling it."""
        if inspect.isclass(self.thing):
            if issubclass(self.thing, Enum | dict) or getattr(self.thing, "_is_protocol", False):
                return []
            return [p for p in inspect.signature(self.thing).parameters.values() if p.name != "self"]
        given = list(inspect.signature(self.thing).parameters.values())
        return [p for p in given if not (p is given[0] and p.name in {"self", "cls"})]


def public_names() -> Iterator[Public]:
    """Give each once, under the name of the first package that exports it; a member under its own class's, if that is public."""
    exported: dict[Any, str] = {}
    for package in public_packages():
        for short in package.__all__:
            thing = inspect.unwrap(getattr(package, short))
            if inspect.isclass(thing) or inspect.isfunction(thing):
                exported.setdefault(thing, f"{package.__name__}.{short}")
    members: dict[Any, Public] = {}
    for thing, name in exported.items():
        yield Public(name, thing)
        for base in thing.__mro__ if inspect.isclass(thing) else ():
            for member, function in _members(base):
                members.setdefault(function, Public(f"{exported.get(base, name)}.{member}", function, base))
    yield from members.values()


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """Give the public methods and properties that a class of ours defines."""
    for member, value in vars(thing).items() if thing.__module__.startswith("statetracker") else ():
        function = _function(value)
        if function is not None and not member.startswith("_"):
            yield member, function


def _function(value: object) -> Any:
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = value.func
    value = inspect.unwrap(getattr(value, "__func__", value))  # type: ignore[arg-type]
    return value if inspect.isfunction(value) else None
