"""`statetracker.survey.outcomes`: what becomes of a state on a device; devices that rules cannot distinguish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

import statetracker as st
from statetracker.caps.devices import corpus
from statetracker.conformance.strategies import samplers, textures
from statetracker.survey import KINDS, device_classes, outcome, outcomes
from statetracker.survey.outcomes import Outcomes, any_screen, class_key, reports_of, samples
from statetracker.vulkan import View

if TYPE_CHECKING:
    from statetracker.caps import Screen
    from statetracker.gl.facts import TextureFacts
    from statetracker.survey import Outcome


APPLE = "#38162"


def became(format_name: str = "RGBA8", device: str = APPLE, **fields: Any) -> Outcome:
    screen = st.Screen.device(device)
    return outcome(st.convert(st.Sampler(**fields), st.Texture("2d", format_name), screen), screen)


def test_classes_are_kept_for_some_views_and_not_for_all() -> None:
    assert device_classes.cache_info().maxsize


@pytest.mark.parametrize(
    ("one", "kind", "text"),
    [
        (became(wrap="repeat"), "native", "native"),
        (became(wrap="clamp"), "shader", "shader: half_border str"),
        (
            became("DEPTH_COMPONENT24", max_anisotropy=8.0, mag_filter="linear"),
            "approximated",
            "approximated: filter_texels; anisotropy: 8 samples became 1; Z24X8_UNORM cannot be filtered",
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


def shared(texture: st.Texture) -> tuple[Outcomes, list[Screen]]:
    """Outcomes on all classes of devices, and a screen of each."""
    view = st.convert(None, texture, any_screen()).view
    screens = [one.screen for one in device_classes(view)]
    return Outcomes(screens, view, texture.facts(), {}), screens


@settings(max_examples=30, deadline=None)
@given(samplers(), textures())
def test_a_shared_outcome_is_that_of_the_devices_own_conversion(sampler: st.Sampler, texture: st.Texture) -> None:
    made, screens = shared(texture)
    sampler = sampler.copy(srgb_decode=texture.sampler.srgb_decode)  # the view's, and classes are of a view
    became = [made.of(number, sampler) for number in range(len(screens))]
    for screen, one in list(zip(screens, became, strict=True))[::7]:
        assert one == outcome(st.convert(sampler, texture.facts(), screen), screen)


@pytest.mark.parametrize(
    ("fields", "most"), [({}, 50), ({"wrap": "clamp-to-border", "border_color": (1.0, 0.0, 0.5, 1.0)}, 100)]
)
def test_devices_share_a_conversion_that_reads_the_same_of_them(
    fields: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Screen] = []

    def counted(sampler: st.Sampler, facts: TextureFacts, screen: Screen) -> st.Result:
        asked.append(screen)
        return st.convert(sampler, facts, screen)

    monkeypatch.setattr(outcomes, "convert", counted)
    made, screens = shared(st.Texture("2d", "RGBA8"))
    for number in range(len(screens)):
        made.of(number, st.Sampler(**fields))
    assert 0 < len(asked) < most < len(screens)


RGBA8 = View("R8G8B8A8_UNORM", cube=False)


def test_every_row_is_in_one_class_most_reports_first() -> None:
    classes = device_classes(RGBA8)
    assert sorted(row for one in classes for row in one.rows) == sorted(corpus())
    assert 100 < len(classes) < 300
    assert [reports_of(one.rows) for one in classes] == sorted((reports_of(one.rows) for one in classes), reverse=True)
    assert len({class_key(one.screen, RGBA8) for one in classes}) == len(classes)


def test_turnip_is_a_class_of_its_own() -> None:
    """Its name decides, so rows of one vector may be in two classes."""
    turnip = [{row.name.startswith("Turnip") for row in one.rows} for one in device_classes(RGBA8)]
    assert {True} in turnip
    assert all(len(kinds) == 1 for kinds in turnip)


def test_a_format_that_a_device_lacks_is_not_sampled() -> None:
    apple = st.Screen.device("#38162")
    assert samples(apple, RGBA8)
    assert not samples(apple, View("DXT1_RGB"))
    assert not samples(apple, View("NONE"))
