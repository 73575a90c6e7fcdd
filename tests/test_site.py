"""The site: what it is gathered from, its order, and the checker of what was built. `make site` builds it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tools.codegen.doc_api import public_packages
from tools.site.check import check
from tools.site.search import findable
from tools.site.stage import stage

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    stage(folder)
    return folder


def text(sources: Path, name: str) -> str:
    return (sources / name).read_text(encoding="utf-8")


def listed(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        for where in [entry] if isinstance(entry, str) else entry.values():
            yield from [where] if isinstance(where, str) else listed(where)


def test_every_page_has_one_place_in_the_navigation(sources: Path) -> None:
    with (ROOT / "zensical.toml").open("rb") as file:
        nav = list(listed(tomllib.load(file)["project"]["nav"]))
    assert nav[0] == "index.md"
    assert sorted(nav) == sorted(path.relative_to(sources).as_posix() for path in sources.rglob("*.md"))


def test_every_link_of_a_page_leads_to_a_file_of_the_site(sources: Path) -> None:
    for path in sources.rglob("*.md"):
        prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        lost = [link for link in LINK.findall(prose) if "://" not in link and not (path.parent / link).is_file()]
        assert lost == [], path


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("architecture.md", "](contributing.md#five-directories-one-import-name)"),
        ("contributing.md", "](architecture.md#packages)"),
        ("host_wgpu.md", "](files/examples/hosts/n64_compare.py)"),
        ("files/examples/hosts/n64_compare.py", '"""'),
        ("tutorial_driver.md", '<a href="rules/conversion.html#quantise">quantise</a>        hardware has multiples'),
        ("tutorial_driver.md", '<a href="rules/conversion.html#unit-bias">unit-bias</a>      the texture unit'),
        ("tutorial_driver.md", "\n...\n"),
    ],
)
def test_links_out_of_the_docs_lead_to_copies_and_what_explain_prints_to_the_rules(
    sources: Path, page: str, said: str
) -> None:
    assert said in text(sources, page)


def test_every_public_name_is_in_the_reference(sources: Path) -> None:
    for package in public_packages():
        short = package.__name__.removeprefix("statetracker.")
        page = text(sources, f"reference/{short}.md")
        for name in package.__all__:
            assert f"\n::: {package.__name__}.{name}\n" in page


def test_search_finds_either_spelling_and_each_python_name_once_in_full() -> None:
    entries = [
        ("rules/tables.html#border-colours", "Border colours", "A colour."),
        ("reference/statetracker.html#statetracker.Sampler", "Sampler", ""),
        ("reference/gl.html#statetracker.gl.Sampler", "Sampler", "Its border colour."),
        ("reference/gl.html#statetracker.gl.Sampler.wrap", "wrap", ""),
    ]
    found = findable({"location": where, "title": title, "text": text} for where, title, text in entries)
    assert [(item["title"], item["text"]) for item in found] == [
        ("Border colors", "A color."),
        ("Sampler", "Its border color."),
        ("Sampler.wrap", ""),
    ]


GOOD = (
    '<html><link rel="stylesheet" href="a.css"><p id="here"><a href="#here">x</a><a href="https://e.org">y</a></html>'
)


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        ('<a href="gone.html">', "index.html: gone.html leads nowhere"),
        ('<a href="#gone">', "index.html: #gone leads nowhere"),
        ('<a href="other.html#gone">', "index.html: other.html#gone leads nowhere"),
        ('<img src="gone.png">', "index.html: gone.png is missing"),
        ('<script src="https://e.org/a.js"></script>', "index.html: loads https://e.org/a.js"),
        ('<link rel="preconnect" href="//e.org">', "index.html: loads //e.org"),
        ("<style>@import 'https://e.org/a.css'</style>", "index.html: loads https://e.org/a.css"),
        ('<p style="background: url(https://e.org/a.png)">', "index.html: loads https://e.org/a.png"),
    ],
)
def test_a_site_with_a_fault_is_refused(extra: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("p { color: red }")
    (tmp_path / "other.html").write_text(GOOD)
    (tmp_path / "index.html").write_text(GOOD)
    assert check(tmp_path) == []
    (tmp_path / "index.html").write_text(GOOD + extra)
    assert check(tmp_path) == [complaint]


def test_a_style_that_fetches_something_and_an_empty_site_are_refused(tmp_path: Path) -> None:
    assert check(tmp_path) == [f"{tmp_path}: no page"]
    (tmp_path / "index.html").write_text("<p>")
    (tmp_path / "a.css").write_text("@font-face { src: url(https://e.org/a.woff) }")
    assert check(tmp_path) == ["a.css: loads https://e.org/a.woff"]
