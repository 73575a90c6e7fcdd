"""The shaders that live cases draw with: one point, one sampler."""

from __future__ import annotations

from typing import Final

from statetracker.gl.program import sampler_target

#: A vertex shader that puts the point into the middle of the target.
POINT: Final = """\
#version 120
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0; }
"""

#: Sampler type without prefix and ``Shadow`` -> (components of its coordinate, the old function's name).
_COORDINATES: Final = {
    "sampler1D": (1, "texture1D"),
    "sampler2D": (2, "texture2D"),
    "sampler3D": (3, "texture3D"),
    "samplerCube": (3, "textureCube"),
    "sampler2DRect": (2, "texture2DRect"),
    "sampler1DArray": (2, "texture1DArray"),
    "sampler2DArray": (3, "texture2DArray"),
    "samplerCubeArray": (4, "texture"),
}
_EXTENSIONS: Final = {
    "samplerCubeArray": "GL_ARB_texture_cube_map_array",
    "sampler2DRect": "GL_ARB_texture_rectangle",
    "sampler1DArray": "GL_EXT_texture_array",
    "sampler2DArray": "GL_EXT_texture_array",
}
_GLSL_130: Final = 130


def fragment_shader(sampler_type: str, version: int) -> str:
    """Write a fragment shader that samples ``tex`` once.

    sampler_type   a GLSL sampler type, such as ``usampler2DArray`` or ``samplerCubeShadow``
    version        GLSL version, 120 or later

    Raises `ArgumentError` for a type that GLSL does not have.
    """
    sampler_target(sampler_type)
    shadow = sampler_type.endswith("Shadow")
    plain = sampler_type.removesuffix("Shadow").lstrip("iu")
    components, old = _COORDINATES[plain]
    function = "texture" if version >= _GLSL_130 else (old.replace("texture", "shadow", 1) if shadow else old)
    arguments = _shadow_arguments(plain, components) if shadow else _vector(components)
    value = f"{function}(tex, {arguments})"
    colour = f"vec4({value})" if shadow else value if sampler_type[0] == "s" else f"vec4({value})"
    extension = _EXTENSIONS.get(plain)
    lines = [
        f"#version {version}",
        f"#extension {extension} : enable" if extension else "",
        f"uniform {sampler_type} tex;",
        "void main() { gl_FragColor = " + colour + "; }",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _shadow_arguments(plain: str, components: int) -> str:
    """The coordinate with the reference value last; 1D has an unused component, and cube arrays a second argument."""
    if plain == "samplerCubeArray":
        return f"{_vector(components)}, 0.5"
    return _vector(3 if plain == "sampler1D" else components + 1)


def _vector(components: int) -> str:
    return "0.5" if components == 1 else f"vec{components}(0.5)"
