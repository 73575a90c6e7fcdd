"""Every change that mutation testing makes to a module, each small and each alone.

The rules of this library are tables, so most changes are such as tables invite: a cell takes the value that the next
row has in that column, a row is missing, two rows of an ordered table change places, a word is missing from a list of
words. The code around the tables is changed as code usually is: a comparison, an operator, a condition, a number.

What is only said, not done, is left alone: docstrings, annotations, f-strings, strings with a blank, the arguments of
`raise`. Changes are located with `ast` and made in the text, so that a changed module looks like the original.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.mutants.code import alternatives, conditions, names_dropped, neighbours, step_alternatives
from tools.mutants.marks import marks
from tools.mutants.tables import Collection, Edit, is_sentence, neighbour_cells, rows_dropped, rows_of, rows_swapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Change", "changes"]

_ALIAS: Final = re.compile(r"_?[A-Z][a-z]\w*")  # Selectors, Numbers: types, read by type checkers alone
_SILENT: Final = ("__all__", "__slots__")


class Change(NamedTuple):
    """One change.

    Attributes:
        line: The first line that it changes, from 1.
        where: The table, function or method it is in; the second such change of a line that stands there twice: "(2)".
        was: The lines it changes, with runs of blanks made one.
        now: What they become; empty where they vanish.
        text: The whole module after the change.
        mark: How it is written down: place, and what becomes what.
    """

    line: int
    where: str
    was: str
    now: str
    text: str
    mark: str


def changes(text: str, *, ordered: Sequence[str] = (), said: Sequence[str] = ()) -> list[Change]:
    """List every change of a module's text, in the order of its lines.

    ``ordered``: tables whose rows are steps: only there do neighbours change places. ``said``: functions and methods
    that only make sentences: left alone.
    """
    finder = _Finder(text, ordered, said)
    finder.visit(finder.tree)
    seen = {text}
    again: Counter[tuple[str, str, str]] = Counter()
    made: list[tuple[int, str, str, str, str]] = []
    for where, edits in sorted(finder.edits, key=lambda item: item[1][0][0]):
        changed = finder.edited(edits)
        if changed in seen:
            continue
        seen.add(changed)
        line, was, now = _lines(text, changed)
        again[where, was, now] += 1
        times = again[where, was, now]
        made.append((line, where if times == 1 else f"{where} ({times})", was, now, changed))
    return [Change(*one, mark) for one, mark in zip(made, marks([one[1:4] for one in made]), strict=True)]


def _lines(before: str, after: str) -> tuple[int, str, str]:
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    was, now = (" ".join(" ".join(lines[start : len(lines) - end]).split()) for lines in (old, new))
    return start + 1, was, now


class _Finder(ast.NodeVisitor):
    """Walks a module and notes (place, edits) for every change."""

    def __init__(self, text: str, ordered: Sequence[str], said: Sequence[str]) -> None:
        self.ordered, self.said = ordered, said
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.neighbours = neighbours(self.tree)
        self.edits: list[tuple[str, list[Edit]]] = []
        self.place: list[str] = []
        self.in_row = self.in_code = False

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the bytes of a node."""
        last, column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[last - 1] + column

    def source(self, node: ast.expr) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def edited(self, edits: Sequence[Edit]) -> str:
        """Return the module with some bytes replaced."""
        data = self.data
        for start, end, text in sorted(edits, reverse=True):
            data = data[:start] + text.encode() + data[end:]
        return data.decode()

    def note(self, edits: list[Edit]) -> None:
        """Remember one change."""
        self.edits.append((".".join(self.place) or "module", edits))

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Remember that a node becomes something else."""
        self.note([(*self.span(node), text)])

    @contextmanager
    def inside(self, name: str | None, *, code: bool) -> Iterator[None]:
        """Be within a named place, in code or in a table, while a `with` lasts."""
        place, in_code, in_row = self.place, self.in_code, self.in_row
        self.place = [*place, name] if name else place
        self.in_code, self.in_row = code, in_row and not code
        yield
        self.place, self.in_code, self.in_row = place, in_code, in_row

    # Statements.

    def _statements(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if docstring or isinstance(statement, ast.Import | ast.ImportFrom | ast.Delete):
                continue
            for text in step_alternatives(statement):
                self.replace(statement, text)
            self.visit(statement)

    def visit_Module(self, node: ast.Module) -> None:
        """All statements."""
        self._statements(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Change the body; a class's own constants are tables too."""
        with self.inside(node.name, code=False):
            self._statements(node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Defaults and body; no decorators, no annotations. A function that only raises only says."""
        raises = node.returns is not None and self.source(node.returns) == "NoReturn"
        with self.inside(node.name, code=True):
            if raises or node.name == "__repr__" or ".".join(self.place) in self.said:
                return
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self.visit(default)
            self._statements(node.body)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Change a table, or a step of code."""
        self._assignment(node.targets[0], node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Change a table with a type, or a field of a class with its default."""
        if node.value is not None:
            self._assignment(node.target, node.value)

    def _assignment(self, target: ast.expr, value: ast.expr) -> None:
        name = self.source(target)
        if self.in_code:
            self.visit(value)
        elif name not in _SILENT and not _ALIAS.fullmatch(name):
            with self.inside(name, code=False):
                self.visit(value)

    def visit_If(self, node: ast.If) -> None:
        """Change a condition, and what hangs on it."""
        if self.source(node.test) != "TYPE_CHECKING":
            self._condition(node.test)
            self._statements(node.body)
            self._statements(node.orelse)

    def visit_For(self, node: ast.For) -> None:
        """Change what a loop runs over, and its body."""
        self._iterable(node.iter)
        self._statements(node.body)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave an error's text alone, also where no list of statements is looked through."""

    # Tables.

    def _collection(self, node: Collection) -> None:
        rows = rows_of(node)
        if len(rows) < 2 or self.in_row or (self.in_code and not isinstance(node, ast.Dict)):
            for row in rows:
                self.visit(row)
            return
        for edits in rows_dropped(node, self.span):
            self.note(edits)
        if self.place and self.place[-1] in self.ordered:
            for edits in rows_swapped(rows, self.span, self.source):
                self.note(edits)
        self.in_row = True
        for cell, others in neighbour_cells(rows):
            self._cell(cell, others)
        self.in_row = False

    visit_Dict = visit_Tuple = visit_List = visit_Set = _collection  # noqa: N815 (names that ast gives)

    def _cell(self, cell: ast.expr, others: Sequence[ast.expr]) -> None:
        if any(is_sentence(other) for other in (cell, *others)):
            return  # a column of remarks
        texts = [self.source(other) for other in others if not isinstance(other, ast.Lambda)]
        different = [text for text in texts if text != self.source(cell)]
        if different and not isinstance(cell, ast.Lambda):
            self.replace(cell, different[0])
            if isinstance(cell, ast.Constant | ast.Name | ast.Attribute):
                return
        self.visit(cell)

    # Expressions.

    def visit(self, node: ast.AST) -> None:
        """Record what an expression can become, then look into it."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.expr):
            self._alternatives(node)
        super().visit(node)

    def _alternatives(self, node: ast.expr) -> None:
        for text in alternatives(node):
            self.replace(node, text)
        first, _ = self.span(node)
        for start, end in names_dropped(node, self.source(node)):
            self.note([(first + start, first + end, "")])
        other = self.neighbours.get(ast.unparse(node))
        if other is not None and isinstance(getattr(node, "ctx", None), ast.Load):
            self.replace(node, other)

    def _condition(self, test: ast.expr) -> None:
        texts, enough = conditions(test)
        for text in texts:
            self.replace(test, text)
        if enough:
            super().visit(test)
        else:
            self.visit(test)

    def _iterable(self, node: ast.expr) -> None:
        if self.in_code and isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            for edits in rows_dropped(node, self.span):
                self.note(edits)
        self.visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Change an argument by name; ``strict=True`` only checks what is so anyway."""
        if node.arg != "strict":
            self.visit(node.value)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Code in a table."""
        with self.inside(None, code=True):
            self.visit(node.body)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Change a condition within an expression."""
        self._condition(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Change what a comprehension runs over, and its conditions."""
        self._iterable(node.iter)
        for test in node.ifs:
            self._condition(test)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Its operands; a tuple to be in is a table of its own."""
        self.visit(node.left)
        for comparator in node.comparators:
            self._iterable(comparator)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Change what is looked into, and the key, unless the key has a neighbour of its own."""
        self.visit(node.value)
        if ast.unparse(node) not in self.neighbours:
            self.visit(node.slice)
