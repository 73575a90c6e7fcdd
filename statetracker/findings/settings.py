"""`Settings`: what a program sets of textures and samplers, what was set already; `unread`: what of it nothing reads.

Each row of `ROWS` leaves the samples as they are, whatever the setting is: tests hold that against the reference unit.
Source: GL 4.6, 8.14 (texture minification), 8.15 (magnification), 8.17 (completeness), 8.23 (comparison).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from statetracker.findings.rules import Notes
from statetracker.gl import enums as e
from statetracker.gl.names import gl_name, glenum
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.sampler import DEFAULTS, FAMILIES, Sampler
from statetracker.gl.targets import MULTISAMPLE, wraps_of
from statetracker.gl.units import TEXTURE0

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.gl import Context, Texture, UnitFacts
    from statetracker.gl.facts import TextureFacts
    from statetracker.trace.apitrace import DumpCall

#: Objects followed; those that come later are not.
_MOST: Final = 1 << 14
_LINEAR: Final = 1
#: Objects that a finding names.
_NAMED: Final = 6
#: Field of a sampler -> its GL name.
_GL_NAMES: Final = {row.field: row.name for row in PARAMETERS.values()}
#: What a lookup may read of a sampler; ``mipmap filter`` is that part of ``min_filter``.
FIELDS: Final = frozenset({*DEFAULTS, "mipmap filter"})
#: Targets with faces.
CUBES: Final = frozenset({int(e.Target.TEXTURE_CUBE_MAP), int(e.Target.TEXTURE_CUBE_MAP_ARRAY)})
_LINES: Final = frozenset({int(e.Target.TEXTURE_1D), int(e.Target.TEXTURE_1D_ARRAY)})
#: Without filters, wraps and levels: texels are fetched.
_FETCHED: Final = frozenset({int(e.Target.TEXTURE_BUFFER), *map(int, MULTISAMPLE)})
_BORDERED: Final = frozenset({int(e.Wrap.CLAMP_TO_BORDER), int(e.Wrap.MIRROR_CLAMP_TO_BORDER_EXT)})
#: Half of a linear filter's weight comes from the border.
_HALF: Final = frozenset({int(e.Wrap.CLAMP), int(e.Wrap.MIRROR_CLAMP_EXT)})


@dataclass(slots=True, eq=False)
class Owner:
    """An object with settings.

    Attributes:
        held: The sampler, or the texture that has its own.
        name: What findings call it.
        calls: Field -> the call that set it last.
        read: Fields that some lookup reads.
        why: Field -> why a lookup did not read it.
        contents: Of a sampler object: its share group and what it was when it was read, two at most.
        sampled: It is read at some draw; of a texture its image, with whatever sampler.
    """

    held: Sampler | Texture
    name: str
    calls: dict[str, int] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    why: dict[str, str] = field(default_factory=dict)
    contents: dict[tuple[int, bytes], int] = field(default_factory=dict)
    sampled: bool = False

    def sample(self, left: dict[str, str]) -> None:
        """Record a lookup that reads all fields but those ``left``, each with why."""
        self.sampled = True
        self.read |= FIELDS - left.keys()
        self.why |= left

    def since(self, name: str) -> str:
        """Say where a field was set last: `` by default``, or `` since call 428``."""
        return f" since call {self.calls[name]}" if name in self.calls else " by default"


class Settings:
    """Notes what is set in vain, and at the end what had no effect.

    Attributes:
        notes: What is found.
        frame: The number of the frame now, from 1.
    """

    def __init__(self) -> None:
        self.notes = Notes()
        self.frame = 1
        self.owners: dict[int, Owner] = {}  # by id: an owner holds its object, so the id stays its own
        self._calls = Counter[str]()
        self._vain: dict[str, list[int]] = {}  # the first call, how many, in how many frames, the last of these

    def take(self, where: str, context: Context, name: str, call: DumpCall, *, changed: bool) -> None:
        """Record a call that sets something, by its plain name; ``where`` is the context, for findings."""
        parameter = PARAMETERS.get(glenum(call.args["pname"])) if "pname" in call.args else None
        what = name if parameter is None else f"{name}({parameter.name})"
        self._calls[what] += 1
        if not changed:
            row = self._vain.setdefault(what, [call.number, 0, 0, 0])
            row[1:] = row[1] + 1, row[2] + (row[3] != self.frame), self.frame
        elif parameter is not None and parameter.field in DEFAULTS:
            self.owner(_meant(context, call.args), where).calls[parameter.field] = call.number

    def owner(self, held: Sampler | Texture, where: str) -> Owner:
        """Return what is known of an object; nothing is remembered of those that are too many."""
        known = self.owners.get(id(held)) or Owner(held, name_of(held) + where)
        if len(self.owners) < _MOST:
            self.owners[id(held)] = known
        return known

    def finish(self) -> None:
        """Record what was set in vain, in how many frames, and what had no effect."""
        for what, (call, times, frames, _) in self._vain.items():
            among = f", in {frames:,} of {self.frame:,} frames" if self.frame > 1 else ""
            key = ("in-vain", what, f"{times:,} of {self._calls[what]:,} calls{among}", None)
            self.notes.add(key, call, times)
        same_words: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
        equal: dict[tuple[int, bytes], list[tuple[str, int]]] = defaultdict(list)
        for owner in self.owners.values():
            for rule, what, call in _useless(owner):
                same_words[rule, what].append((owner.name, call))
            if len(owner.contents) == 1:
                ((content, call),) = owner.contents.items()
                equal[content].append((owner.name, call))
        found = [(*words, places) for words, places in same_words.items()]
        several = [places for places in equal.values() if len(places) > 1]
        found += [("equal-samplers", f"{len(places)} with the same parameters", places) for places in several]
        for rule, what, places in found:
            first = min(call for _, call in places)
            self.notes.add((rule, joined([name for name, _ in places]), what, None), first, len(places))


def joined(names: list[str]) -> str:
    """``texture 3, 4 and 7 more of context 2``."""
    kind, where = names[0].partition(" ")[0], "".join(names[0].partition(" of context ")[1:])
    if where and not all(name.endswith(where) for name in names):
        where = ""
    shown = [name.removesuffix(where).removeprefix(kind).strip() for name in names[:_NAMED]]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{kind} {', '.join(shown)}{more}{where}"


def _useless(owner: Owner) -> Iterator[tuple[str, str, int]]:
    """Yield the settings of an object that count for nothing: rule, sentence, call."""
    sampler: Any = getattr(owner.held, "sampler", owner.held)
    if not (owner.read or owner.why):
        if owner.calls:
            rule = "own-unused" if owner.sampled else "unsampled"
            yield rule, ", ".join(_GL_NAMES[name] for name in owner.calls), min(owner.calls.values())
        return
    unread = owner.why.keys() - owner.read
    for name, call in owner.calls.items():
        if name in unread and getattr(sampler, name) != DEFAULTS[name]:
            yield "no-effect", f"{_shown(name, sampler)}: {owner.why[name]}", call
        if name == "min_filter" and "mipmap filter" in unread:
            yield "mipmap-filter", _shown(name, sampler), call
        nearest = not (sampler.min_filter | sampler.mag_filter) & _LINEAR
        if name == "max_anisotropy" and name in owner.read and nearest and sampler.max_anisotropy > 1.0:
            yield "anisotropy", _shown(name, sampler), call


def _meant(context: Context, args: Any) -> Sampler | Texture:  # noqa: ANN401 (as the stream has it)
    if "sampler" in args:
        return context.samplers[args["sampler"]]
    named = context.textures.get(args.get("texture", 0))
    return named or context.bound(glenum(args["target"]), args["texunit"] - TEXTURE0 if "texunit" in args else None)


def name_of(held: Sampler | Texture) -> str:
    """Return what findings call an object."""
    if isinstance(held, Sampler):
        return f"sampler {held.label}"
    return f"texture {held.label}" if held.label else f"the default texture of {gl_name(held.target, e.Target)}"


def _shown(name: str, sampler: Sampler) -> str:
    """``GL_TEXTURE_WRAP_S is GL_REPEAT``; of those that are no enums only what is not GL's default."""
    value: Any = getattr(sampler, name)
    if name in FAMILIES:
        return f"{_GL_NAMES[name]} is {gl_name(value, FAMILIES[name])}"
    return next(f"{_GL_NAMES[name]} is {value}" for key, value in sampler.differing().items() if key.startswith(name))


