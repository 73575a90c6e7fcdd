"""Recorded programs inspected: each planted fault is found, and nothing that is found is a false alarm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import statetracker as st
from statetracker.errors import RecordingError, UnknownName
from statetracker.findings import RULES, Inspection, inspect
from statetracker.findings.settings import Settings
from statetracker.replay import DumpReplay, RecordedStates, compare_states
from statetracker.replay.streams import StreamReplay
from statetracker.sampler import converter
from statetracker.trace import Problem
from statetracker.trace.apitrace import open_dump

DATA = Path(__file__).parents[1] / "data"
FAULTS = DATA / "faults"
PROGRAMS = sorted([*FAULTS.glob("*.dump.txt.gz"), *(DATA / "programs").glob("*.dump.txt.gz")])
MADE = converter(st.Screen.named("llvmpipe"), "mesa22")

#: Program -> what is found: rule, subject, part of the sentence, unit, first call, how often.
PLANTED: dict[str, list[tuple[str, str, str, int | None, int, int]]] = {
    "right": [],
    "incomplete": [("incomplete", "texture 1", "level 1 is missing", 0, 315, 3)],
    "integers": [("incomplete", "texture 1", "R8UI holds integers", 0, 315, 3)],
    "other_type": [("other-type", "texture 1", "sampler2D reads R8UI", 0, 316, 3)],
    "not_comparing": [("not-comparing", "texture 1", "GL_TEXTURE_COMPARE_MODE is GL_NONE", 0, 315, 3)],
    "comparing": [("comparing", "texture 1", "sampler2D, and", 0, 316, 3)],
    "no_depth": [
        ("no-depth", "texture 1", "sampler2DShadow reads RGBA8", 0, 316, 3),
        ("no-effect", "texture 1", "GL_TEXTURE_COMPARE_MODE is GL_COMPARE_REF_TO_TEXTURE", None, 313, 1),
    ],
    "one_unit": [
        ("refused-draw", "unit 0", "'wall' (GL_TEXTURE_2D, fragment stage) and 'sky' (GL_TEXTURE_CUBE", 0, 317, 3),
        ("unsampled", "texture 1", "GL_TEXTURE_MIN_FILTER", None, 314, 1),
    ],
    "error": [("error", "glTexParameteri", "GL_INVALID_ENUM", None, 313, 1)],
    "border": [("no-effect", "texture 1", "GL_TEXTURE_BORDER_COLOR is (1.0, 0.5, 0.25, 1.0)", None, 313, 1)],
    "wrap_r": [("no-effect", "texture 1", "GL_TEXTURE_WRAP_R is GL_CLAMP_TO_EDGE", None, 313, 1)],
    "one_level": [("no-effect", "texture 1", "GL_TEXTURE_MIN_LOD is 1.0", None, 313, 1)],
    "in_vain": [
        ("in-vain", "glBindTexture", "10 of 11 calls", None, 313, 10),
        ("in-vain", "glTexParameteri(GL_TEXTURE_MIN_FILTER)", "10 of 11 calls", None, 314, 10),
    ],
    "under": [("own-unused", "texture 1", "GL_TEXTURE_MIN_FILTER, GL_TEXTURE_WRAP_S", None, 312, 1)],
    "equal": [
        ("equal-samplers", "sampler 1, 2", "2 with the same parameters", None, 319, 2),
        ("own-unused", "texture 1", "GL_TEXTURE_MIN_FILTER", None, 312, 1),
    ],
    "anisotropy": [("anisotropy", "texture 1", "GL_TEXTURE_MAX_ANISOTROPY is 4.0", None, 314, 1)],
}


@pytest.mark.parametrize("name", PLANTED)  # moderngl makes cubes seamless in all of them
def test_a_planted_fault_is_found_at_its_call_and_nothing_else(name: str) -> None:
    made = inspect(str(FAULTS / f"{name}.dump.txt.gz"))
    found = [(one.rule, one.subject, one.unit, one.call, one.times) for one in made.findings if one.rule != "seamless"]
    assert sorted(found, key=str) == sorted(((r, s, u, c, t) for r, s, _, u, c, t in PLANTED[name]), key=str)
    for rule, _, words, *_ in PLANTED[name]:
        assert words in next(one.what for one in made.findings if one.rule == rule)


def test_every_rule_has_a_program_or_a_test_that_it_finds_something_in() -> None:
    planted = {rule for rows in PLANTED.values() for rule, *_ in rows}
    assert planted | {"mipmap-filter", "seamless", "stage-samplers"} == RULES.keys()


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_said_to_be_sampled_is_what_mesa_was_given(name: str) -> None:
    """Mesa's trace of the same run has the states of the replay, those of fallbacks for incomplete textures too."""
    run = DumpReplay(str(FAULTS / f"{name}.dump.txt.gz"), MADE)
    assert list(run) or name == "one_unit"
    recorded = RecordedStates(str(FAULTS / f"{name}.states.jsonl.gz"))
    assert compare_states([event.state for event in run.created], recorded.states).same


