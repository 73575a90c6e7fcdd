"""A session's parts, and the calls that each of them handles."""

from __future__ import annotations

from itertools import count

import pytest

from statetracker.caps import Screen
from statetracker.gl import Context
from statetracker.replay.session import CALLS, COMPARED, PARTS, WHOLE_CALLS, Session, rule_of
from statetracker.replay.states import States
from statetracker.sampler import converter

LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")


def session(share: Session | None = None) -> Session:
    context = Context()
    states = States(context, LLVMPIPE, lambda _event: None, count(), explained=False)
    return Session(context, states, "llvmpipe", guess=lambda _what: None, execute=lambda _call: None, share=share)


def test_every_call_is_handled_by_one_part() -> None:
    names = [name for _, calls in PARTS for name in calls]
    assert len(names) == len(set(names)) == len(CALLS)
    assert CALLS.keys() > WHOLE_CALLS


@pytest.mark.parametrize("part", ["shaders", "named_strings", "lists"])
def test_contexts_that_share_have_one_part_of_objects(part: str) -> None:
    first = session()
    assert getattr(session(first), part) is getattr(first, part)
    assert getattr(session(), part) is not getattr(first, part)


def test_contexts_that_share_bind_and_draw_each_for_themselves() -> None:
    first = session()
    second = session(first)
    assert second.context.textures is first.context.textures
    for part in ("programs", "assembly", "ati", "framebuffers", "vertices", "draws", "states"):
        assert getattr(second, part) is not getattr(first, part)


@pytest.mark.parametrize("name", ["glTexParameteri", "glBindTextureUnit", "glEnable", "glUniform1iv", "glDrawBuffers"])
def test_calls_of_the_table_are_compared(name: str) -> None:
    assert rule_of(name, handled=name in CALLS) in COMPARED.values()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("glUseProgram", True),
        ("glUseProgramStages", True),
        ("glDeleteShader", True),
        ("glAttachShader", False),
        ("glBindFramebuffer", False),
        ("glTexImage2D", True),
        ("glPopAttrib", True),
        ("glGenTextures", False),
    ],
)
def test_other_calls_are_changes_or_none(name: str, *, changes: bool) -> None:
    assert rule_of(name, handled=name in CALLS) is changes
