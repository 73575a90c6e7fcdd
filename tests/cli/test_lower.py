"""`statetracker lower`; `statetracker shader`, and the callers of docs/shader_text.md, compiled."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import zipfile
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from statetracker.cli import main
from statetracker.spirv import Module

SHADERS = Path(__file__).resolve().parents[1] / "data" / "shaders"


@pytest.fixture
def module(tmp_path: Path) -> Path:
    with zipfile.ZipFile(SHADERS / "compiled.zip") as archive:
        path = tmp_path / "in.spv"
        path.write_bytes(archive.read("implicit_2d.frag.spv"))
    return path


def test_a_module_is_rewritten_and_every_instruction_listed(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = module.with_name("out.spv")
    assert main(["lower", str(module), "-o", str(out), "--clamp", "0:1=s", "--mirror-clamp", "0:1=t", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["rewritten"][0]["instruction"] == "OpImageSampleImplicitLod"
    assert printed["bytes"] == len(out.read_bytes())
    assert Module.read(out.read_bytes()).functions


def test_a_bad_request_or_file_is_one_line_and_exit_2(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(module.with_name("out.spv"))
    assert main(["lower", str(module), "-o", out, "--clamp", "1=st"]) == 2
    assert main(["lower", str(module.with_name("none")), "-o", out]) == 2
    module.write_bytes(module.read_bytes()[:40])
    assert main(["lower", str(module), "-o", out, "--clamp", "0:1=st"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert "word" in errors[2]


BORDER = """
[sampler]
wrap = "clamp-to-border"
min_filter = "linear"
mag_filter = "linear"
border_color = [1.0, 0.5, 0.0, 1.0]
[texture]
internal_format = "RGBA8"
size = [64, 64]
"""
DEVICE = ("--device", "#38434")


def described(folder: Path) -> str:
    path = folder / "border.toml"
    path.write_text(BORDER)
    return f"0:1={path}"


def test_a_described_state_is_lowered_for_a_device_with_its_values_as_constants(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = module.with_name("out.spv")
    assert main(["lower", str(module), "-o", str(out), "--state", described(module.parent), *DEVICE, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["rewritten"][0]["reason"] == "border str, by predefined"
    assert (printed["values"], printed["unsupported"], printed["unmatched"]) == ([], [], [])
    floats = {one.words[2] for one in Module.read(out.read_bytes()).instructions if one.opcode == 43}
    assert 0x3F000000 in floats


def test_values_go_to_a_block_and_its_bytes_to_a_file(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, block = module.with_name("out.spv"), module.with_name("block.bin")
    state = ["--state", described(module.parent), *DEVICE]
    assert main(["lower", str(module), "-o", str(out), *state, "--block", "1:0", "--values", str(block)]) == 0
    assert struct.unpack("<7f", block.read_bytes()[:28]) == (1, 0.5, 0, 1, 0, 0, 0)
    assert "block element 0: sampler 0:1" in capsys.readouterr().out
    assert main(["lower", str(module), "-o", str(out), *state, "--values", str(block)]) == 2
    assert "--block" in capsys.readouterr().err


def test_a_sampler_that_the_module_lacks_is_an_error_or_unmatched(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was no word and exit code 0."""
    out = module.with_name("out.spv")
    assert main(["lower", str(module), "-o", str(out), "--clamp", "0:9=st"]) == 2
    assert not out.exists()
    assert "0:1" in capsys.readouterr().err
    assert main(["lower", str(module), "-o", str(out), "--clamp", "0:9=st", "--keep-going"]) == 1
    assert "unmatched" in capsys.readouterr().out
    assert out.read_bytes() == module.read_bytes()