@dataclass(slots=True, eq=False)
class StageUse:
    """The samplers and textures of a stage, in some draw.

    Attributes:
        stage: Its name.
        uses: The state of each texture, in the order of its slots.
        call: Number of the first draw's call.
        draws: How many draws sample with these.
    """

    stage: str
    uses: tuple[Use, ...]
    call: int
    draws: int = 0


@dataclass(slots=True, eq=False)
class Use:
    """A state that some draw needs.

    Attributes:
        sampler: What is sampled with, at its first draw.
        facts: The texture's.
        levels: How many the texture shows.
        unit: The unit's facts.
        call: Number of the first draw's call.
        draws: How many draws sample with it.
        stages: Where, by name; ``textures`` and ``units`` likewise.
    """

    sampler: Sampler
    facts: TextureFacts
    levels: int
    unit: UnitFacts
    call: int
    draws: int = 0
    stages: dict[str, None] = field(default_factory=dict)
    textures: dict[str, None] = field(default_factory=dict)
    units: dict[int, None] = field(default_factory=dict)

    def __str__(self) -> str:
        """``texture 3 (RGBA8, 4 levels): wrap_s clamp, min_filter linear``."""
        levels = f", {self.levels} levels" if self.levels > 1 else ""
        first, *others = self.textures
        more = f" and {len(others)} more" if others else ""
        settings = ", ".join(f"{name} {value}" for name, value in self.sampler.differing().items()) or "GL's defaults"
        return f"{first}{more} ({self.facts.internal_format}{levels}): {settings}"

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        target, places = gl_name(self.facts.target, e.Target), ("stages", "textures", "units")
        kind = {"sampler": self.sampler.differing(), "format": self.facts.internal_format, "target": target}
        counts = {"levels": self.levels, "first_call": self.call, "draws": self.draws}
        return {**kind, **counts, **{name: list(getattr(self, name)) for name in places}}

    @property
    def needed(self) -> Sampler:
        """The sampler with GL's default for what nothing reads: what a device has to give."""
        left: dict[str, Any] = {name: DEFAULTS[name] for name in unread(self) if name in DEFAULTS}
        return self.sampler.copy(**left)

    @property
    def wraps(self) -> tuple[str, ...]:
        """The wrap fields that are read."""
        seamless = self.facts.target in CUBES and (self.unit.seamless or self.sampler.cube_map_seamless)
        return () if seamless else wraps_of(self.facts.target)

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
    def stencil(self) -> bool:
        """True where stencil is sampled, which is of integers."""
        base = self.facts.base_format
        return base == "STENCIL_INDEX" or (base == "DEPTH_STENCIL" and self.facts.stencil_sampling)

    @property
    def depth(self) -> bool:
        """True where depth is sampled, which alone is compared."""
        return self.facts.base_format.startswith("DEPTH") and not self.stencil

    @property
    def reads_border(self) -> bool:
        """True where a wrap that is read leads to the border."""
        modes = {getattr(self.sampler, name) for name in self.wraps}
        return not modes.isdisjoint(_BORDERED | (_HALF if self.linear else frozenset()))


