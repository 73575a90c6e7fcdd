"""Embedded screens: the answers of known drivers, as rows.

The first group is recorded from live drivers (Mesa 22.3.6) or from the published proposal (``seed``); the second holds
one row for every Gallium driver of Mesa 22.3, for the hardware named. Cells that a driver does not set are the front
end's defaults. Source: docs/screens.md (profiles).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Profile(NamedTuple):
    """One driver's answers. Fields that are not described are the caps of those names, as integers.

    Attributes:
        mirror: TEXTURE_MIRROR_CLAMP and TEXTURE_MIRROR_CLAMP_TO_EDGE.
        seamless: SEAMLESS_CUBE_MAP and SEAMLESS_CUBE_MAP_PER_TEXTURE.
        aniso: ANISOTROPIC_FILTER and the maximum.
        minmax: SAMPLER_REDUCTION_MINMAX and SAMPLER_REDUCTION_MINMAX_ARB.
        storage: Which column of the storage table says how it stores GL formats.
        note: Where the row holds.
    """

    gl_clamp: int
    texrect: int
    texture_buffer_sampler: int
    float_linear: int
    quirk: int
    mirror: tuple[int, int]
    seamless: tuple[int, int]
    aniso: tuple[int, float]
    minmax: tuple[int, int]
    storage: str
    note: str

    def caps(self) -> dict[str, int]:
        """Return the row as ``PIPE_CAP_*`` answers."""
        answers = (*self[:5], *self.mirror, *self.seamless, self.aniso[0], *self.minmax)
        return {f"PIPE_CAP_{name}": int(answer) for name, answer in zip(_CAPS, answers, strict=True)}


_CAPS: Final = (
    *("GL_CLAMP", "TEXRECT", "TEXTURE_BUFFER_SAMPLER", "TEXTURE_FLOAT_LINEAR", "TEXTURE_BORDER_COLOR_QUIRK"),
    *("TEXTURE_MIRROR_CLAMP", "TEXTURE_MIRROR_CLAMP_TO_EDGE", "SEAMLESS_CUBE_MAP", "SEAMLESS_CUBE_MAP_PER_TEXTURE"),
    *("ANISOTROPIC_FILTER", "SAMPLER_REDUCTION_MINMAX", "SAMPLER_REDUCTION_MINMAX_ARB"),
)
_L: Final = "llvmpipe"

# fmt: off
PROFILES: Final[Mapping[str, Profile]] = {
    #                       clamp rect buf float quirk mirror  seamless aniso       minmax  storage     note
    "llvmpipe":      Profile(1,   1,   0,  1,    0,    (1, 1), (1, 1),  (1, 16.0),  (1, 0), _L,         "recorded, Mesa 22.3.6"),
    "softpipe":      Profile(1,   1,   0,  1,    0,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), "softpipe", "recorded, Mesa 22.3.6"),
    "zink-lavapipe": Profile(0,   0,   0,  0,    8,    (0, 1), (1, 1),  (1, 16.0),  (0, 1), "zink",     "recorded, Mesa 22.3.6 over lavapipe"),
    "seed":          Profile(0,   1,   0,  1,    0,    (1, 1), (1, 0),  (1, 16.0),  (0, 0), _L,         "the proposal of January 2021"),
    "zink":          Profile(0,   0,   0,  1,    8,    (0, 1), (1, 1),  (1, 16.0),  (0, 1), "zink",     "a device with every feature"),
    "radeonsi":      Profile(1,   1,   0,  1,    0,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "GFX9 or later, graphics parts"),
    "radeonsi-gfx8": Profile(1,   1,   0,  1,    2,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "GFX8 or older"),
    "r300":          Profile(1,   1,   0,  0,    0,    (1, 1), (0, 0),  (1, 16.0),  (0, 0), _L,         ""),
    "r600":          Profile(1,   1,   0,  1,    2,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "Evergreen or later"),
    "nv30":          Profile(1,   1,   0,  0,    0,    (1, 1), (0, 0),  (1, 16.0),  (0, 0), _L,         "NV40 or later"),
    "nv50":          Profile(1,   1,   0,  1,    1,    (1, 1), (1, 0),  (1, 16.0),  (0, 0), _L,         ""),
    "nvc0":          Profile(1,   1,   0,  1,    1,    (1, 1), (1, 1),  (1, 16.0),  (1, 0), _L,         "Maxwell GM200 or later"),
    "iris":          Profile(1,   1,   0,  1,    0,    (0, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         ""),
    "crocus":        Profile(1,   1,   0,  1,    0,    (0, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         ""),
    "i915g":         Profile(1,   1,   0,  0,    0,    (0, 0), (0, 0),  (1, 4.0),   (0, 0), _L,         ""),
    "v3d":           Profile(0,   1,   0,  0,    0,    (0, 1), (0, 0),  (1, 16.0),  (0, 0), _L,         ""),
    "vc4":           Profile(1,   0,   0,  0,    0,    (0, 0), (0, 0),  (0, 0.0),   (0, 0), _L,         ""),
    "freedreno":     Profile(0,   1,   0,  1,    0,    (0, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "a4xx to a6xx"),
    "freedreno-a3xx": Profile(0,  1,   0,  0,    0,    (0, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "a3xx"),
    "freedreno-a2xx": Profile(1,  1,   0,  0,    0,    (0, 1), (1, 0),  (1, 16.0),  (0, 0), _L,         "a2xx"),
    "panfrost":      Profile(0,   1,   1,  1,    0,    (0, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "Bifrost or later"),
    "panfrost-midgard": Profile(1, 1,  1,  1,    0,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "Midgard"),
    "lima":          Profile(1,   1,   0,  0,    0,    (0, 0), (0, 0),  (0, 16.0),  (0, 0), _L,         ""),
    "etnaviv":       Profile(1,   0,   0,  0,    0,    (0, 0), (0, 1),  (1, 16.0),  (0, 0), _L,         "HALTI0, hardware with seamless cubes"),
    "virgl":         Profile(1,   1,   0,  1,    0,    (1, 1), (1, 1),  (1, 16.0),  (0, 0), _L,         "a host that offers all"),
    "svga":          Profile(1,   1,   0,  1,    0,    (0, 0), (1, 0),  (1, 4.0),   (0, 0), _L,         "vgpu10"),
    "d3d12":         Profile(1,   1,   0,  1,    0,    (0, 0), (1, 0),  (1, 16.0),  (0, 0), _L,         ""),
    "webgpu":        Profile(0,   0,   0,  0,    12,   (0, 0), (1, 1),  (1, 16.0),  (0, 0), "webgpu",   "W3C WebGPU, no optional feature"),
    "webgpu-float32-filterable": Profile(0, 0, 0, 0, 12, (0, 0), (1, 1), (1, 16.0), (0, 0), "webgpu",   "with feature float32-filterable"),
    "webgpu-compatibility": Profile(0, 0, 0, 0,  12,   (0, 0), (1, 1),  (1, 16.0),  (0, 0), "webgpu",   "WebGPU's compatibility mode"),
    "asahi":         Profile(1,   1,   0,  1,    0,    (0, 0), (1, 1),  (0, 16.0),  (0, 0), _L,         ""),
}
# fmt: on


def profile_names() -> list[str]:
    """Names that `Screen.named` knows."""
    return list(PROFILES)
