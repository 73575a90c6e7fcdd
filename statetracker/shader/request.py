"""The request and the result of `statetracker.shader.lower`. See docs/shader_lowering.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.pipe.enums import Func, TexFilter, TexMipfilter, TexReduction
from statetracker.pipe.lowering import AXES, AXIS_MEMBERS, NO_LOWERING, Lowering

Request = Mapping[tuple[int, int], "str | Lowering | Sequence[str | Lowering]"]
_LETTERS = "str"
_BOTH: Final = (
    "On {} GL_CLAMP is a clamped coordinate, as records have it on a screen with emulate_gl_clamp, and a border too, "
    "as native create infos leave it. Make the records on screen.replace(emulate_gl_clamp=False): then it is the "
    "border's alone."
)
_ROUTES: Final = ("", "edge", "predefined")
#: Members of which one axis may be in one, and only once.
_APART: Final = (
    ("clamp", "mirror", "border", "half_border"),
    ("fold", "clamp"),
    ("reflect",),
    ("repeat", "mirror_repeat"),
)
_ENUMS: Final = {
    "min_img_filter": TexFilter,
    "mag_img_filter": TexFilter,
    "min_mip_filter": TexMipfilter,
    "compare_func": Func,
    "reduction": TexReduction,
}


class Note(NamedTuple):
    """One instruction of the module that was read, and its outcome.

    Attributes:
        offset: The word at which it stood; in a specialised function, where the original stood.
        instruction: ``OpImageSampleImplicitLod``.
        descriptor: (set, binding) of its sampler; None where that is not known.
        reason: What was done, or why nothing was.
    """

    offset: int
    instruction: str
    descriptor: tuple[int, int] | None
    reason: str


class Lowered(NamedTuple):
    """The answer of `lower`.

    Attributes:
        module: The new module's bytes; the bytes given, where nothing had to change.
        rewritten: Instructions that were rewritten, and how.
        inexact: Those of them that are exact under a condition only, and under which.
        left: Instructions on such samplers that need no work: seamless cubes, queries, fetches without a swizzle.
        unresolved: Instructions that would have to be rewritten and could not be.
        values: (descriptor, array element) of each element of the uniform block, in order, which are those that the
            module reads; empty: it has no block. See `border_values`.
        unmatched: Descriptors of the request that the module does not have.
    """

    module: bytes
    rewritten: tuple[Note, ...]
    inexact: tuple[Note, ...]
    left: tuple[Note, ...]
    unresolved: tuple[Note, ...]
    values: tuple[tuple[tuple[int, int], int], ...] = ()
    unmatched: tuple[tuple[int, int], ...] = ()


class Elements(NamedTuple):
    """A descriptor's share: one entry an array element, or one for ``all`` of them."""

    rows: tuple[Lowering, ...]
    all: bool

    def of(self, element: int) -> Lowering:
        """Return the lowering of one element; beyond the list there is nothing to do."""
        if self.all:
            return self.rows[0]
        return self.rows[element] if element < len(self.rows) else NO_LOWERING

    @property
    def reads_values(self) -> bool:
        """True where some element reads values."""
        return any(row.reads_values for row in self.rows)


def descriptor(field: str, value: object) -> tuple[int, int]:
    """Check a (set, binding)."""
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, int) and not one >> 32 for one in value):
        return value
    raise ArgumentError(field, value, accepted="(set, binding), two whole numbers from 0, of 32 bits")


def wanted(request: Request) -> dict[tuple[int, int], Elements]:
    """Check a request: every value letters, a `Lowering`, or a sequence of these, one an array element."""
    if not isinstance(request, Mapping):
        raise not_a_request(request)
    asked = {}
    for key, value in request.items():
        descriptor("request", key)
        if not isinstance(value, Sequence):
            raise _no_axes(key, value, "; for an array of samplers a sequence of these")
        alone = isinstance(value, str | Lowering)
        each: Sequence[object] = (value,) if alone else value
        elements = Elements(tuple(_row(key, one) for one in each), all=alone)
        if any(row.needed for row in elements.rows):
            asked[key] = elements
    return asked


def not_a_request(request: object) -> ArgumentError:
    """Return the error for something given in place of a request."""
    return ArgumentError("request", request, accepted="a mapping: (set, binding) -> a Lowering, or axes")


def _no_axes(
    key: tuple[int, int], value: object, more: str = "", hint: str = "An axis wraps one way."
) -> ArgumentError:
    accepted = f"letters of str, each once, or a Lowering{more}"
    return ArgumentError(f"axes of {key[0]}:{key[1]}", value, accepted=accepted, hint=hint)


def _row(key: tuple[int, int], value: object) -> Lowering:
    """Return a checked lowering; letters are GL_CLAMP as a clamped coordinate."""
    row = Lowering(value) if isinstance(value, str) else value
    if not isinstance(row, Lowering) or not all(isinstance(getattr(row, name), str) for name in AXIS_MEMBERS):
        raise _no_axes(key, value)
    for names in _APART:
        both = "".join(getattr(row, name) for name in names)
        if any(one not in _LETTERS for one in both) or len(set(both)) < len(both):
            twice = [
                axis for axis in _LETTERS if axis in row.clamp + row.mirror and axis in row.border + row.half_border
            ]
            raise _no_axes(key, both, hint=_BOTH.format("".join(twice)) if twice else "An axis wraps one way.")
    place = f"{key[0]}:{key[1]}"
    if not isinstance(row.swizzle, str) or len(row.swizzle) not in {0, 4} or not set(row.swizzle) <= set("RGBA01"):
        raise ArgumentError(f"swizzle of {place}", row.swizzle, accepted="four letters of RGBA01, or none")
    if row.route not in _ROUTES or bool(row.route) != bool(row.border + row.half_border):
        raise ArgumentError(f"route of {place}", row.route, accepted="edge or predefined where there is a border")
    if row.route == "predefined" and row.half_border:
        hint = "Its least half is of the edge texel, which a sampler with CLAMP_TO_BORDER does not give."
        raise ArgumentError(f"route of {place}", row.route, accepted="edge with GL_CLAMP on an axis", hint=hint)
    axes = {name: getattr(row, name) for name in AXIS_MEMBERS}
    said: dict[str, Any] = {
        name: "".join(sorted(given, key=_LETTERS.index)) for name, given in axes.items() if given not in AXES
    }
    for name, enum in _ENUMS.items():
        number = getattr(row, name)
        if type(number) is enum or (number is None and name == "compare_func"):
            continue
        if number not in tuple(enum):
            raise ArgumentError(f"{name} of {place}", number, accepted=", ".join(one.name for one in enum))
        said[name] = enum(number)
    return row._replace(**said) if said else row
