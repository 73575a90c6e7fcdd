"""A page in headless Chromium: how wide it is, what it asked the network for, what its scripts said, what is in it."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

#: Forbids everything that would come from outside, and hears what was tried.
_BEFORE = """<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<script>
const heard = {errors: [], refused: []};
addEventListener("error", event => heard.errors.push(event.message || "a resource"), true);
addEventListener("unhandledrejection", event => heard.errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", event => heard.refused.push(event.blockedURI));
</script>
"""

#: Reported when the page is there: with everything closed as a reader finds it, then with everything open.
_AFTER = """<script>
addEventListener("load", () => setTimeout(() => {
  const root = document.documentElement;
  const scrolls = one => one && (getComputedStyle(one).overflowX === "auto" || scrolls(one.parentElement));
  const wide = () => [...document.body.querySelectorAll("*")]
    .filter(one => one.checkVisibility() && !scrolls(one.parentElement))
    .filter(one => one.getBoundingClientRect().right > root.clientWidth + 1)
    .map(one => one.tagName + " " + one.textContent.slice(0, 40));
  const seen = {width: root.clientWidth, closed: root.scrollWidth, wide_closed: wide()};
  document.querySelectorAll("details").forEach(one => one.open = true);
  Object.assign(seen, heard, {
    open: root.scrollWidth,
    wide_open: wide(),
    fetched: performance.getEntriesByType("resource").map(one => one.name),
    cells: [...document.querySelectorAll("td.cell")].map(one => [Number(one.textContent.trim()),
                                                                  getComputedStyle(one).backgroundColor]),
    text: document.body.innerText,
  });
  const answer = parent.document.createElement("script");
  answer.type = "application/json";
  answer.id = "answer";
  answer.textContent = JSON.stringify(seen).replaceAll("<", "\\\\u003c");
  parent.document.body.append(answer);
}));
</script>
"""

#: A window without a screen is never narrower than some 500 pixels; a frame in it is as wide as it is made.
_FRAME = """<!doctype html><html><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: 844px" srcdoc="{page}"></iframe></body></html>
"""


def chromium() -> str | None:
    """The browser's program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def look(page: str, folder: Path, *, width: int) -> dict[str, Any]:
    """Open a page in a frame so wide; give what the browser saw. Nothing can be reached from there."""
    assert "<head>" in page
    assert "</body>" in page
    file = folder / f"page-{width}.html"
    watched = page.replace("<head>", f"<head>{_BEFORE}", 1).replace("</body>", f"{_AFTER}</body>", 1)
    file.write_text(_FRAME.format(width=width, page=html.escape(watched)), encoding="utf-8")
    done = run(
        folder, f"--window-size={max(width, 1000)},844", "--virtual-time-budget=5000", "--dump-dom", file.as_uri()
    )
    seen = re.search(r'<script type="application/json" id="answer">(.*?)</script>', done.stdout, re.DOTALL)
    assert seen, done.stdout[-500:] + done.stderr[-2000:]
    given: dict[str, Any] = json.loads(html.unescape(seen[1]))
    return given


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the browser without a window, a profile or a network."""
    program = chromium()
    assert program is not None
    still = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage")
    alone = ("--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder / 'profile'}", "--no-first-run")
    command = [program, *still, *alone, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
