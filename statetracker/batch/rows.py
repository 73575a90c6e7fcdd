"""Samplers and records as rows of NumPy structured arrays, and back.

A `SAMPLER` row has the fields of `statetracker.gl.Sampler`, GL's own values. A `RECORD` row is the 36 bytes of a
``pipe_sampler_state``; a `STATE` row is the same with each member of word 0 in a column of its own. Create infos and
what is left to the shader are rows, too, one way alone. NumPy itself, not the array API: a row is bytes with named
fields, for which that standard has no type.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.errors import ArgumentError, MissingExtra
from statetracker.gl.sampler import FAMILIES, Sampler
from statetracker.pipe.layout import MASKS, SHIFTS, TAIL, WORD0
from statetracker.pipe.lowering import NO_LOWERING, LoweringValues
from statetracker.vulkan.info import MEMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from statetracker.pipe import Lowering
    from statetracker.vulkan import SamplerCreateInfo

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("statetracker.batch", "numpy", "batch") from error

__all__ = ["np"]  # the other modules take NumPy from here, or this error

Array: TypeAlias = "NDArray[Any]"
#: Samplers, or rows of type `SAMPLER`.
Samplers: TypeAlias = "Iterable[Sampler] | NDArray[Any]"

_ENUMS: Final = tuple(FAMILIES)
_FORMATS: Final = {"float": "<f4", "bits": "<u4", "enum": "<u4"}
_TAIL: Final = [(f.name, _FORMATS[f.kind], (f.words,)[: f.words - 1]) for f in TAIL]

#: What records take over from a sampler as it is.
KEPT: Final = _TAIL[:-1]

#: A sampler: GLenums in 16 bits, which is enough for all of these; floats; the border colour's four words.
SAMPLER: Final = np.dtype(
    [*((name, "<u2") for name in _ENUMS), ("cube_map_seamless", "?"), ("max_anisotropy", "<f4"), *KEPT], align=True
)

#: A record, 36 bytes, as it lies in memory.
RECORD: Final = np.dtype([("word0", "<u4"), *_TAIL])

#: A record with a column for each member.
STATE: Final = np.dtype([*((field.name, "u1") for field in WORD0), *_TAIL])

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


def seen_from(dtype: np.dtype[Any], field: str, form: Any) -> np.dtype[Any]:  # noqa: ANN401 (what NumPy takes)
    """Return the type of a row of which only what begins at a field is seen, in another form: member ``field``."""
    offset = dtype.fields[field][1] if dtype.fields else 0
    return np.dtype({"names": [field], "formats": [form], "offsets": [offset], "itemsize": dtype.itemsize})


def sampler_rows(samplers: Samplers) -> Array:
    """Return samplers as rows of type `SAMPLER`; rows of that type are given back as they are.

    Raises `ArgumentError` for any other array.
    """
    if isinstance(samplers, np.ndarray):
        if samplers.dtype != SAMPLER or samplers.ndim != 1:
            raise ArgumentError("samplers", samplers.dtype, accepted="Samplers, or one dimension of batch.SAMPLER")
        return samplers
    names = SAMPLER.names or ()
    return np.array([tuple(getattr(sampler, name) for name in names) for sampler in samplers], SAMPLER)


def samplers_of(rows: Array) -> list[Sampler]:
    """Return rows of type `SAMPLER` as samplers; raises as `Sampler` does for values that GL refuses."""
    rows = sampler_rows(rows)
    names = [name if name != "border_color" else "border_color_bits" for name in SAMPLER.names or ()]
    columns = (rows[name].tolist() for name in SAMPLER.names or ())
    return [Sampler(**dict(zip(names, values, strict=True))) for values in zip(*columns, strict=True)]


def gather(rows: Array, index: ArrayLike) -> Array:
    """``rows[index]``, of whole numbers in whole rows: NumPy's own goes member by member, ten times slower."""
    numbers = np.asarray(index)
    if numbers.dtype.kind not in "iu":  # a mask, or nothing
        return rows[index]  # type: ignore[index]  # whatever NumPy takes
    whole = np.ascontiguousarray(rows).view(f"V{rows.dtype.itemsize}")
    gathered: Array = whole.take(numbers).view(rows.dtype)
    return gathered


def state_rows(records: Array) -> Array:
    """Return records, rows of type `RECORD`, as rows of type `STATE`."""
    states = np.empty(len(records), STATE)
    for field in WORD0:
        states[field.name] = (records["word0"] & np.uint32(MASKS[field.name])) >> np.uint32(SHIFTS[field.name])
    for name, *_ in _TAIL:
        states[name] = records[name]
    return states


def record_rows(states: Array) -> Array:
    """Return rows of type `STATE` as `RECORD` rows; raises `ArgumentError` for a value that its bits cannot hold."""
    records = np.zeros(len(states), RECORD)
    for field in WORD0:
        column = states[field.name].astype(np.uint32)
        if (column >> np.uint32(field.bits)).any():
            accepted = f"numbers from 0 to {(1 << field.bits) - 1}"
            raise ArgumentError(field.name, int(column.max()), accepted=accepted)
        records["word0"] |= column << np.uint32(field.first)
    for name, *_ in _TAIL:
        records[name] = states[name]
    return records


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
