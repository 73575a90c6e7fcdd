"""The tables of docs/ that come from GL's side of the code: name -> function that gives Markdown."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.caps.storage import TABLES as STORED
from statetracker.gl import Sampler, Target
from statetracker.gl import enums as gl
from statetracker.gl.combiner import DEFAULTS as ENVIRONMENT
from statetracker.gl.floats import SAMPLER_FORMS, TEXTURE_FORMS, border_from_ints
from statetracker.gl.formats import internal_formats
from statetracker.gl.limits import PROFILES as CONTEXTS
from statetracker.gl.limits import RELEASES, Release
from statetracker.gl.names import gl_name
from statetracker.gl.parameters import PARAMETERS, WRAP_GATES
from statetracker.gl.pixels import PIXEL_FORMATS
from statetracker.gl.program import SAMPLER_TARGETS
from statetracker.gl.sampler import DEFAULTS
from statetracker.gl.targets import FIXED_PRIORITY, TARGETS, VIEW_CLASSES
from statetracker.gl.texture import own_sampler
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import IntEnum

    from statetracker.gl.floats import Form

__all__ = ["GL_TABLES"]

_ROOT: Final = Path(__file__).resolve().parents[2]


def _gl_enum(family: type[IntEnum]) -> str:
    return grid(("name", "number"), ((code(gl_name(m, family)), f"0x{m:04X}") for m in family))


def _parameters() -> str:
    rows = []
    for p in PARAMETERS.values():
        sampler = p.sampler_gate.needs() if p.on_sampler else "not on sampler objects"
        silent = "; otherwise ignored" if p.silent else ""
        errors = (p.sampler_error.removeprefix("GL_") if p.on_sampler else "", p.texture_error.removeprefix("GL_"))
        rows.append(
            (
                code(p.name),
                p.kind,
                _always(sampler) + silent,
                _always(p.texture_gate.needs()),
                *errors,
                p.compares_first,
                p.filtering,
            )
        )
    head = (
        "name",
        "kind",
        "sampler objects need",
        "textures need",
        "bad value, sampler",
        "bad value, texture",
        "compares first",
        "filtering",
    )
    return grid(head, rows)


def _always(needs: str) -> str:
    return "-" if needs == "desktop GL, or GLES 1.0 or later" else needs


def _wraps() -> str:
    rows = (
        (
            code(gl_name(wrap, gl.Wrap)),
            _needs(g.sampler),
            _needs(g.texture),
            g.rectangle,
            g.external,
            g.desktop_only,
            g.gles1,
        )
        for wrap, g in WRAP_GATES.items()
    )
    return grid(
        (
            "mode",
            "sampler objects need one of",
            "textures need one of",
            "rectangle",
            "external",
            "desktop only",
            "GLES 1",
        ),
        rows,
    )


def _needs(words: tuple[str, ...] | None) -> str:
    if words is None:
        return "-"
    return ", ".join(code(w) if w.startswith("GL_") else f"the {w} profile" for w in words)


def _sampler_defaults() -> str:
    targets = {"others": Target.TEXTURE_2D, "rectangle, external": Target.TEXTURE_RECTANGLE}
    columns = [Sampler(), *(own_sampler(t, by_bind=True) for t in targets.values())]
    columns += [own_sampler(Target.TEXTURE_2D_MULTISAMPLE, by_bind=by_bind) for by_bind in (True, False)]
    rows = ((code(name), *(_default(name, getattr(s, name)) for s in columns)) for name in DEFAULTS)
    head = (
        "field",
        "sampler object",
        *(f"texture: {t}" for t in targets),
        "multisample, by bind",
        "multisample, by glCreateTextures",
    )
    return grid(head, rows)


def _default(name: str, value: object) -> object:
    row = next(p for p in PARAMETERS.values() if p.field == name)
    return gl_name(value, row.family).removeprefix("GL_") if row.family and isinstance(value, int) else value


def _forms(forms: Mapping[str, Form]) -> str:
    rows = ((code(f.name), *_probes(f)) for f in forms.values())
    return grid(
        (
            "form",
            "takes an array",
            "enum from 2.5",
            "float from 0xFFFFFFFF",
            "seamless from 257",
            "border component from 1",
        ),
        rows,
    )


def _probes(form: Form) -> tuple[object, ...]:
    """Try a form on values by which forms differ; the float forms are never given integers, nor the others floats."""
    floats = form.name.startswith("f")
    number = "" if floats else f"{form.as_float(0xFFFFFFFF):.10g}"
    border = code(f"{form.border((1, 0, 0, 0))[0]:08x}") if form.border else "refused"
    return form.vector, form.as_enum(2.5) if floats else "", number, form.as_bool(257), border


def _targets() -> str:
    def dims(n: int) -> str:
        return f"{n}D" if n else ""

    rows = (
        (
            code(f"GL_{Target(t).name}"),
            r.gate.needs(),
            dims(r.image),
            dims(r.storage),
            dims(r.multisample),
            r.named,
            code(gl_name(r.proxy)) if r.proxy else "",
            codes(Target(v).name for v in r.views),
        )
        for t, r in TARGETS.items()
    )
    return grid(
        ("target", "exists in", "glTexImage", "glTexStorage", "multisample calls", "by name", "proxy", "views"), rows
    )


def _sampler_types() -> str:
    return grid(("GLSL type", "target"), ((code(name), code(f"GL_{t.name}")) for name, t in SAMPLER_TARGETS.items()))


def _formats() -> str:
    with (_ROOT / "caps" / "storage_formats.csv").open(encoding="ascii", newline="") as lines:
        stored = {row["internal_format"]: row for row in csv.DictReader(x for x in lines if not x.startswith("#"))}
    rows = []
    for f in internal_formats():
        kept = stored[f.name]
        first, *others = STORED[:-1]  # WebGPU's follows from zink's
        other = [f"{driver}: {kept[driver]}" for driver in others if kept[driver] != kept[first]]
        stored_as = "; ".join([kept[first], *other])
        rows.append((code(f.name), f.base_format, f.kind, f.sized, stored_as, kept["seen"], " or ".join(f.extensions)))
    return grid(("internal format", "base format", "kind", "sized", "stored as", "seen", "desktop GL needs"), rows)


def _pixels() -> str:
    kinds: dict[str, list[int]] = {}
    for value, row in PIXEL_FORMATS.items():
        kinds.setdefault(row.holds, []).append(value)
    return grid(("values", "pixel formats"), ((k, codes(map(gl_name, numbers))) for k, numbers in kinds.items()))


def _releases() -> str:
    columns = [field for field in Release._fields if field != "name"]
    return grid(
        ("release", *map(code, columns)), ((r.name, *(getattr(r, c) for c in columns)) for r in RELEASES.values())
    )


def _border_ints() -> str:
    some = (2147483647, 12345678, 1000, 1, 0, -1, -12345678, -2147483648)
    return grid(("int", "float32 bits"), ((n, code(f"{border_from_ints(n):08x}")) for n in some))


def _views() -> str:
    return grid(
        ("view class", "internal formats"), ((name, codes(text.split())) for name, text in VIEW_CLASSES.items())
    )


def _environment() -> str:
    return grid(("parameter", "value at first"), ((code(gl_name(p)), code(gl_name(v))) for p, v in ENVIRONMENT.items()))


def _contexts() -> str:
    rows = ((code(name), f"{version / 10:.1f}" if version else "desktop") for name, version in CONTEXTS.items())
    return grid(("profile", "GLES version"), rows)


_ENUMS: Final = (
    *("Wrap", "MinFilter", "MagFilter", "CompareMode", "CompareFunc", "SrgbDecode", "ReductionMode"),
    *("DepthTextureMode", "DepthStencilMode", "Swizzle"),
)

#: Name in a page -> what writes the table.
GL_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    **{f"gl {name}": partial(_gl_enum, getattr(gl, name)) for name in _ENUMS},
    "parameters": _parameters,
    "wrap gates": _wraps,
    "sampler defaults": _sampler_defaults,
    "sampler forms": partial(_forms, SAMPLER_FORMS),
    "texture forms": partial(_forms, TEXTURE_FORMS),
    "targets": _targets,
    "sampler types": _sampler_types,
    "formats": _formats,
    "pixels": _pixels,
    "views": _views,
    "fixed priority": lambda: codes(f"GL_{target.name}" for target in FIXED_PRIORITY),
    "environment": _environment,
    "contexts": _contexts,
    "releases": _releases,
    "border ints": _border_ints,
}
