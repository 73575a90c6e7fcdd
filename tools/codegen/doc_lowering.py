"""Tables of docs/shader_lowering.md, counted in modules that are rewritten here, and of docs/rules/lowering.md."""

from __future__ import annotations

import zipfile
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps import Screen
from statetracker.frontend.stage_watch import CLAMP_EVENTS, variant_keys
from statetracker.gl import Sampler, Texture
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter
from statetracker.sampler import DIALECTS, sampler_state, unsupported_clamps
from statetracker.shader import KEY_KINDS, lower
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Module
from tools.codegen.doc_layout import code, codes, grid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LOWERING_TABLES"]

_MODULES: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "shaders" / "compiled.zip"
_NO_MIPS, _MIPS = TexMipfilter.NONE, TexMipfilter.LINEAR
_LINEAR: Final = Lowering(
    min_img_filter=TexFilter.LINEAR, mag_img_filter=TexFilter.LINEAR, min_mip_filter=_NO_MIPS, compare_func=Func.LEQUAL
)
_EDGE: Final = _LINEAR._replace(border="str", route="edge")
_BLACK: Final = _EDGE._replace(route="predefined")
_FILTER: Final = _LINEAR._replace(filter_texels=True)
_FACES: Final = _LINEAR._replace(cube_edges=True)
_BIAS: Final = _LINEAR._replace(add_lod_bias=True, min_mip_filter=_MIPS)


class _Row(NamedTuple):
    """A form: its name, the compiled module that has one instruction of it, the columns that it has no part in."""

    form: str
    module: str
    lacks: str = ""


#: Column -> lowering.
_COLUMNS: Final[Mapping[str, Lowering]] = {
    "GL_CLAMP": _LINEAR._replace(half_border="str", route="edge"),
    "edge": _EDGE,
    "edge, mipmaps": _EDGE._replace(min_mip_filter=_MIPS),
    "black, mipmaps": _BLACK._replace(min_mip_filter=_MIPS),
    "filtered": _FILTER,
    "filtered, mipmaps": _FILTER._replace(min_mip_filter=_MIPS),
}
_FORMS: Final = (
    _Row("implicit LOD, 1D", "implicit_1d.frag"),
    _Row("implicit LOD, 2D", "implicit_2d.frag"),
    _Row("implicit LOD, 3D", "implicit_3d.frag"),
    _Row("explicit LOD", "lod_2d.frag"),
    _Row("gradients", "grad_2d.frag"),
    _Row("projection", "proj_2d_vec4.frag"),
    _Row("comparison", "shadow_2d.frag"),
    _Row("gather", "gather_2d.frag", "filtered"),
    _Row("gather, four offsets", "gather_offsets_2d.frag", "filtered"),
    _Row("rectangle", "rect.gl.frag", "mipmaps"),
)
#: What else is done, by a module and a lowering.
_OTHERS: Final = (
    ("mirrored clamp folded", "implicit_2d.frag", _LINEAR._replace(fold="st", min_mip_filter=_MIPS)),
    ("... with an offset", "offset_2d.frag", _LINEAR._replace(fold="st", min_mip_filter=_MIPS)),
    ("... of a gather", "gather_2d.frag", _LINEAR._replace(fold="st")),
    ("rest of the LOD bias", "implicit_2d.frag", _BIAS),
    ("... of an anisotropic sampler", "implicit_2d.frag", _BIAS._replace(anisotropic=True)),
    ("... in a query of the level", "query_lod_2d.frag", _BIAS),
    ("rectangle as 2D", "rect.gl.frag", _LINEAR._replace(normalize=True, texel_coords=True)),
    ("cube without seams", "implicit_cube.frag", _FACES),
    ("... with mipmaps", "implicit_cube.frag", _FACES._replace(min_mip_filter=_MIPS)),
    ("... that repeats", "implicit_cube.frag", _FACES._replace(repeat="st")),
    ("... of a gather", "gather_cube.frag", _FACES),
    ("swizzle of a view", "implicit_2d.frag", Lowering(swizzle="RRR1")),
    ("... of a border between mipmaps", "implicit_2d.frag", _EDGE._replace(min_mip_filter=_MIPS, swizzle="RRR1")),
)
_EXACT: Final = "exact"


def _rewritten(name: str, lowering: Lowering) -> tuple[str, str]:
    """Return samples and instructions more, and the grade: what is not exact."""
    with zipfile.ZipFile(_MODULES) as archive:
        module = archive.read(f"{name}.spv")
    result = lower(module, {(0, 1): lowering}, values=(1, 0))
    before, after = (Module.read(one).instructions for one in (module, result.module))
    samples = sum(one.opcode in SAMPLES for one in after)
    return f"{samples}, +{len(after) - len(before)}", "; ".join(note.reason for note in result.inexact) or _EXACT


def _forms() -> str:
    rows = []
    for row in _FORMS:
        cells = []
        for column, lowering in _COLUMNS.items():
            there = not row.lacks or row.lacks not in column
            cells.append(_rewritten(row.module, lowering) if there else ("", _EXACT))
        grades = dict.fromkeys(grade for _, grade in cells if grade != _EXACT)
        rows.append(
            (row.form, *(cell for cell, _ in cells), "with mipmaps: " * bool(grades) + ("; ".join(grades) or _EXACT))
        )
    return grid(("form", *_COLUMNS, "grade"), rows)


def _others() -> str:
    return grid(
        ("work", "samples, instructions more", "grade"),
        ((text, *_rewritten(name, lowering)) for text, name, lowering in _OTHERS),
    )


_UPSTREAM: Final = {"no": "no", "": "not examined"}


def _events() -> str:
    rows = ((e.event, codes(e.calls), _UPSTREAM.get(e.upstream, f"from {e.upstream} on")) for e in CLAMP_EVENTS)
    return grid(("event", "calls", "Mesa looks again"), rows)


def _keys() -> str:
    screen, own = Screen(emulate_gl_clamp=True), 8
    rows = []
    for name in DIALECTS:
        keys = variant_keys(screen, name, compatible=True, fragment_bytes=own)
        before = keys.compared_bytes("fragment") - own
        keys.key("fragment", ((1, 0, 0), (0, 0, 0)))
        rows.append((code(name), f"own + {before}", f"own + {keys.compared_bytes('fragment') - own}"))
    return grid(("dialect", "bytes compared until a mask is seen", "afterwards"), rows)


def _kinds() -> str:
    kinds = dict.fromkeys(KEY_KINDS.values())
    return grid(("key", "stages"), ((k, codes(s for s, kind in KEY_KINDS.items() if kind == k)) for k in kinds))


def _unsupported() -> str:
    screen, facts = Screen.named("zink-lavapipe"), Texture("2d", "RGBA8").facts()
    lowered = [name for name, row in DIALECTS.items() if row.clamp_filter != "never"]
    rows = []
    for smallest, largest in product(("linear", "nearest"), repeat=2):
        sampler = Sampler(wrap="clamp", min_filter=smallest, mag_filter=largest)
        row = [f"{smallest} / {largest}"]
        for name in lowered:
            clamps = unsupported_clamps(sampler, facts, screen, sampler_state(sampler, facts, screen, dialect=name))
            row.append("; ".join(f"{one.half}: {one.reads}, {one.share:g}" for one in clamps) or "right")
        rows.append(tuple(row))
    return grid(("min / mag filter", *map(code, lowered)), rows)


#: Name in a page -> what writes the table.
LOWERING_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "lowered forms": _forms,
    "lowered others": _others,
    "clamp events": _events,
    "unsupported clamps": _unsupported,
    "variant keys": _keys,
    "variant key kinds": _kinds,
}
