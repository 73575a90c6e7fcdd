"""``statetracker explain``: what came in, each rule that fired, what went out, what the shader adds; or a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.aligned import aligned
from statetracker.cli.convert import blamed, parse, result_of
from statetracker.cli.output import EXIT_FINE, folded, json_line, note, table, write_file
from statetracker.frontend.explained import explained

if TYPE_CHECKING:
    from statetracker.frontend.explained import Explained


def explain_file(
    file: str,
    *,
    screen: str | None,
    dialect: str | None,
    vulkan_dialect: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Explain one description; raises `StateTrackerError` for what cannot be read, used or written."""
    description = parse(file)
    title = "standard input" if file == "-" else Path(file).name
    with blamed(file):
        result = result_of(description, file=file, screen=screen, dialect=dialect, vulkan_dialect=vulkan_dialect)
    shown = explained(result)
    if html is not None:
        write_file(html, result.explain_html(title=title).encode())
        note(f"wrote {html}")
    if as_json:
        json_line(shown.to_dict())
    elif html is None:
        _print(title, shown)
    return EXIT_FINE


def _print(title: str, shown: Explained) -> None:
    print(f"{title}: {shown.where}\n\nwhat came in")
    print("\n".join(f"  {line}" for line in aligned(shown.came_in)))
    print("\nrules that fired" if shown.fired else "\nno rule fired: every member is as OpenGL has it")
    for one in shown.fired:
        print(folded(f"{one.field}: {one.before} -> {one.after}", "  ", " " * 6))
        print(folded(f"{one.because} ({one.rule}, of {one.made})", " " * 6))
    print("\nwhat the shader adds" if shown.shader else "\nthe shader adds nothing")
    for work, axes, words in shown.shader:
        print(folded(f"{work}{f' {axes}' if axes else ''}: {words}", "  ", " " * 6))
    for remark in shown.remarks:
        print(f"\n{folded(remark)}")
    print(f"\nwhat went out\n  {shown.record}")
    for made, rows in shown.out.items():
        print()
        table(made, ("member", "value", "rule"), rows, typed=("member",))
