"""Reading a screen from a file: a screen file, a saved screen, a recorded case file, or a report on a Vulkan device.

A screen file is a JSON object with ``caps`` (``PIPE_CAP_*`` -> integer) and what docs/screens.md lists; what is left
out follows from the caps. The header of a recorded case file is one, and what `Screen.save` writes has ``screen``
beside them. Reports are read by `statetracker.caps.reports`. pydantic checks files in these two modules only.
"""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
)

from statetracker.caps.derivation import VulkanFiltering
from statetracker.caps.devices import CorpusChoice, DeviceRow
from statetracker.caps.fields import FIELDS, UNFILTERABLE_DEPTH, FormatFeatures
from statetracker.caps.flags import NOT_ZINK
from statetracker.caps.reports import FORMS, form_of, problem_of, read_report
from statetracker.caps.saving import VULKAN_HOOK
from statetracker.caps.screen import Screen
from statetracker.caps.storage import TABLES
from statetracker.errors import ArgumentError, ScreenError
from statetracker.gl.limits import PROFILES
from statetracker.unpacking import DAMAGE, open_packed, read_document, read_line

if TYPE_CHECKING:
    from pathlib import Path

_ANISOTROPY: Final = "PIPE_CAPF_MAX_TEXTURE_ANISOTROPY"
_SIZE: Final = "GL_MAX_TEXTURE_SIZE"
_UNITS: Final = "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS"
_ZINK: Final = "zink"
_SHOWN: Final = 5  # members named of a document of no known form


def _float(value: object) -> object:
    """Take a number that JSON cannot write as text, as recordings do."""
    return float(value) if isinstance(value, str) else value


Float = Annotated[float | int, BeforeValidator(_float)]


class _Hook(BaseModel, extra="forbid", strict=True):
    """A saved linear-filtering hook."""

    linear: dict[str, bool]
    default: bool


#: Type of a field's default -> its type in a file; two have types of their own.
_TYPES: Final[dict[type, Any]] = {bool: bool, int: Float, float: Float, str: str}
_OWN: Final[dict[str, Any]] = {"linear_filtering": Literal["vulkan"] | _Hook, "extensions": list[str]}

#: The fields of a saved screen; they override what follows from the caps.
SavedFields: Any = create_model(  # type: ignore[call-overload]  # fields from a table
    "SavedFields",
    __config__=ConfigDict(extra="forbid", strict=True),
    **{
        field: ((_OWN.get(field) or _TYPES[type(default)]) | None, None)
        for field, default in FIELDS.items()
        if field not in ("caps", "capsf", "vulkan", "corpus")
    },
)


class _Row(BaseModel, extra="forbid", strict=True):
    """A row of the device corpus, as it was when the screen was saved."""

    name: str
    vendor_id: int
    device_id: int
    vector: int
    reports: int
    newest_report: int
    api: str
    drivers: list[str]


class ScreenFile(BaseModel, strict=True):
    """The shape of a screen file; members it does not name are ignored."""

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
    need_border_color_type: bool | None = None
    screen: SavedFields | None = None
    vulkan: dict[str, Any] | None = None
    corpus: Annotated[list[_Row], Field(min_length=1)] | None = None

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
        try:
            return {name: float(value) if isinstance(value, int | str) else value for name, value in capsf.items()}
        except OverflowError:
            raise ValueError("a number that no float holds") from None

    @field_validator("linear_filtering")
    @classmethod
    def _formats(cls, linear: dict[str, bool] | None) -> dict[str, bool] | None:
        return None if linear is None else FormatFeatures(linear).linear

    @field_validator("context", "unfilterable_depth")
    @classmethod
    def _word(cls, value: str | None, field: ValidationInfo) -> str | None:
        words = PROFILES if field.field_name == "context" else UNFILTERABLE_DEPTH
        if value is not None and value not in words:
            raise ValueError(f"accepted: {', '.join(words)}")
        return value


def screen_from(data: object, *, file: str = "<data>", line: int | None = None, profile: str | None = None) -> Screen:
    """Build a screen from a parsed document: a screen file, a saved screen, or a report on a Vulkan device.

    Source: docs/screens.md, docs/vulkan_screens.md.

    Args:
        data: The JSON object; members that its form does not name, and caps that samplers do not read, are ignored.
        file: What the error calls it.
        line: Its line in the file, from 1; None: it is the whole file.
        profile: Which profile of a Vulkan Profiles file.

    Raises:
        ScreenError: A member is at fault; the error names it.
    """
    if isinstance(data, dict) and "caps" not in data and form_of(data) is not None:
        report = read_report(data, file=file, line=line, profile=profile)
        return Screen.from_vulkan(report.facts, name=report.name)
    try:
        parsed = ScreenFile.model_validate(data)
        return _screen(parsed, file)
    except ValidationError as error:
        raise ScreenError(file, line, f"not a screen: {problem_of(error)}", hint=_hint(data)) from None
    except ArgumentError as error:
        raise ScreenError(file, line, f"not a screen: {error}") from None