def test_what_neither_sampler_nor_shader_can_do_is_listed(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The recorded zink clamps coordinates, and a gather through nearest filters is off."""
    path = module.with_name("clamped.toml")
    path.write_text(BORDER.replace("clamp-to-border", "clamp").replace('"linear"', '"nearest"'))
    out = str(module.with_name("out.spv"))
    assert main(["lower", str(module), "-o", out, "--state", f"0:1={path}", "--screen", "zink-lavapipe"]) == 0
    assert "gather" in capsys.readouterr().out


HLSL = """
Texture2D<float4> image : register(t0);
SamplerState way : register(s1);
float4 main(float2 at : TEXCOORD0) : SV_Target { return image.Sample(way, at); }
"""


@pytest.mark.live("glslangValidator")
def test_hlsl_is_compiled_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "shader.frag.hlsl", tmp_path / "out.spv"
    source.write_text(HLSL)
    assert main(["lower", str(source), "-o", str(out), "--state", described(tmp_path), *DEVICE]) == 0
    assert "border str, by predefined" in capsys.readouterr().out
    source.write_text("float4 main() { return nothing; }")
    assert main(["lower", str(source), "-o", str(out), "--clamp", "0:1=st"]) == 2


@pytest.mark.live("glslangValidator")
def test_glsl_is_compiled_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = str(SHADERS / "implicit_2d.frag"), tmp_path / "out.spv"
    assert main(["lower", source, "-o", str(out), "--clamp", "0:1=st"]) == 0
    assert "OpImageSampleImplicitLod" in capsys.readouterr().out


def test_glsl_without_a_compiler_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["lower", str(SHADERS / "implicit_2d.frag"), "-o", str(tmp_path / "o"), "--clamp", "0:1=st"]) == 2
    assert "glslang-tools" in capsys.readouterr().err


ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "shader_text.md").read_text(encoding="utf-8")
BORDERED = str(ROOT / "examples" / "border.toml")


def text(capsys: pytest.CaptureFixture[str], language: str, *more: str) -> str:
    assert main(["--quiet", "shader", BORDERED, "--language", language, *more]) == 0
    return capsys.readouterr().out


def caller(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def compiles(tmp_path: Path, ending: str, source: str, *options: str) -> None:
    file = tmp_path / f"text{ending}"
    file.write_text(source, encoding="utf-8")
    command = [str(which("glslangValidator")), *options, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + source


@pytest.mark.live("glslangValidator")
def test_the_pages_glsl_compiles(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    compiles(tmp_path, ".frag", f"#version 450\n{text(capsys, 'glsl')}{caller('glsl')}", "-V")


@pytest.mark.live("glslangValidator")
def test_the_pages_glsl_es_compiles_as_webgl_has_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    head = "#version 300 es\nprecision highp float;\n"
    compiles(tmp_path, ".frag", f"{head}{text(capsys, 'glsl-es')}{caller('essl')}")


@pytest.mark.live("glslangValidator")
def test_the_pages_godot_shader_compiles_as_the_glsl_es_that_godot_makes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Godot itself is not there: its own words are turned into those of GLSL ES."""
    head = "#version 300 es\nprecision highp float;\nin vec2 UV;\nout vec4 COLOR;\n"
    uniform, body = caller("gdshader").removeprefix("shader_type canvas_item;\n").split("\n\n", 1)
    words = text(capsys, "glsl-es", "--constants", "--screen", "webgpu")
    assert "values" not in words
    source = f"{head}{uniform.split(' :', maxsplit=1)[0]};\n{words}{body.replace('void fragment()', 'void main()')}"
    compiles(tmp_path, ".frag", source)


@pytest.mark.live("wgpu")
def test_the_pages_wgsl_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    from tools.proofs.pixels.webgpu_run import open_device

    device: Any = open_device()
    assert device.create_shader_module(code=text(capsys, "wgsl") + caller("wgsl")) is not None


@pytest.mark.live("glslangValidator")
def test_hlsl_compiles(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main_ = (
        "Texture2D<float4> map; SamplerState map_sampler; cbuffer Block { SamplerValues map_values; };\n"
        "float4 main(float2 at : TEXCOORD) : SV_Target { return sample_state(map, map_sampler, at, map_values); }\n"
    )
    source = text(capsys, "hlsl") + main_
    compiles(tmp_path, ".hlsl", source, "-D", "-V", "-e", "main", "-S", "frag")


@pytest.mark.live("slangc")
def test_slang_compiles(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "text.slang"
    main_ = (
        "Texture2D<float4> map; SamplerState map_sampler; cbuffer Block { SamplerValues map_values; };\n"
        '[shader("pixel")] float4 main(float2 at : TEXCOORD) : SV_Target {\n'
        "    return sample_state(map, map_sampler, at, map_values);\n}\n"
    )
    file.write_text(text(capsys, "slang") + main_, encoding="utf-8")
    command = [str(which("slangc")), str(file), "-target", "wgsl", "-entry", "main", "-stage", "fragment"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.live("c++")
def test_msl_compiles_with_the_stub(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stub = ROOT / "tests" / "shader" / "text" / "metal_stub.h"
    body = re.sub(r"(?<=[\w)])\.([xyzw]{1,4})\b", r".\1()", text(capsys, "msl", "--constants", "--forms", "level"))
    file = tmp_path / "text.cpp"
    file.write_text(f'#include "{stub}"\n{body}', encoding="utf-8")
    command = [str(which("g++")), "-std=c++20", "-fsyntax-only", "-w", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + body


def test_text_and_values_are_written_and_remarks_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, values = tmp_path / "border.wgsl", tmp_path / "border.bin"
    options = ["-o", str(out), "--values", str(values), "--name", "border", "--forms", "implicit, level"]
    assert main(["shader", BORDERED, "--language", "wgsl", *options]) == 0
    printed = capsys.readouterr()
    assert "fn border_level(" in out.read_text(encoding="utf-8")
    assert len(values.read_bytes()) == 48
    assert printed.out == ""
    assert "uniform control flow" in printed.err


def test_for_machines_it_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(text(capsys, "wgsl", "--json"))
    assert {
        "text",
        "declarations",
        "functions",
        "values",
        "inexact",
        "unresolved",
        "remarks",
        "unsupported",
    } == made.keys()
