"""Another Mesa than the system's: packages of another release, unpacked in a folder, or what a build installed there.

The driver's process is started with the libraries of that folder, the C library too where there is one. How such a
folder is made is in docs/conformance.md.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.errors import FileError

if TYPE_CHECKING:
    from statetracker.conformance.drivers import Driver

__all__ = ["driver_below"]

#: Where libraries lie below the folder; Debian's are below a folder of the machine's kind.
_LIBRARIES: Final = ("usr/lib/*-linux-gnu*", "lib/*-linux-gnu*", "usr/lib", "lib", "usr/lib64", "lib64")
_HINT: Final = (
    "'mmdebstrap --variant=extract --include=libegl1,libgl1-mesa-dri,mesa-vulkan-drivers trixie DIR' unpacks Debian's"
)


def driver_below(folder: str | Path, driver: Driver) -> Driver:
    """The same driver of the Mesa below a folder; its create infos are not captured.

    Raises `FileError` where there is no Mesa.
    """
    root = Path(folder).absolute()
    libraries = [path for pattern in _LIBRARIES for path in sorted(root.glob(pattern)) if path.is_dir()]
    if not any(True for library in libraries for _ in library.glob("libEGL*.so*")):
        raise FileError(str(folder), None, "has no libEGL: no Mesa is unpacked there", hint=_HINT)
    loaders = [path for library in libraries for path in sorted(library.glob("ld-linux*.so.*"))]
    searched = ":".join(map(str, libraries))
    variables = {
        "__EGL_VENDOR_LIBRARY_DIRS": _below(root, "share/glvnd/egl_vendor.d"),
        "LIBGL_DRIVERS_PATH": ":".join(str(path / "dri") for path in libraries if (path / "dri").is_dir()),
        "VK_DRIVER_FILES": _below(root, "share/vulkan/icd.d/lvp*.json"),
        "LD_LIBRARY_PATH": "" if loaders else ":".join(filter(None, (searched, os.environ.get("LD_LIBRARY_PATH")))),
    }
    return driver._replace(
        environment=driver.environment | {name: value for name, value in variables.items() if value},
        launcher=(str(loaders[0]), "--library-path", searched) if loaders else (),
        on_vulkan=False,
    )


def _below(root: Path, pattern: str) -> str:
    return ":".join(str(path) for top in (root / "usr", root) for path in sorted(top.glob(pattern)))
