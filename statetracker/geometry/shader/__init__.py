"""Real geometry shaders: a SPIR-V module lowered into the back end's program. See docs/geometry.md, Real shaders."""
