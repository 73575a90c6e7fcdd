"""`SamplerState`: named fields over the 36 bytes of a ``pipe_sampler_state``.

The bytes are the value. Equality, hashing and files use them, because they tell -0.0 from 0.0 and keep the bits of a
NaN; the named fields are views, decoded when asked for.
"""

from __future__ import annotations

from struct import Struct, unpack
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.pipe.formats import pipe_format
from statetracker.pipe.layout import RECORD_BYTES, TAIL, WORD0

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FIELD_NAMES", "SamplerState"]

#: Every member, in the order of the record.
FIELD_NAMES: Final = tuple(field.name for field in WORD0) + tuple(field.name for field in TAIL)

_BITS: Final = {field.name: (field.first, (1 << field.bits) - 1, field.enum) for field in WORD0}
_TAIL: Final = {field.name: field for field in TAIL}
_FLOAT: Final = Struct("<f")
_FLAGS: Final = ("unnormalized_coords", "seamless_cube_map", "border_color_is_integer")

#: What Mesa's trace driver prints, in its order; it leaves out border_color_is_integer and reduction_mode.
_TRACED: Final = tuple(name for name in FIELD_NAMES if name not in ("border_color_is_integer", "reduction_mode"))


class SamplerState:
    """A ``pipe_sampler_state``: immutable, 36 bytes (Mesa 22.3 layout, little-endian), compared by those bytes.

    Fields are attributes with the C names: ``wrap_s`` .. ``reduction_mode`` give enum members, flags give bools,
    ``lod_bias``, ``min_lod`` and ``max_lod`` give floats (NaN and infinities as stored), ``border_color`` gives four
    32-bit words, ``border_color_format`` a format name without its prefix.
    """

    __slots__ = ("_record",)
    _record: bytes

    def __init__(self, **fields: object) -> None:
        """Build a record from named fields; fields not named are 0."""
        object.__setattr__(self, "_record", bytes(RECORD_BYTES))
        if fields:
            object.__setattr__(self, "_record", self.replace(**fields)._record)

    @classmethod
    def from_bytes(cls, record: bytes | bytearray | memoryview) -> SamplerState:
        """Wrap 36 bytes; raises `ArgumentError` for any other size."""
        data = bytes(record)
        if len(data) != RECORD_BYTES:
            raise ArgumentError("record", f"{len(data)} bytes", accepted=f"{RECORD_BYTES} bytes")
        state = cls.__new__(cls)
        object.__setattr__(state, "_record", data)
        return state

    @classmethod
    def from_hex(cls, text: str) -> SamplerState:
        """Wrap 72 hex digits, as `statetracker replay --json` prints them."""
        try:
            return cls.from_bytes(bytes.fromhex(text))
        except (ValueError, TypeError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError("record", text, accepted="72 hex digits") from None

    def __bytes__(self) -> bytes:
        """The 36 bytes."""
        return self._record

    def hex(self) -> str:
        """The 36 bytes as 72 hex digits."""
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
                return enum(number)
            return bool(number) if name in _FLAGS else number
        field = _TAIL.get(name)
        if field is None:
            raise AttributeError(f"SamplerState has no field {name!r}; fields: {', '.join(FIELD_NAMES)}")
        part = self._record[field.offset : field.offset + 4 * field.words]
        if field.kind == "float":
            return _FLOAT.unpack(part)[0]
        if field.kind == "bits":
            return unpack("<4I", part)
        return pipe_format(int.from_bytes(part, "little")).name

    @property
    def border_color_f(self) -> tuple[float, float, float, float]:
        """The border colour's words read as float32."""
        return unpack("<4f", self._record[16:32])  # type: ignore[return-value]

    @property
    def border_color_i(self) -> tuple[int, int, int, int]:
        """The border colour's words read as signed integers."""
        return unpack("<4i", self._record[16:32])  # type: ignore[return-value]

    def replace(self, **fields: object) -> SamplerState:
        """Copy with some fields changed.

        Enums take members or their numbers, flags bools, lods and biases floats, ``border_color`` four words or four
        floats, ``border_color_format`` a format name or number. Raises `ArgumentError` for an unknown field or a
        value that does not fit its bits.
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
        """Every field by name: enum members as names, floats as floats, words as integers."""
        return dict(self._items())

    def _items(self) -> Iterator[tuple[str, object]]:
        for name in FIELD_NAMES:
            value = getattr(self, name)
            yield name, value.name if name in _BITS and _BITS[name][2] else value

    def to_trace(self) -> dict[str, object]:
        """The members as Mesa's trace driver prints them: floats as ``%g`` text, the border colour as floats."""
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
        """Bit for bit."""
        return self._record == other._record if isinstance(other, SamplerState) else NotImplemented

    def __hash__(self) -> int:
        """Hash of the bytes."""
        return hash(self._record)

    def __repr__(self) -> str:
        """All fields that are not 0."""
        zero = SamplerState.from_bytes(bytes(RECORD_BYTES))
        shown = [f"{n}={v!r}" for n, v in self._items() if v != getattr(zero, n) or n.startswith("wrap")]
        return f"SamplerState({', '.join(shown)})"

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        """Pickle and copy by bytes."""
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
    if not isinstance(value, int) or not 0 <= value <= mask or (enum and value not in list(enum)):
        accepted = ", ".join(enum.__members__) if enum else f"0..{mask}"
        raise ArgumentError(name, value, accepted=accepted)
    word = int.from_bytes(record[:4], "little") & ~(mask << first) | value << first
    record[:4] = word.to_bytes(4, "little")


def _store_tail(record: bytearray, name: str, value: object) -> None:
    field = _TAIL[name]
    if field.kind == "float":
        if not isinstance(value, int | float):
            raise ArgumentError(name, value, accepted="a number")
        packed = _FLOAT.pack(value)
    elif field.kind == "bits":
        packed = _border_bytes(value)
    else:
        packed = pipe_format(value).number.to_bytes(4, "little")  # type: ignore[arg-type]
    record[field.offset : field.offset + 4 * field.words] = packed


def _border_bytes(value: object) -> bytes:
    if not isinstance(value, tuple | list) or len(value) != 4:
        raise ArgumentError("border_color", value, accepted="four 32-bit words, or four floats")
    parts = [_FLOAT.pack(v) if isinstance(v, float) else (int(v) & 0xFFFFFFFF).to_bytes(4, "little") for v in value]
    return b"".join(parts)
