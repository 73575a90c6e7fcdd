"""`statetracker.caps.files`: screens from files, good and bad, and from the headers of the recordings."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest

from statetracker.caps import FormatFeatures, Screen
from statetracker.caps.files import screen_from
from statetracker.caps.flags import NOT_ZINK
from statetracker.errors import ScreenError
from statetracker.trace import open_cases

RECORDINGS: Final = sorted((Path(__file__).parents[1] / "data" / "mesa").glob("*.jsonl.gz"))
NAMES: Final = [path.name.removesuffix(".jsonl.gz") for path in RECORDINGS]
CAPS: Final = {"PIPE_CAP_GL_CLAMP": 0, "PIPE_CAP_TEXTURE_FLOAT_LINEAR": 1, "PIPE_CAP_NPOT_TEXTURES": 1}


def header(path: Path) -> dict[str, Any]:
    """Read a recording's header."""
    with open_cases(path) as cases:
        return cases.header.data


def written(tmp_path: Path, content: bytes | str | dict[str, Any], name: str = "screen.json") -> Path:
    """Write a file."""
    path = tmp_path / name
    text = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_caps_alone_are_a_screen(tmp_path: Path) -> None:
    """What is left out follows from them; caps that samplers do not read are kept."""
    screen = Screen.load(written(tmp_path, {"caps": CAPS}))
    expected = Screen.from_caps(CAPS, more_extensions=NOT_ZINK)
    assert screen == expected
    assert dict(screen.caps) == CAPS


def test_empty_caps_are_a_driver_that_answers_nothing(tmp_path: Path) -> None:
    screen = Screen.load(written(tmp_path, {"caps": {}}))
    assert (screen.emulate_gl_clamp, screen.float_linear, screen.max_anisotropy) == (False, False, 16.0)


