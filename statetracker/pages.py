"""Pages of HTML that are one file: no network, readable on a phone. Needs the extra ``report`` (jinja2).

A template begins with ``{% extends "pages.html.j2" %}``, which has what all pages share, and fills its blocks.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.errors import MissingExtra

if TYPE_CHECKING:
    from markupsafe import Markup

#: Where a name may break on a narrow screen: at an underscore, after a dot, before what kind of structure it is.
_PARTS: Final = re.compile(r"(?<=\D\.)(?=\w{4})|(?<=VkSampler)|(?=CreateInfo)|(?<=_)(?=\w{3})")


def filled(template: Path, what: str, values: dict[str, Any]) -> str:
    """Return the HTML of a template's file, with its values by their names there; every value is escaped.

    Raises `MissingExtra`, which names the page ``what``, where jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtra(what, "jinja2", "report") from error
    loader = FileSystemLoader([template.parent, Path(__file__).parent])
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["thousands"] = lambda value: f"{value:,}" if isinstance(value, int) else value
    environment.filters["soft"] = _soft
    environment.filters["json"] = _json
    return environment.get_template(template.name).render(values)


def _json(data: object) -> Markup:
    """Return data that a page's script reads; no tag can be in it."""
    from markupsafe import Markup

    return Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))  # noqa: S704 (no tag can be in it)


def _soft(name: str) -> Markup:
    """Let a name break where its parts meet: ``VkSamplerCreateInfo.flags`` is wider than a phone's column."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(part) for part in _PARTS.split(name))
