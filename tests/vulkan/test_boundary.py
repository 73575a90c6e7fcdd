"""The boundary set on every capability vector of the device corpus: no rule broken, nothing left but of some kinds."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.frontend.vulkan_view import vulkan_view
from statetracker.jobs import run_jobs
from statetracker.pipe import Lowering
from statetracker.survey.outcomes import class_key
from statetracker.vulkan.enums import BorderChoice
from statetracker.vulkan.rules import RULES
from tests.kept import assert_kept
from tests.vulkan.boundary.figures import ALL, KEPT, Figures, Seen, boundaries, boundary, figures, kept, states_by_kind
from tests.vulkan.boundary.left import KINDS, kind_of, refused
from tests.vulkan.boundary.states import AXES, BOUNDARY, LENGTHS, boundary_state
from tests.vulkan.devices import newest_rows, screen_of

if TYPE_CHECKING:
    from collections.abc import Callable

SHADER: Final = Path(st.__file__).parent / "shader"
#: The part that a test run looks at: every how many-th vector, and state on each.
PART: Final = (29, 80)
CHUNK: Final = 4  # states in one part of a whole run


def part() -> Seen:
    vectors, every = PART
    total = Seen.nothing()
    for number in range(BOUNDARY):
        total.add(boundary(number, newest_rows()[::vectors], every=every))
    return total


def test_no_rule_is_broken_and_what_is_left_is_what_is_kept(whole: bool) -> None:
    """Of a part, no kind has more states or fewer than in the last whole run; `make sweep` is one."""
    some = part()
    assert some.wrong == []
    states = states_by_kind(some.left)
    assert states == {kind: row.part for kind, row in kept().items() if row.part}
    assert refused(states.keys() - {ALL}) == []
    if whole:
        chunks = [range(first, min(first + CHUNK, BOUNDARY)) for first in range(0, BOUNDARY, CHUNK)]
        total = Seen.nothing()
        for _, seen in run_jobs(boundaries, {f"states {numbers}": (numbers,) for numbers in chunks}):
            total.add(seen)
        assert total.wrong == []
        rows = [(kind, *row) for kind, row in figures(total, some).items()]
        assert_kept(KEPT, ("kind", *Figures._fields), rows)


def test_some_states_are_without_fault_on_every_vector() -> None:
    seen = boundaries(range(0, BOUNDARY, 1000))
    assert seen.wrong == []
    assert states_by_kind(seen.left)[ALL] == 754 * 5


def test_there_is_a_row_for_each_of_the_vectors() -> None:
    rows = newest_rows()
    assert [row.vector for row in rows] == list(range(754))
    newest = {row.vector: row.newest_report for row in rows}
    assert all(row.newest_report <= newest[row.vector] for row in corpus())


def test_every_pair_of_values_meets_in_the_boundary_set() -> None:
    shown = {name: [n % LENGTHS[name] % len(values) for n in range(BOUNDARY)] for name, values in AXES.items()}
    for one, other in combinations(AXES, 2):
        met = set(zip(shown[one], shown[other], strict=True))
        assert len(met) == len(AXES[one]) * len(AXES[other]), (one, other)


def test_devices_that_share_a_conversion_convert_alike() -> None:
    shared = 0
    for number in range(7, BOUNDARY, 900):
        state = boundary_state(number)
        groups: dict[object, list[st.Screen]] = defaultdict(list)
        for row in newest_rows()[::3]:
            screen = screen_of(row)
            groups[class_key(screen_of(row), vulkan_view(state.texture, screen, state.glsl130))].append(screen)
        for first, *others in groups.values():
            alone = converted(number, first)
            assert all(converted(number, other) == alone for other in others), number
            shared += len(others)
    assert shared > 500


def converted(number: int, screen: st.Screen) -> tuple[object, ...]:
    sampler, texture, seamless, glsl130 = boundary_state(number)
    result = st.convert(sampler, texture, screen, seamless=seamless, glsl130=glsl130)
    return result.vulkan, result.lowering, str(result.lowering_values), result.vulkan.unsupported


def test_every_kind_is_left_somewhere_and_in_the_part() -> None:
    last = kept()
    assert last.keys() == {ALL, *KINDS}
    assert all(row.part and row.states >= row.part and row.states >= row.plain for row in last.values())
    assert last[ALL][:3] == (754, last[ALL].reports, 754 * 4060)


def test_every_remark_of_the_rewrite_is_of_a_kind() -> None:
    said = re.compile(r'remarks\.append\("([^"]+)"\)|_SCALED: Final = "([^"]+)"')
    files = (file for file in SHADER.glob("*.py") if file.name != "clamp.py")  # of letters, which no device lacks
    texts = {one or other for file in files for one, other in said.findall(file.read_text("utf-8"))}
    assert len(texts) > 9
    assert refused(map(kind_of, texts)) == []


def test_a_loss_of_no_kind_is_its_own_text() -> None:
    assert kind_of("border: none of the device's 0 custom colours is free") not in KINDS
    assert kind_of("anisotropy: for no reason") not in KINDS
    assert kind_of("filtering: the device does not filter R8_UNORM") not in KINDS
    assert refused(["residency", "dropped: bias"]) == ["dropped: bias"]


def no_rest(d: Any) -> None:
    """The rest of the bias is forgotten."""
    bias = d.mip_lod_bias if d.mip_lod_bias == d.mip_lod_bias else 0.0
    d.mip_lod_bias = max(-d.device.lod_bias, min(d.device.lod_bias, bias))


def nearest(d: Any) -> None:
    """Nothing is filtered."""
    d.min_filter = d.mag_filter = d.mipmap_mode = 0


def nothing(_d: Any) -> None:
    """The rule is forgotten."""


@pytest.mark.parametrize(
    ("rule", "apply", "loss"),
    [
        ("border", lambda d: setattr(d, "border", BorderChoice(error=1.0)), "border"),
        ("in-shader", nothing, "wraps"),
        ("seams", nothing, "seams"),
        ("bias-limit", no_rest, "bias"),
        ("lod-order", lambda d: setattr(d, "max_lod", 1000.0), "limits"),
        ("filtering", nearest, "filters"),
        ("reduction", lambda d: setattr(d, "reduction_mode", None), "reduction"),
        ("no-compare", lambda d: setattr(d, "compare_enable", 0), "comparison"),
        ("no-anisotropy", lambda d: setattr(d, "anisotropy_enable", False), "anisotropy"),
        ("fixed-depth", nothing, "depth"),
    ],
)
def test_what_a_rule_drops_without_a_word_is_seen(
    rule: str, apply: Callable[[Any], None], loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.vulkan.boundary.left.notes", lambda *_, **__: {})
    made = tuple(one._replace(apply=apply) if one.name == rule else one for one in RULES)
    monkeypatch.setattr("statetracker.vulkan.conversion.RULES", made)
    assert f"dropped: {loss}" in refused(losses())


def losses() -> set[str]:
    """Kinds of loss of some states on some devices, without the shader's."""
    seen = (boundary(number, newest_rows()[::60]) for number in range(0, BOUNDARY, 61))
    return {kind for counts in seen for kind, _ in counts.left}


def test_rectangles_that_nothing_divides_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.vulkan.boundary.left.notes", lambda *_, **__: {})
    monkeypatch.setattr("statetracker.frontend.result.lowering", lambda *_: Lowering())
    assert losses() - KINDS.keys() == {ALL, "dropped: coordinates"}
