"""What hardware can do: the `Screen`, its embedded profiles, and the readers that make one from a file.

A screen is data. Once it is built nobody asks where it came from: a profile of this package, the header of a recorded
case file, or a screen file. Files are checked at the door by pydantic, which is loaded only then.
"""

from __future__ import annotations

from statetracker.caps.filtering import FormatFeatures, LinearFiltering
from statetracker.caps.flags import FLAGS, Flag
from statetracker.caps.intel import GENERATIONS, Generation, generation
from statetracker.caps.profiles import PROFILES, profile_names
from statetracker.caps.screen import UNFILTERABLE_DEPTH, Screen

__all__ = [
    "FLAGS",
    "GENERATIONS",
    "PROFILES",
    "UNFILTERABLE_DEPTH",
    "Flag",
    "FormatFeatures",
    "Generation",
    "LinearFiltering",
    "Screen",
    "generation",
    "profile_names",
]