def _hint(data: object) -> str:
    forms = ", ".join(f"'{min(form.marks)}' in a {form.title}" for form in FORMS.values())
    has = f" This one has {', '.join(map(repr, list(data)[:_SHOWN]))}." if isinstance(data, dict) and data else ""
    return f"A screen is a JSON object with 'caps', or a report on a Vulkan device ({forms}).{has}"


def _screen(parsed: ScreenFile, file: str) -> Screen:
    fields: dict[str, Any] = {
        "capsf": parsed.capsf,
        "context": parsed.context,
        "max_anisotropy": parsed.capsf.get(_ANISOTROPY, 16.0),
        "max_texture_size": int(parsed.limits.get(_SIZE, 16384)),
        "max_combined_units": int(parsed.limits.get(_UNITS, 192)),
        "force_integer_tex_nearest": parsed.force_integer_tex_nearest,
    }
    driver = parsed.gallium_driver or parsed.driver or ""
    fields["storage"] = next((table for table in TABLES if driver.startswith(table)), TABLES[0])
    if parsed.gl_extensions is not None:
        fields["extensions"] = frozenset(parsed.gl_extensions)
    elif fields["storage"] != _ZINK:
        fields["more_extensions"] = NOT_ZINK
    if parsed.linear_filtering is not None:
        fields["linear_filtering"] = FormatFeatures(parsed.linear_filtering)
    for field in ("unfilterable_depth", "need_border_color_type"):
        if (value := getattr(parsed, field)) is not None:
            fields[field] = value
    fields |= _saved(parsed, file)
    name = parsed.driver if parsed.name is None else parsed.name
    return Screen.from_caps(parsed.caps, name=("custom" if name is None else name), **fields)


def _saved(parsed: ScreenFile, file: str) -> dict[str, Any]:
    """Fields that only a saved screen has: all of its own, the Vulkan facts, the row of the corpus."""
    facts = None if parsed.vulkan is None else read_report(parsed.vulkan, file=file).facts
    fields: dict[str, Any] = {"vulkan": facts}
    if parsed.corpus is not None:
        row, *others = (DeviceRow(**{**one.model_dump(), "drivers": tuple(one.drivers)}) for one in parsed.corpus)
        fields["corpus"] = CorpusChoice(row, tuple(others))
    if parsed.screen is None:
        return fields
    values = parsed.screen.model_dump(exclude_unset=True)
    hook = parsed.screen.linear_filtering
    if isinstance(hook, _Hook):
        values["linear_filtering"] = FormatFeatures(hook.linear, default=hook.default)
    elif hook == VULKAN_HOOK:
        if facts is None or facts.formats is None:
            raise ArgumentError("screen.linear_filtering", hook, accepted="it only beside 'vulkan' with formats")
        values["linear_filtering"] = VulkanFiltering(facts)
    if values.get("extensions") is not None:
        values["extensions"] = frozenset(values["extensions"])
    return fields | {name: value for name, value in values.items() if value is not None or name == "linear_filtering"}


def load_screen(path: str | Path, *, profile: str | None = None) -> Screen:
    """Read a screen file, a report, or the header of a recorded case file; plain or gzip, by its magic number.

    Raises `ScreenError` for a file that cannot be read, is no JSON, or is no screen. See `Screen.load`.
    """
    file = str(path)
    try:
        with open_packed(path) as stream:
            data, line = _document(stream, file)
    except (UnicodeDecodeError, *DAMAGE) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ScreenError(file, None, f"cannot be read: {problem}") from None
    except json.JSONDecodeError as error:
        raise ScreenError(file, error.lineno, f"not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # too deep, or a number of thousands of digits
        raise ScreenError(file, None, f"not JSON that can be read: {error}") from None
    return screen_from(data, file=file, line=line, profile=profile)


def _document(stream: IO[bytes], file: str) -> tuple[object, int | None]:
    """Return a file's JSON document, and None; of a recorded case file, with one a line, its header, and 1."""
    first = read_line(stream, file, 1)
    try:
        data = json.loads(first.decode("utf-8-sig"))
    except json.JSONDecodeError:
        return json.loads((first + read_document(stream, file)).decode("utf-8-sig")), None
    number = 1
    while line := read_line(stream, file, number := number + 1):
        if line.strip():
            return data, 1
    return data, None
