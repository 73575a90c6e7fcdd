"""Samples on devices that lack something: where each is taken, what the printed text does, and what is right."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from statetracker.errors import ArgumentError
from statetracker.pipe import Func, Lowering, TexFilter, TexMipfilter, TexWrap
from statetracker.reference import EXACT, Precision, Texels, TextureUnit, bounds
from statetracker.shader.text import FORMS, SampleFunction, sample_function
from statetracker.shader.text.template import ONLY, TARGETS
from tests.shader.sampled import state
from tools.proofs.pixels.formats import FORMATS
from tools.proofs.pixels.lacking import Device, lacking, seamed
from tools.proofs.pixels.scene import GL_TARGETS
from tools.proofs.pixels.unit_cases import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from statetracker.pipe import LoweringValues, SamplerState

SIDE: Final = 24
LINEAR, NEAREST, MIPS = TexFilter.LINEAR, TexFilter.NEAREST, TexMipfilter.LINEAR
COMPARES: Final[Any] = {"compare_mode": 1, "compare_func": Func.LEQUAL}
DEVICES: Final = (Device(), Device("predefined"), Device(filters=False))
WRAPS: Final = (
    *(TexWrap.CLAMP_TO_BORDER, TexWrap.CLAMP, TexWrap.MIRROR_CLAMP, TexWrap.MIRROR_CLAMP_TO_EDGE),
    *(TexWrap.MIRROR_CLAMP_TO_BORDER, TexWrap.REPEAT),
)
#: Of levels of detail from derivatives or gradients, with borders up to 5; as docs/shader_lowering.md says of `lower`.
LEVELS: Final = 0.15
_BORDER: Final = (2.0, 3.0, -5.0, 0.25)
_ROUNDING: Final = 2.0**-20


class Case(NamedTuple):
    """One sample on a device that lacks something."""

    target: str
    form: str
    state: SamplerState
    device: Device = Device()
    levels: int = 1
    texel_format: str = "RGBA32F"
    offset: tuple[int, ...] = ()
    component: int = 0
    data: bool = False

    @property
    def name(self) -> str:
        state = self.state
        wraps = "/".join(one.name for one in (state.wrap_s, state.wrap_t, state.wrap_r))
        filters = f"{state.min_img_filter.name}-{state.mag_img_filter.name}-{state.min_mip_filter.name}"
        return f"{self.target} {self.form} {wraps} {filters} {self.device.route} x{self.levels} {self.texel_format}"

    @property
    def prefix(self) -> str:
        return {"RGBA32I": "i", "RGBA32UI": "u"}.get(self.texel_format, "")


def quads(case: Case, size: tuple[int, ...], seed: int = 3) -> NDArray[np.float32]:
    """Places, the four fragments of a quad near each other; of a cube in one direction."""
    target = TARGETS[case.target]
    if target.cube:
        return places(case.target, size, SIDE, seed)
    chance, count = np.random.default_rng(seed), SIDE // 2
    base = chance.uniform(-1.5, 2.5, (count, count, 1, 1, 4))
    steps = chance.uniform(-1, 1, (count, count, 2, 4)) * np.exp2(chance.integers(-6, 1, (count, count, 1, 1)))
    steps[:, :, 0, 1:] = steps[:, :, 1, ::2] = steps[:, :, 1, 3] = 0  # llvmpipe's own levels are exact along axes alone
    corners = np.arange(2.0)
    at = base + corners[None, None, :, None, None] * steps[:, :, 0, None, None]
    at = at + corners[None, None, None, :, None] * steps[:, :, 1, None, None]
    at = at.transpose(0, 2, 1, 3, 4).reshape(SIDE * SIDE, 4)
    if target.arrayed:
        layer = chance.uniform(-1, size[-1] + 1, (count, 1, count, 1))
        at[:, target.spatial] = np.broadcast_to(layer, (count, 2, count, 2)).reshape(-1)
    return at[:, : target.spatial + target.arrayed].astype(np.float32)


def details(seed: int = 5) -> NDArray[np.float32]:
    """A value to compare with; a level of detail and two gradients that a quad shares."""
    chance, count = np.random.default_rng(seed), SIDE // 2
    quad = np.stack([
        chance.integers(0, 40, (count, count)) / 8 - 0.9375,
        *(chance.uniform(-1, 1, (2, count, count)) * np.exp2(chance.integers(-6, 1, (count, count)))),
    ], axis=-1)  # fmt: skip
    each = quad.repeat(2, 0).repeat(2, 1).reshape(-1, 3)
    return np.hstack([chance.uniform(-0.2, 1.2, (SIDE * SIDE, 1)), each]).astype(np.float32)


def place_of(case: Case, taken: str = "") -> str:
    """GLSL of the place, with q where the form projects."""
    taken = taken or GL_TARGETS[case.target].taken
    if "project" not in case.form:
        return taken
    spatial = TARGETS[case.target].spatial
    return f"vec{spatial + 1}({taken} * (d.x + 1.5), d.x + 1.5)"


def native(case: Case) -> str:
    """GLSL of the sample as a person writes it."""
    at, target, off = place_of(case), TARGETS[case.target], "Offset" if case.offset else ""
    words = [f"{'int' if len(case.offset) == 1 else f'ivec{len(case.offset)}'}({', '.join(map(str, case.offset))})"]
    offset = f", {words[0]}" if off else ""
    kind = case.form.removeprefix("compare_")
    if kind == "gather":
        third = "d.x" if case.form.startswith("compare") else str(case.component)
        order = f"{offset}, {third}" if not case.form.startswith("compare") else f", {third}{offset}"
        return f"textureGather{off}(image, {at}{order})"
    if case.form.startswith("compare"):
        if kind == "project":
            axes = "c.xy * (d.x + 1.5)" if target.spatial == 2 else "c.x * (d.x + 1.5), 0.0"
            at = f"vec4({axes}, d.x, d.x + 1.5)"
        elif target.spatial + target.arrayed < 4:
            fill = "0.0, " if case.target == "1d" else ""
            at = f"vec{max(3, target.spatial + target.arrayed + 1)}({at}, {fill}d.x)"
        else:
            at = f"{at}, d.x"
    first, second = gradients(case)
    return {
        "implicit": f"texture{off}(image, {at}{offset})",
        "compare": f"texture{off}(image, {at}{offset})",
        "project": f"textureProj{off}(image, {at}{offset})",
        "bias": f"texture{off}(image, {at}{offset}, d.y)",
        "level": f"textureLod{off}(image, {at}, d.y{offset})",
        "grad": f"textureGrad{off}(image, {at}, {first}, {second}{offset})",
    }[kind]


def gradients(case: Case) -> tuple[str, str]:
    return {1: ("d.z", "d.w"), 2: ("d.zw", "d.wz"), 3: ("d.zwz", "d.wzw")}[TARGETS[case.target].spatial]


def called(case: Case, function: SampleFunction, at: str = "", first: tuple[str, ...] = ("image",)) -> str:
    """A call of the printed function."""
    one, other = gradients(case)
    given = {"more": "d.y", "lod": "d.y", "along_x": one, "along_y": other, "reference": "d.x"}
    words = [given[name] for name in FORMS[case.form].taken]
    (name,) = function.functions
    block = ["values"] * bool(function.values)
    return f"{name}({', '.join([*first, at or place_of(case), *words, *block])})"


def lesser(case: Case) -> tuple[SamplerState, Lowering, LoweringValues]:
    make = seamed if TARGETS[case.target].cube else lacking
    words = np.array([int(one) for one in _BORDER], "i4") if case.prefix else np.array(_BORDER, "f4")
    if case.state.compare_mode:
        words = np.array([0.5, 0, 0, 0], "f4")
    border = tuple(int(word) for word in words.view("u4"))
    state, lowering, values = make(case.state.replace(border_color=border), case.device)
    return state, lowering._replace(anisotropic=False), values


def printed(case: Case, language: str, **more: Any) -> SampleFunction:
    """The text of a case."""
    texels = {"": "float", "i": "int", "u": "uint"}[case.prefix]
    wraps = "data" if case.data else "state"
    return sample_function(
        lesser(case)[1], language, forms=[case.form], target=case.target, texels=texels, offset=case.offset,
        component=case.component, wraps=wraps, **more,
    )  # fmt: skip


def every_case() -> Iterator[Case]:
    """Every form, target, wrap, filter and device; cubes without seams, whose borders llvmpipe does not show."""
    for target, form in product(TARGETS, FORMS):
        if form == "fetch" or target not in ONLY.get(form, TARGETS):
            continue
        lacking_forms = {"compare_level": {"cube", "2d-array", "cube-array"}, "compare_grad": {"cube-array"}}
        if target in lacking_forms.get(form, ()):
            continue  # GLSL 4.50 has no such overload to compare with
        compares, gathers = form.startswith("compare"), "gather" in form
        wraps = (TexWrap.CLAMP_TO_EDGE,) if TARGETS[target].cube else WRAPS
        for wrap, device, (image, mip) in product(
            wraps, DEVICES, ((LINEAR, TexMipfilter.NONE), (NEAREST, TexMipfilter.NONE), (LINEAR, MIPS))
        ):
            if mip == MIPS and gathers:
                continue
            made = state(wrap, image, min_mip_filter=mip, **(COMPARES if compares else {}))
            levels, texels = 3 if mip == MIPS else 1, "DEPTH32F" if compares else "RGBA32F"
            yield Case(target, form, made, device, levels, texels)


def said(cases: Iterator[Case], language: str) -> Iterator[Case]:
    """Those of the cases that a language can say."""
    for case in cases:
        try:
            printed(case, language)
        except ArgumentError:
            continue
        yield case


def uploaded(case: Case) -> list[NDArray[Any]]:
    """The texels that `Scene` would upload, of each level."""
    full, layered = GL_TARGETS[case.target].size, TARGETS[case.target].arrayed
    outer, levels = (full[-1],) if layered else (6,) if TARGETS[case.target].cube else (), []
    for level in range(case.levels):
        spatial = tuple(max(1, part >> level) for part in (full[:-1] if layered else full))
        levels.append(FORMATS[case.texel_format].random((*outer, *spatial[::-1]), 7 + level))
    return levels


def texels_of(case: Case) -> tuple[Texels, tuple[int, ...]]:
    """The same as they are sampled, and their size."""
    row = FORMATS[case.texel_format]
    return Texels(case.target, [*map(row.seen, uploaded(case))], kind=row.kind), GL_TARGETS[case.target].size


def steps_of(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The derivatives of what each fragment has: along x and along y, a quad's each."""
    grid = values.reshape(SIDE, SIDE, -1)
    columns, rows = np.diff(grid, axis=1)[:, ::2], np.diff(grid, axis=0)[::2]
    return columns.repeat(2, 1).reshape(values.shape), rows.repeat(2, 0).reshape(values.shape)


