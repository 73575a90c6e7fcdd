"""What can be called: the GL functions, a table of docs/, and every public name, once.

Public are what the packages export, and the methods and properties of the classes among it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import statetracker
from statetracker.gl import Context
from tools.codegen.doc_layout import codes, marked, summary, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

__all__ = ["Public", "described", "public_constants", "public_names", "public_packages"]


@table("gl calls")
def _calls() -> str:
    """List the GL functions of `Context`, below what each class that has some of them is about."""
    parts = []
    for owner in reversed(Context.__mro__):
        own = [name for name in vars(owner) if name.startswith("gl")]
        if own:
            parts.append(f"### {summary(owner).partition('.')[0]}\n\n{codes(own)}")
    return "\n\n".join(parts)


#: Modules that programs import from, though their package exports nothing of them.
_APART: Final = ("bindings.vulkan", "conformance.strategies", "hosts.moderngl", "hosts.vulkan", "hosts.wgpu")


def public_packages() -> list[ModuleType]:
    """Return the modules that have public names: the package, its errors, its packages, and `_APART`."""
    names = sorted(module.name for module in pkgutil.iter_modules(statetracker.__path__) if module.ispkg)
    packages = [statetracker, import_module("statetracker.errors")]
    packages += [import_module(f"statetracker.{name}") for name in (*names, *_APART)]
    return [package for package in packages if getattr(package, "__all__", None)]


def described(package: ModuleType, name: str) -> str:
    """Say what a public name is: its docstring, the comment beside it, or what its rows are; empty where none does."""
    thing = getattr(package, name)
    if inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing)):
        return "" if thing.__doc__ is None else summary(thing)
    return _comment(package, name) or _rows(thing)


def _comment(package: ModuleType, name: str) -> str:
    """Find the lines marked ``#:`` above a constant, in the modules of a package."""
    pattern = re.compile(rf"((?:^#: .*\n)+){name}\b", re.MULTILINE)
    for file in sorted(Path(str(package.__file__)).parent.glob("*.py")):
        match = pattern.search(file.read_text(encoding="utf-8"))
        if match is not None:
            return marked(match[1].replace("#: ", ""))
    return ""


def _rows(thing: object) -> str:
    values = list(thing.values()) if isinstance(thing, Mapping) else list(thing) if isinstance(thing, tuple) else []
    kinds = {type(value).__name__ for value in values if type(value).__doc__}
    return f"{len(values)} rows of {codes(sorted(kinds))}." if kinds else ""


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
    for package, short, thing in _exported():
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
    for package, short, thing in _exported():
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield package, short


def _exported() -> Iterator[tuple[ModuleType, str, Any]]:
    for package in public_packages():
        for short in package.__all__:
            yield package, short, inspect.unwrap(getattr(package, short))


def _members(thing: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public methods and properties that a class defines, as the functions that run."""
    for member, value in vars(thing).items():
        got: Any = (
            value.fget if isinstance(value, property) else value.func if isinstance(value, cached_property) else value
        )
        function = inspect.unwrap(getattr(got, "__func__", got))
        if inspect.isfunction(function) and not member.startswith("_"):
            yield member, function
