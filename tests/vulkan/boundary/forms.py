"""What `st.lower` says of a state's work: a shader that samples in every form its texture has, rewritten.

What is said depends on the work and on the image, not on the device or on numbers, so one answer serves all states and
devices that leave the shader the same.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.gl import Target
from statetracker.pipe import Func, Lowering
from statetracker.pipe.lowering import AXIS_MEMBERS
from statetracker.shader import lower
from tests.shader.modules import SIMPLE, Sample, module

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMS", "IMAGES", "Image", "notes"]

_1D, _2D, _3D, _CUBE, _RECT = range(5)

#: Name of a form -> how it samples. The first one is a plain `texture` in GLSL, of all kinds of image.
FORMS: Final[Mapping[str, Sample]] = {
    "plain": SIMPLE,
    "bias": SIMPLE._replace(bias=True),
    "least level": SIMPLE._replace(min_lod=True),
    "offset": SIMPLE._replace(offset="const"),
    "projection": SIMPLE._replace(project=True),
    "level": SIMPLE._replace(level="lod"),
    "gradients": SIMPLE._replace(level="grad"),
    "gradients, offset": SIMPLE._replace(level="grad", offset="const"),
    "gather": SIMPLE._replace(level="gather"),
    "gather, four offsets": SIMPLE._replace(level="gather", offset="four"),
    "sparse": SIMPLE._replace(sparse=True),
    "sparse gather": SIMPLE._replace(level="gather", sparse=True),
    "sparse gather, four offsets": SIMPLE._replace(level="gather", sparse=True, offset="four"),
}


class Image(NamedTuple):
    """What SPIR-V knows of a texture: its dimension, and whether it is an array."""

    dim: int
    arrayed: bool = False


#: GL's target -> the image that a shader samples. Buffer and multisample textures are not sampled.
IMAGES: Final[Mapping[int, Image]] = {
    Target.TEXTURE_1D: Image(_1D),
    Target.TEXTURE_2D: Image(_2D),
    Target.TEXTURE_3D: Image(_3D),
    Target.TEXTURE_RECTANGLE: Image(_RECT),
    Target.TEXTURE_EXTERNAL_OES: Image(_2D),
    Target.TEXTURE_CUBE_MAP: Image(_CUBE),
    Target.TEXTURE_1D_ARRAY: Image(_1D, arrayed=True),
    Target.TEXTURE_2D_ARRAY: Image(_2D, arrayed=True),
    Target.TEXTURE_CUBE_MAP_ARRAY: Image(_CUBE, arrayed=True),
}


def notes(work: Lowering, target: int, *, integer: bool) -> Mapping[str, frozenset[str]]:
    """What is inexact or unresolved, in the rewrite's own words -> the names of the forms.

    Args:
        work: What a conversion leaves to the shader; it compares where that has a comparison.
        target: GL's, of the texture.
        integer: The texture's texels are read as integers.
    """
    if not work.needed:
        return {}
    return _said(*_plain(work, IMAGES[target]), integer)


def _plain(work: Lowering, image: Image) -> tuple[Lowering, Image]:
    """The work without what is no matter to the forms: axes that are not there, their order, which comparison."""
    count = {_1D: 1, _3D: 3}.get(image.dim, 2)
    letters = [tuple(axis in getattr(work, name) for name in AXIS_MEMBERS) for axis in "str"[:count]]
    axes = zip("str", sorted(letters, reverse=True), strict=False)
    by_axis = {axis: dict(zip(AXIS_MEMBERS, has, strict=True)) for axis, has in axes}
    alike = {name: "".join(axis for axis, has in by_axis.items() if has[name]) for name in AXIS_MEMBERS}
    func = None if work.compare_func is None else Func.LEQUAL
    plain = work._replace(**alike, ones="", second_sampler=False, compare_func=func)  # type: ignore[arg-type]
    return plain if plain.covered else plain._replace(route=""), image


def _has(image: Image, form: Sample, *, compares: bool) -> bool:
    """Whether GLSL has a form for an image."""
    flat = image.dim in {_2D, _RECT}
    return not (
        (compares and image.dim == _3D)
        or (form.level == "gather" and not (flat or image.dim == _CUBE))
        or (form.offset and image.dim == _CUBE)
        or (form.project and (image.arrayed or image.dim == _CUBE))
        or (form.sparse and image.dim == _1D)
        or (image.dim == _RECT and (form.bias or form.min_lod or form.level == "lod"))
    )


@cache
def _said(work: Lowering, image: Image, integer: bool) -> Mapping[str, frozenset[str]]:
    compares = work.compare_func is not None and not integer
    there = {name: form for name, form in FORMS.items() if _has(image, form, compares=compares)}
    made, _ = module(
        [form._replace(dim=image.dim, arrayed=image.arrayed, dref=compares, integer=integer) for form in there.values()]
    )
    result = lower(made, {(0, binding): work for binding in range(len(there))}, values=(1, 0))
    names = dict(enumerate(there))
    by_reason: dict[str, set[str]] = {}
    for note in (*result.inexact, *result.unresolved):
        binding = -1 if note.descriptor is None else note.descriptor[1]
        by_reason.setdefault(note.reason, set()).add(names[binding])
    return {reason: frozenset(forms) for reason, forms in by_reason.items()}
