"""``statetracker --version``, and ``statetracker`` alone: what is here, and the next command to try.

Nothing is asked of a driver: a library is loaded and no function of it called, drivers and devices are those that the
system's files name. So it cannot crash or hang where a driver does, and takes no time.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final

import statetracker
from statetracker.cli.output import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statetracker.bindings.libraries import Library

#: Extra -> the distributions that it brings, and the module of each. pyproject.toml says the same.
EXTRAS: Final[Mapping[str, Mapping[str, str]]] = {
    "live": {"cffi": "cffi"},
    "batch": {"numpy": "numpy"},
    "arrow": {"numpy": "numpy", "pyarrow": "pyarrow"},
    "report": {"jinja2": "jinja2", "pillow": "PIL"},
    "replay": {"pcpp": "pcpp"},
    "conformance": {"hypothesis": "hypothesis"},
    "webgpu": {"wgpu": "wgpu"},
    "pyvulkan": {"vulkan": "vulkan"},
    "dask": {"distributed": "distributed"},
}
_PROGRAMS: Final = {"glslangValidator": "compiles GLSL and HLSL for lower", "apitrace": "records a program for replay"}

#: Where the system says which drivers it has: what Vulkan's loader and libglvnd read.
_VULKAN: Final = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
_EGL: Final = ("/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d")
_PCI: Final = "/sys/bus/pci/devices"
_DISPLAY: Final = "0x03"  # the class of PCI devices that draw


def show_version() -> None:
    """Print the version, Python's, and those of the packages that the extras bring."""
    print(f"statetracker {statetracker.__version__}")
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    for extra, packages in EXTRAS.items():
        print(f"{extra:12} {', '.join(f'{name} {_version(name)}' for name in packages)}")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def show_here() -> None:
    """Print what is here, and the next command to try."""
    print(f"statetracker {statetracker.__version__}, Python {platform.python_version()}")
    print(wrap("What an OpenGL program asks of a texture sampler, turned into what hardware can do."), end="\n\n")
    for name, text in _here():
        print(wrap(text, f"{name:9} "))
    print("\nnext")
    for command, why in _next():
        print(f"  {command}", wrap(why, " " * 6), sep="\n")


def _here() -> Iterator[tuple[str, str]]:
    there = [extra for extra in EXTRAS if _has(extra)]
    yield "extras", ", ".join(there) or "none"
    if lacking := [extra for extra in EXTRAS if extra not in there]:
        yield "", f"not here: {', '.join(lacking)}"
    egl, vulkan = _libraries()
    yield "OpenGL", _library(egl, _named(_EGL, "__EGL_VENDOR_LIBRARY_FILENAMES"))
    yield "Vulkan", _library(vulkan, _named(_VULKAN, "VK_DRIVER_FILES", "VK_ICD_FILENAMES"))
    yield "devices", ", ".join(_devices()) or "none on the PCI bus: only drivers that need none, such as lavapipe"
    programs = [f"{name}{'' if which(name) else ' is not here'} ({why})" for name, why in _PROGRAMS.items()]
    yield "programs", ", ".join(programs)


def _has(extra: str) -> bool:
    return all(find_spec(module) for module in EXTRAS[extra].values())


def _libraries() -> tuple[Library, Library]:
    """Return EGL and Vulkan."""
    from statetracker.bindings.egl import LIBRARY
    from statetracker.bindings.vulkan_calls import VULKAN

    return LIBRARY, VULKAN


def _loads(library: Library) -> str:
    """Return the first name under which a library can be loaded; empty where none can."""
    override = os.environ.get(library.variable)
    for name in (override,) if override else library.names:
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return name
    return ""


def _library(library: Library, drivers: list[str]) -> str:
    name = _loads(library)
    if not name:
        return f"no library; Debian: apt-get install {library.package}"
    return f"{name}; drivers: {', '.join(drivers) or 'no file names one'}"


def _named(folders: tuple[str, ...], *variables: str) -> list[str]:
    """Names of the drivers whose manifests are there; a variable that is set replaces the folders."""
    said = next((os.environ[name] for name in variables if os.environ.get(name)), None)
    files = (
        [file for folder in folders for file in sorted(Path(folder).glob("*.json"))]
        if said is None
        else [file for file in map(Path, said.split(os.pathsep)) if file.is_file()]
    )
    return list(dict.fromkeys(filter(None, map(_driver, files))))


def _driver(file: Path) -> str:
    """Return the library that a manifest names, in short: ``lvp`` for libvulkan_lvp.so; empty where it names none."""
    try:
        path = json.loads(file.read_text(encoding="utf-8"))["ICD"]["library_path"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    stem = Path(str(path)).name.partition(".")[0]
    return stem.removeprefix("lib").removeprefix("vulkan_").removeprefix("EGL_")


def _devices() -> Iterator[str]:
    """Yield the devices of the PCI bus that draw, by their ids: vendor:device."""
    for place in sorted(Path(_PCI).glob("*")):
        try:
            kind, *ids = ((place / name).read_text(encoding="ascii").strip() for name in ("class", "vendor", "device"))
        except (OSError, ValueError):
            continue
        if kind.startswith(_DISPLAY):
            yield ":".join(number.removeprefix("0x") for number in ids)


def _next() -> Iterator[tuple[str, str]]:
    """Commands to try, the best first, each with what it does."""
    state = next((name for name in ("border.toml", "examples/border.toml") if Path(name).is_file()), None)
    if state is None:
        yield "statetracker examples statetracker-examples", "writes states, recordings and shaders to try"
    else:
        yield f"statetracker explain {state}", "why a state becomes what it becomes on a device"
    egl, vulkan = map(_loads, _libraries())
    if not _has("live"):
        if vulkan or egl:
            yield f"{_pip()} cffi", "what asks this machine's drivers"
    elif vulkan:
        yield "statetracker probe", "what this machine's Vulkan offers samplers, and what is emulated"
    elif egl:
        yield "statetracker conform --count 200", "random states on this machine's OpenGL, beside the rules here"
    yield "statetracker --help", "all commands; statetracker COMMAND --help ends with two examples"
    yield "statetracker --install-completion", "lets your shell complete commands, options, screens and devices"


def _pip() -> str:
    inside = sys.prefix != sys.base_prefix
    return f"{Path(sys.prefix, 'bin', 'pip')} install" if inside and which("pip") is None else "pip install"
