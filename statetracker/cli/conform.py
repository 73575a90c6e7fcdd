"""``statetracker conform``: random states on the installed driver, or a conversion of the user's own, beside ours.

``statetracker diff``: what changed between two recordings, member by member.
"""

from __future__ import annotations

import random
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.descriptions import screen_named
from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    EXIT_INTERRUPTED,
    error,
    json_line,
    json_lines,
    print_wrapped,
    progress,
    quiet,
    table,
    try_file,
    write_file,
)
from statetracker.errors import ArgumentError
from statetracker.files import file_errors

if TYPE_CHECKING:
    from statetracker.cli.options import Given
    from statetracker.conformance.agreement import Agreement
    from statetracker.conformance.tally import Tally

#: Options of drivers alone, and of a conversion of the user's own alone.
_OF_DRIVERS: Final = ("driver", "record", "report", "mesa_prefix", "jobs", "scheduler")
_OF_YOURS: Final = ("compare", "screen", "vulkan_dialect", "accepted", "junit")
_CHANGES: Final = 20  # changes between two recordings that are shown


def conform(given: Given) -> int:
    """Compare; raises `ArgumentError` for an option that the chosen kind of comparison has not."""
    yours = bool(given.convert or given.command)
    for name in _OF_DRIVERS if yours else _OF_YOURS:
        if (value := getattr(given, name)) not in (None, False):
            option = f"--{name.replace('_', '-')}"
            raise ArgumentError(option, value, accepted=f"{'without' if yours else 'with'} --convert or --command")
    for output in filter(None, (given.report, given.junit)):
        try_file(output)
    if given.seed is None:
        given.seed = random.SystemRandom().randrange(10**6)
    return _yours(given) if yours else _drivers(given)


def _drivers(given: Given) -> int:
    """Run every named driver; raises `StateTrackerError` for one that does not start."""
    from statetracker.conformance.drivers import driver as driver_named

    names = [driver_named(name).name for name in given.driver or ["llvmpipe"]]
    tallies: list[Tally] = []
    for name in names:
        tally = _run(name, given, given.record if len(names) == 1 else given.record and _for_driver(given.record, name))
        tallies.append(tally)
        if given.as_json:
            json_line(tally.to_dict() | {"seed": given.seed})
        elif not quiet() or not tally.fine:
            _show(tally, given.seed)
        if tally.interrupted:
            cases = f"{tally.cases} of {given.count} cases"
            error(f"{name}: interrupted after {cases}; what is shown and written is of these")
            break
    if given.report is not None:
        from statetracker.conformance.tally import render

        write_file(given.report, render(tallies, seed=given.seed))
        if not given.as_json and not quiet():
            print(f"report    {given.report}")
    if tallies[-1].interrupted:
        return EXIT_INTERRUPTED
    return EXIT_FINE if all(tally.fine for tally in tallies) else EXIT_DIFFERS


def _run(name: str, given: Given, record: str | None) -> Tally:
    """Run one driver with a progress bar on standard error."""
    from statetracker.conformance.run import conform

    with progress(name, given.count, "cases") as show:

        def watch(tally: Tally) -> None:
            if tally.cases % 20 == 0 or tally.cases == given.count:
                show(tally.cases, f"{tally.agree / tally.cases:.2%} agree, {len(tally.failures)} lost")

        with nullcontext() if record is None else file_errors(record, "written"):
            return conform(
                name, count=given.count, seed=given.seed, dialect=given.dialect, record=record, limit_s=given.limit,
                mesa_prefix=given.mesa_prefix, jobs=given.jobs or 1, scheduler=given.scheduler, watch=watch,
            )  # fmt: skip


def _for_driver(path: str, name: str) -> str:
    """Put the driver's name into a file name, before its endings."""
    place = Path(path)
    stem, dot, rest = place.name.partition(".")
    return str(place.with_name(f"{stem}-{name}{dot}{rest}"))


