"""`Unit`: one texture unit of a context. Source: GL 4.6, 8.1 and 8.2; GL 4.6 compatibility, 16.1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.gl.facts import next_token
from statetracker.gl.floats import f32

if TYPE_CHECKING:
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
