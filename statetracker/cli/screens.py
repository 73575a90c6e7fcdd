"""``statetracker screens``: the embedded profiles, screen files, devices of the corpus, and what each can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.caps import FLAGS, PROFILES, Screen, VulkanFiltering, searching
from statetracker.caps.devices import choose, device_facts
from statetracker.caps.vulkan_pipe import table as table_of_formats
from statetracker.cli.output import EXIT_FINE, json_line, note, table
from statetracker.cli.screen_options import screen_named
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from statetracker.caps import DeviceRow

_SHOWN = 40  # rows of the corpus in a table

_SHORT = {
    "emulate_gl_clamp": "GL_CLAMP",
    "lower_rect_tex": "rectangles",
    "texture_buffer_sampler": "buffer samplers",
    "float_linear": "float linear",
}


#: Flags that say what the hardware lacks: what they mean off and on.
_WORDS = {"emulate_gl_clamp": ("native", "emulated"), "lower_rect_tex": ("native", "emulated")}


def show_screens(
    names: list[str] | None, *, device: str | None, compare: tuple[str, str] | None, state: str | None, as_json: bool
) -> int:
    """List screens, search devices, or compare two; raises `StateTrackerError`."""
    if compare is not None:
        from statetracker.cli.screens_compare import compare_screens

        return compare_screens(*compare, state=state, as_json=as_json)
    if state is not None:
        raise ArgumentError("--state", state, accepted="with --compare")
    if device is None or names:
        _list(names or [], as_json=as_json)
    if device is not None:
        _search(device, as_json=as_json)
    return EXIT_FINE


def _list(names: list[str], *, as_json: bool) -> None:
    """Show screens; all embedded ones where none is named. Raises `UnknownName` or `ScreenError`."""
    screens = [screen_named(name) for name in names or PROFILES]
    if as_json:
        for screen in screens:
            json_line(as_data(screen))
        return
    columns = (
        "screen",
        *_SHORT.values(),
        "border quirks",
        "filtering",
        "unfilterable depth",
        "anisotropy",
        "note",
    )
    table("", columns, [_row(screen) for screen in screens], right=("anisotropy",), typed=("screen",))
    if names:
        for screen in screens:
            print(f"\n{screen.name}")
            for flag in FLAGS:
                print(f"  {'yes' if getattr(screen, flag.name) else 'no ':3}  {flag.name}: {flag.meaning}")


def _row(screen: Screen) -> list[object]:
    words = [_WORDS.get(name, ("no", "yes"))[getattr(screen, name)] for name in _SHORT]
    quirks = [
        word
        for field, word in (
            ("apply_texture_swizzle_to_border_color", "swizzle"),
            ("use_format_with_border_color", "format"),
            ("alpha_border_color_is_not_w", "alpha not w"),
        )
        if getattr(screen, field)
    ]
    filtered = screen.linear_filtering is not None
    note = PROFILES[screen.name].note if screen.name in PROFILES else _origin(screen)
    depth = screen.unfilterable_depth if filtered else "-"
    row = [screen.name, *words, ", ".join(quirks) or "-", "yes" if filtered else "no", depth]
    return [*row, f"{screen.max_anisotropy:g}", note]


def _records(screen: Screen) -> dict[str, object]:
    chosen = screen.corpus
    return {
        "vulkan": screen.vulkan and screen.vulkan.to_dict(),
        "corpus": chosen and [row._asdict() for row in (chosen.row, *chosen.others)],
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
        for row in rows:
            json_line(row._asdict() | _capabilities(row))
        return
    columns = (
        "device",
        "vendor:device",
        "report",
        "reports",
        "Vulkan",
        "drivers",
        "anisotropy",
        "LOD bias",
        "border",
        "depth",
    )
    shown = rows[:_SHOWN]
    numbers = ("report", "reports", "anisotropy", "LOD bias")
    table("", columns, [_device(row) for row in shown], right=numbers, typed=("device", "vendor:device"))
    more = f", {len(rows) - len(shown)} more not shown" if len(rows) > len(shown) else ""
    note(f"{len(rows)} rows{more}; --device '#REPORT' takes one (vulkan.gpuinfo.org, CC BY 4.0)")


def _capabilities(row: DeviceRow) -> dict[str, object]:
    facts = device_facts(row)
    return {
        "limits": dict(facts.limits),
        "features": sorted(facts.features),
        "extensions": sorted(facts.extensions),
        "formats": len(facts.formats or ()),
    }


def _device(row: DeviceRow) -> list[object]:
    facts = device_facts(row)
    bias = facts.limits.get("maxSamplerLodBias")
    screen = Screen.from_vulkan(facts)
    custom = "customBorderColors" in facts.features
    border = "any" if "customBorderColorWithoutFormat" in facts.features else "by format" if custom else "3 colours"
    linear = screen.filters("Z24X8_UNORM", "Z24X8_UNORM")
    return [
        row.name or "(no name)",
        f"{row.vendor_id:04x}:{row.device_id:04x}",
        row.newest_report,
        row.reports,
        row.api,
        ", ".join(row.drivers),
        f"{screen.max_anisotropy:g}",
        "-" if bias is None else f"{bias:g}",
        border,
        "linear" if linear else "nearest",
    ]


def as_data(screen: Screen) -> dict[str, object]:
    """A screen as JSON data."""
    data = screen.to_dict()
    hook = data.pop("linear_filtering")
    refused = _refused(screen)
    data["extensions"] = sorted(screen.extensions)
    data |= {"vulkan": None, "corpus": None} | {k: v for k, v in _records(screen).items() if v is not None}
    return data | {"linear_filtering": None if hook is None else {"refused": refused}}
