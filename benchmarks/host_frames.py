"""Measure a frame that `Renderer` draws on wgpu (``make host-frames``), beside a loop over kept bind groups.

500 draws of 40 shaders and 300 sets of two textures, on lavapipe; only the commands are recorded, nothing is drawn.
"""

from __future__ import annotations

import random
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import statetracker as st
from statetracker.hosts.wgpu import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable

SHADERS: Final = 40
SETS: Final = 300
DRAWS: Final = 500
TEXTURES: Final = 60
VERTEX: Final = """#version 450
layout(location = 0) out vec2 place;
void main() { place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1); gl_Position = vec4(place, 0.0, 1.0); }
"""
FRAGMENT: Final = """#version 450
uniform sampler2D wall; uniform sampler2D detail;
layout(location = 0) in vec2 place; layout(location = 0) out vec4 colour;
void main() {{ colour = texture(wall, place) * texture(detail, place * {number}.0); }}
"""


class Scene:
    """A scene on a device; ``kept`` are pipelines, which a host keeps by `Draw.key`."""

    def __init__(self, device: Any) -> None:  # noqa: ANN401 (wgpu-py's)
        self.device, self.renderer = device, Renderer(device)
        chance = random.Random(5)  # noqa: S311
        made = {"size": (8, 8, 1), "format": "rgba8unorm", "mip_level_count": 4, "usage": "TEXTURE_BINDING"}
        images = [device.create_texture(**made) for _ in range(TEXTURES)]
        pairs = [(self.renderer.texture(image), image) for image in images]
        samplers = [
            st.Sampler(wrap=wrap, min_filter=low, lod_bias=bias, border_color=(1, 0.5, 0, 1))
            for wrap in ("repeat", "clamp-to-edge", "clamp", "mirrored-repeat", "clamp-to-border")
            for low in ("linear", "linear-mipmap-linear")
            for bias in (0, 0.5)
        ]
        sets = [
            {name: (chance.choice(samplers), *chance.choice(pairs)) for name in ("wall", "detail")} for _ in range(SETS)
        ]
        shaders = [self.renderer.shader(FRAGMENT.format(number=1 + n), VERTEX) for n in range(SHADERS)]
        self.draws = [(chance.choice(shaders), chance.choice(sets)) for _ in range(DRAWS)]
        self.kept: dict[object, Any] = {}
        self.draws_kept: list[Any] = []
        self.version: object = None
        self.target = device.create_texture(size=(64, 64, 1), format="rgba8unorm", usage="RENDER_ATTACHMENT")

    def pipeline(self, draw: Any) -> Any:  # noqa: ANN401
        if draw.key not in self.kept:
            self.kept[draw.key] = self.device.create_render_pipeline(
                layout=draw.pipeline_layout,
                vertex={"module": draw.vertex, "entry_point": "main"},
                primitive={"topology": "triangle-strip"},
                fragment={"module": draw.module, "entry_point": "main", "targets": [{"format": "rgba8unorm"}]},
            )
        return self.kept[draw.key]

    def frame(self, by_hand: list[Any] | None = None) -> None:
        encoder = self.device.create_command_encoder()
        attachment = {"view": self.target.create_view(), "load_op": "clear", "store_op": "store"}
        drawing = encoder.begin_render_pass(color_attachments=[attachment])
        if by_hand is None:
            bind, kept = self.renderer.bind, self.kept
            for shader, textures in self.draws:
                draw = bind(shader, textures)
                drawing.set_pipeline(kept.get(draw.key) or self.pipeline(draw))
                for number, group in draw.bind_groups.items():
                    drawing.set_bind_group(number, group)
                drawing.draw(4)
        else:
            for pipeline, groups in by_hand:
                drawing.set_pipeline(pipeline)
                for number, group in groups:
                    drawing.set_bind_group(number, group)
                drawing.draw(4)
        drawing.end()
        encoder.finish()
        self.renderer.end_frame()

    def drawn(self) -> list[Any]:
        """Return the pipeline and the bind groups of each draw, as a host by hand keeps them."""
        return [(self.pipeline(draw), list(draw.bind_groups.items())) for draw in self.binds()]

    def frame_of_kept(self) -> None:
        if self.renderer.version != self.version:
            self.version, self.draws_kept = self.renderer.version, self.drawn()
        self.frame(self.draws_kept)

    def binds(self) -> list[Any]:
        return [self.renderer.bind(shader, textures) for shader, textures in self.draws]

    def made(self) -> dict[str, int]:
        """Return how many of each kind there are so far, those of the device and of ours."""
        own = {"samplers": self.renderer.tracker.cso.statistics().creates, "rewritten": self.renderer.modules.made}
        return {**self.renderer.created, **own, "pipelines": len(self.kept)}


def said(what: str, scene: Scene, work: Callable[[], object]) -> None:
    """Do something, and print how long it took and what was made."""
    before, start = scene.made(), perf_counter()
    work()
    took = (perf_counter() - start) * 1e3
    made = {kind: count - before.get(kind, 0) for kind, count in scene.made().items()}
    words = ", ".join(f"{count} {kind}" for kind, count in made.items() if count) or "nothing made"
    sys.stdout.write(f"{what:>32}: {took:8.1f} ms; {words}\n")


def main(device: Any) -> None:  # noqa: ANN401
    """Print the table."""
    scene = Scene(device)
    said("binds of the first frame", scene, scene.binds)
    said("its pipelines and commands", scene, scene.frame)
    said("second frame", scene, scene.frame)
    for _ in range(100):
        scene.frame()
    said("100 frames later", scene, scene.frame)
    hand = scene.drawn()
    loops = {
        "a bind for each draw": scene.frame,
        "draws kept by version": scene.frame_of_kept,
        "by hand": lambda: scene.frame(hand),
    }
    rounds = [[_took(loop) for loop in loops.values()] for _ in range(100)]
    *ours, theirs = [(min(times), median(times)) for times in zip(*rounds, strict=True)]
    for what, (least, middle) in zip(loops, (*ours, theirs), strict=True):
        than = f"{least / theirs[0]:.2f} and {middle / theirs[1]:.2f} times the loop by hand"
        sys.stdout.write(f"{'a frame, ' + what:>32}: least {least:.2f}, median {middle:.2f} ms: {than}\n")
    options(scene)
    for most in (4, 0):
        few = Scene(device)
        few.renderer.rewrites = most
        said(f"binds with rewrites={most}", few, few.binds)
        said("200 frames", few, partial(settled, few))
        options(few)
    with tempfile.TemporaryDirectory() as folder:
        scene.renderer.save(Path(folder) / "kept")
        other = Scene(device)
        said("second start: warm()", other, lambda: other.renderer.warm(Path(folder) / "kept"))
        said("binds of its first frame", other, other.binds)


def options(scene: Scene) -> None:
    """Change what the user wants, and back."""
    changes = {"anisotropy of 8": st.Policy(force_anisotropy=8.0), "nearest filters": st.Policy(force_nearest=True)}
    for what, policy in changes.items():
        scene.renderer.policy = policy
        said(f"binds after an option, {what}", scene, scene.binds)
        said("its pipelines and commands", scene, scene.frame)
        said("next frame", scene, scene.frame)
        if scene.renderer.rewrites:
            said("200 frames", scene, partial(settled, scene))
        scene.renderer.policy = st.Policy()
        said("binds after it is set back", scene, scene.binds)


def settled(scene: Scene) -> None:
    """Draw until each state has a module of its own."""
    for _ in range(200):
        scene.frame()


def _took(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1e3


if __name__ == "__main__":
    from tools.proofs.pixels.webgpu_run import open_device

    main(open_device())
