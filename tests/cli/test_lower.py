"""`statetracker lower`; `statetracker shader`, and the callers of docs/shader_text.md, compiled."""

from __future__ import annotations

import re
import struct
import subprocess
import zipfile
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from statetracker.spirv import Module
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
SHADERS = ROOT / "tests" / "data" / "shaders"
BORDERED = ROOT / "examples" / "border.toml"
DEVICE = ("--device", "#38434")
STATE = ("--state", f"0:1={BORDERED}", *DEVICE)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    with zipfile.ZipFile(SHADERS / "compiled.zip") as archive:
        path = tmp_path / "in.spv"
        path.write_bytes(archive.read("implicit_2d.frag.spv"))
    return path


def test_a_module_is_rewritten_and_every_instruction_listed(module: Path, run: Run) -> None:
    out = module.with_name("out.spv")
    printed = run("lower", module, "-o", out, "--clamp", "0:1=s", "--mirror-clamp", "0:1=t", "--json").data
    assert printed["rewritten"][0]["instruction"] == "OpImageSampleImplicitLod"
    assert printed["bytes"] == len(out.read_bytes())
    assert Module.read(out.read_bytes()).functions


def test_a_module_that_is_cut_is_one_line(module: Path, run: Run) -> None:
    module.write_bytes(module.read_bytes()[:40])
    code, _, err = run("lower", module, "-o", module.with_name("out.spv"), "--clamp", "0:1=st")
    assert (code, err.count("\n"), "word" in err) == (2, 1, True)


def test_a_described_state_is_lowered_for_a_device_with_its_values_as_constants(module: Path, run: Run) -> None:
    out = module.with_name("out.spv")
    printed = run("lower", module, "-o", out, *STATE, "--json").data
    assert printed["rewritten"][0]["reason"] == "border str, by predefined"
    assert (printed["values"], printed["unsupported"], printed["unmatched"]) == ([], [], [])
    floats = {one.words[2] for one in Module.read(out.read_bytes()).instructions if one.opcode == 43}
    assert 0x3F19999A in floats


def test_values_go_to_a_block_and_its_bytes_to_a_file(module: Path, run: Run) -> None:
    out, block = module.with_name("out.spv"), module.with_name("block.bin")
    shown = run("lower", module, "-o", out, *STATE, "--block", "1:0", "--values", block)
    assert struct.unpack("<7f", block.read_bytes()[:28]) == pytest.approx((1, 0, 0.6, 1, 0, 0, 0))
    assert "block element 0: sampler 0:1" in shown.out


def test_a_sampler_that_the_module_lacks_is_unmatched_on_request(module: Path, run: Run) -> None:
    out = module.with_name("out.spv")
    assert run("lower", module, "-o", out, "--clamp", "0:9=st").code == 2
    assert not out.exists()
    shown = run("lower", module, "-o", out, "--clamp", "0:9=st", "--keep-going")
    assert (shown.code, "unmatched" in shown.out, out.read_bytes()) == (1, True, module.read_bytes())


def test_what_neither_sampler_nor_shader_can_do_is_listed(module: Path, run: Run) -> None:
    """The recorded zink clamps coordinates, and a gather through nearest filters is off."""
    path, out = module.with_name("clamped.toml"), module.with_name("out.spv")
    path.write_text(
        '[sampler]\nwrap = "clamp"\nfilter = ["nearest", "nearest"]\n[texture]\ninternal_format = "RGBA8"\n'
    )
    shown = run("lower", module, "-o", out, "--state", f"0:1={path}", "--screen", "zink-lavapipe")
    assert (shown.code, "gather" in shown.out) == (0, True)


HLSL = """
Texture2D<float4> image : register(t0);
SamplerState way : register(s1);
float4 main(float2 at : TEXCOORD0) : SV_Target { return image.Sample(way, at); }
"""


@pytest.mark.live("glslangValidator")
def test_hlsl_and_glsl_are_compiled_first(tmp_path: Path, run: Run) -> None:
    source, out = tmp_path / "shader.frag.hlsl", tmp_path / "out.spv"
    source.write_text(HLSL)
    assert "border str, by predefined" in run("lower", source, "-o", out, *STATE).out
    source.write_text("float4 main() { return nothing; }")
    assert run("lower", source, "-o", out, "--clamp", "0:1=st").code == 2
    shown = run("lower", SHADERS / "implicit_2d.frag", "-o", out, "--clamp", "0:1=st")
    assert (shown.code, "OpImageSampleImplicitLod" in shown.out) == (0, True)


