"""Names of a package that are loaded on first use: what a package's ``__init__`` puts in place of imports.

    __getattr__, __dir__ = on_first_use(__name__, {"Sampler": "sampler"})

Type checkers read the imports under ``if TYPE_CHECKING:`` beside it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["on_first_use"]


def on_first_use(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Give the ``__getattr__`` and ``__dir__`` of a package.

    package   its ``__name__``; it has an ``__all__``
    modules   public name -> the module in the package that has it

    A name that was used once is the package's own from then on.
    """

    def load(name: str) -> object:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        known = vars(sys.modules[package])
        return sorted({*known["__all__"], *(name for name in known if name.startswith("__"))})

    return load, names
