"""Declarations of a shader: uniforms with all their elements, structures, functions, global variables, constants.

Tokens in, no grammar: a declaration ends with its semicolon, a function with its bracket, and what cannot be read is
stepped over; a constant expression that cannot be calculated is None. `leaves` splits a uniform into the parts that GL
has names for: members of structures, elements of arrays. Source: docs/glsl.md (The OpenGL Shading Language 4.60,
sections "Layout Qualifiers", "Arrays", "Structures"; GL 4.6 compatibility, 7.3.1; recorded live on Mesa 22.3.6).
"""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: An index that is not constant, or a size that is not given: any element may be meant.
WHOLE: Final = -1
LARGEST_ARRAY: Final = 4096
#: Elements of all uniforms of a shader; GL's limit on components of a stage is no higher.
MOST_ELEMENTS: Final = 1 << 14
_DEEPEST: Final = 16
_BASIC: Final = re.compile(
    r"(?:bool|int|uint|float|double|u?int64_t|atomic_uint|(?:[biud]|i64|u64)?vec[234]|d?mat[234](?:x[234])?"
    r"|[iu]?(?:sampler|image)[123BCE]\w+)"
)

_OPEN: Final = frozenset("([{")
_CLOSE: Final = frozenset(")]}")
_QUALIFIERS: Final = frozenset(
    (
        *("uniform", "in", "out", "inout", "const", "attribute", "varying", "buffer", "shared"),
        *("centroid", "flat", "smooth", "noperspective", "patch", "sample", "invariant", "precise", "subroutine"),
        *("highp", "mediump", "lowp", "coherent", "volatile", "restrict", "readonly", "writeonly"),
    )
)
_BRACKETED: Final = ("layout", "subroutine")

