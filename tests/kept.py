"""Tables of a whole run, kept beside the tests for the docs."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["assert_kept"]

_BUILD: Final = Path(__file__).parents[1] / "build"


def assert_kept(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Fail where a table is not the kept one; the new one is written to the folder ``build`` then."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    if file.getvalue() != path.read_text(encoding="utf-8"):
        _BUILD.mkdir(exist_ok=True)
        new = _BUILD / path.name
        new.write_text(file.getvalue(), encoding="utf-8")
        raise AssertionError(f"If {new} is right, put it in the place of {path}, and run tools/codegen/make_docs.py.")
