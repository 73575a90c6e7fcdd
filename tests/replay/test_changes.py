"""Which calls make the next draw look at its samplers again."""

from __future__ import annotations

import pytest

from statetracker.replay.changes import COMPARED, rule_of
from statetracker.replay.session import CALLS


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
