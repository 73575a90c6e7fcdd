"""Conversions of other people's with planted faults: seen, shrunk, and printed in a few lines."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import statetracker as st
from statetracker.cli import main
from statetracker.conformance import check_case, strategies
from statetracker.conformance.agreement import Oracle
from statetracker.conformance.candidate import Function
from statetracker.conformance.search import search
from statetracker.conformance.states import State, as_accepted
from statetracker.errors import ArgumentError, UnknownName
from statetracker.gl.enums import Wrap
from statetracker.gl.parameters import PARAMETERS
from statetracker.gl.sampler import DEFAULTS

LLVMPIPE = st.Screen.named("llvmpipe")


def right(sampler: st.Sampler, texture: st.Texture, screen: st.Screen, **unit: Any) -> st.SamplerState:
    """As ours."""
    return st.convert(sampler, texture, screen, **unit).pipe


def clamps_wrongly(sampler: st.Sampler, texture: st.Texture, screen: st.Screen) -> bytes:
    """GL_CLAMP on the second axis is taken for GL_CLAMP_TO_EDGE."""
    state = right(sampler, texture, screen)
    return bytes(state.replace(wrap_t="CLAMP_TO_EDGE") if sampler.wrap_t == Wrap.CLAMP else state)


def said_of(convert: Any, **options: Any) -> str:
    """What is said of a fault."""
    with pytest.raises(AssertionError) as caught:
        check_case(convert=convert, **options)
    return str(caught.value)


def test_a_planted_fault_is_seen_and_printed_in_a_few_lines() -> None:
    assert said_of(clamps_wrongly, count=150).splitlines()[1:] == [
        "  wrap_t: expected 'CLAMP', got 'CLAMP_TO_EDGE'",
        "    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP)",
        "again: check_case({'sampler': {'wrap_t': 'GL_CLAMP'}}, convert=clamps_wrongly)",
    ]


def test_the_case_that_is_printed_shows_the_fault_again() -> None:
    with pytest.raises(AssertionError, match="wrap_t: expected 'CLAMP', got 'CLAMP_TO_EDGE'"):
        check_case({"sampler": {"wrap_t": "GL_CLAMP"}}, convert=clamps_wrongly)
    check_case({"sampler": {"wrap_s": "GL_CLAMP"}}, convert=clamps_wrongly)


def mirrors_wrongly(sampler: st.Sampler, texture: st.Texture, screen: st.Screen) -> bytes:
    """GL_MIRROR_CLAMP_EXT, which GL refuses on zink, is taken for GL_REPEAT; and so is GL_MIRRORED_REPEAT on T."""
    asked, state = sampler.wrap_t, right(sampler, texture, screen)
    return bytes(state.replace(wrap_t="REPEAT") if asked in (Wrap.MIRROR_CLAMP_EXT, Wrap.MIRRORED_REPEAT) else state)


def test_a_conversion_is_spared_what_gl_refuses_on_the_screen_on_request() -> None:
    """And a fault is not shrunk into what GL refuses."""
    asked: dict[bool, set[int]] = {False: set(), True: set()}
    for refused, wraps in asked.items():

        def watched(sampler: st.Sampler, texture: st.Texture, screen: st.Screen, wraps: set[int] = wraps) -> bytes:
            wraps |= {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r}
            return mirrors_wrongly(sampler, texture, screen)

        said = said_of(watched, screen="zink-lavapipe", compare="wrap_t", accepted=not refused, count=200)
        assert "GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT)" in said
    assert asked[False] == set(Wrap) - {Wrap.MIRROR_CLAMP_EXT, Wrap.MIRROR_CLAMP_TO_BORDER_EXT}
    assert asked[True] == set(Wrap)


def test_the_command_and_the_plugin_spare_what_gl_refuses_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        "import statetracker as st",
        "def convert(sampler, texture, screen):",
        "    assert sampler.wrap_s != st.Sampler(wrap_s='mirror-clamp').wrap_s",
        "    return st.convert(sampler, texture, screen).pipe",
    )
    (tmp_path / "on_zink.py").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    command = ["conform", "--convert", "on_zink:convert", "--screen", "zink-lavapipe", "-n", "40", "--seed", "1"]
    assert (main(command), main([*command, "--accepted"])) == (1, 0)
    options = {"convert": "on_zink:convert", "screen": "zink-lavapipe", "cases": "40", "compare": "wrap_s"}
    words = [f"--statetracker-{name}={value}" for name, value in options.items()]
    plugin = [sys.executable, "-m", "pytest", "-q", "-p", "statetracker.conformance.plugin", *words]
    for more, code in (([], 1), (["--statetracker-accepted"], 0)):
        done = subprocess.run([*plugin, *more], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout


@given(strategies.states(), strategies.screens())
def test_an_accepted_state_is_one_that_its_gl_sets(state: State, screen: st.Screen) -> None:
    """Call by call; a seed gives the same states where nothing is refused."""
    limits = screen.gl_limits()
    kept = as_accepted(state, limits)
    assert as_accepted(kept, limits) is kept
    assert kept.texture is state.texture
    context = st.Context(limits)
    context.call("glGenSamplers", 1, [1])
    context.call("glBindSampler", 0, 1)
    names = {row.field: row.pname for row in PARAMETERS.values() if row.on_sampler}
    values: dict[str, Any] = kept.sampler.state()
    for field, value in values.items():
        if field != "border_color" and value != DEFAULTS[field]:
            context.call("glSamplerParameterf", 1, int(names[field]), float(value))
    assert [message.error for message in context.messages] == []


@given(strategies.states(()))
def test_a_state_of_the_strategies_is_a_case(state: State) -> None:
    check_case(state, convert=right)


@pytest.mark.parametrize("dialect", ["seed", "mesa21", "mesa22", "mesa24"])
@pytest.mark.parametrize("screen", ["llvmpipe", "zink-lavapipe", "nv50"])
def test_a_conversion_that_follows_the_rules_agrees(dialect: str, screen: str) -> None:
    def candidate(*state: Any, **unit: Any) -> st.SamplerState:
        return st.convert(*state, dialect=dialect, **unit).pipe

    check_case(convert=candidate, dialect=dialect, screen=screen, count=60)


def info(*state: Any, **others: object) -> dict[str, Any]:
    return st.convert(*state).vulkan.to_dict() | others


def idle(*state: Any) -> dict[str, Any]:
    """Members that no sampler reads."""
    made = info(*state)
    unread = {} if made["anisotropyEnable"] else {"maxAnisotropy": 7.0}
    return made | unread | ({} if made["compareEnable"] else {"compareOp": "VK_COMPARE_OP_LESS"})


def starts_late(*state: Any) -> dict[str, Any]:
    return info(*state, minLod=3.0, addressModeU="VK_SAMPLER_ADDRESS_MODE_REPEAT")


def of_a_unit(*state: Any, unit_lod_bias: float) -> st.SamplerState:
    return right(*state, unit_lod_bias=0.0 if unit_lod_bias == 0.5 else unit_lod_bias)


def divides(sampler: st.Sampler, texture: st.Texture, screen: st.Screen) -> st.SamplerState:
    assert 1 / sampler.max_lod
    return right(sampler, texture, screen)


@pytest.mark.parametrize(
    ("convert", "options"),
    [
        (lambda *s: {"wrap_s": right(*s).wrap_s, "max_lod": s[0].max_lod}, {"compare": "members"}),
        (clamps_wrongly, {"compare": "wrap_s, max_lod"}),
        (lambda *s: st.convert(*s).vulkan, {"compare": "info"}),
        (starts_late, {"compare": "magFilter,borderColor"}),
        (idle, {"compare": "info"}),
    ],
)
def test_only_what_is_asked_for_what_an_answer_has_and_what_a_sampler_reads_is_compared(
    convert: Any, options: dict[str, Any]
) -> None:
    check_case(convert=convert, count=100, **options)


#: Who is wrong, by what it is compared, and what is said of it.
WRONG: list[tuple[Any, dict[str, Any], tuple[str, ...]]] = [
    (clamps_wrongly, {"dialect": "22.2", "compare": "wrap_t"},
     ("convert=clamps_wrongly, compare='wrap_t', dialect='22.2')",)),
    (clamps_wrongly, {"compare": "wrap_t,wrap_s"}, ("wrap_t",)),
    (right, {"dialect": "mesa24", "count": 120},
     ("glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS)", "ours by seamless-edge: a seamless cube has no edges to wrap at")),
    (lambda *s: {"lod_bias": s[0].lod_bias}, {"compare": "members", "dialect": "mesa24"}, ("lod_bias: expected",)),
    (lambda *_: {"wrap_s": 0}, {"compare": "wrap_s,wrap_t"}, ("it lacks wrap_t",)),
    (lambda *s: info(*s, pNext=None), {"compare": "info"},
     ("reductionMode: expected 1, got '(not chained)'",
      "glSamplerParameteri(sampler, GL_TEXTURE_REDUCTION_MODE_ARB, GL_MIN)")),
    (starts_late, {"compare": "addressModeU, magFilter"}, ("addressModeU: expected",)),
    (lambda *s: idle(*s) | {"maxAnisotropy": 7.0}, {"compare": "info"}, ("maxAnisotropy: expected 2.0, got 7.0",)),
    (of_a_unit, {},
     ("glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0.5)", "{'unit': {'lod_bias': 0.5}}")),
    (divides, {},
     ("  raised: ZeroDivisionError: float division by zero (test_search.py:",
      "\n    glSamplerParameterf(sampler, GL_TEXTURE_MAX_LOD, 0.0)\n")),
]  # fmt: skip


@pytest.mark.parametrize(("convert", "options", "words"), WRONG)
def test_what_differs_is_said_with_the_calls_and_the_reason(
    convert: Any, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    said = said_of(convert, **{"count": 150, **options})
    assert [word for word in words if word not in said] == []
    assert len(said.splitlines()) <= 28
    assert "minLod" not in said


def test_every_name_that_differs_has_an_example() -> None:
    agreement = search(Function(lambda *_: bytes(range(100, 136))), Oracle(LLVMPIPE), count=60, seed=1)
    assert len(agreement.differ) > 10
    assert all(name in agreement.examples[name].names for name in agreement.differ)


@pytest.mark.parametrize("answer", [None, b"short", "zz", 17, {"wrap_s": 99}, {"wrap_q": 1}, {}, object()])
def test_an_answer_that_makes_no_sense_is_a_finding(answer: object) -> None:
    said = said_of(lambda *_: answer, count=3)
    assert "invalid answer: " in said
    assert "is no answer" in said


def test_what_a_conversion_passes_over_is_counted_and_not_compared() -> None:
    def only_2d(sampler: st.Sampler, texture: st.Texture, screen: st.Screen) -> Any:
        return right(sampler, texture, screen) if texture.target == 0x0DE1 else NotImplemented

    agreement = search(Function(only_2d), Oracle(LLVMPIPE), count=100, seed=1)
    assert agreement.agrees
    assert agreement.cases > 5
    assert agreement.skipped > agreement.cases
    with pytest.raises(ArgumentError, match="It passed over all"):
        check_case(convert=lambda *_: NotImplemented, count=5)


@pytest.mark.parametrize(
    ("case", "options", "said"),
    [
        (None, {"dialect": "mesa99"}, "mesa99"),
        (None, {"convert": 3}, "convert=3"),
        (None, {"compare": "wrap_q"}, "compare='wrap_q'"),
        ({"smapler": {}}, {}, "state='smapler'"),
        ({"texture": {"colour": 1}}, {}, "argument of Texture"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(case: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises((ArgumentError, UnknownName), match=said):
        check_case(case, **{"convert": right, **options})


#: Prints a word for the states that a seed makes, after it has imported what it was given.
MADE = """
import sys, zlib, importlib, statetracker.conformance as c
for name in sys.argv[1:]:
    importlib.import_module(name)
