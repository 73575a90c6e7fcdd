"""Pages in headless Chromium, served by this process, which their answers are sent to.

`in_a_browser` draws jobs of `tests.shader.drawn_whole`: naga-wasm writes their WGSL, SwiftShader draws.
"""

from __future__ import annotations

import json
import re
import subprocess
from base64 import b64decode, b64encode
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tests.conformance.browser import chromium
from tests.live import NAGA
from tests.shader.drawn_whole import FILL, GROUPS, PASSED, SIDE, VERTEX, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["in_a_browser", "javascript", "shown"]

_TYPES: Final = {".js": "text/javascript", ".wasm": "application/wasm"}
_LIMIT_S: Final = 500
_FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run")


def shown(page: str, *flags: str, asked: Callable[[str], tuple[bytes, str]] = lambda _: (b"", "text/plain")) -> Any:
    """Open a page in Chromium, and return what it sends back, JSON.

    ``asked`` answers the page's own requests: of a path the content and its type.
    """
    answer = Future[bytes]()

    class Served(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send(*(page.encode(), "text/html; charset=utf-8") if self.path == "/" else asked(self.path))

        def do_POST(self) -> None:
            got = self.rfile.read(int(self.headers["Content-Length"]))
            self.send(b"", "text/plain")
            answer.set_result(got)

        def send(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Served) as server, TemporaryDirectory() as folder:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        command = [str(chromium()), *_FLAGS, *flags, f"--user-data-dir={folder}/profile", "--remote-debugging-port=0"]
        with subprocess.Popen([*command, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
            try:
                return json.loads(answer.result(timeout=_LIMIT_S))
            finally:
                browser.terminate()
                server.shutdown()


def javascript(value: Any) -> Any:
    """Data as a page has it: names in camel case, bytes in base 64, texels with their size and a row's bytes."""
    if isinstance(value, dict):
        given = {key: part for key, part in value.items() if part is not None}
        return {re.sub("_(.)", lambda one: one[1].upper(), key): javascript(part) for key, part in given.items()}
    if isinstance(value, list | tuple):
        return [javascript(one) for one in value]
    if isinstance(value, np.ndarray):
        return [javascript(value.tobytes()), list(value.shape[:3]), value[0, 0].nbytes]
    return b64encode(value).decode() if isinstance(value, bytes) else value


def in_a_browser(
    jobs: Mapping[str, Job], *, side: int = SIDE, features: Sequence[str] = ()
) -> tuple[dict[str, NDArray[np.float32]], dict[str, str]]:
    """Draw jobs, on a device with some features: the pictures by name, and why others are none."""
    given = {"jobs": {name: javascript(one._asdict()) for name, one in jobs.items()}, "side": side, "groups": GROUPS}
    text = json.dumps(given | {"vertex": VERTEX, "passed": PASSED, "fill": FILL, "features": features})

    def asked(path: str) -> tuple[bytes, str]:
        if path == "/jobs":
            return text.encode(), "application/json"
        inside = path.startswith("/naga/") and ".." not in path
        file = NAGA / path.removeprefix("/naga/") if inside else Path(__file__).with_suffix(".js")
        return file.read_bytes() if file.exists() else b"", _TYPES.get(file.suffix, "text/plain")

    page = '<!doctype html><script type="module" src="/run.js"></script>'
    answer = shown(page, "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", asked=asked)
    pictures = {}
    for name, texels in answer["pictures"].items():
        rows = np.frombuffer(b64decode(texels), np.float32).reshape(side, side, 4)
        # naga-wasm negates gl_Position.y: it turns a picture of a fragment shader upside down.
        pictures[name] = rows[::-1] if jobs[name].stage == "fragment" else rows
    return pictures, answer["errors"]
