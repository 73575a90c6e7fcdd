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
from itertools import count, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Change", "changes"]

Collection: TypeAlias = ast.Dict | ast.Tuple | ast.List | ast.Set
#: Bytes from, bytes to, what stands there instead.
Edit: TypeAlias = tuple[int, int, str]

#: Comparison -> what it is changed into.
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
#: Operator -> what it is changed into. | does not become ^: of bits never set together, both give the same.
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
#: Function -> what it is changed into.
_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CONSTANT: Final = re.compile(r"_?[A-Z][A-Z0-9_]*")
_ALIAS: Final = re.compile(r"_?[A-Z][a-z]\w*")  # Selectors, Numbers: types, read by type checkers alone
_NAMES: Final = re.compile(r"\w*_\w*( \w*_\w*)+")  # a list of names, written as one string
_NAME: Final = re.compile(r"\w*_\w* ?")
_SILENT: Final = ("__all__", "__slots__")
_TOKEN: Final = re.compile(r"""\w+(?:\.\w+)*|"[^"]*"|'[^']*'|\s+|[<>=!]=|<<|>>|.""")


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
    finder.statements(finder.tree.body)
    seen = {text}
    again: Counter[tuple[str, str, str]] = Counter()
    made: list[tuple[int, str, str, str, str]] = []
    for where, edits in sorted(finder.edits, key=lambda item: item[1][0][0]):
        changed = finder.edited(edits)
        if changed in seen:
            continue
        seen.add(changed)
        old, new = text.splitlines(), changed.splitlines()
        start, end = _alike(old, new)
        was, now = (" ".join(" ".join(lines[start : len(lines) - end]).split()) for lines in (old, new))
        again[where, was, now] += 1
        times = again[where, was, now]
        made.append((start + 1, where if times == 1 else f"{where} ({times})", was, now, changed))
    return [Change(*one, mark) for one, mark in zip(made, _marks([one[1:4] for one in made]), strict=True)]


def _alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the parts that two sequences begin and end with alike."""
    start = end = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _marks(made: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return the mark of each change: ``place: before => after``, as ``f32: value > 0 => (value >= 0)``.

    What stands before and after is what differs; with words around it where several changes of a place would be alike.
    """
    marks: dict[int, str] = {}
    for words in count():
        left = {n: _mark(*change, words) for n, change in enumerate(made) if n not in marks}
        times = Counter([*marks.values(), *left.values()])
        marks |= {n: mark for n, mark in left.items() if times[mark] == 1}
        if len(marks) == len(made):
            break
    return [marks[n] for n in range(len(made))]


def _mark(where: str, was: str, now: str, words: int) -> str:
    old, new = _TOKEN.findall(was), _TOKEN.findall(now)
    start, end = _alike(old, new)
    more = words + (start + end == len(old))  # of what is only put in, the words around it
    start, end = max(0, start - more), max(0, end - more)
    before, after = ("".join(line[start : len(line) - end]).strip() for line in (old, new))
    return f"{where}: {before} => {after or 'gone'}"


