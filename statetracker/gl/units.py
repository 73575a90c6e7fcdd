"""`Unit`: one texture unit of a context; `Saved`: what glPushAttrib puts on the stack, as far as samplers read it.

Textures that are bound, and the default ones, are saved, all but buffer textures; of multisample ones only what no
filter reads. The stencil mode and sampler objects are not put back. A deleted texture is bound by its name, as a new
object. Source: GL 4.6, 8.1, 8.2; GL 4.6 compatibility, 16.1; docs/textures.md (live on Mesa 22.3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.gl import enums as e
from statetracker.gl.facts import next_token
from statetracker.gl.floats import f32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from statetracker.gl.sampler import Sampler
    from statetracker.gl.texture import Texture


class Unit:
    """One texture unit: a texture per target, a sampler object, the LOD bias, fixed function's enables and environment.

    ``lod_bias`` is what the application set, as float32. ``environment`` has what was set of TEXTURE_ENV, by parameter.
    ``token`` is a new integer after every change of the bias and of what is bound, ``switches`` after every change of
    the enables and the environment; so change them with the methods here.
    At first it has the default textures and no bias.
    """

    __slots__ = ("enabled", "environment", "lod_bias", "sampler", "switches", "textures", "token")

    def __init__(self) -> None:
        self.textures: dict[int, Texture] = {}
        self.sampler: Sampler | None = None
        self.lod_bias = 0.0
        self.enabled: set[int] = set()
        self.environment: dict[int, int] = {}
        self.token = self.switches = next_token()

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Restore another unit, with tokens of its own, from a copy or a pickle."""
        for name, value in state[1].items():
            setattr(self, name, value)
        self.token = self.switches = next_token()

    def set_lod_bias(self, bias: float) -> None:
        """Keep a bias; an equal one changes nothing (NaN never equals)."""
        bias = f32(bias)
        if bias != self.lod_bias:
            self.token = next_token()
            self.lod_bias = bias

    def bind(self, target: int, texture: Texture | None) -> None:
        """Bind a texture for a target, a GLenum; None: the default one."""
        if self.textures.get(target) is not texture:
            self.token = next_token()
            if texture is None:
                del self.textures[target]
            else:
                self.textures[target] = texture

    def bind_sampler(self, sampler: Sampler | None) -> None:
        """Bind a sampler object, or none."""
        if self.sampler is not sampler:
            self.token = next_token()
            self.sampler = sampler

    def switch(self, target: int, *, on: bool) -> None:
        """Switch a fixed-function target on or off."""
        if (target in self.enabled) != on:
            self.switches = next_token()
            (self.enabled.add if on else self.enabled.remove)(target)

    def set_environment(self, environment: dict[int, int]) -> None:
        """Replace what was set of TEXTURE_ENV.

        Args:
            environment: Pname -> value, GLenum numbers.
        """
        if environment != self.environment:
            self.switches = next_token()
            self.environment = environment


T = e.Target

TEXTURE_BIT: Final = 0x40000
ENABLE_BIT: Final = 0x2000
#: Groups that fit on the stack.
MOST: Final = 16

#: Targets in the order in which a pop binds them. Source: observed live on Mesa 22.3.6.
_ORDER: Final = (
    *(T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY, T.TEXTURE_BUFFER),
    *(T.TEXTURE_2D_ARRAY, T.TEXTURE_1D_ARRAY, T.TEXTURE_EXTERNAL_OES, T.TEXTURE_CUBE_MAP, T.TEXTURE_3D),
    *(T.TEXTURE_RECTANGLE, T.TEXTURE_2D, T.TEXTURE_1D),
)

_FIELDS: Final = ("base_level", "max_level", "depth_mode", "swizzle", "generate_mipmap", "priority")


class SavedTexture(NamedTuple):
    """A texture's parameters; ``sampler`` is None for multisample textures."""

    texture: Texture
    fields: tuple[object, ...]
    sampler: dict[str, object] | None

    @classmethod
    def of(cls, texture: Texture) -> SavedTexture:
        """Save a texture."""
        sampler = None if T(texture.target).is_multisample else texture.sampler.state()
        return cls(texture, tuple(getattr(texture, name) for name in _FIELDS), sampler)

    def restore(self, texture: Texture) -> None:
        """Put the parameters into a texture: the one they are of, or another of that target."""
        for name, value in zip(_FIELDS, self.fields, strict=True):
            if getattr(texture, name) != value:
                texture.store(name, value)
        if self.sampler is not None:
            texture.sampler.restore(self.sampler)


class SavedUnit(NamedTuple):
    """One unit: its bias, its textures, its enabled targets, its texture environment."""

    bias: float
    textures: dict[int, Texture]
    enabled: frozenset[int]
    environment: dict[int, int]

    @classmethod
    def of(cls, unit: Unit) -> SavedUnit:
        """Save a unit."""
        return cls(unit.lod_bias, dict(unit.textures), frozenset(unit.enabled), dict(unit.environment))


class Saved(NamedTuple):
    """One group on the stack; None for what the mask leaves out.

    Attributes:
        textures: By TEXTURE_BIT.
        active: By TEXTURE_BIT.
        names: Of the textures, by the `id` of each.
        units: By either bit; ENABLE_BIT alone means only the enabled targets.
        enabled: By ENABLE_BIT: every other switch, but TEXTURE_CUBE_MAP_SEAMLESS, which is never put back.
    """

    textures: list[SavedTexture] | None
    names: dict[int, int]
    units: dict[int, SavedUnit] | None
    active: int
    enabled: frozenset[int] | None

    @classmethod
    def of(
        cls,
        mask: int,
        textures: Iterable[Texture],
        names: Mapping[int, Texture | None],
        units: Mapping[int, Unit],
        active: int,
        enabled: Iterable[int],
    ) -> Saved:
        """Save what a mask names."""
        kept = [SavedTexture.of(t) for t in textures if t.target != T.TEXTURE_BUFFER] if mask & TEXTURE_BIT else None
        places = None
        if mask & (TEXTURE_BIT | ENABLE_BIT):
            places = {i: SavedUnit.of(unit) for i, unit in units.items()}
        known = {id(texture): name for name, texture in names.items()} if mask & TEXTURE_BIT else {}
        return cls(kept, known, places, active, frozenset(enabled) if mask & ENABLE_BIT else None)

    def restore_units(self, units: Mapping[int, Unit], now: Callable[[Texture], Texture | None]) -> None:
        """Put units back; ``now`` gives what a saved texture's name means now, None for nothing that can be bound.

        What has another target by now is bound there.
        """
        for index, unit in units.items():
            saved = (self.units or {}).get(index, SavedUnit(0.0, {}, frozenset(), {}))
            for target in unit.enabled ^ saved.enabled:
                unit.switch(target, on=target in saved.enabled)
            if self.textures is not None:
                unit.set_lod_bias(saved.bias)
                unit.set_environment(dict(saved.environment))
                for target in _ORDER:
                    texture = saved.textures.get(target)
                    bound = None if texture is None else now(texture)
                    if texture is None or bound is not None:
                        unit.bind(target if bound is None else bound.target, bound)
