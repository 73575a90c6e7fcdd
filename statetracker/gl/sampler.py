"""`Sampler`: what GL keeps for one sampler, in a sampler object or inside a texture object.

Values are GL's own: enums as GLenum numbers, floats as float32, the border colour as four 32-bit words without a type.
Nothing here is translated; that happens at conversion.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, cast

from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl import enums as e
from statetracker.gl.facts import next_token
from statetracker.gl.floats import Words, f32, f32_bits, word
from statetracker.gl.names import Four, GLWord, enum_value, gl_name
from statetracker.gl.parameters import PARAMETERS
from statetracker.spellings import float_color, signed_color

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Never, Unpack

    from statetracker.gl.names import Settable

# fmt: off
#: Field: default value. Source: docs/parameters.md (GL 4.6, table 23.18).
DEFAULTS: Final[dict[str, object]] = {
    "wrap_s":            e.Wrap.REPEAT,
    "wrap_t":            e.Wrap.REPEAT,
    "wrap_r":            e.Wrap.REPEAT,
    "min_filter":        e.MinFilter.NEAREST_MIPMAP_LINEAR,
    "mag_filter":        e.MagFilter.LINEAR,
    "min_lod":           -1000.0,
    "max_lod":           1000.0,
    "lod_bias":          0.0,
    "max_anisotropy":    1.0,
    "compare_mode":      e.CompareMode.NONE,
    "compare_func":      e.CompareFunc.LEQUAL,
    "srgb_decode":       e.SrgbDecode.DECODE_EXT,
    "cube_map_seamless": False,
    "reduction_mode":    e.ReductionMode.WEIGHTED_AVERAGE,
    "border_color":      (0, 0, 0, 0),
}
# fmt: on

FIELDS: Final = tuple(DEFAULTS)

_put = object.__setattr__
_CONTENT: Final = Struct("<5I4d3I?I4I")  # in the order of the fields
_PACK: Final = _CONTENT.pack
_FIRST_MIPMAP_FILTER: Final = int(e.MinFilter.NEAREST_MIPMAP_NEAREST)

#: What sets the border colour, and all that a caller may name.
_BORDERS: Final = ("border_color", "border_color_i", "border_color_bits")
_OTHERS: Final = ("wrap", "filter", *_BORDERS[1:])
_NAMES: Final = (*_OTHERS[:2], *FIELDS, *_BORDERS[1:])

#: Field -> the family of its values, in the order of the fields.
_OF_FIELD: Final = {row.field: row.family for row in PARAMETERS.values()}
FAMILIES: Final = {name: family for name in FIELDS if (family := _OF_FIELD[name])}


class Loss(NamedTuple):
    """One field that a host's sampler cannot express.

    Attributes:
        field: Of `Sampler`.
        wanted: Its value; of an enum the GL name.
        got: What the host's sampler has instead.
        because: Why.
    """

    field: str
    wanted: Any
    got: object
    because: str

    def error(self, host: str) -> ArgumentError:
        """Return the same as an error."""
        return ArgumentError(self.field, self.wanted, accepted=f"{self.got} by {host}", hint=f"{self.because}.")


class Attributes(dict[str, Any]):
    """Attribute -> value, in the order in which they are to be set.

    ``losses`` has what they do not say, each a `Loss`.
    """

    def __init__(self, values: dict[str, Any], losses: tuple[Loss, ...] = ()) -> None:
        super().__init__(values)
        self.losses = losses

    def onto(self, thing: object) -> None:
        """Set them all."""
        for name, value in self.items():
            setattr(thing, name, value)


class SamplerFields(TypedDict, total=False):
    """The keywords of ``Sampler(...)``, which says what each is; to hand on: ``**fields: Unpack[SamplerFields]``."""

    wrap: GLWord
    filter: GLWord | tuple[GLWord, ...] | list[GLWord]
    wrap_s: GLWord
    wrap_t: GLWord
    wrap_r: GLWord
    min_filter: GLWord
    mag_filter: GLWord
    min_lod: float
    max_lod: float
    lod_bias: float
    max_anisotropy: float
    compare_mode: GLWord
    compare_func: GLWord
    srgb_decode: GLWord
    cube_map_seamless: bool
    reduction_mode: GLWord
    border_color: Four
    border_color_i: tuple[int, ...] | list[int]
    border_color_bits: tuple[int, ...] | list[int]


class Sampler:
    """One sampler's GL state.

    Fields can be set like attributes; they are checked as here. ``wrap`` reads as one mode or as three that differ,
    ``filter`` as the pair; modes are GL's numbers, which show their names, and any spelling is taken (``"clamp"``,
    ``"GL_CLAMP"``, ``0x2900``). ``==`` compares objects, `content` what they hold. ``token`` is a new integer after
    every change; `content` is equal again where a change was undone. Fields that are not given have GL's defaults.

    Args:
        **fields: Any of the attributes.

    Attributes:
        wrap: Sets wrap_s, wrap_t and wrap_r at once.
        filter: Sets min_filter and mag_filter: one word for both, or a pair in this order.
        wrap_s: Mode of the first axis, in any spelling (``"clamp"``, ``"GL_CLAMP"``, ``0x2900``); wrap_t and wrap_r
            likewise.
        min_filter: Filter for minification, in any spelling; mag_filter is that for magnification.
        min_lod: Any float, kept as float32, NaN and infinities too; max_lod likewise.
        lod_bias: Levels, any float.
        max_anisotropy: At least 1.0 (NaN passes, as in GL).
        compare_mode: Also a bool; compare_func is the comparison.
        srgb_decode: Whether sRGB is decoded.
        cube_map_seamless: Whether cubes are filtered across their edges.
        reduction_mode: What filtered texels become.
        border_color: Four numbers, kept as float32 bits.
        border_color_i: Four integers instead, signed or unsigned, kept as 32-bit words.
        border_color_bits: Four words instead.

    Raises:
        UnknownName: A word that does not fit its field, or a field that there is not.
        ArgumentError: Anything else.
    """

    __slots__ = (*DEFAULTS, "_content", "derived", "handles", "label", "token")

    wrap: Settable[Any, GLWord]
    filter: Settable[tuple[int, int], GLWord | tuple[GLWord, ...] | list[GLWord]]
    border_color_i: Settable[Never, tuple[int, ...] | list[int]]
    border_color_bits: Settable[Never, tuple[int, ...] | list[int]]
    wrap_s: Settable[int, GLWord]
    wrap_t: Settable[int, GLWord]
    wrap_r: Settable[int, GLWord]
    min_filter: Settable[int, GLWord]
    mag_filter: Settable[int, GLWord]
    min_lod: float
    max_lod: float
    lod_bias: float
    max_anisotropy: float
    compare_mode: Settable[int, GLWord]
    compare_func: Settable[int, GLWord]
    srgb_decode: Settable[int, GLWord]
    cube_map_seamless: bool
    reduction_mode: Settable[int, GLWord]
    border_color: Settable[Words, Four]
    label: int | None
    handles: int
    derived: object
    token: int
    _content: bytes | None

    def __init__(self, **fields: Unpack[SamplerFields]) -> None:
        for name, default in DEFAULTS.items():
            _put(self, name, default)
        _put(self, "label", None)
        _put(self, "handles", 0)
        self._changed()
        if fields:
            self.update(**fields)

    def _set(self, name: str, value: object) -> None:
        """Set a field as `update` does, with a new token; anything else is set as it is."""
        if name in DEFAULTS:
            self.store(*_checked(name, value))
        elif name in _OTHERS:
            self.update(**cast("SamplerFields", {name: value}))
        else:
            _put(self, name, value)

    if not TYPE_CHECKING:  # a checker that saw it would take any attribute, and set none that is a property
        __setattr__ = _set

        @property
        def wrap(self) -> int | tuple[int, int, int]:
            """The mode of all three axes, or the three where they differ."""
            modes = self.wrap_s, self.wrap_t, self.wrap_r
            return modes[0] if len({*modes}) == 1 else modes

        @property
        def filter(self) -> tuple[int, int]:
            """The min filter and the mag filter."""
            return self.min_filter, self.mag_filter

    def store(self, field: str, value: object) -> None:
        """Set a field to a value that is known to be good, and take a new token; of an equal value nothing is seen."""
        before = getattr(self, field)
        if value == before and (value or str(value) == str(before)):  # 0.0 is equal to -0.0
            return
        self._changed()
        _put(self, field, value)

    def update(self, **fields: Unpack[SamplerFields]) -> None:
        """Check and set several fields; nothing is set if one of them is bad. Fields and errors are as in `Sampler`."""
        for name, value in _all_checked(fields).items():
            self.store(name, value)

    def copy(self, **fields: Unpack[SamplerFields]) -> Sampler:
        """Make another sampler with the same state, some fields changed. Fields and errors are as for `Sampler`."""
        other = self.aside(**fields)
        _put(other, "token", next_token())
        return other

    def aside(self, **fields: Unpack[SamplerFields]) -> Sampler:
        """As `copy`, for what nobody binds: nothing that is kept until the next change is asked again."""
        other = object.__new__(Sampler)
        fresh = {"label": None, "handles": 0, "derived": None, "_content": None, "token": 0}
        for name, value in {**self.state(), **_all_checked(fields), **fresh}.items():
            _put(other, name, value)
        return other

    def __copy__(self) -> Sampler:
        """As `copy`: a token belongs to one object."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Sampler:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[dict[str, object]]]:
        """Unpickle as another sampler with the same state, and a token of the process that does."""
        return _restored, (self.state(),)

    def state(self) -> dict[str, object]:
        """All fields by name."""
        return {name: getattr(self, name) for name in FIELDS}

    def restore(self, state: dict[str, object]) -> None:
        """Put back what `state` returned; no change if that is what there is."""
        then = object.__new__(Sampler)
        for name, value in {**self.state(), **state, "_content": None}.items():
            _put(then, name, value)
        if then.content() != self.content():
            self._changed()
        for name, value in state.items():
            _put(self, name, e.MEMBERS[FAMILIES[name]].get(cast("int", value), value) if name in FAMILIES else value)

    def content(self) -> bytes:
        """All fields as bytes; equal for two samplers whose fields are all equal, bit for bit."""
        packed = self._content
        if packed is None:
            packed = _PACK(  # spelled out: attrgetter() costs as much as three setters
                self.wrap_s, self.wrap_t, self.wrap_r, self.min_filter, self.mag_filter,
                self.min_lod, self.max_lod, self.lod_bias, self.max_anisotropy,
                self.compare_mode, self.compare_func, self.srgb_decode, self.cube_map_seamless, self.reduction_mode,
                *self.border_color,
            )  # fmt: skip
            _put(self, "_content", packed)
        return packed

    @classmethod
    def of_content(cls, content: bytes) -> Sampler:
        """Make a sampler of what `content` gave."""
        *values, red, green, blue, alpha = _CONTENT.unpack(content)
        made = cls()
        made.restore(dict(zip(FIELDS, (*values, (red, green, blue, alpha)), strict=True)))
        return made

    @classmethod
    def from_moderngl(cls, sampler: Any) -> Sampler:  # noqa: ANN401 (another package's object)
        """Make a sampler with the state that a ``moderngl.Sampler`` says that it has.

        moderngl does not ask GL: a border colour that is not all zero means CLAMP_TO_BORDER, on all axes. docs/hosts.md
        has the details of this, and of the next three.

        Args:
            sampler: A ``moderngl.Sampler``, or what has its attributes.

        Raises:
            ArgumentError: It has other attributes.
        """
        from statetracker.hosts.moderngl_fields import sampler_fields

        return cls(**sampler_fields(sampler))

    @classmethod
    def from_vulkan(cls, info: Any, *, ffi: Any = None) -> Sampler:  # noqa: ANN401
        """Make the sampler of GL that a ``VkSamplerCreateInfo`` is.

        Args:
            info: A mapping of its members, such as our `SamplerCreateInfo`, or an object that has them.
            ffi: Of a struct in C whose chain is not empty: what made it (``vulkan.ffi``).

        Raises:
            ArgumentError: GL has no such sampler.
            UnknownName: A name or number that Vulkan does not have.
        """
        from statetracker.hosts.descriptors import vulkan_fields

        return cls(**vulkan_fields(info, ffi))

    @classmethod
    def from_wgpu(cls, descriptor: Any) -> Sampler:  # noqa: ANN401
        """Make the sampler of GL that a ``GPUSamplerDescriptor`` is, in wgpu-py's or JavaScript's spelling.

        Args:
            descriptor: A mapping of its members; one that is left out has WebGPU's default.

        Raises:
            UnknownName: A member or word that WebGPU does not have.
            ArgumentError: It is no mapping.
        """
        from statetracker.hosts.descriptors import wgpu_fields

        return cls(**wgpu_fields(descriptor))

    def to_moderngl(self, onto: Any = None, *, lossy: bool = False) -> Attributes:  # noqa: ANN401
        """Return the attributes of a ``moderngl.Sampler`` with this state, and set them.

        Args:
            onto: The ``moderngl.Sampler`` to set them on; None: none.
            lossy: Leave out what moderngl cannot express; the answer's ``losses`` has it.

        Raises:
            ArgumentError: It cannot express a field; the error has the first one, and nothing is set.
        """
        from statetracker.hosts.moderngl_fields import attributes

        values, lost = attributes(self.state(), DEFAULTS)
        losses = (Loss(field, _named(field, value), str(_named(field, got)), why) for field, value, got, why in lost)
        made = Attributes(values, tuple(losses))
        if made.losses and not lossy:
            raise made.losses[0].error("moderngl")
        if onto is not None:
            made.onto(onto)
        return made

    def _changed(self) -> None:
        _put(self, "derived", None)
        _put(self, "_content", None)
        _put(self, "token", next_token())

    @property
    def uses_mipmaps(self) -> bool:
        """True where the min filter reads more than the base level."""
        return self.min_filter >= _FIRST_MIPMAP_FILTER

    def __repr__(self) -> str:
        """Return a constructor call with the fields that differ from GL's defaults; border colours as floats."""
        return f"Sampler({', '.join(f'{name}={value!r}' for name, value in self.differing().items())})"

    def differing(self) -> dict[str, object]:
        """Return the constructor's arguments that differ from GL's defaults: enums by GL's names, colours as floats.

        A colour of bits that are no usual floats is ``border_color_i``, as signed integers.
        """
        fields: dict[str, object] = {}
        for name, default in DEFAULTS.items():
            value = getattr(self, name)
            family = FAMILIES.get(name)
            if (value != default) if family else (repr(value) != repr(default)):
                field, text = (name, gl_name(value, family) if family else value)
                if name == "border_color":
                    floats = float_color(value)
                    field, text = (name, floats) if floats else ("border_color_i", signed_color(value))
                fields[field] = text
        return fields


