"""The command line that typer makes of the rows in `statetracker.cli.commands`."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from statetracker.cli.commands import COMMANDS
from statetracker.cli.options import COMMON, Given
from statetracker.cli.output import EXIT_FINE, hushed
from statetracker.errors import ArgumentError, StateTrackerError
from statetracker.unpacking import ReadLimits, read_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from statetracker.cli.options import Command, Option


class _Group(TyperGroup):
    """Commands whose name is one word, or two: ``surface stencil``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 (typer has a click of its own)
        """Find a command; two words go before one."""
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)


def program(argv: Sequence[str] = ()) -> Any:  # noqa: ANN401 (as above)
    """Return the command line with only the commands that the first word begins; with all where it begins none.

    typer builds the options of every command that it is given before it looks for the one that runs.
    """
    app = typer.Typer(
        name="statetracker",
        cls=_Group,
        help="What an OpenGL program asks of a texture sampler, turned into what hardware can do.",
        invoke_without_command=True,
        context_settings={"max_content_width": 100},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_taking(COMMON, _before_the_command, Parameter("context", _KEYWORD, annotation=typer.Context)))
    rows = {name: row for name, row in COMMANDS.items() if argv and name.split()[0] == argv[0]} or COMMANDS
    for name, row in rows.items():
        lines = "\n".join(f"  statetracker {line}" for line in (row.first, row.second))
        epilog = f"\b\nExamples, in a folder of 'statetracker examples':\n{lines}"
        app.command(name, short_help=row.short, help=row.help, epilog=epilog)(_taking(row.options, _caller(row)))
    group: Any = get_command(app)
    _spare_checks(group, COMMON)
    for name, row in rows.items():
        _spare_checks(group.commands[name], row.options)
    return group


_KEYWORD = Parameter.KEYWORD_ONLY


def _taking(options: Iterable[Option], function: Callable[..., Any], *first: Parameter) -> Callable[..., Any]:
    """Return a function with the signature that typer makes these options of."""

    def call(**values: Any) -> Any:  # noqa: ANN401 (what the options are)
        return function(**values)

    call.__signature__ = Signature([*first, *map(_parameter, options)])  # type: ignore[attr-defined]
    return call


def _parameter(option: Option) -> Parameter:
    words = option.words.split()
    said: dict[str, Any] = {
        "metavar": option.metavar, "help": option.help, "autocompletion": option.complete, "min": option.least,
        "max": option.most,
    }  # fmt: skip
    info = typer.Option(*words, **said) if words[0].startswith("-") else typer.Argument(**said)
    kind = option.kind | None if option.default is None else option.kind
    default = Parameter.empty if option.default is ... else option.default
    return Parameter(option.name, _KEYWORD, default=default, annotation=Annotated[kind, info])


def _spare_checks(command: Any, options: Iterable[Option]) -> None:  # noqa: ANN401 (typer has a click of its own)
    """Let a command take none and text as they are: nothing is made of them, and typer's check loads pydantic."""
    text = {option.name for option in options if option.kind in {str, list[str]}}
    for param in (*command.params, command.get_help_option(typer.Context(command))):
        param.process_value = partial(_processed, param, param.process_value, text=param.name in text)


def _processed(param: Any, check: Any, ctx: Any, value: Any, *, text: bool) -> Any:  # noqa: ANN401 (as above)
    return value if (value is None and not param.required) or (text and value) else check(ctx, value)


def _caller(row: Command) -> Callable[..., int]:
    """Return what runs a command: it loads the function's module only then."""

    def run(*, quiet: bool = False, **values: Any) -> int:  # noqa: ANN401 (what the options are)
        _refuse_empty(row.options, values)
        if "screen" in values:
            from statetracker.cli.descriptions import chosen

            values["screen"] = chosen(values["screen"], values.pop("device"))
        module, _, name = row.function.rpartition(".")
        with hushed(quiet):
            code: int = getattr(import_module(f"statetracker.{module}"), name)(Given(**values))
        return code

    return run


def _refuse_empty(options: Iterable[Option], values: dict[str, Any]) -> None:
    """Raise `ArgumentError` for an option with empty text, as a script has it from a variable that is not set."""
    for option in options:
        value, word = values.get(option.name), option.words.split()[0]
        empty = "" in value if isinstance(value, list | tuple) else value == "" != option.default
        if empty and word.startswith("-"):
            raise ArgumentError(word, "", accepted="a value that is not empty, or no such option")


def _before_the_command(context: typer.Context, *, version: bool, quiet: bool, log: bool, limits: float | None) -> None:
    """Do what the options before the command say; without a command, show what is here."""
    context.with_resource(read_limits(ReadLimits().times(1.0 if limits is None else limits)))
    context.with_resource(hushed(quiet))
    if version or context.invoked_subcommand is None:
        from statetracker.cli.about import show_here, show_version

        show_version() if version else show_here()
        raise typer.Exit(EXIT_FINE)
    if log:
        _write_events()


def _write_events() -> None:
    """Write every event as one line to standard error: structlog's loggers are silent until it is configured."""
    try:
        import structlog
    except ImportError:
        raise StateTrackerError("--log", None, hint="Install what writes events: pip install structlog") from None
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
