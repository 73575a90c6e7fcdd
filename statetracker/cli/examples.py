"""``statetracker examples``: the examples of this version, which the installed package carries, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import statetracker
from statetracker.cli.output import EXIT_FINE, info, quiet, write_file
from statetracker.errors import ArgumentError, BrokenInstallation
from statetracker.files import file_errors

if TYPE_CHECKING:
    from statetracker.cli.options import Given

#: What needs the recordings of a checkout.
_LEFT: Final = {"drivers.py"}


def write_examples(given: Given) -> int:
    """Write them, and leave what is not among them; raises `FileError`.

    `ArgumentError` where a file is there and ``--force`` is not given; nothing is written then.
    """
    folder: str = given.folder
    source, place = folder_here(), Path(folder)
    names = sorted(
        path.relative_to(source)
        for path in source.rglob("*")
        if path.is_file() and path.name not in _LEFT and path.parent.name != "__pycache__"
    )
    there = [name for name in names if (place / name).exists() or (place / name).is_symlink()]
    if there and not given.force:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        hint = f"{place / there[0]}{more} would be replaced: --force does it."
        raise ArgumentError("DIR", folder, accepted="a folder without files of these names", hint=hint)
    for name in names:
        with file_errors(folder, "written"):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            data = (source / name).read_bytes()
        write_file(str(place / name), data)
    if not quiet():
        print(f"{len(names)} files in {folder}")
    info(f"next: cd {folder}, then statetracker explain border.toml; README.md there says what each file is")
    return EXIT_FINE


def folder_here() -> Path:
    """Return the folder of the examples: the package's own, or that of the checkout. Raises `BrokenInstallation`."""
    package = Path(statetracker.__file__).parent
    for folder in (package / "examples", package.parent / "examples"):
        if (folder / "border.toml").is_file():
            return folder
    raise BrokenInstallation(str(package / "examples"), hint="Install gallium-statetracker again.")
