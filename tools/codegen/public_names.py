"""Every public name, once: what the packages export, and the methods and properties of the classes among it."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.codegen.doc_api import public_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

__all__ = ["Public", "public_constants", "public_names"]


class Public(NamedTuple):
    """A public function, class, method or property.

    Attributes:
        name: With its package: ``statetracker.gl.Sampler.update``.
        thing: The function that runs (of a property its getter), or the class.
        owner: The class that defines a method or property; None for what a package exports itself.
    """

    name: str
    thing: Any
    owner: type | None = None

    @property
    def classes(self) -> list[type]:
        """The class that it is or belongs to, and the classes of ours that this one is built on."""
        first = self.thing if inspect.isclass(self.thing) else self.owner
        bases = first.__mro__ if first else ()
        return [base for base in bases if base is first or base.__module__.startswith("statetracker")]

    @property
    def is_gl_call(self) -> bool:
        """True for a GL function of `Context`."""
        return self.owner is not None and re.match("gl[A-Z]", self.thing.__name__) is not None

    @property
    def text(self) -> str:
        """Its docstring; of a class also its constructor's, and those of the classes that it has its constructor of."""
        if not inspect.isclass(self.thing):
            return inspect.getdoc(self.thing) or ""
        made = [{"__init__", "__new__"} & vars(base).keys() for base in self.classes]
        bases = self.classes[: next((at for at, names in enumerate(made) if names), 0) + 1]
        docs = [part.__doc__ for base in bases for part in (base, vars(base).get("__init__"))]
        return "\n".join(inspect.cleandoc(doc) for doc in docs if doc)


def public_names() -> Iterator[Public]:
    """Yield each under the name of the first package that exports it; a member under its own class's where it can."""
    exported: dict[Any, str] = {}
    for package in public_packages():
        for short in package.__all__:
            thing = inspect.unwrap(getattr(package, short))
            if inspect.isclass(thing) or inspect.isfunction(thing):
                exported.setdefault(thing, f"{package.__name__}.{short}")
    members: dict[Any, Public] = {}
    for thing, name in exported.items():
        yield Public(name, thing)
        shown: set[str] = set()  # a class's own hides that of what it is built on
        for base in Public(name, thing).classes if inspect.isclass(thing) else ():
            for member, function in _members(base):
                if member not in shown:
                    members.setdefault(function, Public(f"{exported.get(base, name)}.{member}", function, base))
                shown.add(member)
    yield from members.values()


def public_constants() -> Iterator[tuple[ModuleType, str]]:
    """Yield the package and name of everything else that is exported: tables, numbers, names of types."""
    for package in public_packages():
        for short in package.__all__:
            thing = inspect.unwrap(getattr(package, short))
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                yield package, short


def _members(thing: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public methods and properties that a class defines, as the functions that run."""
    for member, value in vars(thing).items():
        got: Any = (
            value.fget if isinstance(value, property) else value.func if isinstance(value, cached_property) else value
        )
        function = inspect.unwrap(getattr(got, "__func__", got))
        if inspect.isfunction(function) and not member.startswith("_"):
            yield member, function
