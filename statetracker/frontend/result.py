"""`convert`: the pure conversion with everything that can be asked of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statetracker.errors import ArgumentError
from statetracker.gl.facts import TextureFacts
from statetracker.gl.sampler import Sampler
from statetracker.gl.texture import Texture
from statetracker.sampler import clamp_losses, explain, lowering
from statetracker.sampler import dialect as dialect_named
from statetracker.sampler.conversion import convert as to_pipe

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.pipe import SamplerState
    from statetracker.sampler import ClampLoss, Dialect, Explanation, Lowering

__all__ = ["Result", "convert"]


class Result:
    """What `convert` found.

    pipe        the record, named fields over 36 bytes
    lowering    what the shader must do, hashable: a variant key
    incomplete  why GL would not sample this texture at all; empty where it would
    """

    __slots__ = ("_inputs", "_options", "incomplete", "lowering", "pipe")

    pipe: SamplerState
    lowering: Lowering
    incomplete: str

    def __init__(self, inputs: tuple[Any, ...], options: dict[str, Any], incomplete: str) -> None:
        """Convert; the explanation is made when it is asked for."""
        self._inputs = inputs
        self._options = options
        self.incomplete = incomplete
        self.pipe = to_pipe(*inputs, **options)
        sampler, facts, screen = inputs
        self.lowering = lowering(sampler, facts, screen)

    @property
    def losses(self) -> tuple[ClampLoss, ...]:
        """What neither record nor shader can mend: halves of a sampler that are not GL_CLAMP, and how far off."""
        sampler, facts, screen = self._inputs
        return clamp_losses(sampler, facts, screen, self.pipe)

    def explain(self) -> Explanation:
        """Why each member is what it is: print it, or take ``to_dict()``."""
        notes = tuple(map(str, self.losses))
        if self.incomplete:
            notes = (f"GL would sample its black fallback texture instead: {self.incomplete}", *notes)
        return explain(*self._inputs, **self._options, notes=notes)

    def __bytes__(self) -> bytes:
        """The record."""
        return bytes(self.pipe)

    def __repr__(self) -> str:
        """The record and the lowering."""
        return f"Result(pipe={self.pipe!r}, lowering={self.lowering!r})"


def convert(  # one argument an input
    sampler: Sampler | None,
    texture: Texture | TextureFacts,
    screen: Screen,
    *,
    dialect: str | Dialect = "mesa22",
    unit_lod_bias: float = 0.0,
    seamless: bool = False,
    glsl130: bool = True,
    bindless: bool = False,
) -> Result:
    """Translate a sampler, the texture it samples and the unit's state for a screen.

    sampler         a sampler object, or None: the texture's own
    texture         the texture as it is; completeness is not applied, `Result.incomplete` tells it
    screen          what the hardware can do
    dialect         whose rules: seed, mesa21, mesa22, mesa24
    unit_lod_bias   levels, as set on the texture unit; any float, NaN counts as -16
    seamless        the context's switch for seamless cubes
    glsl130         the program is GLSL 1.30 or later
    bindless        through a bindless handle: no unit bias, no context switch, sRGB decoding counts

    A pure function. Raises `ArgumentError` for arguments of the wrong kind, `UnknownName` for an unknown dialect.
    """
    incomplete = ""
    if isinstance(texture, Texture):
        if sampler is None:
            sampler = texture.sampler
        limits = screen.gl_limits(release=dialect_named(dialect).gl_release)
        incomplete = texture.missing(sampler, limits)
        texture = texture.facts()
    elif not isinstance(texture, TextureFacts):
        raise ArgumentError("texture", texture, accepted="a Texture or TextureFacts")
    if not isinstance(sampler, Sampler):
        raise ArgumentError("sampler", sampler, accepted="a Sampler, or None with a Texture that has its own")
    options = {
        "dialect": dialect,
        "unit_lod_bias": unit_lod_bias,
        "seamless": seamless,
        "glsl130": glsl130,
        "bindless": bindless,
    }
    return Result((sampler, texture, screen), options, incomplete)
