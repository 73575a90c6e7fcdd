"""The commands and their options. What each does is in the module of its name."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from statetracker.cli.output import EXIT_FAILED, EXIT_FINE, say
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
    str | None,
    typer.Option("--screen", metavar="NAME|FILE", help="An embedded screen, a screen file, or a report on a device."),
]
DeviceOption = Annotated[
    str | None,
    typer.Option("--device", metavar="NAME", help="A Vulkan device of the corpus: name, vendor:device, or #REPORT."),
]
DialectOption = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help="Whose rules: seed, mesa21, mesa22, mesa24.")
]


@app.callback()
def common(
    log: Annotated[bool, typer.Option("--log", help="Write events (GL errors, demotions) to standard error.")] = False,
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
    device: DeviceOption = None,
    dialect: DialectOption = None,
    check: Check = False,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="ID", help="Show one case, or one state of a dump, and why it is so."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            metavar="NAME",
            help="What a dump's contexts are that it does not show the making of: core, compatibility, gles2 ...",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay a program's GL calls (apitrace dump): one JSON line a create, bind or delete of a sampler state.

    Of a recorded case file: the errors and the state of every case.
    """
    from statetracker.cli.pick import chosen
    from statetracker.cli.replay import replay_any

    screen = chosen(screen, device)
    code = replay_any(
        files, screen=screen, dialect=dialect, check=check, explain=explain, profile=profile, as_json=as_json
    )
    raise typer.Exit(code)


@app.command()
def lower(
    file: Annotated[
        str, typer.Argument(metavar="IN.spv", help="A SPIR-V module, or GLSL named .vert, .frag, .comp ...")
    ],
    output: Annotated[str, typer.Option("-o", "--output", metavar="OUT.spv", help="Where the new module goes.")],
    clamp: Annotated[
        list[str] | None, typer.Option("--clamp", metavar="SET:BINDING=AXES", help="Axes of GL_CLAMP, as in 0:1=st.")
    ] = None,
    mirror_clamp: Annotated[
        list[str] | None,
        typer.Option("--mirror-clamp", metavar="SET:BINDING=AXES", help="Axes of GL_MIRROR_CLAMP_EXT."),
    ] = None,
    opengl: Annotated[bool, typer.Option("--opengl", help="Compile GLSL for OpenGL, not for Vulkan.")] = False,
    as_json: Json = False,
) -> None:
    """Write GL_CLAMP into a shader: its samplers then sample as GL_CLAMP does where they are set to CLAMP_TO_BORDER."""
    from statetracker.cli.lower import lower_file

    raise typer.Exit(lower_file(file, output, clamp or [], mirror_clamp or [], opengl=opengl, as_json=as_json))


