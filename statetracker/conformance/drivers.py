"""The drivers that a live run can drive, and how each is chosen: Mesa reads environment variables once a process.

`driver_below` gives a driver of another Mesa, unpacked or installed in a folder. Its process is started with that
folder's libraries, the C library too where it is not older than the one this Python was built for. See
docs/conformance.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

from statetracker.conformance.capture import layered
from statetracker.errors import FileError
from statetracker.spellings import looked_up

_SOFTWARE: Final = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_GLTHREAD": "false"}

#: Where libraries lie below the folder; Debian's are below a folder of the machine's kind.
_LIBRARIES: Final = ("usr/lib/*-linux-gnu*", "lib/*-linux-gnu*", "usr/lib", "lib", "usr/lib64", "lib64")
_HINT: Final = (
    "'mmdebstrap --variant=extract --include=libegl1,libgl1-mesa-dri,mesa-vulkan-drivers trixie DIR' unpacks Debian's"
)

#: The parts of the C library, which are all of one version.
_C_LIBRARY: Final = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2")
_VERSION: Final = re.compile(rb"GNU C Library .*release version (\d+)\.(\d+)")


class Driver(NamedTuple):
    """One driver.

    Attributes:
        name: What it is called here.
        environment: Variables that choose it.
        screen: The built-in screen that describes it, for readers; a live run reads the driver's caps.
        packages: Debian packages that bring it.
        on_vulkan: Whether it passes samplers on to Vulkan, where they can be captured.
        launcher: What stands before the program's name when its process is started.
    """

    name: str
    environment: dict[str, str]
    screen: str
    packages: str
    on_vulkan: bool = False
    launcher: tuple[str, ...] = ()


# fmt: off
DRIVERS: Final = {
    driver.name: driver
    for driver in (
        Driver("llvmpipe", _SOFTWARE | {"GALLIUM_DRIVER": "llvmpipe"}, "llvmpipe", "libegl1 libgl1-mesa-dri"),
        Driver("softpipe", _SOFTWARE | {"GALLIUM_DRIVER": "softpipe"}, "softpipe", "libegl1 libgl1-mesa-dri"),
        Driver(
            "zink",
            _SOFTWARE | {"GALLIUM_DRIVER": "zink", "MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_KOPPER_DRI2": "1"},
            "zink-lavapipe",
            "libegl1 libgl1-mesa-dri mesa-vulkan-drivers gfxreconstruct",
            on_vulkan=True,
        ),
        Driver("default", {"MESA_GLTHREAD": "false"}, "llvmpipe", "libegl1 libgl1-mesa-dri"),
    )
}
# fmt: on


def driver(name: str) -> Driver:
    """Return a driver by name; ``default`` is the one that Mesa chooses. Raises `UnknownName`."""
    return looked_up("driver", name, DRIVERS)


def environment(chosen: Driver, trace: str, capture: str = "") -> dict[str, str]:
    """Return the environment of a worker: this process's, the driver's variables, the paths of trace and capture."""
    variables = os.environ | chosen.environment | {"GALLIUM_TRACE": trace, "PYTHONUNBUFFERED": "1"}
    if capture and chosen.on_vulkan:
        variables |= layered(capture, variables.get("VK_INSTANCE_LAYERS", ""))
    return variables


def driver_below(folder: str | Path, driver: Driver) -> Driver:
    """Return the same driver of the Mesa below a folder; its create infos are not captured.

    Args:
        folder: Where that Mesa was installed.
        driver: Which driver.

    Raises:
        FileError: There is no Mesa.
    """
    root = Path(folder).absolute()
    try:
        libraries = [path for pattern in _LIBRARIES for path in sorted(root.glob(pattern)) if path.is_dir()]
    except OSError as error:
        raise FileError(str(folder), None, f"cannot be read: {error.strerror}") from None
    if not any(True for library in libraries for _ in library.glob("libEGL*.so*")):
        raise FileError(str(folder), None, "has no libEGL: no Mesa is unpacked there", hint=_HINT)
    older = _older_c_library(libraries)
    loaders = [path for library in libraries for path in sorted(library.glob("ld-linux*.so.*")) if not older]
    searched = ":".join(map(str, libraries))
    variables = {
        "__EGL_VENDOR_LIBRARY_DIRS": _below(root, "share/glvnd/egl_vendor.d"),
        "LIBGL_DRIVERS_PATH": ":".join(str(path / "dri") for path in libraries if (path / "dri").is_dir()),
        "VK_DRIVER_FILES": _below(root, "share/vulkan/icd.d/lvp*.json"),
        "LD_PRELOAD": older and ":".join(filter(None, (older, os.environ.get("LD_PRELOAD")))),
        "LD_LIBRARY_PATH": "" if loaders else ":".join(filter(None, (searched, os.environ.get("LD_LIBRARY_PATH")))),
    }
    return driver._replace(
        environment=driver.environment | {name: value for name, value in variables.items() if value},
        launcher=(str(loaders[0]), "--library-path", searched) if loaders else (),
        on_vulkan=False,
    )


def _older_c_library(libraries: list[Path]) -> str:
    """Return the parts of this process's C library, to be loaded first, where that of the folder is older."""
    for path in (path for library in libraries for path in library.glob("libc.so.6")):
        theirs = _VERSION.search(path.read_bytes())
        ours = re.fullmatch(r"glibc (\d+)\.(\d+)", os.confstr("CS_GNU_LIBC_VERSION") or "")
        if theirs and ours and tuple(map(int, theirs.groups())) < tuple(map(int, ours.groups())):
            loaded = re.findall(r"/\S+/libc\.so\.6$", Path("/proc/self/maps").read_text(encoding="utf-8"), re.MULTILINE)
            return ":".join(str(part) for name in _C_LIBRARY if (part := Path(loaded[0]).with_name(name)).exists())
    return ""


def _below(root: Path, pattern: str) -> str:
    return ":".join(str(path) for top in (root / "usr", root) for path in sorted(top.glob(pattern)))
