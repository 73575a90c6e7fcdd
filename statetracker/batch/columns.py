"""Create infos and what is left to the shader, as rows of NumPy structured arrays."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from statetracker.batch.arrays import np
from statetracker.pipe.lowering import NO_LOWERING, LoweringValues
from statetracker.vulkan.info import MEMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statetracker.batch.rows import Array
    from statetracker.pipe import Lowering
    from statetracker.vulkan import SamplerCreateInfo

_NONE: Final = -1

#: A VkSamplerCreateInfo by Vulkan's own names, enums as numbers, then its chain: whether it has a custom border colour,
#: the colour's four words and its VkFormat; the component mapping's letters, none without one; the reduction mode, -1
#: without one.
CREATE_INFO: Final = np.dtype(
    [
        *((member.name, "<f4" if member.type is float else "<i4") for member in MEMBERS),
        ("custom", "?"),
        ("customBorderColor", "<u4", (4,)),
        ("format", "U48"),
        ("components", "U4"),
        ("srgb", "?"),
        ("reductionMode", "<i4"),
    ]
)


def _type(value: object) -> str:
    if isinstance(value, bool):
        return "?"
    return "U10" if isinstance(value, str) else "i1"  # an enum, or a comparison that may be none


#: The members of `Lowering`; a comparison that is none is -1.
LOWERING: Final = np.dtype([(name, _type(value)) for name, value in NO_LOWERING._asdict().items()])

#: The members of `LoweringValues`, rounded to float32 as the shader reads them.
VALUES: Final = np.dtype(
    [
        (name, "<f4" if isinstance(np.ravel(value)[0], float) else "<u4", np.shape(value))
        for name, value in LoweringValues()._asdict().items()
    ]
)


def info_rows(infos: Iterable[SamplerCreateInfo]) -> Array:
    """Return create infos as rows of type `CREATE_INFO`."""
    return np.array([_info(info) for info in infos], CREATE_INFO)


def _info(info: SamplerCreateInfo) -> tuple[Any, ...]:
    custom, mapping, mode = info.custom_border_color, info.component_mapping, info.reduction_mode
    return (
        *(getattr(info, member.attribute) for member in MEMBERS),
        *((True, custom.words, custom.format) if custom is not None else (False, (0, 0, 0, 0), "")),
        *((mapping.components, mapping.srgb) if mapping is not None else ("", False)),
        _NONE if mode is None else mode,
    )


def lowering_rows(lowerings: Iterable[Lowering]) -> Array:
    """Return what shaders must do as rows of type `LOWERING`."""
    rows = [
        tuple(_NONE if part is None else int(part) if isinstance(part, IntEnum) else part for part in one)
        for one in lowerings
    ]
    return np.array(rows, LOWERING)


def value_rows(values: Iterable[LoweringValues]) -> Array:
    """Return the numbers that shaders read as rows of type `VALUES`."""
    with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite
        return np.array([tuple(one) for one in values], VALUES)
