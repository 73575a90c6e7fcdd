"""Reading a screen from a file: a screen file, or the header line of a recorded case file.

A screen file is a JSON object with ``caps`` (``PIPE_CAP_*`` -> integer), ``capsf`` (``PIPE_CAPF_*`` -> text or
number), and optionally ``limits``, ``gl_extensions``, ``context``, ``gallium_driver``, ``linear_filtering`` (pipe
format -> bool), ``unfilterable_depth``, ``force_integer_tex_nearest``; what is left out follows from the caps. The
header of a recorded case file is one such object. pydantic checks it here, and only here.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, field_validator

from statetracker.caps.filtering import FormatFeatures
from statetracker.caps.flags import NOT_ZINK
from statetracker.caps.screen import UNFILTERABLE_DEPTH, Screen
from statetracker.caps.storage import TABLES
from statetracker.errors import ArgumentError, ScreenError
from statetracker.gl.limits import PROFILES

__all__ = ["ScreenFile", "load_screen", "screen_from"]

_GZIP_MAGIC: Final = b"\x1f\x8b"
_ANISOTROPY: Final = "PIPE_CAPF_MAX_TEXTURE_ANISOTROPY"
_SIZE: Final = "GL_MAX_TEXTURE_SIZE"
_UNITS: Final = "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS"
_ZINK: Final = "zink"


class ScreenFile(BaseModel):
    """The shape of a screen file; members it does not name are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)

    caps: dict[str, int]
    capsf: dict[str, float] = Field(default_factory=dict)
    limits: dict[str, FiniteFloat] = Field(default_factory=dict)
    gl_extensions: list[str] | None = None
    context: str = "compatibility"
    name: str | None = None
    driver: str | None = None
    gallium_driver: str | None = None
    linear_filtering: dict[str, bool] | None = None
    unfilterable_depth: str | None = None
    force_integer_tex_nearest: bool = False
    need_border_color_type: bool = False

    @field_validator("caps")
    @classmethod
    def _names(cls, caps: dict[str, int]) -> dict[str, int]:
        bad = next((name for name in caps if not name.startswith("PIPE_CAP_")), None)
        if bad is not None:
            raise ValueError(f"{bad!r} is not the name of a PIPE_CAP_")
        return caps

    @field_validator("capsf", mode="before")
    @classmethod
    def _numbers(cls, capsf: object) -> object:
        if not isinstance(capsf, dict):
            return capsf
        return {name: float(value) if isinstance(value, int | str) else value for name, value in capsf.items()}

    @field_validator("context")
    @classmethod
    def _profile(cls, context: str) -> str:
        if context not in PROFILES:
            raise ValueError(f"accepted: {', '.join(PROFILES)}")
        return context

    @field_validator("linear_filtering")
    @classmethod
    def _formats(cls, linear: dict[str, bool] | None) -> dict[str, bool] | None:
        return None if linear is None else FormatFeatures(linear).linear

    @field_validator("unfilterable_depth")
    @classmethod
    def _depth(cls, value: str | None) -> str | None:
        if value is not None and value not in UNFILTERABLE_DEPTH:
            raise ValueError(f"accepted: {', '.join(UNFILTERABLE_DEPTH)}")
        return value


def screen_from(data: object, *, file: str = "<data>", line: int | None = None) -> Screen:
    """Build a screen from a parsed screen file.

    data    the JSON object; members that `ScreenFile` does not name, and caps that samplers do not read, are ignored
    file    what the error calls it
    line    where it stands, from 1; None: it is the whole file

    Raises `ScreenError` that names the member at fault. Source: docs/screens.md.
    """
    try:
        parsed = ScreenFile.model_validate(data)
        return _screen(parsed)
    except ValidationError as error:
        first = error.errors()[0]
        member = ".".join(str(part) for part in first["loc"]) or "the document"
        problem = f"not a screen: {member}: {first['msg']}"
        raise ScreenError(file, line, problem, hint="A screen is a JSON object with 'caps'.") from None
    except ArgumentError as error:
        raise ScreenError(file, line, f"not a screen: {error}") from None


def _screen(parsed: ScreenFile) -> Screen:
    fields: dict[str, Any] = {
        "capsf": parsed.capsf,
        "context": parsed.context,
        "max_anisotropy": parsed.capsf.get(_ANISOTROPY, 16.0),
        "max_texture_size": int(parsed.limits.get(_SIZE, 16384)),
        "max_combined_units": int(parsed.limits.get(_UNITS, 192)),
        "force_integer_tex_nearest": parsed.force_integer_tex_nearest,
        "need_border_color_type": parsed.need_border_color_type,
    }
    driver = parsed.gallium_driver or parsed.driver or ""
    fields["storage"] = next((table for table in TABLES if driver.startswith(table)), TABLES[0])
    if parsed.gl_extensions is not None:
        fields["extensions"] = frozenset(parsed.gl_extensions)
    elif fields["storage"] != _ZINK:
        fields["more_extensions"] = NOT_ZINK
    if parsed.linear_filtering is not None:
        fields["linear_filtering"] = FormatFeatures(parsed.linear_filtering)
    if parsed.unfilterable_depth is not None:
        fields["unfilterable_depth"] = parsed.unfilterable_depth
    return Screen.from_caps(parsed.caps, name=parsed.name or parsed.driver or "custom", **fields)


def load_screen(path: str | Path) -> Screen:
    """Read a screen file, or the header of a recorded case file; plain or gzip, by its magic number.

    Raises `ScreenError` for a file that cannot be read, is no JSON, or is no screen.
    """
    file = str(path)
    try:
        raw = Path(path).read_bytes()
        text = (gzip.decompress(raw) if raw.startswith(_GZIP_MAGIC) else raw).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise ScreenError(file, None, f"cannot be read: {error}") from None
    try:
        return screen_from(json.loads(text), file=file)
    except json.JSONDecodeError as error:
        whole = error
    except (RecursionError, ValueError) as error:  # too deep, or a number of thousands of digits
        raise ScreenError(file, None, f"not JSON that can be read: {error}") from None
    try:  # one JSON document a line: a recorded case file, whose first line is its header
        header = json.loads(text.splitlines()[0])
    except (ValueError, RecursionError, IndexError):
        raise ScreenError(file, whole.lineno, f"not JSON: {whole.msg}") from None
    return screen_from(header, file=file, line=1)
