"""Five directories, one import name: in the checkout by links, in the archives by mapping; what the archives hold.

Here they are installed offline, beside what the tests run with; ``make package`` installs them with every extra, from a
network.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import settings

import statetracker
from statetracker.errors import MissingExtra
from statetracker.frontend.policy import Policy, PolicyFields
from statetracker.gl.sampler import FIELDS, SamplerFields
from statetracker.pipe.state import FIELD_NAMES, SamplerStateFields
from tools import package

ROOT: Final = Path(__file__).parents[1]
LINKED: Final = ("caps", "cso", "bindings", "benchmarks")
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PROGRAM: Final = ROOT / "tests" / "data" / "typed" / "program.py"


class Archives(NamedTuple):
    """The sdist and the wheel of this checkout."""

    sdist: Path
    wheel: Path


def files_below(folder: Path) -> set[str]:
    """The files of a folder as posix paths relative to it, without caches; links are not followed."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in paths}


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """Both, built by hatchling alone, so that no network is needed."""
    return Archives(*package.build(ROOT, tmp_path_factory.mktemp("first")))


def test_every_dependency_has_the_lowest_version_that_was_tried() -> None:
    """``make package`` installs them together, each at its bound, and does what needs each."""
    extras = [one for name, of in PROJECT["optional-dependencies"].items() if name != "all" for one in of]
    pins = package.lowest()
    assert set(pins) == {one.replace(">=", "==") for one in (*PROJECT["dependencies"], *extras)}
    assert all(re.fullmatch(r"[a-z0-9]+==\d[\d.]*", pin) for pin in pins)


