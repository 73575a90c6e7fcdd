"""The benchmark of the rewriter measures what its rows say."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import statetracker as st
from statetracker.benchmarks.run import collect, show
from statetracker.benchmarks.shaders import BORDER, COVERAGE, SAMPLES, example, shader_works
from statetracker.cli.options import Given
from statetracker.pipe import Lowering

ROWS = (Lowering("st"), COVERAGE, BORDER)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_example_has_about_ten_kilobytes_and_all_its_samples_are_rewritten(row: Lowering) -> None:
    """10,000 bytes, a tenth more or less."""
    module = example()
    assert 9_000 <= len(module) <= 11_000
    result = st.lower(module, {(0, n): row for n in range(SAMPLES)}, values=(1, 0))
    assert len(result.rewritten) == SAMPLES
    assert not result.unresolved
    assert not result.inexact


@pytest.mark.live("spirv-val")
@pytest.mark.parametrize("samples", [1, SAMPLES])
def test_the_example_passes_spirv_val(samples: int, tmp_path: Path) -> None:
    validator = shutil.which("spirv-val")
    assert validator is not None
    module = example(samples)
    rewritten = [st.lower(module, {(0, n): row for n in range(samples)}, values=(1, 0)).module for row in ROWS]
    for words in (module, *rewritten):
        path = tmp_path / "example.spv"
        path.write_bytes(words)
        done = subprocess.run([validator, "--target-env", "vulkan1.1", path], check=False, capture_output=True)
        assert done.returncode == 0, done.stderr


def test_rows_are_given_in_microseconds_and_in_megabytes_of_the_module(capsys: pytest.CaptureFixture[str]) -> None:
    works = list(shader_works())
    assert {work.size for work in works} == {len(example())}
    assert len({work.name for work in works}) == len(works)
    (_, row) = collect("nothing to clamp", repeats=1)
    assert row.mb_per_s == pytest.approx(len(example()) / row.median_ns * 1e3)
    assert show(Given(select="nothing to clamp", repeats=1, as_json=False)) == 0
    assert "MB/s" in capsys.readouterr().out
    assert show(Given(select="nothing to clamp", repeats=1, as_json=True)) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["mb_per_s"] > 0
