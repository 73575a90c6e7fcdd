"""What live tests need of the machine: how each need is seen, which Debian package meets it, how a package is hidden.

``@pytest.mark.live("glslangValidator", "egl:zink")`` asks for two needs. A test that asks for something that is not
there is skipped, and the reason names the package. A test sees nothing that it did not ask for: while it runs, every
other package of the table is hidden from it and from the processes that it starts, so that a use without asking fails
on every machine and not only where the package is missing.

Two environment variables, read by ``tests/conftest.py`` as well:

STATETRACKER_HIDE   packages or programs that are hidden from all tests, with commas between them
STATETRACKER_LIVE   ``require``: a live test that would skip fails; ``ask``: live tests look at what they need, and
                    pass without running
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from ctypes.util import find_library
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Final, NamedTuple
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    import pytest

    from statetracker.bindings.libraries import Availability

HIDE: Final = "STATETRACKER_HIDE"
MODE: Final = "STATETRACKER_LIVE"

#: naga-wasm, where npm puts it.
NAGA: Final = Path(sys.prefix, "node_modules", "naga-wasm", "dist")
_NOWHERE: Final = "/nowhere/nothing"
_NO_DRIVERS: Final = {"VK_ICD_FILENAMES": _NOWHERE, "VK_DRIVER_FILES": _NOWHERE, "VK_ADD_DRIVER_FILES": _NOWHERE}
_LIBGL: Final = "GLCONTEXT_LINUX_LIBGL"  # moderngl's own variable
_LAYERS: Final = "VK_LAYER_PATH"


class Package(NamedTuple):
    """Something that can be installed, and what hides it.

    Attributes:
        name: Debian's name, or that of ``install``.
        programs: What is gone from the PATH while it is hidden.
        variables: What the environment says while it is hidden.
        layer: The Vulkan layer that is not there while it is hidden.
        module: The Python module that cannot be imported while it is hidden.
        install: The command before the name.
        continuous: Whether continuous integration installs it, so that STATETRACKER_LIVE=require asks for it.
    """

    name: str
    programs: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    layer: str = ""
    module: str = ""
    install: str = "Debian: apt-get install"
    continuous: bool = True


_EGL_VENDOR: Final = "__EGL_VENDOR_LIBRARY_FILENAMES"

PACKAGES: Final = {
    package.name: package
    for package in (
        Package("libegl1", variables={"STATETRACKER_EGL_LIB": _NOWHERE}),
        Package(
            "libgl1-mesa-dri",  # newer ones have no folder of drivers; then there is no vendor
            variables={"LIBGL_DRIVERS_PATH": _NOWHERE, _EGL_VENDOR: _NOWHERE},
        ),
        Package("libgl1", variables={_LIBGL: _NOWHERE}),
        Package("libvulkan1", variables={"STATETRACKER_VULKAN_LIB": _NOWHERE, **_NO_DRIVERS}),
        Package("mesa-vulkan-drivers", variables=_NO_DRIVERS),
        Package("vulkan-validationlayers", layer="VK_LAYER_KHRONOS_validation"),
        Package("gfxreconstruct", programs=("gfxrecon-convert",), layer="VK_LAYER_LUNARG_gfxreconstruct"),
        Package("vulkan-tools", programs=("vulkaninfo",)),
        Package("glslang-tools", programs=("glslangValidator",)),
        Package("spirv-cross", programs=("spirv-cross",)),
        Package("spirv-tools", programs=("spirv-val", "spirv-opt", "spirv-as", "spirv-dis")),
        Package("chromium", programs=("chromium", "chromium-browser", "google-chrome")),
        Package("ortools", module="ortools", install="pip install"),
        Package("apitrace", programs=("apitrace",), continuous=False),
        Package("xvfb", programs=("Xvfb",), continuous=False),
        Package("wgpu", module="wgpu", install="pip install"),
        Package("dawn-python", module="pydawn", install="pip install", continuous=False),
        Package("naga-wasm", install="npm install --prefix .venv", continuous=False),
        Package("pyarrow", module="pyarrow", install="pip install"),
        Package("moderngl", module="moderngl", install="pip install"),
        Package("libretro.py", module="libretro", install="Python 3.12 or newer: pip install", continuous=False),
        Package("vulkan", module="vulkan", install="pip install"),
        Package("gcc", programs=("gcc", "cc")),
        Package("g++", programs=("g++",)),
        Package("slangtorch", programs=("slangc",), install="pip install --no-deps", continuous=False),
        Package("libvulkan-dev", continuous=False),
        Package("vulkan-object", module="vulkan_object", install="pip install", continuous=False),
    )
}


class Need(NamedTuple):
    """Something that a test can ask for.

    Attributes:
        name: What a test calls it.
        package: What brings it.
        title: What is missing where it is not there.
        see: Gives None where it is there, otherwise a detail or an empty text.
        after: Other needs, which it cannot do without.
    """

    name: str
    package: str
    title: str
    see: Callable[[], str | None]
    after: tuple[str, ...] = ()


def _program(*names: str) -> Callable[[], str | None]:
    return lambda: None if any(which(name) for name in names) else ""


def _module(name: str) -> Callable[[], str | None]:
    def see() -> str | None:
        parts = name.split(".")
        got = all(find_spec(".".join(parts[:depth])) for depth in range(1, len(parts) + 1))
        return None if got else ""

    return see


def _gl_library() -> str | None:
    """What moderngl looks for."""
    name = os.environ.get(_LIBGL) or find_library("GL")
    try:
        ctypes.CDLL(name or _NOWHERE)
    except OSError:
        return ""
    return None


def _swiftshader() -> str | None:
    from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER

    return None if which("chromium") and SWIFTSHADER.exists() else str(SWIFTSHADER)


def _reason(got: Availability) -> str | None:
    return None if got else got.reason


def _egl_library() -> str | None:
    from statetracker.bindings import egl
    from statetracker.bindings.libraries import new_ffi, probe

    def opened() -> None:
        ffi = new_ffi("a GL context")
        ffi.cdef("void *eglGetProcAddress(const char *);")
        egl.LIBRARY.open(ffi)

    return _reason(probe(opened))


def _context() -> str | None:
    from statetracker.bindings import egl

    return _reason(egl.available())


_RENDERER: Final = """
from statetracker.bindings import egl
from statetracker.errors import StateTrackerError
try:
    with egl.Context() as context:
        print(context.gl.call("glGetString", 0x1F01))
