"""Random geometry shaders on integers, as GLSL and as what they put out: an evaluator of its own, nothing of SPIR-V.

A statement is a tuple; loops end by construction. Shaders read four integers of an input and send vertices.
"""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

NAMES = "abcd"
_OPERATORS = ("+", "-", "*", "&", "^")
_COMPARISONS = ("<", ">=", "==", "!=")


class Left(Exception):
    """A way left: break, continue or return."""

    def __init__(self, how: str, value: int = 0) -> None:
        super().__init__(how)
        self.how, self.value = how, value


class Writer:
    """Draws a shader."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 (not for secrets)
        self.counters = 0

    def expression(self, depth: int = 2) -> Any:
        draw = self.random
        if depth == 0 or draw.random() < 0.25:
            return draw.choice([draw.choice(NAMES), draw.randint(0, 5), ("in", draw.randint(0, 3))])
        return (draw.choice(_OPERATORS), self.expression(depth - 1), self.expression(depth - 1))

    def condition(self) -> Any:
        return (self.random.choice(_COMPARISONS), ("&", self.expression(1), 7), self.random.randint(0, 6))

    def block(self, depth: int, loops: int, *, function: bool) -> list[Any]:
        return [self.statement(depth, loops, function=function) for _ in range(self.random.randint(1, 4))]

    def statement(self, depth: int, loops: int, *, function: bool) -> Any:
        draw = self.random
        kinds = ["set"] * 4 + ["emit"] * (not function) + ["call"] * (not function)
        if depth:
            kinds += ["if"] * 3 + ["switch", "for", "while", "until"]
        kinds += ["break", "continue"] * (loops > 0) + ["return"] * (draw.random() < 0.3)
        kind = draw.choice(kinds)

        def inner(more: int = 0) -> list[Any]:
            return self.block(depth - 1, loops + more, function=function)

        if kind == "if":
            return ("if", self.condition(), inner(), inner() if draw.random() < 0.5 else [])
        if kind == "switch":
            literals = draw.sample(range(6), draw.randint(2, 4))
            cases = [(some, inner(), draw.random() < 0.7) for some in (literals[:2], literals[2:])]
            return ("switch", ("&", self.expression(1), 7), cases, inner())
        if kind in {"for", "while", "until"}:
            self.counters += 1
            count = draw.choice([1, 2, 3, ("&", ("in", draw.randint(0, 3)), 3)])
            return (kind, f"i{self.counters}", count, inner(1))
        if kind == "set":
            return ("set", draw.choice(NAMES), self.expression())
        if kind == "call":
            return ("call", draw.choice(NAMES), self.expression(1), draw.choice(NAMES))
        return (kind, self.expression(1) if kind == "return" else None)


def drawn(seed: int) -> tuple[list[Any], list[Any]]:
    """The bodies of a function and of main."""
    writer = Writer(seed)
    depth = 1 + seed % 3
    return writer.block(depth, 0, function=True), [*writer.block(depth, 0, function=False), ("emit", None)]


def glsl(seed: int) -> str:
    """The shader's text."""
    function, main = drawn(seed)
    return f"""#version 450
layout(points) in;
layout(points, max_vertices = 200) out;
layout(location = 0) flat in ivec4 given[];
layout(location = 0) flat out ivec4 put;
int f(int a, inout int b) {{
    int c = a + 1, d = b;
{_text(function, "    ", function=True)}
    return c + d;
}}
void main() {{
    int a = given[0].x, b = 1, c = given[0].y, d = 2;
{_text(main, "    ", function=False)}
}}
"""


def _of(one: Any) -> str:
    if isinstance(one, tuple):
        return f"given[0].{'xyzw'[one[1]]}" if one[0] == "in" else f"({_of(one[1])} {one[0]} {_of(one[2])})"
    return str(one)


