"""Each tutorial is followed word for word: its files written, its commands run in order, what they print compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from PIL import Image, ImageChops

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
#: Tutorial -> what it asks of the machine.
TUTORIALS: Final = {
    "tutorial_emulator": ("glslangValidator",),
    "tutorial_driver": ("egl:llvmpipe",),
    "tutorial_conformance": ("cc",),
}

_FENCE: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE: Final = re.compile(r"`([\w.]+\.(?:py|toml|c|frag))`")
_DIFFERS: Final = re.compile(r"^differ +[a-z]", re.MULTILINE)
_COMMAND: Final = re.compile(r"^\$ ", re.MULTILINE)


class Step(NamedTuple):
    """A file to write (``name``, ``text``), or a command (``name``) with what it prints (``text``)."""

    kind: str
    name: str
    text: str


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def steps(text: str) -> Iterator[Step]:
    """The steps of a page: a file is the last one that the prose before its block names."""
    last = 0
    for fence in _FENCE.finditer(text):
        prose, last = text[last : fence.start()], fence.end()
        language, body = fence.groups()
        if language == "console":
            for command in _COMMAND.split(body)[1:]:
                line, _, printed = command.partition("\n")
                yield Step("run", line.partition("   #")[0], printed)
        elif language != "sh":  # installs
            yield Step("write", _FILE.findall(prose)[-1], body)


def same(printed: str, said: str) -> bool:
    """Whether a command prints what the page says: a line of three dots is any lines, three dots in a line any text."""
    pattern = ""
    for line in said.splitlines():
        pattern += r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r" *\n"
    return re.fullmatch(pattern, re.sub(r" +$", "", printed, flags=re.MULTILINE)) is not None


def follow(name: str, folder: Path, wheel: Path) -> int:
    """Follow a tutorial in a folder, by the installed wheel; gives how many commands were run."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "200", "PYTHONPATH": str(wheel)}
    commands = 0
    for step in steps(page(name)):
        if step.kind == "write":
            (folder / step.name).write_text(step.text, encoding="utf-8")
            continue
        done = subprocess.run(
            ["sh", "-c", step.name],  # noqa: S607 (as the reader's terminal does)
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False, timeout=300,
        )  # fmt: skip
        differs = step.name.startswith("statetracker conform") and _DIFFERS.search(done.stdout)
        assert done.returncode == (1 if differs else 0), f"{step.name}\n{done.stdout}"
        assert same(done.stdout, step.text), f"{step.name}\n{done.stdout}"
        commands += 1
    return commands


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.live(*needs)) for name, needs in TUTORIALS.items()]
)
def test_a_tutorial_does_what_it_says(name: str, tmp_path: Path, wheel: Path) -> None:
    assert follow(name, tmp_path, wheel) >= 3
    if name == "tutorial_emulator":
        kept = ROOT / "docs" / "images" / "tutorial_clamp.png"
        with Image.open(tmp_path / "game.png") as drawn, Image.open(kept) as shown:
            assert drawn.size == shown.size
            difference = ImageChops.difference(drawn.convert("RGB"), shown.convert("RGB")).convert("L")
        assert max(difference.tobytes()) <= 1


def test_every_tutorial_is_followed_and_can_be_read_at_one_sitting() -> None:
    assert sorted(TUTORIALS) == sorted(path.stem for path in (ROOT / "docs").glob("tutorial_*.md"))
    assert [name for name in TUTORIALS if not 60 <= len(page(name).splitlines()) <= 130] == []


@pytest.mark.parametrize(
    ("printed", "said", "alike"),
    [
        ("a 1\nb\n", "a 2\nb\n", False),
        ("a\n", "a\nb\n", False),
        ("a\nb\n", "a\n", False),
        ("x\nb\n", "...\na\n", False),
        ("head\nfoot 1\nagree 50 (3 s)   \nend\n", "...\nagree 50 (...\nend\n", True),
        ("a 1\n", "a ...\n", True),
    ],
)
def test_another_output_is_noticed_and_dots_stand_for_any_lines_and_any_text(
    printed: str, said: str, alike: bool
) -> None:
    assert same(printed, said) is alike