except StateTrackerError as error:
    print(f"none: {error}")
"""


def _renders(driver: str) -> Callable[[], str | None]:
    """Mesa reads its variables once a process; so another process is asked which driver it has."""

    def see() -> str | None:
        from statetracker.conformance import drivers

        chosen = drivers.environment(drivers.driver(driver), "")
        command = [sys.executable, "-c", _RENDERER]
        done = subprocess.run(command, env=chosen, capture_output=True, text=True, check=False, timeout=120)
        renderer = done.stdout.strip()
        return None if renderer.startswith(driver) else f"it has {renderer or done.stderr.strip()[-200:]}"

    return see


def _vulkan_library() -> str | None:
    from statetracker.bindings.libraries import probe
    from statetracker.bindings.vulkan_calls import open_vulkan

    return _reason(probe(open_vulkan))


def _vulkan(*, validation: bool = False) -> str | None:
    from statetracker.bindings import vulkan

    return _reason(vulkan.available(validation=validation))


def _lavapipe() -> str | None:
    return None if any(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json")) else ""


def _capture() -> str | None:
    from statetracker.bindings.vulkan_calls import open_vulkan
    from statetracker.bindings.vulkan_physical import named

    got = named(open_vulkan(), "vkEnumerateInstanceLayerProperties", "VkLayerProperties")
    return None if PACKAGES["gfxreconstruct"].layer in got else ""


def _headers() -> str | None:
    from tools.codegen.make_vulkan_cdef import HEADERS, TARGET

    version = re.search(r"header version \d+\.\d+\.(\d+)", TARGET.read_text(encoding="utf-8"))
    header = HEADERS / "vulkan_core.h"
    if version is None:
        return f"{TARGET.name} names no version"
    if header.exists() and f"#define VK_HEADER_VERSION {version[1]}\n" in header.read_text(encoding="utf-8"):
        return None
    return f"of version {version[1]} in {HEADERS}"


#: A process whose GL is zink, as one test starts for others, draws through Vulkan.
_ON_VULKAN: Final = ("vulkan",) if os.environ.get("GALLIUM_DRIVER") == "zink" else ()

NEEDS: Final = {
    need.name: need
    for need in (
        Need("libEGL", "libegl1", "EGL library", _egl_library),
        Need("egl", "libgl1-mesa-dri", "GL context without a window", _context, ("libEGL", *_ON_VULKAN)),
        Need("egl:llvmpipe", "libgl1-mesa-dri", "GL on llvmpipe", _renders("llvmpipe"), ("egl",)),
        Need("egl:softpipe", "libgl1-mesa-dri", "GL on softpipe", _renders("softpipe"), ("egl",)),
        Need("egl:zink", "mesa-vulkan-drivers", "GL on zink", _renders("zink"), ("egl", "vulkan")),
        Need("libGL", "libgl1", "OpenGL library", _gl_library),
        Need("libvulkan", "libvulkan1", "Vulkan library", _vulkan_library),
        Need("vulkan", "mesa-vulkan-drivers", "Vulkan device", _vulkan, ("libvulkan",)),
        Need("lavapipe", "mesa-vulkan-drivers", "lavapipe", _lavapipe, ("vulkan",)),
        Need(
            "validation", "vulkan-validationlayers", "validation layer", partial(_vulkan, validation=True), ("vulkan",)
        ),
        Need("capture", "gfxreconstruct", "capture layer", _capture, ("libvulkan",)),
        Need("gfxrecon-convert", "gfxreconstruct", "gfxrecon-convert", _program("gfxrecon-convert")),
        Need("vulkaninfo", "vulkan-tools", "vulkaninfo", _program("vulkaninfo")),
        Need("glslangValidator", "glslang-tools", "glslangValidator", _program("glslangValidator")),
        Need("spirv-cross", "spirv-cross", "spirv-cross", _program("spirv-cross")),
        Need("spirv-val", "spirv-tools", "spirv-val", _program("spirv-val")),
        Need("spirv-opt", "spirv-tools", "spirv-opt", _program("spirv-opt")),
        Need("swiftshader", "chromium", "SwiftShader", _swiftshader, ("libvulkan",)),
        Need("pyvulkan", "vulkan", "package vulkan", _module("vulkan"), ("libvulkan",)),
        Need("chromium", "chromium", "chromium", _program(*PACKAGES["chromium"].programs)),
        Need("naga-wasm", "naga-wasm", "WGSL by naga-wasm", lambda: None if NAGA.exists() else ""),
        Need("pyarrow", "pyarrow", "Arrow (the extra arrow)", _module("pyarrow")),
        Need("ortools", "ortools", "exact solver OR-tools", _module("ortools")),
        Need("apitrace", "apitrace", "apitrace", _program("apitrace")),
        Need("xvfb", "xvfb", "X server Xvfb", _program("Xvfb")),
        Need("wgpu", "wgpu", "WebGPU by wgpu-py", _module("wgpu"), ("lavapipe",)),
        Need("dawn", "dawn-python", "WebGPU by Dawn", _module("pydawn"), ("lavapipe",)),
        Need("moderngl", "moderngl", "OpenGL by moderngl", _module("moderngl"), ("egl:llvmpipe", "libGL")),
        Need("libretro", "libretro.py", "cores of libretro.py", _module("libretro.samples"), ("egl:llvmpipe",)),
        Need("cc", "gcc", "C compiler", _program("gcc", "cc")),
        Need("c++", "g++", "C++ compiler", _program("g++")),
        Need("slangc", "slangtorch", "Slang's compiler slangc", _program("slangc")),
        Need("vulkan headers", "libvulkan-dev", "Vulkan headers", _headers),
        Need("vulkan-object", "vulkan-object", "vulkan-object", _module("vulkan_object")),
    )
}


def asked(item: pytest.Item) -> tuple[str, ...]:
    """Give the needs that a test asks for, by all its marks; raises `ValueError` for an unknown one, or none."""
    names: dict[str, None] = {}
    for mark in item.iter_markers("live"):
        unknown = [name for name in mark.args if name not in NEEDS]
        if unknown or not mark.args or mark.kwargs:
            raise ValueError(f"{item.nodeid} asks for {unknown or 'nothing'}; accepted: {', '.join(NEEDS)}")
        names.update(dict.fromkeys(mark.args))
    return tuple(names)


def packages_of(needs: Iterable[str]) -> frozenset[str]:
    """Give the packages that needs cannot do without."""
    got: set[str] = set()
    for name in needs:
        need = NEEDS[name]
        got |= {need.package} | packages_of(need.after)
    return frozenset(got)


@cache
def missing(name: str) -> tuple[str, str] | None:
    """Give None where a need is met, otherwise the package that is missing and why; looked at once a process."""
    need = NEEDS[name]
    for other in need.after:
        if (gone := missing(other)) is not None:
            return gone
    package = PACKAGES[need.package]
    detail = f"{HIDE} hides it" if need.package in hidden() and not _hides(package) else need.see()
    if detail is None:
        return None
    return need.package, f"no {need.title} ({package.install} {package.name}){detail and ': '}{detail}"


def _hides(package: Package) -> bool:
    return bool(package.programs or package.variables or package.layer or package.module)


# Hiding


@cache
def hidden() -> frozenset[str]:
    """Give the packages that STATETRACKER_HIDE hides from all tests; raises `ValueError` for an unknown name."""
    by_program = {program: package.name for package in PACKAGES.values() for program in package.programs}
    names = [name.strip() for name in os.environ.get(HIDE, "").split(",") if name.strip()]
    unknown = [name for name in names if name not in PACKAGES and name not in by_program]
    if unknown:
        raise ValueError(f"{HIDE}: {', '.join(unknown)} not known; accepted: {', '.join([*PACKAGES, *by_program])}")
    return frozenset(by_program.get(name, name) for name in names)


@contextmanager
def only(needs: Iterable[str]) -> Iterator[None]:
    """Hide every package that these needs can do without, from this process and from those it starts."""
    wanted = packages_of(needs)
    away = frozenset(PACKAGES) - wanted | hidden()
    variables = {**_HIDING.variables(away)}
    if "mesa-vulkan-drivers" in wanted:
        variables.pop(_EGL_VENDOR, None)  # NVIDIA's Vulkan without a display finds its parts by it
    with patch.dict(os.environ, variables), _modules(away), _egl("libgl1-mesa-dri" not in wanted):
        yield


def hide_for_good() -> None:
    """Hide what STATETRACKER_HIDE names from this process from now on."""
    os.environ.update(_HIDING.variables(hidden()))
    for name in hidden():
        if PACKAGES[name].module:
            sys.modules[PACKAGES[name].module] = None  # type: ignore[assignment]


def clean_up() -> None:
    """Remove what hiding left on the disk."""
    _HIDING.close()


@contextmanager
def _modules(away: Collection[str]) -> Iterator[None]:
    """Let modules be none that can be imported, those that are loaded already among them."""
    tops = {package.module for package in PACKAGES.values() if package.module and package.name in away}
    loaded = tops & sys.modules.keys()
    before = {name: module for name, module in sys.modules.items() if loaded and name.partition(".")[0] in loaded}
    sys.modules.update(dict.fromkeys([*tops, *before]))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in tops:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def _egl(away: bool) -> AbstractContextManager[object]:
    """Let this process make no GL context, even if its library is open already; not ``away``: leave it as it is."""

    def refused() -> None:
        from statetracker.errors import LibraryMissing

        raise LibraryMissing("EGL", (_NOWHERE,), package="libegl1", reason="the test does not ask for it")

    module = sys.modules.get("statetracker.bindings.egl")
    return patch.object(module, "_egl", refused) if away and module else nullcontext()


class _Hiding:
    """What the environment says while packages are hidden, and the folders that this takes.

    A folder of the PATH with programs of the table gives way to one with links to all else that is in it; what may be
    seen of the table is in a folder before them. A folder has the manifests of the layers that may be seen.
    """

    def __init__(self) -> None:
        self._path, self._layers = os.environ.get("PATH", os.defpath), _layer_folders(os.environ)
        self._folder: TemporaryDirectory[str] | None = None
        self._made: dict[frozenset[Path], str] = {}
        self._known: dict[frozenset[str], dict[str, str]] = {}

    def variables(self, away: frozenset[str]) -> dict[str, str]:
        """Give the variables that hide some packages."""
        if away not in self._known:
            rows = [PACKAGES[name] for name in away]
            got = {name: value for row in rows for name, value in row.variables.items()}
            if gone := {program for row in rows for program in row.programs}:
                table = {program for row in PACKAGES.values() for program in row.programs}
                seen = filter(None, (which(program, path=self._path) for program in table - gone))
                rest = (self._without(Path(place or "."), table) for place in self._path.split(os.pathsep))
                got["PATH"] = os.pathsep.join([self._linked(map(Path, seen)), *rest])
            if layers := {row.layer for row in rows if row.layer}:
                got[_LAYERS] = self._layered(layers)
            self._known[away] = got
        return self._known[away]

    def close(self) -> None:
        """Remove the folders."""
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = None
        self._made.clear()
        self._known.clear()

    def _new(self) -> Path:
        self._folder = self._folder or TemporaryDirectory(prefix="statetracker-hidden-")
        return Path(mkdtemp(dir=self._folder.name))

    def _without(self, place: Path, table: Collection[str]) -> str:
        """Give the folder that stands for one: without what is in the table."""
        if not any((place / program).exists() for program in table):
            return str(place)
        return self._linked(entry for entry in place.resolve().iterdir() if entry.name not in table)

    def _linked(self, entries: Iterable[Path]) -> str:
        """Make a folder with links."""
        key = frozenset(entries)
        if key not in self._made:
            made = self._new()
            for entry in key:
                (made / entry.name).symlink_to(entry)
            self._made[key] = str(made)
        return self._made[key]

    def _layered(self, names: Collection[str]) -> str:
        """Copy the manifests of all layers but some; a path to a library stays true where it was relative to a file."""
        made = self._new()
        for number, file in enumerate(file for folder in self._layers for file in sorted(folder.glob("*.json"))):
            text = json.loads(file.read_text(encoding="utf-8"))
            rows = text.get("layers", [text.get("layer", {})])
            if any(row.get("name") in names for row in rows):
                continue
            for row in rows:
                if "/" in row.get("library_path", ""):
                    row["library_path"] = str(file.parent / row["library_path"])
            (made / f"{number}.json").write_text(json.dumps(text), encoding="utf-8")
        return str(made)


def _layer_folders(environment: Mapping[str, str]) -> list[Path]:
    """Give the folders in which Vulkan's loader looks for layers."""
    if said := environment.get(_LAYERS):
        return [Path(folder) for folder in said.split(os.pathsep)]
    home = environment.get("HOME", _NOWHERE)
    bases = [
        environment.get("XDG_CONFIG_HOME") or f"{home}/.config",
        *(environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(os.pathsep),
        "/etc",
        environment.get("XDG_DATA_HOME") or f"{home}/.local/share",
        *(environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(os.pathsep),
    ]
    return [Path(base, "vulkan", "explicit_layer.d") for base in dict.fromkeys(bases)]


_HIDING: Final = _Hiding()
