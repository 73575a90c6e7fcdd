"""The languages that functions are printed in, by name."""

from __future__ import annotations

from typing import Final

from statetracker.shader.text.glsl import Glsl, GlslEs
from statetracker.shader.text.hlsl import Hlsl, Slang
from statetracker.shader.text.metal import Metal
from statetracker.shader.text.wgsl import Wgsl

#: Name -> language.
LANGUAGES: Final = {one.name: one() for one in (Glsl, GlslEs, Wgsl, Hlsl, Slang, Metal)}
