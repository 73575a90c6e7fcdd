"""``statetracker diff A B``: what changed between two recordings, member by member."""

from __future__ import annotations

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, json_line, prose, say, table
from statetracker.conformance.diff import compare_recordings

_SHOWN = 20


def diff_files(first: str, second: str, *, as_json: bool) -> int:
    """Compare two recorded case files; raises `RecordingError` where one is none."""
    comparison = compare_recordings(first, second)
    for problem in comparison.problems:
        say(str(problem.error))
    if more := comparison.problems.total - len(comparison.problems):
        say(f"{more:,} more lines cannot be read")
    if as_json:
        for change in comparison.changes:
            json_line(change._asdict())
        only = {"only_first": comparison.only[0], "only_second": comparison.only[1]}
        json_line({"matched": comparison.matched, "same": comparison.same, **only, "changes": len(comparison.changes)})
    else:
        prose(f"{comparison.matched} cases in both, {comparison.same} of them the same")
        prose(f"{comparison.only[0]} only in {first}, {comparison.only[1]} only in {second}")
        if comparison.changes:
            rows = [
                (what, count, reason or "not explained by a rule")
                for (what, reason), count in comparison.counts().most_common()
            ]
            table("", ("what", "cases", "rule"), rows, right=("cases",))
            examples = [(c.case, c.what, c.first, c.second, c.reason or "-") for c in comparison.changes[:_SHOWN]]
            print()
            table(f"the first {len(examples)}", ("case", "what", "first", "second", "rule"), examples)
    if comparison.problems:
        return EXIT_FAILED
    return EXIT_DIFFERS if comparison.changes or any(comparison.only) else EXIT_FINE
