"""GLSL's grammar: tokens in, declarations, statements and expressions out. Nothing is checked that a compiler checks.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, section "Shading Language Grammar").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.trace.glsl_parse_expressions import ExpressionParser
from statetracker.trace.glsl_syntax import (
    Block,
    Case,
    Declaration,
    Declarator,
    Expression,
    ExpressionStatement,
    For,
    Function,
    If,
    InterfaceBlock,
    Jump,
    ListInit,
    Parameter,
    Qualifiers,
    Return,
    ShaderSyntax,
    Statement,
    Switch,
    TypeSpec,
    While,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statetracker.trace.glsl_preprocess import Token

__all__ = ["parse"]

_QUALIFIERS: Final = frozenset(
    [
        "const",
        "in",
        "out",
        "inout",
        "attribute",
        "varying",
        "uniform",
        "buffer",
        "shared",
        "centroid",
        "flat",
        "smooth",
        "noperspective",
        "patch",
        "sample",
        "coherent",
        "volatile",
        "restrict",
        "readonly",
        "writeonly",
        "invariant",
        "precise",
        "highp",
        "mediump",
        "lowp",
        "subroutine",
        "layout",
    ]
)


def parse(tokens: Sequence[Token]) -> ShaderSyntax:
    """Read a shader's tokens; raises `ArgumentError` with the line where they are no GLSL."""
    return _Parser(tokens).shader()


