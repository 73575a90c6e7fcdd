"""GL's sampler, texture, unit and program state as the application sets it, and GL's errors.

Enum classes take one family of GL names each, members lose ``GL_``; `names` reads every spelling a caller may use.
A `Context` takes GL calls letter for letter; `Sampler`, `Texture` and `Program` can also be made directly. Nothing here
knows what hardware can do: a context is given `Limits` as data.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statetracker.gl.context import Bound as Bound
    from statetracker.gl.context import Context as Context
    from statetracker.gl.enums import CompareFunc as CompareFunc
    from statetracker.gl.enums import CompareMode as CompareMode
    from statetracker.gl.enums import DepthStencilMode as DepthStencilMode
    from statetracker.gl.enums import DepthTextureMode as DepthTextureMode
    from statetracker.gl.enums import MagFilter as MagFilter
    from statetracker.gl.enums import MinFilter as MinFilter
    from statetracker.gl.enums import ReductionMode as ReductionMode
    from statetracker.gl.enums import SrgbDecode as SrgbDecode
    from statetracker.gl.enums import Swizzle as Swizzle
    from statetracker.gl.enums import Target as Target
    from statetracker.gl.enums import TextureParameter as TextureParameter
    from statetracker.gl.enums import Wrap as Wrap
    from statetracker.gl.facts import TextureFacts as TextureFacts
    from statetracker.gl.facts import UnitFacts as UnitFacts
    from statetracker.gl.facts import changes as changes
    from statetracker.gl.formats import InternalFormat as InternalFormat
    from statetracker.gl.formats import internal_format as internal_format
    from statetracker.gl.formats import internal_format_named as internal_format_named
    from statetracker.gl.limits import Limits as Limits
    from statetracker.gl.program import Program as Program
    from statetracker.gl.program import SamplerUniform as SamplerUniform
    from statetracker.gl.program import Slot as Slot
    from statetracker.gl.program import sampler_target as sampler_target
    from statetracker.gl.sampler import Sampler as Sampler
    from statetracker.gl.sampler import SamplerFields as SamplerFields
    from statetracker.gl.setters import Process as Process
    from statetracker.gl.targets import Image as Image
    from statetracker.gl.texture import Texture as Texture
    from statetracker.gl.texture import fallback_texture as fallback_texture
    from statetracker.gl.units import Unit as Unit

# fmt: off
_MODULES = {
    "context": ("Bound", "Context"),
    "enums": ("CompareFunc", "CompareMode", "DepthStencilMode", "DepthTextureMode", "MagFilter", "MinFilter",
              "ReductionMode", "SrgbDecode", "Swizzle", "Target", "TextureParameter", "Wrap"),
    "facts": ("TextureFacts", "UnitFacts", "changes"),
    "formats": ("InternalFormat", "internal_format", "internal_format_named"),
    "limits": ("Limits",),
    "program": ("Program", "SamplerUniform", "Slot", "sampler_target"),
    "sampler": ("Sampler", "SamplerFields"),
    "setters": ("Process",),
    "units": ("Unit",),
    "targets": ("Image",),
    "texture": ("Texture", "fallback_texture"),
}
# fmt: on

__getattr__, __dir__, __all__ = on_first_use(__name__, _MODULES)
