"""Names of a package that are loaded on first use: what a package's ``__init__`` puts in place of imports.

    __getattr__, __dir__, __all__ = on_first_use(__name__, {"texture": ("Image", "Texture")})

Type checkers read the imports under ``if TYPE_CHECKING:`` beside it, each with its name once more: it is exported.

And a check that this project is installed: another one is called ``statetracker`` too, and pip lets both in. This one's
distribution is ``gallium-statetracker``. Who is installed last overwrites ``statetracker/__init__.py``, and who is
uninstalled takes it away. `warn_of_namesake` runs when the package is imported and reads one folder; `ours` runs when a
package of it is, and `BrokenInstallation` says what to do.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statetracker.errors import BrokenInstallation

_PACKAGE = "statetracker"
_MARK = "_ROOMS"  # what our __init__ has, and no other


def namesakes(folder: str) -> list[str]:
    """Return the metadata of distributions named ``statetracker`` in a folder of packages; [] if it is unreadable."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 (pathlib is slow to load)
    except OSError:
        return []
    return [name for name in names if name.lower().startswith(f"{_PACKAGE}-") and name.endswith(("-info", ".egg"))]


def warn_of_namesake(file: str) -> None:
    """Warn in one line where the other project is installed beside this one, whose package has that ``__file__``."""
    others = namesakes(os.path.dirname(os.path.dirname(file)))  # noqa: PTH120
    if others:
        import warnings

        warnings.warn(
            f"{others[0]} is another project that is imported as statetracker; its files and those of "
            f"gallium-statetracker overwrite each other. {_WAY_OUT}",
            stacklevel=3,
        )


_WAY_OUT = (
    "Keep them in two environments: pip uninstall statetracker gallium-statetracker, "
    "then install this one's wheel or checkout again"
)


def ours() -> None:
    """Raise `BrokenInstallation` where ``statetracker/__init__.py`` is missing, or another project's."""
    package = sys.modules[_PACKAGE]
    if not hasattr(package, _MARK):
        raise broken(getattr(package, "__file__", None) or f"{next(iter(package.__path__))}/__init__.py")


def broken(file: str) -> BrokenInstallation:
    """Make the error for a file that is missing, or not ours."""
    from statetracker.errors import BrokenInstallation

    return BrokenInstallation(file, hint=_WAY_OUT)


def on_first_use(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package; the first sets each name in it on its first use.

    Args:
        package: Its ``__name__``.
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
        return sorted({*public, *(name for name in vars(sys.modules[package]) if name.startswith("__"))})

    named = (name for names in modules.values() for name in names)
    public = sorted(named, key=lambda name: (not name.isupper(), not name[0].isupper(), name))  # constants, classes
    return load, listed, public
