"""``statetracker conform --convert`` and ``--command``: a conversion of the user's own, compared with ours."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FINE, json_line, quiet, table, write_file
from statetracker.cli.progress import progress
from statetracker.cli.screen_options import screen_named
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from statetracker.conformance.agreement import Agreement


def conform_yours(
    function: str | None,
    command: str | None,
    *,
    compare: str | None,
    screen: str | None,
    dialect: str | None,
    vulkan_dialect: str | None,
    count: int,
    seed: int | None,
    limit_s: float,
    junit: str | None,
    as_json: bool,
) -> int:
    """Compare on random states and print the counterexamples; raises `StateTrackerError`."""
    from statetracker.conformance.agreement import Oracle
    from statetracker.conformance.agreement import junit as junit_of
    from statetracker.conformance.search import search
    from statetracker.conformance.theirs import Program, function_named

    if function and command:
        raise ArgumentError("--command", command, accepted="--convert or --command, not both")
    theirs = function_named(function) if function else Program(command or "", limit_s=limit_s)
    where = screen_named(screen or "llvmpipe")
    oracle = Oracle(where, dialect or "mesa22", compare or "bytes", vulkan_dialect or "native")
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    with progress(theirs.name, count, "states") as show:
        agreement = search(theirs, oracle, count=count, seed=chosen, watch=show)
    if junit is not None:
        write_file(junit, junit_of(agreement))
    if as_json:
        json_line(agreement.to_dict())
    elif not quiet() or not agreement.agrees:
        _show(agreement)
    return EXIT_FINE if agreement.agrees else EXIT_DIFFERS


def _show(agreement: Agreement) -> None:
    """Print who was compared with what, the counts of what differs, and the counterexamples."""
    skipped = f", {agreement.skipped} passed over" if agreement.skipped else ""
    counts = ", ".join(f"{name} {count}" for name, count in agreement.differ.items())
    rows = [
        ("compared", f"{agreement.name} with {agreement.oracle}"),
        ("states", f"{agreement.cases} different ones{skipped} (--seed {agreement.seed})"),
        ("differ", counts or "none"),
        *([("note", agreement.note)] if agreement.note else []),
    ]
    table("", ("", ""), rows)
    for example in agreement.counterexamples:
        print(f"\n{example}")
