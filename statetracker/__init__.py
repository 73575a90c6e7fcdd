"""statetracker: what an OpenGL program asks of a texture sampler, turned into what hardware can do.

The names below are loaded on first use; importing the package loads nothing else.
"""

from __future__ import annotations

from statetracker.lazy import on_first_use, warn_of_namesake

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from statetracker import batch as batch
    from statetracker.caps import FormatFeatures, Screen
    from statetracker.errors import StateTrackerError
    from statetracker.findings import inspect
    from statetracker.frontend import Policy, Result, StateTracker, convert, plan_samplers
    from statetracker.gl import Context, Limits, Program, Sampler, SamplerUniform, Texture
    from statetracker.pipe import SamplerState
    from statetracker.shader import ModuleVariants, border_values, lower, sample_function, split_samplers
    from statetracker.survey import portability

__all__ = [
    "Context",
    "FormatFeatures",
    "Limits",
    "ModuleVariants",
    "Policy",
    "Program",
    "Result",
    "Sampler",
    "SamplerState",
    "SamplerUniform",
    "Screen",
    "StateTracker",
    "StateTrackerError",
    "Texture",
    "border_values",
    "convert",
    "inspect",
    "lower",
    "plan_samplers",
    "portability",
    "sample_function",
    "split_samplers",
]

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
__getattr__, __dir__ = on_first_use(__name__, _ROOMS)