def _named(field: str, value: object) -> object:
    """Return the GL name of a number of an enum; anything else as it is."""
    return gl_name(value, FAMILIES[field]) if field in FAMILIES and isinstance(value, int) else value


def _restored(state: dict[str, object]) -> Sampler:
    sampler = Sampler()
    sampler.restore(state)
    return sampler


def _filters(pair: object) -> dict[str, int]:
    pair = (pair, pair) if isinstance(pair, str | int) else pair
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        accepted = "a filter for both, or a pair: the min filter, the mag filter"
        raise ArgumentError("filter", pair, accepted=accepted)
    low, high = (_checked(name, value)[1] for name, value in zip(("min_filter", "mag_filter"), pair, strict=True))
    return {"min_filter": low, "mag_filter": high}  # type: ignore[dict-item]  # of a family of numbers


def _all_checked(fields: SamplerFields) -> dict[str, object]:
    """Return the fields that are meant, and their values as they are kept."""
    checked: dict[str, object] = {}
    if "wrap" in fields:
        wrap = enum_value(fields["wrap"], e.Wrap, "wrap")
        checked.update(wrap_s=wrap, wrap_t=wrap, wrap_r=wrap)
    if "filter" in fields:
        checked.update(_filters(fields["filter"]))
    checked.update(_checked(name, value) for name, value in fields.items() if name not in {"wrap", "filter"})
    return checked


