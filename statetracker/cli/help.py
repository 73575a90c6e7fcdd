"""What ``--help`` shows: the list of commands, none cut short, and two examples of each command.

The examples are run by tests/cli/test_help.py, in a folder that ``statetracker examples`` has written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EXAMPLES", "Commands", "epilog"]

#: Command -> two command lines, without the program's name.
EXAMPLES: Final[Mapping[str, tuple[str, str]]] = {
    "replay": (
        "replay texwrap.dump.txt.gz --check texwrap.xml.gz",
        "replay llvmpipe.jsonl.gz --check --json",
    ),
    "lower": (
        "lower textured.spv -o lowered.spv --state 0:1=border.toml",
        "lower textured.spv -o clamped.spv --clamp 0:1=st",
    ),
    "convert": (
        "convert border.toml",
        "convert clamp.toml --device 'Apple A12 GPU' --json",
    ),
    "explain": (
        "explain border.toml",
        "explain clamp.toml --device 'Apple A12 GPU' --html clamp.html",
    ),
    "portability": (
        "portability border.toml",
        "portability shadow.toml --html shadow.html",
    ),
    "preview": (
        "preview mirror.toml -o mirror.png",
        "preview border.toml --device 'Mali-G57' --size 120 -o border.png",
    ),
    "screens": (
        "screens --device 'adreno 640'",
        "screens --compare 'Mali-G57' 'Apple A12 GPU' --state border.toml",
    ),
    "probe": (
        "probe",
        "probe --save here.json.gz",
    ),
    "surface": (
        "surface --gen 7 --kind depth --size 100x75 --levels 5",
        "surface --gen 6 --kind stencil --size 64x64 -o stencil.svg",
    ),
    "surface stencil": (
        "surface stencil --gen 7 --size 100x75 --levels 5 --layers 3",
        "surface stencil --gen 6 --size 300x200 --levels 4 --level 2 --json",
    ),
    "geometry": (
        "geometry silhouette.spv",
        "geometry silhouette.spv --policy series -o pressure.svg",
    ),
    "conform": (
        "conform --driver llvmpipe --count 200",
        "conform --driver softpipe --count 100 --report report.html",
    ),
    "diff": (
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz",
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz --json",
    ),
    "budget": (
        "budget texwrap.dump.txt.gz",
        "budget llvmpipe.jsonl.gz --limit 20 --chart live.html",
    ),
    "bench": (
        "bench --select convert --repeats 3",
        "bench --select bind --json",
    ),
    "examples": (
        "examples statetracker-examples",
        "examples statetracker-examples --force",
    ),
}


def epilog(command: str) -> str:
    """Give the examples of a command as the end of its help, each in a line that is never broken."""
    lines = "\n".join(f"  statetracker {line}" for line in EXAMPLES[command])
    return f"\b\nExamples:\n{lines}"


class Commands(TyperGroup):
    """Commands whose name is one word, or two: `surface stencil`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 (typer has a click of its own)
        """Find a command; two words go before one."""
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)
