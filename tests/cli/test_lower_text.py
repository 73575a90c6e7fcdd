"""`statetracker shader`, and the callers of docs/shader_text.md, compiled."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from statetracker.cli import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "shader_text.md").read_text(encoding="utf-8")
BORDER = str(ROOT / "examples" / "border.toml")


def text(capsys: pytest.CaptureFixture[str], language: str, *more: str) -> str:
    assert main(["--quiet", "shader", BORDER, "--language", language, *more]) == 0
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
    assert main(["shader", BORDER, "--language", "wgsl", *options]) == 0
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


def test_what_cannot_be_printed_is_one_line_and_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    for more in (
        ["--language", "cg"],
        ["--language", "glsl", "--forms", "all"],
        ["--language", "glsl", "--constants", "--values", "v"],
    ):
        assert main(["shader", BORDER, *more]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
