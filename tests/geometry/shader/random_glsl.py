"""Random geometry shaders on integers, as GLSL and as what they put out: an evaluator of its own, nothing of SPIR-V.

A statement is a tuple; loops end by construction. Shaders read four integers of an input and send vertices.
"""

from __future__ import annotations

import random
from itertools import count
from typing import Any

NAMES = "abcd"
_OPERATORS = ("+", "-", "*", "&", "^")
_COMPARISONS = ("<", ">=", "==", "!=")
_NAMES = count()  # of switches, each its own


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
    """What the shader puts out: a, b, c, d of each vertex; the same statements as Python, run."""
    function, main = drawn(seed)
    seen: list[tuple[int, ...]] = []
    text = ["def f(a, b):", "    c, d = w(a + 1), b", *_python(function, None, function=True), "    return w(c + d), b"]
    text += ["def main():", "    a, b, c, d = given[0], 1, given[1], 2", *_python(main, None, function=False)]
    scope: dict[str, Any] = {"given": given, "seen": seen, "w": _wrap}
    exec("\n".join(text), scope)  # noqa: S102 (our own text)
    scope["main"]()
    return seen[:most]


def _wrap(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _value(one: Any) -> str:
    if isinstance(one, tuple):
        return f"given[{one[1]}]" if one[0] == "in" else f"w({_value(one[1])} {one[0]} {_value(one[2])})"
    return str(one)


def _python(block: list[Any], around: str | None, *, function: bool) -> list[str]:  # noqa: C901 (a row a kind)
    """Lines of statements; ``around``: the name of the switch, "" for a loop, None for neither, that is left first."""
    lines: list[str] = []
    again = [f"again_{around} = True", "break"] if around else ["continue"]
    for kind, *one in block:
        if kind == "set":
            lines.append(f"{one[0]} = {_value(one[1])}")
        elif kind == "call":
            lines += [f"both = f({_value(one[1])}, {one[2]})", f"{one[2]} = both[1]", f"{one[0]} = both[0]"]
        elif kind == "emit":
            lines.append("seen.append((a, b, c, d))")
        elif kind == "return":
            lines.append(f"return {_value(one[0])}, b" if function else "return")
        elif kind == "if":
            lines += [f"if {_value(one[0])}:", *_python(one[1], around, function=function), "else:", "    pass"]
            lines += _python(one[2], around, function=function)
        elif kind in {"for", "while", "until"}:
            lines += [f"{one[0]} = 0", f"while {one[0]} < {int(kind == 'until')} or {one[0]} < {_value(one[1])}:"]
            lines += [f"    {one[0]} += 1", *_python(one[2], "", function=function)]
        elif kind == "switch":
            name = str(next(_NAMES))
            lines += [f"at_{name}, in_{name}, again_{name} = {_value(one[0])}, False, False", "for _ in (0,):"]
            for some, inner, stop in one[1]:
                if some:
                    lines += [f"    in_{name} |= at_{name} in {some}", f"    if in_{name}:"]
                    lines += [f"    {line}" for line in _python(inner, name, function=function)]
                    lines += ["        break"] * stop
            lines += _python(one[2], name, function=function)
            lines += [f"if again_{name}:", *(f"    {line}" for line in again)] if around is not None else []
        else:
            lines += ["break"] if kind == "break" else again
    return [f"    {line}" for line in lines]
