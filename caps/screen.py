"""`Screen`: what one driver on one machine can do for a sampler, as one frozen value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.filtering import FormatFeatures
from statetracker.caps.flags import FLAGS, NOT_ZINK, extensions_of, flags_of
from statetracker.caps.profiles import PROFILES
from statetracker.caps.storage import TABLES, storage_format
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl.formats import internal_format_named
from statetracker.gl.limits import PROFILES as CONTEXTS
from statetracker.gl.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from statetracker.caps.filtering import LinearFiltering

__all__ = ["FIELDS", "UNFILTERABLE_DEPTH", "Screen"]

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
    "max_combined_units":                    192,
    "storage":                               "llvmpipe",
    "caps":                                  (),
    "capsf":                                 (),
}
# fmt: on

#: Fields that are one of a few words.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "unfilterable_depth": UNFILTERABLE_DEPTH,
    "context": tuple(CONTEXTS),
    "storage": TABLES,
}

#: What refuses a sampler in the published proposal: 32-bit floats and depth.
_SEED_REFUSES: Final = (
    "R32_FLOAT R32G32_FLOAT R32G32B32_FLOAT R32G32B32X32_FLOAT R32G32B32A32_FLOAT A32_FLOAT L32_FLOAT L32A32_FLOAT "
    "I32_FLOAT Z16_UNORM Z16_UNORM_S8_UINT Z24X8_UNORM X8Z24_UNORM Z24_UNORM_S8_UINT S8_UINT_Z24_UNORM Z32_UNORM "
    "Z32_FLOAT Z32_FLOAT_S8X24_UINT"
)


class Screen:
    """What a driver can do; built once, never changed.

    name                       what it is called in output
    emulate_gl_clamp           the hardware has no GL_CLAMP
    lower_rect_tex             rectangle coordinates must be normalised by a shader
    texture_buffer_sampler     buffer textures take a sampler state
    float_linear               32-bit float textures of GLES can be filtered
    apply_texture_swizzle_to_border_color, use_format_with_border_color, alpha_border_color_is_not_w
                               border colour quirks, one flag each
    need_border_color_type     the proposal's cap: integer-ness of the border colour is part of the cache key
    force_integer_tex_nearest  the driver option ForceIntegerTexNearest
    linear_filtering           None, a `FormatFeatures`, or a callable (view format, resource format) -> bool
    unfilterable_depth         one of `UNFILTERABLE_DEPTH`
    max_anisotropy             the driver's maximum; at least 2 is used
    extensions                 GL extensions, as far as samplers and formats need them
    context                    profile of the GL context: compatibility, core, gles2 ...
    max_texture_size, max_combined_units   GL limits
    storage                    which driver's choice of storage formats applies
    caps, capsf                the raw ``PIPE_CAP_*`` answers this came from, kept for reports

    Raises `ArgumentError` for an unknown field or a value that does not fit.
    """

    __slots__ = ("derived", "name", *FIELDS)

    name: str
    derived: dict[object, Any]
    emulate_gl_clamp: bool
    lower_rect_tex: bool
    texture_buffer_sampler: bool
    float_linear: bool
    apply_texture_swizzle_to_border_color: bool
    use_format_with_border_color: bool
    alpha_border_color_is_not_w: bool
    need_border_color_type: bool
    force_integer_tex_nearest: bool
    linear_filtering: LinearFiltering | None
    unfilterable_depth: str
    max_anisotropy: float
    extensions: frozenset[str]
    context: str
    max_texture_size: int
    max_combined_units: int
    storage: str
    caps: Mapping[str, int]
    capsf: Mapping[str, float]

    def __init__(self, name: str = "custom", **fields: object) -> None:
        """Check and keep the facts; those not given are those of a capable driver."""
        put = object.__setattr__
        put(self, "name", name)
        put(self, "derived", {})  # what others worked out from this screen, each under a key of its own
        for field, default in FIELDS.items():
            put(self, field, _checked(field, fields.pop(field, default), default))
        for unknown in fields:
            raise ArgumentError("screen field", unknown, accepted=", ".join(FIELDS))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a screen never changes."""
        raise AttributeError(f"a Screen never changes; use screen.replace({name}=...)")

    @classmethod
    def named(cls, name: str) -> Screen:
        """Give an embedded profile; raises `UnknownName` with the list of names."""
        profile = PROFILES.get(name)
        if profile is None:
            raise UnknownName("screen", name, accepted=", ".join(PROFILES))
        extra: dict[str, Any] = {"storage": profile.storage, "max_anisotropy": profile.aniso[1]}
        if name == "softpipe":
            extra["max_combined_units"] = 128
        if profile.storage != "zink":
            extra["more_extensions"] = NOT_ZINK
        if name == "seed":
            extra |= {
                "linear_filtering": FormatFeatures(dict.fromkeys(_SEED_REFUSES.split(" "), False)),
                "unfilterable_depth": "always-compare",
                "need_border_color_type": True,
            }
        return cls.from_caps(profile.caps(), name=name, **extra)

    @classmethod
    def from_caps(
        cls, caps: Mapping[str, int], *, name: str = "custom", more_extensions: tuple[str, ...] = (), **fields: object
    ) -> Screen:
        """Build a screen from ``PIPE_CAP_*`` answers; other fields override what follows from them.

        Caps that samplers do not read are kept and ignored; caps not given take the front end's default.
        """
        values: dict[str, object] = {
            "extensions": extensions_of(caps) | frozenset(more_extensions),
            "caps": dict(caps),
            **flags_of(caps),
        }
        return cls(name, **(values | fields))

    @classmethod
    def load(cls, path: str | Path) -> Screen:
        """Read a screen file, or the header of a recorded case file; raises `ScreenError` for anything else."""
        from statetracker.caps.files import load_screen

        return load_screen(path)

    def replace(self, **fields: object) -> Screen:
        """Copy with some fields changed."""
        return Screen(str(fields.pop("name", self.name)), **({f: getattr(self, f) for f in FIELDS} | fields))

    def gl_limits(self, *, release: str = "22.3") -> Limits:
        """What a GL context on this screen may rely on, under one release's rules."""
        return Limits(
            profile=self.context,
            extensions=self.extensions,
            max_texture_size=self.max_texture_size,
            max_combined_units=self.max_combined_units,
            max_anisotropy=self.max_anisotropy,
            release=release,
            force_integer_nearest=self.force_integer_tex_nearest,
        )

    def stores(self, internal_format: str) -> str:
        """The pipe format this screen stores a GL internal format as."""
        return storage_format(self.storage, internal_format_named(internal_format))

    def filters(self, view_format: str, resource_format: str) -> bool:
        """Whether a format can be filtered linearly; without a hook every format can."""
        return self.linear_filtering is None or bool(self.linear_filtering(view_format, resource_format))

    def to_dict(self) -> dict[str, object]:
        """All fields by name."""
        return {"name": self.name, **{field: getattr(self, field) for field in FIELDS}}

    def __eq__(self, other: object) -> bool:
        """Same facts; the name and the raw answers do not count."""
        if not isinstance(other, Screen):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in FIELDS if f not in ("caps", "capsf"))

    def __hash__(self) -> int:
        """Hash of the flags."""
        return hash(tuple(getattr(self, flag.name) for flag in FLAGS))

    def __repr__(self) -> str:
        """The name and the fields that differ from a capable driver's."""
        hidden = ("extensions", "caps", "capsf")
        shown = [f"{f}={getattr(self, f)!r}" for f, d in FIELDS.items() if f not in hidden and getattr(self, f) != d]
        return f"Screen({', '.join([repr(self.name), *shown])})"


def _checked(field: str, value: Any, default: Any) -> object:  # noqa: ANN401 (any field)
    if field == "linear_filtering" and value is not None and not callable(value):
        raise ArgumentError(field, value, accepted="None, a FormatFeatures or a callable")
    if isinstance(default, bool):
        if value not in (True, False):
            raise ArgumentError(field, value, accepted="True or False")
        return bool(value)
    if field in ("caps", "capsf"):
        return dict(value)
    if field == "extensions":
        if isinstance(value, str):
            raise ArgumentError(field, value, accepted="a set of GL extension names")
        return frozenset(value)
    if field in _WORDS and value not in _WORDS[field]:
        raise ArgumentError(field, value, accepted=", ".join(_WORDS[field]))
    if isinstance(default, int | float) and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ArgumentError(field, value, accepted="a number")
    return value
