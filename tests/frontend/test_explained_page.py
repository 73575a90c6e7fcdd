"""The page of a conversion: one file, no network, readable at 390 pixels; the pictures are those of the preview."""

from __future__ import annotations

import html
import re
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

import statetracker as st
from statetracker.cli.descriptions import result_of
from statetracker.errors import MissingExtra
from statetracker.frontend.explained import explained, preview_of
from statetracker.reference.picture import titled
from tests.conformance import browser

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
NAMES: Final = ("border", "clamp", "mirror", "shadow", "unfiltered")


def result(name: str) -> st.Result:
    file = str(EXAMPLES / f"{name}.toml")
    return result_of(file)


def words(page: str) -> str:
    return " ".join(html.unescape(page.replace("<wbr>", "")).split())


@pytest.mark.parametrize("name", NAMES)
def test_it_has_every_part(name: str) -> None:
    made = result(name)
    page, shown = words(made.explain_html(title=name)), explained(made)
    texts = [shown.where, shown.record, *(text for _, text in shown.came_in), *(text for _, _, text in shown.shader)]
    texts += [one.rule for one in shown.fired]
    assert [text for text in texts if text not in page] == []
    for heading in ("What came in", "Rules that fired", "What the shader adds", "What went out"):
        assert f"<h2>{heading}</h2>" in page


def test_its_pictures_are_those_of_the_preview() -> None:
    made = result("clamp")
    page = made.explain_html()
    pictures = [Image.open(BytesIO(b64decode(data))) for data in re.findall(r'base64,([^"]+)"', page)]
    preview = preview_of(made)
    wanted = titled(preview).values()
    assert [one.tobytes() for one in pictures] == [one.tobytes() for one in wanted]
    assert f"Off by at most {preview.largest_alone:.4g} without the shader, 0 with it" in words(page)


def test_a_title_is_text_and_no_markup() -> None:
    page = result("border").explain_html(title="<b>&")
    assert "<h1>&lt;b&gt;&amp;</h1>" in page


def test_a_state_that_no_rule_changes_says_so() -> None:
    screen = st.Screen.named("llvmpipe")
    page = words(st.convert(st.Sampler(min_lod=0), st.Texture(), screen).explain_html())
    assert "None: every member is as OpenGL has it." in page
    assert "<p>Nothing.</p>" in page


@pytest.mark.parametrize("module", ["jinja2", "PIL"])
def test_without_what_draws_it_the_error_names_the_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install (jinja2|pillow)$"):
        result("border").explain_html()


@pytest.mark.live("chromium")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["clamp", "shadow"])
def test_it_needs_no_network_and_is_no_wider_than_the_screen(name: str, width: int, tmp_path: Path) -> None:
    seen = browser.look(result(name).explain_html(title=f"{name}.toml"), tmp_path, width=width)
    assert [name for name in seen["fetched"] if not name.startswith("data:")] == []
    assert seen["refused"] == []
    assert (seen["errors"], seen["wide_open"]) == ([], [])
    assert seen["open"] <= width
