"""``statetracker diff A B``: what changed between two recordings, member by member."""

from __future__ import annotations

from statetracker.cli.output import EXIT_DIFFERS, EXIT_FAILED, EXIT_FINE, json_line, say, table
from statetracker.conformance.diff import compare_recordings

__all__ = ["diff_files"]

_SHOWN = 20


def diff_files(first: str, second: str, *, as_json: bool) -> int:
    """Compare two recorded case files; raises `RecordingError` where one is none."""
    found = compare_recordings(first, second)
    for problem in found.problems:
        say(str(problem.error))
    if as_json:
        for change in found.changes:
            json_line(change._asdict())
        only = {"only_first": found.only[0], "only_second": found.only[1]}
        json_line({"matched": found.matched, "same": found.same, **only, "changes": len(found.changes)})
    else:
        print(f"{found.matched} cases in both, {found.same} of them the same")
        print(f"{found.only[0]} only in {first}, {found.only[1]} only in {second}")
        if found.changes:
            rows = [
                (what, count, reason or "not explained by a rule")
                for (what, reason), count in found.counts().most_common()
            ]
            table("", ("what", "cases", "rule"), rows, right=("cases",))
            examples = [(c.case, c.what, c.first, c.second, c.reason or "-") for c in found.changes[:_SHOWN]]
            print()
            table(f"the first {len(examples)}", ("case", "what", "first", "second", "rule"), examples)
    if found.problems:
        return EXIT_FAILED
    return EXIT_DIFFERS if found.changes or any(found.only) else EXIT_FINE
