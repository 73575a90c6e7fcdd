"""The commands. What each does is in the module of its name, what its options say in `options`."""

from __future__ import annotations

import sys
from copy import copy

import typer

from statetracker.cli import options as o  # noqa: TC001 (typer reads the annotations)
from statetracker.cli.help import Commands, shown
from statetracker.cli.output import EXIT_FINE, hushed
from statetracker.errors import ArgumentError, StateTrackerError
from statetracker.unpacking import ReadLimits, read_limits

app = typer.Typer(
    name="statetracker",
    cls=Commands,
    help="What an OpenGL program asks of a texture sampler, turned into what hardware can do.",
    invoke_without_command=True,
    context_settings={"max_content_width": 100},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def app_for(argv: list[str]) -> typer.Typer:
    """Return `app` with only the commands that the first word begins; with all where it begins none.

    typer builds the options of every command that an app has before it looks for the one that runs.
    """
    rows = [row for row in app.registered_commands if argv and str(row.name).split()[0] == argv[0]]
    one = copy(app)
    one.registered_commands = rows or app.registered_commands
    return one


@app.callback()
def common(
    context: typer.Context,
    version: o.Version = False,
    quiet: o.Quiet = False,
    log: o.Log = False,
    limits: o.Limits = None,
) -> None:
    """Options before the command; without one, what is here."""
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


@app.command(**shown("replay"))
def replay(
    files: o.Recordings,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    dialect: o.Dialect = None,
    check: o.CheckReplay = False,
    explain: o.ExplainState = None,
    profile: o.ContextProfile = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """Replay a program's GL calls (apitrace dump): one JSON line a create, bind or delete of a sampler state.

    Of a recorded case file: the errors and the state of every case.
    """
    from statetracker.cli.replay import replay_any
    from statetracker.cli.screen_options import chosen

    screen = chosen(screen, device)
    return replay_any(
        files, screen=screen, dialect=dialect, check=check, explain=explain, profile=profile, as_json=as_json
    )


@app.command(**shown("lower"))
def lower(
    file: o.ShaderFile,
    output: o.NewModule,
    state: o.SampledStates = None,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    block: o.Block = None,
    values: o.BlockFile = None,
    clamp: o.Clamp = None,
    mirror_clamp: o.MirrorClamp = None,
    keep_going: o.KeepGoing = False,
    opengl: o.OpenGL = False,
    as_json: o.Json = False,
) -> int:
    """Write into a shader what its samplers lack on a device: borders, GL_CLAMP, LOD bias, filtering.

    The values of --state are constants, or with --block in a uniform block. With --clamp and --mirror-clamp the shader
    samples as GL_CLAMP does where its samplers are set to CLAMP_TO_BORDER.
    """
    from statetracker.cli.lower import Asked, lower_file
    from statetracker.cli.screen_options import chosen

    asked = Asked(tuple(state or ()), tuple(clamp or ()), tuple(mirror_clamp or ()), chosen(screen, device), block)
    return lower_file(file, output, asked, values=values, keep_going=keep_going, opengl=opengl, as_json=as_json)


@app.command(**shown("convert"))
def convert(
    file: o.Description,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    dialect: o.Dialect = None,
    vulkan_dialect: o.VulkanDialect = None,
    as_json: o.Json = False,
) -> int:
    """Translate one sampler and texture to a record and to Vulkan, and explain every field."""
    from statetracker.cli.convert import convert_file
    from statetracker.cli.screen_options import chosen

    screen = chosen(screen, device)
    return convert_file(file, screen=screen, dialect=dialect, vulkan_dialect=vulkan_dialect, as_json=as_json)


@app.command(**shown("explain"))
def explain(
    file: o.Description,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    dialect: o.Dialect = None,
    vulkan_dialect: o.VulkanDialect = None,
    html: o.ExplainedPage = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """Say what came in, each rule that fired, what went out, and what the shader adds; or draw it as a page.

    The description is that of convert. The page is one file, with pictures of what the state samples.
    """
    from statetracker.cli.explain import explain_file
    from statetracker.cli.screen_options import chosen

    screen = chosen(screen, device)
    return explain_file(file, screen=screen, dialect=dialect, vulkan_dialect=vulkan_dialect, html=html, as_json=as_json)


@app.command(**shown("portability"))
def portability(
    file: o.Description,
    html: o.PageFile = None,
    dialect: o.Dialect = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """On which of 7,003 devices is a state native, left to the shader, approximated or impossible; what would help."""
    from statetracker.cli.portability import show_portability

    return show_portability(file, html=html, dialect=dialect, as_json=as_json)


@app.command(**shown("preview"))
def preview(
    file: o.Description,
    output: o.PictureFile,
    size: o.PictureSize = 240,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    dialect: o.Dialect = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """Draw what a state samples: as requested, hardware alone, with the shader's share, and the difference."""
    from statetracker.cli.preview import preview_file
    from statetracker.cli.screen_options import chosen

    screen = chosen(screen, device)
    return preview_file(file, output=output, size=size, screen=screen, dialect=dialect, as_json=as_json)


@app.command(**shown("screens"))
def screens(
    names: o.ScreenNames = None,
    device: o.DeviceSearch = None,
    compare: o.ComparedScreens = None,
    state: o.ComparedState = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """List the embedded screens and what each can do; search the devices of the corpus; or compare two, by rule."""
    from statetracker.cli.screens import list_screens, search_devices

    if compare is not None:
        from statetracker.cli.screens_compare import compare_screens

        return compare_screens(*compare, state=state, as_json=as_json)
    if state is not None:
        raise ArgumentError("--state", state, accepted="with --compare")
    code = EXIT_FINE
    if device is None or names:
        code = list_screens(names or [], as_json=as_json)
    if device is not None:
        code = max(code, search_devices(device, as_json=as_json))
    return code


@app.command(**shown("probe"))
def probe(
    device: o.DeviceHere = None, save: o.SaveScreen = None, _quiet: o.Quiet = False, as_json: o.Json = False
) -> int:
    """Show what this machine's Vulkan offers samplers, and what will be emulated."""
    from statetracker.cli.probe import probe as probe_machine

    return probe_machine(device, save=save, as_json=as_json)


@app.command(**shown("surface"))
def surface(
    files: o.Questions = None,
    check: o.CheckRecords = False,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
    output: o.LayoutPicture = None,
    policy: o.AlignmentPolicy = None,
    gen: o.Generation = "7",
    kind: o.SurfaceKind = "depth",
    size: o.SurfaceSize = None,
    pixel_format: o.SurfaceFormat = None,
    levels: o.Levels = 1,
    layers: o.Layers = 1,
    samples: o.Samples = 1,
    usage: o.Usage = "",
    tiling: o.Tiling = "ANY",
    pitch: o.Pitch = 0,
    older: o.Older = False,
    target: o.OlderTarget = None,
    level: o.OlderLevel = 0,
    layer: o.OlderLayer = 0,
    attach: o.OlderAttach = "depth_only",
) -> int:
    """Where depth, stencil and HiZ lie: answer recorded questions, or describe and draw one surface.

    The content of a question says what it is about: surfaces, tiling, depth/stencil alignment. Of stencil as a sampler
    sees it, see statetracker surface stencil.
    """
    from statetracker.cli.surface import describe, run_files

    if files:
        return run_files(files, check=check, as_json=as_json, policy=policy, output=output)
    if size is None:
        raise ArgumentError("surface", None, accepted="a FILE.jsonl, or --size WxH with --gen, --kind ...")
    arguments = {
        "gen": gen, "kind": kind, "size": size, "format": pixel_format, "levels": levels, "layers": layers,
        "samples": samples, "usage": usage, "tiling": tiling, "pitch": pitch, "older": older, "target": target,
        "level": level, "layer": layer, "attach": attach,
    }  # fmt: skip
    return describe(arguments, as_json=as_json, policy=policy, output=output)


@app.command(**shown("surface stencil"))
def surface_stencil(
    size: o.StencilSize,
    gen: o.StencilGeneration = "7",
    levels: o.Levels = 1,
    layers: o.Layers = 1,
    samples: o.Samples = 1,
    layout: o.StencilLayout = "plain",
    pitch: o.Pitch = 0,
    mode: o.OverrideMode = None,
    view: o.OverrideView = None,
    level: o.OverrideLevel = 0,
    layer: o.OverrideLayer = 0,
    as_json: o.Json = False,
) -> int:
    """The surface state with which generations 6 and 7 sample W-tiled stencil, as if it were Y-tiled."""
    from statetracker.cli.surface import describe_stencil

    tree = {
        "gen": gen, "levels": levels, "layers": layers, "samples": samples, "layout_of": layout,
        "row_pitch_B": pitch or None,
    }  # fmt: skip
    seen = {"mode": mode, "view": view, "level": level, "layer": layer}
    return describe_stencil(size, tree, seen, as_json=as_json)


@app.command(**shown("geometry"))
def geometry(
    files: o.Shaders,
    check: o.CheckRecords = False,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
    explain: o.ExplainLine = None,
    output: o.PressurePicture = None,
    policy: o.FallbackPolicy = "later",
) -> int:
    """Choose how gen7 hardware runs geometry shaders: the dispatch mode that fits the registers, spills, payload."""
    from statetracker.cli.geometry import explain_line, explain_shaders, is_shader, run_files

    if any(map(is_shader, files)):
        for field, value, given in (("option", "--check", check), ("--explain", explain, explain is not None)):
            if given:
                raise ArgumentError(field, value, accepted="with files of records, not with shaders")
        return explain_shaders(files, policy=policy, output=output, as_json=as_json)
    if explain is not None or output is not None:
        return explain_line(files[0], explain or 1, policy=policy, output=output, as_json=as_json)
    return run_files(files, check=check, as_json=as_json)


@app.command(**shown("conform"))
def conform(
    driver: o.Drivers = None,
    count: o.Count = 500,
    seed: o.Seed = None,
    dialect: o.Dialect = None,
    record: o.RecordFile = None,
    report: o.ReportFile = None,
    limit_s: o.Limit = 20.0,
    mesa_prefix: o.MesaFolder = None,
    jobs: o.Jobs = None,
    scheduler: o.SchedulerAddress = None,
    convert: o.ConvertUnderTest = None,
    command: o.CommandUnderTest = None,
    compare: o.Compared = None,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    vulkan_dialect: o.VulkanDialect = None,
    junit: o.JUnitFile = None,
    _quiet: o.Quiet = False,
    as_json: o.Json = False,
) -> int:
    """Drive the installed Mesa, or a conversion of your own, through random states and compare it with ours."""
    from statetracker.cli.screen_options import chosen

    where = chosen(screen, device)
    of_drivers: dict[str, object] = {
        "--driver": driver, "--record": record, "--report": report, "--mesa-prefix": mesa_prefix, "--jobs": jobs,
        "--scheduler": scheduler,
    }  # fmt: skip
    of_yours = {"--compare": compare, "--screen": where, "--vulkan-dialect": vulkan_dialect, "--junit": junit}
    yours = bool(convert or command)
    for option, value in (of_drivers if yours else of_yours).items():
        if value is not None:
            raise ArgumentError(option, value, accepted=f"{'without' if yours else 'with'} --convert or --command")
    if yours:
        from statetracker.cli.conform_yours import conform_yours

        return conform_yours(
            convert, command, compare=compare, screen=where, dialect=dialect, vulkan_dialect=vulkan_dialect,
            count=count, seed=seed, limit_s=limit_s, junit=junit, as_json=as_json,
        )  # fmt: skip
    from statetracker.cli.conform import conform_drivers

    return conform_drivers(
        driver or ["llvmpipe"], count=count, seed=seed, dialect=dialect, record=record, report=report, limit_s=limit_s,
        mesa_prefix=mesa_prefix, jobs=jobs or 1, scheduler=scheduler, as_json=as_json,
    )  # fmt: skip


@app.command(**shown("diff"))
def diff(first: o.FirstFile, second: o.SecondFile, as_json: o.Json = False) -> int:
    """Show what changed between two recordings, and the rule that explains it where one does."""
    from statetracker.cli.diff import diff_files

    return diff_files(first, second, as_json=as_json)


@app.command(**shown("budget"))
def budget(
    file: o.RunFile,
    screen: o.ScreenName = None,
    device: o.DeviceName = None,
    dialect: o.Dialect = None,
    limit: o.SamplerLimit = None,
    chart: o.ChartFile = None,
    as_json: o.Json = False,
) -> int:
    """How many samplers a program needs, and the cheapest change of policy that keeps it below a limit."""
    from statetracker.cli.budget import budget_file
    from statetracker.cli.screen_options import chosen

    screen = chosen(screen, device)
    return budget_file(file, screen=screen, dialect=dialect, limit=limit, chart=chart, as_json=as_json)


@app.command(**shown("bench"))
def bench(select: o.Select = "", repeats: o.Repeats = 7, _quiet: o.Quiet = False, as_json: o.Json = False) -> int:
    """Measure this machine: medians, and ratios to an empty Python call of the same run."""
    from statetracker.benchmarks.run import show

    return show(select, repeats=repeats, as_json=as_json)


@app.command(**shown("examples"))
def examples(folder: o.ExamplesFolder, force: o.Force = False, _quiet: o.Quiet = False) -> int:
    """Write the examples of this version into a folder: states, recordings, shaders, programs."""
    from statetracker.cli.examples import write_examples

    return write_examples(folder, force=force)
