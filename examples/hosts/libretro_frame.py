"""A libretro core, live: its GL calls and Mesa's samplers compared, and its frame drawn again on WebGPU.

    python examples/hosts/libretro_frame.py PICTURE.png [gl_shaders | gl_fixedfunction]

A child plays the core in libretro.py, which presents its frames by moderngl, while apitrace records the GL calls and
Mesa its own driver's. The calls are replayed, the states compared; the last frame is then drawn on WebGPU with the
sampler that the replayed context has, by the front end's own shader.

It needs Python 3.12 (libretro.py has its cores there), ``pip install wgpu libretro.py[opengl] pillow``, and Debian's
apitrace, libgl1-mesa-dri, libegl1, libopengl0, libxext6, mesa-vulkan-drivers, glslang-tools.
Exit codes: 0 the states are Mesa's, 1 they are not, 2 something is missing.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import statetracker as st
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.sampler import converter
from statetracker.sampler.dialects import release_of

if TYPE_CHECKING:
    from statetracker.gl import Context

FRAMES = 3
TEXTURE_2D = 0x0DE1
#: Mesa's software driver, its calls recorded; fixed function is in compatibility contexts only.
MESA = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "llvmpipe",
    "MESA_SHADER_CACHE_DISABLE": "true",
    "MESA_GL_VERSION_OVERRIDE": "4.5COMPAT",
}


def main(output: str, core: str = "gl_shaders") -> int:
    """Play, compare, draw."""
    missing = lacking()
    if missing:
        print(f"libretro_frame: {missing}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        trace, pipe, frame = (Path(folder) / name for name in ("gl.trace", "pipe.xml", "frame.png"))
        play = [sys.executable, __file__, "--play", core, str(frame)]
        played = subprocess.run(
            ["apitrace", "trace", "--api=egl", "-o", str(trace), *play],
            check=False,
            env=os.environ | MESA | {"GALLIUM_TRACE": str(pipe)},
            capture_output=True,
            text=True,
        )
        if played.returncode:
            print(f"libretro_frame: {core} did not play:\n{played.stderr}", file=sys.stderr)
            return 2
        dump = Path(folder) / "dump.txt"
        with dump.open("wb") as written:
            subprocess.run(["apitrace", "dump", "--color=never", str(trace)], check=True, stdout=written)
        replay = DumpReplay(str(dump), converter(st.Screen.named("llvmpipe"), release(frame)))
        for _ in replay:
            pass
        recorded = RecordedStates(str(pipe))
        agreement = compare_states([made.state for made in replay.created], recorded.states, complete=recorded.complete)
        for line in replay.summary():
            print(line)
        print(f"{core}: {agreement}")
        context = replay.replay.contexts.sessions[-1].context
        drawn(context, frame, output)
    return int(not agreement.same)


def lacking() -> str:
    """Say what this machine has not; "" where all is there."""
    if importlib.util.find_spec("libretro") is None:
        return "libretro.py is not installed: pip install libretro.py[opengl]"
    if importlib.util.find_spec("libretro.samples") is None:
        version = ".".join(map(str, sys.version_info[:2]))
        return f"this libretro.py has no cores of its own: it needs Python 3.12 or newer, and this is {version}"
    programs = [name for name in ("apitrace", "glslangValidator") if shutil.which(name) is None]
    return f"not on the PATH: {', '.join(programs)}" if programs else ""


def play(core: str, frame: str) -> None:
    """Run some frames of a core, and write the last one as PNG; in a process of its own, which is recorded."""
    import moderngl
    from libretro import Session
    from libretro.drivers.video.opengl import moderngl as presenting
    from libretro.samples import video
    from PIL import Image

    presenting.create_context = partial(moderngl.create_context, backend="egl")  # no window, no X server
    with Session(getattr(video, core), None, video=presenting.ModernGlVideoDriver()) as session:
        for _ in range(FRAMES):
            # The front end's own program is still in force, and fixed function would run it. By apitrace's symbol:
            ctypes.CDLL(None).glUseProgram(0)
            session.run()
        shot = session.video.screenshot()
        Image.frombytes("RGBA", (shot.width, shot.height), bytes(shot.data)).convert("RGB").save(frame)
        Path(frame).with_suffix(".txt").write_text(session.video.context.info["GL_VERSION"], encoding="utf-8")


def release(frame: Path) -> str:
    """Give the release of the Mesa that drew the frame: its rules judge the states."""
    version = frame.with_suffix(".txt").read_text(encoding="utf-8")
    return release_of(version.rpartition("Mesa ")[2]) or "mesa22"


def drawn(context: Context, frame: Path, output: str) -> None:
    """Draw the frame with what the context's unit 0 samples, by libretro.py's own fragment shader, twice as large."""
    import numpy as np
    from libretro.drivers.video.opengl import moderngl as presenting
    from PIL import Image
    from wgpu_host import VERTEX, WgpuHost, open_device

    texels = np.asarray(Image.open(frame).convert("RGBA"))
    height, width = texels.shape[:2]
    host = WgpuHost(open_device("llvmpipe"), (2 * width, 2 * height))
    source = Path(presenting.__file__).with_name("moderngl_frag.glsl").read_text(encoding="utf-8")
    shader = host.renderer.shader(source.replace("#version 330", "#version 450"), VERTEX)
    corners = np.array([(x, y, 0.5, 1, (x + 1) / 2, (1 - y) / 2, 0, 0) for y in (-1, 1) for x in (-1, 1)], np.float32)
    unit, texture = context.unit(0), context.bound(TEXTURE_2D, 0)
    host.draw(shader, {shader.names[0]: (unit.sampler, texture, host.upload(texture, [texels]))}, corners)
    Image.fromarray(host.finish()[..., :3]).save(output)
    print(f"{output}: the frame on WebGPU")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(*sys.argv[2:])
    elif not any(word.endswith(".png") for word in sys.argv[1:2]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    else:
        sys.exit(main(*sys.argv[1:]))