def events(path: Path, left_out: set[int]) -> list[tuple[Any, ...]]:
    """What a replay gives without some calls; numbers of calls do not count."""
    replay, seen = StreamReplay(MADE), []
    with open_dump(str(path)) as dump:
        for call in dump:
            if not isinstance(call, Problem) and call.number not in left_out:
                seen += replay.feed(call)
    return [event[1:3] for event in [*seen, *replay.finish()]]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.removesuffix(".dump.txt.gz"))
def test_without_the_calls_in_vain_the_same_states_are_made_and_bound(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vain: set[int] = set()
    take = Settings.take

    def watched(self: Settings, where: str, context: Any, name: str, call: Any, *, changed: bool) -> None:
        take(self, where, context, name, call, changed=changed)
        if not changed:
            vain.add(call.number)

    monkeypatch.setattr(Settings, "take", watched)
    inspect(str(path))
    assert events(path, vain) == events(path, set())


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name.removesuffix(".dump.txt.gz"))
def test_what_a_program_is_said_to_sample_is_what_the_replay_makes(path: Path) -> None:
    """Every state of a use is among the records of the replay."""
    made = inspect(str(path))
    run = DumpReplay(str(path), MADE)
    list(run)
    created = {event.state for event in run.created}
    for use in made.uses:
        if not use.unit.bindless and use.draws:
            assert MADE.record(use.sampler, use.facts, use.unit) in created
    assert made.draws == run.replay.draws


def dump(tmp_path: Path, *calls: str) -> str:
    path = tmp_path / "some.dump.txt"
    path.write_text("".join(f"{number} {call}\n" for number, call in enumerate(calls)))
    return str(path)


FIXED = (
    "glBindTexture(target = GL_TEXTURE_2D, texture = 1)",
    "glTexStorage2D(target = GL_TEXTURE_2D, levels = 1, internalformat = GL_RGBA8, width = 4, height = 4)",
    "glEnable(cap = GL_TEXTURE_2D)",
)
DRAW = "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)"
SWAP = "glXSwapBuffers(dpy = 0x1, drawable = 2)"


def using(source: str) -> tuple[str, ...]:
    """The calls that make a program of a fragment shader and use it."""
    return (
        "glCreateProgram() = 1",
        "glCreateShader(type = GL_FRAGMENT_SHADER) = 2",
        f'glShaderSource(shader = 2, count = 1, string = &"{source}", length = NULL)',
        "glCompileShader(shader = 2)",
        "glAttachShader(program = 1, shader = 2)",
        "glLinkProgram(program = 1)",
        "glUseProgram(program = 1)",
    )


def test_a_mipmap_filter_on_one_level_is_a_note(tmp_path: Path) -> None:
    filtered = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR_MIPMAP_LINEAR)"
    made = inspect(dump(tmp_path, *FIXED, filtered, DRAW))
    assert [(one.rule, one.call) for one in made.findings] == [("mipmap-filter", 3)]
    assert made.right


def test_frames_end_at_swaps_and_count_what_happened_in_them(tmp_path: Path) -> None:
    bad = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, param = 1)"
    made = inspect(dump(tmp_path, *FIXED, DRAW, SWAP, FIXED[0], DRAW, DRAW, SWAP, bad))
    assert [tuple(frame.values()) for frame in made.frames] == [(1, 1, 0, 0, 1), (0, 0, 0, 1, 2), (0, 0, 1, 0, 0)]


def test_a_finding_names_its_call_as_the_dump_has_it_and_the_frame(tmp_path: Path) -> None:
    bad = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, param = 1)"
    long = f"glTexParameterfv(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, params = {{{', '.join(['1'] * 99)}}})"
    made = inspect(dump(tmp_path, *FIXED, DRAW, SWAP, DRAW, bad, SWAP, long))
    assert [(one.call, one.frame, one.code) for one in made.findings] == [(6, 2, bad), (8, 3, long[:157] + "...")]
    assert made.findings[0].place == "call 6 in frame 2"


def test_calls_in_vain_say_in_how_many_frames(tmp_path: Path) -> None:
    made = inspect(dump(tmp_path, *FIXED, FIXED[0], SWAP, FIXED[0], FIXED[0], DRAW, SWAP, DRAW))
    assert [one.what for one in made.findings] == ["3 of 4 calls, in 2 of 3 frames"]
    assert made.findings[0].place == "call 3 in frame 1, the first of 3 calls"


def test_rejected_draws_and_contexts_are_counted() -> None:
    made = inspect(str(FAULTS / "one_unit.dump.txt.gz"))
    assert (made.draws, made.rejected, made.contexts) == (0, 3, 1)
    assert "0 draws, 3 rejected draws, 1 frame, 1 context, 0 different sampler states;" in str(made)


