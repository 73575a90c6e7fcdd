"""The arguments and options of the commands: names and help. Which command takes which is in `app`."""

from __future__ import annotations

from typing import Annotated

import typer

from statetracker.cli import completion
from statetracker.cli.output import hushed


def _hush(context: typer.Context, value: bool) -> bool:
    context.with_resource(hushed(value))
    return value


# Of several commands.
Json = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.")]
ScreenName = Annotated[
    str | None,
    typer.Option(
        "--screen",
        autocompletion=completion.screens,
        metavar="NAME|FILE",
        help="An embedded screen, a screen file, or a report on a device.",
    ),
]
DeviceName = Annotated[
    str | None,
    typer.Option(
        "--device",
        metavar="NAME",
        autocompletion=completion.devices,
        help="A Vulkan device of the corpus: name, vendor:device, or #REPORT.",
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        autocompletion=completion.dialects,
        metavar="NAME",
        help="Whose rules: seed, a release of Mesa (23.1), mesa21, mesa22, mesa24.",
    ),
]
Description = Annotated[
    str, typer.Argument(metavar="FILE|-", help="A description in JSON or TOML; - is standard input.")
]
CheckRecords = Annotated[bool, typer.Option("--check", help="Compare with what was recorded; exit 1 if it differs.")]

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", callback=_hush, help="No progress, no summary: results and errors only.")
]

# Before the command.
Version = Annotated[bool, typer.Option("--version", help="Print the versions: this, Python, optional packages.")]
Log = Annotated[bool, typer.Option("--log", help="Write events (GL errors, demotions) to standard error.")]
Limits = Annotated[
    float | None,
    typer.Option(
        "--limits",
        metavar="TIMES",
        min=1,
        help="Read lines, packed files and ratios up to so many times the usual limits.",
    ),
]

# replay
Recordings = Annotated[
    list[str], typer.Argument(metavar="FILE", help="apitrace dumps or recorded case files, plain or gzip.")
]
CheckReplay = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Compare: a case file with what it holds, a dump with the Mesa trace that follows; exit 1 if it differs.",
    ),
]
ExplainState = Annotated[
    str | None, typer.Option("--explain", metavar="ID", help="Show one case, or one state of a dump, and why it is so.")
]
ContextProfile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        autocompletion=completion.profiles,
        metavar="NAME",
        help="GL profile of contexts whose creation a dump does not show: core, compatibility, gles2 ...",
    ),
]

# lower
ShaderFile = Annotated[
    str,
    typer.Argument(
        metavar="IN.spv", help="A SPIR-V module, GLSL named .vert, .frag, .comp ..., HLSL named .frag.hlsl."
    ),
]
NewModule = Annotated[str, typer.Option("-o", "--output", metavar="OUT.spv", help="Where the new module goes.")]
Clamp = Annotated[
    list[str] | None, typer.Option("--clamp", metavar="SET:BINDING=AXES", help="Axes of GL_CLAMP, as in 0:1=st.")
]
MirrorClamp = Annotated[
    list[str] | None,
    typer.Option("--mirror-clamp", metavar="SET:BINDING=AXES", help="Axes of GL_MIRROR_CLAMP_EXT."),
]
SampledStates = Annotated[
    list[str] | None,
    typer.Option("--state", metavar="SET:BINDING=FILE", help="What is sampled there, described as for convert."),
]
Block = Annotated[
    str | None,
    typer.Option("--block", metavar="SET:BINDING", help="Read the values of --state from a new uniform block there."),
]
BlockFile = Annotated[str | None, typer.Option("--values", metavar="FILE", help="Write the block's bytes.")]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="List samplers that the module lacks, with exit code 1, as no error.")
]
OpenGL = Annotated[bool, typer.Option("--opengl", help="Compile GLSL for OpenGL, not for Vulkan.")]

