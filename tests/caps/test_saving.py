"""`Screen.save` and `Screen.load`: a screen in a file is the same screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statetracker.caps import PROFILES, UNFILTERABLE_DEPTH, FormatFeatures, Screen
from statetracker.caps.fields import FIELDS
from statetracker.caps.files import screen_from
from statetracker.caps.saving import VULKAN_HOOK
from statetracker.caps.storage import TABLES
from statetracker.errors import ArgumentError, ScreenError
from statetracker.gl.limits import PROFILES as CONTEXTS

SAMPLE: Final = Path(__file__).parents[1] / "data" / "reports" / "vulkaninfo-1.3.239-lavapipe.json.gz"
FLAGS: Final = [name for name, default in FIELDS.items() if isinstance(default, bool)]
NUMBER: Final = st.integers(0, 1 << 20) | st.floats(allow_nan=False)
HOOKS: Final = st.none() | st.builds(
    FormatFeatures,
    st.dictionaries(st.sampled_from(["R8_UNORM", "Z16_UNORM", "R32_FLOAT"]), st.booleans()),
    default=st.booleans(),
)
SCREENS: Final = st.builds(
    Screen,
    st.text(max_size=9),
    **{name: st.booleans() for name in FLAGS},
    linear_filtering=HOOKS,
    unfilterable_depth=st.sampled_from(UNFILTERABLE_DEPTH),
    max_anisotropy=NUMBER,
    extensions=st.frozensets(st.sampled_from(["GL_ARB_shadow", "GL_EXT_texture_swizzle", "GL_EXT_texture_integer"])),
    context=st.sampled_from(sorted(CONTEXTS)),
    max_texture_size=NUMBER,
    max_3d_size=NUMBER,
    max_cube_size=NUMBER,
    max_layers=NUMBER,
    max_combined_units=NUMBER,
    storage=st.sampled_from(TABLES),
    caps=st.dictionaries(st.sampled_from(["PIPE_CAP_GL_CLAMP", "PIPE_CAP_TEXRECT"]), st.integers()),
    capsf=st.dictionaries(st.sampled_from(["PIPE_CAPF_MAX_LINE_WIDTH"]), st.floats(allow_nan=False)),
)


@given(SCREENS)
def test_any_screen_is_saved_and_loaded_exactly(screen: Screen) -> None:
    """Every field, the name and the raw answers too."""
    again = screen_from(json.loads(json.dumps(screen.to_json(), allow_nan=False)))
    assert again.to_dict() == screen.to_dict()
    assert again == screen


@pytest.mark.parametrize("name", PROFILES)
def test_embedded_screens_are_saved_and_loaded_exactly(name: str) -> None:
    screen = Screen.named(name)
    assert screen_from(json.loads(json.dumps(screen.to_json()))).to_dict() == screen.to_dict()


@pytest.mark.parametrize("name", ["screen.json", "screen.json.gz"])
@pytest.mark.parametrize(
    "screen", [Screen.device("Adreno (TM) 640"), Screen.load(SAMPLE)], ids=["corpus", "vulkaninfo"]
)
def test_device_is_saved_with_its_formats_and_its_rows(tmp_path: Path, name: str, screen: Screen) -> None:
    screen.save(tmp_path / name)
    again = Screen.load(tmp_path / name)
    assert again.to_dict() == screen.to_dict()
    assert again.corpus == screen.corpus
    assert again.filters("Z16_UNORM", "Z16_UNORM") == screen.filters("Z16_UNORM", "Z16_UNORM")
    assert ((tmp_path / name).read_bytes()[:2] == b"\x1f\x8b") is name.endswith(".gz")


def test_function_as_hook_cannot_be_saved(tmp_path: Path) -> None:
    screen = Screen("mine", linear_filtering=lambda _view, _resource: True)
    with pytest.raises(ArgumentError, match="A function cannot be saved"):
        screen.save(tmp_path / "mine.json")
    assert not list(tmp_path.iterdir())


def test_formats_of_another_device_cannot_be_saved_as_the_hook() -> None:
    """The file holds one device."""
    screen = Screen.load(SAMPLE).replace(vulkan=None)
    with pytest.raises(ArgumentError, match="linear_filtering"):
        screen.to_json()


def test_file_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(ScreenError, match="cannot be written"):
        Screen().save(tmp_path / "none" / "screen.json")


# fmt: off
#: A member that is wrong, and what the error says of it.
BAD: Final[list[tuple[dict[str, Any], str]]] = [
    ({"screen": {"emulate_gl_clamp": 1}},           "screen.emulate_gl_clamp: "),
    ({"screen": {"emulate_gl_klamp": True}},        "screen.emulate_gl_klamp: "),
    ({"screen": {"linear_filtering": "vulkan"}},    "screen.linear_filtering='vulkan'"),
    ({"screen": {"linear_filtering": {"linear": {"R8": True}, "default": True}}}, "pipe format: 'R8'"),
    ({"screen": {"storage": "iris"}},               "storage='iris'"),
    ({"screen": {"max_anisotropy": "x"}},           "screen.max_anisotropy: "),
    ({"vulkan": 5},                                 "vulkan: "),
    ({"vulkan": {"capabilities": {"device": {"formats": 5}}}}, "formats: "),
    ({"corpus": []},                                "corpus: "),
    ({"corpus": [{}]},                              "corpus.0.name: "),
]
# fmt: on


@pytest.mark.parametrize(("change", "said"), BAD)
def test_damaged_screen_file_is_refused_by_its_member(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ScreenError) as caught:
        screen_from({"caps": {}, **change}, file="saved.json")
    assert str(caught.value).startswith("saved.json: not a ")
    assert said in str(caught.value)
    assert VULKAN_HOOK == "vulkan"
