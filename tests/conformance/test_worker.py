"""The process with the driver: what it says when it cannot start one."""

from __future__ import annotations

import json
import os
import subprocess
import sys

WITHOUT_CFFI = """
import sys
sys.modules["cffi"] = None
from statetracker.conformance import worker
sys.exit(worker.main())
"""


def test_what_it_lacks_is_said_once_and_what_to_do_once() -> None:
    environment = {**os.environ, "GALLIUM_TRACE": "trace.xml"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CFFI], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert "needs the package cffi" in answer["failed"]
    assert answer["hint"] == "Install it with: pip install cffi"
    assert answer["hint"] not in answer["failed"]
