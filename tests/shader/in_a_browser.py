"""Jobs of `tests.shader.drawn_whole` in headless Chromium: naga-wasm writes their WGSL, SwiftShader draws.

The page and what it needs come from a server of this process, which the answer is sent to.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tests.conformance.browser import chromium
from tests.live import NAGA
from tests.shader.drawn_whole import FILL, GROUPS, PASSED, SIDE, VERTEX, Job

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["in_a_browser"]

_TYPES: Final = {".js": "text/javascript", ".wasm": "application/wasm"}
_LIMIT_S: Final = 240
_FLAGS: Final = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"),
    *("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"),
)


def in_a_browser(jobs: Mapping[str, Job]) -> tuple[dict[str, NDArray[np.float32]], dict[str, str]]:
    """Draw jobs: the pictures by name, and why others are none; ``""`` for all of them."""
    given = {"jobs": {name: _coded(one) for name, one in jobs.items()}, "side": SIDE, "groups": GROUPS}
    text = json.dumps(given | {"vertex": VERTEX, "passed": PASSED, "fill": FILL})
    answer: list[dict[str, Any]] = []
    told = threading.Event()

    class Served(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = b'<!doctype html><script type="module" src="/run.js"></script>'
            if self.path == "/jobs":
                content, kind = text.encode(), "application/json"
            elif self.path == "/run.js":
                content, kind = Path(__file__).with_suffix(".js").read_bytes(), _TYPES[".js"]
            elif self.path.startswith("/naga/") and ".." not in self.path:
                file = NAGA / self.path.removeprefix("/naga/")
                content, kind = file.read_bytes() if file.exists() else b"", _TYPES.get(file.suffix, "text/plain")
            else:
                content, kind = page, "text/html"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            answer.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            told.set()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Served) as server, TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        command = [str(chromium()), *_FLAGS, f"--user-data-dir={folder}/profile", "--remote-debugging-port=0", address]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
            told.wait(_LIMIT_S)
            browser.terminate()
        server.shutdown()
    if not answer:
        return {}, {"": f"no answer within {_LIMIT_S} s"}
    pictures = {}
    for name, texels in answer[0]["pictures"].items():
        rows = np.frombuffer(b64decode(texels), np.float32).reshape(SIDE, SIDE, 4)
        # naga-wasm negates gl_Position.y: such a picture stands on its head once more.
        pictures[name] = rows[::-1] if jobs[name].stage == "fragment" else rows
    return pictures, answer[0]["errors"]


def _coded(one: Job) -> dict[str, Any]:
    return {
        "stage": one.stage,
        "module": b64encode(one.module).decode(),
        "vertices": b64encode(one.vertices).decode(),
        "entries": [_camel(entry) for entry in one.entries],
    }


def _camel(value: Any) -> Any:
    """WebGPU's names in place of wgpu-py's; bytes and texels as text, texels with their size and a row's bytes."""
    if isinstance(value, dict):
        return {re.sub("_(.)", lambda m: m[1].upper(), key): _camel(of) for key, of in value.items() if of is not None}
    if isinstance(value, list):
        return [_camel(one) for one in value]
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, np.ndarray):
        return [b64encode(value.tobytes()).decode(), list(value.shape[:3]), value[0, 0].nbytes]
    return value
