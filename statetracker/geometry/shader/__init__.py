"""Real geometry shaders: a SPIR-V module lowered into the back end's program. See docs/geometry.md, Real shaders."""

from __future__ import annotations

from statetracker.geometry.shader.interface import BuiltIn, Interface, Varying
from statetracker.geometry.shader.lowering import Lowered, Remark, shader_of_module

__all__ = ["BuiltIn", "Interface", "Lowered", "Remark", "Varying", "shader_of_module"]
