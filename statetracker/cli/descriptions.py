"""Descriptions of states on the command line, as JSON or TOML; the screen is one word: a name, a file, ``device:TEXT``.

``sampler`` and ``texture`` hold the arguments of `Sampler` and `Texture`, ``unit`` may hold ``lod_bias``, ``seamless``,
``glsl130`` and ``bindless``; ``screen`` is such a word or a screen file's object; ``dialect`` names the rules,
``vulkan_dialect`` those of the create info.
"""

from __future__ import annotations

import json
import sys
import tomllib
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps import PROFILES, Screen
from statetracker.cli.output import info
from statetracker.errors import ArgumentError, FileError, StateTrackerError, UnknownName
from statetracker.files import file_errors
from statetracker.gl import Sampler, Texture
from statetracker.unpacking import limits, read_document, too_large

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.frontend import Result

_DEVICE: Final = "device:"
_SHOWN: Final = 3  # other rows of a device
_MEMBERS = ("sampler", "texture", "unit", "screen", "dialect", "vulkan_dialect")
_UNIT = {"lod_bias": "unit_lod_bias", "seamless": "seamless", "glsl130": "glsl130", "bindless": "bindless"}
_NUMBERS = {"nan", "inf", "-inf", "+inf"}


def chosen(screen: str | None, device: str | None) -> str | None:
    """Make one word of ``--screen`` and ``--device``; raises `ArgumentError` where both are given."""
    if device is None:
        return screen
    if screen is not None:
        raise ArgumentError("--device", device, accepted="--screen or --device, not both")
    return _DEVICE + device


def device_named(text: str) -> Screen:
    """Return a device of the corpus by name, ids or ``#REPORT``, and say which of its rows was taken."""
    from statetracker.caps.devices import report_number

    screen = Screen.device(text)
    choice = screen.corpus
    if choice is not None and choice.others and report_number(text) is None:
        rows = len(choice.others) + 1
        info(f"{choice.row}: newest Vulkan and driver of {rows} rows; 'statetracker screens --device TEXT' lists all")
        for report, names in list(choice.differences.items())[:_SHOWN]:
            info(f"#{report} differs in {', '.join(names) or 'nothing that a sampler meets'}")
    return screen


def _exists(name: str) -> bool:
    """Return whether a file has that name; none has a name that the system refuses, such as one that is too long."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def device_or_screen(name: str) -> Screen:
    """Return a screen as `screen_named` does, or else a device of the corpus by its bare name, ids or ``#REPORT``."""
    if name in PROFILES or name.startswith(_DEVICE) or _exists(name):
        return screen_named(name)
    return device_named(name)


def screen_named(name: str) -> Screen:
    """Return a built-in screen, a device of the corpus (``device:TEXT``), or read a screen file.

    Args:
        name: Of the screen or device, or a path.

    Raises:
        UnknownName: There is none, nor a file.
        AmbiguousName: Several devices fit.
        ScreenError: The file is no screen.
    """
    if name.startswith(_DEVICE):
        return device_named(name.removeprefix(_DEVICE))
    if name in PROFILES:
        return Screen.named(name)
    if _exists(name) or "/" in name or name.endswith((".json", ".gz", ".jsonl")):
        return Screen.load(name)
    raise UnknownName("screen", name, accepted=f"{', '.join(PROFILES)}, or a file")


@contextmanager
def blamed(file: str) -> Iterator[None]:
    """Raise every error of what a description asks for as a `FileError` that names the file."""
    try:
        yield
    except FileError:
        raise
    except StateTrackerError as error:
        raise FileError(file, None, str(error)) from None


