"""What commands say, a row each: what is printed where all is well, and the one line where something is not."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Run

ROOT: Final = Path(__file__).parents[2]
#: Folders, as rows name them; the commands run at the top of the repository.
PLACES: Final = {
    "E": "examples",
    "P": "tests/data/programs",
    "F": "tests/data/faults",
    "G": "tests/data/geometry/shaders",
    "I": "tests/data/isl",
    "M": "tests/data/mesa",
    "R": "tests/data/reports",
}
_STENCIL: Final = "surface stencil --size 4x4"
_SEPARATE: Final = "surface --older --gen 6 --size 64x64 --format Z16 --attach separate_s8"
_PAIR: Final = "screens --compare '#38434' '#38162'"
_DUMP: Final = "{P}/texwrap.dump.txt.gz"
_CONFORM: Final = "conform -n 40 --seed 1"

# fmt: off
#: A command -> a part of the one line in which it is refused, with exit code 2.
REFUSED: Final = {
    "frobnicate": "No such command",
    "convert": "Missing argument 'FILE|-'. See 'statetracker convert --help'.",
    "convert missing.toml": "missing.toml",
    "convert {E}/bordr.toml": "Did you mean 'examples/border.toml'",
    "convrt": "Did you mean 'convert'",
    "convert {E}/border.toml --dialect mesa23": "Did you mean 'mesa24'",
    "convert {E}/border.toml --dialect ''": "--dialect='' cannot be used",
    "convert {E}/border.toml --device 640": "device: '640' fits ",
    "convert {E}/border.toml --device adrenno": "device: 'adrenno' is not known",
    "convert {E}/border.toml --device '#1'": "report: 1 is not known",
    "convert {E}/border.toml --device '#1' --screen zink": "--screen or --device, not both",
    "preview {E}/clamp.toml -o nowhere/a.png": "cannot be written",
    "preview {E}/clamp.toml -o a.nonsense": "ends in .png",
    "screens nobody": "screen: 'nobody' is not known",
    "screens xink": "Did you mean 'zink'",
    "screens nv5O": "Did you mean 'nv50'",
    "screens {E}/border.toml": "border.toml",
    f"screens {'a' * 300}": "screen: 'aaa",
    f"screens --device {'a' * 20_000}": "is not known; accepted: a device of the corpus",
    f"--{'a' * 20_000}": "characters left out",
    "screens --device zzzz": "device: 'zzzz' is not known",
    "screens {R}/profiles-two.json": "it has 2 profiles",
    "screens --state x.toml": "with --compare",
    f"{_PAIR} --device mali": "--compare='mali' cannot be used; accepted: --compare with no other screen",
    "screens llvmpipe --compare '#38434' '#38162'": "--compare='llvmpipe'",
    "screens --compare llvmpipe '#38162'": "a Vulkan device",
    "screens --compare 'no such device at all' '#38162'": "a device of the corpus",
    f"{_PAIR} --state no/such.toml": "no/such.toml",
    "bench --repeats 0": "--repeats",
    "--limits 0.5 screens": "--limits",
    # recordings
    "replay": "FILE",
    "replay x --screen nobody": "x: cannot be opened",
    "replay {M}/zink.jsonl.gz --screen nobody": "nobody",
    "replay {M}/zink.jsonl.gz --dialect mesa99": "mesa99",
    "replay 'a\nb'": "a\\nb",
    "replay {E}/texwrap.dmp.txt.gz": "Did you mean 'examples/texwrap.dump.txt.gz'",
    "replay no.such --profile ''": "--profile='' cannot be used",
    f"replay {_DUMP} --profile legacy": "profile: 'legacy' is not known; accepted: compatibility, core",
    "replay {P}/texwrap.xml.gz": "is a Mesa trace",
    f"replay {_DUMP} --check": "1 dumps, 0 traces",
    "inspect missing.dump.txt": "missing.dump.txt: cannot be opened",
    "inspect {F}/right.dump.txt.gz --html page.txt": "ends in .html",
    "inspect {F}/right.dump.txt.gz --webgpu --screen seed": "either --webgpu or a screen",
    f"budget {_DUMP} --webgpu --device SwiftShader": "without a screen, a device or a chart",
    "budget {M}/llvmpipe+minimal.jsonl.gz --webgpu": "needs an apitrace dump",
    f"budget {_DUMP} --chart chart.png": "ends in .html",
    "budget no-such-file": "cannot be opened",
    f"budget {_DUMP} --limit 0": "--limit",
    f"budget {_DUMP} --screen iris --device SwiftShader": "not both",
    # surfaces
    "surface": "--size",
    "surface {I}/tiling.jsonl.gz -o first.svg": "first record",
    "surface --size big": "WIDTHxHEIGHT",
    "surface --size 4x4 --kind shadow": "shadow",
    "surface --size 8x8 --kind stencl": "Did you mean 'stencil'",
    "surface --size 4x4 --kind x --format y": "--kind='x'",
    "surface --size 4x4 --format ''": "--format=''",
    "surface --size 4x4 --gen 9": "generation",
    "surface --size 4x4 --tiling X": "no_tiling",
    "surface --gen 6 --kind stencil --size 70000x4": "pitch_too_large",
    f"{_SEPARATE} --level -1": "level=-1",
    f"{_SEPARATE} --level 1": "level=1",
    f"{_SEPARATE} --layer 1": "layer=1",
    "surface --size 4x4 --older --layers 1000000000000": "layers=1000000000000",
    "surface --size 4x4 --older --policy brave": "policy",
    "surface --older --size 8x8 --target 2DARRAY": "Did you mean '2D_ARRAY'",
    "surface --older --size 8x8 --attach depthonly": "Did you mean 'depth_only'",
    "surface stencil": "--size",
    "surface stencil --size big": "WIDTHxHEIGHT",
    "surface stencil --size 0x4": "at least 1",
    "surface stencil --size 16384x1 --view byte": "stencil_width",
    "surface stencil --size 100x50 --gen 6 --layout isl --layers 3 --layer 1": "stencil_offset",
    f"{_STENCIL} --gen 5": "6 and later",
    f"{_STENCIL} --gen 6 --level 1": "level=1",
    f"{_STENCIL} --levels 2 --level 1": "--level=1",
    f"{_STENCIL} --gen 8 --layers 2 --layer 1": "--layer=1",
    f"{_STENCIL} --mode both": "dynamic, static",
    f"{_STENCIL} --view half": "byte, block",
    f"{_STENCIL} --view ''": "--view=''",
    f"{_STENCIL} --layout own": "plain, isl",
    f"{_STENCIL} --samples 3": "samples=3",
    f"{_STENCIL} --pitch 100": "row_pitch_B=100",
    # geometry
    "geometry {I}/gs_dispatch.jsonl.gz --explain 99": "--explain=99",
    "geometry {I}/gs_dispatch.jsonl.gz {I}/gs_dispatch.jsonl.gz --explain 1": "one file",
    "geometry {I}/gs_dispatch.jsonl.gz --explain 1 --check": "without --check",
    "surface {I}/surf.jsonl.gz --size 4x4": "no file with --size",
    "surface {I}/surf.jsonl.gz {I}/surf.jsonl.gz -o x.svg": "one file at a time",
    "geometry {I}/gs_dispatch.jsonl.gz --explain 1 --policy newest": "newest",
    "geometry {G}/fur.spv {I}/gs_dispatch.jsonl.gz": "shaders (.spv, .geom) alone",
    "geometry {G}/fur.spv --check": "option='--check' cannot be used",
    "geometry {G}/fur.spv --explain 1": "--explain=1 cannot be used",
    "geometry {G}/fur.spv --policy newest": "statetracker: policy: 'newest' is not known",
    "geometry {G}/fur.spv {G}/fur.spv -o x.png": "one shader at a time",
    # shaders
    "lower {E}/textured.spv -o o.spv --clamp 1=st": "SET:BINDING=AXES",
    "lower {E}/textured.spv -o o.spv --clamp 0:1": "--clamp='0:1' cannot be used; accepted: SET:BINDING=AXES",
    "lower {E}/textured.spv -o o.spv --mirror-clamp 0:1=S": "--mirror-clamp='0:1=S'",
    "lower {E}/textured.spv -o o.spv --state 0:1": "--state='0:1' cannot be used; accepted: SET:BINDING=FILE",
    "lower {E}/textured.spv -o o.spv --state 0:1={E}/border.toml --state 0:1={E}/clamp.toml": "one state a sampler",
    "lower {E}/textured.spv -o o.spv --state 0:1={E}/border.toml --clamp 0:1=st": "--state='0:1'",
    "lower {E}/textured.spv -o o.spv --clamp 0:9=st": "0:1",
    "lower {E}/textured.spv -o o.spv --state 0:1={E}/border.toml --values v": "--block",
    "lower none -o o.spv": "none: cannot be read",
    "shader {E}/border.toml --language cg": "cg",
    "shader {E}/border.toml --language glsl --forms all": "all",
    "shader {E}/border.toml --language glsl --constants --values v": "a function that reads a block",
    # conformance
    "conform --driver llvmpip": "Did you mean 'llvmpipe'",
    "conform --driver llvmpipe --driver ''": "--driver=''",
    "conform --command ''": "--command=''",
    'conform -n 1 --command "it\'s"': "No closing quotation",
    "conform -n 999999 --driver llvmpipe --driver llvmpip": "Did you mean 'llvmpipe'",
    "conform -n 999999 --driver llvmpipe --report /nowhere/page.html": "/nowhere/page.html: cannot be written",
    "conform -n 999999 --convert json:dumps --junit /nowhere/a.xml": "/nowhere/a.xml: cannot be written",
    "budget {P}/texwrap.dump.txt.gz --limit 9999999999": "--limit",
    "conform --driver llvmpipe -n 99999999999999999999": "--count",
    "conform -n 1 --convert ''": "--convert=''",
    "conform --convert json:dumps --screen=": "--screen=''",
    "conform --convert mine:mine --scheduler tcp://127.0.0.1:9": "--scheduler='tcp://127.0.0.1:9' cannot be used",
    "conform --accepted": "--accepted=True cannot be used; accepted: with --convert or --command",
}
#: The same, where a table was printed before.
REFUSED_LATE: Final = {
    "surface /nowhere.jsonl": "/nowhere.jsonl: cannot be opened",
    "surface ./stencil": "stencil: cannot be opened",  # a file of that name is still a file
    "geometry /nowhere.jsonl": "/nowhere.jsonl: cannot be opened",
    "surface --size 4x4 -o layout.gif": "layout.gif",
    "surface --size 4x4 -o /nowhere/layout.svg": "cannot be written",
    "surface --size 4x4 --older --layers 4000000000 -o layout.svg": "images=4000000000",
    "geometry {I}/gs_dispatch.jsonl.gz --explain 1 -o chart.gif": "chart.gif",
    "geometry {I}/gs_dispatch.jsonl.gz --explain 1 -o /nowhere/chart.svg": "cannot be written",
}
#: A command -> its exit code, what is printed, and what is said on standard error; runs of blanks are one.
SAID: Final[dict[str, tuple[int, tuple[str, ...], str]]] = {
    f"{_PAIR} --state {{E}}/unfiltered.toml":
        (0, ("filter_texels False | True; the device does not filter Z24X8_UNORM; the shader does",), ""),
    "screens --compare '#38162' device:#38162 --state {E}/border.toml": (0, ("no difference",), ""),
    "screens --compare 'Adreno (TM) 640' '#35402' --state {E}/border.toml":
        (0, ("no difference",), "#38434 differs in maxCustomBorderColorSamplers, VK_EXT_custom_border_color"),
    "screens zink-lavapipe": (0, ("yes emulate_gl_clamp: GL_CLAMP is lowered",), ""),
    "screens {R}/vulkaninfo-1.3.239-lavapipe.json.gz": (0, ("a Vulkan device",), ""),
    "screens device:#38434": (0, ("report 38434, 1 of 14 rows",), ""),
    "explain {E}/clamp.toml --screen llvmpipe": (0, ("the shader adds nothing",), ""),
    "explain {E}/clamp.toml --screen webgpu": (0, ("GPUSamplerDescriptor",), ""),
    "portability {E}/shadow.toml": (0, (
        "shader 522 5,712 32,047 87.89%", "85.36% shader: half_border str, fixed_depth",
        "wherever Z24X8_UNORM can be sampled with max_anisotropy 1.0."), ""),
    "replay --check {M}/llvmpipe+minimal.jsonl.gz": (0, ("500 of 500",), "0 of 500 cases differ"),
    "replay {P}/draw-pixel-with-texture.dump.txt.gz": (0, (), (
        "24 calls, 1 draw, 3 binds, 1 different sampler state; cache: 0 hits, 2 missed, 2 states created "
        "statetracker: draw-pixel-with-texture.dump.txt.gz: state 1: not the program's, but Mesa's own for glBitmap")),
    f"replay {_DUMP} --check {{P}}/lodclamp.states.jsonl.gz":
        (1, (), "the states differ: 21 missing, 6 too many, of 21 recorded states"),
    "replay {P}/sampler-objects.dump.txt.gz --check {P}/sampler-objects.xml.gz":
        (0, ("same set, same order",), "the trace breaks off"),
    "replay {P}/lodbias.dump.txt.gz --check {P}/lodbias.xml.gz": (0, ("same set, same order",), "the trace breaks off"),
    f"replay {_DUMP} --explain 2": (0, (
        "state 2, created at call 428 for fragment slot 0: unit 0, texture 1", "GL_TEXTURE_WRAP_S is GL_CLAMP"), ""),
    f"replay {_DUMP} --explain 77": (2, (), "no state has the id 77"),
    "inspect {F}/right.dump.txt.gz": (0, (), ""),
    "inspect {F}/comparing.dump.txt.gz": (1, (), ""),
    "inspect {F}/incomplete.dump.txt.gz": (1, (
        "84 calls, 3 draws, 1 frame", "WRONG: the picture is probably not the one that is wanted",
        "texture 1: sampled while incomplete: level 1 is missing (of 0..3), and MIN_FILTER is GL_LINEAR",
        "Give it every level that its filter reads"), ""),
    f"inspect {_DUMP} --webgpu": (0, ("shader: fold st, border st",), ""),
    "budget {P}/sampler-tour.dump.txt.gz --webgpu --limit 2": (0, (
        "fragment 275 1 5 5 5 5 2 2 25", "fragment stage at call 275: anisotropy: 8 samples became 1",
        "0 of 24 stages with more than 2 samplers"), ""),
    "budget {P}/sampler-tour.dump.txt.gz --device SwiftShader": (0, (
        "1 frame, on SwiftShader Device (Subzero) different samplers: 30 as asked for, 30 in canonical form",
        "second-chance, 4,000", "30 of 4,000 live states: nothing need change"), ""),
    "surface --older --gen 5 --size 8x8 --format Z24X8 --levels 4 --level 3":
        (0, ("copy it back to level 3, layer 0 of depth",), ""),
    "surface --gen 6 --size 300x200 --levels 3":
        (0, ("a HiZ surface for each image instead: 3 surfaces, 69632 bytes",), ""),
    "surface --gen 6 --format R32_FLOAT --size 1x5000 --levels 10 --layers 500": (0, ("its HiZ: no surface (",), ""),
    "geometry {G}/points_to_quads.spv": (0, ("two objects to a thread",), ""),
    "geometry {G}/sorted_lights.spv": (0, ("DUAL_OBJECT fails: some value finds no register",), ""),
    "geometry {G}/cube_layers.spv": (0, ("6 invocations, and DUAL_OBJECT runs one",), ""),
    "geometry {G}/histogram.spv": (0, ("bins is indexed at run time",), ""),
    "geometry {G}/ambient_probe.spv --policy later": (0, ("SINGLE",), ""),
    "geometry {G}/ambient_probe.spv --policy series": (0, ("DUAL_INSTANCE",), ""),
    "geometry {I}/gs_dispatch.jsonl.gz --check": (0, ("66 of 66",), ""),
    "surface {I}/surf.jsonl.gz {I}/tiling.jsonl.gz {I}/depthstencil_alignment.jsonl.gz --check":
        (0, ("surf.jsonl.gz surf", "tiling.jsonl.gz", "depthstencil_alignment.jsonl.gz"), ""),
}
# fmt: on


def said(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> tuple[int, str, str]:
    monkeypatch.chdir(ROOT)
    return run(*shlex.split(command.format(**PLACES)))


@pytest.mark.parametrize("command", REFUSED)
def test_what_cannot_be_done_is_one_line(command: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = said(run, monkeypatch, command)
    assert (code, out, err.count("\n"), len(err) < 2500) == (2, "", 1, True)
    assert err.startswith("statetracker: ")
    assert REFUSED[command] in err


@pytest.mark.parametrize("command", REFUSED_LATE)
def test_what_cannot_be_written_is_one_line(command: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = said(run, monkeypatch, command)
    assert (code, err.count("\n")) == (2, 1)
    assert REFUSED_LATE[command] in err


@pytest.mark.parametrize("command", SAID)
def test_what_is_done_is_said(command: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = said(run, monkeypatch, command)
    exit_code, results, message = SAID[command]
    assert code == exit_code
    assert [words for words in results if words not in " ".join(out.split())] == []
    assert message in " ".join(err.split())
