"""`statetracker.pages`: values are escaped, data cannot end a script, names break where their parts meet."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from statetracker.errors import MissingExtra
from statetracker.pages import filled

TEMPLATE = """{% extends "pages.html.j2" %}
{% block title %}{{ title }}{% endblock %}
{% block body %}<p>{{ title }}</p><i>{{ name|soft }}</i><script type="application/json">{{ data|json }}</script>
{{ number|thousands }}{% endblock %}
"""


def page(folder: Path, **values: object) -> str:
    (folder / "one.html.j2").write_text(TEMPLATE)
    usual: dict[str, object] = {"title": "t", "name": "n", "data": None, "number": 1}
    return filled(folder / "one.html.j2", "the page", usual | values)


def test_it_is_a_whole_page_whose_values_are_escaped_and_whose_data_cannot_end_its_script(tmp_path: Path) -> None:
    data = {"name": "</script><b>"}
    text = page(tmp_path, title="<script>&", number=7003, data=data)
    assert text.startswith('<!doctype html>\n<html lang="en">\n')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert text.rstrip().endswith("</html>")
    assert "<title>&lt;script&gt;&amp;</title>" in text
    assert "7,003" in text
    (inside,) = re.findall(r"application/json\">(.*?)</script>", text)
    assert json.loads(inside) == data
    assert ("src=" in text, "href=" in text) == (False, False)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("VkSamplerCreateInfo.flags", "VkSampler|CreateInfo.|flags"),
        ("CLAMP_TO_EDGE", "CLAMP_|TO_|EDGE"),
        ("0.6000000238", "0.6000000238"),
        ("<b>_more", "&lt;b&gt;_|more"),
    ],
)
def test_a_name_may_break_where_its_parts_meet(tmp_path: Path, name: str, parts: str) -> None:
    assert f"<i>{parts.replace('|', '<wbr>')}</i>" in page(tmp_path, name=name)


def test_a_value_that_is_missing_is_no_empty_place(tmp_path: Path) -> None:
    (tmp_path / "two.html.j2").write_text("{{ nothing }}")
    with pytest.raises(Exception, match="'nothing' is undefined"):
        filled(tmp_path / "two.html.j2", "the page", {})


def test_without_jinja2_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match="the page needs the package jinja2"):
        page(tmp_path)
