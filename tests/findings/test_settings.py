"""Names of many objects in one finding."""

from __future__ import annotations

import pytest

from statetracker.findings.settings import joined


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["texture 3"], "texture 3"),
        (["sampler 1", "sampler 4"], "sampler 1, 4"),
        ([f"texture {n} of context 2" for n in range(9)], "texture 0, 1, 2, 3, 4, 5 and 3 more of context 2"),
        (["sampler 1", "sampler 2 of context 3"], "sampler 1, 2 of context 3"),
        (["the default texture of GL_TEXTURE_2D", "texture 4"], "the default texture of GL_TEXTURE_2D, texture 4"),
    ],
)
def test_the_first_objects_are_named_and_the_others_counted(names: list[str], said: str) -> None:
    assert joined(names) == said
