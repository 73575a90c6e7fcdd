"""The reference unit against a driver: one judgement a case, in processes that have the driver."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np

from statetracker.bindings import egl
from statetracker.conformance.drivers import driver as driver_named
from statetracker.pipe import TexWrap
from statetracker.reference import TextureUnit, bounds
from statetracker.reference.unit import COMPARE
from tools.proofs.apart import apart
from tools.proofs.pixels.deviations import deviation_of
from tools.proofs.pixels.scene import Canvas, Scene, with_border
from tools.proofs.pixels.unit_cases import AXES, GROUPS, Case, cases, half_steps, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from statetracker.pipe import SamplerState
    from statetracker.reference import Texels
    from tools.proofs.pixels.deviations import Deviation

__all__ = ["LIMIT_S", "Judgement", "details_of", "judge", "unit_judgements"]

#: A process that is at one case for so long hangs.
LIMIT_S: Final = 120
_SEAMLESS: Final = 0x884F
_GATHERED: Final = 0.995  # a rounding away from a texel's centre is another footprint


class Judgement(NamedTuple):
    """The comparison of one case.

    Attributes:
        case: Its name.
        group: Name of its group.
        samples: How many were compared.
        outside: How many lay outside their bounds.
        deviations: Names of the rows of `DEVIATIONS` that were applied.
        departs: Whether, without these rows, some sample lies outside: the rows are needed.
        first: The first sample outside: its place, what was sampled and what is exact.
    """

    case: str
    group: str
    samples: int
    outside: int
    deviations: tuple[str, ...]
    departs: bool
    first: str = ""


def judge(canvas: Canvas, case: Case) -> Judgement:
    """Draw a case and compare it."""
    size = (8,) if case.half_steps else ()
    scene = Scene(canvas, case.target, size, levels=case.levels, texel_format=case.texel_format)
    state = with_border(case.state, case.border, scene.format).replace(seamless_cube_map=case.seamless)
    at = half_steps(8) if case.half_steps else places(case.target, scene.size, canvas.side)
    details = details_of(canvas.side)
    canvas.gl.call("glEnable" if case.seamless else "glDisable", _SEAMLESS)
    sampled = scene.sample(state, case.border, case.expression, at, details)
    canvas.gl.call("glDeleteTextures", 1, [scene.name])
    rows = deviation_of(case)
    spared = np.zeros(len(at), np.bool_)
    for row in rows:
        spared |= row.spared(case, at, scene.size)
    seen = _Drawn(case, state, scene.texels, at, details[: len(at)], sampled)
    inside, exact = seen.compared(rows)
    plain = seen.compared(())[0] if rows else inside
    bad = ~inside & ~spared
    first = ""
    if bad.any():
        place = int(np.argmax(bad))
        first = f"at {at[place].tolist()}: sampled {sampled[place].tolist()}, exact {exact[place].tolist()}"
    names = tuple(row.name for row in rows)
    return Judgement(case.name, case.group, int((~spared).sum()), int(bad.sum()), names, bool(not plain.all()), first)


class _Drawn(NamedTuple):
    """A case, drawn."""

    case: Case
    state: SamplerState
    texels: Texels
    at: NDArray[Any]
    details: NDArray[Any]
    sampled: NDArray[Any]

    def compared(self, rows: Sequence[Deviation]) -> tuple[NDArray[np.bool_], NDArray[Any]]:
        """Return which samples lie inside, and the exact values, for a driver with these deviations."""
        case, state, at = self.case, self.state, self.at.copy()
        for row in rows:
            wraps = [(axis, TexWrap(getattr(state, axis))) for axis in AXES]
            instead: dict[str, Any] = {axis: row.instead.get(wrap, wrap) for axis, wrap in wraps}
            state = state.replace(**instead)
            mirrored = [n for n, axis in enumerate(AXES[:2]) if getattr(case.state, axis) in row.mirrors]
            at[:, mirrored] = np.abs(at[:, mirrored])
        if case.gather is not None:
            exact = TextureUnit(state, self.texels).gather(at, case.gather)
            same = (self.sampled == exact.astype(np.float32)).all(axis=1)
            return (same if same.mean() < _GATHERED else np.ones_like(same)), exact
        compares_after = bool(state.compare_mode) and any(row.filters_first for row in rows)
        unit = TextureUnit(state.replace(compare_mode=0) if compares_after else state, self.texels)
        given = case.arguments(unit, self.details)
        absolute = max(case.precision.value_absolute, *(row.value_absolute for row in rows), 0.0)
        within = bounds(unit, at, case.precision._replace(value_absolute=absolute), **given)
        exact = unit.sample(at, **given)
        if not compares_after:
            return within.hold(self.sampled), exact
        # Right is what every value within the bounds answers, or the exact one.
        reference = self.details[:, 0].astype(np.float64)
        if unit.texels.clamps_reference:
            reference = np.clip(reference, 0, 1)
        compare = COMPARE[state.compare_func]
        answers = np.stack([compare(reference, edge[:, 0]) for edge in (*within, exact)])
        exact = np.zeros((len(reference), 4))
        exact[:, 0], exact[:, 3] = answers[-1], 1
        return (self.sampled[:, :1] == answers.T).any(axis=1), exact


def details_of(side: int) -> NDArray[np.float32]:
    """Return a value to compare with, and a level of detail that a quad shares: llvmpipe takes one for all four."""
    chance = np.random.default_rng(5)
    row, column = np.divmod(np.arange(side * side), side)
    lod = (row // 2 * (side // 2) + column // 2) % 40 / 8 - 0.9375
    return np.stack([chance.uniform(-0.2, 1.2, side * side), lod], axis=-1).astype(np.float32)


def unit_judgements(driver: str, *, side: int = 24, groups: Sequence[str] = ()) -> list[Judgement]:
    """Judge all cases of some groups, or of all, in processes that have that driver.

    Args:
        driver: Which driver.
        side: Pixels along an edge.
        groups: Names; empty: all.

    Raises:
        UnknownName: Another driver.
        WorkerLost: With a note of the case of which a process died.
    """
    parts = {f"{driver}, {group}, side {side}": (driver, group, side) for group in groups or GROUPS}
    with patch.dict(os.environ, driver_named(driver).environment):
        return [one for judgements in apart(_judged, parts, limit_s=LIMIT_S) for one in judgements]


def _judged(at: Callable[[str], object], driver: str, group: str, side: int) -> list[Judgement]:
    judgements = []
    with egl.Context() as context:
        canvas = Canvas(context.gl, side)
        for case in cases(driver, (group,)):
            at(case.name)
            judgements.append(judge(canvas, case))
    return judgements
