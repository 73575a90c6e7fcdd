"""A worker that behaves badly: ``python stand_in.py KIND`` answers every case but each third, on which it does KIND.

``differs``: it answers all, and GL errors that are not ours.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time


def main() -> None:
    """Speak the worker's language until it is time to misbehave."""
    kind = sys.argv[1]
    if kind == "mute":
        sys.exit("no driver here")
    header = {"header": True, "caps": {}, "mesa_version": "22.3.6", "gl_renderer": "stand-in", "driver": "llvmpipe"}
    say(json.dumps(header))
    for line in sys.stdin:
        case = json.loads(line)
        if int(str(case["id"]).rpartition("/")[2]) % 3 == 2:
            misbehave(kind)
        errors = {"glBindTexture": "GL_OUT_OF_MEMORY"} if kind == "differs" else {}
        calls = [call | {"err": errors.get(call["fn"])} for call in case["calls"]]
        say(json.dumps((case if kind == "differs" else {"id": case["id"]}) | {"calls": calls}))


def say(line: str) -> None:
    """Answer one line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def misbehave(kind: str) -> None:
    """Crash, hang, or give an invalid answer."""
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "exit":
        sys.stderr.write("LLVM ERROR: Cannot select\n")
        sys.exit(3)
    elif kind == "hang":
        time.sleep(600)
    elif kind == "rubbish":
        say("Hello \x00 world")
    elif kind == "wrong":
        say(json.dumps({"id": "another", "calls": []}))
    elif kind == "endless":
        while True:
            sys.stdout.write("x" * 65536)


if __name__ == "__main__":
    main()
