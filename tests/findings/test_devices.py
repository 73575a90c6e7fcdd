"""What becomes of a program's states elsewhere: as `portability` says of each, and `plan_samplers` of a stage's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.findings import inspect
from statetracker.findings.devices import MOST, STEPS, everywhere, needs, outcome_on, plans
from statetracker.findings.settings import Use
from statetracker.gl.facts import UNIT
from statetracker.survey import KINDS


def use(call: int = 1, **fields: Any) -> Use:
    facts = st.Texture("2d", "RGBA8", (4, 4)).content()[0]
    return Use(st.Sampler(**fields), facts, 1, UNIT, call, textures={"texture 1": None})


def test_a_program_is_right_where_every_state_is() -> None:
    border = use(wrap_s="clamp-to-border", border_color=(0.1, 0.2, 0.3, 0.4))
    stretched = use(2, filter=("linear", "linear"), max_anisotropy=16.0)
    alone = [everywhere((one,)) for one in (border, stretched)]
    both = everywhere((border, stretched))
    assert both.right <= min(one.right for one in alone) < both.reports
    assert both.worst is not None
    assert both.worst[1] == max(one.reports - one.right for one in alone)


def test_the_share_of_one_state_is_that_of_portability() -> None:
    stretched = use(filter=("linear", "linear"), max_anisotropy=16.0)
    kinds = st.portability(stretched.sampler, stretched.facts, changes=False).kinds
    assert everywhere((stretched,)).right == kinds["native"].reports + kinds["shader"].reports


def test_the_changes_that_help_are_counted_together() -> None:
    found = everywhere((use(filter=("linear", "linear"), max_anisotropy=16.0), use(2, max_anisotropy=2.0)))
    assert found.changed > found.right
    assert {str(change) for _, change in found.changes} == {"max_anisotropy 1.0"}
    assert "With max_anisotropy 1.0 in 2 states it is" in str(found)


def test_a_program_that_is_right_everywhere_needs_no_change() -> None:
    found = everywhere((use(),))
    assert (found.reports - found.right, found.changes) == (2, ())  # drivers that sample no format at all
    assert str(found) == f"By what {found.reports:,} reports of devices say, it looks right on 100.0%."


def test_a_program_with_faults_looks_right_nowhere() -> None:
    """However many devices have its states: what is wrong or undefined is so on every device."""
    for one in (use(), use(filter=("linear", "linear"), max_anisotropy=16.0)):
        without, found = everywhere((one,)), everywhere((one,), 2)
        assert found.right == without.right
        text = str(without).replace("it looks right", "its states are exact")
        assert str(found) == f"{text} It looks right on none: 2 findings wrong or undefined."


def test_what_nothing_reads_asks_nothing_of_a_device() -> None:
    """Such as wrap R of 2D textures, which moderngl sets; a border that no wrap reads needs no colour."""
    unread = use(wrap_r="clamp-to-border", border_color=(0.1, 0.2, 0.3, 0.4))
    assert outcome_on(unread, st.Screen.named("webgpu")).kind == "native"
    assert everywhere((unread,)).right == everywhere((use(),)).right
    assert needs((unread,), st.Screen.device("SwiftShader"))["custom border colours"][0] == 0


def test_the_state_that_is_lost_on_most_devices_names_some_and_why() -> None:
    text = str(everywhere((use(filter=("linear", "linear"), max_anisotropy=16.0),)))
    assert ": approximated: anisotropy: " in text
    assert "; the device has none)" in text


@pytest.mark.parametrize(
    ("screen", "fields", "kind"),
    [
        ("webgpu", {}, "native"),
        ("webgpu", {"wrap_s": "clamp-to-border"}, "shader"),
        ("webgpu", {"filter": ("nearest", "linear"), "max_anisotropy": 16.0}, "approximated"),
        ("llvmpipe", {"wrap_s": "clamp"}, "native"),
    ],
)
def test_an_outcome_is_one_of_four_kinds(screen: str, fields: dict[str, Any], kind: str) -> None:
    assert outcome_on(use(**fields), st.Screen.named(screen)).kind == kind
    assert kind in KINDS


def test_a_device_s_limits_stand_beside_what_is_needed() -> None:
    device = st.Screen.device("SwiftShader")
    uses = tuple(use(n, wrap="clamp-to-border", border_color=(n / 8, 0, 0, 1)) for n in range(4))
    found = needs((*uses, use(9, wrap="clamp-to-border", border_color=(0, 0, 0, 1))), device)
    assert found["samplers"][0] == 4  # opaque black is asked for twice
    assert found["custom border colours"] == (3, 4000)
    assert needs(uses, st.Screen.named("webgpu")) == {}


PROGRAM = str(Path(__file__).parents[1] / "data" / "programs" / "sampler-tour.dump.txt.gz")


def test_draws_of_all_stages_are_those_of_the_states() -> None:
    made = inspect(PROGRAM)
    for use in made.uses:
        assert sum(one.draws * one.uses.count(use) for one in made.stages) == use.draws
    assert all(one.call >= max(use.call for use in one.uses) for one in made.stages)


@pytest.mark.parametrize("limit", [1, 2, 4, MOST])
def test_a_plan_goes_no_further_than_the_limit(limit: int) -> None:
    for one in plans(inspect(PROGRAM).stages, limit):
        assert len(one.plan.samplers) >= one.after[-1]
        assert one.plan.fits == (one.after[-1] <= limit)
        assert list(one.after) == sorted(one.after, reverse=True)
        if one.after[0] <= limit:
            assert (len(one.plan.samplers), one.taps) == (one.after[0], 0)


def test_the_most_samplers_come_first() -> None:
    counts = [one.after[0] for one in plans(inspect(PROGRAM).stages)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], len(STEPS)) == (5, 4)
