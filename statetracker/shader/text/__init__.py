"""Functions that sample as GL asks, as text: `sample_function`, in GLSL, GLSL ES, WGSL, HLSL, Slang and MSL.

See docs/shader_text.md.
"""

from __future__ import annotations

from statetracker.shader.text.function import SampleFunction, sample_function
from statetracker.shader.text.languages import LANGUAGES
from statetracker.shader.text.template import FORMS, TARGETS

__all__ = ["FORMS", "LANGUAGES", "TARGETS", "SampleFunction", "sample_function"]
