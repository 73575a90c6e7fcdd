"""The tables of docs/, each made from a table of the code: `TABLES` has all of them.

Used by tools/codegen/make_docs.py. A function here chooses columns and words; no fact is written down here. How tables
and descriptions of members are laid out is in tools/codegen/doc_layout.py.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from statetracker import pipe
from statetracker.caps import FLAGS
from statetracker.caps.flags import CAP_DEFAULTS, EXTENSIONS
from statetracker.findings import RULES
from statetracker.frontend import Policy
from statetracker.gl import enums as gl
from statetracker.gl.names import gl_name
from statetracker.pipe.layout import LAYOUTS, TAIL, WORD0
from statetracker.sampler import DIALECTS, quantize_lod_bias
from statetracker.sampler import tables as rules
from statetracker.sampler.dialects import ALIASES, NARROW, WIDE, dialect, release_of
from tools.codegen import doc_api, doc_gl, doc_lowering, doc_rules, doc_vulkan  # noqa: F401 (they enter their tables)
from tools.codegen.doc_layout import TABLES, Rows, code, codes, grouped, members, table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from enum import IntEnum, IntFlag

__all__ = ["TABLES"]

_LETTERS: Final = "xyzw01"


def _picture(selectors: Iterable[int]) -> str:
    return code(" ".join(_LETTERS[s] for s in selectors))


@table("record enums", "type | values")
def _enums() -> Rows:
    fields = [field.enum for field in WORD0 if field.enum]
    families: list[type[IntEnum | IntFlag]] = [*fields, pipe.SwizzleSelector, pipe.BorderColorQuirk]
    for family in dict.fromkeys(families):
        yield code(family.__name__), ", ".join(f"{int(m)} {code(m.name)}" for m in family)


table("members Policy")(partial(members, Policy))


@table("word0", "member | first bit | bits | values")
def _word0() -> Rows:
    for f in WORD0:
        plain = "0 or 1" if f.bits == 1 else f"0 to {(1 << f.bits) - 1}"
        yield code(f.name), f.first, f.bits, code(f.enum.__name__) if f.enum else plain


@table("tail", "member | byte | words | holds")
def _tail() -> Rows:
    kinds = {"float": "float32", "bits": "32-bit words, floats or integers", "enum": "number of a pipe format"}
    return ((code(f.name), f.offset, f.words, kinds[f.kind]) for f in TAIL)


@table("layouts", "layout | bytes | bit inverted | not there | flag at byte | `border_color_format` | dialects")
def _layouts() -> Rows:
    for x in LAYOUTS.values():
        speakers = codes(d.name for d in DIALECTS.values() if d.layout == x.name)
        yield x.name, x.size, codes(x.inverted), codes(x.dropped), x.flag_word, x.has_format, speakers


@table("dialects by release", "row | releases | older names")
def _dialect_releases() -> Rows:
    names = {release: name for name, release in ALIASES.items()}
    releases = [f"{major}.{minor}" for major in range(21, 27) for minor in range(4)]
    known = [release for release in releases if release_of(release)]
    for row in DIALECTS:
        if row != "seed":
            same = [r for r in known if dialect(r)._replace(name=row, formats=DIALECTS[row].formats) == DIALECTS[row]]
            yield code(row), ", ".join(same), ", ".join(f"{code(names[r])} is {r}" for r in same if r in names)


@table("flags", "flag | cap | the flag is on if")
def _flags() -> Rows:
    for flag in FLAGS:
        bits = [q.name or "" for q in pipe.BorderColorQuirk if flag.read(q)]
        several = "is not 0" if len(bits) == len(pipe.BorderColorQuirk) else f"has the bit {' or '.join(bits)}"
        when = f"the cap {'is 0' if flag.read(0) else several}"
        when += f", or {code(flag.seed_cap)} is not 0" if flag.seed_cap else ""
        yield code(flag.name), code(flag.cap), when


table("caps on by default")(lambda: codes(name for name, value in CAP_DEFAULTS.items() if value))


table("extensions", "extensions | there where one of these is not 0")(
    lambda: ((codes(names), codes(caps)) for caps, names in grouped(EXTENSIONS.items()).items())
)


@table("wrap", "GL | pipe | lowered to: linear filters / otherwise")
def _wrap_table() -> Rows:
    for number, to in rules.WRAP.items():
        wrap, facts = pipe.TexWrap(to), pipe.WRAPS[to]
        lowered = " / ".join(code(n.name) for n in (facts.border, facts.edge)) if facts.clamps else ""
        yield code(gl_name(number, gl.Wrap)), code(wrap.name), lowered


@table("min filter", "GL min filter | min_img_filter | min_mip_filter")
def _min_filters() -> Rows:
    for n, (i, m) in rules.MIN_FILTER.items():
        yield code(gl_name(n, gl.MinFilter)), code(pipe.TexFilter(i).name), code(pipe.TexMipfilter(m).name)


@table("border", "base format | border colour")
def _border() -> Rows:
    yield from ((code(base), _picture(s)) for base, s in rules.BORDER_TRANSLATION.items())
    yield "`STENCIL_INDEX` where the dialect replicates", _picture(rules.STENCIL_REPLICATED)


@table("swizzle", "base format | swizzle | before GLSL 1.30")
def _swizzles() -> Rows:
    translated = rules.BORDER_TRANSLATION
    yield from ((code(base), _picture(s), "") for base, s in rules.FORMAT_SWIZZLE.items() if s != translated[base])
    for mode, (old, new) in rules.DEPTH_SWIZZLE.items():
        name = gl_name(mode, gl.DepthTextureMode)
        yield f"depth, stencil with `{name}`", _picture(new), _picture(old) if old != new else ""


@table("biases", "bias set | bias stored | from 23.1 on")
def _biases() -> Rows:
    some = (0.1, -0.001, 17.0, 40.0, float("nan"), float("-inf"), 0.0019531248828125, 0.009765625)
    return ((f"{b:.17g}", *(f"{quantize_lod_bias(b, limits):.10g}" for limits in (NARROW, WIDE))) for b in some)


@table("external", "view formats | extra slots | none where stored as | releases")
def _external() -> Rows:
    seen: set[str] = set()
    for release, slots in import_module("statetracker.sampler.conversion").EXTRA_SLOTS.items():
        since = f"from {release} on" if seen else "all"
        rows = grouped((name, row) for name, row in slots.items() if name not in seen)
        yield from ((codes(names), count, codes(native), since) for (count, native), names in rows.items())
        seen = set(slots)


table("findings", "rule | severity | what is the matter")(
    lambda: ((code(name), rule.severity, rule.title) for name, rule in RULES.items())
)
