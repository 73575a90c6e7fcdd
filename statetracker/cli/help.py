"""What ``--help`` shows: the list of commands, none cut short, and two examples of each command.

The examples are run by tests/cli/test_help.py, in a folder that ``statetracker examples`` has written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from typer.core import TyperCommand, TyperGroup

from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Shown(NamedTuple):
    """What help shows of a command: its line in the list, and two command lines without the program's name."""

    short: str
    first: str
    second: str


#: Command -> what is shown of it.
COMMANDS: Final[Mapping[str, Shown]] = {
    "replay": Shown(
        "Replay recorded GL calls: the states that they make.",
        "replay texwrap.dump.txt.gz --check texwrap.xml.gz",
        "replay llvmpipe.jsonl.gz --check --json",
    ),
    "lower": Shown(
        "Write into a shader what its samplers lack.",
        "lower textured.spv -o lowered.spv --state 0:1=border.toml",
        "lower textured.spv -o clamped.spv --clamp 0:1=st",
    ),
    "convert": Shown(
        "Translate one sampler and texture, field by field.",
        "convert border.toml",
        "convert clamp.toml --device 'Apple A12 GPU' --json",
    ),
    "explain": Shown(
        "Say why a state becomes what it becomes; as a page too.",
        "explain border.toml",
        "explain clamp.toml --device 'Apple A12 GPU' --html clamp.html",
    ),
    "portability": Shown(
        "Say on which of 7,003 devices a state works, and how.",
        "portability border.toml",
        "portability shadow.toml --html shadow.html",
    ),
    "preview": Shown(
        "Draw what a state samples on a device.",
        "preview mirror.toml -o mirror.png",
        "preview border.toml --device Mali-G57 --size 120 -o border.png",
    ),
    "screens": Shown(
        "List, search and compare drivers and devices.",
        "screens --device 'adreno 640'",
        "screens --compare Mali-G57 'Apple A12 GPU' --state border.toml",
    ),
    "probe": Shown(
        "Show what this machine's Vulkan offers samplers.",
        "probe",
        "probe --save here.json.gz",
    ),
    "surface": Shown(
        "Show where depth, stencil and HiZ lie in memory.",
        "surface --gen 7 --kind depth --size 100x75 --levels 5",
        "surface --gen 6 --kind stencil --size 64x64 -o stencil.svg",
    ),
    "surface stencil": Shown(
        "Show stencil as generations 6 and 7 sample it.",
        "surface stencil --gen 7 --size 100x75 --levels 5 --layers 3",
        "surface stencil --gen 6 --size 300x200 --levels 4 --json",
    ),
    "geometry": Shown(
        "Choose how gen7 hardware runs a geometry shader.",
        "geometry silhouette.spv",
        "geometry silhouette.spv --policy series -o pressure.svg",
    ),
    "conform": Shown(
        "Compare the installed Mesa, or your code, with ours.",
        "conform --driver llvmpipe --count 200",
        "conform --driver softpipe --count 100 --report report.html",
    ),
    "diff": Shown(
        "Show what changed between two recordings, and why.",
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz",
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz --json",
    ),
    "budget": Shown(
        "Count the samplers of a program, and save some.",
        "budget texwrap.dump.txt.gz",
        "budget llvmpipe.jsonl.gz --limit 20 --chart live.html",
    ),
    "bench": Shown(
        "Measure this machine.",
        "bench --select convert --repeats 3",
        "bench --select bind --json",
    ),
    "examples": Shown(
        "Write examples to try into a folder.",
        "examples statetracker-examples",
        "examples statetracker-examples --force",
    ),
}


class Help(TypedDict):
    """Arguments of a command of typer."""

    name: str
    cls: type[Command]
    short_help: str
    epilog: str


def _checked(param: Any, ctx: Any, value: Any) -> Any:  # noqa: ANN401 (typer has a click of its own)
    """Check a value as typer does, but for none and for text: nothing is made of them, and pydantic loaded for that."""
    text = isinstance(value, str) and getattr(getattr(param, "type_descriptor", None), "annotation", None) is str
    if text or (value is None and not param.required):
        return param.callback(ctx, param, value) if param.callback else value
    return type(param).process_value(param, ctx, value)


class Command(TyperCommand):
    """A command that takes no empty text for an option, as a script has it from a variable that is not set.

    Its start loads what checks its options only where there is something to check.
    """

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401 (as above)
        """Return the options and arguments."""
        return _light(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 (as above)
        """Run it; raises `ArgumentError`."""
        for option in self.params:
            value = ctx.params.get(option.name)
            empty = "" in value if isinstance(value, (list, tuple)) else value == "" != option.default
            if empty and option.param_type_name == "option":
                raise ArgumentError(option.opts[0], "", accepted="a value that is not empty, or no such option")
        return super().invoke(ctx)


def _light(params: list[Any]) -> list[Any]:
    for param in params:
        param.process_value = partial(_checked, param)
    return params


class Commands(TyperGroup):
    """Commands whose name is one word, or two: `surface stencil`."""

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401 (as above)
        """The options before the command."""
        return _light(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 (typer has a click of its own)
        """Find a command; two words go before one."""
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)


def shown(command: str) -> Help:
    """Return a command's name, its line in the list, and its examples, a line each, as the end of its help."""
    row = COMMANDS[command]
    lines = "\n".join(f"  statetracker {line}" for line in (row.first, row.second))
    epilog = f"\b\nExamples, in a folder of 'statetracker examples':\n{lines}"
    return {"name": command, "cls": Command, "short_help": row.short, "epilog": epilog}
