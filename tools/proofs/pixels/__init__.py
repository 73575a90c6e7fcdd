"""Pictures as a judge: the reference texture unit against the machine's GL, and rewritten shaders against GL_CLAMP.

`formats`, `scene`       texels of every kind, in GL and for the reference unit
`unit_cases`             what is compared: wraps, targets, filters, borders, comparisons, levels, offsets, gathers
`deviations`             where Mesa's software drivers do otherwise, and why
`unit_run`               the comparison, in a process that has the driver
`clamp_forms`            every form of sampling that the GL_CLAMP rewrite knows, as shaders
`clamp_run`              rewritten shaders on GL, against native GL_CLAMP
`gl_draw`                one draw or dispatch on GL; `vulkan_draw`: one draw on Vulkan
`lacking`                states as lesser devices have them
`lowered_run`            shaders lowered for these devices, on GL; `lowered_formats`: borders of every format
`lowered_vulkan`         the same on Vulkan, with create infos; rewritten shaders against the reference unit
`webgpu_run`             cases of the reference unit and random ones on WebGPU
`frames`                 what lowering costs: ``make lowered-frames``
"""

from __future__ import annotations