def detail_by(places: NDArray[Any], steps: tuple[NDArray[Any], NDArray[Any]], texels: Texels) -> NDArray[Any]:
    """The level of detail of places, layers left out, by derivatives; of a cube within the face."""
    lengths = []
    for step in steps:
        moved = step * np.array(texels.size(0)[:1] if texels.shape.cube else texels.size(0))
        if texels.shape.cube:  # the other components, divided by the largest
            longest = np.abs(places).argmax(axis=1)[:, None]
            largest = np.take_along_axis(places, longest, axis=1)
            moved = (moved - places * np.take_along_axis(moved, longest, axis=1) / largest) / largest / 2
        lengths.append(np.linalg.norm(moved, axis=1))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log2(np.maximum(*lengths)))


def _detail(case: Case, at: NDArray[Any], texels: Texels) -> NDArray[Any]:
    """The level of detail of each sample, before the sampler's own bias."""
    more, target = details().astype(np.float64), TARGETS[case.target]
    if case.form.endswith("level"):
        return np.asarray(more[:, 1])
    places = at[:, : target.spatial].astype(np.float64)
    given = {1: ([2], [3]), 2: ([2, 3], [3, 2]), 3: ([2, 3, 2], [3, 2, 3])}[target.spatial]
    steps = (more[:, given[0]], more[:, given[1]]) if case.form.endswith("grad") else steps_of(places)
    return detail_by(places, steps, texels) + (more[:, 1] if case.form == "bias" else 0.0)


