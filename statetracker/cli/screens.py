"""``statetracker screens``: the built-in profiles, screen files, devices of the corpus, and what each can do."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from statetracker.caps import FLAGS, PROFILES, Screen, VulkanFiltering, searching
from statetracker.caps.derivation import EMULATIONS
from statetracker.caps.devices import choose, device_facts
from statetracker.caps.vulkan_formats import table as table_of_formats
from statetracker.cli.descriptions import blamed, device_or_screen, inputs_of, parse, screen_named
from statetracker.cli.output import EXIT_FINE, console, info, json_line, json_lines, print_wrapped, progress, table
from statetracker.errors import ArgumentError
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from statetracker.caps import DeviceRow, VulkanFacts
    from statetracker.cli.options import Given
    from statetracker.survey import Difference, SpaceDifference

_SHOWN = 40  # rows of the corpus in a table

_SHORT = {
    "emulate_gl_clamp": "GL_CLAMP",
    "lower_rect_tex": "rectangles",
    "texture_buffer_sampler": "buffer samplers",
    "float_linear": "float linear",
}


_QUIRKS = {
    "apply_texture_swizzle_to_border_color": "swizzle",
    "use_format_with_border_color": "format",
    "alpha_border_color_is_not_w": "alpha not w",
}
#: Columns of named screens alone: all of them would not fit into 80.
_LEFT_OUT: Final = {"rectangles", "buffer samplers", "filtering", "unfilterable depth", "anisotropy"}
#: Flags that say what the hardware lacks: what they mean off and on.
_WORDS = {"emulate_gl_clamp": ("native", "emulated"), "lower_rect_tex": ("native", "emulated")}


def show_screens(given: Given) -> int:
    """List screens, search devices, or compare two; raises `StateTrackerError`."""
    if given.compare is not None:
        if given.names or given.device is not None:
            other = given.device if given.device is not None else given.names[0]
            raise ArgumentError("--compare", other, accepted="--compare with no other screen or device")
        return _compare(*map(_vulkan_device, given.compare), state=given.state, as_json=given.as_json)
    if given.state is not None:
        raise ArgumentError("--state", given.state, accepted="with --compare")
    if given.device is None or given.names:
        _list(given.names or [], as_json=given.as_json)
    if given.device is not None:
        _search(given.device, as_json=given.as_json)
    return EXIT_FINE


def _list(names: list[str], *, as_json: bool) -> None:
    """Show screens; all built-in ones where none is named. Raises `UnknownName` or `ScreenError`."""
    screens = [screen_named(name) for name in names or PROFILES]
    if as_json:
        json_lines(map(as_data, screens))
        return
    rows = [_row(screen) for screen in screens]
    kept = [name for name in rows[0] if names or name not in _LEFT_OUT]
    table("", kept, [[row[name] for name in kept] for row in rows], right=("anisotropy",), typed=("screen",))
    if names:
        for screen in screens:
            print(f"\n{screen.name}")
            for flag in FLAGS:
                print(f"  {'yes' if getattr(screen, flag.name) else 'no ':3}  {flag.name}: {flag.meaning}")


def _row(screen: Screen) -> dict[str, object]:
    """Return what the table has of a screen, by column."""
    quirks = [word for field, word in _QUIRKS.items() if getattr(screen, field)]
    filtered = screen.linear_filtering is not None
    return {
        "screen": screen.name,
        **{word: _WORDS.get(name, ("no", "yes"))[getattr(screen, name)] for name, word in _SHORT.items()},
        "border quirks": ", ".join(quirks) or "-",
        "filtering": "yes" if filtered else "no",
        "unfilterable depth": screen.unfilterable_depth if filtered else "-",
        "anisotropy": f"{screen.max_anisotropy:g}",
        "note": PROFILES[screen.name].note if screen.name in PROFILES else _origin(screen),
    }


def _refused(screen: Screen) -> list[str]:
    """Names of the formats that the filtering hook refuses."""
    hook = screen.linear_filtering
    names = table_of_formats() if isinstance(hook, VulkanFiltering) else getattr(hook, "linear", {})
    return sorted(name for name in names if not screen.filters(name, name))


def _origin(screen: Screen) -> str:
    if screen.corpus is not None:
        return f"report {screen.corpus.row.newest_report}, 1 of {len(screen.corpus.others) + 1} rows"
    return "a Vulkan device" if screen.vulkan is not None else "from a file"


def _search(text: str, *, as_json: bool) -> None:
    """Show the rows of the corpus that fit a text; raises `UnknownName` where none does."""
    rows = searching(text)
    if not rows:
        choose(text)
    if as_json:
        json_lines(row._asdict() | _capabilities(row) for row in rows)
        return
    shown = [_device(row) for row in rows[:_SHOWN]]
    numbers = ("report", "reports", "anisotropy", "LOD bias")
    cells = [[*row.values()] for row in shown]
    table("", [*shown[0]], cells, right=numbers, typed=("device", "vendor:device"))
    more = f", {len(rows) - len(shown)} more not shown" if len(rows) > len(shown) else ""
    info(f"{len(rows)} rows{more}; --device '#REPORT' takes one (vulkan.gpuinfo.org, CC BY 4.0)")


def _capabilities(row: DeviceRow) -> dict[str, object]:
    facts = device_facts(row)
    return {
        "limits": dict(facts.limits),
        "features": sorted(facts.features),
        "extensions": sorted(facts.extensions),
        "formats": len(facts.formats or ()),
    }


def _device(row: DeviceRow) -> dict[str, object]:
    """Return what the table has of a device, by column."""
    facts = device_facts(row)
    bias = facts.limits.get("maxSamplerLodBias")
    screen = Screen.from_vulkan(facts)
    custom = "customBorderColors" in facts.features
    border = "any" if "customBorderColorWithoutFormat" in facts.features else "by format" if custom else "3 colours"
    linear = screen.filters("Z24X8_UNORM", "Z24X8_UNORM")
    return {
        "device": row.name or "(no name)",
        "vendor:device": f"{row.vendor_id:04x}:{row.device_id:04x}",
        "report": row.newest_report,
        "reports": row.reports,
        "Vulkan": row.api,
        "drivers": ", ".join(row.drivers),
        "anisotropy": f"{screen.max_anisotropy:g}",
        "LOD bias": "-" if bias is None else f"{bias:g}",
        "border": border,
        "depth": "linear" if linear else "nearest",
    }


def as_data(screen: Screen) -> dict[str, object]:
    """Return a screen as JSON data."""
    data = screen.to_dict()
    hook = data.pop("linear_filtering")
    refused = _refused(screen)
    data["extensions"] = sorted(screen.extensions)
    chosen = screen.corpus
    data["vulkan"] = screen.vulkan and screen.vulkan.to_dict()
    data["corpus"] = chosen and [row._asdict() for row in (chosen.row, *chosen.others)]
    return data | {"linear_filtering": None if hook is None else {"refused": refused}}


def _compare(*both: Screen, state: str | None, as_json: bool) -> int:
    """Show by rule what two devices do otherwise, with one state or the whole space."""
    from statetracker.survey import SPACE, TEXTURES, compare_space

    if state is not None:
        _show_state(_of_state(state, both), as_json=as_json)
        return EXIT_FINE
    if not as_json:
        info(f"comparing {SPACE:,} states of {len(TEXTURES)} textures, some seconds")
    rows: list[SpaceDifference] = []
    with progress("compared", len(TEXTURES), "textures") as watch:
        for done, name in enumerate(TEXTURES):
            watch(done, name)
            rows += compare_space(*both, textures=(name,))
    if as_json:
        json_lines(row.to_dict() for row in rows)
        return EXIT_FINE
    columns = ("texture", "rule", "states", "share", "for example", "there")
    cells = [(row.texture, row.rule, f"{row.states:,}", f"{row.states / SPACE:.1%}", *_example(row)) for row in rows]
    table("", columns, cells, right=("states", "share"))
    if not rows:
        print("no difference")
    return EXIT_FINE


def _vulkan_device(name: str) -> Screen:
    """Return the screen; raises `ArgumentError` for one that is no Vulkan device."""
    screen = device_or_screen(name)
    if screen.vulkan is None:
        raise ArgumentError("--compare", name, accepted="a Vulkan device: a name of the corpus, #REPORT, a screen file")
    return screen


def _of_state(file: str, both: tuple[Screen, ...]) -> list[Difference]:
    from statetracker.survey import compare

    description = parse(file)
    with blamed(file):
        inputs = inputs_of(description, file=file, screen="zink-lavapipe")
        return compare(inputs.sampler, inputs.texture, *both, **inputs.options)


def _show_state(differences: list[Difference], *, as_json: bool) -> None:
    if as_json:
        json_lines(one.to_dict() for one in differences)
        return
    for rule, alike in groupby(differences, lambda one: one.rule):
        print(rule)
        for one in alike:
            print_wrapped(f"  {str(one).removeprefix(f'{rule}: ')}")
    if not differences:
        print("no difference")


def _example(row: SpaceDifference) -> tuple[str, str]:
    changes = ", ".join(f"{a} -> {b}" if a != b else a for a, b in row.kinds)
    return str(row.example[0]).removeprefix(f"{row.rule}: "), changes


def probe(given: Given) -> int:
    """Probe the machine, print, and save the screen; raises `LiveError` with what to install or try."""
    device, save = given.device, given.save
    chosen = 0 if device is None else integer(device, field="--device") if device.isdecimal() else device
    screen = Screen.probe(chosen)
    facts = screen.vulkan
    if facts is None:  # a probe has facts
        raise AssertionError(screen)
    if save is not None:
        screen.save(save)
    if given.as_json:
        rows = [{**row._asdict(), "there": row.there(facts)} for row in EMULATIONS]
        json_line({"screen": screen.to_json(), "emulations": rows})
        return EXIT_FINE
    console().print(_headline(facts))
    cells = [
        (row.want, "yes" if there else "no", row.needs or "-", "-" if there else row.instead)
        for row, there in ((row, row.there(facts)) for row in EMULATIONS)
    ]
    table("", ("what OpenGL has", "here", "what it takes", "what is done instead"), cells)
    _limits(facts)
    if save is not None:
        info(f"saved: --screen {save} takes it from now on")
    return EXIT_FINE


def _headline(facts: VulkanFacts) -> str:
    api = ".".join(map(str, facts.api))
    return f"{facts.device}, Vulkan {api}" + (f", {facts.driver}" if facts.driver else "") + "\n"


def _limits(facts: VulkanFacts) -> None:
    """Print the limits and formats of samplers."""
    shown = ("maxSamplerAllocationCount", "maxCustomBorderColorSamplers", "maxSamplerAnisotropy", "maxSamplerLodBias")
    limits = ", ".join(f"{name} {facts.limits[name]:g}" for name in shown if name in facts.limits)
    formats = facts.formats or {}
    sampled = [name for name in formats if facts.samples(name)]
    linear = [name for name in sampled if facts.filters(name)]
    console().print(f"\n{limits}\n{len(sampled)} formats can be sampled, {len(linear)} of them filtered linearly")