def test_every_member_is_read(tmp_path: Path) -> None:
    """And those it does not know are ignored."""
    members = {
        "caps": CAPS,
        "capsf": {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": "8"},
        "limits": {"GL_MAX_TEXTURE_SIZE": 2048, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS": 16.0},
        "gl_extensions": ["GL_ARB_shadow"],
        "context": "core",
        "name": "mine",
        "gallium_driver": "zink",
        "linear_filtering": {"R32_FLOAT": False},
        "unfilterable_depth": "when-comparing",
        "force_integer_tex_nearest": True,
        "need_border_color_type": True,
        "colour": "blue",
    }
    screen = Screen.load(written(tmp_path, members))
    assert (screen.name, screen.max_anisotropy, screen.context, screen.storage) == ("mine", 8.0, "core", "zink")
    assert (screen.max_texture_size, screen.max_combined_units) == (2048, 16)
    assert screen.extensions == {"GL_ARB_shadow"}
    assert screen.linear_filtering == FormatFeatures({"R32_FLOAT": False})
    assert (screen.unfilterable_depth, screen.force_integer_tex_nearest) == ("when-comparing", True)
    assert screen.need_border_color_type


def test_the_proposals_caps_count_in_a_file_unless_a_member_says_otherwise(tmp_path: Path) -> None:
    """As every other cap; `need_border_color_type` and `unfilterable_depth` go first."""
    caps = {"PIPE_CAP_NEED_BORDER_COLOR_TYPE": 1, "PIPE_CAP_LINEAR_DEPTH_FILTERING": 1}
    screen = Screen.load(written(tmp_path, {"caps": caps}))
    assert (screen.need_border_color_type, screen.unfilterable_depth) == (True, "always-compare")
    members = {"caps": caps, "need_border_color_type": False, "unfilterable_depth": "nearest"}
    screen = Screen.load(written(tmp_path, members))
    assert (screen.need_border_color_type, screen.unfilterable_depth) == (False, "nearest")


@pytest.mark.parametrize("value", ["16", "1.6e1", 16, 16.0])
def test_float_caps_are_text_or_numbers(tmp_path: Path, value: object) -> None:
    screen = Screen.load(written(tmp_path, {"caps": {}, "capsf": {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": value}}))
    assert screen.max_anisotropy == 16.0


def test_file_may_be_compressed_and_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """By its magic number, not by its name."""
    text = json.dumps({"caps": CAPS}).encode()
    plain = Screen.load(written(tmp_path, text))
    assert Screen.load(written(tmp_path, gzip.compress(text))) == plain
    assert Screen.load(written(tmp_path, b"\xef\xbb\xbf" + text)) == plain


# fmt: off
#: What is in the file, and what the error names.
BAD: Final = [
    ("",                                                          ":1: not JSON"),
    ("caps: 1",                                                   ":1: not JSON"),
    ('{"caps": {}',                                               "not JSON"),
    ("[" * 100_000,                                               "not JSON"),
    ('{"caps": {"PIPE_CAP_TEXRECT": ' + "1" * 5000 + "}}",        "not JSON"),
    (b"\xff\xfe{}",                                               "cannot be read"),
    (b"\x1f\x8b\x08rubbish",                                      "cannot be read"),
    (gzip.compress(b"")[:10] + b"\xff" * 20,                      "cannot be read"),
    (gzip.compress(b'{"caps": {}}' * 99)[:-9],                    "cannot be read"),
    ("[]",                                                        "the document"),
    ("5",                                                         "the document"),
    ("{}",                                                        "caps: Field required"),
    ({"caps": None},                                              "caps: "),
    ({"caps": []},                                                "caps: "),
    ({"caps": {"GL_CLAMP": 1}},                                   "caps: 'GL_CLAMP' is not"),
    ({"caps": {"PIPE_CAP_TEXRECT": "1"}},                         "caps.PIPE_CAP_TEXRECT: "),
    ({"caps": {"PIPE_CAP_TEXRECT": 1.5}},                         "caps.PIPE_CAP_TEXRECT: "),
    ({"caps": {"PIPE_CAP_TEXRECT": True}},                        "caps.PIPE_CAP_TEXRECT: "),
    ({"caps": {}, "capsf": {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": "many"}}, "capsf: "),
    ({"caps": {}, "capsf": {"PIPE_CAPF_MAX_LINE_WIDTH": []}},   "capsf.PIPE_CAPF_MAX_LINE_WIDTH: "),
    ({"caps": {}, "capsf": {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": 10**400}}, "capsf: a number that no float holds"),
    ({"caps": {}, "capsf": {"PIPE_CAPF_MAX_TEXTURE_ANISOTROPY": "nan"}}, "max_anisotropy=nan"),
    ({"caps": {}, "capsf": []},                                   "capsf: "),
    ({"caps": {}, "limits": {"GL_MAX_TEXTURE_SIZE": "big"}},      "limits.GL_MAX_TEXTURE_SIZE: "),
    ('{"caps": {}, "limits": {"GL_MAX_TEXTURE_SIZE": Infinity}}', "limits.GL_MAX_TEXTURE_SIZE: "),
    ({"caps": {}, "gl_extensions": "GL_ARB_shadow"},              "gl_extensions: "),
    ({"caps": {}, "gl_extensions": [1]},                          "gl_extensions.0: "),
    ({"caps": {}, "context": "opengl"},                           "context: accepted: compatibility"),
    ({"caps": {}, "linear_filtering": {"R8_UNORM": 1}},           "linear_filtering.R8_UNORM: "),
    ({"caps": {}, "linear_filtering": {"R8_UNORMAL": True}},      "linear_filtering: pipe format: "),
    ({"caps": {}, "unfilterable_depth": "never"},                 "unfilterable_depth: accepted: nearest"),
    ({"caps": {}, "force_integer_tex_nearest": "yes"},            "force_integer_tex_nearest: "),
    ({"caps": {}, "name": 5},                                     "name: "),
]
# fmt: on


@pytest.mark.parametrize(
    ("content", "named"), BAD, ids=[named.strip(" :") + str(i) for i, (_, named) in enumerate(BAD)]
)
def test_bad_file_is_refused_by_file_and_member(tmp_path: Path, content: Any, named: str) -> None:
    """In one line that a user can act on."""
    path = written(tmp_path, content)
    with pytest.raises(ScreenError) as caught:
        Screen.load(path)
    assert str(caught.value).startswith(str(path))
    assert named in str(caught.value)
    assert caught.value.file == str(path)
    assert "\n" not in caught.value.problem


def test_missing_file_and_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ScreenError, match=r"none\.json: cannot be read: .*No such file"):
        Screen.load(tmp_path / "none.json")
    with pytest.raises(ScreenError, match="cannot be read"):
        Screen.load(tmp_path)


def test_error_names_the_line_of_a_bad_header(tmp_path: Path) -> None:
    """A recorded case file's header is its first line."""
    path = written(tmp_path, '{"caps": {"PIPE_CAP_TEXRECT": "1"}}\n{"id": 1}\n', "cases.jsonl")
    with pytest.raises(ScreenError) as caught:
        Screen.load(path)
    assert caught.value.line == 1
    assert str(caught.value).startswith(f"{path}:1: not a screen: caps.PIPE_CAP_TEXRECT: ")


def test_parsed_data_is_a_screen_too() -> None:
    """Under the name the caller gives it."""
    assert screen_from({"caps": {}}).name == "custom"
    with pytest.raises(ScreenError, match=r"^standard input:7: not a screen: caps"):
        screen_from({}, file="standard input", line=7)


def test_the_recordings_are_all_here() -> None:
    """Three drivers, and llvmpipe with eight sets of answers."""
    assert len([name for name in NAMES if name.startswith("llvmpipe+")]) == 8
    assert {"llvmpipe", "softpipe", "zink"} <= set(NAMES)


@pytest.mark.parametrize("path", RECORDINGS, ids=NAMES)
def test_header_of_a_recording_is_a_screen(path: Path) -> None:
    """Compressed, with a line for each case below it."""
    screen, data = Screen.load(path), header(path)
    assert screen == screen_from(data)
    assert dict(screen.caps) == data["caps"]
    assert screen.emulate_gl_clamp is not bool(data["caps"].get("PIPE_CAP_GL_CLAMP", 1))


@pytest.mark.parametrize(
    ("name", "recording"), [("llvmpipe", "llvmpipe"), ("softpipe", "softpipe"), ("zink-lavapipe", "zink")]
)
def test_embedded_profile_has_the_flags_of_its_recording(name: str, recording: str) -> None:
    """And the limits, and no extension that the driver lacks; of Vulkan a recording says nothing."""
    profile, recorded = Screen.named(name).replace(vulkan=None), Screen.load(RECORDINGS[NAMES.index(recording)])
    assert profile.replace(extensions=recorded.extensions) == recorded
    assert profile.extensions <= recorded.extensions
