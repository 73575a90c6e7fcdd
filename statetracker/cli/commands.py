"""The commands, a row each: what help says of it, the function that it calls, its arguments and options.

`statetracker.cli.app` makes the command line of them. tests/cli/test_commands.py runs the examples, in a folder that
``statetracker examples`` has written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statetracker.cli.options import (
    CHECK,
    DESCRIPTION,
    DEVICE,
    DIALECT,
    JSON,
    LAYERS,
    LEVELS,
    PITCH,
    PROFILE,
    QUIET,
    SAMPLES,
    SCREEN,
    VULKAN_DIALECT,
    Command,
    Option,
    flag,
    names,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


#: Name -> command; a name may have two words.
COMMANDS: Final[Mapping[str, Command]] = {
    "replay": Command(
        "Replay recorded GL calls: the states that they make.",
        "replay texwrap.dump.txt.gz --check texwrap.xml.gz",
        "replay llvmpipe.jsonl.gz --check --json",
        "cli.replay.replay_any",
        """Replay a program's GL calls (apitrace dump): one JSON line a create, bind or delete of a sampler state.

        Of a recorded case file: the errors and the state of every case.""",
        (
            Option("files", "FILE", "apitrace dumps or recorded case files, plain or gzip.", list[str], ...),
            SCREEN, DEVICE, DIALECT,
            flag("--check", "Compare: a case file with what it holds, a dump with the Mesa trace that follows; "
                 "exit 1 if it differs."),
            Option("--explain", "ID", "Show one case, or one state of a dump, and why it is so."),
            PROFILE, QUIET, JSON,
        ),
    ),
    "lower": Command(
        "Write into a shader what its samplers lack.",
        "lower textured.spv -o lowered.spv --state 0:1=border.toml",
        "lower textured.spv -o clamped.spv --clamp 0:1=st",
        "cli.lower.lower_file",
        """Write into a shader what its samplers lack on a device: borders, GL_CLAMP, LOD bias, filtering.

        The values of --state are constants, or with --block in a uniform block. With --clamp and --mirror-clamp the
        shader samples as GL_CLAMP does where its samplers are set to CLAMP_TO_BORDER.""",
        (
            Option("file", "IN.spv", "A SPIR-V module, GLSL named .vert, .frag, .comp ..., HLSL named .frag.hlsl.",
                   default=...),
            Option("-o --output", "OUT.spv", "Where the new module goes.", default=...),
            Option("--state", "SET:BINDING=FILE", "What is sampled there, described as for convert.", list[str]),
            SCREEN, DEVICE,
            Option("--block", "SET:BINDING", "Read the values of --state from a new uniform block there."),
            Option("--values", "FILE", "Write the block's bytes."),
            Option("--clamp", "SET:BINDING=AXES", "Axes of GL_CLAMP, as in 0:1=st.", list[str]),
            Option("--mirror-clamp", "SET:BINDING=AXES", "Axes of GL_MIRROR_CLAMP_EXT.", list[str]),
            flag("--keep-going", "List samplers that the module lacks, with exit code 1, as no error."),
            flag("--opengl", "Compile GLSL for OpenGL, not for Vulkan."),
            JSON,
        ),
    ),
    "shader": Command(
        "Write a function that samples as GL asks: GLSL, WGSL ...",
        "shader border.toml --language wgsl",
        "shader shadow.toml --language glsl -o shadow.glsl",
        "cli.lower.write_shader",
        """Write a function that samples a described state as GL asks on a device, as text.

        Texture, sampler and block of values are its parameters. The sampler is the one that convert chooses.""",
        (
            DESCRIPTION,
            Option("--language", "NAME", "glsl, glsl-es, wgsl, hlsl, slang or msl.", default=...,
                   complete=names("shader.text", "LANGUAGES")),
            SCREEN, DEVICE,
            Option("--name", "NAME", "The function's name.", default="sample_state"),
            Option("--forms", "NAME,NAME", "How it samples, a function each: implicit, bias, level, grad, project, "
                   "gather, fetch, compare, compare_level, compare_grad, compare_project, compare_gather."),
            Option("--wraps", "state|data", "data: one text for all wraps, which the block's values tell apart.",
                   default="state"),
            flag("--constants", "Write the numbers into the text, in place of a block."),
            Option("--output -o", "FILE", "Write the text there."),
            Option("--values", "FILE", "Write the block's bytes."),
            QUIET, JSON,
        ),
    ),
    "convert": Command(
        "Translate one sampler and texture, field by field.",
        "convert border.toml",
        "convert clamp.toml --device 'Apple A12 GPU' --json",
        "cli.convert.convert_file",
        "Translate one sampler and texture for a driver, a Vulkan device or WebGPU, and explain every field.",
        (
            DESCRIPTION, SCREEN, DEVICE, DIALECT, VULKAN_DIALECT,
            flag("--gallium", "For a device: Gallium's record too, from which its sampler is made."), JSON,
        ),
    ),
    "explain": Command(
        "Say why a state becomes what it becomes; as a page too.",
        "explain border.toml",
        "explain clamp.toml --device 'Apple A12 GPU' --html clamp.html",
        "cli.convert.explain_file",
        """Say what came in, each rule that fired, what went out, and what the shader adds; or draw it as a page.

        The description is that of convert. The page is one file, with pictures of what the state samples.""",
        (
            DESCRIPTION, SCREEN, DEVICE, DIALECT, VULKAN_DIALECT,
            Option("--html -o", "FILE.html", "Write it as a page, with pictures."),
            QUIET, JSON,
        ),
    ),
    "portability": Command(
        "Say on which of 7,003 devices a state works, and how.",
        "portability border.toml",
        "portability shadow.toml --html shadow.html",
        "cli.convert.show_portability",
        "On which of 7,003 devices is a state native, left to the shader, approximated or impossible; what would help.",
        (
            DESCRIPTION,
            Option("--html -o", "FILE.html", "Write a page with a chart and a filter."),
            DIALECT, QUIET, JSON,
        ),
    ),
    "preview": Command(
        "Draw what a state samples on a device.",
        "preview mirror.toml -o mirror.png",
        "preview border.toml --device Mali-G57 --size 120 -o border.png",
        "cli.convert.preview_file",
        "Draw what a state samples: as requested, hardware alone, with the shader's share, and the difference.",
        (
            DESCRIPTION,
            Option("--output -o", "FILE.png", "The picture to write.", default=...),
            Option("--size", None, "Pixels along an edge of each picture.", int, 240, least=3, most=4096),
            SCREEN, DEVICE, DIALECT, QUIET, JSON,
        ),
    ),
    "screens": Command(
        "List, search and compare drivers and devices.",
        "screens --device 'adreno 640'",
        "screens --compare Mali-G57 'Apple A12 GPU' --state border.toml",
        "cli.screens.show_screens",
        "List the built-in screens and what each can do; search the devices of the corpus; or compare two, by rule.",
        (
            Option("names", "NAME|FILE", "Show only these.", list[str], complete=names("caps", "PROFILES")),
            Option("--device", "TEXT", "Search the device corpus: words of a name, or vendor:device."),
            Option("--compare", "A B", "Two Vulkan devices: names, #REPORT, or screen files.", tuple[str, str]),
            Option("--state", "FILE", "Compare one described state; without, the whole discrete space."),
            QUIET, JSON,
        ),
    ),
    "probe": Command(
        "Show what this machine's Vulkan offers samplers.",
        "probe",
        "probe --save here.json.gz",
        "cli.screens.probe",
        "Show what this machine's Vulkan offers samplers, and what will be emulated.",
        (
            Option("--device", "NUMBER|TEXT", "Which Vulkan device: a number, or a part of its name."),
            Option("--save", "FILE", "Write a screen file, for --screen; .gz packs it."),
            QUIET, JSON,
        ),
    ),
    "surface": Command(
        "Show where depth, stencil and HiZ lie in memory.",
        "surface --gen 7 --kind depth --size 100x75 --levels 5",
        "surface --gen 6 --kind stencil --size 64x64 -o stencil.svg",
        "cli.surface.show_surface",
        """Where depth, stencil and HiZ lie: answer recorded questions, or describe and draw one surface.

        The content of a question says what it is about: surfaces, tiling, depth/stencil alignment. Of stencil as a
        sampler sees it, see statetracker surface stencil.""",
        (
            Option("files", "FILE.jsonl", "Recorded questions, plain or gzip.", list[str]),
            CHECK, QUIET, JSON,
            Option("-o --output", "FILE", "Draw the layout, to scale: .png or .svg."),
            Option("--policy", "NAME", "Of the alignment decision: safe, level-layer, or i965-2014."),
            Option("--gen", "N", "Hardware generation: 4 to 8.", default="7"),
            Option("--kind", "NAME", "stencil, depth, color or hiz.", default="depth"),
            Option("--size", "WxH", "Describe a surface of this size, in pixels."),
            Option("--format", "NAME", "Surface format; with --older Z16, Z24S8 ..."),
            LEVELS, LAYERS, SAMPLES,
            Option("--usage", "LETTERS", "T sampled, R render target, N no auxiliary, D display.", default=""),
            Option("--tiling", "NAME", "The only tiling allowed, or ANY.", default="ANY"),
            PITCH,
            flag("--older", "The i965 driver of 2014: its tree, and its alignment decision."),
            Option("--target", "NAME", "With --older: 2D, 2D_ARRAY, CUBE."),
            Option("--level", "N", "With --older: the level rendered to.", int, 0),
            Option("--layer", "N", "With --older: the layer rendered to.", int, 0),
            Option("--attach", "NAME",
                   "With --older: depth_only, same_renderbuffer, same_texture, separate_s8, stencil_only.",
                   default="depth_only"),
        ),
    ),
    "surface stencil": Command(
        "Show stencil as generations 6 and 7 sample it.",
        "surface stencil --gen 7 --size 100x75 --levels 5 --layers 3",
        "surface stencil --gen 6 --size 300x200 --levels 4 --json",
        "cli.surface.show_stencil",
        "The surface state with which generations 6 and 7 sample W-tiled stencil, as if it were Y-tiled.",
        (
            Option("--size", "WxH", "Size of level 0, in pixels.", default=...),
            Option("--gen", "N", "Hardware generation: 6, 7, 7.5 or 8.", default="7"),
            LEVELS, LAYERS, SAMPLES,
            Option("--layout", "NAME", "plain: the 2D array tree; isl: the newer driver's.", default="plain"),
            PITCH,
            Option("--mode", "NAME", "dynamic: the whole tree; static: one image, as generation 6 has to."),
            Option("--view", "NAME", "byte, or block: 2x2 texels an element; by default what fits."),
            Option("--level", "N", "With --mode static: the level described.", int, 0),
            Option("--layer", "N", "With --mode static: the layer described.", int, 0),
            JSON,
        ),
    ),
    "geometry": Command(
        "Choose how gen7 hardware runs a geometry shader.",
        "geometry silhouette.spv",
        "geometry silhouette.spv --policy series -o pressure.svg",
        "cli.geometry.show_geometry",
        "Choose how gen7 hardware runs geometry shaders: the dispatch mode that fits the registers, spills, payload.",
        (
            Option("files", "FILE", "Shaders (.spv, .geom), or recorded programs (.jsonl, plain or gzip).",
                   list[str], ...),
            CHECK, QUIET, JSON,
            Option("--explain", "LINE", "Show one program's decision and why it is so.", int),
            Option("-o --output", "FILE", "Draw the register pressure of one: .png or .svg."),
            Option("--policy", "NAME", "Of the fallback, for what is explained: later, series.", default="later"),
        ),
    ),
    "conform": Command(
        "Compare the installed Mesa, or your code, with ours.",
        "conform --driver llvmpipe --count 200",
        "conform --driver softpipe --count 100 --report report.html",
        "cli.conform.conform",
        "Drive the installed Mesa, or a conversion of your own, through random states and compare it with ours.",
        (
            Option("--driver", "NAME", "llvmpipe, softpipe, zink or default; repeat it.", list[str],
                   complete=names("conformance.drivers", "DRIVERS")),
            Option("--count -n", None, "How many cases a driver.", int, 500, least=1),
            Option("--seed", None, "Repeats a run; without it a new one is taken.", int),
            DIALECT,
            Option("--record", "FILE", "Keep the cases for 'replay --check'; .gz packs them."),
            Option("--report", "FILE.html", "Write a report."),
            Option("--limit", None, "Seconds a case may take.", float, 20.0, least=0.1),
            Option("--mesa-prefix", "DIR", "A folder with another Mesa, unpacked or installed."),
            Option("--jobs -j", "N", "Processes that run cases at a time, each with a driver.", int, least=1),
            Option("--scheduler", "ADDRESS", "Run cases on Dask's workers instead: tcp://host:8786."),
            Option("--convert", "MODULE:NAME", "Not a driver, but a function of yours, in Python."),
            Option("--command", "PROGRAM", "Not a driver, but a program of yours: JSON lines in and out."),
            Option("--compare", "WHAT", "Of yours: bytes, members, info, or names of members with commas."),
            SCREEN, DEVICE, VULKAN_DIALECT,
            flag("--accepted", "Of yours: no state that GL refuses on the screen, such as a wrap that it lacks."),
            Option("--junit", "FILE.xml", "Of yours: write a JUnit file."),
            QUIET, JSON,
        ),
    ),
    "diff": Command(
        "Show what changed between two recordings, and why.",
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz",
        "diff llvmpipe.jsonl.gz softpipe.jsonl.gz --json",
        "cli.conform.diff_files",
        "Show what changed between two recordings, and the rule that explains it where one does.",
        (
            Option("first", "A", "A recorded case file.", default=...),
            Option("second", "B", "Another recording of the same calls.", default=...),
            JSON,
        ),
    ),
    "record": Command(
        "Record a program's GL calls.",
        "record --egl -o hello.dump.txt.gz -- python hello_moderngl.py",
        "record --egl --check -- python hello_moderngl.py",
        "cli.programs.record_program",
        """Run a program under apitrace, keep its GL calls as a dump, and say what is in it.

        Where Mesa is the driver its own trace of the same run is kept beside it, for --check and for
        'replay --check'.""",
        (
            Option("command", "PROGRAM", "The program and its arguments, after --.", list[str], ...),
            Option("-o --output", "DUMP", "Where the dump goes; .gz packs it. Without it: PROGRAM.dump.txt.gz."),
            Option("--seconds", None, "Stop the program then.", float, least=0.1),
            flag("--egl", "The program makes its context by EGL."),
            flag("--check", "Compare the replay with Mesa's own trace; exit 1 if it differs."),
            QUIET, JSON,
        ),
    ),
    "inspect": Command(
        "Say what is wrong with a program's textures.",
        "inspect texwrap.dump.txt.gz",
        "inspect texwrap.dump.txt.gz --all-devices --html texwrap.html",
        "cli.programs.inspect_file",
        """Say what a recorded program asks of textures, what is wrong or undefined, what is set in vain.

        With a device: what becomes of each state there. Exit 1 where something is wrong or undefined.""",
        (
            Option("file", "FILE", "An apitrace dump, plain or gzip.", default=...),
            SCREEN, DEVICE,
            flag("--webgpu", "What becomes of each state on WebGPU."),
            flag("--all-devices", "On how many of all devices it looks right, and the cheapest change."),
            PROFILE,
            Option("--html", "FILE.html", "Write a page: findings, frames, states with pictures."),
            QUIET, JSON,
        ),
    ),
    "budget": Command(
        "Count the samplers of a program, and save some.",
        "budget texwrap.dump.txt.gz --webgpu",
        "budget llvmpipe.jsonl.gz --limit 20 --chart live.html",
        "cli.programs.budget_file",
        """How many samplers a program needs, and the cheapest change of policy that keeps it below a limit.

        With --webgpu: how many each stage needs, and what sharing them costs. Exit 1 where they are too many.""",
        (
            Option("file", "FILE", "An apitrace dump, a Mesa trace, recorded cases, or a run of the loop; or gzip.",
                   default=...),
            SCREEN, DEVICE, DIALECT,
            flag("--webgpu", "Samplers of each stage of a dump's draws, as plan_samplers plans them."),
            Option("--limit", "N", "Live samplers allowed; else the device's, on WebGPU 16 a stage.", int, least=1),
            Option("--chart", "FILE.html", "Draw the live samplers over the frames."),
            JSON,
        ),
    ),
    "bench": Command(
        "Measure this machine.",
        "bench --select convert --repeats 3",
        "bench --select bind --json",
        "benchmarks.run.show",
        "Measure this machine: medians, and ratios to an empty Python call of the same run.",
        (
            Option("--select", "TEXT", "Only rows whose name has this.", default=""),
            Option("--repeats", None, "How often each is measured.", int, 7, least=1),
            QUIET, JSON,
        ),
    ),
    "examples": Command(
        "Write examples to try into a folder.",
        "examples statetracker-examples",
        "examples statetracker-examples --force",
        "cli.examples.write_examples",
        "Write the examples of this version into a folder: states, recordings, shaders, programs.",
        (
            Option("folder", "DIR", "The folder; it is made where it is not there.", default=...),
            flag("--force", "Replace files of the same names."),
            QUIET,
        ),
    ),
}  # fmt: skip
