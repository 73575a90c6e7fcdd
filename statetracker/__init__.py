"""statetracker: what an OpenGL program asks of a texture sampler, turned into what hardware can do.

The names below are loaded on first use; importing the package loads nothing else.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use, warn_of_namesake

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from statetracker import batch as batch
    from statetracker.caps import FormatFeatures as FormatFeatures
    from statetracker.caps import Screen as Screen
    from statetracker.errors import StateTrackerError as StateTrackerError
    from statetracker.findings import inspect as inspect
    from statetracker.frontend import Policy as Policy
    from statetracker.frontend import Result as Result
    from statetracker.frontend import StateTracker as StateTracker
    from statetracker.frontend import convert as convert
    from statetracker.frontend import plan_samplers as plan_samplers
    from statetracker.gl import Context as Context
    from statetracker.gl import Limits as Limits
    from statetracker.gl import Program as Program
    from statetracker.gl import Sampler as Sampler
    from statetracker.gl import SamplerUniform as SamplerUniform
    from statetracker.gl import Texture as Texture
    from statetracker.pipe import SamplerState as SamplerState
    from statetracker.shader import ModuleVariants as ModuleVariants
    from statetracker.shader import border_values as border_values
    from statetracker.shader import lower as lower
    from statetracker.shader import sample_function as sample_function
    from statetracker.shader import split_samplers as split_samplers
    from statetracker.survey import portability as portability

__version__ = "0.1.0"

_ROOMS: dict[str, tuple[str, ...]] = {
    "batch": (),
    "caps": ("FormatFeatures", "Screen"),
    "errors": ("StateTrackerError",),
    "findings": ("inspect",),
    "frontend": ("Policy", "Result", "StateTracker", "convert", "plan_samplers"),
    "gl": ("Context", "Limits", "Program", "Sampler", "SamplerUniform", "Texture"),
    "pipe": ("SamplerState",),
    "shader": ("ModuleVariants", "border_values", "lower", "sample_function", "split_samplers"),
    "survey": ("portability",),
}

warn_of_namesake(__file__)
__getattr__, __dir__, __all__ = on_first_use(__name__, _ROOMS)
