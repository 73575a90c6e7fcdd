"""The short form of ``make frame-loop``: many frames over a working set larger than the budget."""

from __future__ import annotations

from tools.proofs.frame_loop import run


def test_many_frames_keep_to_the_budget_and_to_their_memory() -> None:
    outcome = run(1500, 40, budget=64)
    assert outcome.most_live == 64
    assert (outcome.wrong, outcome.left) == (0, 0)
    assert outcome.creates == outcome.deletes > 640
    assert outcome.binds == 60_000
    assert outcome.fine, outcome
