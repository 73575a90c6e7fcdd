"""Rows of ``statetracker bench`` for create infos: from the pipe record, from GL's state, checked, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.benchmarks.measure import Work, statement
from statetracker.caps import Screen
from statetracker.frontend import convert
from statetracker.gl import Sampler, Texture
from statetracker.vulkan import create_info, violations

if TYPE_CHECKING:
    from collections.abc import Iterator

# fmt: off
#: Row -> its statement.
_ROWS: Final = {
    "create info, from a record":                           "create_info(plain, screen)",
    "create info, from a record, custom border colour":     "create_info(border, screen)",
    "create info, from a record, zink22":                   "create_info(plain, screen, dialect='zink22')",
    "convert().vulkan, from GL's state":                    "convert(s, t, screen).vulkan",
    "convert().vulkan and violations":                      "convert(s, t, screen).violations",
    "convert().explain_vulkan()":                           "convert(s, t, screen).explain_vulkan()",
    "violations of a create info":                          "violations(info, screen)",
    "a create info as plain data":                          "info.to_dict()",
}
# fmt: on


def vulkan_statements() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, statement and names for each row."""
    screen, texture = Screen.named("zink-lavapipe"), Texture(internal_format="RGBA8")
    plain = Sampler(min_filter="linear", max_anisotropy=4)
    border = Sampler(wrap="clamp-to-border", min_filter="linear", border_color=(1.0, 0.5, 0.0, 1.0))
    records = {"plain": convert(plain, texture, screen).pipe, "border": convert(border, texture, screen).pipe}
    names = {"create_info": create_info, "convert": convert, "violations": violations, "screen": screen}
    info = create_info(records["border"], screen)
    for name, text in _ROWS.items():
        yield name, text, {**names, **records, "s": plain, "t": texture, "info": info}


def vulkan_works() -> Iterator[Work]:
    """Yield the rows."""
    for name, text, names in vulkan_statements():
        yield statement(name, text, 1_000, **names)
