"""Change the rule tables on purpose, one small change at a time; the tests must notice each one.

Run by `make mutation`; docs/mutation.md says how to read the result. Exit codes: 0 every change was noticed or is
explained, 1 one was not, or an explanation matches nothing any more, 2 it could not be run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.console import Console
from rich.table import Table

from tools.mutants.changes import Change, changes
from tools.mutants.trial import Trial, copy_tree, run_all, warm_up

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "tools" / "mutants"
LAST: Final = ROOT / ".mutation" / "survivors.json"
#: A test that hangs has noticed: processor seconds a stage, as a multiple of what it takes unchanged, and at least.
SLOWER: Final = 4.0
LEAST: Final = 10.0
EVERY: Final = 200  # changes a line of progress
#: A change as it is written down: file, mark.
Key = tuple[str, str]
#: pytest's arguments.
Stage = tuple[str, ...]


class Module(NamedTuple):
    """A module of the plan, with the changes to try."""

    file: str
    stages: tuple[Stage, ...]
    changes: list[Change]
    tried: list[Change]

    def key(self, change: Change) -> Key:
        """How a change is written down."""
        return self.file, change.mark


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen trials and print the result."""
    options = _options(arguments)
    modules, explained = read_plan(chosen=options.chosen, only=options.only), read_explained()
    if options.again:
        wanted = {tuple(key) for key in json.loads(LAST.read_text(encoding="utf-8"))}
        modules = [m._replace(tried=[c for c in m.tried if m.key(c) in wanted]) for m in modules]
    if not any(module.tried for module in modules):
        print("Nothing to try: no module or change of that name.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        tree = Path(folder)
        copy_tree(ROOT, tree)
        warm_up()
        limits, broken = rehearse(modules, tree, options)
        if broken:
            print(f"Tests fail before anything is changed: pytest {' '.join(broken[0])}", file=sys.stderr)
            return 2
        killed = try_all(modules, explained, tree, options, limits)
    survivors = {m.key(c): (m, c) for m in modules for c in m.tried if not killed[m.key(c)]}
    unexplained = [key for key in survivors if key not in explained]
    everything, files = {m.key(c) for m in modules for c in m.changes}, {m.file for m in modules}
    stale = [key for key in explained if key not in everything and (key[0] in files or not options.only)]
    needless = [key for key in explained if killed.get(key)]
    if not options.chosen:
        LAST.parent.mkdir(exist_ok=True)
        LAST.write_text(json.dumps(unexplained, indent=0), encoding="utf-8")
    _report(modules, killed, explained)
    for key in unexplained:
        print(_shown(*survivors[key]))
    for words, keys in (("matches no change", stale), ("explains a change that tests notice", needless)):
        for file, mark in keys:
            print(f"explained.toml {words}: {file}\n  {mark}")
    return int(bool(unexplained or stale or needless))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="modules whose file name has this in it")
    parser.add_argument("--chosen", action="store_true", help="only the middle change of each chosen table")
    parser.add_argument("--again", action="store_true", help="only what survived unexplained in the last run")
    parser.add_argument("--quick", action="store_true", help="only a module's own tests: much survives")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="trials side by side")
    options = parser.parse_args(arguments)
    options.quick |= options.chosen
    return options


def read_plan(*, chosen: bool = False, only: str = "") -> list[Module]:
    """Read which modules are changed, and find their changes; `chosen`: the middle one of each chosen table."""
    plan = tomllib.loads((DATA / "plan.toml").read_text(encoding="utf-8"))
    modules = []
    for file, row in plan["modules"].items():
        if only in file:
            words = {name: row.get(name, "").split() for name in ("also", "ordered", "said", "chosen")}
            every = changes((ROOT / file).read_text(encoding="utf-8"), ordered=words["ordered"], said=words["said"])
            tests = _tests(file, [name for word in words["also"] for name in plan["sets"].get(word, word).split()])
            tried = _chosen(file, words["chosen"], every) if chosen else every
            modules.append(Module(file, tuple(map(tuple, [tests, *plan["wider"]])), every, tried))
    return modules