@pytest.fixture(scope="module")
def installed(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel, and else only what the tests run with."""
    return install(archives.wheel, tmp_path_factory.mktemp("wheel"))


def install(archive: Path, folder: Path) -> Path:
    """Install offline; what it depends on comes from the environment of the tests."""
    python = package.bare(folder, pip=False)
    own = {"base": str(folder), "platbase": str(folder)}
    Path(sysconfig.get_path("purelib", vars=own), "tests.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed", "--quiet")
    package.ran([sys.executable, "-m", "pip", "--python", str(python), "install", *offline, str(archive)], folder)
    return python


@pytest.mark.parametrize("room", LINKED)
def test_a_linked_room_is_the_directory_at_the_top_and_is_imported_from_there(room: str) -> None:
    assert (ROOT / "statetracker" / room).readlink() == Path("..") / room
    module = importlib.import_module(f"statetracker.{room}")
    assert module.__file__ is not None
    assert Path(module.__file__).samefile(ROOT / room / "__init__.py")


def test_the_wheel_holds_every_file_of_the_package_once_under_one_name(archives: Archives) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        wheel = archive.namelist()
    assert len(wheel) == len(set(wheel))
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == {"statetracker"}
    ours = {f"statetracker/{name}" for name in files_below(ROOT / "statetracker")}
    linked = {f"statetracker/{room}/{name}" for room in LINKED for name in files_below(ROOT / room)}
    assert (ours | linked | {"statetracker/py.typed"}) - set(wheel) == set()


def test_the_installed_package_writes_the_examples_and_explains_one(installed: Path, tmp_path: Path) -> None:
    package.ran([str(installed), *package.COMMAND, "examples", "here"], tmp_path)
    assert files_below(tmp_path / "here") == files_below(ROOT / "examples") - {"drivers.py"}
    said = package.ran([str(installed), *package.COMMAND, "explain", "border.toml"], tmp_path / "here")
    assert "what the shader adds" in said


def test_two_builds_are_equal_and_so_is_the_wheel_of_the_sdist(archives: Archives, tmp_path: Path) -> None:
    """Byte for byte: of the checkout, and of the sdist unpacked elsewhere."""
    again = package.build(ROOT, tmp_path / "second")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in archives]
    unpacked = package.unpacked(archives.sdist, tmp_path)
    assert package.build(unpacked, tmp_path / "third")[1].read_bytes() == archives.wheel.read_bytes()


def test_each_archive_is_installed_alone_and_does_something(
    archives: Archives, installed: Path, tmp_path: Path
) -> None:
    for python in (installed, install(archives.sdist, tmp_path / "sdist")):
        place = "import statetracker.caps as caps; print(caps.__file__)"
        assert Path(package.ran([str(python), "-c", place], tmp_path).strip()).is_relative_to(python.parents[1])
        assert "Z24X8_UNORM" in package.ran([str(python), *package.USES[""]], tmp_path)


NETWORK = settings.get_current_profile_name() == "package"
CHOSEN = os.environ.get("NAMES", "").split()


@pytest.mark.skipif(not NETWORK, reason="make package does it, from a network")
@pytest.mark.parametrize("extra", [*package.extras(), "lowest"])
def test_each_extra_does_in_an_environment_of_its_own_what_fails_without_it(
    extra: str, archives: Archives, tmp_path: Path
) -> None:
    """``lowest``: all of them, each dependency at its lower bound."""
    if CHOSEN and extra not in CHOSEN:
        pytest.skip(f"not among {CHOSEN}")
    if extra == "lowest" and sys.version_info[:2] != package.OLDEST:
        pytest.skip(f"the bounds are those of Python {package.OLDEST}")
    if extra == "lowest":
        package.use_lowest(archives.wheel, tmp_path)
        return
    package.use(archives.wheel, extra, tmp_path)
    if not extra:
        package.use(archives.sdist, extra, tmp_path)


@pytest.mark.skipif(not os.environ.get("OUTPUT"), reason="OUTPUT names no folder")
def test_the_archives_are_kept(archives: Archives) -> None:
    folder = Path(os.environ["OUTPUT"])
    folder.mkdir(parents=True, exist_ok=True)
    for path in archives:
        assert Path(shutil.copy(path, folder)).read_bytes() == path.read_bytes()


def test_the_metadata_names_the_licence_by_its_spdx_expression(archives: Archives) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode()
    assert "\nLicense-Expression: MIT\nLicense-File: LICENSE\n" in text
    assert "Classifier: License" not in text
    assert "Project-URL" not in text, "an address that is not known to be true"


def test_the_version_is_the_same_wherever_it_stands_and_every_classifier_exists() -> None:
    assert statetracker.__version__ == PROJECT["version"]
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert set(PROJECT["classifiers"]) <= set(importlib.import_module("trove_classifiers").classifiers)


def test_every_extra_is_used_is_in_all_and_is_in_the_list_of_extras() -> None:
    assert set(package.USES) == set(package.extras())
    (all_of_them,) = PROJECT["optional-dependencies"]["all"]
    assert all_of_them == f"gallium-statetracker[{','.join(package.extras()[1:-1])}]"
    page = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    assert [extra for extra in package.extras() if extra and f"\n| `{extra}` |" not in page] == []


def test_mypy_takes_a_users_program_and_refuses_its_marked_lines(installed: Path, tmp_path: Path) -> None:
    """Of the installed package; a line that is marked and is not refused is an error, too."""
    program = tmp_path / "program.py"
    program.write_bytes(PROGRAM.read_bytes())
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed), str(program)]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.stdout == "Success: no issues found in 1 source file\n", checked.stdout + checked.stderr


def test_what_a_type_checker_takes_runs() -> None:
    runpy.run_path(str(PROGRAM))["accepted"]()


def test_typed_keywords_are_those_that_are_taken() -> None:
    others = {"wrap", "filter", "border_color_i", "border_color_bits"}
    assert set(SamplerFields.__annotations__) == {*FIELDS, *others}
    assert list(PolicyFields.__annotations__) == list(Policy.__slots__)
    assert PolicyFields.__annotations__.keys() == Policy.__annotations__.keys()
    assert list(SamplerStateFields.__annotations__) == list(FIELD_NAMES)


def test_the_demo_is_set_up_with_the_library_alone_and_tests_with_every_extra_but_those_of_their_own() -> None:
    """What make would run from nothing: a comma in one of its calls would cut a command short."""

    def asked(target: str) -> list[str]:
        command = ["make", "--dry-run", "--always-make", "PYTHON=python3", target]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return re.findall(r"pip install --quiet --quiet (.*?)(?: \|\||;)", ran.stdout)

    assert asked(".venv/ready-demo") == ["--editable ."]
    assert asked(".venv/ready") == [
        "--editable .",
        "'pip>=25.1'",
        "--editable '.[live,batch,report,replay,webgpu,pyvulkan]' --group dev",
        "--only-binary pyarrow --editable '.[arrow]'",
    ]
    assert asked(".venv/ready-solver")[-1] == "--only-binary ortools --group solver"


def test_what_an_error_says_to_install_is_a_package_that_its_extra_brings() -> None:
    """So the command works as it is printed: no index has this project, and a wheel's folder no ``.``."""
    files = [file for room in ("statetracker", "bindings", "caps", "cso") for file in (ROOT / room).rglob("*.py")]
    named = {
        (str(package.value), str(extra.value))
        for file in files
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "MissingExtra"
        for package, extra in [call.args[1:3]]
        if isinstance(package, ast.Constant) and isinstance(extra, ast.Constant)
    }
    assert len(named) > 6
    for package_, extra in named:
        assert package_ in [re.split(r"[><=]", one)[0] for one in PROJECT["optional-dependencies"][extra]]
        assert MissingExtra("a part", package_, extra).hint == f"Install it with: pip install {package_}"


def test_nothing_says_that_an_index_has_this_project() -> None:
    """Whatever names it to pip: a page, an example, a message."""
    folders = ("statetracker", "bindings", "caps", "cso", "docs", "examples")
    files = [file for name in folders for kind in ("py", "md") for file in (ROOT / name).rglob(f"*.{kind}")]
    wrong = re.compile(r"install[^.;]{0,40}[ \n'\"]gallium-statetracker(\[|$|['\"])")
    assert [file for file in (ROOT / "README.md", *files) if wrong.search(file.read_text(encoding="utf-8"))] == []