# convert, preview
VulkanDialect = Annotated[
    str | None,
    typer.Option(
        "--vulkan-dialect",
        autocompletion=completion.vulkan_dialects,
        metavar="NAME",
        help="Rules for Vulkan: zink21, zink22 or native.",
    ),
]
PageFile = Annotated[
    str | None, typer.Option("--html", "-o", metavar="FILE.html", help="Write a page with a chart and a filter.")
]
PictureFile = Annotated[str, typer.Option("--output", "-o", metavar="FILE.png", help="The picture to write.")]
PictureSize = Annotated[int, typer.Option("--size", min=3, max=4096, help="Pixels along an edge of each picture.")]

# screens, probe
ScreenNames = Annotated[
    list[str] | None, typer.Argument(metavar="NAME|FILE", autocompletion=completion.screens, help="Show only these.")
]
DeviceSearch = Annotated[
    str | None,
    typer.Option("--device", metavar="TEXT", help="Search the device corpus: words of a name, or vendor:device."),
]
ComparedScreens = Annotated[
    tuple[str, str] | None,
    typer.Option("--compare", metavar="A B", help="Two Vulkan devices: names, #REPORT, or screen files."),
]
ComparedState = Annotated[
    str | None,
    typer.Option("--state", metavar="FILE", help="Compare one described state; without, the whole discrete space."),
]
DeviceHere = Annotated[
    str | None,
    typer.Option("--device", metavar="NUMBER|TEXT", help="Which Vulkan device: a number, or a part of its name."),
]
SaveScreen = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Write a screen file, for --screen; .gz packs it.")
]

# surface
Questions = Annotated[list[str] | None, typer.Argument(metavar="FILE.jsonl", help="Recorded questions, plain or gzip.")]
LayoutPicture = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Draw the layout, to scale: .png or .svg.")
]
AlignmentPolicy = Annotated[
    str | None,
    typer.Option("--policy", metavar="NAME", help="Of the alignment decision: safe, level-layer, or i965-2014."),
]
Generation = Annotated[str, typer.Option("--gen", metavar="N", help="Hardware generation: 4 to 8.")]
SurfaceKind = Annotated[str, typer.Option("--kind", metavar="NAME", help="stencil, depth, color or hiz.")]
SurfaceSize = Annotated[
    str | None, typer.Option("--size", metavar="WxH", help="Describe a surface of this size, in pixels.")
]
SurfaceFormat = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Surface format; with --older Z16, Z24S8 ...")
]
Levels = Annotated[int, typer.Option("--levels", metavar="N", help="Mip levels.")]
Layers = Annotated[int, typer.Option("--layers", metavar="N", help="Array layers; a cube has 6.")]
Samples = Annotated[int, typer.Option("--samples", metavar="N", help="Samples a pixel.")]
Usage = Annotated[
    str, typer.Option("--usage", metavar="LETTERS", help="T sampled, R render target, N no auxiliary, D display.")
]
Tiling = Annotated[str, typer.Option("--tiling", metavar="NAME", help="The only tiling allowed, or ANY.")]
Pitch = Annotated[int, typer.Option("--pitch", metavar="BYTES", help="Row pitch wanted; 0 chooses.")]
Older = Annotated[bool, typer.Option("--older", help="The i965 driver of 2014: its tree, and its alignment decision.")]
OlderTarget = Annotated[str | None, typer.Option("--target", metavar="NAME", help="With --older: 2D, 2D_ARRAY, CUBE.")]
OlderLevel = Annotated[int, typer.Option("--level", metavar="N", help="With --older: the level rendered to.")]
OlderLayer = Annotated[int, typer.Option("--layer", metavar="N", help="With --older: the layer rendered to.")]
OlderAttach = Annotated[
    str,
    typer.Option(
        "--attach",
        metavar="NAME",
        help="With --older: depth_only, same_renderbuffer, same_texture, separate_s8, stencil_only.",
    ),
]