class _Finder:
    """Walks a module and notes (place, edits) for every change."""

    def __init__(self, text: str, ordered: Sequence[str], said: Sequence[str]) -> None:
        self.ordered, self.said = ordered, said
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.neighbours = _neighbours(self.tree)
        self.edits: list[tuple[str, list[Edit]]] = []
        self.place: list[str] = []
        self.in_row = self.in_code = False

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the bytes of a node: from, to."""
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

    def note(self, *edits: Edit) -> None:
        """Remember one change."""
        self.edits.append((".".join(self.place) or "module", list(edits)))

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Remember that a node becomes something else."""
        self.note((*self.span(node), text))

    @contextmanager
    def inside(self, name: str | None, *, code: bool) -> Iterator[None]:
        """Be within a named place, in code or in a table, while a `with` lasts."""
        place, in_code, in_row = self.place, self.in_code, self.in_row
        self.place = [*place, name] if name else place
        self.in_code, self.in_row = code, in_row and not code
        yield
        self.place, self.in_code, self.in_row = place, in_code, in_row

    def statements(self, body: Sequence[ast.stmt]) -> None:
        """Look through a list of statements: a step may also be missing, or have another operator."""
        for statement in body:
            match statement:
                case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Delete():
                    continue
                case ast.Expr(value=ast.Call()):
                    self.replace(statement, "pass")
                case ast.AugAssign(target=target, op=op, value=value):
                    self.replace(statement, "pass")
                    if type(op) in _OPERATORS:
                        other = ast.AugAssign(target=target, op=_OPERATORS[type(op)](), value=value)
                        self.replace(statement, ast.unparse(other))
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        """Note what an expression can become, then look into it."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.expr):
            for text in _alternatives(node):
                self.replace(node, text)
            first, source = self.span(node)[0], self.source(node)
            for start, end in _names_dropped(node, source):
                self.note((first + start, first + end, ""))
            neighbour = self.neighbours.get(ast.unparse(node))
            if neighbour is not None and isinstance(getattr(node, "ctx", None), ast.Load):
                self.replace(node, neighbour)
        self.look_into(node)

    def look_into(self, node: ast.AST) -> None:  # noqa: C901, PLR0912 (a case for each kind of node)
        """Note what the parts of a node can become."""
        match node:
            case ast.ClassDef(name=name, body=body):  # a class's own constants are tables too
                with self.inside(name, code=False):
                    self.statements(body)
            case ast.FunctionDef():
                self._function(node)
            case ast.Assign(targets=[target, *_], value=value):
                self._assignment(target, value)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assignment(target, value)
            case ast.If(test=test, body=body, orelse=orelse):
                if self.source(test) != "TYPE_CHECKING":
                    self._condition(test)
                    self.statements(body)
                    self.statements(orelse)
            case ast.For(iter=iterable, body=body):
                self._iterable(iterable)
                self.statements(body)
            case ast.Raise():  # an error's text
                pass
            case ast.Dict() | ast.Tuple() | ast.List() | ast.Set():
                self._collection(node)
            case ast.keyword(arg=arg, value=value):  # ``strict=True`` only checks what is so anyway
                if arg != "strict":
                    self.visit(value)
            case ast.Lambda(body=lambda_body):  # code in a table
                with self.inside(None, code=True):
                    self.visit(lambda_body)
            case ast.IfExp(test=test, body=one, orelse=other):
                self._condition(test)
                self.visit(one)
                self.visit(other)
            case ast.comprehension(iter=iterable, ifs=tests):
                self._iterable(iterable)
                for test in tests:
                    self._condition(test)
            case ast.Compare(left=left, comparators=comparators):  # a tuple to be in is a table of its own
                self.visit(left)
                for comparator in comparators:
                    self._iterable(comparator)
            case ast.Subscript(value=value, slice=key):
                self.visit(value)
                if ast.unparse(node) not in self.neighbours:
                    self.visit(key)
            case _:
                for child in ast.iter_child_nodes(node):
                    self.visit(child)

    def _function(self, node: ast.FunctionDef) -> None:
        """Defaults and body; no decorators, no annotations. A function that only raises only says."""
        raises = node.returns is not None and self.source(node.returns) == "NoReturn"
        with self.inside(node.name, code=True):
            if raises or node.name == "__repr__" or ".".join(self.place) in self.said:
                return
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self.visit(default)
            self.statements(node.body)

    def _assignment(self, target: ast.expr, value: ast.expr) -> None:
        name = self.source(target)
        if self.in_code:
            self.visit(value)
        elif name not in _SILENT and not _ALIAS.fullmatch(name):
            with self.inside(name, code=False):
                self.visit(value)

    def _collection(self, node: Collection) -> None:
        rows = node.values if isinstance(node, ast.Dict) else node.elts
        if len(rows) < 2 or self.in_row or (self.in_code and not isinstance(node, ast.Dict)):
            for row in rows:
                self.visit(row)
            return
        self._drop_rows(node, rows)
        if self.place and self.place[-1] in self.ordered:
            for one, other in pairwise(rows):
                self.note((*self.span(one), self.source(other)), (*self.span(other), self.source(one)))
        self.in_row = True
        keys = node.keys if isinstance(node, ast.Dict) else rows
        columns = [dict(_cells(row)) for key, row in zip(keys, rows, strict=True) if key is not None]
        for place, cells in enumerate(columns):
            below = columns[place + 1 :] + columns[:place]  # the rows below first
            for path, cell in cells.items():
                self._cell(cell, [other[path] for other in below if path in other])
        self.in_row = False

    def _drop_rows(self, node: Collection, rows: Sequence[ast.expr]) -> None:
        keys = node.keys if isinstance(node, ast.Dict) else [None] * len(rows)
        heads = [self._whole(row if key is None else key)[0] for key, row in zip(keys, rows, strict=True)]
        if isinstance(node, ast.Dict):  # a table that is unpacked begins with its stars
            stars = [self.data.rfind(b"**", 0, head) for head in heads]
            heads = [head if key else star for key, head, star in zip(keys, heads, stars, strict=True)]
        ends = [self._whole(row)[1] for row in rows]
        two = isinstance(node, ast.Tuple) and len(rows) == 2  # a tuple of one has a comma
        comma = "," if two and not self.data[ends[-1] :].lstrip().startswith(b",") else ""
        for place in range(len(rows)):
            if isinstance(node, ast.Dict) and keys[place] is None:
                continue  # another table unpacked into this one
            if place + 1 < len(rows):
                self.note((heads[place], heads[place + 1], ""), (ends[-1], ends[-1], comma))
            else:
                self.note((ends[place - 1], ends[place], comma))

    def _whole(self, node: ast.expr) -> tuple[int, int]:
        """Return the bytes of a node with the brackets around it alone: from, to."""
        start, end = self.span(node)
        before, after = self.data[:start].rstrip(), self.data[end:].lstrip()
        if before.endswith(b"(") and after.startswith(b")"):
            return len(before) - 1, len(self.data) - len(after) + 1
        return start, end

    def _cell(self, cell: ast.expr, others: Sequence[ast.expr]) -> None:
        if any(_is_sentence(other) for other in (cell, *others)):
            return  # a column of remarks
        texts = [self.source(other) for other in others if not isinstance(other, ast.Lambda)]
        different = [text for text in texts if text != self.source(cell)]
        if different and not isinstance(cell, ast.Lambda):
            self.replace(cell, different[0])
            if isinstance(cell, ast.Constant | ast.Name | ast.Attribute):
                return
        self.visit(cell)

    def _condition(self, test: ast.expr) -> None:
        self.replace(test, "True")
        self.replace(test, "False")
        plain = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
        if plain or isinstance(test, ast.UnaryOp):  # its own alternatives are these
            self.look_into(test)
        else:
            self.visit(test)

    def _iterable(self, node: ast.expr) -> None:
        if self.in_code and isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            self._drop_rows(node, node.elts)
        self.visit(node)


def _alternatives(node: ast.expr) -> Iterator[str]:
    """Yield what an expression can be changed into, as text."""
    made: list[ast.expr] = []
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            others = (
                [*ops[:place], other(), *ops[place + 1 :]]
                for place, op in enumerate(ops)
                for other in _COMPARISONS[type(op)]
            )
            made += [ast.Compare(left=left, ops=other, comparators=comparators) for other in others]
        case ast.BoolOp(op=op, values=values):
            made.append(ast.BoolOp(op=ast.Or() if isinstance(op, ast.And) else ast.And(), values=values))
            rests = ([*values[:place], *values[place + 1 :]] for place in range(len(values)))
            made += [rest[0] if len(rest) == 1 else ast.BoolOp(op=op, values=rest) for rest in rests]
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _OPERATORS:
                made.append(ast.BinOp(left=left, op=_OPERATORS[type(op)](), right=right))
            if isinstance(op, ast.BitOr | ast.BitAnd):  # a bit, or a mask, that is missing
                made += [left, right]
        case ast.UnaryOp(operand=operand):
            made.append(operand)
        case ast.Constant(value=value):
            yield from map(repr, _other_values(value))
        case ast.Name(id=name) if name in _CALLS:
            yield _CALLS[name]
    yield from (f"({ast.unparse(other)})" for other in made)


def _other_values(value: object) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1) if value else (1,)
        case float():
            return (value + 1.0 if value + 1.0 != value else 2.0 * value,)
        case str() if " " not in value:
            return (f"{value}X",)
        case _:
            return ()


def _names_dropped(node: ast.expr, source: str) -> Iterator[tuple[int, int]]:
    """Yield where each name of a list written as one string stands in its text, with a blank beside it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAMES.fullmatch(node.value):
        for match in _NAME.finditer(source):
            last = match.start() > 0 and source[match.start() - 1] == " " and not match.group().endswith(" ")
            yield match.start() - last, match.end()


