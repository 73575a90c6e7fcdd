"""Recordings of other releases of Mesa: every case agrees by the release's own rules, slots and numbers of formats."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

import statetracker as st
from statetracker.cli.options import Given
from statetracker.cli.replay import replay_files
from statetracker.frontend.stage import convert_stage
from statetracker.gl import Limits
from statetracker.pipe import SamplerState, number_in
from statetracker.replay.cases import Outcome, Recording, Replayer, dialect_of
from statetracker.replay.comparison import compare, slot_differences
from statetracker.sampler import converter, dialect
from statetracker.trace import Case, open_cases

DATA: Final = Path(__file__).parents[1] / "data" / "mesa_releases"
FILES: Final = sorted(DATA.glob("*.jsonl.gz"))
RELEASES: Final = {"mesa21": "21.2", "mesa24": "24.1", "mesa25": "25.0", "mesa26": "26.2"}
LLVMPIPE: Final = st.Screen.named("llvmpipe")


def outcomes(name: str) -> list[Outcome]:
    got = list(Recording(DATA / f"{name}.jsonl.gz").outcomes(check=True))
    assert all(isinstance(one, Outcome) for one in got)
    return [one for one in got if isinstance(one, Outcome)]


def test_eighteen_recordings_of_four_releases_are_here() -> None:
    assert len(FILES) == 18
    assert {path.name.partition("_")[0] for path in FILES} == set(RELEASES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_case_of_every_release_agrees_in_errors_record_slots_and_format(path: Path) -> None:
    got = outcomes(path.name.removesuffix(".jsonl.gz"))
    assert len(got) > 130
    assert [one.case.id for one in got if one.differences or one.differences is None] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_the_driver_did_is_not_needed_to_work_out_its_states(path: Path) -> None:
    with open_cases(path) as file:
        version = file.header.mesa_version
        assert dialect_of(version) == RELEASES[path.name.partition("_")[0]]
        recording = Recording(path)
        recording.file.close()
        replayer = Replayer(converter(recording.screen, dialect_of(version)))
        for case in file:
            assert isinstance(case, Case)
            replayer.start(case.place)
            plain = {name: case.data.get(name) for name in ("id", "calls", "shader", "unit")}
            assert not compare(case.data, replayer.run(plain), release=dialect_of(version))


def test_the_command_checks_recordings_of_every_release(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(path) for path in FILES if "+" in path.name]
    given = Given(screen=None, dialect=None, check=True, explain=None, as_json=False)
    assert replay_files(given, files, Counter()) == 0
    assert "0 of " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mesa21_softpipe+quirk_nv50", "mesa24_softpipe+quirk_nv50", "mesa25_zink"])
def test_an_explanation_of_any_release_ends_at_the_record(name: str) -> None:
    recording = Recording(DATA / f"{name}.jsonl.gz")
    for one in list(recording.outcomes())[::3]:
        assert isinstance(one, Outcome)
        if one.result.record is not None:
            assert bytes(recording.replayer.explain(one.result).state) == one.result.record


def formatted(name: str) -> Outcome:
    """Give a case whose record has a format."""
    return next(one for one in outcomes(name) if one.result.record and any(one.result.record[32:]))


def test_a_format_is_compared_by_its_name_and_by_the_releases_number() -> None:
    one = formatted("mesa25_llvmpipe+quirk_freedreno")
    data: dict[str, Any] = one.case.data
    assert not compare(data, one.result, release="25.0")
    data["raw"]["border_color_format"] += 1
    (got,) = compare(data, one.result, release="25.0") or []
    assert got.what == "border_color_format"
    data["raw"]["border_color_format"] -= 1
    data["pipe_sampler_state"]["border_color_format"] = "PIPE_FORMAT_R64_UINT"
    (got,) = compare(data, one.result, release="25.0") or []
    assert (got.what, got.expected) == ("border_color_format", "R64_UINT")


def test_a_format_whose_number_is_not_known_is_compared_by_name_alone() -> None:
    one = formatted("mesa25_llvmpipe+quirk_freedreno")
    one.case.data["raw"]["border_color_format"] += 1
    assert not compare(one.case.data, one.result, release="26.2")


@pytest.mark.parametrize("name", ["mesa24_softpipe+quirk_freedreno", "mesa25_llvmpipe+quirk_freedreno"])
def test_recorded_numbers_of_formats_are_the_releases_own(name: str) -> None:
    release = RELEASES[name[:6]]
    seen = {}
    for one in outcomes(name):
        if one.case.data.get("raw"):
            named = one.case.data["pipe_sampler_state"]["border_color_format"]
            seen[named] = one.case.data["raw"]["border_color_format"]
    assert len(seen) > 40
    assert {named: number_in(named, release) for named in seen} == seen


@pytest.mark.parametrize("change", ["member", "missing", "extra"])
def test_a_wrong_slot_of_fixed_function_is_seen_and_named(change: str) -> None:
    one = next(one for one in outcomes("mesa26_softpipe") if "3" in (one.case.data.get("slots") or {}))
    assert one.result.stage is not None
    records = one.result.stage.records
    assert not slot_differences(one.case.data, records, "26.2")
    slots = one.case.data["slots"]
    if change == "member":
        slots["3"]["wrap_s"] ^= 1
    elif change == "missing":
        del slots["3"]
    else:
        slots["5"] = slots["3"]
    (got,) = slot_differences(one.case.data, records, "26.2")
    assert got.what == {"member": "slot 3 wrap_s", "missing": "slot 3", "extra": "slot 5"}[change]


def context(name: str, *units: int, levels: int = 1) -> st.Context:
    """Give a context with a depth texture on units, for fixed function and programs."""
    gl = st.Context(LLVMPIPE.gl_limits(release=dialect(name).gl_release))
    gl.glGenTextures(1)
    for unit in units:
        gl.glActiveTexture(0x84C0 + unit)
        gl.glEnable("GL_TEXTURE_2D")
        gl.glBindTexture("GL_TEXTURE_2D", 1)
    gl.glTexImage2D("GL_TEXTURE_2D", 0, "GL_DEPTH_COMPONENT24", 4, 4, 0, "GL_DEPTH_COMPONENT", "GL_FLOAT", None)
    gl.glTexParameteri("GL_TEXTURE_2D", "GL_TEXTURE_MAX_LEVEL", levels - 1)
    return gl


@pytest.mark.parametrize(("name", "slots"), [("22.3", [0, 1]), ("23.1", [0, 1]), ("23.2", [1, 3]), ("mesa24", [1, 3])])
def test_fixed_function_binds_at_the_units_number_from_23_2_on(name: str, slots: list[int]) -> None:
    gl = context(name, 1, 3)
    assert [slot.index for slot in gl.fixed_function_slots()] == slots
    records = convert_stage(gl, converter(LLVMPIPE, name), "fragment").records
    assert [slot for slot, record in enumerate(records) if record is not None] == slots


def compares(name: str, samplers: list[tuple[str, int]]) -> list[bool]:
    """Which slots of a program compare, whose textures all are incomplete; its samplers with their units."""
    gl = context(name, 0, 1, 2, levels=3)
    gl.glGenSamplers(1)
    gl.glSamplerParameteri(1, "GL_TEXTURE_COMPARE_MODE", "GL_COMPARE_REF_TO_TEXTURE")
    gl.glSamplerParameteri(1, "GL_TEXTURE_MIN_FILTER", "GL_LINEAR_MIPMAP_LINEAR")
    program = st.Program([st.SamplerUniform(f"s{n}", kind) for n, (kind, _) in enumerate(samplers)])
    for place, (_, unit) in enumerate(samplers):
        gl.glBindSampler(unit, 1)
        program.set_units(place, [unit])
    records = convert_stage(gl, converter(LLVMPIPE, name), "fragment", program).records
    return [bool(SamplerState.from_bytes(record or b"").compare_mode) for record in records]


SHADOW: Final = "sampler2DShadow"


@pytest.mark.parametrize(
    ("samplers", "got"),
    [
        ([(SHADOW, 0)], [True]),
        ([(SHADOW, 1)], [False]),  # the only sampler has index 0, and the mask's bit 1 is not set
        ([("sampler2D", 0), (SHADOW, 1)], [False, True]),
        ([(SHADOW, 1), ("sampler2D", 0)], [False, True]),  # bit 0 is the shadow sampler's, but unit 0 is the other's
    ],
)
def test_the_fallback_is_a_depth_texture_where_the_bit_of_the_unit_is_a_shadow_samplers(
    samplers: list[tuple[str, int]], got: list[bool]
) -> None:
    assert compares("23.1", samplers) == compares("mesa24", samplers) == got
    assert compares("22.3", samplers) == [False] * len(got)


@pytest.mark.parametrize("profile", ["compatibility", "core"])
def test_a_depth_fallback_starts_as_any_texture_of_its_context_does(profile: str) -> None:
    gl = st.Context(Limits(release="24.1", profile=profile))
    texture = gl.current(0, 0x0DE1, shadow=True).texture
    assert (texture.facts().base_format, texture.facts().storage_format) == ("DEPTH_COMPONENT", "Z32_UNORM")
    assert texture.depth_mode == gl.new_texture(0x0DE1, by_bind=False).depth_mode
    assert gl.current(0, 0x0DE1, shadow=True).texture is texture
    assert gl.current(0, 0x0DE1).texture.facts().base_format == "RGBA"
