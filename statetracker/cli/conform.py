"""``statetracker conform``: random states on the installed driver, or a conversion of the user's own, beside ours.

``statetracker diff``: what changed between two recordings, member by member.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.cli.descriptions import screen_named
from statetracker.cli.output import (
    EXIT_DIFFERS,
    EXIT_FAILED,
    EXIT_FINE,
    EXIT_INTERRUPTED,
    error,
    json_line,
    print_wrapped,
    progress,
    quiet,
    table,
    write_file,
)
from statetracker.errors import ArgumentError
from statetracker.files import file_errors

if TYPE_CHECKING:
    from statetracker.conformance.agreement import Agreement
    from statetracker.conformance.tally import Tally

#: Options of drivers alone, and of a conversion of the user's own alone.
_OF_DRIVERS: Final = ("driver", "record", "report", "mesa_prefix", "jobs", "scheduler")
_OF_YOURS: Final = ("compare", "screen", "vulkan_dialect", "accepted", "junit")
_CHANGES: Final = 20  # changes between two recordings that are shown


def conform(convert: str | None, command: str | None, *, seed: int | None, **options: Any) -> int:  # noqa: ANN401
    """Compare; raises `ArgumentError` for an option that the chosen kind of comparison has not."""
    yours = bool(convert or command)
    for name in _OF_DRIVERS if yours else _OF_YOURS:
        if (value := options.pop(name)) not in (None, False):
            option = f"--{name.replace('_', '-')}"
            raise ArgumentError(option, value, accepted=f"{'without' if yours else 'with'} --convert or --command")
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    return _yours(convert, command, seed=chosen, **options) if yours else _drivers(seed=chosen, **options)


def _drivers(  # the command's options
    *,
    driver: list[str] | None,
    count: int,
    seed: int,
    record: str | None,
    report: str | None,
    jobs: int | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 (as `conform` has them)
) -> int:
    """Run every named driver; raises `StateTrackerError` for one that does not start."""
    names = driver or ["llvmpipe"]
    tallies = []
    for name in names:
        path = record if record is None or len(names) == 1 else _for_driver(record, name)
        tally = _run(name, count=count, seed=seed, record=path, jobs=jobs or 1, **options)
        tallies.append(tally)
        if as_json:
            json_line(tally.to_dict() | {"seed": seed})
        elif not quiet() or tally.differ or tally.failures:
            _show(tally, seed)
        if tally.interrupted:
            error(f"{name}: interrupted after {tally.cases} of {count} cases; what is shown and written is of these")
            break
    if report is not None:
        from statetracker.conformance.tally import render

        write_file(report, render(tallies, seed=seed).encode())
        if not as_json and not quiet():
            print(f"report    {report}")
    if any(tally.interrupted for tally in tallies):
        return EXIT_INTERRUPTED
    return EXIT_DIFFERS if any(tally.differ or tally.failures for tally in tallies) else EXIT_FINE


def _run(name: str, *, count: int, record: str | None, limit: float, **options: Any) -> Tally:  # noqa: ANN401
    """Run one driver with a progress bar on standard error."""
    from statetracker.conformance.run import conform

    with progress(name, count, "cases") as show:

        def watch(tally: Tally) -> None:
            if tally.cases % 20 == 0 or tally.cases == count:
                show(tally.cases, f"{tally.agree / tally.cases:.2%} agree, {len(tally.failures)} lost")

        with file_errors(str(record), "written"):
            return conform(name, count=count, record=record, limit_s=limit, watch=watch, **options)


def _by_reason(tally: Tally) -> list[tuple[str, list[str]]]:
    """Return each reason why rules were not hit, with those rules."""
    reasons: dict[str, list[str]] = {}
    for name, why in tally.rules_not_hit().items():
        reasons.setdefault(why, []).append(name)
    return list(reasons.items())


def _for_driver(path: str, name: str) -> str:
    """Put the driver's name into a file name, before its endings."""
    place = Path(path)
    stem, dot, rest = place.name.partition(".")
    return str(place.with_name(f"{stem}-{name}{dot}{rest}"))


def _show(tally: Tally, seed: int) -> None:
    """Print the totals, what was lost, and the shrunk counter-examples."""
    from statetracker.conformance.tally import infos_text

    rate = tally.cases / tally.seconds if tally.seconds else 0.0
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
        ("rules not hit", "; ".join(f"{why}: {', '.join(names)}" for why, names in _by_reason(tally)) or "none"),
        ("rows not hit", ", ".join(" ".join(row) for row in tally.rows_not_hit()) or "none"),
    ]
    table("", ("", ""), rows)
    for case, failure in tally.failures:
        print(f"\n{failure.kind} in case {case.get('id')}: {failure.detail}")
    for mismatch in tally.mismatches:
        print(f"\ncase {mismatch.case.get('id')} differs:\n{mismatch.explanation}\n\n{mismatch.test}")


def _yours(
    function: str | None,
    command: str | None,
    *,
    compare: str | None,
    screen: str | None,
    dialect: str | None,
    vulkan_dialect: str | None,
    count: int,
    seed: int,
    limit: float,
    accepted: bool,
    junit: str | None,
    as_json: bool,
) -> int:
    """Compare the user's conversion on random states and print the counterexamples; raises `StateTrackerError`."""
    from statetracker.conformance.agreement import Oracle
    from statetracker.conformance.agreement import junit as junit_of
    from statetracker.conformance.candidate import Program, function_named
    from statetracker.conformance.search import search

    if function and command:
        raise ArgumentError("--command", command, accepted="--convert or --command, not both")
    candidate = function_named(function) if function else Program(command or "", limit_s=limit)
    where = screen_named(screen or "llvmpipe")
    oracle = Oracle(where, dialect or "mesa22", compare or "bytes", vulkan_dialect or "native")
    with progress(candidate.name, count, "states") as show:
        agreement = search(candidate, oracle, count=count, seed=seed, accepted=accepted, watch=show)
    if junit is not None:
        write_file(junit, junit_of(agreement))
    if as_json:
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


def diff_files(first: str, second: str, *, as_json: bool) -> int:
    """Compare two recorded case files; raises `RecordingError` where one is none."""
    from statetracker.conformance.diff import compare_recordings

    comparison = compare_recordings(first, second)
    for problem in comparison.problems:
        error(str(problem.error))
    if more := comparison.problems.total - len(comparison.problems):
        error(f"{more:,} more lines cannot be read")
    if as_json:
        for change in comparison.changes:
            json_line(change._asdict())
        only = {"only_first": comparison.only[0], "only_second": comparison.only[1]}
        json_line({"matched": comparison.matched, "same": comparison.same, **only, "changes": len(comparison.changes)})
    else:
        print_wrapped(f"{comparison.matched} cases in both, {comparison.same} of them the same")
        print_wrapped(f"{comparison.only[0]} only in {first}, {comparison.only[1]} only in {second}")
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
