"""The short form of ``make governor``: many more states than the limit, at every limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.proofs.governor import GOVERNORS, LIMITS, draw, materials, run

SCENE = materials(6000)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("when_full", GOVERNORS)
def test_the_limit_is_never_passed_and_a_bind_makes_one_state_at_most(limit: int, when_full: str) -> None:
    outcome, _ = run(SCENE, 8000, limit, when_full)
    assert outcome.most_live == limit or outcome.creates < limit
    assert outcome.fine, outcome
    assert outcome.worst.distance <= 1 or when_full == "nearest"


def test_the_worst_merge_can_be_seen(tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    outcome, merge = run(SCENE, 4000, 16, "nearest")
    assert merge is not None
    assert outcome.merged
    draw(merge, str(tmp_path / "worst.png"))
    with images.open(tmp_path / "worst.png") as picture:
        asked, given = (picture.crop((left, 32, left + 240, 272)) for left in (8, 256))
        assert picture.size == (1000, 280)
        assert asked.tobytes() != given.tobytes()
