"""statetracker: what an OpenGL program asks of a texture sampler, turned into what hardware can do.

The names below are loaded on first use; importing the package loads nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; typing itself costs more to load than all of this
if TYPE_CHECKING:
    from statetracker.caps import FormatFeatures, Screen
    from statetracker.errors import StateTrackerError
    from statetracker.frontend import Policy, Result, StateTracker, convert
    from statetracker.gl import Context, Limits, Program, Sampler, SamplerUniform, Texture
    from statetracker.pipe import SamplerState
    from statetracker.shader import lower

__all__ = [
    "Context",
    "FormatFeatures",
    "Limits",
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
    "convert",
    "lower",
]

__version__ = "0.1.0"

_ROOMS = {
    "Context": "gl",
    "FormatFeatures": "caps",
    "Limits": "gl",
    "Policy": "frontend",
    "Program": "gl",
    "Result": "frontend",
    "Sampler": "gl",
    "SamplerState": "pipe",
    "SamplerUniform": "gl",
    "Screen": "caps",
    "StateTracker": "frontend",
    "StateTrackerError": "errors",
    "Texture": "gl",
    "convert": "frontend",
    "lower": "shader",
}


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use."""
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module 'statetracker' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"statetracker.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Public names, loaded or not."""
    return sorted([*__all__, "__version__"])
