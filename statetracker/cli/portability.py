"""``statetracker portability``: one described state on every device of the corpus."""

from __future__ import annotations

from pathlib import Path

from statetracker.cli.convert import blamed, inputs_of, parse
from statetracker.cli.output import EXIT_FINE, json_line, note, prose, write_file
from statetracker.survey import as_page, portability

_ANY = "zink-lavapipe"  # the state is converted for other screens than the description's


def show_portability(file: str, *, html: str | None, dialect: str | None, as_json: bool) -> int:
    """Print the shares, or write the page; raises `StateTrackerError` for what cannot be read or used."""
    description = parse(file)
    with blamed(file):
        given = inputs_of(description, file=file, screen=_ANY, dialect=dialect)
        answer = portability(given.sampler, given.texture, **given.options)
    if html is not None:
        name = "standard input" if file == "-" else Path(file).name
        write_file(html, as_page(answer, title=name, state=_words(description)).encode())
        note(f"wrote {html}")
    if as_json:
        json_line(answer.to_dict())
    elif html is None:
        prose(str(answer))
    return EXIT_FINE


def _words(description: dict[str, object]) -> str:
    """What the description says, without the device."""
    lines = []
    for part in ("sampler", "texture", "unit", "dialect"):
        value = description.get(part)
        if isinstance(value, dict):
            lines += [f"{part} {name} = {one}" for name, one in value.items()]
        elif value is not None:
            lines.append(f"{part} {value}")
    return "\n".join(lines)