def _tests(file: str, also: Sequence[str]) -> list[str]:
    """Return the tests of a module's own name, and others of its room or with another's name before theirs."""
    room = Path("tests", Path(file.removeprefix("statetracker/")).parent)
    own = room / f"test_{Path(file).stem}.py"
    others = [(Path("tests", name).parent if "/" in name else room) / f"test_{Path(name).name}.py" for name in also]
    tests = ([own] if (ROOT / own).exists() else []) + others
    if not tests:
        raise SystemExit(f"plan.toml: {file} has no tests")
    return [str(test) for test in tests]


def _chosen(file: str, tables: Sequence[str], every: Sequence[Change]) -> list[Change]:
    explained = read_explained()
    tried = []
    for where in tables:
        there = [c for c in every if c.where == where and (file, c.mark) not in explained]
        if not there:
            raise SystemExit(f"plan.toml: {file} has nothing to change in {where}")
        tried.append(there[len(there) // 2])
    return tried


def read_explained() -> dict[Key, str]:
    """Read the changes that no test can notice: key -> reason."""
    rows = tomllib.loads((DATA / "explained.toml").read_text(encoding="utf-8"))
    return {
        (file, mark): reason for file, reasons in rows.items() for reason, marks in reasons.items() for mark in marks
    }


def rehearse(
    modules: Iterable[Module], tree: Path, options: argparse.Namespace
) -> tuple[dict[Stage, float], list[Stage]]:
    """Run each stage once without any change; return the processor seconds it may then take, and those that fail."""
    stages = [stage for m in modules if m.tried for stage in (m.stages[:1] if options.quick else m.stages)]
    selections = list(dict.fromkeys(stages))
    trials = [Trial("", None, (selection,), (600.0,)) for selection in selections]
    ends = {selections[end.number]: end for end in run_all(trials, tree, jobs=options.jobs)}
    limits = {stage: max(LEAST, SLOWER * end.seconds) for stage, end in ends.items()}
    return limits, [stage for stage, end in ends.items() if not end.passed]


def try_all(
    modules: Sequence[Module],
    explained: Container[Key],
    tree: Path,
    options: argparse.Namespace,
    limits: Mapping[Stage, float],
) -> dict[Key, bool]:
    """Try every change; return for each whether a test noticed it. Explained and chosen ones meet the first tests."""
    asked = [
        (m, c, m.stages[:1] if options.quick or m.key(c) in explained else m.stages) for m in modules for c in m.tried
    ]
    trials = (Trial(m.file, c.text, stages, tuple(limits[stage] for stage in stages)) for m, c, stages in asked)
    killed: dict[Key, bool] = {}
    hung, begun = 0, time.monotonic()
    for end in run_all(trials, tree, jobs=options.jobs):
        module, change, _ = asked[end.number]
        killed[module.key(change)] = not end.passed
        hung += end.hung
        if end.passed and not options.chosen and module.key(change) not in explained:
            print(_shown(module, change), file=sys.stderr)
        if len(killed) % EVERY == 0:
            print(f"{len(killed)} of {len(asked)} changes tried", file=sys.stderr)
    seconds = time.monotonic() - begun
    print(f"{len(asked)} changes in {seconds:.0f} s, {1000 * seconds / len(asked):.0f} ms each.")
    print(f"{hung} of those noticed made a test run on without an end.")
    return killed


def _shown(module: Module, change: Change) -> str:
    lines = f"  - {change.was}\n  + {change.now or '(gone)'}"
    return f"survived: {module.file}:{change.line} in {change.where}\n{lines}\n  = {change.mark}"


def _report(modules: Sequence[Module], killed: Mapping[Key, bool], explained: Container[Key]) -> None:
    rows = []
    for module in modules:
        keys = [module.key(change) for change in module.tried]
        noticed = sum(killed[key] for key in keys)
        known = sum(not killed[key] and key in explained for key in keys)
        rows.append((len(keys), noticed, known, len(keys) - noticed - known))
    table = Table("module", "changes", "noticed", "explained", "survived")
    for module, row in zip(modules, rows, strict=True):
        table.add_row(module.file, *map(str, row))
    table.add_section()
    table.add_row("all", *map(str, map(sum, zip(*rows, strict=True))))
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
