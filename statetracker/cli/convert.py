"""Commands about one described state: ``convert``, ``explain``, ``portability`` and ``preview``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statetracker.cli.descriptions import blamed, inputs_of, parse, result_of
from statetracker.cli.output import (
    EXIT_FINE,
    ending_of,
    info,
    json_line,
    print_wrapped,
    quiet,
    reasons,
    table,
    wrap,
    write_file,
)
from statetracker.spellings import aligned

if TYPE_CHECKING:
    from statetracker.cli.options import Given
    from statetracker.frontend import Result
    from statetracker.frontend.explained import Explained
    from statetracker.reference.picture import Preview

#: Ending of a picture's file name -> Pillow's name of its form.
_FORMS: Final = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".bmp": "BMP", ".webp": "WEBP"}
_ANY: Final = "zink-lavapipe"  # the state is converted for other screens than the description's


def convert_file(given: Given) -> int:
    """Convert one description; raises `StateTrackerError` for what cannot be read or used."""
    result = _result(given)
    explanation = result.explain()
    broken = result.violations
    if given.as_json:
        lowering = result.lowering._asdict()
        unsupported = [one.to_dict() for one in result.unsupported]
        line = {**explanation.to_dict(), "lowering": lowering, "unsupported": unsupported}
        line["incomplete"] = result.incomplete
        if result.webgpu_screen:
            made = result.webgpu
            types = {"sampler_type": made.sampler_type, "sample_type": made.sample_type}
            line["webgpu"] = {"descriptor": made.to_dict(), **types}
        vulkan = {"dialect": result.vulkan_dialect, "device": result.device, **result.explain_vulkan().to_dict()}
        json_line({**line, "vulkan": {**vulkan, "violations": [violation.to_dict() for violation in broken]}})
    else:
        print(f"state     {result.pipe.hex()}\nlowering  {result.lowering}\n")
        if not result.native:
            reasons(explanation)
            print()
        if result.webgpu_screen:
            print_wrapped(f"GPUSamplerDescriptor for {result.device}\n\n{result.explain_webgpu()}")
        else:
            print(f"VkSamplerCreateInfo by the rules of {result.vulkan_dialect}, for {result.device}\n")
            reasons(result.explain_vulkan())
        if given.gallium and result.native:
            print("\nGallium's record, from which it is made\n")
            reasons(explanation)
        print("".join(f"breaks {violation}\n" for violation in broken), end="")
    return EXIT_FINE


def _result(given: Given) -> Result:
    return result_of(given.file, screen=given.screen, dialect=given.dialect, vulkan_dialect=given.vulkan_dialect)


def _title(file: str) -> str:
    return "standard input" if file == "-" else Path(file).name


def explain_file(given: Given) -> int:
    """Explain one description; raises `StateTrackerError` for what cannot be read, used or written."""
    from statetracker.frontend.explained import explained

    result, title = _result(given), _title(given.file)
    shown = explained(result)
    if given.html is not None:
        write_file(given.html, result.explain_html(title=title))
        info(f"wrote {given.html}")
    if given.as_json:
        json_line(shown.to_dict())
    elif given.html is None:
        _print_explained(title, shown)
    return EXIT_FINE


def _print_explained(title: str, shown: Explained) -> None:
    print(f"{title}: {shown.where}\n\nwhat came in")
    print("\n".join(f"  {line}" for line in aligned(shown.came_in)))
    print("\nrules that fired" if shown.fired else "\nno rule fired: every member is as OpenGL has it")
    for one in shown.fired:
        print(wrap(f"{one.field}: {one.before} -> {one.after}", "  ", " " * 6))
        print(wrap(f"{one.because} ({one.rule}, of {one.made})", " " * 6))
    print("\nwhat the shader adds" if shown.shader else "\nthe shader adds nothing")
    for work, axes, words in shown.shader:
        print(wrap(f"{work}{f' {axes}' if axes else ''}: {words}", "  ", " " * 6))
    for remark in shown.remarks:
        print(f"\n{wrap(remark)}")
    print(f"\nwhat went out\n  {shown.record}")
    for made, rows in shown.out.items():
        print()
        table(made, ("member", "value", "rule"), rows, typed=("member",))


def show_portability(given: Given) -> int:
    """Print the shares, or write the page; raises `StateTrackerError` for what cannot be read or used."""
    from statetracker.survey import as_page, portability

    description = parse(given.file)
    with blamed(given.file):
        inputs = inputs_of(description, file=given.file, screen=_ANY, dialect=given.dialect)
        answer = portability(inputs.sampler, inputs.texture, **inputs.options)
    if given.html is not None:
        write_file(given.html, as_page(answer, title=_title(given.file), state=_words(description)))
        info(f"wrote {given.html}")
    if given.as_json:
        json_line(answer.to_dict())
    elif given.html is None:
        print_wrapped(str(answer))
    return EXIT_FINE


def _words(description: dict[str, object]) -> str:
    """Return the description's text, without the device."""
    lines = []
    for part in ("sampler", "texture", "unit", "dialect"):
        value = description.get(part)
        if isinstance(value, dict):
            lines += [f"{part} {name} = {one}" for name, one in value.items()]
        elif value is not None:
            lines.append(f"{part} {value}")
    return "\n".join(lines)


def preview_file(given: Given) -> int:
    """Draw one description's preview into a PNG; raises `StateTrackerError` for what cannot be read or drawn."""
    from statetracker.reference.picture import sheet

    form = _FORMS[ending_of("-o", given.output, *_FORMS)]
    shown = preview_of(given.file, size=given.size, screen=given.screen, dialect=given.dialect)
    picture = BytesIO()
    sheet(shown).save(picture, form)
    write_file(given.output, picture.getvalue())
    figures = {"largest_difference_alone": shown.largest_alone, "largest_difference_shaded": shown.largest_shaded}
    if given.as_json:
        states = {"state": shown.given.hex(), "asked": shown.state.hex()}
        json_line({"output": given.output, "size": given.size, **figures, **states})
    elif not quiet():
        print_wrapped(
            f"{given.output}: as requested, hardware alone (off by up to {shown.largest_alone:.4g}), "
            f"with the shader (off by up to {shown.largest_shaded:.4g}), difference"
        )
    return EXIT_FINE


def preview_of(file: str, *, size: int = 240, screen: str | None = None, dialect: str | None = None) -> Preview:
    """Draw one description's pictures."""
    from statetracker.frontend import explained

    result = result_of(file, screen=screen, dialect=dialect)
    with blamed(file):
        return explained.preview_of(result, size=size)
