"""``statetracker screens``: the embedded profiles, or a screen file, and what each can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.caps import FLAGS, PROFILES
from statetracker.cli.output import EXIT_FINE, json_line, table
from statetracker.cli.pick import screen_named

if TYPE_CHECKING:
    from statetracker.caps import Screen

__all__ = ["list_screens"]

_SHORT = {
    "emulate_gl_clamp": "GL_CLAMP",
    "lower_rect_tex": "rectangles",
    "texture_buffer_sampler": "buffer samplers",
    "float_linear": "float linear",
}


#: Flags that say what the hardware lacks: what they mean off and on.
_WORDS = {"emulate_gl_clamp": ("native", "emulated"), "lower_rect_tex": ("native", "emulated")}


def list_screens(names: list[str], *, as_json: bool) -> int:
    """Show screens; all embedded ones where none is named. Raises `UnknownName` or `ScreenError`."""
    screens = [screen_named(name) for name in names or PROFILES]
    if as_json:
        for screen in screens:
            json_line(as_data(screen))
        return EXIT_FINE
    columns = ("screen", *_SHORT.values(), "border quirks", "hook", "unfilterable depth", "anisotropy", "note")
    table("", columns, [_row(screen) for screen in screens], right=("anisotropy",))
    if names:
        for screen in screens:
            print(f"\n{screen.name}")
            for flag in FLAGS:
                print(f"  {'yes' if getattr(screen, flag.name) else 'no ':3}  {flag.name}: {flag.meaning}")
    return EXIT_FINE


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
    hooked = screen.linear_filtering is not None
    note = PROFILES[screen.name].note if screen.name in PROFILES else "from a file"
    depth = screen.unfilterable_depth if hooked else "-"
    row = [screen.name, *words, ", ".join(quirks) or "-", "yes" if hooked else "no", depth]
    return [*row, f"{screen.max_anisotropy:g}", note]


def as_data(screen: Screen) -> dict[str, object]:
    """One screen for machines."""
    data = screen.to_dict()
    hook = data.pop("linear_filtering")
    refused = sorted(name for name, ok in getattr(hook, "linear", {}).items() if not ok)
    data["extensions"] = sorted(screen.extensions)
    return data | {"linear_filtering": None if hook is None else {"refused": refused}}
