"""Attributes that are set in their order, and losses that are errors."""

from __future__ import annotations

from statetracker.errors import ArgumentError
from statetracker.gl.sampler import Attributes, Loss


class Log:
    """Keeps what is set on it."""

    def __init__(self) -> None:
        self.__dict__["order"] = []

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__["order"].append((name, value))


def test_attributes_are_set_in_their_order() -> None:
    log = Log()
    Attributes({"border_color": 1, "repeat_x": True}).onto(log)
    assert log.__dict__["order"] == [("border_color", 1), ("repeat_x", True)]


def test_a_loss_says_what_the_host_has_instead() -> None:
    error = Loss("lod_bias", 1.0, "0.0", "It has no such field").error("moderngl")
    assert isinstance(error, ArgumentError)
    assert str(error) == "lod_bias=1.0 cannot be used; accepted: 0.0 by moderngl. It has no such field."
