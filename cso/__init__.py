"""Constant state objects: a record becomes a driver handle once, and a bind is a lookup.

This room will hold the cache of created states, its key rules and its eviction policy, and the binding context
(``CsoContext``) that tells a driver only what changed. It will import ``statetracker.pipe`` and nothing else of ours.

Nothing is in it yet.
"""

__all__: list[str] = []
