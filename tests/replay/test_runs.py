"""What a program binds, read of every kind of file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from statetracker.caps import Screen
from statetracker.errors import RecordingError
from statetracker.frontend import Policy
from statetracker.pipe import SamplerState
from statetracker.replay import kind_of, read_run
from tests.replay.conftest import TRIANGLE, texture

DATA = Path(__file__).parents[1] / "data"
PROGRAMS = DATA / "programs"
ONE, TWO = (bytes(SamplerState(max_lod=n)).hex() for n in (1.0, 2.0))
LOG = [
    ["create", 0, ONE], ["create", 1, TWO], ["bind", "MESA_SHADER_FRAGMENT", 0, [0, None]],
    ["bind", "MESA_SHADER_FRAGMENT", 0, [0, None]], ["frame"], ["bind", "MESA_SHADER_TESS_CTRL", 1, [1]],
    ["delete", 0], ["frame"],
]  # fmt: skip


def written(path: Path, *events: object) -> str:
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return str(path)


def test_a_log_of_a_driver_is_a_run(tmp_path: Path) -> None:
    path = written(tmp_path / "log", *LOG)
    run = read_run(path)
    one, two = bytes.fromhex(ONE), bytes.fromhex(TWO)
    assert kind_of(path) == "run"
    assert run.frames == [[("fragment", (one, None))], [("tess-ctrl", (None, two))]]
    assert (run.screen.name, run.dialect, list(run.asked)) == ("llvmpipe", "mesa22", [one, two])


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (["bind", "MESA_SHADER_FRAGMENT", 0, [7]], "KeyError: 7"),
        (["bind", "MESA_SHADER_TASK", 0, [0]], "stage"),
        (["create", 2, "00"], "36 bytes"),
        (["create", 2, "no hex"], "hex"),
        (["bind"], "IndexError"),
        (["bind", "fragment", 31, [0, 0]], "from 0 to 30"),
        (5, "TypeError"),
    ],
)
def test_damage_is_named_with_its_line(event: object, said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "log", LOG[0], event, LOG[2])
    with pytest.raises(RecordingError, match=said) as caught:
        read_run(path)
    assert caught.value.line == 2


def test_another_version_and_a_file_without_a_bind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="version 2"):
        read_run(written(tmp_path / "log", {"statetracker": "run", "version": 2}, *LOG))
    with pytest.raises(RecordingError, match="binds no sampler state"):
        read_run(written(tmp_path / "log", LOG[0]))


def test_a_packed_log_may_break_off_but_not_be_damaged(tmp_path: Path) -> None:
    """A program that dies leaves a log without its end; before, reading it raised EOFError."""
    binds = [["bind", "fragment", 0, [n % 2] * (n % 32)] for n in range(20_000)]
    path, whole = tmp_path / "log.gz", "".join(json.dumps(event) + "\n" for event in [*LOG[:2], *binds])
    packed = gzip.compress(whole.encode())
    path.write_bytes(packed[: len(packed) // 2])
    assert 0 < len(read_run(str(path)).frames[0]) < len(binds) // 2 + 1000
    path.write_bytes(packed[:-8] + bytes(8))  # a wrong checksum
    with pytest.raises(RecordingError, match="damaged or cut short"):
        read_run(str(path))


def test_a_dump_and_the_traces_of_one_run_bind_the_same_states() -> None:
    canonical = []
    for kind in ("dump.txt", "states.jsonl", "xml"):
        run = read_run(str(PROGRAMS / f"sampler-tour.{kind}.gz"))
        states = (SamplerState.from_bytes(Policy().apply(record)) for record in run.asked)
        canonical.append({(f"{s.lod_bias:.5g}", f"{s.min_lod:.5g}", f"{s.max_lod:.5g}", s.wrap_s) for s in states})
    assert canonical[0] == canonical[1] == canonical[2]
    assert len(canonical[0]) == 7


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("sampler-tour.dump.txt.gz", b" glTexParameteri(", b" glTexParameteri(("),
        ("sampler-tour.xml.gz", b"<ptr>", b"<ptr>x"),
        ("sampler-tour.states.jsonl.gz", b'"handle": "', b'"handle": "x'),
        ("../mesa/llvmpipe+minimal.jsonl.gz", b'"calls"', b'"CALLS"'),
    ],
)
def test_a_run_has_the_problems_of_a_file_that_is_read_in_part(
    name: str, before: bytes, after: bytes, tmp_path: Path
) -> None:
    whole = gzip.decompress((PROGRAMS / name).read_bytes())
    path, half = tmp_path / "file", len(whole) // 2
    path.write_bytes(whole[:half] + whole[half:].replace(before, after))
    assert read_run(str(PROGRAMS / name)).problems == []
    run = read_run(str(path))
    assert 0 < len(run.problems) <= min(whole[half:].count(before), 1000)
    assert any(run.frames)
    assert run.problems[0].startswith(f"{path}:")


def test_frames_of_a_dump_end_at_swaps(tmp_path: Path) -> None:
    text = gzip.decompress((PROGRAMS / "sampler-tour.dump.txt.gz").read_bytes()).decode("latin-1")
    lines = text.splitlines(keepends=True)
    ends = [at for at, line in enumerate(lines) if "glEnd()" in line][:2]
    for at in ends:
        number = lines[at].split()[0]
        lines[at] += f"{number} glXSwapBuffers(dpy = 0x1, drawable = 2)\n"
    (tmp_path / "dump.txt").write_text("".join(lines), encoding="latin-1")
    plain, framed = read_run(str(PROGRAMS / "sampler-tour.dump.txt.gz")), read_run(str(tmp_path / "dump.txt"))
    assert (len(plain.frames), len(framed.frames)) == (1, 3)
    assert [len(frame) for frame in framed.frames[:2]] == [1, 1]
    assert [bind for frame in framed.frames for bind in frame] == plain.frames[0]


@pytest.mark.parametrize("draw", ["glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)", TRIANGLE])
def test_draws_of_a_display_list_belong_to_the_frame_that_calls_it(draw: str, tmp_path: Path) -> None:
    """Before, they had the numbers of the calls that were compiled, so all were in the first frame."""
    lines = [texture(1), "glEnable(cap = GL_TEXTURE_2D)", "glNewList(list = 1, mode = GL_COMPILE)", draw, "glEndList()"]
    for bias in (0, 1, 0):
        lines += [
            f"glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_LOD_BIAS, param = {bias})",
            "glCallList(list = 1)",
            "glXSwapBuffers(dpy = 0x1, drawable = 1)",
        ]
    path = tmp_path / "dump.txt"
    path.write_text("".join(f"{n} {line}\n" for n, line in enumerate("\n".join(lines).splitlines())))
    frames = read_run(str(path)).frames
    assert [len(frame) for frame in frames] == [1, 1, 1]
    assert frames[0] == frames[2] != frames[1]


def test_a_case_is_a_frame_and_the_file_names_the_screen() -> None:
    run = read_run(str(DATA / "mesa" / "llvmpipe+minimal.jsonl.gz"))
    assert len(run.frames) > 100
    assert {len(frame) for frame in run.frames} == {1}
    other = read_run(str(DATA / "mesa" / "llvmpipe+minimal.jsonl.gz"), screen=Screen.named("iris"))
    assert (run.screen.name, other.screen.name) == ("llvmpipe+minimal", "iris")