def _checked(name: str, value: object) -> tuple[str, object]:
    """Return the field that is meant, and the value as it is kept."""
    family = FAMILIES.get(name)
    if family is not None:
        if name == "compare_mode" and isinstance(value, bool):
            value = e.CompareMode.COMPARE_REF_TO_TEXTURE if value else e.CompareMode.NONE
        return name, enum_value(value, family, name)
    if name == "cube_map_seamless":
        if value not in (False, True):
            raise ArgumentError(name, value, accepted="False or True")
        return name, bool(value)
    if name in _BORDERS:
        return "border_color", _border(name, value)
    if name not in DEFAULTS:
        raise UnknownName("field of Sampler", name, accepted=", ".join(_NAMES))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ArgumentError(name, value, accepted="a number")
    if name == "max_anisotropy" and value < 1.0:
        raise ArgumentError(name, value, accepted="1.0 or more", hint="1.0 turns anisotropic filtering off.")
    return name, f32(value)


def _border(name: str, value: object) -> Words:
    if not isinstance(value, tuple | list) or len(value) != 4:
        raise ArgumentError(name, value, accepted="four numbers")
    return border_floats(value) if name == "border_color" else border_words(name, value)


def border_floats(values: Sequence[float]) -> Words:
    """Keep four numbers as float32 bits."""
    try:
        x, y, z, w = (f32_bits(v if isinstance(v, int) else float(v)) for v in values)
    except (TypeError, ValueError):
        raise ArgumentError("border_color", values, accepted="four numbers") from None
    return x, y, z, w


def border_words(name: str, values: Sequence[int]) -> Words:
    """Keep four integers as 32-bit words; raises `ArgumentError` for one that has no such bits."""
    if any(isinstance(v, bool) or not isinstance(v, int) or not -(1 << 31) <= v < 1 << 32 for v in values):
        raise ArgumentError(name, values, accepted="four integers from -2147483648 to 4294967295")
    x, y, z, w = (word(v) for v in values)
    return x, y, z, w
