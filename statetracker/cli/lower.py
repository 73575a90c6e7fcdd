"""``statetracker lower``: what samplers lack on a device, written into SPIR-V, or into GLSL or HLSL compiled first.

``statetracker shader``: a function that samples a described state as GL asks, as text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from statetracker.cli.descriptions import result_of
from statetracker.cli.output import EXIT_DIFFERS, EXIT_FINE, info, json_line, table, write_file
from statetracker.errors import ArgumentError, FileError, ModuleError
from statetracker.files import file_errors
from statetracker.pipe import Lowering
from statetracker.shader import border_values, lower
from statetracker.shader.glslang import compiled, is_module, is_source
from statetracker.unpacking import integer, read_document

if TYPE_CHECKING:
    from statetracker.cli.options import Given
    from statetracker.frontend import Result
    from statetracker.shader import Lowered

    Descriptor = tuple[int, int]

_PLACE = re.compile(r"(\d+):(\d+)")
_GROUPS = ("rewritten", "inexact", "left", "unresolved")


def lower_file(given: Given) -> int:
    """Rewrite one file; raises `StateTrackerError` for what cannot be read, compiled, rewritten or written."""
    results = _results(given.state or [], given.screen)
    request = _letters(clamp=given.clamp, mirror=given.mirror_clamp)
    if both := [_name(place) for place in results if place in request]:
        accepted = "samplers without --clamp and --mirror-clamp: a state has its own wraps"
        raise ArgumentError("--state", both[0], accepted=accepted)
    request |= {place: result.lowering for place, result in results.items()}
    there = None if given.block is None else _place("block", given.block, "SET:BINDING, such as 1:0")
    if given.values is not None and there is None:
        raise ArgumentError("--values", given.values, accepted="a file, together with --block SET:BINDING")
    constants = {place: result.lowering_values for place, result in results.items()}
    try:
        module = _module(given.file, opengl=given.opengl)
        made = lower(module, request, values=constants if there is None else there, keep_going=given.keep_going)
    except ModuleError as error:
        raise FileError(given.file, None, error.subject(), hint=error.hint) from None
    write_file(given.output, made.module)
    if given.values is not None:
        write_file(given.values, border_values([results[place] for place, _ in made.values]))
    if given.as_json:
        json_line(_plain(made, given.output, results))
    else:
        _print(made, results)
    return EXIT_DIFFERS if made.unmatched else EXIT_FINE


def _module(file: str, *, opengl: bool) -> bytes:
    with file_errors(file, "read"), Path(file).open("rb") as stream:
        data = read_document(stream, file)
    if not is_module(data) and is_source(file):
        return compiled(file, "opengl" if opengl else "vulkan")
    return data


def _results(states: list[str], screen: str | None) -> dict[Descriptor, Result]:
    """Convert the descriptions; without a screen, for those that they name."""
    results = {}
    for text in states:
        key, file = _place_of("state", text, "(?s:.+)", "SET:BINDING=FILE, such as 0:1=shadow.toml")
        if key in results:
            raise ArgumentError("--state", text, accepted="one state a sampler")
        results[key] = result_of(file, screen=screen)
    return results


def _letters(**options: list[str] | None) -> dict[Descriptor, Lowering]:
    lowerings: dict[Descriptor, Lowering] = {}
    for option, texts in options.items():
        for text in texts or ():
            name = "clamp" if option == "clamp" else "mirror-clamp"
            key, axes = _place_of(name, text, "[a-z]+", "SET:BINDING=AXES, such as 0:1=st")
            before = lowerings.get(key, Lowering())
            lowerings[key] = before._replace(**{option: getattr(before, option) + axes})
    return lowerings


def _place_of(option: str, text: str, value: str, accepted: str) -> tuple[Descriptor, str]:
    """Return the place before ``=``, and what stands behind it, of the form ``value``."""
    place, _, rest = text.partition("=")
    if re.fullmatch(value, rest) is None:
        raise ArgumentError(f"--{option}", text, accepted=accepted)
    return _place(option, place, accepted), rest


def _place(option: str, text: str, accepted: str) -> Descriptor:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise ArgumentError(f"--{option}", text, accepted=accepted)
    group, binding = (integer(part, field=f"--{option}", most=0xFFFFFFFF) for part in match.groups())
    return group, binding


def _plain(made: Lowered, output: str, results: dict[Descriptor, Result]) -> dict[str, object]:
    notes = {name: [one._asdict() for one in getattr(made, name)] for name in _GROUPS}
    losses = [{"descriptor": place, "loss": text} for place, text in _losses(results)]
    others = {"values": made.values, "unmatched": made.unmatched, "unsupported": losses}
    return {"output": output, "bytes": len(made.module), **notes, **others}


def _print(made: Lowered, results: dict[Descriptor, Result]) -> None:
    rows: list[tuple[object, ...]] = [
        (name, one.offset, one.instruction, _name(one.descriptor), one.reason)
        for name in _GROUPS
        for one in getattr(made, name)
    ]
    rows += [("unmatched", "", "", _name(place), "the module has no such sampler") for place in made.unmatched]
    rows += [("unsupported", "", "", _name(place), text) for place, text in _losses(results)]
    table("", ("outcome", "word", "instruction", "sampler", "reason"), rows, right=("word",))
    for at, (place, element) in enumerate(made.values):
        print(f"block element {at}: sampler {_name(place)}" + (f"[{element}]" if element else ""))


def _losses(results: dict[Descriptor, Result]) -> list[tuple[Descriptor, str]]:
    """Return what neither the sampler nor the shader can do, in words."""
    return [(place, str(loss)) for place, result in results.items() for loss in result.unsupported]


def _name(place: Descriptor | None) -> str:
    return ":".join(map(str, place or ("?",)))


def write_shader(given: Given) -> int:
    """Write the function, and its block's bytes; raises `StateTrackerError` for what cannot be read or written."""
    from statetracker.shader.text import sample_function

    result = result_of(given.file, screen=given.screen)
    forms = [one.strip() for one in given.forms.split(",")] if given.forms else ()
    constants = result if given.constants else None
    made = sample_function(result, given.language, name=given.name, forms=forms, wraps=given.wraps, constants=constants)
    if given.values is not None and not made.values:
        raise ArgumentError("--values", given.values, accepted="a file, for a function that reads a block")
    if given.output is not None:
        write_file(given.output, made.text)
    if given.values is not None:
        write_file(given.values, border_values([result]))
    lost = [str(loss) for loss in result.unsupported]
    if given.as_json:
        json_line({**made._asdict(), "unsupported": lost})
        return EXIT_FINE
    if given.output is None:
        print(made.text, end="")
    notes = {"inexact": made.inexact, "unresolved": made.unresolved, "unsupported": lost, "remark": made.remarks}
    for word, each in notes.items():
        for one in each:
            info(f"{word}: {one}")
    return EXIT_FINE
