"""Parts in processes of their own that crash, hang or raise: `tools.proofs.progress.apart`; and their environment."""

from __future__ import annotations

import os

import pytest

from statetracker.errors import CallFailed, WorkerLost
from tests.jobs_work import square, troubled
from tools.environment import environment
from tools.proofs.progress import apart, words


@pytest.mark.parametrize("trouble", ["crash", "hang"])
def test_a_part_that_ends_its_process_is_named_with_what_it_was_at(trouble: str) -> None:
    kept: dict[str, str | None] = {}
    limit_s = 1 if trouble == "hang" else 60
    with pytest.raises(WorkerLost) as lost:
        list(apart("parts", troubled, {"bad": (trouble,), "good": ("none",)}, limit_s=limit_s, workers=1, kept=kept))
    assert list(kept) == ["good"]
    assert words(lost.value).startswith("part 'bad': its process died each time")
    assert words(lost.value).endswith(f"\n{trouble},\nsecond line")


def test_an_error_arrives_with_what_its_part_was_at() -> None:
    with pytest.raises(CallFailed) as raised:
        list(apart("parts", troubled, {"bad": ("error",)}, limit_s=60))
    assert words(raised.value) == "GL: glTrouble answered GL_INVALID_ENUM\nerror,\nsecond line"


def test_an_error_without_a_note_says_what_it_says() -> None:
    with pytest.raises(ValueError, match="-1") as raised:
        square(-1)
    assert words(raised.value) == "-1"


def test_processes_have_the_environment_that_they_are_started_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUBLE", "before")
    monkeypatch.delenv("OTHER", raising=False)
    with environment({"TROUBLE": "inside", "OTHER": "new"}):
        assert list(apart("parts", troubled, {"one": ("none",)}, limit_s=60, workers=1)) == ["inside"]
    assert (os.environ["TROUBLE"], os.environ.get("OTHER")) == ("before", None)
