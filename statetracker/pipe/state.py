"""`SamplerState`: named fields over the 36 bytes of a ``pipe_sampler_state``.

The bytes are the value. Equality, hashing and files use them, because they keep -0.0 apart from 0.0 and keep the
bits of a NaN; the named fields are decoded on access.
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct, unpack
from typing import TYPE_CHECKING, Final, TypedDict

from statetracker.errors import ArgumentError, UnknownName
from statetracker.pipe.formats import PipeFormat, pipe_format
from statetracker.pipe.layout import RECORD_BYTES, TAIL, WORD0
from statetracker.spellings import float_color

if TYPE_CHECKING:
    from typing import Unpack

    from statetracker.pipe.enums import Func, TexCompare, TexFilter, TexMipfilter, TexReduction, TexWrap

#: Every member, in the order of the record.
FIELD_NAMES: Final = tuple(field.name for field in WORD0) + tuple(field.name for field in TAIL)

_BITS: Final = {field.name: (field.first, (1 << field.bits) - 1, field.enum) for field in WORD0}
_NAMED: Final = {field.name: frozenset(field.enum) for field in WORD0 if field.enum}
_TAIL: Final = {field.name: field for field in TAIL}
_FLOAT: Final = Struct("<f")
_put = object.__setattr__
_FLAGS: Final = ("unnormalized_coords", "seamless_cube_map", "border_color_is_integer")

_BORDER: Final = "four 32-bit words, or four floats"

#: What Mesa's trace driver prints, in its order; it leaves out border_color_is_integer and reduction_mode.
_TRACED: Final = tuple(name for name in FIELD_NAMES if name not in ("border_color_is_integer", "reduction_mode"))


class SamplerStateFields(TypedDict, total=False):
    """The keywords of ``SamplerState(...)`` and of `SamplerState.replace`; `SamplerState` says what each is."""

    wrap_s: TexWrap | int | str
    wrap_t: TexWrap | int | str
    wrap_r: TexWrap | int | str
    min_img_filter: TexFilter | int | str
    min_mip_filter: TexMipfilter | int | str
    mag_img_filter: TexFilter | int | str
    compare_mode: TexCompare | int | str
    compare_func: Func | int | str
    unnormalized_coords: bool | int
    max_anisotropy: int
    seamless_cube_map: bool | int
    border_color_is_integer: bool | int
    reduction_mode: TexReduction | int | str
    lod_bias: float
    min_lod: float
    max_lod: float
    border_color: tuple[float, ...] | list[float]
    border_color_format: PipeFormat | str | int


class SamplerState:
    """A ``pipe_sampler_state``: immutable, 36 bytes (Mesa 22.3 layout, little-endian), compared by those bytes.

    Fields are attributes with the C names: ``wrap_s`` to ``reduction_mode`` give enum members, flags give bools,
    ``max_anisotropy`` a number from 0 (off) to 31, ``lod_bias``, ``min_lod`` and ``max_lod`` floats in levels (NaN and
    infinities as stored), ``border_color`` four 32-bit words, ``border_color_format`` a format name without its prefix.

    A number that has no name (a record can come from anywhere) is given as it is: an int, or its digits for the format.
    Source: docs/sampler_state.md (Mesa 22.3, recorded live).

    Args:
        **fields: As for `replace`; those that are not named are 0.

    Raises:
        ArgumentError: A field that there is not, or a value that its bits cannot hold.
    """

    __slots__ = ("_record",)
    _record: bytes
    if TYPE_CHECKING:  # what __getattr__ decodes
        wrap_s: TexWrap
        wrap_t: TexWrap
        wrap_r: TexWrap
        min_img_filter: TexFilter
        min_mip_filter: TexMipfilter
        mag_img_filter: TexFilter
        compare_mode: TexCompare
        compare_func: Func
        unnormalized_coords: bool
        max_anisotropy: int
        seamless_cube_map: bool
        border_color_is_integer: bool
        reduction_mode: TexReduction
        lod_bias: float
        min_lod: float
        max_lod: float
        border_color: tuple[int, int, int, int]
        border_color_format: str

    def __init__(self, **fields: Unpack[SamplerStateFields]) -> None:
        object.__setattr__(self, "_record", bytes(RECORD_BYTES))
        if fields:
            object.__setattr__(self, "_record", bytes(self.replace(**fields)))

    @classmethod
    def from_bytes(cls, record: bytes | bytearray | memoryview) -> SamplerState:
        """Wrap a record of 36 bytes; raises `ArgumentError` for any other size."""
        data = bytes(record)
        if len(data) != RECORD_BYTES:
            raise ArgumentError("record", f"{len(data)} bytes", accepted=f"{RECORD_BYTES} bytes")
        state = cls.__new__(cls)
        _put(state, "_record", data)
        return state

    @classmethod
    def from_hex(cls, text: str) -> SamplerState:
        """Wrap 72 hex digits, as `statetracker replay --json` prints them; raises `ArgumentError` for other text."""
        try:
            record = bytes.fromhex(text)
        except (ValueError, TypeError):
            raise ArgumentError("record", text, accepted="72 hex digits") from None
        return cls.from_bytes(record)

    def __bytes__(self) -> bytes:
        """Return the 36 bytes."""
        return self._record

    def hex(self) -> str:
        """Return the 36 bytes as 72 hex digits."""
        return self._record.hex()

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a state never changes."""
        raise AttributeError(f"a SamplerState never changes; use state.replace({name}=...)")

    def __getattr__(self, name: str) -> object:
        """Decode one field."""
        bits = _BITS.get(name)
        if bits is not None:
            first, mask, enum = bits
            number = int.from_bytes(self._record[:4], "little") >> first & mask
            if enum is not None:
                return enum(number) if number in _NAMED[name] else number
            return bool(number) if name in _FLAGS else number
        field = _TAIL.get(name)
        if field is None:
            raise AttributeError(f"SamplerState has no field {name!r}; fields: {', '.join(FIELD_NAMES)}")
        part = self._record[field.offset : field.offset + 4 * field.words]
        if field.kind == "float":
            return _FLOAT.unpack(part)[0]
        if field.kind == "bits":
            return unpack("<4I", part)
        number = int.from_bytes(part, "little")
        try:
            return pipe_format(number).name
        except UnknownName:
            return str(number)

    @property
    def border_color_f(self) -> tuple[float, float, float, float]:
        """The border colour's words read as float32."""
        return unpack("<4f", self._record[16:32])

    @property
    def border_color_i(self) -> tuple[int, int, int, int]:
        """The border colour's words read as signed integers."""
        return unpack("<4i", self._record[16:32])

    def replace(self, **fields: Unpack[SamplerStateFields]) -> SamplerState:
        """Copy with some fields changed.

        Args:
            **fields: Enums take members or their numbers, flags bools, lods and biases floats, ``border_color`` four
                words or four floats (ints are words, signed or unsigned; floats are rounded to float32),
                ``border_color_format`` a format name or number.

        Raises:
            ArgumentError: An unknown field or a value that does not fit its bits.
        """
        record = bytearray(self._record)
        for name, value in fields.items():
            if name in _BITS:
                _store_bits(record, name, value)
            elif name in _TAIL:
                _store_tail(record, name, value)
            else:
                raise ArgumentError("field", name, accepted=", ".join(FIELD_NAMES))
        return SamplerState.from_bytes(record)

    def to_dict(self) -> dict[str, object]:
        """Every field by name: enum members as names, floats as floats, words as integers.

        Ready for JSON. Equal dicts do not make equal states: -0.0 equals 0.0 and NaN equals nothing; compare states.
        """
        fields = {name: getattr(self, name) for name in FIELD_NAMES}
        return {name: value.name if isinstance(value, IntEnum) else value for name, value in fields.items()}

    def to_trace(self) -> dict[str, object]:
        """Return the members as Mesa's trace driver prints them: floats as ``%g`` text, the border colour as floats.

        border_color_is_integer and reduction_mode are left out, as Mesa does. Source: docs/sampler_state.md.
        """
        printed: dict[str, object] = {}
        for name in _TRACED:
            if name == "border_color":
                printed["border_color.f"] = [trace_float(self._record[i : i + 4]) for i in range(16, 32, 4)]
            elif name == "border_color_format":
                printed[name] = f"PIPE_FORMAT_{self.border_color_format}"
            elif name in _TAIL:
                offset = _TAIL[name].offset
                printed[name] = trace_float(self._record[offset : offset + 4])
            else:
                value = getattr(self, name)
                printed[name] = value if isinstance(value, bool) else int(value)
        return printed

    def __eq__(self, other: object) -> bool:
        return self._record == other._record if isinstance(other, SamplerState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._record)

    def __repr__(self) -> str:
        """Return the wraps, and all fields that are not 0 by their bits; a border colour as floats where it is some."""
        zero = SamplerState().to_dict()
        items = {
            name: value
            for name, value in self.to_dict().items()
            if name[:4] == "wrap" or repr(value) != repr(zero[name])
        }
        if "border_color" in items and not self.border_color_is_integer:
            items["border_color"] = float_color(self.border_color) or self.border_color
        shown = [f"{name}={value!r}" for name, value in items.items()]
        return f"SamplerState({', '.join(shown)})"

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return SamplerState.from_bytes, (self._record,)


