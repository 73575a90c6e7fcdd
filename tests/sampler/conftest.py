"""What hypothesis makes of our types: every legal sampler, texture, screen and dialect.

Tests ask for them with ``strategies.from_type``.
"""

from __future__ import annotations

from hypothesis import strategies as some

from statetracker.caps import UNFILTERABLE_DEPTH, FormatFeatures, Screen
from statetracker.caps.fields import FIELDS as SCREEN_FIELDS
from statetracker.caps.storage import TABLES
from statetracker.gl import enums as e
from statetracker.gl.facts import TextureFacts
from statetracker.gl.formats import InternalFormat, internal_formats
from statetracker.gl.sampler import Sampler
from statetracker.sampler import DIALECTS, Dialect

FORMATS = tuple(internal_formats())
FLOATS = some.floats(width=32)
BIASES = some.floats(-20, 20, width=32) | FLOATS
WORDS = some.sampled_from([0, 1, 0x80000000, 0x3F800000, 0x7FC00001, 0xFFFFFFFF]) | some.integers(0, 0xFFFFFFFF)


def components(last: int) -> some.SearchStrategy[tuple[int, ...]]:
    """Swizzles with selectors up to ``last``."""
    part = some.integers(0, last)
    return some.tuples(part, part, part, part)


def facts(fmt: InternalFormat, *, seen: bool, surface: str | None, **others: object) -> TextureFacts:
    """Facts of a texture of one internal format; GL may have overlooked that it holds integers."""
    return TextureFacts.of(
        base_format=fmt.base_format,
        internal_format=fmt.name,
        is_integer=fmt.is_integer and seen,
        surface_format=surface if fmt.base_format == "RGBA" else None,
        storage_format=None,
        **others,
    )


some.register_type_strategy(
    Sampler,
    some.builds(
        Sampler,
        wrap_s=some.sampled_from(e.Wrap),
        wrap_t=some.sampled_from(e.Wrap),
        wrap_r=some.sampled_from(e.Wrap),
        min_filter=some.sampled_from(e.MinFilter),
        mag_filter=some.sampled_from(e.MagFilter),
        min_lod=FLOATS,
        max_lod=FLOATS,
        lod_bias=BIASES,
        max_anisotropy=some.just(1.0) | some.floats(1, 64, width=32) | some.just(float("nan")),
        compare_mode=some.booleans(),
        compare_func=some.sampled_from(e.CompareFunc),
        srgb_decode=some.sampled_from(e.SrgbDecode),
        cube_map_seamless=some.booleans(),
        reduction_mode=some.sampled_from(e.ReductionMode),
        border_color_bits=some.tuples(WORDS, WORDS, WORDS, WORDS) | some.just((0, 0, 0, 0)),
    ),
)
some.register_type_strategy(
    TextureFacts,
    some.builds(
        facts,
        some.sampled_from(FORMATS),
        seen=some.booleans(),
        surface=some.sampled_from([None, None, "NV12", "IYUV"]),
        target=some.sampled_from([int(target) for target in e.Target]),
        is_float=some.booleans(),
        stencil_sampling=some.booleans(),
        depth_mode=some.sampled_from(e.DepthTextureMode),
        swizzle=some.just((0, 1, 2, 3)) | components(5),
        view_swizzle=some.none() | components(6),
    ),
)
some.register_type_strategy(
    Screen,
    some.builds(
        Screen,
        **{name: some.booleans() for name, default in SCREEN_FIELDS.items() if isinstance(default, bool)},
        linear_filtering=some.sampled_from([None, FormatFeatures({}, default=False), FormatFeatures({})]),
        unfilterable_depth=some.sampled_from(UNFILTERABLE_DEPTH),
        max_anisotropy=some.floats(0, 40) | some.just(float("inf")),
        storage=some.sampled_from(TABLES),
    ),
)
some.register_type_strategy(Dialect, some.sampled_from(list(DIALECTS.values())))
