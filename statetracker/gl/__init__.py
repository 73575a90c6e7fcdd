"""GL's sampler, texture, unit and program state as the application sets it, and GL's errors.

Enum classes take one family of GL names each, members lose ``GL_``; `names` reads every spelling a caller may use.
A `Context` takes GL calls letter for letter; `Sampler`, `Texture` and `Program` can also be made directly. Nothing here
knows what hardware can do: a context is given `Limits` as data.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.gl.context import Bound, Context
    from statetracker.gl.enums import (
        CompareFunc,
        CompareMode,
        DepthStencilMode,
        DepthTextureMode,
        MagFilter,
        MinFilter,
        ReductionMode,
        SrgbDecode,
        Swizzle,
        Target,
        TextureParameter,
        Wrap,
    )
    from statetracker.gl.facts import TextureFacts, UnitFacts, changes
    from statetracker.gl.formats import InternalFormat, internal_format, internal_format_named
    from statetracker.gl.limits import Limits
    from statetracker.gl.names import SamplerFields
    from statetracker.gl.program import Program, SamplerUniform, Slot, sampler_target
    from statetracker.gl.sampler import Sampler
    from statetracker.gl.setters import Process
    from statetracker.gl.targets import Image
    from statetracker.gl.texture import Texture, fallback_texture
    from statetracker.gl.units import Unit

__all__ = [
    "Bound",
    "CompareFunc",
    "CompareMode",
    "Context",
    "DepthStencilMode",
    "DepthTextureMode",
    "Image",
    "InternalFormat",
    "Limits",
    "MagFilter",
    "MinFilter",
    "Process",
    "Program",
    "ReductionMode",
    "Sampler",
    "SamplerFields",
    "SamplerUniform",
    "Slot",
    "SrgbDecode",
    "Swizzle",
    "Target",
    "Texture",
    "TextureFacts",
    "TextureParameter",
    "Unit",
    "UnitFacts",
    "Wrap",
    "changes",
    "fallback_texture",
    "internal_format",
    "internal_format_named",
    "sampler_target",
]

# fmt: off
_MODULES = {
    "context": ("Bound", "Context"),
    "enums": ("CompareFunc", "CompareMode", "DepthStencilMode", "DepthTextureMode", "MagFilter", "MinFilter",
              "ReductionMode", "SrgbDecode", "Swizzle", "Target", "TextureParameter", "Wrap"),
    "facts": ("TextureFacts", "UnitFacts", "changes"),
    "formats": ("InternalFormat", "internal_format", "internal_format_named"),
    "limits": ("Limits",),
    "program": ("Program", "SamplerUniform", "Slot", "sampler_target"),
    "sampler": ("Sampler",),
    "setters": ("Process",),
    "units": ("Unit",),
    "targets": ("Image",),
    "texture": ("Texture", "fallback_texture"),
    "names": ("SamplerFields",),
}
# fmt: on

__getattr__, __dir__ = on_first_use(__name__, _MODULES)