# surface stencil
StencilGeneration = Annotated[str, typer.Option("--gen", metavar="N", help="Hardware generation: 6, 7, 7.5 or 8.")]
StencilSize = Annotated[str, typer.Option("--size", metavar="WxH", help="Size of level 0, in pixels.")]
StencilLayout = Annotated[
    str, typer.Option("--layout", metavar="NAME", help="plain: the 2D array tree; isl: the newer driver's.")
]
OverrideMode = Annotated[
    str | None,
    typer.Option("--mode", metavar="NAME", help="dynamic: the whole tree; static: one image, as generation 6 has to."),
]
OverrideView = Annotated[
    str | None,
    typer.Option("--view", metavar="NAME", help="byte, or block: 2x2 texels an element; by default what fits."),
]
OverrideLevel = Annotated[int, typer.Option("--level", metavar="N", help="With --mode static: the level described.")]
OverrideLayer = Annotated[int, typer.Option("--layer", metavar="N", help="With --mode static: the layer described.")]

# geometry
Shaders = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="Shaders (.spv, .geom), or recorded programs (.jsonl, plain or gzip)."),
]
ExplainLine = Annotated[
    int | None, typer.Option("--explain", metavar="LINE", help="Show one program's decision and why it is so.")
]
PressurePicture = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="Draw the register pressure of one: .png or .svg."),
]
FallbackPolicy = Annotated[
    str, typer.Option("--policy", metavar="NAME", help="Of the fallback, for what is explained: later, series.")
]

# conform
Drivers = Annotated[
    list[str] | None,
    typer.Option(
        "--driver",
        autocompletion=completion.drivers,
        metavar="NAME",
        help="llvmpipe, softpipe, zink or default; repeat it.",
    ),
]
Count = Annotated[int, typer.Option("--count", "-n", min=1, help="How many cases a driver.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Repeats a run; without it a new one is taken.")]
RecordFile = Annotated[
    str | None,
    typer.Option("--record", metavar="FILE", help="Keep the cases for 'replay --check'; .gz packs them."),
]
ReportFile = Annotated[str | None, typer.Option("--report", metavar="FILE.html", help="Write a report.")]
Limit = Annotated[float, typer.Option("--limit", min=0.1, help="Seconds a case may take.")]
MesaFolder = Annotated[
    str | None, typer.Option("--mesa-prefix", metavar="DIR", help="A folder with another Mesa, unpacked or installed.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes that run cases at a time, each with a driver."),
]
SchedulerAddress = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Run cases on Dask's workers instead: tcp://host:8786."),
]
ConvertUnderTest = Annotated[
    str | None,
    typer.Option("--convert", metavar="MODULE:NAME", help="Not a driver, but a function of yours, in Python."),
]
CommandUnderTest = Annotated[
    str | None,
    typer.Option("--command", metavar="PROGRAM", help="Not a driver, but a program of yours: JSON lines in and out."),
]
Compared = Annotated[
    str | None,
    typer.Option("--compare", metavar="WHAT", help="Of yours: bytes, members, info, or names of members with commas."),
]
JUnitFile = Annotated[str | None, typer.Option("--junit", metavar="FILE.xml", help="Of yours: write a JUnit file.")]

# budget
RunFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="An apitrace dump, a Mesa trace, recorded cases, or a run of the loop; or gzip."
    ),
]
SamplerLimit = Annotated[
    int | None, typer.Option("--limit", min=1, metavar="N", help="Live samplers allowed; without it the device's.")
]
ChartFile = Annotated[
    str | None, typer.Option("--chart", metavar="FILE.html", help="Draw the live samplers over the frames.")
]

# diff
FirstFile = Annotated[str, typer.Argument(metavar="A", help="A recorded case file.")]
SecondFile = Annotated[str, typer.Argument(metavar="B", help="Another recording of the same calls.")]

# explain
ExplainedPage = Annotated[
    str | None, typer.Option("--html", "-o", metavar="FILE.html", help="Write it as a page, with pictures.")
]

# examples
ExamplesFolder = Annotated[str, typer.Argument(metavar="DIR", help="The folder; it is made where it is not there.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files of the same names.")]

# bench
Select = Annotated[str, typer.Option("--select", metavar="TEXT", help="Only rows whose name has this.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="How often each is measured.")]