def within(case: Case, picture: NDArray[Any], precision: Precision = EXACT) -> NDArray[np.bool_]:
    """Which samples lie within the reference unit's bounds of what the case asks for."""
    texels, size = texels_of(case)
    _, _, values = lesser(case)
    unit, at = TextureUnit(case.state.replace(border_color=values.border), texels), quads(case, size)
    given: dict[str, Any] = {"offset": case.offset}
    if unit.compares:
        given["reference"] = details()[:, 0]
        if case.form.endswith("project"):
            given["reference"] = given["reference"] / (given["reference"] + np.float32(1.5))
    if case.form.endswith("gather"):  # a rounding away from a texel's border are other texels
        inside = np.zeros(len(at), np.bool_)
        for moves in product((0.0, -_ROUNDING, _ROUNDING), repeat=TARGETS[case.target].spatial):
            moved = at.astype(np.float64)
            moved[:, : len(moves)] += moves
            inside |= np.abs(unit.gather(moved, case.component, **given) - picture).max(axis=1) <= _ROUNDING
        return inside
    if unit.compares:
        picture = picture * (1, 0, 0, 0) + (0, 0, 0, 1)
    lod = _detail(case, at, texels)
    if case.levels > 1 and not case.form.endswith("level"):
        return np.asarray(np.abs(unit.sample(at, lod=lod, **given) - picture).max(axis=1) < LEVELS)
    return bounds(unit, at, precision, lod=lod, **given).hold(picture)
