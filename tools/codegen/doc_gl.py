"""The tables of docs/ that come from GL's side of the code."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from statetracker.gl import Sampler, Target
from statetracker.gl import enums as gl
from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS, border_from_ints
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS, WRAP_GATES
from statetracker.gl.sampler import DEFAULTS
from statetracker.gl.targets import FIXED_PRIORITY, TARGETS
from statetracker.gl.texture import own_sampler
from tools.codegen.doc_layout import Rows, code, codes, grouped, table

if TYPE_CHECKING:
    from statetracker.gl.floats import Form
    from statetracker.gl.limits import Gate
    from statetracker.gl.parameters import Parameter


@table(
    "parameters",
    "name, after `GL_` | kind | textures need | sampler objects need | error for a bad value | compares first",
)
def _parameters() -> Rows:
    def row(p: Parameter) -> tuple[object, ...]:
        texture, sampler = _needed(p.texture_gate), _needed(p.sampler_gate)
        sampler = "the same" if sampler == texture != "-" else sampler
        errors = dict.fromkeys((p.sampler_error, p.texture_error) if p.on_sampler else (p.texture_error,))
        both = texture, sampler + "; otherwise ignored" * p.silent if p.on_sampler else "no"
        return p.kind.removesuffix("s"), *both, " / ".join(errors).replace("GL_", ""), p.compares_first

    rows = grouped((p.name.removeprefix("GL_"), row(p)) for p in PARAMETERS.values())
    return ((codes(names), *cells) for cells, names in rows.items())


def _needed(gate: Gate) -> str:
    return gate.needs().replace(" or later", "+").replace("desktop GL, or GLES 1.0+", "-")


@table(
    "wrap gates",
    "mode, after `GL_` | needs one of | rectangle | external | desktop only | GLES 1",
)
def _wraps() -> Rows:
    for wrap, g in WRAP_GATES.items():
        needs = " / ".join(dict.fromkeys((_needs(g.sampler), _needs(g.texture))))
        name = code(gl_name(wrap, gl.Wrap).removeprefix("GL_"))
        yield name, needs, g.rectangle, g.external, g.desktop_only, g.gles1


def _needs(words: tuple[str, ...] | None) -> str:
    if words is None:
        return "-"
    return ", ".join(code(w) if w.startswith("GL_") else f"the {w} profile" for w in words)


@table(
    "sampler defaults",
    "field | in general | rectangle, external | multisample, by bind",
)
def _sampler_defaults() -> Rows:
    several = Target.TEXTURE_2D_MULTISAMPLE
    made = (Target.TEXTURE_2D, True), (several, False), (Target.TEXTURE_RECTANGLE, True), (several, True)
    general, *same, rectangle, bound = Sampler(), *(own_sampler(target, by_bind=by_bind) for target, by_bind in made)

    def row(name: str) -> list[object]:
        usual, *others = (_default(name, getattr(one, name)) for one in (general, *same, rectangle, bound))
        return [usual, *("" if value == usual else value for value in others[len(same) :])]

    return ((codes(names), *cells) for cells, names in groupby(DEFAULTS, key=row))


def _default(name: str, value: object) -> object:
    row = next(p for p in PARAMETERS.values() if p.field == name)
    return gl_name(value, row.family).removeprefix("GL_") if row.family and isinstance(value, int) else value


def _tried(form: Form) -> tuple[str, str, str]:
    """Try a form on values by which they differ; float forms are never given integers, nor the others floats."""
    floats = form.name.startswith("f")
    number = "" if floats else f"{form.as_float(0xFFFFFFFF):.10g}"
    border = code(f"{form.border((1, 0, 0, 0))[0]:08x}") if form.border else "refused"
    return str(form.as_enum(2.5)) if floats else "", number, border


@table("forms", "form | enum from 2.5 | float from 0xFFFFFFFF | border component from 1")
def _forms() -> Rows:
    for name, form in SAMPLER_FORMS.items():
        pairs = zip(_tried(form), _tried(TEXTURE_FORMS[name]), strict=True)
        yield code(name), *(" / ".join(dict.fromkeys(pair)) for pair in pairs)


@table("targets", "target, after `GL_TEXTURE_` | exists in | glTexImage, glTexStorage | views")
def _targets() -> Rows:
    for target, row in TARGETS.items():
        dims = f"{row.image}D" if row.image else f"{row.multisample}D multisample" if row.multisample else ""
        yield code(_after(target)), _needed(row.gate), dims, codes(map(_after, row.views))


def _after(target: int) -> str:
    return Target(target).name.removeprefix("TEXTURE_")


@table("border ints", "int | float32 bits")
def _border_ints() -> Rows:
    some = (2147483647, 12345678, 1000, 1, 0, -1, -12345678, -2147483648)
    return ((n, code(f"{border_from_ints(n):08x}")) for n in some)


table("fixed priority")(lambda: codes(f"GL_{target.name}" for target in FIXED_PRIORITY))
