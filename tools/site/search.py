"""Make a built site's search find what readers type: either spelling of colour, and each Python name once, in full.

python -m tools.site.search build/site
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["findable"]

#: The page of names that other pages of the reference have too.
_AGAIN: Final = "reference/statetracker.html#"
#: The anchor of a member: its package, then its class and its name.
_MEMBER: Final = re.compile(r"reference/[\w.]+#statetracker\.[a-z_]+\.([A-Z]\w*\.)\w+")


def findable(items: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """Return the entries of a search index as readers look for them.

    A word that is in no entry finds words like it, so color finds the same as colour where only color is written.
    """
    kept = [dict(item) for item in items if not str(item["location"]).startswith(_AGAIN)]
    for item in kept:
        member = _MEMBER.fullmatch(str(item["location"]))
        item["title"] = (member[1] if member else "") + str(item["title"])
        item |= {key: re.sub("([Cc])olour", r"\1olor", str(item[key])) for key in ("title", "text")}
    return kept


def main(argv: list[str]) -> None:
    """Rewrite the index of the site in a folder."""
    path = Path(argv[0]) / "search.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(index | {"items": findable(index["items"])}), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