@app.command()
def convert(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A description in JSON or TOML; - is standard input.")],
    screen: ScreenOption = None,
    device: DeviceOption = None,
    dialect: DialectOption = None,
    vulkan_dialect: Annotated[
        str | None, typer.Option("--vulkan-dialect", metavar="NAME", help="Rules for Vulkan: zink21, zink22 or native.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Translate one sampler and texture to a record and to Vulkan, and explain every field."""
    from statetracker.cli.convert import convert_file
    from statetracker.cli.pick import chosen

    screen = chosen(screen, device)
    raise typer.Exit(convert_file(file, screen=screen, dialect=dialect, vulkan_dialect=vulkan_dialect, as_json=as_json))


@app.command()
def preview(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A description in JSON or TOML; - is standard input.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE.png", help="The picture to write.")],
    size: Annotated[int, typer.Option("--size", min=3, max=4096, help="Pixels along an edge of each picture.")] = 240,
    screen: ScreenOption = None,
    device: DeviceOption = None,
    dialect: DialectOption = None,
    as_json: Json = False,
) -> None:
    """Draw what a state samples: asked for, hardware alone, with the shader's share, and the difference."""
    from statetracker.cli.pick import chosen
    from statetracker.cli.preview import preview_file

    screen = chosen(screen, device)
    raise typer.Exit(preview_file(file, output=output, size=size, screen=screen, dialect=dialect, as_json=as_json))


@app.command()
def screens(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME|FILE]...", help="Show only these.")] = None,
    device: Annotated[
        str | None,
        typer.Option("--device", metavar="TEXT", help="Search the device corpus: words of a name, or vendor:device."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the embedded screens and what each can do; or search the devices of the corpus."""
    from statetracker.cli.screens import list_screens, search_devices

    code = EXIT_FINE
    if device is None or names:
        code = list_screens(names or [], as_json=as_json)
    if device is not None:
        code = max(code, search_devices(device, as_json=as_json))
    raise typer.Exit(code)


@app.command()
def probe(
    device: Annotated[
        str | None,
        typer.Option("--device", metavar="NUMBER|TEXT", help="Which Vulkan device: a number, or a part of its name."),
    ] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="Write a screen file, for --screen; .gz packs it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask this machine's Vulkan what it offers samplers, and say what will be made up for."""
    from statetracker.cli.probe import probe as probe_machine

    raise typer.Exit(probe_machine(device, save=save, as_json=as_json))


@app.command()
def surface(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE.jsonl]...", help="Recorded questions, plain or gzip.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare with what was recorded; exit 1 if it differs.")
    ] = False,
    as_json: Json = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Draw the layout, to scale: .png or .svg.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="NAME", help="Of the alignment decision: safe, i965-2014 (for records)."),
    ] = None,
    gen: Annotated[str, typer.Option("--gen", metavar="N", help="Hardware generation: 4 to 8.")] = "7",
    kind: Annotated[str, typer.Option("--kind", metavar="NAME", help="stencil, depth, color or hiz.")] = "depth",
    size: Annotated[
        str | None, typer.Option("--size", metavar="WxH", help="Describe a surface of this size, in pixels.")
    ] = None,
    pixel_format: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="Surface format; with --older Z16, Z24S8 ...")
    ] = None,
    levels: Annotated[int, typer.Option("--levels", metavar="N", help="Mip levels.")] = 1,
    layers: Annotated[int, typer.Option("--layers", metavar="N", help="Array layers; a cube has 6.")] = 1,
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="Samples a pixel.")] = 1,
    usage: Annotated[
        str, typer.Option("--usage", metavar="LETTERS", help="T sampled, R render target, N no auxiliary, D display.")
    ] = "",
    tiling: Annotated[str, typer.Option("--tiling", metavar="NAME", help="The only tiling allowed, or ANY.")] = "ANY",
    pitch: Annotated[int, typer.Option("--pitch", metavar="BYTES", help="Row pitch wanted; 0 chooses.")] = 0,
    older: Annotated[
        bool, typer.Option("--older", help="The i965 driver of 2014: its tree, and its alignment decision.")
    ] = False,
    target: Annotated[
        str | None, typer.Option("--target", metavar="NAME", help="With --older: 2D, 2D_ARRAY, CUBE.")
    ] = None,
    level: Annotated[int, typer.Option("--level", metavar="N", help="With --older: the level rendered to.")] = 0,
    layer: Annotated[int, typer.Option("--layer", metavar="N", help="With --older: the layer rendered to.")] = 0,
    attach: Annotated[
        str,
        typer.Option(
            "--attach",
            metavar="NAME",
            help="With --older: depth_only, same_renderbuffer, same_texture, separate_s8, stencil_only.",
        ),
    ] = "depth_only",
) -> None:
    """Where depth, stencil and HiZ lie: answer recorded questions, or describe and draw one surface.

    Questions are told apart by their content: surfaces, tiling, depth/stencil alignment.
    """
    from statetracker.cli.surface import describe, run_files
    from statetracker.errors import ArgumentError

    if files:
        raise typer.Exit(run_files(files, check=check, as_json=as_json, policy=policy, output=output))
    if size is None:
        raise ArgumentError("surface", None, accepted="a FILE.jsonl, or --size WxH with --gen, --kind ...")
    asked = {
        "gen": gen, "kind": kind, "size": size, "format": pixel_format, "levels": levels, "layers": layers,
        "samples": samples, "usage": usage, "tiling": tiling, "pitch": pitch, "older": older, "target": target,
        "level": level, "layer": layer, "attach": attach,
    }  # fmt: skip
    raise typer.Exit(describe(asked, as_json=as_json, policy=policy, output=output))


