"""A check that this project is installed: another one is called ``statetracker`` too, and pip lets both in.

This one's distribution is ``gallium-statetracker``. Who is installed last overwrites ``statetracker/__init__.py``, and
who is uninstalled takes it away. `warn_of_namesake` runs when the package is imported and reads one folder; `ours` runs
when a package of it is, and `BrokenInstallation` says what to do.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.errors import BrokenInstallation

__all__ = ["broken", "namesakes", "ours", "warn_of_namesake"]

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
    """Warn in one line where the other project is installed beside this one.

    Args:
        file: The ``__file__`` of the package ``statetracker``.
    """
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
