"""What other packages' samplers and textures say, as fields of ours, and back: plain data in, plain data out.

Nothing here imports those packages, or a room of ours: an object is read by the attributes that it has. The ways in are
`Sampler.from_moderngl`, `from_vulkan`, `from_wgpu`, `to_moderngl` and `Texture.from_moderngl`. The page is
docs/hosts.md.
"""
