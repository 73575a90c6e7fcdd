"""``statetracker conform``: random GL states on the installed driver, compared with our conversion."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FINE, EXIT_INTERRUPTED, json_line, quiet, say, table, write_file
from statetracker.cli.progress import progress
from statetracker.errors import FileError

if TYPE_CHECKING:
    from statetracker.conformance.tally import Tally


def conform_drivers(  # the command's options
    names: list[str],
    *,
    count: int,
    seed: int | None,
    record: str | None,
    report: str | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 (as `conform` has them)
) -> int:
    """Run every named driver; raises `StateTrackerError` for one that does not start."""
    chosen = random.SystemRandom().randrange(10**6) if seed is None else seed
    tallies = []
    for name in names:
        path = record if record is None or len(names) == 1 else _for_driver(record, name)
        tally = _run(name, count=count, seed=chosen, record=path, **options)
        tallies.append(tally)
        if as_json:
            json_line(tally.to_dict() | {"seed": chosen})
        elif not quiet() or tally.differ or tally.failures:
            _show(tally, chosen)
        if tally.interrupted:
            say(f"{name}: interrupted after {tally.cases} of {count} cases; what is shown and written is of these")
            break
    if report is not None:
        from statetracker.conformance.report import render

        write_file(report, render(tallies, seed=chosen).encode())
        if not as_json and not quiet():
            print(f"report    {report}")
    if any(tally.interrupted for tally in tallies):
        return EXIT_INTERRUPTED
    return EXIT_DIFFERS if any(tally.differ or tally.failures for tally in tallies) else EXIT_FINE


def _run(name: str, *, count: int, record: str | None, **options: Any) -> Tally:  # noqa: ANN401
    """Run one driver with a progress bar on standard error."""
    from statetracker.conformance.run import conform

    with progress(name, count, "cases") as show:

        def watch(tally: Tally) -> None:
            if tally.cases % 20 == 0 or tally.cases == count:
                show(tally.cases, f"{tally.agree / tally.cases:.2%} agree, {len(tally.failures)} lost")

        try:
            return conform(name, count=count, record=record, watch=watch, **options)
        except OSError as error:
            raise FileError(str(record), None, f"cannot be written: {error.strerror}") from None


def _by_reason(tally: Tally) -> list[tuple[str, list[str]]]:
    """Why rules were not hit, and which."""
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
    from statetracker.conformance.report import infos_text

    rate = tally.cases / tally.seconds if tally.seconds else 0.0
    rows: list[tuple[object, object]] = [
        ("driver", f"{tally.driver}: {tally.header.get('gl_renderer')}, Mesa {tally.header.get('mesa_version')}"),
        ("rules", tally.dialect + (f" ({tally.note})" if tally.note else "")),
        ("seed", seed),
        ("cases", f"{tally.cases} ({rate:.0f} a second)"),
        ("agree", tally.agree),
        ("differ", tally.differ),
        ("lost", f"{len(tally.failures)} (crash, hang, rubbish)"),
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