_NUMBER: Final = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uU]?")
#: No size and no index is larger; results beyond it are no constants.
_LARGEST: Final = 1 << 31
#: Tokens of an expression that is read.
LONGEST: Final = 200
_SIGNS: Final = frozenset(("(", ")", "+", "-", "*", "/", "%", "~", "&", "|", "^", "<<", ">>"))
_BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1),
    ast.Mod: operator.mod,
    ast.LShift: lambda left, right: left << (right & 31),
    ast.RShift: lambda left, right: left >> (right & 31),
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: Final[Mapping[type[ast.unaryop], Callable[[int], int]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_CONVERSIONS: Final = ("int", "uint")


class Variable(NamedTuple):
    """A variable or a member of a structure; ``dims`` are array sizes, the outer one first, `WHOLE` where not known."""

    type: str
    name: str
    dims: tuple[int, ...] = ()


class Leaf(NamedTuple):
    """A uniform as a program sees it: a number, a sampler, an array of either.

    Attributes:
        name: ``"s"``, ``"q.t"``, ``"q[1].t"``.
        size: Elements declared; 0 for no array, `WHOLE` for an array whose size is not known.
        group: The name without indices: elements of an array of structures share it.
        root: The variable; a structure is kept or dropped as a whole.
        outer: The variable's own index, of an array of structures.
        nested: Whether it is only a part of its variable, so that its size is never cut.
        binding: layout(binding) and layout(location) of its first element, None where they are not given.
    """

    name: str
    type: str
    size: int
    group: str
    root: str
    outer: int = 0
    nested: bool = False
    binding: int | None = None
    location: int | None = None


class Body(NamedTuple):
    """A function's statements, or the initial value of a global.

    Attributes:
        parameters: Names that hide others.
        entry: Whether it is reached without being named, as subroutines are.
    """

    name: str
    parameters: frozenset[str]
    tokens: list[str]
    entry: bool = False


class Declarations(NamedTuple):
    """The declarations of a shader object: uniforms and bodies in order, structures, whole numbers that are constant.

    Attributes:
        problems: What was left out.
    """

    leaves: list[Leaf]
    bodies: list[Body]
    structs: dict[str, list[Variable]]
    constants: dict[str, int]
    problems: list[str]


def declarations(tokens: Sequence[str]) -> Declarations:
    """Read the global declarations of a shader object."""
    reader = _Reader()
    for item, body in _items(tokens):
        if body:
            reader.function(item, body)
        else:
            reader.variables(item)
    return reader.read


def _items(tokens: Sequence[str]) -> Iterator[tuple[list[str], int]]:
    """Global declarations without their semicolons, with 0; functions, with the place where their body begins."""
    depth = body = 0
    item: list[str] = []
    for word in tokens:
        if depth == 0 and word == "{":
            body = len(item) if item[-1:] == [")"] else 0
        depth = max(0, depth + (word in _OPEN) - (word in _CLOSE))
        if depth or word != ";":
            item.append(word)
        if depth == 0 and (word == ";" or (word == "}" and body)):
            yield item, body
            body, item = 0, []


def _split(tokens: Sequence[str], mark: str) -> Iterator[list[str]]:
    """Cut where a mark stands outside of all brackets."""
    depth = 0
    part: list[str] = []
    for word in tokens:
        depth += (word in _OPEN) - (word in _CLOSE)
        if word == mark and depth <= 0:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def closing(tokens: Sequence[str], start: int) -> int:
    """Return the place behind the bracket that closes the one at ``start``."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += (tokens[place] in _OPEN) - (tokens[place] in _CLOSE)
        if depth == 0:
            return place + 1
    return len(tokens)


def _qualified(tokens: Sequence[str]) -> tuple[set[str], dict[str, list[str]], int]:
    """Return the words before a type, what ``layout(...)`` says, and where the type stands."""
    place, words, layout = 0, set[str](), dict[str, list[str]]()
    while place < len(tokens):
        word = tokens[place]
        if word in _BRACKETED and tokens[place + 1 : place + 2] == ["("]:
            end = closing(tokens, place + 1)
            layout.update({part[0]: part[2:] for part in _split(tokens[place + 2 : end - 1], ",") if part})
            place = end
        elif word in _QUALIFIERS:
            place += 1
        else:
            break
        words.add(word)
    return words, layout, place


class _Reader:
    """Reads one declaration after another; constants and structures are known from the ones before."""

    def __init__(self) -> None:
        self.read = Declarations([], [], {}, {}, [])
        self._elements = 0

    def function(self, item: list[str], start: int) -> None:
        """Read a function whose body begins at a place; what has no name is none."""
        words, _, place = _qualified(item[:start])
        header = item[place:start]
        if "(" in header:
            opened = header.index("(")
            parameters = frozenset(word for word in header[opened:] if word.isidentifier())
            self.read.bodies.append(Body(header[opened - 1], parameters, item[start:], "subroutine" in words))

    def variables(self, item: list[str]) -> None:
        words, layout, place = _qualified(item)
        for variable, initial in self.declared(item, place):
            if "uniform" in words and "subroutine" not in words:
                self.uniform(variable, layout)
            elif initial:
                self.read.bodies.append(Body(variable.name, frozenset(), initial))
                value = constant(initial, self.read.constants) if "const" in words else None
                if value is not None:
                    self.read.constants[variable.name] = value

    def declared(self, tokens: list[str], place: int) -> Iterator[tuple[Variable, list[str]]]:
        """Yield the variables of a type that stands at a place, with their initial values."""
        if place >= len(tokens):
            return
        type_ = tokens[place]
        if type_ == "struct" and "{" in tokens:
            opened = tokens.index("{", place)
            type_ = " ".join(tokens[place + 1 : opened]) or f"struct {len(self.read.structs)}"
            place = closing(tokens, opened) - 1
            members = list(self.members(tokens[opened + 1 : place]))
            if members:
                self.read.structs.setdefault(type_, members)
        dims, place = self.dims(tokens, place + 1)
        for declarator in _split(tokens[place:], ","):
            sizes, end = self.dims(declarator, 1)
            if declarator and declarator[0].isidentifier() and declarator[1:2] != ["("]:
                yield Variable(type_, declarator[0], sizes + dims), declarator[end + 1 :]

    def members(self, tokens: list[str]) -> Iterator[Variable]:
        """Yield the members of a structure whose types are known by now."""
        for member in _split(tokens, ";"):
            for variable, _ in self.declared(member, _qualified(member)[2]):
                if variable.type in self.read.structs or is_basic(variable.type):
                    yield variable

    def dims(self, tokens: list[str], place: int) -> tuple[tuple[int, ...], int]:
        """Return the array sizes that stand at a place, and where they end."""
        sizes: list[int] = []
        while place < len(tokens) and tokens[place] == "[":
            end = closing(tokens, place)
            value = constant(tokens[place + 1 : end - 1], self.read.constants)
            sizes.append(WHOLE if value is None else max(0, min(value, LARGEST_ARRAY)))
            place = end
        return tuple(sizes), place

    def uniform(self, variable: Variable, layout: dict[str, list[str]]) -> None:
        """Read a uniform of the default block: one leaf for each name that GL has a location for."""
        binding = constant(layout.get("binding", ()), self.read.constants)
        location = constant(layout.get("location", ()), self.read.constants)
        for leaf in leaves(variable, self.read.structs):
            self._elements += max(leaf.size, 1)
            if self._elements > MOST_ELEMENTS:
                if not self.read.problems:
                    problem = f"the uniforms have more than {MOST_ELEMENTS:,} elements; left out from {leaf.name!r} on"
                    self.read.problems.append(problem)
                return
            self.read.leaves.append(leaf._replace(binding=binding, location=location))
            binding, location = (None if at is None else at + max(leaf.size, 1) for at in (binding, location))


def constant(tokens: Sequence[str], names: Mapping[str, int]) -> int | None:
    """Calculate an expression of whole numbers, of ``int(...)`` and of the names of constants; None for any other.

    Operators bind in Python as they do in GLSL, but for comparisons, which are not read.
    """
    if not tokens or len(tokens) > LONGEST:
        return None
    try:
        words = [_word(token) for token in tokens]
        return _value(ast.parse(" ".join(words), mode="eval").body, names) if all(words) else None
    except (ArithmeticError, MemoryError, RecursionError, SyntaxError, ValueError):
        return None


def _word(token: str) -> str:
    """Return a token as Python spells it: octal and unsigned numbers differ; empty: no expression of ours has it."""
    match = _NUMBER.fullmatch(token)
    if match is None:
        return token if token.isidentifier() or token in _SIGNS else ""
    digits = match[1]
    octal = digits.isdigit() and len(digits) > 1 and digits[0] == "0"
    return str(int(digits, 8)) if octal else digits


def _value(node: ast.expr, names: Mapping[str, int]) -> int | None:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool) and number <= _LARGEST:
            return number
        case ast.Name(id=name):
            return names.get(name)
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _CONVERSIONS:
            return _value(inner, names)
        case ast.UnaryOp(op=op, operand=inner) if type(op) in _UNARY:
            return _applied(_UNARY[type(op)], _value(inner, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _applied(_BINARY[type(op)], _value(left, names), _value(right, names))
    return None


def _applied(function: Callable[..., int], *operands: int | None) -> int | None:
    if None in operands:
        return None
    value = function(*operands)
    return value if abs(value) <= _LARGEST else None


def further(one: int, other: int) -> int:
    """Return the larger of two elements; `WHOLE` is above all."""
    return WHOLE if WHOLE in {one, other} else max(one, other)


def is_basic(type_name: str) -> bool:
    """Return whether a type is GLSL's own."""
    return _BASIC.fullmatch(type_name) is not None


def leaves(
    variable: Variable,
    structs: Mapping[str, Sequence[Variable]],
    *,
    root: str = "",
    group: str = "",
    outer: int | None = None,
) -> Iterator[Leaf]:
    """Split structures and outer arrays; only the last index of a name belongs to its leaf.

    ``root`` and ``group`` are those of the variable that it is a part of, empty for a whole variable. ``outer`` is the
    whole variable's own index once it is chosen; `WHOLE` for an array of arrays, kept as a whole. ``structs`` has none
    that is empty or inside itself.
    """
    type_, name, dims = variable
    root, group = root or name, group or name
    members = structs.get(type_)
    if dims and (members is not None or len(dims) > 1):
        whole = len(dims) > 1 or outer is not None
        for at in range(max(dims[0], 1)):
            index = (outer or WHOLE) if whole else at
            element = Variable(type_, f"{name}[{at}]", dims[1:])
            yield from leaves(element, structs, root=root, group=group, outer=index)
    elif members is None:
        yield Leaf(name, type_, dims[0] if dims else 0, group, root, outer or 0, outer is not None)
    elif group.count(".") < _DEEPEST:
        for member in members:
            inner = member._replace(name=f"{name}.{member.name}")
            yield from leaves(inner, structs, root=root, group=f"{group}.{member.name}", outer=outer or 0)
