"""The tables of docs/, each made from a table of the code: name -> function that gives Markdown.

Used by tools/codegen/make_docs.py. A function here chooses columns and words; no fact is written down here. How tables
and descriptions of members are laid out is in tools/codegen/doc_layout.py.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker import pipe
from statetracker.caps import FLAGS, PROFILES, Screen, VulkanFacts
from statetracker.caps.fields import FIELDS
from statetracker.caps.flags import ALWAYS, CAP_DEFAULTS, EXTENSIONS, NOT_ZINK
from statetracker.findings import RULES
from statetracker.findings.settings import ROWS
from statetracker.frontend import Policy
from statetracker.gl import Limits, Sampler, Texture, TextureFacts
from statetracker.gl import enums as gl
from statetracker.gl.context import Bound
from statetracker.gl.facts import UnitFacts
from statetracker.gl.formats import InternalFormat
from statetracker.gl.limits import Release
from statetracker.gl.names import gl_name
from statetracker.gl.program import SamplerUniform
from statetracker.pipe.format_numbers import SHIFTS
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import LAYOUTS, TAIL, WORD0
from statetracker.sampler import (
    DIALECTS,
    Dialect,
    MemberStep,
    SlotInput,
    UnsupportedClamp,
    key_rule,
    quantize_lod_bias,
)
from statetracker.sampler import tables as rules
from statetracker.sampler.dialects import ALIASES, NARROW, WIDE, dialect, release_of
from statetracker.sampler.memo import PackedSampler
from statetracker.spellings import SPELLINGS
from tools.codegen.doc_api import calls, commands
from tools.codegen.doc_geometry import GEOMETRY_TABLES
from tools.codegen.doc_gl import GL_TABLES
from tools.codegen.doc_kept import KEPT_TABLES
from tools.codegen.doc_layout import code, codes, grid, members
from tools.codegen.doc_lowering import LOWERING_TABLES
from tools.codegen.doc_rules import RULE_TABLES
from tools.codegen.doc_streams import STREAM_TABLES
from tools.codegen.doc_surface import SURFACE_TABLES
from tools.codegen.doc_vulkan import VULKAN_TABLES
from tools.codegen.doc_vulkan_samplers import VULKAN_SAMPLER_TABLES
from tools.codegen.doc_webgpu import WEBGPU_TABLES
from tools.proofs.pixels.deviations import DEVIATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from enum import IntEnum


__all__ = ["TABLES"]

_ROOT: Final = Path(__file__).resolve().parents[2]
_LETTERS: Final = "xyzw01"


def _picture(selectors: Iterable[int]) -> str:
    return code(" ".join(_LETTERS[s] for s in selectors))


def _enum(family: type[IntEnum]) -> str:
    return grid(("value", "name"), ((int(m), code(m.name)) for m in family))


def _word0() -> str:
    rows = (
        (
            code(f.name),
            f.first,
            f.bits,
            f"[`{f.enum.__name__}`](#{f.enum.__name__.lower()})" if f.enum else _plain(f.bits),
        )
        for f in WORD0
    )
    return grid(("member", "first bit", "bits", "values"), rows)


def _plain(bits: int) -> str:
    return "0 or 1" if bits == 1 else f"0 to {(1 << bits) - 1}"


def _tail() -> str:
    kinds = {"float": "float32", "bits": "32-bit words, floats or integers", "enum": "number of a pipe format"}
    rows = ((code(f.name), f.offset, f.words, kinds[f.kind]) for f in TAIL)
    return grid(("member", "byte", "words", "holds"), rows)


def _layouts() -> str:
    rows = (
        (x.name, x.size, codes(x.inverted), codes(x.dropped), x.flag_word, x.has_format, _speakers(x.name))
        for x in LAYOUTS.values()
    )
    head = ("layout", "bytes", "bit inverted", "not there", "flag at byte", "`border_color_format`", "dialects")
    return grid(head, rows)


def _speakers(layout: str) -> str:
    return codes(d.name for d in DIALECTS.values() if d.layout == layout)


def _keys() -> str:
    plain = Screen("plain")
    asking = plain.replace(use_format_with_border_color=True, need_border_color_type=True)
    rows = []
    for name, row in DIALECTS.items():
        sizes = (key_rule(screen, name).leading_bytes for screen in (plain, asking))
        rows.append((code(name), LAYOUTS[row.layout].size, *sizes))
    return grid(("dialect", "record, bytes", "key, bytes", "key where the driver reads the last member"), rows)


def _dialects() -> str:
    columns = tuple(DIALECTS.values())
    fields = [field for field in Dialect._fields if field != "name"]
    return grid(
        ("field", *(code(d.name) for d in columns)), ((code(f), *(getattr(d, f) for d in columns)) for f in fields)
    )


def _dialect_releases() -> str:
    names = {release: name for name, release in ALIASES.items()}
    releases = [f"{major}.{minor}" for major in range(21, 27) for minor in range(4)]
    known = [release for release in releases if release_of(release)]
    rows = []
    for row in DIALECTS:
        if row != "seed":
            same = [r for r in known if dialect(r)._replace(name=row, formats=DIALECTS[row].formats) == DIALECTS[row]]
            rows.append((code(row), ", ".join(same), ", ".join(f"{code(names[r])} is {r}" for r in same if r in names)))
    return grid(("row", "releases", "older names"), rows)


def _format_numbers() -> str:
    rows = []
    for release, ranges in SHIFTS.items():
        for first, last, shift in ranges:
            low, high = pipe_format(first).name, pipe_format(last).name
            there = f"{first + shift} to {last + shift}"
            rows.append((release, f"{code(low)} to {code(high)}", f"{first} to {last}", there))
    return grid(("release", "formats", "numbers in 22.3", "numbers there"), rows)


def _flags() -> str:
    rows = []
    for flag in FLAGS:
        bits = [q.name or "" for q in pipe.BorderColorQuirk if flag.read(q)]
        when = (
            "0" if flag.read(0) else "not 0" if len(bits) == len(pipe.BorderColorQuirk) else f"has {' or '.join(bits)}"
        )
        when += f", or where {code(flag.seed_cap)} is not 0" if flag.seed_cap else ""
        rows.append((code(flag.name), code(flag.cap), when, CAP_DEFAULTS[flag.cap], flag.meaning))
    return grid(("flag", "cap", "on where the cap is", "cap's default", "what it does"), rows)


def _profiles() -> str:
    rows = (
        (
            code(n),
            p.gl_clamp,
            p.texrect,
            p.texture_buffer_sampler,
            p.float_linear,
            _quirks(p.quirk),
            *map(_pair, (p.mirror, p.seamless, p.aniso, p.minmax)),
            p.storage,
            p.note,
        )
        for n, p in PROFILES.items()
    )
    head = (
        "screen",
        "GL_CLAMP",
        "TEXRECT",
        "buffer",
        "float linear",
        "border quirk",
        "mirror",
        "seamless",
        "anisotropy",
        "min/max",
        "stores as",
        "note",
    )
    return grid(head, rows)


def _quirks(value: int) -> str:
    return " + ".join(q.name or "" for q in pipe.BorderColorQuirk if value & q) or "0"


def _pair(values: tuple[float, float]) -> str:
    return "/".join(f"{v:g}" for v in values)


def _screen_fields() -> str:
    def default(value: object) -> object:
        return value if value not in (frozenset(), ()) else "empty"

    return grid(("field", "default"), ((code(name), default(value)) for name, value in FIELDS.items()))


def _wrap_table() -> str:
    rows = []
    for number, to in rules.WRAP.items():
        wrap, facts = pipe.TexWrap(to), pipe.WRAPS[to]
        lowered = " / ".join(code(n.name) for n in (facts.border, facts.edge)) if facts.clamps else ""
        rows.append((code(gl_name(number, gl.Wrap)), code(wrap.name), to, facts.reads_border, lowered))
    return grid(("GL", "pipe", "number", "reads the border", "lowered to: linear filters / otherwise"), rows)


def _min_filters() -> str:
    rows = (
        (code(gl_name(n, gl.MinFilter)), f"`{pipe.TexFilter(i).name}` {i}", f"`{pipe.TexMipfilter(m).name}` {m}")
        for n, (i, m) in rules.MIN_FILTER.items()
    )
    return grid(("GL min filter", "min_img_filter", "min_mip_filter"), rows)


def _reductions() -> str:
    rows = (
        (code(gl_name(n, gl.ReductionMode)), code(pipe.TexReduction(v).name), v) for n, v in rules.REDUCTION.items()
    )
    return grid(("GL", "pipe", "number"), rows)


def _border() -> str:
    rows = [(code(base), _picture(s)) for base, s in rules.BORDER_TRANSLATION.items()]
    rows.append(("`STENCIL_INDEX` where the dialect replicates", _picture(rules.STENCIL_REPLICATED)))
    return grid(("base format", "border colour"), rows)


def _swizzles() -> str:
    rows = [(code(base), _picture(s), "") for base, s in rules.FORMAT_SWIZZLE.items()]
    for mode, (old, new) in rules.DEPTH_SWIZZLE.items():
        rows.append(
            (
                f"depth, stencil with `{gl_name(mode, gl.DepthTextureMode)}`",
                _picture(new),
                _picture(old) if old != new else "",
            )
        )
    return grid(("base format", "swizzle", "before GLSL 1.30"), rows)


def _biases() -> str:
    some = (0.1, -0.001, 17.0, 40.0, float("nan"), float("-inf"), 0.0019531248828125, 0.009765625)
    rows = ((f"{b:.17g}", *(f"{quantize_lod_bias(b, limits):.10g}" for limits in (NARROW, WIDE))) for b in some)
    return grid(("bias set", "bias stored", "from 23.1 on"), rows)


def _external() -> str:
    slots = import_module("statetracker.sampler.slots")
    rows: list[tuple[object, ...]] = []
    seen: set[str] = set()
    for release, table in slots.EXTRA_SLOTS.items():
        since = f"from {release} on" if seen else "all"
        new = {name: row for name, row in table.items() if name not in seen}
        rows += [(code(name), count, codes(native), since) for name, (count, native) in new.items()]
        seen = set(table)
    return grid(("view format", "extra slots", "none where stored as", "releases"), rows)


def _deviations() -> str:
    rows = ((row.name, row.driver, row.does, row.reason) for row in DEVIATIONS)
    return grid(("where", "driver", "what it does", "why the driver is off"), rows)


_ENUMS: Final = (
    "TexWrap",
    "TexFilter",
    "TexMipfilter",
    "TexCompare",
    "Func",
    "TexReduction",
    "SwizzleSelector",
    "BorderColorQuirk",
)


def _spellings() -> str:
    """Return the words of each family, those with one meaning in one row."""
    rows = []
    for family, words in SPELLINGS.items():
        for name in dict.fromkeys(words.values()):
            meant = code(name if family == "stage" else f"GL_{name}")
            rows.append((code(family), meant, codes([word for word, of in words.items() if of == name])))
    return grid(("of", "means", "words"), rows)


_MEMBERS: Final = (
    *(
        Bound,
        Dialect,
        PackedSampler,
        InternalFormat,
        Limits,
        pipe.Lowering,
        pipe.PipeFormat,
        Policy,
        Release,
        Sampler,
        SamplerUniform,
    ),
    *(UnsupportedClamp, Screen, SlotInput, MemberStep, Texture, TextureFacts, UnitFacts, VulkanFacts),
)

#: Name in a page -> what writes the table.
TABLES: Final[Mapping[str, Callable[[], str]]] = {
    **{f"enum {name}": partial(_enum, getattr(pipe, name)) for name in _ENUMS},
    **GEOMETRY_TABLES,
    **GL_TABLES,
    **LOWERING_TABLES,
    **KEPT_TABLES,
    **STREAM_TABLES,
    **SURFACE_TABLES,
    **RULE_TABLES,
    **VULKAN_TABLES,
    **VULKAN_SAMPLER_TABLES,
    **WEBGPU_TABLES,
    **{f"members {thing.__name__}": partial(members, thing) for thing in _MEMBERS},
    "word0": _word0,
    "tail": _tail,
    "layouts": _layouts,
    "keys": _keys,
    "dialects": _dialects,
    "dialects by release": _dialect_releases,
    "format numbers": _format_numbers,
    "flags": _flags,
    "cap defaults": lambda: grid(("cap", "default"), ((code(n), v) for n, v in CAP_DEFAULTS.items())),
    "extensions": lambda: grid(
        ("extension", "there where one of these is not 0"),
        ((code(name), codes(caps)) for name, caps in EXTENSIONS.items()),
    ),
    "extensions always": lambda: codes(sorted(ALWAYS)),
    "extensions not zink": lambda: codes(NOT_ZINK),
    "profiles": _profiles,
    "screen fields": _screen_fields,
    "wrap": _wrap_table,
    "min filter": _min_filters,
    "reduction": _reductions,
    "border": _border,
    "swizzle": _swizzles,
    "biases": _biases,
    "external": _external,
    "spellings": _spellings,
    "deviations": _deviations,
    "gl calls": calls,
    "commands": commands,
    "findings": lambda: grid(
        ("rule", "severity", "what is the matter", "what to do", "source"),
        ((code(name), rule.severity, rule.title, rule.advice, rule.source) for name, rule in RULES.items()),
    ),
    "unread": lambda: grid(
        ("setting", "makes no difference where"),
        ((code(name), "; ".join(why for _, why in rows)) for name, rows in ROWS.items()),
    ),
}