def test_a_setting_that_counts_at_one_draw_is_no_finding(tmp_path: Path) -> None:
    border = "glTexParameterfv(target = GL_TEXTURE_2D, pname = GL_TEXTURE_BORDER_COLOR, params = {1, 0, 0, 1})"
    wrap = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_S, param = GL_CLAMP_TO_BORDER)"
    assert [one.rule for one in inspect(dump(tmp_path, *FIXED, border, DRAW)).findings] == ["no-effect"]
    assert inspect(dump(tmp_path, *FIXED, border, DRAW, wrap, DRAW)).findings == ()


def test_calls_in_a_display_list_are_not_in_vain(tmp_path: Path) -> None:
    """A list may run where they change something."""
    lists = "glNewList(list = 1, mode = GL_COMPILE)", FIXED[0], "glEndList()", "glCallList(list = 1)"
    assert inspect(dump(tmp_path, *FIXED, *lists, DRAW)).findings == ()


def test_more_than_16_samplers_in_a_stage_are_a_note(tmp_path: Path) -> None:
    declared = "".join(f"uniform sampler2D s{n}; " for n in range(17))
    read = " + ".join(f"texture(s{n}, vec2(0))" for n in range(17))
    source = f"#version 330\\n{declared}void main() {{ gl_FragColor = {read}; }}"
    program = using(source)
    made = inspect(dump(tmp_path, *FIXED, *program, DRAW))
    assert [(one.rule, one.what) for one in made.findings] == [("stage-samplers", "it has 17, WebGPU 16")]


def test_an_unknown_profile_is_named_once() -> None:
    with pytest.raises(UnknownName, match="profile: 'legacy' is not known; accepted: compatibility"):
        inspect(FAULTS / "right.dump.txt.gz", profile="legacy")


def test_an_inspection_of_a_path_is_ready_for_json() -> None:
    path = FAULTS / "right.dump.txt.gz"
    assert json.loads(json.dumps(inspect(path).to_dict()))["file"] == str(path)


def test_what_is_no_dump_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError):
        inspect(str(tmp_path / "missing.dump.txt"))
    made = inspect(dump(tmp_path, "glTexParameteri(target = {1}, pname = GL_TEXTURE_WRAP_S, param = 1)"))
    assert made.problems
    assert isinstance(made, Inspection)


@pytest.mark.parametrize(("target", "found"), [("GL_TEXTURE_2D", ["seamless"]), ("GL_TEXTURE_CUBE_MAP", [])])
def test_seamless_cubes_without_a_cube_are_a_note(tmp_path: Path, target: str, found: list[str]) -> None:
    seamless = "glEnable(cap = GL_TEXTURE_CUBE_MAP_SEAMLESS)"
    made = inspect(dump(tmp_path, seamless, *(call.replace("GL_TEXTURE_2D", target) for call in FIXED), DRAW))
    assert [one.rule for one in made.findings] == found
    assert all(one.call == 0 for one in made.findings)


def test_fixed_function_leaves_an_incomplete_texture_out(tmp_path: Path) -> None:
    one = (
        "glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA8, width = 4, height = 4, border = 0, "
        "format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = NULL)"
    )
    made = inspect(dump(tmp_path, FIXED[0], one, FIXED[2], DRAW, DRAW))
    assert [(one.rule, one.subject, one.unit, one.call, one.times) for one in made.findings] == [
        ("incomplete", "texture 1", 0, 3, 2)
    ]
    unbound = "glBindTexture(target = GL_TEXTURE_2D, texture = 0)"
    assert inspect(dump(tmp_path, FIXED[0], one, FIXED[2], unbound, DRAW)).right


def test_what_only_the_source_shows_is_said_with_an_if(tmp_path: Path) -> None:
    source = r"#version 330\nuniform sampler2D wall; out vec4 c; void main() { c = texture(wall, vec2(0)); }"
    program = using(source)
    shown = 'glGetUniformLocation(program = 1, name = "wall") = 0'
    for calls, said in (((*program, DRAW), True), ((*program, shown, DRAW), False)):
        (found,) = [one for one in inspect(dump(tmp_path, *calls)).findings if one.rule == "incomplete"]
        assert ("if the shader reads it" in found.what) == said


def test_what_several_objects_share_is_named_by_its_first_call(tmp_path: Path) -> None:
    wrap = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_WRAP_R, param = GL_CLAMP_TO_EDGE)"
    linear = "glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)"
    other = FIXED[0].replace("texture = 1", "texture = 2")
    calls = *FIXED, linear, other, FIXED[1], linear, wrap, DRAW, FIXED[0], wrap, DRAW
    (found,) = inspect(dump(tmp_path, *calls)).findings
    assert (found.subject, found.call, found.times) == ("texture 1, 2", 7, 2)