def test_glsl_without_a_compiler_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = run("lower", SHADERS / "implicit_2d.frag", "-o", tmp_path / "o", "--clamp", "0:1=st")
    assert (code, "glslang-tools" in err) == (2, True)


PAGE = (ROOT / "docs" / "shader_text.md").read_text(encoding="utf-8")


def caller(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def godot(text: str) -> str:
    """Godot itself is not there: its own words are turned into those of GLSL ES."""
    assert "values" not in text
    uniform, body = caller("gdshader").removeprefix("shader_type canvas_item;\n").split("\n\n", 1)
    return f"{uniform.split(' :', maxsplit=1)[0]};\n{text}{body.replace('void fragment()', 'void main()')}"


ES = "#version 300 es\nprecision highp float;\n"
BLOCK = "Texture2D<float4> map; SamplerState map_sampler; cbuffer Block { SamplerValues map_values; };\n"
RETURNED = "{ return sample_state(map, map_sampler, at, map_values); }\n"
STUB = f'#include "{ROOT}/tests/shader/text/metal_stub.h"\n'
#: What is compiled -> options of the command, ending of the file, the program's text of the function's, the compiler.
COMPILED: dict[str, tuple[str, str, Any, str]] = {
    "glsl": ("", ".frag", lambda text: f"#version 450\n{text}{caller('glsl')}", "glslangValidator -V"),
    "glsl-es": ("", ".frag", lambda text: f"{ES}{text}{caller('essl')}", "glslangValidator"),
    "glsl-es for Godot": (
        "--constants --screen webgpu",
        ".frag",
        lambda text: f"{ES}in vec2 UV;\nout vec4 COLOR;\n{godot(text)}",
        "glslangValidator",
    ),
    "hlsl": (
        "",
        ".hlsl",
        lambda text: f"{text}{BLOCK}float4 main(float2 at : TEXCOORD) : SV_Target {RETURNED}",
        "glslangValidator -D -V -e main -S frag",
    ),
    "slang": (
        "",
        ".slang",
        lambda text: f'{text}{BLOCK}[shader("pixel")] float4 main(float2 at : TEXCOORD) : SV_Target {RETURNED}',
        "slangc -target wgsl -entry main -stage fragment",
    ),
    "msl": (
        "--constants --forms level",
        ".cpp",
        lambda text: STUB + re.sub(r"(?<=[\w)])\.([xyzw]{1,4})\b", r".\1()", text),
        "c++ -std=c++20 -fsyntax-only -w",
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.live(row[-1].split()[0])) for name, row in COMPILED.items()]
)
def test_the_text_of_a_language_compiles_with_the_pages_caller(name: str, tmp_path: Path, run: Run) -> None:
    options, ending, program, compiler = COMPILED[name]
    text = run("--quiet", "shader", BORDERED, "--language", name.split(maxsplit=1)[0], *options.split()).out
    file = tmp_path / f"text{ending}"
    file.write_text(program(text), encoding="utf-8")
    tool, *arguments = compiler.split()
    command = [str(which(tool)), *arguments, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr + text


@pytest.mark.live("wgpu")
def test_the_pages_wgsl_is_accepted(run: Run) -> None:
    from tools.proofs.pixels.webgpu_run import open_device

    device: Any = open_device()
    text = run("--quiet", "shader", BORDERED, "--language", "wgsl").out
    assert device.create_shader_module(code=text + caller("wgsl")) is not None


def test_text_and_values_are_written_and_remarks_are_said(tmp_path: Path, run: Run) -> None:
    out, values = tmp_path / "border.wgsl", tmp_path / "border.bin"
    options = ["-o", out, "--values", values, "--name", "border", "--forms", "implicit, level"]
    code, printed, said = run("shader", BORDERED, "--language", "wgsl", *options)
    assert "fn border_level(" in out.read_text(encoding="utf-8")
    assert (code, printed, len(values.read_bytes())) == (0, "", 48)
    assert "uniform control flow" in said


def test_for_machines_it_is_one_object(run: Run) -> None:
    made = run("-q", "shader", BORDERED, "--language", "wgsl", "--json").data
    members = "text declarations functions values inexact unresolved remarks unsupported"
    assert made.keys() == set(members.split())
