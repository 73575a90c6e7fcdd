"""Tests of a conversion of your own, for pytest: one for each member, and one that it answers at all.

The states are run once, for whichever test comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statetracker.conformance.agreement import ANSWERS_TEST, Agreement, Oracle, compared_names
from statetracker.conformance.plugin import Comparison
from statetracker.conformance.search import screen_of, search
from statetracker.conformance.theirs import Program, function_named
from statetracker.errors import StateTrackerError

if TYPE_CHECKING:
    from statetracker.conformance.theirs import Theirs


def items(session: pytest.Session) -> list[pytest.Item]:
    """The tests that the options ask for; raises `pytest.UsageError` where they make no sense."""
    function, command = (session.config.getoption(f"--statetracker-{name}") for name in ("convert", "command"))
    if function and command:
        raise pytest.UsageError("--statetracker-convert or --statetracker-command, not both")
    try:
        limit_s = session.config.getoption("--statetracker-limit")
        theirs = function_named(function) if function else Program(command, limit_s=limit_s)
        group = _Group.from_parent(session, name=f"statetracker {theirs.name}")
        group.prepare(theirs)
    except StateTrackerError as error:
        raise pytest.UsageError(f"statetracker: {error}") from None
    return group.collect()


class _Group(pytest.Collector):
    """The tests of one conversion."""

    theirs: Theirs
    oracle: Oracle
    _agreement: Agreement | None = None

    def prepare(self, theirs: Theirs) -> None:
        """Take the conversion, and make the oracle that the options describe."""
        dialect, compare, vulkan_dialect, screen = (
            self.config.getoption(f"--statetracker-{name}")
            for name in ("dialect", "compare", "vulkan-dialect", "screen")
        )
        self.theirs, self.oracle = theirs, Oracle(screen_of(screen), dialect, compare, vulkan_dialect)
        compared_names(compare)

    def collect(self) -> list[pytest.Item]:
        """One item a name."""
        items = [_Item.from_parent(self, name=name) for name in (ANSWERS_TEST, *compared_names(self.oracle.compare))]
        for item in items:
            item.title = self.theirs.name
        return [*items]

    def agreement(self) -> Agreement:
        """Run the states, once."""
        if self._agreement is None:
            count, seed = (self.config.getoption(f"--statetracker-{name}") for name in ("cases", "seed"))
            self._agreement = search(self.theirs, self.oracle, count=count, seed=seed)
        return self._agreement


class _Item(Comparison):
    """One member."""

    parent: _Group
    plain = (AssertionError, StateTrackerError)

    def runtest(self) -> None:
        """Fail with the shrunk counterexample."""
        agreement = self.parent.agreement()
        count, differ, example = next(rest for name, *rest in agreement.results() if name == self.name)
        if differ:
            raise AssertionError(f"{differ} of {count} states differ from {agreement.oracle}\n{example or ''}")
        if not count:
            pytest.skip("no answer has it")
