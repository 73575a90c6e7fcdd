"""What a shader must make up: GL_CLAMP and GL_MIRROR_CLAMP_EXT, written into its SPIR-V module.

`lower` takes a module and, for each descriptor, the axes to clamp; see docs/shader_clamp.md.
"""

from __future__ import annotations

from statetracker.shader.clamp import lower
from statetracker.shader.request import Lowered, Note, WrapAxes

__all__ = ["Lowered", "Note", "WrapAxes", "lower"]
