"""Names of a package that are loaded on first use: what a package's ``__init__`` puts in place of imports.

    __getattr__, __dir__ = on_first_use(__name__, {"texture": ("Image", "Texture")})

Type checkers read the imports under ``if TYPE_CHECKING:`` beside it.
"""

from __future__ import annotations

import sys

from statetracker.installed import broken, ours

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["on_first_use"]


def on_first_use(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package, which set each name in it on its first use.

    Args:
        package: Its ``__name__``; it has an ``__all__``.
        modules: Module of the package -> its public names; without any the module itself is what is asked for.

    Raises:
        BrokenInstallation: The package ``statetracker`` is another project's; a name raises it whose module is missing.
    """
    ours()
    module_of = {name: module for module, names in modules.items() for name in names or (module,)}

    def load(name: str) -> object:
        module = module_of.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        try:
            loaded = import_module(f"{package}.{module}")
        except ModuleNotFoundError as error:
            if error.name is None or not error.name.startswith("statetracker."):
                raise
            raise broken(f"{error.name.replace('.', '/')}.py") from error
        value = getattr(loaded, name) if modules[module] else loaded
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        variables = vars(sys.modules[package])
        return sorted({*variables["__all__"], *(name for name in variables if name.startswith("__"))})

    return load, listed
