"""Which room imports which: the table of docs/architecture.md, held against the imports of every module.

Imports are read with ``ast``, nothing is executed. Three kinds are distinguished: at the top of a module, under
``if TYPE_CHECKING:``, and inside a function. All three are arrows; the first two may make no circle of modules.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import pytest

from tools import size

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "statetracker"

Kind = Literal["top", "typing", "late"]

#: The room of `statetracker/__init__.py`, which hands out public names on first use.
FACE: Final = "(face)"

PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: The rows of its table: rooms, and what each may import.
ROWS: Final = [
    (re.findall(r"`(\w+)`", rooms), re.findall(r"`(\w+)`", targets), targets)
    for rooms, targets in re.findall(
        r"^\| (.+?) \| .+? \| (.+?) \|$",
        PAGE.partition("| package | holds | imports |\n| --- | --- | --- |\n")[2].partition("\n\n")[0],
        flags=re.MULTILINE,
    )
]
#: Modules that import nothing of ours, and that everything may import: those of the first row.
GROUND: Final = tuple(ROWS[0][0])
#: Room -> the rooms it may import, beside itself and the `GROUND`.
ARROWS: Final = {room: set(targets) for rooms, targets, words in ROWS for room in rooms if "anything" not in words}

#: May import anything, and are imported by nothing. `__main__` is `python -m statetracker`, one call into cli.
ENDS: Final = {"conformance", "cli", "benchmarks", "__main__"}

#: Rooms that stand at the top of the repository, and are linked into the package.
LINKED: Final = ("caps", "cso", "bindings", "benchmarks")

#: (room, target) -> the functions that may import the target when called; None: any function of that room.
LATE_DOORS: Final[dict[tuple[str, str], set[str] | None]] = {
    ("caps", "bindings"): {"Screen.probe"},
    ("vulkan", "bindings"): None,  # the live driver
    ("gl", "bindings"): {"Context.from_current"},
    ("hosts", "bindings"): None,  # live contexts and devices
    ("gl", "hosts"): {
        *(f"Sampler.{name}" for name in ("from_moderngl", "from_vulkan", "from_wgpu", "to_moderngl")),
        "Texture.from_moderngl",
    },
}
#: Late doors to a room that imports the one they stand in: what lies behind them imports nothing but the `GROUND`.
BACK_DOORS: Final = {("gl", "hosts")}


class Import(NamedTuple):
    """One imported name: `target` is a dotted module path, `function` the enclosing one, "" outside of any."""

    target: str
    kind: Kind
    function: str
    line: int


def imports_of(source: str) -> list[Import]:
    """Every import of a module's source, calls of `import_module` with the name written out too."""
    return list(_imports(ast.parse(source)))


def _imports(
    node: ast.AST, scopes: tuple[str, ...] = (), *, late: bool = False, typing: bool = False
) -> Iterator[Import]:
    targets: list[str] = []
    match node:
        case ast.Import(names=names):
            targets = [alias.name for alias in names]
        case ast.ImportFrom(module=base, names=names):
            targets = [f"{base or ''}.{alias.name}" for alias in names]
        case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _called(node) in {"import_module", "__import__"}:
            targets = [name]
        case ast.If(test=test, body=body) if ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            for part in body:
                yield from _imports(part, scopes, late=late, typing=True)
            node = ast.Module(node.orelse, [])
        case ast.ClassDef(name=name):
            scopes = (*scopes, name)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            scopes, late = (*scopes, getattr(node, "name", "<lambda>")), True
    kind: Kind = "typing" if typing else "late" if late else "top"
    yield from (
        Import(target, kind, ".".join(scopes) if late else "", getattr(node, "lineno", 0)) for target in targets
    )
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, scopes, late=late, typing=typing)


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


@cache
def modules() -> dict[str, Path]:
    """Dotted name -> file, of every module of ours."""
    return dict(pair for folder in ("", *LINKED) for pair in size.modules(ROOT, folder))


def module_of(target: str) -> str | None:
    """The module of ours that an import loads: the longest known prefix. None for other people's."""
    parts = target.split(".")
    if parts[0] != PACKAGE:
        return None
    known = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((name for name in known if name in modules()), target)


