"""Build the sdist and the wheel, and install one in an environment that has nothing else.

Used by tests/test_packaging.py, offline, and by ``make package`` from a network: each extra gets a virtual environment
of its own and does one thing that fails without it (`USES`); one has all of them, with every dependency at the lower
bound that pyproject.toml declares. OUTPUT=FOLDER keeps the two archives.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
_PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Whose bounds pyproject.toml declares.
OLDEST: Final = (3, 11)
COMMAND: Final = ("-m", "statetracker")
#: Command lines without an extra -> exit codes: help, columns, events, descriptions and mistakes need all of them.
_LINES: Final = {
    "--help": 0,
    "conform --help": 0,
    "screens": 0,
    f"--log convert {ROOT}/examples/shadow.toml": 0,
    f"convert {ROOT}/examples/border.toml --screen {ROOT}/tests/data/reports/gpuinfo-38434-reduced.json": 0,
    "convert": 2,
    "convert --nothing": 2,
}
_CORE: Final = (
    "from statetracker.cli import main; import rich.progress\n"
    f"for line, code in {_LINES!r}.items(): assert main(line.split()) == code, line"
)
_STRUCT: Final = (
    "import statetracker as st; from statetracker.vulkan import pyvulkan_struct as c; "
    "print(c(st.convert(st.Sampler(), st.Texture(), st.Screen.device(report=38162)).vulkan))"
)
_ARROW: Final = (
    "import statetracker as st; from statetracker.batch import sampler_rows, to_arrow; "
    "print(to_arrow(sampler_rows([st.Sampler()])).num_rows)"
)
_DASK: Final = """
from distributed import LocalCluster
from statetracker.jobs import run_jobs
if __name__ == "__main__":
    with LocalCluster(n_workers=1, dashboard_address="127.0.0.1:0") as cluster:
        print(dict(run_jobs(pow, {"2 to the tenth": (2, 10)}, scheduler=cluster.scheduler_address)))
"""
#: Extra -> what is run with it, by the environment's Python.
USES: Final[dict[str, tuple[str, ...]]] = {
    "": ("-c", _CORE),
    "live": (*COMMAND, "probe"),
    "batch": ("-c", "import statetracker.batch, statetracker.surface.batch, statetracker.reference"),
    "arrow": ("-c", _ARROW),
    "report": (*COMMAND, "geometry", f"{ROOT}/examples/silhouette.spv", "-o", "registers.png"),
    "replay": (*COMMAND, "replay", f"{ROOT}/tests/data/programs/sampler-array.dump.txt.gz"),
    "conformance": ("-c", "from statetracker.conformance.strategies import states; print(states())"),
    "webgpu": ("-c", "import wgpu, statetracker as st; print(wgpu.__version__, st.Sampler.from_wgpu({}))"),
    "pyvulkan": ("-c", _STRUCT),
    "dask": ("-c", _DASK),
    "all": (*COMMAND, "preview", f"{ROOT}/examples/mirror.toml", "-o", "mirror.png"),
}


def build(source: Path, folder: Path) -> tuple[Path, Path]:
    """Build a source tree with this interpreter's hatchling, offline; gives the sdist and the wheel."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    ran(command, source)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def unpacked(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist and give the folder that is in it."""
    safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in Debian 12's Python
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, **safely)  # noqa: S202 (made here)
    return folder / sdist.name.removesuffix(".tar.gz")


def bare(folder: Path, *, pip: bool = True) -> Path:
    """Make a virtual environment and give its Python."""
    venv.create(folder, with_pip=pip, clear=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def ran(command: Sequence[str], folder: Path) -> str:
    """Run a command in a folder, without the checkout on the path; gives what it printed, raises if it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stdout


def extras() -> list[str]:
    """Return the extras that pyproject.toml declares, after the installation without any."""
    return ["", *_PROJECT["optional-dependencies"]]


def lowest() -> list[str]:
    """Return the dependencies that pyproject.toml declares, with those of extras, each as ``name==bound``."""
    groups = (of for name, of in _PROJECT["optional-dependencies"].items() if name != "all")
    wanted = dict.fromkeys(itertools.chain(_PROJECT["dependencies"], *groups))
    return [one.replace(">=", "==") for one in wanted]


def use_lowest(wheel: Path, folder: Path) -> None:
    """Install a wheel with all extras, each dependency at its lower bound, and do what needs each extra."""
    python = str(bare(folder / "environment"))
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
    ran([python, *install, f"{wheel}[all]", *lowest()], folder)
    for command in USES.values():
        with_libraries(python, command, folder)


def use(archive: Path, extra: str, folder: Path) -> None:
    """Install an archive with an extra in a new environment, and do what needs it."""
    python = bare(folder / "environment")
    wanted = f"{archive}[{extra}]" if extra else str(archive)
    ran([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted], folder)
    for other in (other for other in USES if other and not extra):
        try:
            ran([str(python), *USES[other]], folder)
        except RuntimeError:
            continue
        raise RuntimeError(f"{other} runs without the extra that it is said to need")
    with_libraries(str(python), USES[extra], folder)


def with_libraries(python: str, command: Sequence[str], folder: Path) -> None:
    """Run a command by an environment's Python; it may say that it needs a library of the machine."""
    try:
        ran([python, *command], folder)
    except RuntimeError as error:
        if "apt-get install" not in str(error):
            raise
