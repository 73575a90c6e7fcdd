"""docs/cso.md: its example prints what it says, and it names everything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from statetracker import cso

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cso.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says() -> None:
    program, printed = re.findall(r"```(?:python)?\n(.*?)```", PAGE, re.DOTALL)[:2]
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == (printed, "")


def test_the_page_names_everything_public() -> None:
    assert [name for name in cso.__all__ if f"`{name}`" not in PAGE] == ["CsoContext"]
    assert "CsoContext(driver" in PAGE
    methods = [name for name in vars(cso.CsoContext) if not name.startswith("_") and name != "cache"]
    assert [name for name in methods if f"`{name}" not in PAGE] == []


def test_importing_the_room_loads_nothing_slow() -> None:
    program = "import sys, statetracker.cso; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "pydantic", "structlog", "dataclasses", "hypothesis"} & set(ran.stdout.split())
