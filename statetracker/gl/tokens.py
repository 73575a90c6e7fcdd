"""Tokens: integers that are never used twice in a process.

Every sampler, texture and unit carries one and takes a new one on every change. Who remembers a result keeps the
tokens it was made from; equal tokens mean that nothing changed, and a reused address cannot fool anybody.
"""

from __future__ import annotations

from itertools import count

__all__ = ["next_token"]

next_token = count(1).__next__
