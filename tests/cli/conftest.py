"""What tests of the command line share: run it, and look at what it printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from statetracker.cli import main

__all__ = ["Ran", "Run"]


class Ran(NamedTuple):
    """The exit code, and what was printed on standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Values of the output, a line of JSON each."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def data(self) -> Any:
        """Value of the output, one line of JSON."""
        (line,) = self.lines
        return line


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line; no traceback is ever printed."""

    def ran(*argv: object) -> Ran:
        code = main([str(part) for part in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in err + out
        return Ran(code, out, err)

    return ran