def parse(file: str) -> dict[str, Any]:
    """Read a description; raises `FileError` naming file and line."""
    if file == "-" and sys.stdin is None:
        raise FileError(file, None, "standard input is closed", hint="Name a file, or pipe a description in.")
    try:
        with (
            file_errors(file, "read"),
            nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream,
        ):
            text = read_document(stream, file).decode()
    except UnicodeDecodeError:
        raise FileError(file, None, "not text; a description is JSON or TOML") from None
    looks_json = text.lstrip().startswith("{")
    try:
        if not looks_json and len(text) > limits().toml:
            raise too_large(file, "a description in TOML", limits().toml)
        data = json.loads(text, object_pairs_hook=_unique) if looks_json else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(file, error.lineno, f"not JSON: {error.msg}") from None
    except tomllib.TOMLDecodeError as error:
        raise FileError(file, None, f"neither JSON nor TOML: {error}") from None
    except (RecursionError, ValueError) as error:  # too deep, or a number of thousands of digits
        raise FileError(file, None, f"not {'JSON' if looks_json else 'TOML'} that can be read: {error}") from None
    for name in data:
        if name not in _MEMBERS:
            raise FileError(file, None, f"{name!r} is no member of a description; members: {', '.join(_MEMBERS)}")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises `ValueError` for a member that stands there twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands there twice")
    return members


class Inputs(NamedTuple):
    """Arguments of `convert`, as a description gives them."""

    sampler: Sampler | None
    texture: Texture
    screen: Screen
    options: dict[str, Any]


def result_of(
    file: str, *, screen: str | None = None, dialect: str | None = None, vulkan_dialect: str | None = None
) -> Result:
    """Read and convert a description; the arguments override what it says. Raises `FileError`."""
    from statetracker.frontend import convert

    description = parse(file)
    with blamed(file):
        inputs = inputs_of(description, file=file, screen=screen, dialect=dialect)
        rules = description.get("vulkan_dialect", "native") if vulkan_dialect is None else vulkan_dialect
        if not isinstance(rules, str):
            raise ArgumentError("vulkan_dialect", rules, accepted="the name of one")
        return convert(inputs.sampler, inputs.texture, inputs.screen, vulkan_dialect=rules, **inputs.options)


def inputs_of(
    description: dict[str, Any], *, file: str, screen: str | None = None, dialect: str | None = None
) -> Inputs:
    """Make the objects that the parsed description of a file names; the arguments override what it says."""
    chosen = screen if screen is not None else description.get("screen", "llvmpipe")
    if isinstance(chosen, dict):
        from statetracker.caps.files import screen_from

        where = screen_from(chosen, file=file)
    else:
        where = screen_named(str(chosen))
    texture = _made("texture", Texture, description.get("texture", {"internal_format": "RGBA8"}))
    sampler = _made("sampler", Sampler, description["sampler"]) if "sampler" in description else None
    rules = dialect or description.get("dialect", "mesa22")
    return Inputs(sampler, texture, where, {"dialect": rules, **_unit(description.get("unit", {}))})


def _unit(unit: Any) -> dict[str, Any]:  # noqa: ANN401 (as parsed)
    if not isinstance(unit, dict) or any(name not in _UNIT for name in unit):
        raise ArgumentError("unit", unit, accepted=f"an object with {', '.join(_UNIT)}")
    options = {_UNIT[name]: _number(value) for name, value in unit.items()}
    bias = options.get("unit_lod_bias", 0.0)
    if isinstance(bias, bool) or not isinstance(bias, int | float):
        raise ArgumentError("unit.lod_bias", bias, accepted="a number")
    for name in ("seamless", "glsl130", "bindless"):
        if not isinstance(options.get(name, False), bool):
            raise ArgumentError(f"unit.{name}", options[name], accepted="true or false")
    return options


def _made(name: str, kind: type[Any], arguments: Any) -> Any:  # noqa: ANN401 (as parsed)
    if not isinstance(arguments, dict):
        raise ArgumentError(name, arguments, accepted="an object")
    values = {key: _number(value) for key, value in arguments.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise ArgumentError(name, arguments, accepted=f"arguments of {kind.__name__}", hint=f"({error})") from None


def _number(value: Any) -> Any:  # noqa: ANN401 (as parsed)
    if isinstance(value, list):  # lists of lists are never valid
        return [part if isinstance(part, list) else _number(part) for part in value]
    return float(value) if isinstance(value, str) and value.lower() in _NUMBERS else value
