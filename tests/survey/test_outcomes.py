"""`statetracker.survey.outcomes`: what becomes of a state on a device, in a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import statetracker as st
from statetracker.survey import KINDS, outcome

if TYPE_CHECKING:
    from statetracker.survey import Outcome

APPLE = "#38162"


def became(format_name: str = "RGBA8", device: str = APPLE, **fields: Any) -> Outcome:
    screen = st.Screen.device(device)
    return outcome(st.convert(st.Sampler(**fields), st.Texture("2d", format_name), screen), screen)


@pytest.mark.parametrize(
    ("one", "kind", "text"),
    [
        (became(wrap="repeat"), "native", "native"),
        (became(wrap="clamp"), "shader", "shader: half_border str"),
        (
            became("DEPTH_COMPONENT24", max_anisotropy=8.0, mag_filter="linear"),
            "approximated",
            "approximated: filter_texels; anisotropy: 8.0 became 0.0 (by 7); Z24X8_UNORM cannot be filtered",
        ),
        (
            became("COMPRESSED_RGBA_S3TC_DXT1_EXT", min_filter="nearest", mag_filter="nearest"),
            "impossible",
            "impossible: format: DXT1_RGBA became None; the device cannot sample DXT1_RGBA",
        ),
    ],
)
def test_each_kind_is_met_and_says_why(one: Outcome, kind: str, text: str) -> None:
    assert (one.kind, str(one)) == (kind, text)
    assert list(KINDS)[one.rank] == kind
    assert one.to_dict()["kind"] == kind


def test_a_size_says_by_how_much() -> None:
    one = became("DEPTH_COMPONENT24", max_anisotropy=8.0, mag_filter="linear")
    assert one.sizes == {"anisotropy": 7.0}
    assert one.samples
    assert not became("COMPRESSED_RGBA_S3TC_DXT1_EXT").samples


def test_a_loss_without_a_size_is_impossible() -> None:
    """Vulkan samples pairs of pixels through a conversion alone."""
    one = became("YCBCR_MESA")
    assert (one.kind, one.sizes) == ("impossible", {})
    assert "conversion" in [loss.name for loss in one.unsupported]
