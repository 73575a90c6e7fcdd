"""Parts in processes of their own that crash, hang or raise: `tools.proofs.apart`."""

from __future__ import annotations

import pytest

from statetracker.errors import CallFailed, WorkerLost
from tests.jobs_work import troubled
from tools.proofs.apart import apart


@pytest.mark.parametrize("trouble", ["crash", "hang"])
def test_a_part_that_ends_its_process_is_named_with_what_it_was_at(trouble: str) -> None:
    limit_s = 1 if trouble == "hang" else 60
    with pytest.raises(WorkerLost, match="part 'bad': its process died each time") as lost:
        list(apart(troubled, {"bad": (trouble,), "good": ("none",)}, limit_s=limit_s))
    assert lost.value.__notes__ == [f"{trouble},\nsecond line"]


def test_an_error_arrives_with_what_its_part_was_at() -> None:
    with pytest.raises(CallFailed, match="GL: glTrouble answered GL_INVALID_ENUM") as raised:
        list(apart(troubled, {"bad": ("error",)}, limit_s=60))
    assert raised.value.__notes__ == ["error,\nsecond line"]


def test_processes_have_the_environment_that_they_are_started_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUBLE", "inside")
    assert list(apart(troubled, {"one": ("none",)}, limit_s=60)) == ["inside"]
