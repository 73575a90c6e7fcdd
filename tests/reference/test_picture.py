"""Previews: what is drawn, and how far hardware alone is off."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from statetracker.cli.convert import preview_of
from statetracker.errors import ArgumentError, MissingExtra
from statetracker.pipe import Lowering, LoweringValues, SamplerState
from statetracker.pipe.lowering import NO_LOWERING
from statetracker.reference import Texels
from statetracker.reference.lowered import LoweredUnit
from statetracker.reference.picture import default_texels, preview, sheet
from tools.codegen.make_pictures import FOLDER, PREVIEWS, drawn

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

CLAMP = SamplerState(
    wrap_s="CLAMP", wrap_t="CLAMP", min_img_filter="LINEAR", mag_img_filter="LINEAR", min_mip_filter="NONE",
    max_lod=1000.0, border_color=(1.0, 0.0, 1.0, 1.0),
)  # fmt: skip
LOWERED = CLAMP.replace(wrap_s="CLAMP_TO_BORDER", wrap_t="CLAMP_TO_BORDER")


def lowered(state: SamplerState = LOWERED, **work: str) -> LoweredUnit:
    return LoweredUnit(state, Lowering(**work), LoweringValues(), default_texels())  # type: ignore[arg-type]


def test_with_the_shader_the_picture_is_what_was_asked_for() -> None:
    """And without it, it is not."""
    shown = preview(CLAMP, lowered(clamp="st"), size=60)
    assert shown.largest_shaded == 0
    assert shown.largest_alone > 0.3
    assert shown.asked.shape == shown.difference.shape == (60, 60, 4)


def test_mirrored_fold_needs_its_own_rule() -> None:
    """Saturating instead loses the mirrored half."""
    asked = CLAMP.replace(wrap_s="MIRROR_CLAMP")
    assert preview(asked, lowered(mirror="s", clamp="t"), size=60).largest_shaded == 0
    assert preview(asked, lowered(clamp="st"), size=60).largest_shaded > 0.3


def test_texture_lies_in_the_middle_with_t_upwards() -> None:
    """The letter F of the default texture stands upright."""
    repeat = CLAMP.replace(wrap_s="REPEAT", wrap_t="REPEAT", min_img_filter="NEAREST", mag_img_filter="NEAREST")
    middle = preview(repeat, lowered(repeat), size=24).asked[8:16, 8:16]
    assert np.array_equal(middle[::-1], default_texels().levels[0][0, 0])


def test_sheet_has_four_pictures_side_by_side() -> None:
    """Each of the wanted size, with room for titles."""
    seen = sheet(preview(CLAMP, lowered(clamp="st"), size=30))
    assert seen.size == (4 * 38 + 8, 30 + 40)


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """``report``."""
    shown = preview(CLAMP, lowered(), size=3)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"pip install pillow$"):
        sheet(shown)


def test_only_2d_textures_and_sane_sizes_are_drawn() -> None:
    """Others are refused with what would be accepted."""
    with pytest.raises(ArgumentError, match="a 2D texture"):
        preview(CLAMP, LoweredUnit(LOWERED, NO_LOWERING, LoweringValues(), Texels("1d", [np.zeros((4, 4))])))
    with pytest.raises(ArgumentError, match="3 to 4096"):
        preview(CLAMP, lowered(), size=2)
    with pytest.raises(ArgumentError, match=r"size=9\.5"):
        preview(CLAMP, lowered(), size=9.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["wraps.png", *(f"{one}.png" for one in PREVIEWS)])
def test_the_docs_show_pictures_as_they_are(name: str) -> None:
    """``python tools/codegen/make_pictures.py`` draws them anew."""
    with Image.open(FOLDER / name) as image:
        assert np.abs(np.asarray(image, np.int64) - np.asarray(drawn()[name], np.int64)).max() <= 1


@pytest.mark.parametrize("name", PREVIEWS)
def test_with_the_shader_every_example_looks_as_it_should_and_without_it_does_not(name: str) -> None:
    shown = preview_of(str(EXAMPLES / f"{name}.toml"), size=90)
    assert shown.largest_shaded < 1e-12
    assert shown.largest_alone > 0.5
