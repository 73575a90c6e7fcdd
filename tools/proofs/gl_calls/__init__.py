"""Random sequences of GL's sampler and texture calls: this machine's Mesa and `statetracker.gl.Context` do the same."""
