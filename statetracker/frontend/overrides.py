"""Overrides of a sampler before it is converted: filters, mipmaps, anisotropy, bias; a hook for the rest.

Each row of `OVERRIDES` gives fields for one sampler and texture, or none where it does not apply. Those of menus leave
samplers alone whose texels are no colours (`kept`), since another filter there gives other facts, not another look. A
gather reads four texels whatever the filters are, so none of them changes what it gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.gl.enums import CompareMode, MagFilter, MinFilter, ReductionMode, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from statetracker.gl.facts import TextureFacts
    from statetracker.gl.sampler import Sampler

Changes = dict[str, Any]

_MIPMAPS: Final = 0x100  # of a min filter: it reads mipmaps; the next bit: between levels it is linear
_MIP_LINEAR: Final = 2
_UNFILTERED: Final = (Target.TEXTURE_BUFFER, Target.TEXTURE_2D_MULTISAMPLE, Target.TEXTURE_2D_MULTISAMPLE_ARRAY)

#: What ``force_mip_filter`` accepts -> the part of a min filter that is for mipmaps.
MIP_FILTERS: Final = {"none": 0, "nearest": _MIPMAPS, "linear": _MIPMAPS | _MIP_LINEAR}


def kept(sampler: Sampler, facts: TextureFacts) -> str:
    """Return why a menu's overrides leave a sampler as it is: what it reads are no colours; empty where they apply."""
    if sampler.compare_mode != CompareMode.NONE:
        return "it compares"
    if facts.is_integer or facts.stencil_sampling or facts.base_format == "STENCIL_INDEX":
        return "its texels are integers"
    if facts.base_format.startswith("DEPTH"):
        return "its texels are depths"
    if sampler.reduction_mode != ReductionMode.WEIGHTED_AVERAGE:
        return "it takes the least or the largest texel"
    return "its texture is never filtered" if facts.target in _UNFILTERED else ""


def _nearest(sampler: Sampler, _: TextureFacts, __: object) -> Changes:
    mipmaps = sampler.min_filter & _MIPMAPS
    return {"min_filter": MinFilter.NEAREST | mipmaps, "mag_filter": MagFilter.NEAREST}


def _linear(sampler: Sampler, _: TextureFacts, __: object) -> Changes:
    return {"min_filter": sampler.min_filter | MinFilter.LINEAR, "mag_filter": MagFilter.LINEAR}


def _mip_filter(sampler: Sampler, _: TextureFacts, wanted: Any) -> Changes:  # noqa: ANN401 (checked by the policy)
    if not sampler.uses_mipmaps:
        return {}
    return {"min_filter": sampler.min_filter & ~MIP_FILTERS["linear"] | MIP_FILTERS[wanted]}


def _anisotropy(sampler: Sampler, facts: TextureFacts, wanted: object) -> Changes:
    linear = sampler.min_filter & 1 and sampler.mag_filter & 1
    return {"max_anisotropy": wanted} if linear and facts.target != Target.TEXTURE_RECTANGLE else {}


def _bias(_: Sampler, __: TextureFacts, wanted: object) -> Changes:
    return {"lod_bias": wanted}


def _hook(sampler: Sampler, facts: TextureFacts, hook: Any) -> Changes:  # noqa: ANN401 (a user's function)
    changes = hook(sampler.copy(), facts)
    if changes is None:
        return {}
    if not isinstance(changes, Mapping):
        raise ArgumentError("override", changes, accepted="a mapping of fields of Sampler, or None", hint=_gave(hook))
    try:
        sampler.aside(**changes)
    except (ArgumentError, TypeError) as error:
        raise ArgumentError(
            "override", dict(changes), accepted="fields of Sampler", hint=f"{_gave(hook)} {error}"
        ) from error
    return dict(changes)


def _gave(hook: object) -> str:
    return f"The policy's override {getattr(hook, '__qualname__', repr(hook))} gave this."


class Override(NamedTuple):
    """One override of samplers.

    Attributes:
        name: The field of `Policy`.
        colours: Whether it leaves samplers alone that read no colours.
        changes: A sampler, its texture's facts and the policy's value -> fields to change.
        why: What the explanation says.
    """

    name: str
    colours: bool
    changes: Callable[[Sampler, TextureFacts, Any], Changes]
    why: str


# fmt: off
#: In the order in which they apply: each sees what the ones before have made, but the hook sees GL's own sampler.
OVERRIDES: Final = (
    #        field               colours  changes       why
    Override("force_nearest",    True,    _nearest,     "the user wants nearest filters"),
    Override("force_linear",     True,    _linear,      "the user wants linear filters"),
    Override("force_mip_filter", True,    _mip_filter,  "the user's choice between mipmaps"),
    Override("force_anisotropy", True,    _anisotropy,  "the user wants it on all that is filtered linearly"),
    Override("force_lod_bias",   True,    _bias,        "the user's bias in place of the program's"),
    Override("override",         False,   _hook,        "the user's function for this sampler"),
)
# fmt: on


class Step(NamedTuple):
    """The outcome of one override: its name, the reason with the policy's value, and the sampler from there on."""

    name: str
    why: str
    sampler: Sampler


def asked(wanted: object) -> bool:
    """Return whether a policy's value asks for something; a bias of 0 does."""
    return wanted is not None and wanted is not False


def changing(values: Mapping[str, object], sampler: Sampler, facts: TextureFacts) -> Iterator[Step]:
    """Apply a policy's values to a sampler, override by override; nothing is given for one that changes nothing.

    Args:
        values: Field of `Policy` -> its value.
        sampler: As GL has it.
        facts: Of its texture.

    Raises:
        ArgumentError: A hook gave what no sampler has; the error names it.
    """
    now, left = sampler, kept(sampler, facts)
    for row in OVERRIDES:
        wanted = values[row.name]
        if not asked(wanted) or (row.colours and left):
            continue
        changes = row.changes(now if row.colours else sampler, facts, wanted)
        made = now.aside(**changes) if changes else now
        if made.content() != now.content():
            now = made
            shown = getattr(wanted, "__qualname__", wanted)
            yield Step(row.name, f"{row.name}={shown}: {row.why}", made)
