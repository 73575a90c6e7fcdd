"""The tables of docs/ that come from GL's side of the code, and of the replay of a stream of GL calls."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.gl import Sampler, Target
from statetracker.gl import enums as gl
from statetracker.gl.combiner import DEFAULTS as ENVIRONMENT
from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS, border_from_ints
from statetracker.gl.formats import internal_formats
from statetracker.gl.limits import PROFILES
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS, WRAP_GATES
from statetracker.gl.pixels import PIXEL_FORMATS
from statetracker.gl.program import SAMPLER_TARGETS
from statetracker.gl.sampler import DEFAULTS
from statetracker.gl.targets import FIXED_PRIORITY, TARGETS
from statetracker.gl.texture import own_sampler
from statetracker.replay.calls import ALIASES, DRAWS, IRRELEVANT
from statetracker.replay.session import CALLS
from tools.codegen.doc_layout import Rows, code, codes, table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import IntEnum

    from statetracker.gl.floats import Form

_ROOT: Final = Path(__file__).resolve().parents[2]
_PROGRAMS: Final = _ROOT / "tests" / "data" / "programs"


def _enum(family: type[IntEnum]) -> Rows:
    return ((code(gl_name(m, family)), f"0x{m:04X}") for m in family)


for _name in (
    *("Wrap", "MinFilter", "MagFilter", "CompareMode", "CompareFunc", "SrgbDecode", "ReductionMode"),
    *("DepthTextureMode", "DepthStencilMode", "Swizzle"),
):
    table(f"gl {_name}", "name | number")(partial(_enum, getattr(gl, _name)))


@table(
    "parameters",
    "name | kind | sampler objects need | textures need | bad value, sampler | bad value, texture | compares first"
    " | filtering",
)
def _parameters() -> Rows:
    for p in PARAMETERS.values():
        sampler = p.sampler_gate.needs() if p.on_sampler else "not on sampler objects"
        needs = _always(sampler) + "; otherwise ignored" * p.silent, _always(p.texture_gate.needs())
        errors = p.sampler_error.removeprefix("GL_") * p.on_sampler, p.texture_error.removeprefix("GL_")
        yield code(p.name), p.kind, *needs, *errors, p.compares_first, p.filtering


def _always(needs: str) -> str:
    return "-" if needs == "desktop GL, or GLES 1.0 or later" else needs


@table(
    "wrap gates",
    "mode | sampler objects need one of | textures need one of | rectangle | external | desktop only | GLES 1",
)
def _wraps() -> Rows:
    for wrap, g in WRAP_GATES.items():
        needs = _needs(g.sampler), _needs(g.texture)
        yield code(gl_name(wrap, gl.Wrap)), *needs, g.rectangle, g.external, g.desktop_only, g.gles1


def _needs(words: tuple[str, ...] | None) -> str:
    if words is None:
        return "-"
    return ", ".join(code(w) if w.startswith("GL_") else f"the {w} profile" for w in words)


@table(
    "sampler defaults",
    "field | sampler object | texture: others | texture: rectangle, external | multisample, by bind"
    " | multisample, by glCreateTextures",
)
def _sampler_defaults() -> Rows:
    several = Target.TEXTURE_2D_MULTISAMPLE
    made = (Target.TEXTURE_2D, True), (Target.TEXTURE_RECTANGLE, True), (several, True), (several, False)
    columns = [Sampler(), *(own_sampler(target, by_bind=by_bind) for target, by_bind in made)]
    return ((code(name), *(_default(name, getattr(s, name)) for s in columns)) for name in DEFAULTS)


def _default(name: str, value: object) -> object:
    row = next(p for p in PARAMETERS.values() if p.field == name)
    return gl_name(value, row.family).removeprefix("GL_") if row.family and isinstance(value, int) else value


def _forms(forms: Mapping[str, Form]) -> Rows:
    """Try each form on values by which they differ; float forms are never given integers, nor the others floats."""
    for form in forms.values():
        floats = form.name.startswith("f")
        number = "" if floats else f"{form.as_float(0xFFFFFFFF):.10g}"
        border = code(f"{form.border((1, 0, 0, 0))[0]:08x}") if form.border else "refused"
        yield code(form.name), form.vector, form.as_enum(2.5) if floats else "", number, form.as_bool(257), border


for _name, _those in (("sampler forms", SAMPLER_FORMS), ("texture forms", TEXTURE_FORMS)):
    table(
        _name,
        "form | takes an array | enum from 2.5 | float from 0xFFFFFFFF | seamless from 257 | border component from 1",
    )(partial(_forms, _those))


@table("targets", "target | exists in | glTexImage | glTexStorage | multisample calls | by name | proxy | views")
def _targets() -> Rows:
    for target, row in TARGETS.items():
        dims = (f"{n}D" if n else "" for n in (row.image, row.image, row.multisample))
        proxy, views = code(gl_name(row.proxy)) if row.proxy else "", codes(Target(v).name for v in row.views)
        yield code(f"GL_{Target(target).name}"), row.gate.needs(), *dims, row.named, proxy, views


table("sampler types", "GLSL type | target")(
    lambda: ((code(name), code(f"GL_{t.name}")) for name, t in SAMPLER_TARGETS.items())
)


@table("pixels", "values | pixel formats")
def _pixels() -> Rows:
    kinds = dict.fromkeys(row.holds for row in PIXEL_FORMATS.values())
    return ((k, codes(gl_name(n) for n, row in PIXEL_FORMATS.items() if row.holds == k)) for k in kinds)


@table("border ints", "int | float32 bits")
def _border_ints() -> Rows:
    some = (2147483647, 12345678, 1000, 1, 0, -1, -12345678, -2147483648)
    return ((n, code(f"{border_from_ints(n):08x}")) for n in some)


@table("views", "view class | internal formats")
def _views() -> Rows:
    """Classes by size first, the largest before the others; then those of compressed formats."""
    names: dict[str, list[str]] = {}
    for known in internal_formats():
        names.setdefault(known.view_class, []).append(known.name)
    sizes = sorted((word for word in names if word.endswith(" bits")), key=lambda word: -int(word.split()[0]))
    others = sorted(word for word in names if word and word not in sizes)
    return ((word, codes(names[word])) for word in (*sizes, *others))


table("environment", "parameter | value at first")(
    lambda: ((code(gl_name(p)), code(gl_name(v))) for p, v in ENVIRONMENT.items())
)
table("contexts", "profile | GLES version")(
    lambda: ((code(name), f"{version / 10:.1f}" if version else "desktop") for name, version in PROFILES.items())
)
table("fixed priority")(lambda: codes(f"GL_{target.name}" for target in FIXED_PRIORITY))


# The replay of a stream.


@table("stream calls", "calls | note")
def _modelled() -> Rows:
    groups: dict[str, list[str]] = {}
    for name, handler in CALLS.items():
        if name not in DRAWS:
            note = (handler.__doc__ or "").split("\n", 1)[0].rstrip(".")
            groups.setdefault(note if note[1:2].isupper() else note[:1].lower() + note[1:], []).append(name)
    return ((codes(sorted(names)), note) for note, names in groups.items() if note)


@table("stream draws", "draws | if these are above 0")
def _draws() -> Rows:
    groups: dict[str, list[str]] = {}
    for name, positive in sorted(DRAWS.items()):
        groups.setdefault(" and ".join(map(code, positive)) or "always", []).append(name)
    return ((codes(names), when) for when, names in groups.items())


table("stream ignored", "what they are about | calls; `*` is any further text")(
    lambda: ((family, codes(f"gl{word}" for word in words)) for family, words in IRRELEVANT.items())
)
table("stream aliases", "older name | is")(lambda: ((code(a), code(b)) for a, b in ALIASES.items()))
