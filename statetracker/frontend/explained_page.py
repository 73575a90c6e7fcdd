"""The page of a conversion: one HTML file that needs no network, with what the state samples in pictures.

Needs the extras ``report`` (jinja2, Pillow) and ``batch`` (NumPy).
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.frontend.explained import explained
from statetracker.pages import filled

if TYPE_CHECKING:
    from statetracker.frontend.result import Result

#: What the four pictures show, beside their titles.
_MEANS: Final = {
    "asked for": "what OpenGL specifies",
    "hardware alone": "the sampler without the shader's share",
    "with the shader": "the sampler with the shader's share",
    "difference": "of the third from the first; black: none",
}


def as_page(result: Result, *, title: str = "") -> str:
    """Give the page's HTML; ``title`` names the state. Raises `MissingExtra`."""
    shown = explained(result)
    changed = {(one.made, one.field) for one in shown.fired}
    values = {
        **shown._asdict(),
        "title": title or "A sampler state",
        "changed": changed,
        **_pictures(result),
    }
    return filled(Path(__file__).parent / "explained_page.html.j2", "the page", values)


def _pictures(result: Result) -> dict[str, object]:
    """The pictures as PNG in base64, and how far hardware is off."""
    from statetracker.frontend.preview import preview_of
    from statetracker.reference.picture import titled

    preview = preview_of(result)
    pictures = []
    for name, image in titled(preview).items():
        data = BytesIO()
        image.save(data, "PNG", optimize=True)
        pictures.append((name, _MEANS[name], b64encode(data.getvalue()).decode()))
    return {"pictures": pictures, "alone": preview.largest_alone, "shaded": preview.largest_shaded}
