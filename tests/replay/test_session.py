"""A session's parts, and the calls that each of them handles."""

from __future__ import annotations

from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING

import pytest

from statetracker.caps import Screen
from statetracker.gl import Context
from statetracker.replay.session import CALLS, PARTS, WHOLE_CALLS, Session, rule_of
from statetracker.replay.states import States
from statetracker.sampler import converter
from tests.replay.conftest import TRIANGLE, texture

if TYPE_CHECKING:
    from tests.replay.conftest import Sampled

LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")


def session(share: Session | None = None) -> Session:
    context = Context()
    states = States(context, LLVMPIPE, lambda _event: None, count(), explained=False)
    return Session(context, states, "llvmpipe", guess=lambda _what: None, execute=lambda _call: None, share=share)


def test_every_call_is_handled_by_one_part() -> None:
    names = [name for _, calls in PARTS for name in calls]
    assert len(names) == len(set(names)) == len(CALLS)
    assert CALLS.keys() > WHOLE_CALLS


@pytest.mark.parametrize("part", ["shaders", "named_strings", "lists.lists"])
def test_contexts_that_share_have_one_part_of_objects(part: str) -> None:
    first, objects = session(), attrgetter(part)
    assert objects(session(first)) is objects(first)
    assert objects(session()) is not objects(first)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("glUseProgram", True), ("glUseProgramStages", True), ("glDeleteShader", True), ("glAttachShader", False),
        ("glBindFramebuffer", False), ("glTexImage2D", True), ("glPopAttrib", True), ("glGenTextures", False),
    ],
)  # fmt: skip
def test_other_calls_are_changes_or_none(name: str, *, changes: bool) -> None:
    assert rule_of(name, handled=name in CALLS) is changes


SUB = "xoffset = 0, yoffset = 0, width = {width}, height = 2"
MIPMAPPED = (
    texture(1),
    "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR_MIPMAP_LINEAR)",
    "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_GENERATE_MIPMAP, param = GL_TRUE)",
    "glEnable(cap = GL_TEXTURE_2D)",
)
ON_2D = "target = GL_TEXTURE_2D"
TEXELS = "format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = blob(16)"


@pytest.mark.parametrize(
    ("call", "made"),
    [
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=2)}, {TEXELS})", [1]),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 1, {SUB.format(width=2)}, {TEXELS})", []),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=0)}, {TEXELS})", []),
        (f"glTexSubImage2D(target = GL_TEXTURE_2D, level = 0, {SUB.format(width=20)}, {TEXELS})", []),
        ("glCopyTexSubImage2D(target = GL_TEXTURE_2D, level = 0, x = 0, y = 0, " + SUB.format(width=2) + ")", [1]),
        (f"glTextureSubImage2D(texture = 1, level = 0, {SUB.format(width=2)}, {TEXELS})", [1]),
        (f"glTextureSubImage2D(texture = 9, level = 0, {SUB.format(width=2)}, {TEXELS})", []),
        (
            f"glTextureSubImage2DEXT(texture = 1, target = GL_TEXTURE_2D, level = 0, {SUB.format(width=2)}, {TEXELS})",
            [1],
        ),
        (
            f"glMultiTexSubImage2DEXT(texunit = GL_TEXTURE0, {ON_2D}, level = 0, {SUB.format(width=2)}, {TEXELS})",
            [1],
        ),
    ],
)
def test_texels_put_into_the_base_level_fill_the_chain_where_mipmaps_are_generated(
    sampled: Sampled, call: str, made: list[int]
) -> None:
    assert sampled(*MIPMAPPED, call, TRIANGLE) == made


def test_texels_put_into_one_face_fill_the_chain_of_that_face(sampled: Sampled) -> None:
    faces = ("POSITIVE_X", "NEGATIVE_X", "POSITIVE_Y", "NEGATIVE_Y", "POSITIVE_Z", "NEGATIVE_Z")
    cube = [line.replace("TEXTURE_2D", "TEXTURE_CUBE_MAP") for line in "\n".join(MIPMAPPED).splitlines()]
    (image,) = (line for line in cube if line.startswith("glTexImage2D"))
    cube.remove(image)
    last = cube.index(next(line for line in cube if "GENERATE" in line))
    cube[last:last] = [image.replace("_CUBE_MAP", f"_CUBE_MAP_{face}") for face in faces]
    sub = f"target = GL_TEXTURE_CUBE_MAP_{{}}, level = 0, {SUB.format(width=2)}, {TEXELS}"
    calls = [f"glTexSubImage2D({sub.format(face)})" for face in faces]
    assert sampled(*cube, *calls, TRIANGLE) == [1]
    assert sampled(*cube, *calls[:-1], TRIANGLE) == []
