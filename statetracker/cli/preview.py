"""``statetracker preview``: a picture of what a state samples, inside and around the texture.

It reads the same description as ``statetracker convert``. The request is the conversion for the same screen if
its hardware had every wrap; the rest is the conversion as it is, without and with the shader's share.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.convert import inputs_of, parse
from statetracker.cli.output import EXIT_FINE, json_line
from statetracker.errors import FileError, StateTrackerError
from statetracker.frontend import convert

if TYPE_CHECKING:
    from statetracker.frontend import Result
    from statetracker.reference.picture import Folds

__all__ = ["preview_file"]


def preview_file(file: str, *, output: str, size: int, screen: str | None, dialect: str | None, as_json: bool) -> int:
    """Draw one description's preview into a PNG; raises `StateTrackerError` for what cannot be read or drawn."""
    from statetracker.reference.picture import preview, sheet

    description = parse(file)
    try:
        given = inputs_of(description, screen=screen, dialect=dialect)
        result = convert(given.sampler, given.texture, given.screen, **given.options)
        whole = given.screen.replace(emulate_gl_clamp=False)
        requested = convert(given.sampler, given.texture, whole, **given.options)
    except FileError:
        raise
    except StateTrackerError as error:
        raise FileError(file, None, str(error)) from None
    shown = preview(requested.pipe, result.pipe, folds_of(result), size=size)
    try:
        sheet(shown).save(Path(output))
    except (OSError, ValueError) as error:
        raise FileError(output, None, f"cannot be written: {error}") from None
    figures = {"largest_difference_alone": shown.largest_alone, "largest_difference_shaded": shown.largest_shaded}
    if as_json:
        records = {"state": result.pipe.hex(), "asked": requested.pipe.hex()}
        json_line({"output": output, "size": size, **figures, **records})
    else:
        print(
            f"{output}: as requested, hardware alone (off by up to {shown.largest_alone:.4g}), "
            f"with the shader (off by up to {shown.largest_shaded:.4g}), difference"
        )
    return EXIT_FINE


def folds_of(result: Result) -> Folds:
    """Say what the shader does to s and t: saturate for GL_CLAMP, fold for GL_MIRROR_CLAMP_EXT."""
    from statetracker.reference.picture import Folds

    work = result.lowering
    return Folds(*("mirror" if axis in work.mirror else "saturate" if axis in work.clamp else "" for axis in "st"))
