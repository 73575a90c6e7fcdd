"""Gather what the site is made of in one folder: docs/, the pages beside it, the reference; links that work there.

    python -m tools.site.stage build/site-source

Pages stay where a code host shows them. In the copy, links out of docs/ lead to copies: of pages in `BESIDE`, of files
of the repository under ``files/``. What `explain` prints has each rule's name linked to its anchor.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from tools.codegen.doc_api import public_packages
from tools.codegen.doc_layout import summary
from tools.codegen.doc_rules import anchored_rules

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["BESIDE", "listing", "reference", "relinked", "stage"]

ROOT: Final = Path(__file__).resolve().parents[2]
#: Page of the repository -> page of the site; all others are those of docs/.
BESIDE: Final = {"docs/README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}

_FENCE: Final = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"(\[[^\]]*\]\()([^)\s]+)(\))")
#: The first line of what `explain` prints -> the page of its rules.
_HEADS: Final = {"field": "rules/conversion.md", "member": "vulkan_samplers.md"}


def stage(target: Path) -> list[str]:
    """Fill a folder, which is emptied first; give its pages, sorted. Raises `FileNotFoundError` for a dead link."""
    shutil.rmtree(target, ignore_errors=True)
    sources = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file()]
    for source in sorted({*sources, *BESIDE}):
        if source.endswith(".md"):
            _write(target / site_path(source), relinked(source, (ROOT / source).read_text(encoding="utf-8"), target))
        else:
            _copy(source, target / site_path(source))
    for package in public_packages():
        _write(target / "reference" / f"{_short(package)}.md", reference(package))
    _copy("tools/site/site.css", target / "site.css")
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*.md"))


def site_path(source: str) -> str:
    """Return where a file of the repository lies in the site's sources."""
    return BESIDE.get(source) or (source.removeprefix("docs/") if source.startswith("docs/") else f"files/{source}")


def relinked(source: str, text: str, target: Path) -> str:
    """Return a page as it is to stand in ``target``; the files that it links to are copied there."""
    parts, last = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_prose(source, text[last : fence.start()], target), listing(source, fence)]
        last = fence.end()
    return "".join([*parts, _prose(source, text[last:], target)])


def _prose(source: str, text: str, target: Path) -> str:
    def link(match: re.Match[str]) -> str:
        path, mark, anchor = match[2].partition("#")
        if "://" in path or not path:
            return match[0]
        there = (ROOT / source).parent.joinpath(path).resolve().relative_to(ROOT).as_posix()
        placed = site_path(there)
        if placed.startswith("files/"):
            _copy(there, target / placed)
        return f"{match[1]}{_from(source, placed)}{mark}{anchor}{match[3]}"

    return _LINK.sub(link, text)


def _from(source: str, placed: str) -> str:
    return relpath(placed, PurePosixPath(site_path(source)).parent)


def listing(source: str, fence: re.Match[str]) -> str:
    """Return a block as it is, or with links where it is what `explain` prints."""
    indent, _, body = fence.groups()
    start = re.search(r"^(field|member) +value +rule +because$", body, re.MULTILINE)
    if start is None or indent:
        return fence[0]
    page = _HEADS[start[1]]
    column, last = start[0].index("rule "), start[0].index("because")
    lines = []
    for line in body.splitlines():
        if line.startswith("$ "):
            lines.append(f'<span class="gp">$ </span>{html.escape(line[2:])}\n')
            continue
        name = line[column:].split(" ", 1)[0]
        before, after = html.escape(line[:column]), html.escape(line[column + len(name) :])
        known = name in anchored_rules(page)
        at = f"{_from(source, page.removesuffix('.md'))}.html#{name}"
        row = f'<span class="row" style="--last: {last}ch">{before}<a href="{at}">{name}</a>{after}\n</span>'
        lines.append(row if known else f"{html.escape(line)}\n")
    return f'<div class="highlight"><pre><code>{"".join(lines)}</code></pre></div>'


def reference(package: ModuleType) -> str:
    """Write the page of a package: its public names, which mkdocstrings fills with signatures and docstrings."""
    head = f"# {package.__name__}\n\n{summary(package)}\n\n"
    return head + "\n".join(f"::: {package.__name__}.{name}\n" for name in package.__all__)


def _short(package: ModuleType) -> str:
    return package.__name__.removeprefix("statetracker.")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / source, path)


if __name__ == "__main__":
    print(f"{len(stage(Path(sys.argv[1])))} pages in {sys.argv[1]}")
