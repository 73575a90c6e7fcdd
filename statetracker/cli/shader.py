"""``statetracker shader``: a function that samples a described state as GL asks, as text."""

from __future__ import annotations

from statetracker.cli.descriptions import result_of
from statetracker.cli.output import EXIT_FINE, info, json_line, write_file
from statetracker.errors import ArgumentError
from statetracker.shader import border_values
from statetracker.shader.text import sample_function


def write_shader(  # one argument an option
    file: str,
    *,
    language: str,
    screen: str | None,
    name: str,
    forms: str | None,
    wraps: str,
    constants: bool,
    output: str | None,
    values: str | None,
    as_json: bool,
) -> int:
    """Write the function, and its block's bytes; raises `StateTrackerError` for what cannot be read or written."""
    result = result_of(file, screen=screen)
    made = sample_function(
        result, language, name=name, forms=[one.strip() for one in forms.split(",")] if forms else (), wraps=wraps,
        constants=result if constants else None,
    )  # fmt: skip
    if values is not None and not made.values:
        raise ArgumentError("--values", values, accepted="a file, for a function that reads a block")
    if output is not None:
        write_file(output, made.text.encode())
    if values is not None:
        write_file(values, border_values([result]))
    lost = [str(loss) for loss in result.unsupported]
    if as_json:
        json_line({**made._asdict(), "unsupported": lost})
        return EXIT_FINE
    if output is None:
        print(made.text, end="")
    notes = {"inexact": made.inexact, "unresolved": made.unresolved, "unsupported": lost, "remark": made.remarks}
    for word, each in notes.items():
        for one in each:
            info(f"{word}: {one}")
    return EXIT_FINE