seen = []
def convert(sampler, texture, screen):
    seen.append((sampler.content(), texture.content()))
    return NotImplemented
try:
    c.check_case(convert=convert, count=60, seed=1)
except ValueError:
    print(zlib.crc32(repr(seen).encode()))
"""


def made(folder: Path, *modules: str) -> str:
    """The word that a process prints which imports some modules first."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), *sys.path))}
    command = [sys.executable, "-c", MADE, *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=120)
    return done.stdout


def test_a_seed_makes_the_same_states_whatever_is_imported(tmp_path: Path) -> None:
    (tmp_path / "numbers_of_ours.py").write_text("MINE = [7.75, 11.0625, 0.3, 123.5, -77.0, 3.375]\n", encoding="utf-8")
    plain = made(tmp_path)
    assert plain.strip().isdigit()
    assert {made(tmp_path, "numbers_of_ours"), made(tmp_path, "hypothesis.strategies", "numpy")} == {plain}


def test_a_state_of_a_seed_depends_on_its_number_alone() -> None:
    """Neither on how many there are nor on the state of anybody's generator."""
    seen: list[list[object]] = [[], []]
    for each, count in zip(seen, (30, 50), strict=True):
        random.seed(count)
        with pytest.raises(ArgumentError):
            check_case(convert=lambda s, t, _, each=each: each.append((s, t)) or NotImplemented, count=count, seed=5)
    assert repr(seen[0]) == repr(seen[1][:30])


def test_who_watches_is_given_the_number_of_states_as_they_come() -> None:
    seen: list[int] = []
    agreement = search(Function(right), Oracle(LLVMPIPE), count=50, seed=1, watch=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == agreement.cases
    assert seen[0] == 1


def test_states_that_agree_are_not_kept() -> None:
    def living(_: int) -> None:
        alive.append(sum(isinstance(one, State) for one in gc.get_objects()))

    alive: list[int] = []
    search(Function(right), Oracle(LLVMPIPE), count=40, seed=1, watch=living)
    assert alive[-1] <= alive[0] + 2
