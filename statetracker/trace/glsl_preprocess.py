"""The GLSL preprocessor: source text in, tokens out, macros expanded and dead branches gone.

What #extension asks for decides nothing here; a name of an extension that GL has is a macro of value 1
(`glsl_macros`). Line numbers of tokens are those of the source.

Source: docs/glsl.md (The OpenGL Shading Language, section "Preprocessor").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.trace.glsl_condition import Condition, refuse
from statetracker.trace.glsl_macros import default_version, predefined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["UNKNOWN_INCLUDE", "Preprocessed", "Token", "preprocess", "refuse", "tokenize"]


class Token(NamedTuple):
    """A name, a number or an operator; ``hidden``: macros that must not expand here again."""

    kind: str
    text: str
    line: int
    hidden: frozenset[str] = frozenset()


class Preprocessed(NamedTuple):
    """The tokens of a shader; ``version`` as in #version (300 for ES 3.00), ``profile`` empty, core, es ..."""

    tokens: list[Token]
    version: int
    profile: str


class _Macro(NamedTuple):
    """``parameters`` is None for an object-like macro."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


_TOKEN: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>0[xX]\w*|\.?\d(?:[eE][+-]\d|\w|\.)*)"
    r"|(?P<op><<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|[^\s\w])"
)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
#: What is wrong with an #include that is still there.
UNKNOWN_INCLUDE: Final = "names no text, or its extension is not enabled"
#: Predefined macros that name no extension.
_NO_EXTENSIONS: Final = frozenset(
    ["GL_ES", "GL_core_profile", "GL_compatibility_profile", "GL_FRAGMENT_PRECISION_HIGH"]
)
_DEFINE: Final = re.compile(r"\s*([A-Za-z_]\w*)(\(([^)]*)\))?(.*)", re.DOTALL)


def tokenize(text: str, line: int) -> Iterator[Token]:
    """Cut one line without comments into tokens."""
    for match in _TOKEN.finditer(text):
        yield Token(str(match.lastgroup), match.group(), line)


def preprocess(
    source: str,
    *,
    extensions: Collection[str] | None = None,
    profile: str = "compatibility",
    driver: str = "llvmpipe",
) -> Preprocessed:
    """Run the preprocessor over one shader.

    source      the whole text of a shader object
    extensions  names (with ``GL_``) that are defined as macros; None: those that Mesa defines
    profile     of the context, as `gl.Limits` names it
    driver      as `glsl_macros.predefined` takes it

    Raises `ArgumentError` for an active #error and for directives that cannot be read.
    """
    return _Preprocessor(extensions, profile, driver).run(source)


def _lines(source: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, continued lines joined, comments gone."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    # A joined line must not move the numbers of the lines after it: the newlines are put back behind it.
    text = re.sub(r"[^\n]*\\\n(?:[^\n]*\\\n)*[^\n]*", _join, text)
    text = _COMMENT.sub(lambda match: " " + "\n" * match.group().count("\n"), text)
    return enumerate(text.split("\n"), 1)


def _join(match: re.Match[str]) -> str:
    whole = match.group()
    return whole.replace("\\\n", "") + "\n" * whole.count("\\\n")


class _Preprocessor:
    def __init__(self, extensions: Collection[str] | None, context: str, driver: str) -> None:
        self.extensions = extensions
        self.context = context
        self.driver = driver
        self.version = 0
        self.profile = ""
        self.macros: dict[str, _Macro] = {}
        self.out: list[Token] = []
        self.pending: list[Token] = []
        #: For each open #if: whether its branch is read, whether one was already, whether it could be at all.
        self.branches: list[tuple[bool, bool, bool]] = []

    def run(self, source: str) -> Preprocessed:
        """Read every line."""
        for number, line in _lines(source):
            bare = line.lstrip()
            if bare.startswith("#"):
                self.flush()
                self.directive(number, bare[1:].strip())
            elif bare and self.active():
                self.start_version()
                self.pending.extend(tokenize(line, number))
        self.flush()
        if self.branches:
            refuse(number, "an #if has no #endif")
        self.start_version()
        return Preprocessed(self.out, self.version, self.profile)

    def active(self) -> bool:
        """Whether lines are read here."""
        return not self.branches or self.branches[-1][0]

    def flush(self) -> None:
        """Expand what was collected since the last directive."""
        self.out.extend(self.expand(self.pending))
        self.pending = []

    def start_version(self, version: int = 0, profile: str = "") -> None:
        """Fix the version, once, with the macros that follow from it; 0: of a shader without #version."""
        if self.version:
            return
        self.version = version or default_version(self.context)
        self.profile = "es" if self.version == 100 else profile
        names = predefined(self.version, self.profile, profile=self.context, driver=self.driver)
        if self.extensions is not None:
            names = frozenset(self.extensions) | (names & _NO_EXTENSIONS)
        self.macros.update({name: _number_macro(1) for name in names})
        self.macros["__VERSION__"] = _number_macro(self.version)

    def directive(self, line: int, text: str) -> None:
        """Read one line that begins with #."""
        word = re.match(r"\w*", text)
        name = word.group() if word else ""
        rest = text[len(name) :].strip()
        if name in {"if", "ifdef", "ifndef", "elif", "else", "endif"}:
            self.start_version()
            self.conditional(line, name, rest)
        elif self.active() and name == "version":
            words = rest.split()
            if not words or not words[0].isdigit():
                refuse(line, "#version needs a number")
            self.start_version(int(words[0]), words[1] if len(words) > 1 else "")
        elif self.active():
            self.simple(line, name, rest)

    def simple(self, line: int, name: str, rest: str) -> None:
        """#define, #undef, #error, #extension; #pragma and #line say nothing about samplers.

        What named strings can fill in of #include is filled in before.
        """
        self.start_version()
        if name == "define":
            self.define(line, rest)
        elif name == "undef":
            self.macros.pop(rest, None)
        elif name == "include":
            refuse(line, f"#include {rest} {UNKNOWN_INCLUDE}")
        elif name == "error":
            refuse(line, f"#error {rest}")
        elif name == "extension":
            asked, _, behaviour = rest.partition(":")
            if behaviour.strip() == "require":
                self.macros.setdefault(asked.strip(), _number_macro(1))

    def define(self, line: int, text: str) -> None:
        """Remember a macro."""
        match = _DEFINE.match(text)
        if match is None:
            refuse(line, "#define needs a name")
        name, brackets, inside, body = match.groups()
        parameters = None
        if brackets is not None:
            parameters = tuple(p.strip() for p in inside.split(",")) if inside.strip() else ()
        self.macros[name] = _Macro(parameters, tuple(tokenize(body, line)))

    def conditional(self, line: int, name: str, rest: str) -> None:
        """Open, turn or close a branch."""
        if name in {"if", "ifdef", "ifndef"}:
            possible = self.active()
            taken = possible and self.holds(line, name, rest)
            self.branches.append((taken, taken, possible))
            return
        if not self.branches:
            refuse(line, f"#{name} without #if")
        _, done, possible = self.branches.pop()
        if name == "endif":
            return
        taken = possible and not done and (name == "else" or self.holds(line, "if", rest))
        self.branches.append((taken, done or taken, possible))

    def holds(self, line: int, name: str, rest: str) -> bool:
        """Whether a condition is true."""
        tokens = list(tokenize(rest, line))
        if name != "if":
            if not tokens:
                refuse(line, f"#{name} needs a name")
            return (tokens[0].text in self.macros) == (name == "ifdef")
        return bool(Condition(line, [token.text for token in self.expand(self.without_defined(line, tokens))]).value())

    def without_defined(self, line: int, tokens: list[Token]) -> list[Token]:
        """Replace ``defined X`` and ``defined(X)`` by 1 or 0."""
        found: list[Token] = []
        place = 0
        while place < len(tokens):
            if tokens[place].text != "defined":
                found.append(tokens[place])
                place += 1
                continue
            bracketed = place + 1 < len(tokens) and tokens[place + 1].text == "("
            at = place + (2 if bracketed else 1)
            if at >= len(tokens):
                refuse(line, "defined needs a name")
            found.append(Token("number", str(int(tokens[at].text in self.macros)), line))
            place = at + (2 if bracketed else 1)
        return found

    def expand(self, tokens: list[Token]) -> list[Token]:
        """Expand macros, also those that come out of macros; none inside itself."""
        found: list[Token] = []
        todo = tokens[::-1]
        while todo:
            token = todo.pop()
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in token.hidden:
                found.append(self.builtin(token))
                continue
            hidden = token.hidden | {token.text}
            if macro.parameters is None:
                body = [piece._replace(line=token.line) for piece in macro.body]
            elif todo and todo[-1].text == "(":
                body = self.substitute(token, macro.parameters, macro.body, _arguments(token, todo))
            else:
                found.append(token)
                continue
            todo.extend(piece._replace(hidden=piece.hidden | hidden) for piece in reversed(_paste(body)))
        return found

    def builtin(self, token: Token) -> Token:
        """__LINE__ and __FILE__ are numbers."""
        if token.text in {"__LINE__", "__FILE__"}:
            return Token("number", str(token.line if token.text == "__LINE__" else 0), token.line)
        return token

    def substitute(
        self, token: Token, parameters: tuple[str, ...], body: tuple[Token, ...], arguments: list[list[Token]]
    ) -> list[Token]:
        """Put arguments in place of parameters, expanded unless they are pasted."""
        if not parameters and arguments == [[]]:
            arguments = []
        if len(arguments) != len(parameters):
            refuse(token.line, f"macro {token.text} takes {len(parameters)} arguments, not {len(arguments)}")
        given = dict(zip(parameters, arguments, strict=True))
        found: list[Token] = []
        for place, piece in enumerate(body):
            if piece.text not in given:
                found.append(piece._replace(line=token.line))
                continue
            raw = "##" in {body[near].text for near in (place - 1, place + 1) if 0 <= near < len(body)}
            found.extend(given[piece.text] if raw else self.expand(given[piece.text]))
        return found


def _number_macro(value: int) -> _Macro:
    return _Macro(None, (Token("number", str(value), 0),))


def _arguments(token: Token, todo: list[Token]) -> list[list[Token]]:
    """Take the arguments of a macro call off the stack, commas inside brackets left alone."""
    todo.pop()
    depth = 1
    found: list[list[Token]] = [[]]
    while True:
        if not todo:
            refuse(token.line, f"the call of macro {token.text} has no end")
        piece = todo.pop()
        depth += {"(": 1, ")": -1}.get(piece.text, 0)
        if depth == 0:
            return found
        if depth == 1 and piece.text == ",":
            found.append([])
        else:
            found[-1].append(piece)


def _paste(body: list[Token]) -> list[Token]:
    """Join what stands on both sides of ##."""
    found: list[Token] = []
    place = 0
    while place < len(body):
        if body[place].text == "##" and found and place + 1 < len(body):
            left = found.pop()
            found.extend(tokenize(left.text + body[place + 1].text, left.line))
            place += 2
        else:
            found.append(body[place])
            place += 1
    return found
