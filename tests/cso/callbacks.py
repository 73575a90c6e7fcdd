"""Drivers whose callbacks call their context back: everything that would change something has to be refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from statetracker.cso import Resolved
from statetracker.errors import InvalidCallOrder

__all__ = ["FORBIDDEN", "CallsBack"]

FORBIDDEN: Final[dict[str, Callable[[Any, bytes], object]]] = {
    "sampler_state, a miss": lambda context, _: context.sampler_state(bytes(range(36))),
    "single_sampler": lambda context, record: context.single_sampler("fragment", 0, record),
    "single_sampler, None": lambda context, _: context.single_sampler("fragment", 0, None),
    "single_sampler_done": lambda context, _: context.single_sampler_done("fragment"),
    "set_samplers": lambda context, record: context.set_samplers("vertex", [record]),
    "set_samplers, None": lambda context, _: context.set_samplers("fragment", [None]),
    "look_up": lambda context, record: context.look_up("fragment", [record]),
    "look_up, None": lambda context, _: context.look_up("fragment", [None]),
    "bind_resolved": lambda context, _: context.bind_resolved("fragment", Resolved((), (), context.cache.epoch)),
    "save_samplers": lambda context, _: context.save_samplers("compute"),
    "restore_samplers": lambda context, _: context.restore_samplers("vertex"),
    "unbind": lambda context, _: context.unbind(),
    "destroy": lambda context, _: context.destroy(),
    "forget": lambda context, _: context.forget(),
    "tidy": lambda context, _: context.tidy(),
    "max_size": lambda context, _: setattr(context, "max_size", 1),
    "cache.obtain": lambda context, record: context.cache.obtain(record),
    "cache.clear": lambda context, _: context.cache.clear(),
    "cache.forget": lambda context, _: context.cache.forget(),
    "cache.resize": lambda context, _: context.cache.resize(2),
}


def _around(name: str) -> Any:
    def callback(driver: CallsBack, *arguments: Any) -> Any:
        driver.call_back()
        made = getattr(super(CallsBack, driver), name)(*arguments)
        driver.call_back()
        return made

    return callback


class CallsBack:
    """Before a driver's class: makes forbidden calls in every callback, before and after its work.

    forbidden  calls by name, of a context (or a tracker) and a record
    at_once    how many of them, one after another
    calls      how many were made; ``wrong`` of the driver has those that were not refused
    """

    context: Any = None
    record = bytes(36)
    forbidden = FORBIDDEN
    at_once = len(FORBIDDEN)
    calls = 0
    wrong: list[str]

    def call_back(self) -> None:
        """Make the next calls."""
        for _ in range(self.at_once if self.context is not None else 0):
            name, forbidden = [*self.forbidden.items()][self.calls % len(self.forbidden)]
            self.calls += 1
            try:
                forbidden(self.context, self.record)
            except InvalidCallOrder as error:
                if not re.search("inside a driver's callback|it is destroyed", str(error)):
                    self.wrong.append(f"{name} came in: {error}")
            else:
                self.wrong.append(f"{name} was not refused")

    create_sampler_state = _around("create_sampler_state")
    bind_sampler_states = _around("bind_sampler_states")
    delete_sampler_state = _around("delete_sampler_state")
