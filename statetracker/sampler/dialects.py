"""Dialects: what the conversion does unconditionally, and differently, from release to release. Data, not code.

What depends on the screen (a hook, a cap, a quirk) is no dialect: a screen without it makes those steps vanish.
Source: docs/dialects.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import UnknownName
from statetracker.pipe.layout import LAYOUTS, KeyRule

if TYPE_CHECKING:
    from statetracker.caps import Screen

__all__ = ["DIALECTS", "Dialect", "dialect", "key_rule"]


class Dialect(NamedTuple):
    """One release's unconditional choices.

    keep_unused_border   a border colour that no wrap mode reads stays in the record, untranslated
    keep_inactive_func   compare_func is kept even while comparing is off
    int_nearest          ``if_forced``: integer textures are nearest only with ForceIntegerTexNearest;
                         ``always_with_mip``: always, and the mip filter becomes nearest too
    bias_rule            ``sum_then_quantise`` or ``quantise_then_sum``
    swap_lods            min_lod and max_lod change places where they are the wrong way round
    clamp_filter         which filters decide how GL_CLAMP is lowered: ``min_only`` or ``min_and_mag``
    stencil_integer      whose border colour is an integer besides integer textures': ``no``, ``any_texture`` that
                         samples stencil, ``depth_stencil_only``
    stencil_replicate    which number type replicates the border's first component for stencil: ``float``, ``integer``
    swizzle_source       whose swizzle the border goes through: the current ``view``'s, or the ``texture``'s
    hook_format          the format given to the screen's hook: of the current ``view`` if there is one, or always of the
                         ``resource`` (a surface's own goes before both)
    rect_lowering        unnormalized_coords is set only for drivers with TEXRECT
    seamless_edge        seamless cubes take CLAMP_TO_EDGE on all axes
    variant_key          how shader variants are compared: by their ``whole`` key, or ``reduced`` to the bytes before the
                         clamp masks until one of these is not 0
    members              which members the record has: ``flag``, ``flag_reduction``, ``all``
    gl_release           which release's GL front end goes with it
    layout               the record layout of that release
    """

    name: str
    keep_unused_border: bool
    keep_inactive_func: bool
    int_nearest: str
    bias_rule: str
    swap_lods: bool
    clamp_filter: str
    stencil_integer: str
    stencil_replicate: str
    swizzle_source: str
    hook_format: str
    rect_lowering: bool
    seamless_edge: bool
    variant_key: str
    members: str
    gl_release: str
    layout: str


# fmt: off
DIALECTS: Final = {
    d.name: d
    for d in (
        #        name    unused func   int_nearest       bias_rule            swap   clamp_filter    stencil_integer      replicate  swizzle    hook        rect   edge   variant    members          gl      layout
        Dialect("seed",   False, False, "if_forced",       "sum_then_quantise", True,  "min_only",    "no",                 "float",   "view",    "view",     False, False, "reduced", "flag",           "21.0", "seed"),
        Dialect("mesa21", True,  True,  "if_forced",       "quantise_then_sum", False, "min_and_mag", "no",                 "float",   "view",    "resource", False, False, "whole",   "flag_reduction", "21.2", "21.2"),
        Dialect("mesa22", True,  True,  "always_with_mip", "quantise_then_sum", False, "min_and_mag", "any_texture",        "integer", "texture", "resource", True,  False, "whole",   "all",            "22.3", "22.3"),
        Dialect("mesa24", True,  True,  "always_with_mip", "quantise_then_sum", False, "min_and_mag", "depth_stencil_only", "integer", "texture", "resource", True,  True,  "whole",   "all",            "24.1", "22.3"),
    )
}
# fmt: on


def dialect(name: str | Dialect) -> Dialect:
    """Give a dialect by name (a `Dialect` is passed through); raises `UnknownName` for any other word."""
    if isinstance(name, Dialect):
        return name
    row = DIALECTS.get(name) if isinstance(name, str) else None
    if row is None:
        raise UnknownName("dialect", name, accepted=", ".join(DIALECTS))
    return row


def key_rule(screen: Screen, name: str | Dialect = "mesa22") -> KeyRule:
    """What a release compares two records by in its cache on a screen.

    return  the release's layout and how many of its leading bytes count: all, but for a last member that this driver
            does not look at (border_color_format from 22.3 on, the seed's border_color_is_integer)

    Raises `UnknownName` for an unknown dialect. Source: docs/rules/slots.md.
    """
    layout = LAYOUTS[dialect(name).layout]
    if layout.has_format:
        last_counts = screen.use_format_with_border_color
    else:
        last_counts = layout.flag_word is None or screen.need_border_color_type
    return KeyRule(layout.name, layout.size if last_counts else layout.size - 4)
