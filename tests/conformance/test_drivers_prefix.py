"""`statetracker.conformance.drivers`: another Mesa in a folder, driven."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from statetracker.conformance.drivers import driver, driver_below
from statetracker.conformance.run import conform
from statetracker.errors import FileError, NoDevice

SYSTEM = Path("/usr/lib") / str(sysconfig.get_config_var("MULTIARCH"))
ZINK = driver("zink")


def folder_with(root: Path, *files: str) -> Path:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def test_unpacked_packages_run_with_their_own_c_library(tmp_path: Path) -> None:
    library = "usr/lib/x86_64-linux-gnu"
    files = ("libEGL.so.1", "libEGL_mesa.so.0", "dri/zink_dri.so", "ld-linux-x86-64.so.2")
    shared = ("usr/share/glvnd/egl_vendor.d/50_mesa.json", "usr/share/vulkan/icd.d/lvp_icd.json")
    root = folder_with(tmp_path, *(f"{library}/{name}" for name in files), *shared)
    seen = driver_below(root, ZINK)
    searched = f"{root / library}:{root / 'usr/lib'}"
    assert seen.launcher == (str(root / library / "ld-linux-x86-64.so.2"), "--library-path", searched)
    assert seen.environment == ZINK.environment | {
        "__EGL_VENDOR_LIBRARY_DIRS": str(root / "usr/share/glvnd/egl_vendor.d"),
        "LIBGL_DRIVERS_PATH": str(root / library / "dri"),
        "VK_DRIVER_FILES": str(root / "usr/share/vulkan/icd.d/lvp_icd.json"),
    }
    assert not seen.on_vulkan, "the system's device is not the one that it draws on"


def test_a_build_runs_with_the_systems_c_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    root = folder_with(tmp_path, "lib64/libEGL.so.1")
    seen = driver_below(root, ZINK)
    assert seen.launcher == ()
    assert seen.environment == ZINK.environment | {"LD_LIBRARY_PATH": f"{root / 'lib64'}:/opt/lib"}


def test_an_older_c_library_gives_way_to_this_ones(tmp_path: Path) -> None:
    """Python itself would not start with it."""
    library = "lib/x86_64-linux-gnu"
    root = folder_with(tmp_path, f"{library}/libEGL.so.1", f"{library}/ld-linux-x86-64.so.2")
    for version, gives_way in (("1.9", True), ("999.0", False)):
        text = f"\0GNU C Library (Debian GLIBC) stable release version {version}.\n"
        (root / library / "libc.so.6").write_bytes(text.encode())
        seen = driver_below(root, ZINK)
        assert (seen.launcher == ()) is gives_way
        parts = seen.environment.get("LD_PRELOAD", "").split(":")
        assert [Path(part).name for part in parts if "libc.so" in part] == ["libc.so.6"] * gives_way
        assert str(root) not in parts[0]


def test_a_folder_that_cannot_be_read_is_named() -> None:
    with pytest.raises(FileError, match="nnn: cannot be read: File name too long"):
        driver_below("n" * 300, ZINK)


@pytest.mark.parametrize("files", [(), ("usr/lib/libGL.so.1",)])
def test_a_folder_without_mesa_is_refused(tmp_path: Path, files: tuple[str, ...]) -> None:
    folder_with(tmp_path, *files)
    with pytest.raises(FileError, match="has no libEGL: no Mesa is unpacked there"):
        conform("llvmpipe", count=1, seed=1, mesa_prefix=str(tmp_path))


def test_a_loader_of_another_machine_is_named(tmp_path: Path) -> None:
    root = folder_with(tmp_path, "lib64/libEGL.so.1", "lib64/ld-linux-x.so.2")
    loader = root / "lib64/ld-linux-x.so.2"
    loader.write_bytes(b"\x7fELF")
    loader.chmod(0o755)
    with pytest.raises(NoDevice, match=f"llvmpipe could not be started: {loader}: Exec format error"):
        conform("llvmpipe", count=1, seed=1, mesa_prefix=str(root))


@pytest.mark.live("egl:llvmpipe")
def test_the_systems_mesa_agrees_as_another_one(tmp_path: Path) -> None:
    """Through its loader, as with unpacked packages; `statetracker conform` has an option for such a folder."""
    (tmp_path / "usr/lib").mkdir(parents=True)
    (tmp_path / "usr/lib" / SYSTEM.name).symlink_to(SYSTEM)
    tally = conform("llvmpipe", count=20, seed=4, mesa_prefix=str(tmp_path))
    assert (tally.agree, tally.cases) == (20, 20)