def _cells(row: ast.expr, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    """Yield the cells of a row, each with the column that it stands in."""
    match row:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for place, part in enumerate(parts):
                yield from _cells(part, (*path, str(place)))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=named):
            for place, part in enumerate(parts):
                yield from _cells(part, (*path, name, str(place)))
            for keyword in named:
                yield from _cells(keyword.value, (*path, name, str(keyword.arg)))
        case _:
            yield path, row


def _is_sentence(node: ast.expr) -> bool:
    """Return True for a cell that is said, not done."""
    words = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    return words or isinstance(node, ast.JoinedStr)


def _kind(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=str()):
            return "text"
        case ast.Attribute():
            return "attribute"
        case ast.Constant() | ast.BinOp() | ast.Subscript() | ast.UnaryOp():
            return "number"
        case _:
            return ""


def _neighbours(tree: ast.Module) -> dict[str, str]:
    """Return for each constant that a module reads which one takes its place: the next of its kind.

    Kinds are the module's own constants (texts, numbers, attributes of other modules), the names of one import, the
    members of one enum, the keys that the module uses with one table.
    """
    kinds: dict[str, list[str]] = {}
    for statement in tree.body:
        match statement:
            case ast.ImportFrom(module=module, names=names):
                kinds[f"from {module}"] = [a.asname or a.name for a in names]
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                kinds.setdefault(_kind(value), []).append(name)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=base), attr=name) if _CONSTANT.fullmatch(name):
                kinds.setdefault(f"{base}.", []).append(f"{base}.{name}")
            case ast.Subscript(value=ast.Name(id=base), slice=ast.Constant(value=str())):
                kinds.setdefault(f"{base}[]", []).append(ast.unparse(node))
    swaps: dict[str, str] = {}
    for kind, names_of_kind in kinds.items():
        unique = [n for n in dict.fromkeys(names_of_kind) if kind[-1:] in ".]" or _CONSTANT.fullmatch(n)]
        if kind and len(unique) > 1:
            swaps |= zip(unique, (*unique[1:], unique[0]), strict=True)
    return swaps