def trace_float(word: bytes) -> str:
    """Print a float32 (4 bytes, little-endian) as C's ``%g`` does: six digits, ``-0``, ``-nan`` by the sign bit."""
    value: float = _FLOAT.unpack(word)[0]
    if value != value:  # noqa: PLR0124 (the test for NaN)
        return "-nan" if word[3] & 0x80 else "nan"
    return f"{value:g}"


def _store_bits(record: bytearray, name: str, value: object) -> None:
    first, mask, enum = _BITS[name]
    if isinstance(value, str) and enum is not None:
        value = enum.__members__.get(value.upper().replace("-", "_"), value)
    if not isinstance(value, int) or not 0 <= value <= mask or (enum and value not in _NAMED[name]):
        accepted = ", ".join(enum.__members__) if enum else f"0..{mask}"
        raise ArgumentError(name, value, accepted=accepted)
    word = int.from_bytes(record[:4], "little") & ~(mask << first) | value << first
    record[:4] = word.to_bytes(4, "little")


def _store_tail(record: bytearray, name: str, value: object) -> None:
    field = _TAIL[name]
    if field.kind == "float":
        packed = _float_bytes(name, value)
    elif field.kind == "bits":
        packed = _border_bytes(value)
    else:
        if not isinstance(value, str | int | PipeFormat):
            raise ArgumentError(name, value, accepted="a PIPE_FORMAT name or number")
        packed = pipe_format(value).number.to_bytes(4, "little")
    record[field.offset : field.offset + 4 * field.words] = packed


def _float_bytes(name: str, value: object) -> bytes:
    if not isinstance(value, int | float):
        raise ArgumentError(name, value, accepted="a number")
    try:
        return _FLOAT.pack(value)
    except OverflowError:
        raise ArgumentError(name, value, accepted="a number that float32 holds, or an infinity") from None


def _border_bytes(value: object) -> bytes:
    if not isinstance(value, tuple | list) or len(value) != 4:
        raise ArgumentError("border_color", value, accepted=_BORDER)
    return b"".join(_border_word(part) for part in value)


def _border_word(value: object) -> bytes:
    if isinstance(value, float):
        return _float_bytes("border_color", value)
    if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 32:
        raise ArgumentError("border_color", value, accepted=_BORDER)
    return (value & 0xFFFFFFFF).to_bytes(4, "little")
