"""Size of each room, beside the most that it may be: ``python tools/size.py``.

Lines are counted whole, and as code: without blank lines, comments, docstrings and imports. A module with one importer
is a candidate to be joined with it. `LIMITS` is what `make test` holds; who needs more raises the row in the same
commit, and says why there.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LIMITS", "Size", "modules", "sizes", "too_large"]

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "statetracker"
#: Rooms that stand at the top of the repository and are imported under the package.
_LINKED: Final = ("bindings", "caps", "cso")
#: What is no product.
_BESIDE: Final = ("benchmarks", "examples", "tests", "tools")
_DEFINITIONS: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Size(NamedTuple):
    """Of a room: lines in all, lines of code, modules, and those of them with at most one importer in the product."""

    lines: int
    code: int
    modules: int = 0
    alone: int = 0


#: Room -> the most that it may be.
LIMITS: Final[dict[str, Size]] = {
    "(top)": Size(1_500, 770, 10, 0),  # one look-up by name, one blame of a file
    "batch": Size(1_070, 610, 6, 3),  # a mask is a mask; a failed write leaves the file
    "bindings": Size(1_950, 1_180, 11, 1),  # an api that is no pair is refused
    "caps": Size(2_860, 1_610, 16, 0),  # what was taken is taken again
    "cli": Size(3_570, 2_290, 18, 12),  # verdicts follow the exit code; options are refused by their names
    "conformance": Size(4_320, 2_620, 22, 4),  # a wrong driver or file is said before the run
    "cso": Size(2_270, 1_220, 11, 2),  # what is no policy, key or slot is refused by name
    "findings": Size(1_200, 710, 6, 1),  # an unknown profile is one error
    "frontend": Size(3_780, 1_940, 18, 2),  # what was taken is taken again
    "geometry": Size(4_300, 2_790, 20, 3),  # Google style
    "gl": Size(6_400, 3_740, 27, 5),  # what was taken is taken again
    "hosts": Size(2_690, 1_650, 11, 6),  # what was taken is taken again
    "pipe": Size(1_400, 770, 7, 0),  # what 32 bits do not hold is refused
    "reference": Size(1_210, 710, 7, 1),  # gather and bounds check what sample checks
    "replay": Size(4_820, 2_890, 20, 3),  # APIs by thread, lists by context
    "sampler": Size(1_760, 950, 10, 0),  # Google style
    "shader": Size(8_330, 5_370, 40, 11),  # elements beyond a list, blocks of 32 bits
    "spirv": Size(1_560, 940, 8, 1),  # types of extensions
    "surface": Size(3_650, 2_040, 18, 2),  # addresses count in 64 bits
    "survey": Size(940, 530, 5, 1),  # Google style
    "trace": Size(1_100, 660, 6, 2),  # one reader of Mesa's trace
    "vulkan": Size(3_980, 2_270, 19, 0),  # data that is no create info is refused
    "webgpu": Size(620, 320, 4, 0),  # a LOD that 32 bits do not hold
    "(product)": Size(65_190, 38_490, 320, 60),  # what was taken is taken again
    "benchmarks": Size(1_570, 940, 15, 0),  # a frame of many programs, a gap between slots
    "examples": Size(1_120, 730, 11, 0),  # GLSL written by spirv-cross
    "tests": Size(57_650, 39_010, 376, 0),  # faults found by reading every room
    "tools": Size(8_190, 5_060, 57, 0),  # pictures share texels and rules
}


def sizes(root: Path = ROOT) -> dict[str, Size]:
    """Return room -> size; "(top)" has the package's own modules, "(product)" is the sum of the rooms."""
    product = {name: file for folder in ("", *_LINKED) for name, file in modules(root, folder)}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, file in product.items():
        for target in _imported(file, product):
            importers[target].add(name)
    rooms: dict[str, list[Size]] = defaultdict(list)
    for name, file in product.items():
        alone = not file.stem.startswith("__") and len(importers[name] - {name}) < 2
        size = Size(*_counted(file), 1, int(alone))
        rooms[_room(file.relative_to(root))].append(size)
    found = {room: _sum(rooms[room]) for room in sorted(rooms)}
    found["(product)"] = _sum(found.values())
    for beside in _BESIDE:
        found[beside] = _sum(Size(*_counted(file), 1) for file in (root / beside).rglob("*.py"))
    return found


def too_large(found: dict[str, Size]) -> list[str]:
    """Return a line for each room that is larger than its row, and for each that has none."""
    wrong = [f"{room} has no row in LIMITS of tools/size.py" for room in found if room not in LIMITS]
    for room, limit in LIMITS.items():
        for what, there, most in zip(Size._fields, found.get(room, Size(0, 0)), limit, strict=True):
            if there > most:
                hint = "raise the row in LIMITS of tools/size.py in the same commit and say why"
                wrong.append(f"{room}: {there:,} {what}, where {most:,} are allowed: take something away, or {hint}")
    return wrong


def _room(file: Path) -> str:
    """Return the room of a file of the product, by its place in the repository."""
    inside = file.parts[1:] if file.parts[0] == PACKAGE else file.parts
    return inside[0] if len(inside) > 1 else "(top)"


def _sum(each: Iterable[Size]) -> Size:
    return Size(*map(sum, zip(Size(0, 0), *each, strict=True)))


def modules(root: Path, folder: str) -> list[tuple[str, Path]]:
    """Return the dotted name and the file of every module in a folder of the repository, "" being the package's own."""
    base = root / (folder or PACKAGE)
    prefix = f"{PACKAGE}.{folder}" if folder else PACKAGE
    linked = {root / PACKAGE / name for name in (*_LINKED, "benchmarks")}
    found = []
    for file in sorted(base.rglob("*.py")):
        if not linked & {*file.parents}:
            parts = file.relative_to(base).with_suffix("").parts
            found.append((".".join([prefix, *parts]).removesuffix(".__init__"), file))
    return found


def _imported(file: Path, product: dict[str, Path]) -> set[str]:
    """Return the modules of the product that a module imports, anywhere in it."""
    targets: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            targets.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{name.name}" for name in node.names}
            targets |= (inside & product.keys()) or {node.module}
    return targets & product.keys()


def _counted(file: Path) -> tuple[int, int]:
    """Return how many lines a module has, and how many of them are code."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    code = {number for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")}
    for node in ast.walk(ast.parse(text)):
        silent: list[ast.stmt] = []
        if isinstance(node, ast.Import | ast.ImportFrom):
            silent = [node]
        elif isinstance(node, _DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
            silent = node.body[:1]
        for statement in silent:
            code.difference_update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return len(lines), len(code)


def main() -> int:
    """Print the table; 1 where a room is too large."""
    found = sizes()
    print(f"{'room':14}{'lines':>9}{'code':>9}{'modules':>9}{'alone':>7}   the most")
    for room, size in found.items():
        most = LIMITS.get(room, Size(0, 0))
        print(f"{room:14}{size.lines:9,}{size.code:9,}{size.modules:9}{size.alone:7}   {most.lines:,} lines")
    wrong = too_large(found)
    print("\n".join(wrong), file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
