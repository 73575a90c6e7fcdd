"""The whole discrete space of a sampler drawn on WebGPU: every state read of the block, held against the reference.

The states of `statetracker.survey.SPACE` on its four textures. Each is planned as a dynamic binding, has an element of
a uniform buffer, and samples at places of its own. States that a texture samples alike are judged in one go.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import statetracker as st
from statetracker.reference import EXACT, Texels, TextureUnit, bounds
from statetracker.survey.comparison import SPACE, TEXTURES
from tests.hosts.drawn import LEVELS, Kind, gl_state, seen_texels
from tests.hosts.space_scene import COMPARED, SAMPLES, SIDE, Scene
from tests.survey.whole_space import state
from tools.proofs.apart import apart
from tools.proofs.pixels.lowered_vulkan import SWIFTSHADER, driver_file
from tools.proofs.pixels.webgpu_run import open_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from statetracker.pipe import SamplerState

__all__ = ["Drawn", "Judge", "drawn", "drawn_space"]

STATES: Final = SIDE * SIDE // SAMPLES
LIMIT_S: Final = 600
#: The shader filters, in floats.
ROUNDING: Final = 2.0**-20


class Drawn(NamedTuple):
    """Some states of the space on a texture.

    Attributes:
        texture: Its name in `TEXTURES`.
        states: How many were drawn, each with `SAMPLES` samples.
        samplers: How many the device made for them.
        modules: How many it made to sample with.
        alike: How many of the states the texture does not sample alike.
        lost: What neither sampler nor shader does, in words -> of how many states.
        outside: States with a sample outside its bounds.
    """

    texture: str
    states: int
    samplers: int
    modules: int
    alike: int
    lost: Counter[str]
    outside: list[str]


def drawn_space(
    shares: int = 1, *, share: int = 0, device: str = "llvmpipe", names: Iterable[str] = TEXTURES, **members: Any
) -> Iterator[Drawn]:
    """Draw every ``shares``-th state of the space, from ``share`` on, in processes of their own.

    Args:
        shares: A number without factors 2 and 3 meets all values of each member; 1: all states, in eight parts.
        share: Below ``shares``.
        device: What draws: ``llvmpipe`` (lavapipe) or ``SwiftShader``.
        names: Of textures.
        **members: Of every sampler, besides.
    """
    cuts = 8 if shares == 1 else 1  # by the wrap of S: nothing is alike in two
    numbers = [range(share + shares * cut, SPACE, shares * cuts) for cut in range(cuts)]
    parts = {f"{name}, {device}, {part}": (name, device, part, members) for name in names for part in numbers}
    with driver_file(SWIFTSHADER if device == "SwiftShader" else None):
        yield from apart(drawn, parts, limit_s=LIMIT_S)


def drawn(at: Callable[[str], object], name: str, device: str, numbers: range, members: dict[str, Any]) -> Drawn:
    """Draw states of a texture by their numbers; the first argument is told of each step."""
    scene = Scene(open_device(device), name)
    judge = Judge(scene)
    alike, parts = defaultdict[bytes, list[int]](list), []
    for begun in range(0, len(numbers), STATES):
        at(f"{name}, state {numbers[begun]}")
        samplers = [state(number) for number in numbers[begun : begun + STATES]]
        for n, sampler in enumerate(samplers, begun):
            sampler.update(**members)
            alike[bytes(judge.read(sampler))].append(n)
        places = _places(scene.kind, numbers[begun])
        parts.append((*places, scene.picture(list(scene.planned(samplers)), places)))
    each = [np.concatenate(part).reshape(-1, SAMPLES, 4) for part in zip(*parts, strict=True)]
    outside = []
    for record, rows in alike.items():
        at(f"{name}, judging state {numbers[rows[0]]}")
        held = judge.held(st.SamplerState.from_bytes(record), *(one[rows].reshape(-1, 4) for one in each))
        wrong = np.flatnonzero(~held.reshape(-1, SAMPLES).all(axis=1))
        outside += [f"{name}, {numbers[rows[n]]}: {state(numbers[rows[n]])}" for n in wrong]
    made = scene.made["create_sampler"], scene.made["create_shader_module"] - scene.own
    return Drawn(name, len(numbers), *made, len(alike), scene.lost, outside)


def _places(kind: Kind, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each texel of a picture samples, (n, 4), and its reference and level of detail, (n, 4)."""
    count = SIDE * SIDE
    chance, (at, details) = np.random.default_rng(seed), np.zeros((2, count, 4), np.float32)
    how, sides = chance.integers(0, 3, (5, count)), chance.choice((-1, 1), (3, count))
    anywhere, inside, near = chance.uniform(-2.2, 3.2, (3, count)), chance.random((3, count)), chance.random((3, count))
    edges = chance.integers(-2, 4, (3, count)) + sides * np.maximum(near - 0.5, 0) / 2  # half of them exactly
    ways = (anywhere, inside, edges)
    if kind.target == "cube":  # within faces, where two and three of them meet, and near that
        ways = (sides * inside, sides, sides * np.maximum(near, 0.8))
    at[:, :3] = np.choose(how[:3], ways).T
    references = chance.uniform(-0.2, 1.2, count), chance.integers(0, 2, count) / 1, np.full(count, 0.5625)
    lods = chance.uniform(-1, LEVELS, count), chance.integers(-1, 6, count) / 2, np.zeros(count)
    details[:, 0], details[:, 1] = np.choose(how[3], references), np.choose(how[4], lods)
    return at, details


class Judge:
    """What the reference says of a scene's texture.

    Args:
        scene: That is drawn.
    """

    def __init__(self, scene: Scene) -> None:
        self.kind, self.texture, self.levels = scene.kind, scene.texture, scene.levels
        self.texels: dict[Kind, Texels] = {}

    def read(self, sampler: st.Sampler) -> SamplerState:
        """Return what the reference samples with, without what this texture does not read."""
        record = gl_state(self.kind, sampler, self.texture)
        cube = self.kind.target == "cube"
        unread = ["wrap_r"] if cube else ["wrap_r", "seamless_cube_map"]
        unread += ["wrap_s", "wrap_t"] if cube and record.seamless_cube_map else []
        unread += [] if record.compare_mode else ["compare_func"]
        members: dict[str, Any] = dict.fromkeys(unread, 0)
        return record.replace(**members)

    def held(
        self, record: SamplerState, at: NDArray[Any], details: NDArray[Any], seen: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return which samples lie within their bounds; what the unit itself gives does."""
        kind = COMPARED if record.compare_mode else self.kind
        if kind not in self.texels:
            levels = [seen_texels(kind, level) for level in self.levels]
            self.texels[kind] = Texels(kind.target, levels, kind=kind.reference)
        unit = TextureUnit(record, self.texels[kind])
        given: dict[str, Any] = {"lod": details[:, 1]}
        if unit.compares:
            given["reference"] = details[:, 0]
            seen = seen * (1, 0, 0, 0) + (0, 0, 0, 1)
        at = at[:, : unit.texels.shape.coordinates]
        held: NDArray[np.bool_] = np.abs(seen - unit.sample(at, **given)).max(axis=1) <= ROUNDING
        if not held.all():
            rest = ~held
            given = {name: numbers[rest] for name, numbers in given.items()}
            held[rest] = bounds(unit, at[rest], EXACT._replace(value_absolute=ROUNDING), **given).hold(seen[rest])
        return held