def room_of(module: str) -> str:
    """The room a dotted name of ours lies in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else FACE


@cache
def our_imports() -> list[tuple[str, str, Import]]:
    """(importing module, imported module, the import), both of ours."""
    return [
        (name, target, seen)
        for name, path in modules().items()
        for seen in imports_of(path.read_text(encoding="utf-8"))
        if (target := module_of(seen.target)) is not None
    ]


def is_arrow(source: str, room: str, seen: Import) -> bool:
    """Whether the table lets a room import another in this place."""
    if source in ENDS or room in {source, *GROUND}:
        return True
    if source == FACE:
        return seen.kind != "top" and room not in ENDS
    if seen.kind == "late" and (source, room) in LATE_DOORS:
        doors = LATE_DOORS[source, room]
        return doors is None or seen.function in doors
    return room in ARROWS.get(source, set())


def test_every_import_is_an_arrow_of_the_table() -> None:
    wrong = [
        f"{module}:{seen.line} imports {target} ({seen.kind})"
        for module, target, seen in our_imports()
        if not is_arrow(room_of(module), room_of(target), seen)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_module_lies_in_a_room_of_the_table() -> None:
    assert {room_of(name) for name in modules()} <= {*ARROWS, *ENDS, FACE}


def test_the_table_has_no_circle() -> None:
    late = defaultdict[str, set[str]](set)
    for source, target in LATE_DOORS.keys() - BACK_DOORS:
        late[source].add(target)
    TopologicalSorter({room: targets | late[room] for room, targets in ARROWS.items()}).prepare()


def test_the_rooms_as_they_are_make_no_circle() -> None:
    graph = defaultdict[str, set[str]](set)
    for module, target, _ in our_imports():
        source, room = room_of(module), room_of(target)
        if source != room and source not in {*ENDS, FACE} and (source, room) not in BACK_DOORS:
            graph[source].add(room)
    TopologicalSorter(graph).prepare()


def test_what_lies_behind_a_back_door_imports_nothing_above_it() -> None:
    seen = our_imports()
    behind = {target for module, target, _ in seen if (room_of(module), room_of(target)) in BACK_DOORS}
    beyond = {(module, target) for module, target, _ in seen if module in behind and room_of(target) not in GROUND}
    assert behind
    assert beyond == set()


def test_the_modules_and_their_types_make_no_circle() -> None:
    graph = defaultdict[str, set[str]](set)
    for module, target, seen in our_imports():
        if seen.kind != "late":
            graph[module].add(target)
    TopologicalSorter(graph).prepare()  # raises an error that has the circle


def test_the_page_has_every_room() -> None:
    assert ENDS - {"__main__"} == {room for rooms, _, words in ROWS for room in rooms if "anything" in words}
    assert len(ARROWS) > 25


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import statetracker.gl", Import("statetracker.gl", "top", "", 1)),
        ("from statetracker import gl", Import("statetracker.gl", "top", "", 1)),
        ("if TYPE_CHECKING:\n import a", Import("a", "typing", "", 2)),
        ("if TYPE_CHECKING:\n pass\nelse:\n import a", Import("a", "top", "", 4)),
        ("try:\n import a\nexcept ImportError: pass", Import("a", "top", "", 2)),
        ("class S:\n def probe(self): import a", Import("a", "late", "S.probe", 2)),
        ("async def f():\n import a", Import("a", "late", "f", 2)),
        ("f = lambda: importlib.import_module('a')", Import("a", "late", "<lambda>", 1)),
    ],
)
def test_the_reader_shows_where_an_import_stands(source: str, expected: Import) -> None:
    assert imports_of(source) == [expected]


@pytest.mark.parametrize(
    ("source", "room", "kind", "function", "right"),
    [
        ("gl", "pipe", "top", "", False),
        ("pipe", "caps", "typing", "", False),
        ("sampler", "frontend", "late", "convert", False),
        ("sampler", "caps", "late", "convert", True),
        ("caps", "bindings", "top", "", False),
        ("caps", "bindings", "late", "Screen.load", False),
        ("caps", "bindings", "late", "Screen.probe", True),
        ("vulkan", "bindings", "top", "", False),
        ("vulkan", "bindings", "late", "LiveDriver.__init__", True),
        ("frontend", "cli", "late", "replay", False),
        ("cli", "conformance", "top", "", True),
        ("errors", "gl", "typing", "", False),
        ("gl", "errors", "top", "", True),
        ("gl", "gl", "top", "", True),
        ("gl", FACE, "top", "", False),
        (FACE, "gl", "top", "", False),
        (FACE, "gl", "typing", "", True),
        (FACE, "gl", "late", "__getattr__", True),
        (FACE, "cli", "late", "__getattr__", False),
        ("new", "gl", "top", "", False),
    ],
)
def test_a_right_arrow_passes_and_a_wrong_one_is_reported(
    source: str, room: str, kind: Kind, function: str, right: bool
) -> None:
    assert is_arrow(source, room, Import("", kind, function, 1)) is right
