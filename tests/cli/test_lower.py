"""`statetracker lower`."""

from __future__ import annotations

import json
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
