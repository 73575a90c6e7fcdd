"""Tables of docs/shader_lowering.md, counted in modules that are rewritten here, and of docs/rules/lowering.md.

Also of docs/surfaces.md, and the figures that are kept (``make space``, ``make sweep``).
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from statetracker.caps import Screen
from statetracker.gl import Sampler, Texture
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter
from statetracker.sampler import DIALECTS, sampler_state, unsupported_clamps
from statetracker.shader import lower
from statetracker.shader.sample_ops import SAMPLES
from statetracker.spirv import Module
from statetracker.surface import BITS, TILES
from statetracker.surface.choices import ALIGNMENTS
from statetracker.survey import KINDS, TEXTURES
from tests.shader.compiled import MODULES
from tests.survey import whole_space
from tests.vulkan.boundary import figures
from tools.codegen.doc_layout import Rows, code, grid, table

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
_COLUMNS: Final = {
    "edge": _EDGE,
    "edge, mipmaps": _EDGE._replace(min_mip_filter=_MIPS),
    "black, mipmaps": _BLACK._replace(min_mip_filter=_MIPS),
    "filtered, mipmaps": _FILTER._replace(min_mip_filter=_MIPS),
}
_FORMS: Final = (
    _Row("implicit LOD, 2D", "implicit_2d.frag"),
    _Row("implicit LOD, 3D", "implicit_3d.frag"),
    _Row("gather", "gather_2d.frag", "filtered"),
    _Row("gather, four offsets", "gather_offsets_2d.frag", "filtered"),
)
#: What else is done, by a module and a lowering.
_OTHERS: Final = (
    ("mirrored clamp folded", "implicit_2d.frag", _LINEAR._replace(fold="st", min_mip_filter=_MIPS)),
    ("rest of the LOD bias", "implicit_2d.frag", _BIAS),
    ("rectangle as 2D", "rect.gl.frag", _LINEAR._replace(normalize=True, texel_coords=True)),
    ("cube that is not seamless", "implicit_cube.frag", _FACES),
    ("... with mipmaps", "implicit_cube.frag", _FACES._replace(min_mip_filter=_MIPS)),
    ("... that repeats", "implicit_cube.frag", _FACES._replace(repeat="st")),
    ("... of a gather", "gather_cube.frag", _FACES),
    ("swizzle of a view", "implicit_2d.frag", Lowering(swizzle="RRR1")),
)


def _rewritten(name: str, lowering: Lowering) -> str:
    """Return samples, and instructions more."""
    module = MODULES[name]
    result = lower(module, {(0, 1): lowering}, values=(1, 0))
    before, after = (Module.read(one).instructions for one in (module, result.module))
    samples = sum(one.opcode in SAMPLES for one in after)
    return f"{samples}, +{len(after) - len(before)}"


@table("lowered forms", f"form | {' | '.join(_COLUMNS)}")
def _forms() -> Rows:
    for row in _FORMS:
        yield (
            row.form,
            *(
                "" if row.lacks and row.lacks in column else _rewritten(row.module, lowering)
                for column, lowering in _COLUMNS.items()
            ),
        )


table("lowered others", "work | samples, instructions more")(
    lambda: ((text, _rewritten(name, lowering)) for text, name, lowering in _OTHERS)
)


@table("unsupported clamps")
def _unsupported() -> str:
    """One column for dialects that agree."""
    screen, facts = Screen.named("zink-lavapipe"), Texture("2d", "RGBA8").facts()
    filters = [*product(("linear", "nearest"), repeat=2)]
    samplers = [Sampler(wrap="clamp", min_filter=least, mag_filter=most) for least, most in filters]
    columns: dict[tuple[str, ...], list[str]] = {}
    for name, row in DIALECTS.items():
        if row.clamp_filter != "never":
            states = [(one, sampler_state(one, facts, screen, dialect=name)) for one in samplers]
            clamps = [unsupported_clamps(one, facts, screen, state) for one, state in states]
            cells = ["; ".join(f"{one.half}: {one.reads}, {one.share:g}" for one in row) or "right" for row in clamps]
            columns.setdefault(tuple(cells), []).append(name)
    heads = (" to ".join(dict.fromkeys((code(names[0]), code(names[-1])))) for names in columns.values())
    return grid(("min / mag filter", *heads), zip(map(" / ".join, filters), *columns, strict=True))


# Figures that are kept.

table("outcomes", "outcome | what it means")(lambda: ((code(kind), means) for kind, means in KINDS.items()))


@table("space shares", f"texture | {' | '.join(KINDS)}")
def _shares() -> Rows:
    """Return a row a texture: the share of pairs of a state and a vector, and of a state and a report."""
    by_place = {(row.texture, row.kind): row for row in whole_space.kept()}
    for name in TEXTURES:
        these = [by_place[name, kind] for kind in KINDS]
        yield name, *(f"{row.share_vectors:.2%}, {row.share_reports:.2%}" for row in these)


def _share(count: int, whole: int) -> str:
    """Return a share in percent; of one that rounds to nothing, that it is something."""
    share = f"{count / whole:.1%}"
    return "under 0.1%" if share == "0.0%" and count else share


@table("what is left", "left | devices | plain samples")
def _left() -> Rows:
    """Kinds by their share of states."""
    rows = figures.kept()
    whole = rows.pop(figures.ALL)
    for kind, row in rows.items():
        yield kind, _share(row.reports, whole.reports), _share(row.plain, whole.states)


# Surfaces.


@table("tiles", "tiling | logical | in memory | address bits 11 to 0")
def _tiles() -> Rows:
    """Return a row a tiling; which bit of x (u) or y (v) each address bit is."""
    for tiling, t in TILES.items():
        bits = " ".join(BITS.get(tiling, ()))
        yield tiling, f"{t.width_B} B x {t.height}", f"{t.phys_width_B} B x {t.phys_height}", bits


table("surface alignments", "images (el) | 6 | 7, 7.5 | 8")(
    lambda: ((row.what, *(f"{x} x {y}" for x, y in (row.gen6, row.gen7, row.gen8))) for row in ALIGNMENTS)
)
