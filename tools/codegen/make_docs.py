"""Write the tables of docs/ from the tables of the code.

A page marks where a table goes, and prose stands around it::

    <!-- table: wrap -->
    | GL | pipe | ... |
    <!-- end -->

``python tools/codegen/make_docs.py`` rewrites what stands between the marks, in place; the tables by name are in
``tools/codegen/doc_tables.py``. With ``--check`` nothing is written. Exit codes: 0 every page is as the code says, or
was made so; 1 with ``--check``, a page would change; 2 a page names a table that does not exist, or does not end one.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Final

from tools.codegen.doc_tables import TABLES

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
_BLOCK: Final = re.compile(r"^<!-- table: ([\w ./-]+?) -->\n(.*?)^<!-- end -->$", re.DOTALL | re.MULTILINE)
_BEGIN: Final = re.compile(r"^<!-- table:", re.MULTILINE)


class BadPage(Exception):
    """A page whose marks make no sense."""


def rendered(text: str) -> str:
    """Return a page with every marked table as the code has it; raises `BadPage`."""
    if len(_BEGIN.findall(text)) != len(_BLOCK.findall(text)):
        raise BadPage("a table has no <!-- end -->, or no name")
    return _BLOCK.sub(_block, text)


def _block(match: re.Match[str]) -> str:
    name = match[1]
    if name not in TABLES:
        raise BadPage(f"table {name!r} does not exist; there are: {', '.join(TABLES)}")
    return f"<!-- table: {name} -->\n\n{TABLES[name]().strip()}\n\n<!-- end -->"


def main(argv: list[str] | None = None) -> int:
    """Rewrite or check every page of docs/."""
    parser = argparse.ArgumentParser(description="Write the tables of docs/ from the tables of the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page would change")
    check: bool = parser.parse_args(argv).check
    changed = 0
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text(encoding="utf-8")
        try:
            after = rendered(before)
        except BadPage as error:
            sys.stderr.write(f"{page}: {error}\n")
            return 2
        if after != before:
            changed += 1
            print(f"{page.relative_to(DOCS.parent)}: {'would change' if check else 'rewritten'}")
            if not check:
                page.write_text(after, encoding="utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
