"""`Settings`: what a program sets of textures and samplers, what was set already; `unread`: what of it nothing reads.

Each row of `ROWS` leaves the samples as they are, whatever the setting is: tests hold that against the reference unit.
Source: GL 4.6, 8.14 (texture minification), 8.15 (magnification), 8.17 (completeness), 8.23 (comparison).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.combiner import TEXTURE0
from statetracker.gl.facts import changes
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.sampler import DEFAULTS, FAMILIES
from statetracker.gl.targets import MULTISAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from statetracker.findings.rules import Notes
    from statetracker.gl import Context, Sampler, Texture
    from statetracker.gl.facts import TextureFacts
    from statetracker.trace.apitrace import DumpCall

#: Objects followed; those that come later are not.
_MOST: Final = 1 << 16
_LINEAR: Final = 1
#: Objects that a finding names.
_NAMED: Final = 6

_T: Final = e.Target
#: Targets with faces.
CUBES: Final = frozenset({int(_T.TEXTURE_CUBE_MAP), int(_T.TEXTURE_CUBE_MAP_ARRAY)})
_LINES: Final = frozenset({int(_T.TEXTURE_1D), int(_T.TEXTURE_1D_ARRAY)})
#: Without filters, wraps and levels: texels are fetched.
_FETCHED: Final = frozenset({int(_T.TEXTURE_BUFFER), *map(int, MULTISAMPLE)})
_BORDERED: Final = frozenset({int(e.Wrap.CLAMP_TO_BORDER), int(e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT)})
#: Half of a linear filter's weight comes from the border.
_HALF: Final = frozenset({int(e.Wrap.CLAMP), int(e.Wrap.MIRROR_CLAMP_EXT)})


class _Owner:
    """An object with settings.

    Args:
        held: The sampler, or the texture that has its own.
        name: What findings call it.

    Attributes:
        set: Field -> the call that set it last, and what was set.
        read: Fields that some lookup reads.
        why: Field -> why a lookup did not read it.
        contents: Of a sampler object: its share group and what it was when it was read, two at most.
        sampled: It is read at some draw; of a texture its image, with whatever sampler.
    """

    __slots__ = ("contents", "held", "name", "read", "sampled", "set", "why")

    def __init__(self, held: Sampler | Texture, name: str) -> None:
        self.held, self.name = held, name
        self.set: dict[str, int] = {}
        self.read: set[str] = set()
        self.why: dict[str, str] = {}
        self.contents: dict[tuple[int, bytes], int] = {}
        self.sampled = False


class Settings:
    """Notes what is set in vain, and at the end what had no effect.

    Args:
        notes: Where findings go.
    """

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.owners: dict[int, _Owner] = {}  # by id: an owner holds its object, so the id stays its own
        self._calls: dict[str, int] = {}
        self._vain: dict[str, list[int]] = {}  # the first call, how many, in how many frames, the last of these
        self.frame = 1

    @staticmethod
    def now(context: Context) -> tuple[int, int]:
        """Return what only a call that changes something changes: each change of an object or unit takes a token."""
        return changes.last, context.active

    def take(self, where: str, context: Context, name: str, call: DumpCall, before: tuple[int, int]) -> bool:
        """Record a call that sets something and had no error; whether it changed nothing.

        ``where`` is the context, for findings, ``name`` the call's plain name, ``before`` what `now` gave before the
        call.
        """
        parameter = PARAMETERS.get(glenum(call.args["pname"])) if "pname" in call.args else None
        what = name if parameter is None else f"{name}(GL_{parameter.name.removeprefix('GL_')})"
        self._calls[what] = self._calls.get(what, 0) + 1
        if self.now(context) == before:
            row = self._vain.setdefault(what, [call.number, 0, 0, 0])
            row[1:] = row[1] + 1, row[2] + (row[3] != self.frame), self.frame
            return True
        if parameter is not None and parameter.field in DEFAULTS:
            held, title = _meant(context, call.args)
            owner = self.owner(held, f"{title}{where}")
            if owner is not None:
                owner.set[parameter.field] = call.number
        return False

    def owner(self, held: Sampler | Texture | None, name: str) -> _Owner | None:
        """Return what is known of an object; None where there are too many."""
        if held is None:
            return None
        known = self.owners.get(id(held))
        if known is None and len(self.owners) < _MOST:
            known = self.owners[id(held)] = _Owner(held, name)
        return known

    def see(self, held: Sampler | Texture, name: str, read: Iterable[str] = ()) -> _Owner | None:
        """Record that a draw samples an object, and which of its fields that reads; gives what is known of it."""
        owner = self.owner(held, name)
        if owner is not None:
            owner.sampled = True
            owner.read.update(read)
        return owner

    def finish(self) -> None:
        """Record what was set in vain, in how many frames, and what had no effect."""
        for what, (call, times, frames, _) in self._vain.items():
            among = f", in {frames:,} of {self.frame:,} frames" if self.frame > 1 else ""
            key = ("in-vain", what, f"{times:,} of {self._calls[what]:,} calls{among}", None)
            self.notes.add(key, call, times)
        equal: dict[tuple[int, bytes], list[_Owner]] = {}
        same_words: dict[tuple[str, str], list[tuple[str, int]]] = {}
        for owner in self.owners.values():
            for rule, what, call in _useless(owner):
                same_words.setdefault((rule, what), []).append((owner.name, call))
            if len(owner.contents) == 1:
                equal.setdefault(next(iter(owner.contents)), []).append(owner)
        for (rule, what), places in same_words.items():
            self.notes.add((rule, joined([name for name, _ in places]), what, None), places[0][1], len(places))
        for same in equal.values():
            if len(same) > 1:
                first = min(call for owner in same for call in owner.contents.values())
                what = f"{len(same)} with the same parameters"
                self.notes.add(("equal-samplers", joined([owner.name for owner in same]), what, None), first, len(same))


def joined(names: list[str]) -> str:
    """``texture 3, 4 and 7 more of context 2``."""
    kind, where = names[0].partition(" ")[0], "".join(names[0].partition(" of context ")[1:])
    if where and not all(name.endswith(where) for name in names):
        where = ""
    shown = [name.removesuffix(where).removeprefix(kind).strip() for name in names[:_NAMED]]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{kind} {', '.join(shown)}{more}{where}"


def _useless(owner: _Owner) -> Iterator[tuple[str, str, int]]:
    """Yield the settings of an object that count for nothing: rule, sentence, call."""
    sampler: Any = getattr(owner.held, "sampler", owner.held)
    if not owner.set:
        return
    first = min(owner.set.values())
    names = {field: next(row.name for row in PARAMETERS.values() if row.field == field) for field in owner.set}
    if not owner.sampled:
        yield "unsampled", ", ".join(names.values()), first
        return
    if not (owner.read or owner.why):
        yield "own-unused", ", ".join(names.values()), first
        return
    for field, call in owner.set.items():
        if field not in owner.read and field in owner.why and getattr(sampler, field) != DEFAULTS[field]:
            yield "no-effect", f"{names[field]} is {_shown(field, sampler)}: {owner.why[field]}", call
    if "min_filter" in owner.set and "mipmap filter" in owner.why and "mipmap filter" not in owner.read:
        yield "mipmap-filter", f"{names['min_filter']} is {_shown('min_filter', sampler)}", owner.set["min_filter"]
    nearest = not (sampler.min_filter | sampler.mag_filter) & _LINEAR
    if nearest and "max_anisotropy" in owner.set and "max_anisotropy" in owner.read and sampler.max_anisotropy > 1.0:
        what = f"{names['max_anisotropy']} is {_shown('max_anisotropy', sampler)}"
        yield "anisotropy", what, owner.set["max_anisotropy"]


def _meant(context: Context, args: Any) -> tuple[Sampler | Texture | None, str]:  # noqa: ANN401 (as the stream has it)
    if "sampler" in args:
        return context.samplers.get(args["sampler"]), f"sampler {args['sampler']}"
    if args.get("texture"):
        return context.textures.get(args["texture"]), f"texture {args['texture']}"
    unit = args["texunit"] - TEXTURE0 if "texunit" in args else None
    texture = context.bound(glenum(args["target"]), unit)
    return texture, texture_name(texture)


def texture_name(texture: Texture) -> str:
    """Return what findings call a texture."""
    if texture.label:
        return f"texture {texture.label}"
    return f"the default texture of {gl_name(texture.target, e.Target)}"


def _shown(field: str, sampler: Sampler) -> str:
    value: Any = getattr(sampler, field)
    if field in FAMILIES:
        return gl_name(value, FAMILIES[field])
    return next(str(value) for name, value in sampler.differing().items() if name.startswith(field))


class Sampled(NamedTuple):
    """A lookup: a sampler, its texture's facts, how many levels that shows, the context's seamless switch."""

    sampler: Sampler
    facts: TextureFacts
    levels: int
    seamless: bool

    @property
    def wraps(self) -> tuple[str, ...]:
        """The wrap fields that are read."""
        if self.facts.target in CUBES:
            return () if self.seamless or self.sampler.cube_map_seamless else ("wrap_s", "wrap_t")
        dimensions = 3 if self.facts.target == _T.TEXTURE_3D else 1 if self.facts.target in _LINES else 2
        return ("wrap_s", "wrap_t", "wrap_r")[:dimensions]

    @property
    def linear(self) -> bool:
        """True where an image filter is LINEAR."""
        return bool((self.sampler.mag_filter | self.sampler.min_filter) & _LINEAR)

    @property
    def one_filter(self) -> bool:
        """True where it makes no difference which level of detail is computed."""
        mipmaps = self.levels > 1 and self.sampler.uses_mipmaps
        return not mipmaps and (self.sampler.mag_filter ^ self.sampler.min_filter) & _LINEAR == 0

    @property
    def depth(self) -> bool:
        """True where depth is sampled, which alone is compared."""
        return self.facts.base_format.startswith("DEPTH") and not self.facts.stencil_sampling

    def reads_border(self) -> bool:
        """Return whether a wrap that is read leads to the border."""
        modes = {getattr(self.sampler, name) for name in self.wraps}
        return not modes.isdisjoint(_BORDERED | (_HALF if self.linear else frozenset()))


# fmt: off
#: Field -> (what makes it unread, why), the first that holds.
ROWS: Final[dict[str, tuple[tuple[Callable[[Sampled], bool], str], ...]]] = {
    "wrap_s":            ((lambda s: "wrap_s" not in s.wraps,                  "a seamless cube goes on at the next face"),),
    "wrap_t":            ((lambda s: s.facts.target in _LINES,                 "the texture has no T axis"),
                          (lambda s: "wrap_t" not in s.wraps,                  "a seamless cube goes on at the next face")),
    "wrap_r":            ((lambda s: "wrap_r" not in s.wraps,                  "the texture has no R axis"),),
    "border_color":      ((lambda s: not s.reads_border(),                     "no wrap mode in use reads the border, as GL_CLAMP_TO_BORDER would"),),
    "min_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "max_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "lod_bias":          ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "compare_mode":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),),
    "compare_func":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),
                          (lambda s: not s.sampler.compare_mode,               "COMPARE_MODE is NONE")),
    "cube_map_seamless": ((lambda s: s.facts.target not in CUBES,             "the texture is no cube"),
                          (lambda s: s.seamless,                               "GL_TEXTURE_CUBE_MAP_SEAMLESS is enabled for all cubes")),
    "srgb_decode":       ((lambda s: "SRGB" not in s.facts.internal_format,    "the format is not sRGB"),),
    "reduction_mode":    ((lambda s: not s.linear and not s.sampler.uses_mipmaps, "nearest filters read one texel"),),
    "mipmap filter":     ((lambda s: s.levels == 1 and s.sampler.uses_mipmaps, "the texture shows one level"),),
}
# fmt: on
#: Fields that a lookup may read.
FIELDS: Final = (*ROWS, "min_filter", "mag_filter", "max_anisotropy")


def unread(sampled: Sampled) -> dict[str, str]:
    """Return the fields of a sampler that make no difference here, each with why; empty: all are read.

    ``mipmap filter`` is that part of ``min_filter``.

    Args:
        sampled: What samples what.
    """
    if sampled.facts.target in _FETCHED:
        return dict.fromkeys(FIELDS, "its texels are fetched, without a filter")
    found = ((name, next((why for holds, why in rows if holds(sampled)), "")) for name, rows in ROWS.items())
    return {name: why for name, why in found if why}
