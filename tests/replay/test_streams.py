"""Dumps that were damaged: problems with call numbers, never a traceback, and what was good before is kept."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statetracker.caps import Screen
from statetracker.cli import main
from statetracker.replay import Creates, DumpReplay
from statetracker.sampler import converter

DATA = Path(__file__).parents[1] / "data" / "programs"
LLVMPIPE = converter(Screen.named("llvmpipe"), "mesa22")
# fmt: off
PROGRAMS = (
    "texwrap", "sampler-tour", "crossbar", "dsa-textures", "sparse-samplers", "ati-textargets", "dlist-bitmap",
)
WORDS = (
    "0", "-1", "99999999999999999999", "NULL", "nan", "inf", "{}", "{1, 2}", '"x"', "blob(3)", "GL_TEXTURE_2D", "&1",
    "True",
)
# fmt: on
TEXTS = {name: gzip.decompress((DATA / f"{name}.dump.txt.gz").read_bytes()) for name in PROGRAMS}

slow = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def replayed(path: Path, text: bytes) -> DumpReplay:
    path.write_bytes(text)
    run = DumpReplay(str(path), LLVMPIPE)
    for _ in run:
        pass
    return run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dump.txt"


@slow
@given(st.sampled_from(sorted(TEXTS)), st.randoms(use_true_random=False))
def test_a_cut_dump_gives_the_states_that_the_whole_one_gave_up_to_there(
    path: Path, name: str, chance: random.Random
) -> None:
    """But for the vertices that waited at the cut: in the whole dump they may have been drawn without their texture."""
    text = TEXTS[name]
    whole = [event.state for event in replayed(path, text).created]
    left = text[: chance.randrange(1, len(text))]
    cut = replayed(path, left)
    ends = re.findall(rb"^(\d+) glEnd\(\)", left, re.MULTILINE)
    known = [event.state for event in cut.created if not ends or event.call != int(ends[-1])]
    assert known == whole[: len(known)]
    assert len(cut.problems) <= 1


@slow
@given(st.sampled_from(sorted(TEXTS)), st.randoms(use_true_random=False))
def test_flipped_bytes_give_problems_that_name_the_file(path: Path, name: str, chance: random.Random) -> None:
    text = bytearray(TEXTS[name])
    for _ in range(chance.randrange(1, 60)):
        text[chance.randrange(len(text))] = chance.randrange(256)
    run = replayed(path, bytes(text))
    assert all(problem.startswith(str(path)) for problem in run.problems)


@slow
@given(st.sampled_from(sorted(TEXTS)), st.randoms(use_true_random=False))
def test_wrong_arguments_give_problems_with_the_number_of_their_call(
    path: Path, name: str, chance: random.Random
) -> None:
    lines = TEXTS[name].decode("latin-1").splitlines()
    for _ in range(30):
        at = chance.randrange(len(lines))
        parts = lines[at].split(" = ")
        if len(parts) > 1 and lines[at][:1].isdigit():
            where = chance.randrange(1, len(parts))
            _, comma, rest = parts[where].partition(",")
            parts[where] = chance.choice(WORDS) + (comma + rest if comma else ")")
            lines[at] = " = ".join(parts)
    run = replayed(path, "\n".join(lines).encode("latin-1"))
    starts = tuple(f"{path}:{at}: " for at, line in enumerate(lines, 1) if not line[:1].isdigit())  # in a source
    assert all(": call " in problem or problem.startswith(starts) for problem in run.problems)


@slow
@given(st.sampled_from(sorted(TEXTS)), st.randoms(use_true_random=False))
def test_lines_out_of_order_lost_or_doubled_raise_nothing(path: Path, name: str, chance: random.Random) -> None:
    lines = TEXTS[name].splitlines(keepends=True)
    kept = [lines[0], *(line for line in lines for _ in range(chance.choice((0, 1, 1, 1, 1, 2))))]
    at, to = chance.randrange(len(kept)), chance.randrange(len(kept))
    kept[at], kept[to] = kept[to], kept[at]
    replayed(path, b"".join(kept))


CALLS = {
    "a name that is text": '5 glBindTexture(target = GL_TEXTURE_2D, texture = "two")',
    "too few arguments": "5 glBindTexture(target = GL_TEXTURE_2D)",
    "too many arguments": "5 glBindTexture(target = GL_TEXTURE_2D, texture = 1, more = 2)",
    "an array for a number": "5 glActiveTexture(texture = {1, 2})\n6 glTexImage2D(target = GL_TEXTURE_2D, level = {1})",
    "fewer names than counted": "5 glBindSamplers(first = 0, count = 4, samplers = {1})",
    "a count of bytes": "5 glGenTextures(n = 4, textures = blob(16))",
}


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_a_call_that_makes_no_sense_is_a_problem_and_the_next_ones_are_replayed(
    path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    good = TEXTS["texwrap"].decode("latin-1")
    path.write_text(text + "\n" + "\n".join(good.splitlines()), encoding="latin-1")
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert sum(json.loads(line)["event"] == "create" for line in out.splitlines()) == 6
    assert "call 5: " in err or "call 6: " in err
    assert "Traceback" not in err


def test_a_list_that_calls_itself_ends(path: Path) -> None:
    body = "".join(f"{n} glCallList(list = 1)\n" for n in range(12, 20))
    text = f"10 glNewList(list = 1, mode = GL_COMPILE)\n{body}20 glEndList()\n21 glCallList(list = 1)\n"
    assert replayed(path, text.encode()).problems == []


def test_a_cut_gzip_stream_keeps_what_was_good_before(path: Path) -> None:
    packed = (DATA / "texwrap-formats.dump.txt.gz").read_bytes()
    run = replayed(path, packed[: len(packed) // 2])
    assert len(run.created) > 3
    assert len(run.problems) == 1
    assert "cut short" in run.problems[0]


def test_what_happens_before_any_context_is_made_current_counts(path: Path) -> None:
    lines = TEXTS["texwrap"].decode("latin-1").splitlines(keepends=True)
    text = "".join(line for line in lines if " glX" not in line)
    run = DumpReplay(str(_written(path, text)), LLVMPIPE)
    assert sum(isinstance(event, Creates) for event in run) == 6


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="latin-1")
    return path
