"""Check a built site: every internal link and anchor leads somewhere, and no page loads anything from elsewhere.

    python -m tools.site.check build/site

Exit codes: 0 all is well, 1 something is not, which is printed, a line each. Links to other sites are not followed.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote

__all__ = ["Page", "check"]

#: Attributes that make a browser fetch something, by tag; `a` has none.
_LOADS: Final = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
_STYLE: Final = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")
_ELSEWHERE: Final = re.compile(r"(?:https?:)?//")
_NO_FILE: Final = re.compile(r"(?:mailto|data|javascript):")


class Page(HTMLParser):
    """A page: its ``ids``, where it ``links`` to, what it ``loads``, what its own ``styles`` say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.styles = _STYLE.findall(text)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag says."""
        values = {name: value for name, value in attrs if value}
        self.ids |= {values[name] for name in ("id", "name") if name in values and tag != "meta"}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if _LOADS.get(tag) in values and values.get("rel") not in {"canonical", "prev", "next"}:
            self.loads.append(values[_LOADS[tag]])


def check(site: Path) -> list[str]:
    """Return what is wrong with a site, a line each."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    wrong = [] if pages else [f"{site}: no page"]
    for path, page in pages.items():
        name = path.relative_to(site.resolve()).as_posix()
        wrong += [f"{name}: loads {there}" for there in (*page.loads, *page.styles) if _ELSEWHERE.match(there)]
        if name != "404.html":  # its links are from the root, wherever that will be
            wrong += [f"{name}: {link} leads nowhere" for link in page.links if not _leads(link, path, pages)]
            wrong += [f"{name}: {there} is missing" for there in page.loads if not _there(there, path)]
    for style in sorted(site.rglob("*.css")):
        loaded = _STYLE.findall(style.read_text(encoding="utf-8"))
        wrong += [f"{style.relative_to(site)}: loads {there}" for there in loaded]
    return wrong


def _leads(link: str, page: Path, pages: dict[Path, Page]) -> bool:
    """Return whether a link of a page has a target; one to another site has."""
    if _ELSEWHERE.match(link) or _NO_FILE.match(link):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / unquote(path)).resolve() if path else page
    target = target / "index.html" if target.is_dir() else target
    if target not in pages:
        return target.is_file() and not anchor
    return not anchor or unquote(anchor) in pages[target].ids


def _there(load: str, page: Path) -> bool:
    """Return whether what a page loads from the site is in it."""
    if _ELSEWHERE.match(load) or _NO_FILE.match(load):
        return True
    return (page.parent / unquote(load.partition("#")[0].partition("?")[0])).resolve().is_file()


def main(argv: list[str]) -> int:
    """Check the site in a folder, and print what is wrong."""
    wrong = check(Path(argv[0]))
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
