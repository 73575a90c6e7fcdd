"""Pictures as a judge: the reference texture unit against the machine's GL, and rewritten shaders against GL_CLAMP.

`formats`, `scene`       texels of every kind, in GL and for the reference unit
`unit_cases`             what is compared: wraps, targets, filters, borders, comparisons, levels, offsets, gathers
`deviations`             where Mesa's software drivers do otherwise, and why
`unit_run`               the comparison, in a process that has the driver
"""

from __future__ import annotations
