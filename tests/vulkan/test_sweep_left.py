"""What ``make sweep`` finds left: kinds that may be, accounts of what was dropped, and the figures that are kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import statetracker as st
from statetracker.pipe import Lowering
from statetracker.pipe.wraps import WRAPS
from statetracker.vulkan.border_choice import BorderChoice
from statetracker.vulkan.draft import ADDRESSES
from statetracker.vulkan.rules import RULES
from tools.proofs.vulkan_sweep.__main__ import main
from tools.proofs.vulkan_sweep.boundary import boundary, part
from tools.proofs.vulkan_sweep.figures import ALL, stored
from tools.proofs.vulkan_sweep.left import KINDS, kind_of, refused
from tools.proofs.vulkan_sweep.states import BOUNDARY
from tools.proofs.vulkan_sweep.sweep import newest_rows

if TYPE_CHECKING:
    from collections.abc import Callable

SHADER: Final = Path(st.__file__).parent / "shader"


def states_left() -> dict[str, int]:
    """Kind -> states of the part."""
    counts = part()
    seen: dict[str, int] = {}
    for (kind, _), count in counts.left.items():
        seen[kind] = seen.get(kind, 0) + count
    return seen


def test_of_a_fixed_part_what_is_left_is_what_is_kept() -> None:
    """Every kind may be left, and none has more states or fewer than in the last whole sweep."""
    seen = states_left()
    assert refused(seen.keys() - {ALL}) == []
    assert seen == {kind: row.part for kind, row in stored().items() if row.part}, "make sweep's --write keeps them"


def test_every_kind_is_left_somewhere_and_in_the_part() -> None:
    figures = stored()
    assert figures.keys() == {ALL, *KINDS}
    assert all(row.part and row.states >= row.part and row.states >= row.plain for row in figures.values())
    assert figures[ALL][:3] == (754, figures[ALL].reports, 754 * 4060)


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


def no_mirror(d: Any) -> None:
    """The mirror is forgotten: the edge, or the border, alone."""
    for axis in ADDRESSES:
        folded = WRAPS[getattr(d, axis)].folded
        setattr(d, axis, getattr(d, axis) if folded is None else folded)


def no_clamp(d: Any) -> None:
    """GL_CLAMP becomes the edge."""
    for axis in ADDRESSES:
        wrap = WRAPS[getattr(d, axis)]
        setattr(d, axis, wrap.edge if wrap.clamps else getattr(d, axis))


def no_rest(d: Any) -> None:
    """The rest of the bias is forgotten."""
    bias = d.mip_lod_bias if d.mip_lod_bias == d.mip_lod_bias else 0.0
    d.mip_lod_bias = max(-d.device.lod_bias, min(d.device.lod_bias, bias))


def wide_limits(d: Any) -> None:
    """Limits are opened, and the shader does not hear of it."""
    d.limits = d.min_lod, d.max_lod
    d.min_lod, d.max_lod = -1000.0, 1000.0


def nearest(d: Any) -> None:
    """Nothing is filtered."""
    d.min_filter = d.mag_filter = d.mipmap_mode = 0


def average(d: Any) -> None:
    """A reduction is an average."""
    d.reduction_mode = None


def one_sample(d: Any) -> None:
    """There is no anisotropy."""
    d.anisotropy_enable, d.max_anisotropy = False, 0.0


def black(d: Any) -> None:
    """The border is black, whatever its colour."""
    d.border = BorderChoice(error=1.0)


def nothing(_d: Any) -> None:
    """The rule is forgotten."""


@pytest.mark.parametrize(
    ("rule", "apply", "loss"),
    [
        ("mirror-border", no_mirror, "wraps"),
        ("mirror-edge", no_mirror, "wraps"),
        ("clamp", no_clamp, "wraps"),
        ("border", black, "border"),
        ("in-shader", nothing, "wraps"),
        ("seams", nothing, "seams"),
        ("bias-limit", no_rest, "bias"),
        ("whole-limits", wide_limits, "limits"),
        ("filtering", nearest, "filters"),
        ("reduction", average, "reduction"),
        ("no-compare", lambda d: setattr(d, "compare_enable", 0), "comparison"),
        ("no-anisotropy", one_sample, "anisotropy"),
        ("fixed-depth", nothing, "depth"),
    ],
)
def test_what_a_rule_drops_without_a_word_is_seen(
    rule: str, apply: Callable[[Any], None], loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.proofs.vulkan_sweep.left.notes", lambda *_, **__: {})
    made = tuple(one._replace(apply=apply) if one.name == rule else one for one in RULES)
    monkeypatch.setattr("statetracker.vulkan.conversion.RULES", made)
    assert f"dropped: {loss}" in refused(losses())


def losses() -> set[str]:
    """Kinds of loss of some states on some devices, without the shader's."""
    seen = (boundary(number, newest_rows()[::60]) for number in range(0, BOUNDARY, 61))
    return {kind for counts in seen for kind, _ in counts.left}


def test_rectangles_that_nothing_divides_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.proofs.vulkan_sweep.left.notes", lambda *_, **__: {})
    monkeypatch.setattr("statetracker.frontend.result.lowering", lambda *_: Lowering())
    assert losses() - KINDS.keys() == {ALL, "dropped: coordinates"}


def test_the_command_fails_where_something_is_left_that_may_not_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.proofs.vulkan_sweep.__main__.newest_rows", lambda: newest_rows()[:1])
    monkeypatch.setattr("statetracker.frontend.result.lowering", lambda *_: Lowering())
    asked = ["--every", "300", "--randoms", "0", "--records", "0", "--workers", "1"]
    assert main(asked) == 1
    printed = capsys.readouterr().out
    assert "NOT ALLOWED: dropped: coordinates" in printed
    assert "on vector 0" in printed
