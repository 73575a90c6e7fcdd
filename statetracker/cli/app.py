"""The commands and their options. What each does is in the module of its name."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from statetracker.cli.output import EXIT_FAILED, say
from statetracker.errors import StateTrackerError

__all__ = ["app", "run"]

app = typer.Typer(
    name="statetracker",
    help="What an OpenGL program asks of a texture sampler, turned into what hardware can do.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.")]
Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Compare with what was recorded, in a case file itself, for a dump in the Mesa trace that follows "
        "(--check TRACE.xml); exit 1 if it differs.",
    ),
]
ScreenOption = Annotated[
    str | None, typer.Option("--screen", metavar="NAME|FILE", help="An embedded screen, or a screen file.")
]
DialectOption = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help="Whose rules: seed, mesa21, mesa22, mesa24.")
]


@app.callback()
def common(
    log: Annotated[bool, typer.Option("--log", help="Tell events (GL errors, demotions) on standard error.")] = False,
) -> None:
    """Options before the command."""
    if log:
        from statetracker.cli.events import turn_on

        turn_on()


@app.command()
def replay(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="apitrace dumps or recorded case files, plain or gzip.")
    ],
    screen: ScreenOption = None,
    dialect: DialectOption = None,
    check: Check = False,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="ID", help="Show one case, or one state of a dump, and why it is so."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay a program's GL calls (apitrace dump): one JSON line a create, bind or delete of a sampler state.

    Of a recorded case file: the errors and the state of every case.
    """
    from statetracker.cli.replay import replay_any

    raise typer.Exit(replay_any(files, screen=screen, dialect=dialect, check=check, explain=explain, as_json=as_json))


@app.command()
def convert(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A description in JSON or TOML; - is standard input.")],
    screen: ScreenOption = None,
    dialect: DialectOption = None,
    as_json: Json = False,
) -> None:
    """Translate one sampler and texture, and explain every field."""
    from statetracker.cli.convert import convert_file

    raise typer.Exit(convert_file(file, screen=screen, dialect=dialect, as_json=as_json))


@app.command()
def preview(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A description in JSON or TOML; - is standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE.png", help="The picture to write.")],
    size: Annotated[int, typer.Option("--size", min=3, max=4096, help="Pixels along an edge of each picture.")] = 240,
    screen: ScreenOption = None,
    dialect: DialectOption = None,
    as_json: Json = False,
) -> None:
    """Draw what a state samples: asked for, hardware alone, with the shader's share, and the difference."""
    from statetracker.cli.preview import preview_file

    raise typer.Exit(preview_file(file, output=output, size=size, screen=screen, dialect=dialect, as_json=as_json))


@app.command()
def screens(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME|FILE]...", help="Show only these.")] = None,
    as_json: Json = False,
) -> None:
    """List the embedded screens and what each can do."""
    from statetracker.cli.screens import list_screens

    raise typer.Exit(list_screens(names or [], as_json=as_json))


@app.command()
def bench(
    select: Annotated[str, typer.Option("--select", metavar="TEXT", help="Only rows whose name has this.")] = "",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="How often each is measured.")] = 7,
    as_json: Json = False,
) -> None:
    """Measure this machine: medians, and ratios to an empty Python call of the same run."""
    from statetracker.cli.bench import show

    raise typer.Exit(show(select, repeats=repeats, as_json=as_json))


def run(argv: list[str]) -> int:
    """Run the command line and give the exit code; no error becomes a traceback."""
    argv = [part for word in argv for part in (word.split("=", 1) if word.startswith("--check=") else [word])]
    try:
        result = app(argv, standalone_mode=False)
    except StateTrackerError as error:
        say(str(error))
        return EXIT_FAILED
    except BrokenPipeError:  # the reader of our output has gone: no more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        say("interrupted")
        return EXIT_FAILED
    except Exception as error:  # noqa: BLE001 (the option parser has errors of its own; ours are raised again)
        return _usage(error)
    return int(result or 0)


def _usage(error: Exception) -> int:
    """Show an error of the option parser as one line; anything else is ours, and is raised."""
    show = getattr(error, "format_message", None)
    if type(error).__name__ == "NoArgsIsHelpError" and show is not None:
        sys.stderr.write(f"{show()}\n")
    elif show is not None:
        say(f"{show()} See 'statetracker --help'.")
    elif type(error).__name__ != "Abort":
        raise error
    return EXIT_FAILED
