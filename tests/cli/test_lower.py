"""`statetracker lower`."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

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
