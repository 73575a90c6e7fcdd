"""Ready-made loops for programs that draw with wgpu-py, Vulkan or moderngl: each module has a `Renderer`.

None of these packages is imported: device or context are the program's. The page is docs/host_wgpu.md.
"""
