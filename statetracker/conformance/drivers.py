"""The drivers that a live run can drive, and how each is chosen: Mesa reads environment variables once a process."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from statetracker.conformance.capture import layered
from statetracker.errors import UnknownName

__all__ = ["DRIVERS", "Driver", "driver"]

_SOFTWARE: Final = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_GLTHREAD": "false"}


class Driver(NamedTuple):
    """One driver.

    name         what it is called here
    environment  variables that choose it
    screen       the embedded screen that describes it, for readers; a live run reads the driver's caps
    packages     Debian packages that bring it
    on_vulkan    whether it passes samplers on to Vulkan, where they can be captured
    launcher     what stands before the program's name when its process is started
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
    """A driver by name; ``default`` is the one that Mesa chooses. Raises `UnknownName`."""
    if name not in DRIVERS:
        raise UnknownName("driver", name, accepted=", ".join(DRIVERS))
    return DRIVERS[name]


def environment(chosen: Driver, trace: str, capture: str = "") -> dict[str, str]:
    """The environment of a worker: this process's, the driver's variables, the paths of trace and capture."""
    variables = os.environ | chosen.environment | {"GALLIUM_TRACE": trace, "PYTHONUNBUFFERED": "1"}
    if capture and chosen.on_vulkan:
        variables |= layered(capture, variables.get("VK_INSTANCE_LAYERS", ""))
    return variables
