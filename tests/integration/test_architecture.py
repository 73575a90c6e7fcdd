"""docs/architecture.md: the files and functions of its two walks are those that run, in that order."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import statetracker as st
from statetracker.sampler import converter
from statetracker.vulkan import create_info

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "architecture.md"
STEP: Final = re.compile(r"^\d+\. `([\w/]+\.py)`: (.*)$", re.MULTILINE)
FILE: Final = re.compile(r"`((?:statetracker|caps|cso|bindings|tools|tests|benchmarks)/[\w/]+\.py)`")


class Driver:
    """Counts what it is asked for; the functions of this file are no part of a walk."""

    def __init__(self) -> None:
        self.states = self.binds = 0

    def create_sampler_state(self, _record: bytes) -> int:
        self.states += 1
        return self.states

    def bind_sampler_states(self, _stage: str, _start: int, _handles: tuple[int | None, ...]) -> None:
        self.binds += 1

    def delete_sampler_state(self, _handle: int) -> None:
        """Nothing to free."""


def passed(act: Callable[[], object]) -> dict[str, set[str]]:
    """The files of ours whose functions ran, in order of their first one, with the functions' names."""
    files: dict[str, set[str]] = {}

    def entered(frame: object, event: str, _: object) -> None:
        code = getattr(frame, "f_code")  # noqa: B009 (a frame has no public type)
        path = Path(code.co_filename).resolve()
        if event == "call" and path.is_relative_to(ROOT) and path.suffix == ".py" and path != Path(__file__).resolve():
            files.setdefault(path.relative_to(ROOT).as_posix(), set()).add(code.co_name)

    before = sys.getprofile()
    sys.setprofile(entered)
    try:
        act()
    finally:
        sys.setprofile(before)
    return files


def shown(title: str) -> tuple[int, list[tuple[str, set[str]]]]:
    """The number in the heading of a walk, and its files with the functions that the page names."""
    section = PAGE.read_text(encoding="utf-8").partition(f"### {title}")[2].partition("\n#")[0]
    count = re.match(r".*: (\d+) files?\n", section)
    assert count is not None, title
    return int(count[1]), [(file, set(re.findall(r"`(\w+)`", text))) for file, text in STEP.findall(section)]


def check(title: str, files: dict[str, set[str]]) -> None:
    count, steps = shown(title)
    assert [file for file, _ in steps] == list(files)
    assert count == len(steps)
    assert [(file, names - files[file]) for file, names in steps if names - files[file]] == []


def test_the_walk_of_a_wrap_passes_the_files_that_the_page_lists() -> None:
    screen = st.Screen.named("zink-lavapipe")
    context, records = st.Context(screen.gl_limits()), converter(screen)
    (name,) = context.glGenSamplers(1)
    facts = st.Texture("2d", "RGBA8").facts()

    def walk(wrap: str) -> None:
        context.glSamplerParameteri(name, "GL_TEXTURE_WRAP_S", wrap)
        create_info(records.record(context.samplers[name], facts), screen)

    walk("GL_CLAMP_TO_EDGE")
    check("A wrap mode", passed(lambda: walk("GL_CLAMP")))


def test_the_walk_of_a_bind_passes_the_files_that_the_page_lists() -> None:
    texture = st.Texture("2d", "RGBA8")
    repeated, clamped = ((st.Sampler(), texture),), ((st.Sampler(wrap="clamp"), texture),)
    driver = Driver()
    tracker = st.StateTracker(st.Screen.named("zink-lavapipe"), driver)
    for _ in range(3):
        for material in (repeated, clamped):
            tracker.bind("fragment", material)
    binds = driver.binds
    check("A bind", passed(lambda: tracker.bind("fragment", repeated)))
    assert driver.binds == binds + 1


def test_every_file_that_the_page_names_exists() -> None:
    named = FILE.findall(PAGE.read_text(encoding="utf-8"))
    assert named
    assert [file for file in named if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("row", re.findall(r"^\| [^|]+\? \|.*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
def test_every_function_of_the_table_of_decisions_is_in_a_file_of_its_row(row: str) -> None:
    _, _, files, names, *_ = (cell.strip() for cell in row.split("|"))
    text = "\n".join((ROOT / file).read_text(encoding="utf-8") for file in FILE.findall(row))
    assert files
    assert [
        name
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(rf"^\s*(def |class )?{name}\b", text, re.MULTILINE)
    ] == []