# fmt: off
#: Field -> (what makes it unread, why), the first that holds.
ROWS: Final[dict[str, tuple[tuple[Callable[[Use], bool], str], ...]]] = {
    "wrap_s":            ((lambda s: "wrap_s" not in s.wraps,                  "a seamless cube goes on at the next face"),),
    "wrap_t":            ((lambda s: s.facts.target in _LINES,                 "the texture has no T axis"),
                          (lambda s: "wrap_t" not in s.wraps,                  "a seamless cube goes on at the next face")),
    "wrap_r":            ((lambda s: "wrap_r" not in s.wraps,                  "the texture has no R axis"),),
    "border_color":      ((lambda s: not s.reads_border,                       "no wrap mode in use reads the border, as GL_CLAMP_TO_BORDER would"),),
    "min_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "max_lod":           ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "lod_bias":          ((lambda s: s.one_filter,                             "one level and one filter are read at every level of detail"),),
    "compare_mode":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),),
    "compare_func":      ((lambda s: not s.depth,                              "the texture has no depth to compare"),
                          (lambda s: not s.sampler.compare_mode,               "COMPARE_MODE is NONE")),
    "cube_map_seamless": ((lambda s: s.facts.target not in CUBES,             "the texture is no cube"),
                          (lambda s: s.unit.seamless,                          "GL_TEXTURE_CUBE_MAP_SEAMLESS is enabled for all cubes")),
    "srgb_decode":       ((lambda s: "SRGB" not in s.facts.internal_format,    "the format is not sRGB"),),
    "reduction_mode":    ((lambda s: not s.linear and not s.sampler.uses_mipmaps, "nearest filters read one texel"),),
    "mipmap filter":     ((lambda s: s.levels == 1 and s.sampler.uses_mipmaps, "the texture shows one level"),),
}
# fmt: on


def unread(use: Use) -> dict[str, str]:
    """Return the `FIELDS` of a sampler that make no difference to a use, each with why; empty: all are read."""
    if use.facts.target in _FETCHED:
        return dict.fromkeys(FIELDS, "its texels are fetched, without a filter")
    return {name: why for name, rows in ROWS.items() for holds, why in reversed(rows) if holds(use)}
