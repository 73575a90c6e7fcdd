"""Tables of docs/ that list what can be called: GL functions, commands, public names."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import statetracker
from statetracker.gl import Context
from tools.codegen.doc_layout import codes, marked, summary, table

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["described", "public_packages"]


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
