"""``statetracker preview``: a picture of what a state samples, inside and around the texture.

It reads the same description as ``statetracker convert``; what the pictures are is in `statetracker.frontend.preview`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.convert import blamed, parse, result_of
from statetracker.cli.output import EXIT_FINE, json_line, prose, quiet, write_file
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from statetracker.reference.picture import Preview


def preview_file(file: str, *, output: str, size: int, screen: str | None, dialect: str | None, as_json: bool) -> int:
    """Draw one description's preview into a PNG; raises `StateTrackerError` for what cannot be read or drawn."""
    from statetracker.reference.picture import sheet

    form = _form(output)
    shown = preview_of(file, size=size, screen=screen, dialect=dialect)
    picture = BytesIO()
    sheet(shown).save(picture, form)
    write_file(output, picture.getvalue())
    figures = {"largest_difference_alone": shown.largest_alone, "largest_difference_shaded": shown.largest_shaded}
    if as_json:
        json_line({"output": output, "size": size, **figures, "state": shown.given.hex(), "asked": shown.state.hex()})
    elif not quiet():
        prose(
            f"{output}: as requested, hardware alone (off by up to {shown.largest_alone:.4g}), "
            f"with the shader (off by up to {shown.largest_shaded:.4g}), difference"
        )
    return EXIT_FINE


def _form(output: str) -> str:
    """The form of a picture, by its file name; raises `ArgumentError` for another than these."""
    form = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".bmp": "BMP", ".webp": "WEBP"}.get(
        Path(output).suffix.lower()
    )
    if form is None:
        raise ArgumentError("-o", output, accepted="a file name that ends in .png, .jpg, .gif, .bmp or .webp")
    return form


def preview_of(file: str, *, size: int = 240, screen: str | None = None, dialect: str | None = None) -> Preview:
    """Draw one description's pictures."""
    from statetracker.frontend import preview

    description = parse(file)
    with blamed(file):
        result = result_of(description, file=file, screen=screen, dialect=dialect)
        return preview.preview_of(result, size=size)