@app.command()
def geometry(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Shaders (.spv, .geom), or recorded programs (.jsonl, plain or gzip)."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Compare with what was recorded; exit 1 if it differs.")
    ] = False,
    as_json: Json = False,
    explain: Annotated[
        int | None, typer.Option("--explain", metavar="LINE", help="Show one program's decision and why it is so.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Draw the register pressure of one: .png or .svg."),
    ] = None,
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="Of the fallback, for what is explained: later, series.")
    ] = "later",
) -> None:
    """Choose how gen7 hardware runs geometry shaders: the dispatch mode that fits the registers, spills, payload."""
    from statetracker.cli.geometry import explain_line, run_files
    from statetracker.cli.geometry_shader import explain_shaders, is_shader
    from statetracker.errors import ArgumentError

    if any(map(is_shader, files)):
        for field, value, given in (("option", "--check", check), ("--explain", explain, explain is not None)):
            if given:
                raise ArgumentError(field, value, accepted="with files of records, not with shaders")
        raise typer.Exit(explain_shaders(files, policy=policy, output=output, as_json=as_json))
    if explain is not None or output is not None:
        raise typer.Exit(explain_line(files[0], explain or 1, policy=policy, output=output, as_json=as_json))
    raise typer.Exit(run_files(files, check=check, as_json=as_json))


@app.command()
def conform(
    driver: Annotated[
        list[str] | None,
        typer.Option("--driver", metavar="NAME", help="llvmpipe, softpipe, zink or default; repeat it."),
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many cases a driver.")] = 500,
    seed: Annotated[int | None, typer.Option("--seed", help="Repeats a run; without it a new one is taken.")] = None,
    dialect: DialectOption = None,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="Keep the cases for 'replay --check'; .gz packs them."),
    ] = None,
    report: Annotated[str | None, typer.Option("--report", metavar="FILE.html", help="Write a report.")] = None,
    limit_s: Annotated[float, typer.Option("--limit", min=0.1, help="Seconds a case may take.")] = 20.0,
    as_json: Json = False,
) -> None:
    """Drive the installed Mesa through random states and compare what its driver is told with our conversion."""
    from statetracker.cli.conform import conform_drivers

    raise typer.Exit(
        conform_drivers(
            driver or ["llvmpipe"],
            count=count,
            seed=seed,
            dialect=dialect,
            record=record,
            report=report,
            limit_s=limit_s,
            as_json=as_json,
        )
    )


@app.command()
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A recorded case file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another recording of the same calls.")],
    as_json: Json = False,
) -> None:
    """Show what changed between two recordings, and the rule that explains it where one does."""
    from statetracker.cli.diff import diff_files

    raise typer.Exit(diff_files(first, second, as_json=as_json))


@app.command()
def bench(
    select: Annotated[str, typer.Option("--select", metavar="TEXT", help="Only rows whose name has this.")] = "",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="How often each is measured.")] = 7,
    as_json: Json = False,
) -> None:
    """Measure this machine: medians, and ratios to an empty Python call of the same run."""
    from statetracker.benchmarks.run import show

    raise typer.Exit(show(select, repeats=repeats, as_json=as_json))


def run(argv: list[str]) -> int:
    """Run the command line and give the exit code; no error becomes a traceback."""
    _mend_streams()
    argv = [part for word in argv for part in (word.split("=", 1) if word.startswith("--check=") else [word])]
    try:
        result = app(argv, standalone_mode=False)
        sys.stdout.flush()
    except StateTrackerError as error:
        say(str(error))
        return EXIT_FAILED
    except (BrokenPipeError, SystemExit):  # the reader of our output has gone (the option parser exits): no more to say
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        say(f"the output cannot be written: {error}")
        return EXIT_FAILED
    except KeyboardInterrupt:
        say("interrupted")
        return EXIT_FAILED
    except Exception as error:  # noqa: BLE001 (the option parser has errors of its own; ours are raised again)
        return _usage(error)
    return int(result or 0)


def _mend_streams() -> None:
    """Write what a stream's encoding lacks as escapes, and to nowhere where there is no stream."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (for the rest of the process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that leaving the process does not fail over it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
