"""GLSL's built-in variables and constants, as far as the flow of samplers needs their shapes.

Source: docs/glsl.md (The OpenGL Shading Language 4.60, section "Built-In Variables"; Mesa 22.3.6).
"""

from __future__ import annotations

from typing import Final

__all__ = ["CONSTANTS", "FRAGMENT_INPUTS", "MOST_VERTICES", "OUTPUTS", "PER_VERTEX", "SHAPES"]

#: Built-in outputs of any stage.
OUTPUTS: Final = frozenset(
    [
        "gl_Position",
        "gl_PointSize",
        "gl_ClipVertex",
        "gl_FrontColor",
        "gl_BackColor",
        "gl_FrontSecondaryColor",
        "gl_BackSecondaryColor",
        "gl_TexCoord",
        "gl_FogFragCoord",
        "gl_ClipDistance",
        "gl_CullDistance",
        "gl_Layer",
        "gl_ViewportIndex",
        "gl_PrimitiveID",
        "gl_TessLevelInner",
        "gl_TessLevelOuter",
        "gl_out",
        "gl_FragColor",
        "gl_FragData",
        "gl_FragDepth",
        "gl_SampleMask",
        "gl_FragStencilRefARB",
        "gl_SecondaryFragColorEXT",
        "gl_SecondaryFragDataEXT",
    ]
)
#: Built-in inputs of a fragment shader -> the outputs they come from.
FRAGMENT_INPUTS: Final = {
    "gl_Color": ("gl_FrontColor", "gl_BackColor"),
    "gl_SecondaryColor": ("gl_FrontSecondaryColor", "gl_BackSecondaryColor"),
    "gl_TexCoord": ("gl_TexCoord",),
    "gl_FogFragCoord": ("gl_FogFragCoord",),
    "gl_PrimitiveID": ("gl_PrimitiveID",),
    "gl_Layer": ("gl_Layer",),
    "gl_ViewportIndex": ("gl_ViewportIndex",),
    "gl_ClipDistance": ("gl_ClipDistance",),
}
#: Built-in variables that are no vec4: components, rows, elements (0 for no array).
SHAPES: Final = {
    "gl_FragDepth": (1, 0, 0), "gl_PointSize": (1, 0, 0), "gl_FogFragCoord": (1, 0, 0), "gl_FrontFacing": (1, 0, 0),
    "gl_VertexID": (1, 0, 0), "gl_InstanceID": (1, 0, 0), "gl_PrimitiveID": (1, 0, 0), "gl_Layer": (1, 0, 0),
    "gl_InvocationID": (1, 0, 0), "gl_PrimitiveIDIn": (1, 0, 0), "gl_SampleID": (1, 0, 0), "gl_FogCoord": (1, 0, 0),
    "gl_ViewportIndex": (1, 0, 0), "gl_PatchVerticesIn": (1, 0, 0), "gl_LocalInvocationIndex": (1, 0, 0),
    "gl_PointCoord": (2, 0, 0), "gl_SamplePosition": (2, 0, 0), "gl_Normal": (3, 0, 0), "gl_TessCoord": (3, 0, 0),
    "gl_GlobalInvocationID": (3, 0, 0), "gl_LocalInvocationID": (3, 0, 0), "gl_WorkGroupID": (3, 0, 0),
    "gl_NumWorkGroups": (3, 0, 0), "gl_NormalMatrix": (9, 3, 0), "gl_ClipDistance": (1, 0, 8),
    "gl_CullDistance": (1, 0, 8), "gl_TessLevelInner": (1, 0, 2), "gl_TessLevelOuter": (1, 0, 4),
    "gl_SampleMask": (1, 0, 1), "gl_SampleMaskIn": (1, 0, 1), "gl_FragStencilRefARB": (1, 0, 0),
    "gl_FragData": (4, 0, 8), "gl_TexCoord": (4, 0, 8), "gl_TextureMatrix": (16, 4, 8), "gl_ClipPlane": (4, 0, 8),
}  # fmt: skip
#: Constants that sizes of arrays and bounds of loops are made of (Mesa 22.3, llvmpipe).
CONSTANTS: Final = {
    "gl_MaxClipPlanes": 8, "gl_MaxClipDistances": 8, "gl_MaxDrawBuffers": 8, "gl_MaxLights": 8,
    "gl_MaxTextureCoords": 8, "gl_MaxTextureUnits": 8, "gl_MaxTextureImageUnits": 32,
    "gl_MaxVertexTextureImageUnits": 32,
}  # fmt: skip
#: Members of gl_in and gl_out, with their components.
PER_VERTEX: Final = {"gl_Position": 4, "gl_PointSize": 1, "gl_FrontColor": 4, "gl_BackColor": 4,
                      "gl_FrontSecondaryColor": 4, "gl_BackSecondaryColor": 4, "gl_FogFragCoord": 1}  # fmt: skip
#: Elements of arrays without a size: vertices of a patch or primitive.
MOST_VERTICES: Final = 32