class _Parser(ExpressionParser):
    """Reads declarations and statements."""

    def shader(self) -> ShaderSyntax:
        """Everything."""
        while self.tokens[self.place].kind != "end":
            if not self.accept(";"):
                self.external()
        return self.out

    def external(self) -> None:
        """One global declaration or function."""
        if self.text == "precision":
            self.skip_statement()
            return
        line = self.tokens[self.place].line
        qualifiers = self.qualifiers()
        if self.accept(";"):
            return
        if qualifiers.words and self.ahead().text == "{" and not self.is_type():
            self.interface_block(qualifiers)
            return
        if qualifiers.words and not self.is_type_before_name():
            self.skip_statement()  # invariant gl_Position;
            return
        type_ = self.type()
        if self.accept(";"):
            return
        if self.ahead().text == "(":
            self.function(type_, line)
            return
        self.out.globals.append(self.declarators(qualifiers, type_))
        self.take(";")

    def skip_statement(self) -> None:
        """Step over everything up to the semicolon."""
        while self.tokens[self.place].kind != "end" and not self.accept(";"):
            self.place += 1

    def is_qualifier(self) -> bool:
        """Whether a qualifier stands here; some of these words are names in older versions."""
        following = self.ahead()
        return self.text in _QUALIFIERS and (
            following.kind == "name" or (self.text == "layout" and following.text == "(") or following.text == ";"
        )

    def is_type_before_name(self) -> bool:
        """Whether a type stands here that a declaration begins with (and not a constructor)."""
        if not self.is_type():
            return False
        if self.text == "struct":
            return True
        distance = 1
        while self.ahead(distance).text == "[":
            depth = 0
            while self.ahead(distance).kind != "end":
                depth += {"[": 1, "]": -1}.get(self.ahead(distance).text, 0)
                distance += 1
                if not depth:
                    break
        return self.ahead(distance).kind == "name" or self.ahead(distance).text in {";", ",", ")"}

    def qualifiers(self) -> Qualifiers:
        """Words before a type."""
        words: set[str] = set()
        layout: dict[str, Expression | None] = {}
        while self.is_qualifier():
            word = self.name()
            if word == "layout":
                self.layout(layout)
            elif word == "subroutine" and self.text == "(":
                self.brackets()
            words.add(word)
        return Qualifiers(frozenset(words), layout)

    def layout(self, found: dict[str, Expression | None]) -> None:
        """``layout(location = 1, std140)``."""
        self.take("(")
        while not self.accept(")"):
            key = self.name()
            found[key] = self.ternary() if self.accept("=") else None
            self.accept(",")

    def brackets(self) -> None:
        """Step over balanced brackets."""
        depth = 0
        while self.tokens[self.place].kind != "end":
            depth += {"(": 1, ")": -1}.get(self.text, 0)
            self.place += 1
            if not depth:
                return

    def type(self) -> TypeSpec:
        """A type with the array sizes right behind it."""
        if self.text == "struct":
            return TypeSpec(self.struct(), self.dims())
        if not self.is_type():
            self.trouble("a type")
        return TypeSpec(self.name(), self.dims())

    def struct(self) -> str:
        """``struct Name { members }``."""
        self.take("struct")
        name = self.name() if self.text != "{" else f"struct {len(self.out.structs)}"
        self.take("{")
        self.out.structs[name] = self.members()
        return name

    def members(self) -> tuple[Declaration, ...]:
        """Declarations up to the closing brace."""
        found = []
        while not self.accept("}"):
            qualifiers = self.qualifiers()
            found.append(self.declarators(qualifiers, self.type()))
            self.take(";")
        return tuple(found)

    def declarators(self, qualifiers: Qualifiers, type_: TypeSpec) -> Declaration:
        """``a, b[2] = ..., c``."""
        found: list[Declarator] = []
        while True:
            name = self.name()
            dims = self.dims()
            found.append(Declarator(name, dims, self.initializer() if self.accept("=") else None))
            if not self.accept(","):
                return Declaration(qualifiers, type_, tuple(found))

    def initializer(self) -> Expression:
        """An expression or a braced list."""
        if not self.accept("{"):
            return self.assignment()
        items: list[Expression] = []
        while not self.accept("}"):
            items.append(self.initializer())
            self.accept(",")
        return ListInit(tuple(items))

    def interface_block(self, qualifiers: Qualifiers) -> None:
        """``uniform Name { ... } instance;``."""
        name = self.name()
        self.take("{")
        members = self.members()
        instance = self.name() if self.tokens[self.place].kind == "name" else ""
        dims = self.dims()
        self.take(";")
        self.out.globals.append(InterfaceBlock(qualifiers, name, members, instance, dims))

    def function(self, type_: TypeSpec, line: int) -> None:
        """A definition or a prototype."""
        name = self.name()
        self.take("(")
        parameters: list[Parameter] = []
        if self.text == "void" and self.ahead().text == ")":
            self.place += 1
        while not self.accept(")"):
            qualifiers = self.qualifiers()
            spec = self.type()
            called = self.name() if self.tokens[self.place].kind == "name" else ""
            parameters.append(Parameter(qualifiers, TypeSpec(spec.name, self.dims() + spec.dims), called))
            if not self.accept(",") and self.text != ")":
                self.trouble(")")
        body = None if self.accept(";") else self.block()
        self.out.functions.append(Function(name, type_, tuple(parameters), body, line))

    # Statements.

    def block(self) -> Block:
        """``{ ... }``."""
        self.take("{")
        found: list[Statement] = []
        while not self.accept("}"):
            found.append(self.statement())
        return Block(tuple(found))

    def statement(self) -> Statement:  # noqa: C901, PLR0911 (one line a keyword)
        """Any statement."""
        match self.text:
            case "{":
                return self.block()
            case ";":
                self.place += 1
                return Block(())
            case "if":
                return self.if_()
            case "for":
                return self.for_()
            case "while" | "do":
                return self.while_()
            case "switch":
                return self.switch()
            case "case" | "default":
                return self.case()
            case "return":
                return self.return_()
            case "break" | "continue" | "discard" as kind:
                self.place += 1
                self.take(";")
                return Jump(kind)
            case "precision":
                self.skip_statement()
                return Block(())
        return self.simple()

    def return_(self) -> Return:
        """``return value;``."""
        self.take("return")
        value = None if self.text == ";" else self.expression()
        self.take(";")
        return Return(value)

    def simple(self) -> Statement:
        """A declaration or an expression, with its semicolon."""
        if self.is_qualifier() or self.is_type_before_name():
            qualifiers = self.qualifiers()
            type_ = self.type()
            if self.accept(";"):
                return Block(())
            found: Statement = self.declarators(qualifiers, type_)
        else:
            found = ExpressionStatement(self.expression())
        self.take(";")
        return found

    def condition(self) -> Expression | Declaration:
        """What stands in the brackets of a loop: an expression or a declaration."""
        if self.is_qualifier() or self.is_type_before_name():
            qualifiers = self.qualifiers()
            return self.declarators(qualifiers, self.type())
        return self.expression()

    def if_(self) -> If:
        """``if``."""
        self.take("if")
        self.take("(")
        condition = self.expression()
        self.take(")")
        yes = self.statement()
        return If(condition, yes, self.statement() if self.accept("else") else None)

    def for_(self) -> For:
        """``for``."""
        self.take("for")
        self.take("(")
        first = Block(()) if self.accept(";") else self.simple()
        condition = None if self.text == ";" else self.condition()
        self.take(";")
        step = None if self.text == ")" else self.expression()
        self.take(")")
        return For(first, condition, step, self.statement())

    def while_(self) -> While:
        """``while`` and ``do``."""
        after = self.accept("do")
        body = self.statement() if after else Block(())
        self.take("while")
        self.take("(")
        condition = self.condition()
        self.take(")")
        if after:
            self.take(";")
            return While(condition, body, after=True)
        return While(condition, self.statement(), after=False)

    def switch(self) -> Switch:
        """``switch``."""
        self.take("switch")
        self.take("(")
        value = self.expression()
        self.take(")")
        return Switch(value, self.block().body)

    def case(self) -> Case:
        """``case x:`` and ``default:``."""
        if self.accept("default"):
            found = Case(None)
        else:
            self.take("case")
            found = Case(self.expression())
        self.take(":")
        return found
