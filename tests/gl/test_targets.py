"""`statetracker.gl.targets`: which calls take a target, who has it, how it can be viewed."""

from __future__ import annotations

from typing import Final

import pytest

from statetracker.gl import Limits
from statetracker.gl import enums as e
from statetracker.gl.limits import PROFILES
from statetracker.gl.names import gl_name
from statetracker.gl.targets import FACE_TARGETS, PROXIES, TARGETS, taking

T = e.Target
FAMILIES = ("image", "storage", "multisample")

# fmt: off
#: Call family and dimension -> the targets that it takes.
TAKEN: Final[dict[tuple[str, int], set[int]]] = {
    ("image", 1):       {T.TEXTURE_1D},
    ("image", 2):       {T.TEXTURE_2D, T.TEXTURE_RECTANGLE, T.TEXTURE_1D_ARRAY, *FACE_TARGETS},
    ("image", 3):       {T.TEXTURE_3D, T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY},
    ("storage", 1):     {T.TEXTURE_1D},
    ("storage", 2):     {T.TEXTURE_2D, T.TEXTURE_RECTANGLE, T.TEXTURE_1D_ARRAY, T.TEXTURE_CUBE_MAP},
    ("storage", 3):     {T.TEXTURE_3D, T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP_ARRAY},
    ("multisample", 2): {T.TEXTURE_2D_MULTISAMPLE},
    ("multisample", 3): {T.TEXTURE_2D_MULTISAMPLE_ARRAY},
}
#: Target -> the first GLES that has it, or the extensions that bring it to others; nothing: desktop GL alone.
GLES: Final[dict[e.Target, tuple[int, tuple[str, ...]]]] = {
    T.TEXTURE_2D:                   (10, ()),
    T.TEXTURE_CUBE_MAP:             (20, ("GL_OES_texture_cube_map",)),
    T.TEXTURE_3D:                   (30, ("GL_OES_texture_3D",)),
    T.TEXTURE_2D_ARRAY:             (30, ()),
    T.TEXTURE_2D_MULTISAMPLE:       (31, ()),
    T.TEXTURE_2D_MULTISAMPLE_ARRAY: (32, ("GL_OES_texture_storage_multisample_2d_array",)),
    T.TEXTURE_BUFFER:               (32, ("GL_OES_texture_buffer", "GL_EXT_texture_buffer")),
    T.TEXTURE_CUBE_MAP_ARRAY:       (32, ("GL_OES_texture_cube_map_array", "GL_EXT_texture_cube_map_array")),
    T.TEXTURE_EXTERNAL_OES:         (99, ("GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3")),
}
# fmt: on
GLES_PROFILES = {profile: gles for profile, gles in PROFILES.items() if gles}
#: Groups whose members can all be viewed as one another.
ALIKE = (
    {T.TEXTURE_1D, T.TEXTURE_1D_ARRAY},
    {T.TEXTURE_2D, T.TEXTURE_2D_ARRAY},
    {T.TEXTURE_3D},
    {T.TEXTURE_RECTANGLE},
    {T.TEXTURE_2D_MULTISAMPLE, T.TEXTURE_2D_MULTISAMPLE_ARRAY},
)
LAYERED = {T.TEXTURE_2D_ARRAY, T.TEXTURE_CUBE_MAP, T.TEXTURE_CUBE_MAP_ARRAY}
NO_STORE = {T.TEXTURE_BUFFER, T.TEXTURE_EXTERNAL_OES}


@pytest.mark.parametrize(("family", "dims"), TAKEN)
def test_calls_take_the_targets_of_the_specification(family: str, dims: int) -> None:
    """A cube's images are given face by face."""
    assert taking(family, dims) == {int(target) for target in TAKEN[family, dims]}


def test_faces_are_six_and_follow_one_another() -> None:
    """From POSITIVE_X to NEGATIVE_Z."""
    names = [gl_name(face).removeprefix("GL_TEXTURE_CUBE_MAP_") for face in sorted(FACE_TARGETS)]
    assert names == [f"{sign}_{axis}" for axis in "XYZ" for sign in ("POSITIVE", "NEGATIVE")]


def test_proxy_is_named_after_its_target() -> None:
    """Buffers and external images have none, nor are they set by name."""
    assert {gl_name(proxy): gl_name(target) for proxy, target in PROXIES.items()} == {
        f"GL_PROXY_{target.name}": f"GL_{target.name}" for target in T if target not in NO_STORE
    }
    assert {target for target, rule in TARGETS.items() if not rule.named} == NO_STORE
    assert {target for target, rule in TARGETS.items() if not rule.proxy} == NO_STORE


@pytest.mark.parametrize("target", T)
def test_texture_is_viewed_as_what_has_images_of_its_shape(target: e.Target) -> None:
    """Layers of two dimensions are layers of an array or faces of a cube; what has no images has no views."""
    alike = {one for group in ALIKE if target in group for one in group}
    assert set(TARGETS[target].views) == alike | ({T.TEXTURE_2D} | LAYERED if target in LAYERED else set())


@pytest.mark.parametrize("target", T)
def test_target_comes_with_a_release_of_gles_or_an_extension(target: e.Target) -> None:
    """Desktop GL has all but external images."""
    first, extensions = GLES.get(target, (99, ()))
    gate = TARGETS[target].gate
    for profile in ("compatibility", "core"):
        assert gate.allows(Limits(profile=profile)) == (target != T.TEXTURE_EXTERNAL_OES)
    for profile, version in GLES_PROFILES.items():
        assert gate.allows(Limits(profile=profile, extensions=frozenset())) == (version >= first)
        for name in extensions:
            assert gate.allows(Limits(profile=profile, extensions=frozenset({name})))
