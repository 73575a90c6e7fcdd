"""Recorded programs replayed: what a replay of GL calls needs to know of the programs that a stream brings.

`SourceAnalysis` answers which samplers a program uses, for `statetracker.frontend.StreamReplay`. GLSL is not compiled:
declarations, the names that main reaches and what the stream itself says decide. Reading GLSL needs the extra
``replay``; it is loaded with the first GLSL source.
"""

from __future__ import annotations

from statetracker.replay.analysis import SourceAnalysis

__all__ = ["SourceAnalysis"]
