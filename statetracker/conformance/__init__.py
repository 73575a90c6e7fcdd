"""Conformance: what a driver or a cache must do, as tests for other people's projects, and on the installed Mesa.

`generate`, `strategies`   random cases: from a seed, and as hypothesis strategies
`machine`                  a hypothesis state machine of a context and its constant-state cache
`drivers`, `live`          the drivers of this machine, run in processes of their own
`worker`, `pipe_tail`      such a process: GL calls in, what Mesa told its driver out
`judge`, `readback`        comparing, member by member
`run`, `tally`             a whole run and its counts; `coverage`: which rows of the tables it went through
`shrink`                   the fewest calls that still show a mismatch
`report`, `diff`           the HTML report; what changed between two recordings
`plugin`                   the same as tests, for pytest

Nothing is loaded until one of them is imported; hypothesis and pytest are needed only by those that are named after them.
"""

__all__: list[str] = []
