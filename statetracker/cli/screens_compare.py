"""``statetracker screens --compare``: what two devices do otherwise, with one state or the whole space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statetracker.cli.convert import blamed, inputs_of, parse
from statetracker.cli.output import EXIT_FINE, json_line, note, prose, table
from statetracker.cli.progress import progress
from statetracker.cli.screen_options import device_or_screen
from statetracker.errors import ArgumentError
from statetracker.survey import SPACE, TEXTURES, compare, compare_space

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.survey import Difference, SpaceDifference


def compare_screens(one: str, other: str, *, state: str | None, as_json: bool) -> int:
    """Show the differences by rule; raises `ArgumentError` for a screen that is no Vulkan device."""
    both = [_device(one), _device(other)]
    if state is not None:
        _show_state(_of_state(state, both), as_json=as_json)
        return EXIT_FINE
    if not as_json:
        note(f"comparing {SPACE:,} states of {len(TEXTURES)} textures, some seconds")
    rows: list[SpaceDifference] = []
    with progress("compared", len(TEXTURES), "textures") as watch:
        for done, name in enumerate(TEXTURES):
            watch(done, name)
            rows += compare_space(*both, textures=(name,))
    if as_json:
        for row in rows:
            json_line(row.to_dict())
        return EXIT_FINE
    columns = ("texture", "rule", "states", "share", "for example", "there")
    table("", columns, map(_row, rows), right=("states", "share"))
    if not rows:
        print("no difference")
    return EXIT_FINE


def _device(name: str) -> Screen:
    screen = device_or_screen(name)
    if screen.vulkan is None:
        raise ArgumentError("--compare", name, accepted="a Vulkan device: a name of the corpus, #REPORT, a screen file")
    return screen


def _of_state(file: str, both: list[Screen]) -> list[Difference]:
    description = parse(file)
    with blamed(file):
        given = inputs_of(description, file=file, screen="zink-lavapipe")
        return compare(given.sampler, given.texture, *both, **given.options)


def _show_state(differences: list[Difference], *, as_json: bool) -> None:
    if as_json:
        for one in differences:
            json_line(one.to_dict())
        return
    rule = ""
    for one in differences:
        if one.rule != rule:
            rule = one.rule
            print(rule)
        prose(f"  {str(one).removeprefix(f'{rule}: ')}")
    if not differences:
        print("no difference")


def _row(row: SpaceDifference) -> tuple[str, ...]:
    first = row.example[0]
    changes = ", ".join(f"{a} -> {b}" if a != b else a for a, b in row.kinds)
    words = str(first).removeprefix(f"{row.rule}: ")
    return row.texture, row.rule, f"{row.states:,}", f"{row.states / SPACE:.1%}", words, changes
