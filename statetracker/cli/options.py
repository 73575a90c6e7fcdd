"""Rows of options and commands; the options that several commands have; what a shell completes.

``statetracker --install-completion`` writes completion into the shell's own files, ``--show-completion`` prints it.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 40  # devices that a shell is offered


class Given(SimpleNamespace):
    """The values of a command's arguments and options, each by `Option.name`; ``screen`` has a device, too."""


class Option(NamedTuple):
    """An option of a command, or an argument.

    Attributes:
        words: As they are typed, a blank between them: ``--output -o``; an argument has only its name.
        metavar: What stands for its value in help.
        help: What it is for.
        kind: Type of the value.
        default: Value without it; None: none; ...: it has to be given.
        complete: What has been typed -> what a shell offers.
        least: The least that a number may be; None: any.
        most: The greatest; None: any.
        called: The function's name for it, where that is not the longest word.
    """

    words: str
    metavar: str | None
    help: str
    kind: Any = str
    default: Any = None
    complete: Callable[[str], list[str]] | None = None
    least: float | None = None
    most: float | None = None
    called: str = ""

    @property
    def name(self) -> str:
        """The function's name for it."""
        return self.called or max(self.words.split(), key=len).lstrip("-").replace("-", "_")


class Command(NamedTuple):
    """A command.

    Attributes:
        short: Its line in the list of commands.
        first: An example, without the program's name.
        second: Another one.
        function: What it calls, below ``statetracker``, with `Given`; returns the exit code.
        help: What its own help says.
        options: Its arguments and options.
    """

    short: str
    first: str
    second: str
    function: str
    help: str
    options: tuple[Option, ...]


def command(short: str, first: str, second: str, function: str, text: str, *options: Option) -> Command:
    """Return the row of a command; ``text`` is what its own help says."""
    return Command(short, first, second, function, text, options)


def flag(words: str, text: str, *, called: str = "") -> Option:
    """Return the row of an option without a value."""
    return Option(words, None, text, bool, default=False, called=called)


def names(module: str, *tables: str) -> Callable[[str], list[str]]:
    """Return what completes a name that tables of a module have; the module is loaded when a shell asks."""

    def complete(incomplete: str) -> list[str]:
        loaded = import_module(f"statetracker.{module}")
        all_names = dict.fromkeys(name for table in tables for name in getattr(loaded, table))
        return [name for name in all_names if name.lower().startswith(incomplete.lower())]

    return complete


def devices(incomplete: str) -> list[str]:
    """Return names of devices that have what was typed so far, those that begin with it first; at most 40."""
    from statetracker.caps import searching

    found = dict.fromkeys(row.name for row in searching(incomplete) if row.name) if incomplete else {}
    begin = incomplete.lower()
    return sorted(found, key=lambda name: (not name.lower().startswith(begin), name))[:_MOST]


# fmt: off
JSON: Final = flag("--json", "For machines: JSON on standard output.", called="as_json")
QUIET: Final = flag("--quiet -q", "No progress, no summary: results and errors only.")
SCREEN: Final = Option("--screen", "NAME|FILE", "A built-in screen, a screen file, or a report on a device.",
                       complete=names("caps", "PROFILES"))
DEVICE: Final = Option("--device", "NAME", "A Vulkan device of the corpus: name, vendor:device, or #REPORT.",
                       complete=devices)
DIALECT: Final = Option("--dialect", "NAME", "Whose rules: seed, a release of Mesa (23.1), mesa21, mesa22, mesa24.",
                        complete=names("sampler.dialects", "ALIASES", "DIALECTS"))
VULKAN_DIALECT: Final = Option("--vulkan-dialect", "NAME", "Rules for Vulkan: zink21, zink22 or native.",
                               complete=names("vulkan.dialects", "DIALECTS"))
DESCRIPTION: Final = Option("file", "FILE|-", "A description in JSON or TOML; - is standard input.", default=...)
CHECK: Final = flag("--check", "Compare with what was recorded; exit 1 if it differs.")
LEVELS: Final = Option("--levels", "N", "Mip levels.", int, 1)
LAYERS: Final = Option("--layers", "N", "Array layers; a cube has 6.", int, 1)
SAMPLES: Final = Option("--samples", "N", "Samples a pixel.", int, 1)
PROFILE: Final = Option("--profile", "NAME",
                        "GL profile of contexts whose creation a dump does not show: core, compatibility, gles2 ...",
                        complete=names("gl.limits", "PROFILES"))
PITCH: Final = Option("--pitch", "BYTES", "Row pitch wanted; 0 chooses.", int, 0)

#: Options before the command.
COMMON: Final = (
    flag("--version", "Print the versions: this, Python, optional packages."),
    QUIET,
    flag("--log", "Write events (GL errors, demotions) to standard error."),
    Option("--limits", "TIMES", "Read lines, packed files and ratios up to so many times the usual limits.", float,
           least=1),
)
# fmt: on
