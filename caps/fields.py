"""The fields of a `Screen`: their defaults, what each may be, and the hook that says which formats can be filtered.

Without a hook every format counts as filterable. With one, a format is looked up by its pipe name (and, for callables,
the resource's format). See docs/screens.md.
"""

from __future__ import annotations

from importlib import import_module
from math import isnan
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from statetracker.caps.storage import TABLES
from statetracker.errors import ArgumentError
from statetracker.gl.limits import PROFILES as CONTEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: What a screen may do with a depth format it cannot filter linearly. Source: docs/dialects.md.
UNFILTERABLE_DEPTH: Final = ("nearest", "always-compare", "when-comparing")

# fmt: off
#: Field: default. The flags of `caps.flags.FLAGS` come first.
FIELDS: Final[Mapping[str, Any]] = {
    "emulate_gl_clamp":                      False,
    "lower_rect_tex":                        False,
    "texture_buffer_sampler":                False,
    "float_linear":                          True,
    "apply_texture_swizzle_to_border_color": False,
    "use_format_with_border_color":          False,
    "alpha_border_color_is_not_w":           False,
    "need_border_color_type":                False,
    "force_integer_tex_nearest":             False,
    "linear_filtering":                      None,
    "unfilterable_depth":                    "nearest",
    "max_anisotropy":                        16.0,
    "extensions":                            frozenset(),
    "context":                               "compatibility",
    "max_texture_size":                      16384,
    "max_3d_size":                           2048,
    "max_cube_size":                         16384,
    "max_layers":                            2048,
    "max_combined_units":                    192,
    "storage":                               "llvmpipe",
    "caps":                                  (),
    "capsf":                                 (),
    "vulkan":                                None,
    "corpus":                                None,
}
# fmt: on

#: Fields that are one of a few words.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "unfilterable_depth": UNFILTERABLE_DEPTH,
    "context": tuple(CONTEXTS),
    "storage": TABLES,
}

#: Fields that do not count when screens are compared: where it came from, not what it can do.
UNCOUNTED: Final = ("caps", "capsf", "corpus")

#: Fields that hold None or a record of this type.
_RECORDS: Final = {"vulkan": "VulkanFacts", "corpus": "CorpusChoice"}


def checked(field: str, value: Any, default: Any) -> object:  # noqa: ANN401 (any field)
    """Return a field's value as it is kept; raises `ArgumentError` for one that does not fit."""
    if field == "linear_filtering" and value is not None and not callable(value):
        raise ArgumentError(field, value, accepted="None, a FormatFeatures or a callable")
    if isinstance(default, bool):
        if value not in (True, False):
            raise ArgumentError(field, value, accepted="True or False")
        return bool(value)
    if field in _RECORDS and value is not None:
        _check_record(field, value)
    if field in ("caps", "capsf"):
        return dict(value)
    if field == "extensions":
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            raise ArgumentError(field, value, accepted="a set of GL extension names")
        return frozenset(value)
    if field in _WORDS and value not in _WORDS[field]:
        raise ArgumentError(field, value, accepted=", ".join(_WORDS[field]))
    if isinstance(default, int | float):
        _check_number(field, value, default)
    return value


def _check_number(field: str, value: object, default: float) -> None:
    """Check a number: an int that no float holds and NaN are only refused where the field is a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ArgumentError(field, value, accepted="a number")
    try:
        bad = isinstance(default, float) and isnan(value)
    except OverflowError:
        bad = True
    if bad:
        raise ArgumentError(field, value, accepted="a number that a float holds, not NaN")


def _check_record(field: str, value: object) -> None:
    """Check a record's type; its module is loaded only where there is one."""
    kind = getattr(import_module("statetracker.caps"), _RECORDS[field])
    if not isinstance(value, kind):
        raise ArgumentError(field, value, accepted=f"None or a {kind.__name__}")


#: (format of the view, format of the resource), both pipe names without prefix -> can it be filtered linearly.
LinearFiltering: TypeAlias = "Callable[[str, str], bool]"


class FormatFeatures:
    """A table of formats that can or cannot be filtered linearly.

    Args:
        linear: Pipe format name -> whether it can be filtered linearly.
        default: The answer for formats that the table does not name.

    Raises:
        ArgumentError: A name that is no pipe format.
    """

    __slots__ = ("default", "linear")

    def __init__(self, linear: Mapping[str, bool], *, default: bool = True) -> None:
        from statetracker.pipe.formats import pipe_format

        checked: dict[str, bool] = {}
        for name, answer in linear.items():
            if not isinstance(answer, bool):
                raise ArgumentError("linear_filtering", {name: answer}, accepted="format name -> true or false")
            checked[pipe_format(name).name] = answer
        self.linear = checked
        self.default = default

    def __call__(self, view_format: str, resource_format: str) -> bool:
        """Return whether a view of that format can be filtered linearly."""
        del resource_format
        return self.linear.get(view_format, self.default)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FormatFeatures):
            return NotImplemented
        return (self.linear, self.default) == (other.linear, other.default)

    def __hash__(self) -> int:
        return hash((frozenset(self.linear.items()), self.default))

    def __repr__(self) -> str:
        """Return how many formats are refused."""
        refused = sorted(name for name, ok in self.linear.items() if not ok)
        return f"FormatFeatures(refused={refused}, default={self.default})"
