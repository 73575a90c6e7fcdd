"""Dialects: what the conversion does unconditionally, and differently, from release to release. Data, not code.

What depends on the screen (a hook, a cap, a quirk) is no dialect: a screen without it makes those steps vanish.
A dialect is named by the first release of Mesa that has it; `dialect` finds that of any release by its number, and the
older names (`ALIASES`). Source: docs/dialects.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import UnknownName
from statetracker.pipe.layout import LAYOUTS, KeyRule

if TYPE_CHECKING:
    from statetracker.caps import Screen


class Dialect(NamedTuple):
    """One release's unconditional choices.

    Attributes:
        name: The release, or ``seed``.
        keep_unused_border: A border colour that no wrap mode reads stays in the record, untranslated.
        keep_inactive_func: compare_func is kept even while comparing is off.
        int_nearest: ``if_forced``: integer textures are nearest only with ForceIntegerTexNearest; ``always_with_mip``:
            always, and the mip filter becomes nearest too.
        bias_rule: ``sum_then_quantise`` or ``quantise_then_sum``.
        bias_range: The least and the largest LOD bias, in levels, of what is quantised.
        swap_lods: min_lod and max_lod change places where they are the wrong way round.
        clamp_filter: Which filters decide how GL_CLAMP is lowered: ``min_only``, ``min_and_mag``, or ``never`` lowered.
        stencil_integer: Whose border colour is an integer besides integer textures': ``no``, ``any_texture`` that
            samples stencil, ``depth_stencil_only``.
        stencil_replicate: Which number type replicates the border's first component for stencil: ``float``,
            ``integer``.
        stencil_view: Whose stencil mode decides the view's format: any ``depth`` texture's, ``depth_stencil`` ones'.
        swizzle_source: Whose swizzle the border goes through: the current ``view``'s, or the ``texture``'s.
        hook_format: The format given to the screen's hook: of the current ``view`` if there is one, or always of the
            ``resource`` (a surface's own goes before both).
        alpha_not_w: Drivers that keep alpha elsewhere are asked for.
        rect_lowering: unnormalized_coords is set only for drivers with TEXRECT.
        seamless_edge: Seamless cubes take CLAMP_TO_EDGE on all axes.
        buffer_samplers: Buffer textures have a record where the driver asks for it.
        extra_slots: From which release the list of multi-plane formats is that take extra slots.
        variant_key: How shader variants are compared: by their ``whole`` key, or ``reduced`` to the bytes before the
            clamp masks until one of these is not 0.
        members: Which members the record has: ``none`` of the newer ones, ``flag``, ``flag_reduction``, ``all``.
        gl_release: Which release's GL front end goes with it.
        layout: The record layout of that release.
        formats: Whose numbers border_color_format has in the driver's copy of the record.
    """

    name: str
    keep_unused_border: bool
    keep_inactive_func: bool
    int_nearest: str
    bias_rule: str
    bias_range: tuple[float, float]
    swap_lods: bool
    clamp_filter: str
    stencil_integer: str
    stencil_replicate: str
    stencil_view: str
    swizzle_source: str
    hook_format: str
    alpha_not_w: bool
    rect_lowering: bool
    seamless_edge: bool
    buffer_samplers: bool
    extra_slots: str
    variant_key: str
    members: str
    gl_release: str
    layout: str
    formats: str


#: Older names.
ALIASES: Final = {"mesa21": "21.2", "mesa22": "22.3", "mesa24": "24.1"}

#: The first and the last release whose rules are known.
OLDEST, NEWEST = "21.0", "26.2"

_RELEASE: Final = re.compile(r"(\d{2})\.([0-3])(?![0-9])", re.ASCII)


class _Dialects(dict[str, Dialect]):
    """Dialects by name; a release without a row of its own, and an older name, are looked up too."""

    def __missing__(self, name: str) -> Dialect:
        known = _DERIVED.get(name)
        if known is None:
            if name in ALIASES:
                known = self[ALIASES[name]]
            elif release_of(name) == name:
                first = max((row for row in self if row != "seed" and _order(row) < _order(name)), key=_order)
                known = self[first]._replace(name=name, formats=name)
            else:
                raise KeyError(name)
            _DERIVED[name] = known
        return known


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


_DERIVED: Final[dict[str, Dialect]] = {}
#: What a LOD bias is clamped to, in levels, until 23.0 and from 23.1 on.
NARROW, WIDE = (-16.0, 16.0), (-32.0, 31.0)

# fmt: off
DIALECTS: Final = _Dialects(
    (d.name, d)
    for d in (
        #       name    unused func   int_nearest        bias_rule            range swap   clamp_filter   stencil_integer       replicate  stencil_view     swizzle    hook        alpha  rect   edge   buffers extra   variant    members           gl      layout  formats
        Dialect("seed", False, False, "if_forced",       "sum_then_quantise", NARROW, True,  "min_only",    "no",                 "float",   "depth",         "view",    "view",     False, False, False, True,   "22.3", "reduced", "flag",           "21.0", "seed", "22.3"),
        Dialect("21.0", False, False, "if_forced",       "sum_then_quantise", NARROW, True,  "never",       "no",                 "float",   "depth",         "view",    "view",     False, False, False, True,   "22.3", "whole",   "none",           "21.0", "21.0", "21.0"),
        Dialect("21.1", False, False, "if_forced",       "sum_then_quantise", NARROW, True,  "never",       "no",                 "float",   "depth",         "view",    "view",     False, False, False, True,   "22.3", "whole",   "flag",           "21.0", "21.2", "21.1"),
        Dialect("21.2", True,  True,  "if_forced",       "quantise_then_sum", NARROW, False, "min_and_mag", "no",                 "float",   "depth",         "view",    "resource", False, False, False, True,   "22.3", "whole",   "flag_reduction", "21.2", "21.2", "21.2"),
        Dialect("22.2", True,  True,  "if_forced",       "quantise_then_sum", NARROW, False, "min_and_mag", "any_texture",        "integer", "depth",         "view",    "resource", False, True,  False, True,   "22.3", "whole",   "all",            "22.3", "22.3", "22.2"),
        Dialect("22.3", True,  True,  "always_with_mip", "quantise_then_sum", NARROW, False, "min_and_mag", "any_texture",        "integer", "depth",         "texture", "resource", True,  True,  False, True,   "22.3", "whole",   "all",            "22.3", "22.3", "22.3"),
        Dialect("23.1", True,  True,  "always_with_mip", "quantise_then_sum", WIDE,   False, "min_and_mag", "any_texture",        "integer", "depth",         "texture", "resource", True,  True,  True,  True,   "22.3", "whole",   "all",            "23.1", "22.3", "23.1"),
        Dialect("23.2", True,  True,  "always_with_mip", "quantise_then_sum", WIDE,   False, "min_and_mag", "any_texture",        "integer", "depth",         "texture", "resource", True,  True,  True,  True,   "22.3", "whole",   "all",            "23.2", "22.3", "23.2"),
        Dialect("23.3", True,  True,  "always_with_mip", "quantise_then_sum", WIDE,   False, "min_and_mag", "depth_stencil_only", "integer", "depth_stencil", "texture", "resource", True,  True,  True,  False,  "24.1", "whole",   "all",            "24.1", "22.3", "23.3"),
        Dialect("25.0", True,  True,  "always_with_mip", "quantise_then_sum", WIDE,   False, "min_and_mag", "depth_stencil_only", "integer", "depth_stencil", "texture", "resource", True,  True,  True,  False,  "25.0", "whole",   "all",            "25.0", "22.3", "25.0"),
    )
)
# fmt: on


def release_of(version: str) -> str | None:
    """Return the release of a version of Mesa, 25.0 for ``25.0.7-2+deb13u1``; None if its rules are unknown."""
    match = _RELEASE.match(version)
    release = match[0] if match else ""
    return release if match and _order(OLDEST) <= _order(release) <= _order(NEWEST) else None


def dialect(name: str | Dialect) -> Dialect:
    """Return a dialect by name (a `Dialect` is passed through).

    Args:
        name: ``seed``, a release of Mesa (``"23.1"``), or an older name: mesa21, mesa22, mesa24.

    Raises:
        UnknownName: Any other word.
    """
    if isinstance(name, Dialect):
        return name
    try:
        return DIALECTS[name]
    except (KeyError, TypeError):
        accepted = f"{', '.join(('seed', *ALIASES))}, or a release of Mesa from {OLDEST} to {NEWEST}"
        release = release_of(name) if isinstance(name, str) else None
        hint = f"Mesa {name} has the rules of {release}" if release else ""
        raise UnknownName("dialect", name, accepted=accepted, hint=hint) from None


def key_rule(screen: Screen, name: str | Dialect = "mesa22") -> KeyRule:
    """Return what a release compares two records by in its cache on a screen.

    Source: docs/rules/slots.md.

    Args:
        screen: Whose driver looks at the records.
        name: The release or dialect.

    Returns:
        The release's layout and how many of its leading bytes count: all, but for a last member that this driver does
        not look at (border_color_format from 22.3 on, the seed's border_color_is_integer).

    Raises:
        UnknownName: An unknown dialect.
    """
    layout = LAYOUTS[dialect(name).layout]
    if layout.has_format:
        last_counts = screen.use_format_with_border_color
    else:
        last_counts = layout.flag_word is None or screen.need_border_color_type
    return KeyRule(layout.name, layout.size if last_counts else layout.size - 4)