def _text(block: list[Any], pad: str, *, function: bool) -> str:  # noqa: C901 (a row a kind)
    lines = []
    for one in block:
        kind = one[0]

        def body(some: list[Any]) -> str:
            return "{\n" + _text(some, pad + "    ", function=function) + "\n" + pad + "}"

        if kind == "set":
            lines.append(f"{one[1]} = {_of(one[2])};")
        elif kind == "call":
            lines.append(f"{one[1]} = f({_of(one[2])}, {one[3]});")
        elif kind == "emit":
            lines.append("put = ivec4(a, b, c, d); EmitVertex();")
        elif kind == "return":
            lines.append(f"return {_of(one[1])};" if function else "return;")
        elif kind == "if":
            lines.append(f"if ({_of(one[1])}) {body(one[2])}" + (f" else {body(one[3])}" if one[3] else ""))
        elif kind == "for":
            lines.append(f"for (int {one[1]} = 0; {one[1]} < {_of(one[2])}; ++{one[1]}) {body(one[3])}")
        elif kind == "while":
            step = f"if ({one[1]}++ >= {_of(one[2])}) break;"
            lines.append(f"{{ int {one[1]} = 0; while (true) {{ {step} {body(one[3])} }} }}")
        elif kind == "until":
            lines.append(f"{{ int {one[1]} = 0; do {body(one[3])} while (++{one[1]} < {_of(one[2])}); }}")
        elif kind == "switch":
            cases = ""
            for some, inner, stop in one[2]:
                labels = " ".join(f"case {n}:" for n in some)
                cases += f"{labels} {body(inner)} {'break;' if stop else ''}\n{pad}" if some else ""
            lines.append(f"switch ({_of(one[1])}) {{ {cases} default: {body(one[3])} }}")
        else:
            lines.append(f"{kind};")
    return "\n".join(pad + line for line in lines)


def outputs(seed: int, given: list[int], most: int = 200) -> list[tuple[int, ...]]:
    """What the shader puts out: a, b, c, d of each vertex."""
    function, main = drawn(seed)
    return _Run(function, given, most).main(main)


def _wrap(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


class _Run:
    def __init__(self, function: list[Any], given: list[int], most: int) -> None:
        self.function, self.given, self.most = function, given, most
        self.seen: list[tuple[int, ...]] = []

    def main(self, block: list[Any]) -> list[tuple[int, ...]]:
        values = {"a": self.given[0], "b": 1, "c": self.given[1], "d": 2}
        with suppress(Left):
            self.block(block, values)
        return self.seen[: self.most]

    def value(self, one: Any, values: dict[str, int]) -> int:
        if isinstance(one, str):
            return values[one]
        if isinstance(one, int):
            return one
        if one[0] == "in":
            return int(self.given[one[1]])
        a, b = self.value(one[1], values), self.value(one[2], values)
        seen = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "^": a ^ b,
                 "<": a < b, ">=": a >= b, "==": a == b, "!=": a != b}[one[0]]  # fmt: skip
        return _wrap(int(seen))

    def block(self, block: list[Any], values: dict[str, int]) -> None:
        for one in block:
            getattr(self, f"_{one[0]}")(one, values)

    def _set(self, one: Any, values: dict[str, int]) -> None:
        values[one[1]] = self.value(one[2], values)

    def _emit(self, _: Any, values: dict[str, int]) -> None:
        self.seen.append(tuple(values[name] for name in NAMES))

    def _call(self, one: Any, values: dict[str, int]) -> None:
        inner = {"a": self.value(one[2], values), "b": values[one[3]]}
        inner |= {"c": _wrap(inner["a"] + 1), "d": inner["b"]}
        try:
            self.block(self.function, inner)
            result = _wrap(inner["c"] + inner["d"])
        except Left as left:
            result = left.value
        values[one[3]] = inner["b"]
        values[one[1]] = result

    def _if(self, one: Any, values: dict[str, int]) -> None:
        self.block(one[2] if self.value(one[1], values) else one[3], values)

    def _switch(self, one: Any, values: dict[str, int]) -> None:
        at = self.value(one[1], values)
        start = next((n for n, case in enumerate(one[2]) if at in case[0]), len(one[2]))
        try:
            for some, body, stop in one[2][start:]:
                if some:
                    self.block(body, values)
                    if stop:
                        return
            self.block(one[3], values)
        except Left as left:
            if left.how != "break":
                raise

    def _rounds(self, one: Any, values: dict[str, int], *, least: int) -> None:
        n = 0
        while n < least or n < self.value(one[2], values):
            n += 1
            try:
                self.block(one[3], values)
            except Left as left:
                if left.how == "break":
                    return
                if left.how == "return":
                    raise

    def _for(self, one: Any, values: dict[str, int]) -> None:
        self._rounds(one, values, least=0)

    _while = _for

    def _until(self, one: Any, values: dict[str, int]) -> None:
        self._rounds(one, values, least=1)

    def _break(self, _: Any, __: dict[str, int]) -> None:
        raise Left("break")

    def _continue(self, _: Any, __: dict[str, int]) -> None:
        raise Left("continue")

    def _return(self, one: Any, values: dict[str, int]) -> None:
        raise Left("return", self.value(one[1], values))