def _show(tally: Tally, seed: int) -> None:
    """Print the totals, what was lost, and the shrunk counter-examples."""
    from statetracker.conformance.tally import infos_text

    rate = tally.cases / tally.seconds if tally.seconds else 0.0
    missed: dict[str, list[str]] = {}
    for name, why in tally.rules_not_hit().items():
        missed.setdefault(why, []).append(name)
    rows: list[tuple[object, object]] = [
        ("driver", f"{tally.driver}: {tally.header.get('gl_renderer')}, Mesa {tally.header.get('mesa_version')}"),
        ("rules", tally.dialect + (f" ({tally.note})" if tally.note else "")),
        ("seed", seed),
        ("cases", f"{tally.cases} ({rate:.0f} a second)"),
        ("agree", tally.agree),
        ("differ", tally.differ),
        ("lost", f"{len(tally.failures)} (crash, hang, invalid answer)"),
        ("skipped", f"{sum(tally.skipped.values())} of those that agree: refused by the driver, only errors compared"),
        ("compared", ", ".join(f"{name} {count}" for name, count in sorted(tally.compared.items()))),
        *([("create infos", text)] if (text := infos_text(tally)) else []),
        ("rules not hit", "; ".join(f"{why}: {', '.join(names)}" for why, names in missed.items()) or "none"),
        ("rows not hit", ", ".join(" ".join(row) for row in tally.rows_not_hit()) or "none"),
    ]
    table("", ("", ""), rows)
    for case, failure in tally.failures:
        print(f"\n{failure.kind} in case {case.get('id')}: {failure.detail}")
    for mismatch in tally.mismatches:
        print(f"\ncase {mismatch.case.get('id')} differs:\n{mismatch.explanation}\n\n{mismatch.test}")


def _yours(given: Given) -> int:
    """Compare the user's conversion on random states and print the counterexamples; raises `StateTrackerError`."""
    from statetracker.conformance.agreement import Oracle, junit
    from statetracker.conformance.candidate import Program, function_named
    from statetracker.conformance.search import search

    function, program, count = given.convert, given.command, given.count
    if function and program:
        raise ArgumentError("--command", program, accepted="--convert or --command, not both")
    candidate = function_named(function) if function else Program(program, limit_s=given.limit)
    rules = given.dialect or "mesa22", given.compare or "bytes", given.vulkan_dialect or "native"
    oracle = Oracle(screen_named(given.screen or "llvmpipe"), *rules)
    with progress(candidate.name, count, "states") as show:
        agreement = search(candidate, oracle, count=count, seed=given.seed, accepted=given.accepted, watch=show)
    if given.junit is not None:
        write_file(given.junit, junit(agreement))
    if given.as_json:
        json_line(agreement.to_dict())
    elif not quiet() or not agreement.agrees:
        _show_agreement(agreement)
    return EXIT_FINE if agreement.agrees else EXIT_DIFFERS


def _show_agreement(agreement: Agreement) -> None:
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


def diff_files(given: Given) -> int:
    """Compare two recorded case files; raises `RecordingError` where one is none."""
    from statetracker.conformance.diff import compare_recordings

    comparison = compare_recordings(given.first, given.second)
    for problem in comparison.problems:
        error(str(problem.error))
    if more := comparison.problems.total - len(comparison.problems):
        error(f"{more:,} more lines cannot be read")
    if given.as_json:
        json_lines(change._asdict() for change in comparison.changes)
        only = {"only_first": comparison.only[0], "only_second": comparison.only[1]}
        json_line({"matched": comparison.matched, "same": comparison.same, **only, "changes": len(comparison.changes)})
    else:
        print_wrapped(f"{comparison.matched} cases in both, {comparison.same} of them the same")
        print_wrapped(f"{comparison.only[0]} only in {given.first}, {comparison.only[1]} only in {given.second}")
        if comparison.changes:
            rows = [
                (what, count, reason or "not explained by a rule")
                for (what, reason), count in comparison.counts().most_common()
            ]
            table("", ("what", "cases", "rule"), rows, right=("cases",))
            examples = [(c.case, c.what, c.first, c.second, c.reason or "-") for c in comparison.changes[:_CHANGES]]
            print()
            table(f"the first {len(examples)}", ("case", "what", "first", "second", "rule"), examples)
    if comparison.problems:
        return EXIT_FAILED
    return EXIT_DIFFERS if comparison.changes or any(comparison.only) else EXIT_FINE
