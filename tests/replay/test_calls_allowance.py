"""The allowance of a recording: little that makes much is expanded up to a bound; what is left out is counted."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from statetracker.replay import DumpReplay
from statetracker.replay.calls import EACH, Allowance, Spent
from statetracker.replay.glsl import link_sources
from statetracker.replay.glsl_declarations import MOST_ELEMENTS
from statetracker.unpacking import ReadLimits, read_limits
from tests.replay.conftest import LLVMPIPE, TRIANGLE, program, texture

if TYPE_CHECKING:
    from pathlib import Path

SAMPLED = "uniform sampler2D s; void main() {{ {} gl_FragColor = texture2D(s, vec2(0)); }}"


def replayed(tmp_path: Path, *calls: str, expanded: int = 20_000) -> tuple[list[str], list[str], int]:
    """The problems, the summary and the draws of a dump; replayed in well under the minute that each took."""
    lines = "\n".join(calls).split("\n")
    (tmp_path / "a.dump").write_text("\n".join(f"{n} {line}" for n, line in enumerate(lines)) + "\n")
    start = time.process_time()
    with read_limits(ReadLimits()._replace(expanded=expanded)):
        run = DumpReplay(str(tmp_path / "a.dump"), LLVMPIPE)
        list(run)
    assert time.process_time() - start < 30
    return list(run.problems), list(run.summary()), run.replay.draws


def doubling(levels: int, called: str = "glCallList(list = {0})\nglCallList(list = {0})") -> str:
    """Lists that each call the one before twice; the first draws."""
    lists = [TRIANGLE, *(called.format(level) for level in range(1, levels))]
    return "\n".join(
        f"glNewList(list = {n}, mode = GL_COMPILE)\n{body}\nglEndList()" for n, body in enumerate(lists, 1)
    )


def test_what_a_recording_needs_grows_with_it() -> None:
    allowance = Allowance()
    allowance.take("lists", 250_000)
    allowance.grow()
    allowance.take("lists", EACH)
    with pytest.raises(Spent, match=f"lists expand to more than {250_000 + EACH:,} list calls"):
        allowance.take("lists")


def test_what_is_spent_stays_spent_and_is_counted_by_name() -> None:
    allowance, firsts = Allowance(), []
    for what, count in (("lists", 250_001), ("shaders", 0), ("lists", 1)):
        with pytest.raises(Spent) as caught:
            allowance.take(what, count)
        firsts.append(caught.value.first)
        allowance.grow()
    assert firsts == [True, False, False]
    assert allowance.refused == {"lists": 2, "shaders": 1}


def test_lists_that_double_have_one_error_in_a_recording(tmp_path: Path) -> None:
    """Before, each of the calls cost a million of its own."""
    problems, summary, draws = replayed(tmp_path, texture(1), doubling(30), *["glCallList(list = 30)"] * 40)
    assert len(problems) == 1
    assert "glCallList: display lists expand to more than" in problems[0]
    assert "--limits 10" in problems[0]
    assert "not expanded: display lists (40)" in summary
    assert draws > 2_000


@pytest.mark.parametrize(
    "called",
    [
        "glCallLists(n = 2, type = GL_INT, lists = {{{0}, {0}}})",
        "glCallLists(n = 99, type = GL_UNSIGNED_BYTE, lists = blob(99))",
        "glCallLists(n = 500, type = GL_INT, lists = {{" + ", ".join(["{0}"] * 500) + "}})",
    ],
)
def test_arrays_of_lists_are_counted_too(tmp_path: Path, called: str) -> None:
    problems, summary, _ = replayed(tmp_path, texture(1), doubling(30, called), *["glCallList(list = 30)"] * 3)
    assert len(problems) == 1
    assert any(line.startswith("not expanded: display lists") for line in summary)


def test_a_recording_of_lists_runs_to_its_end(tmp_path: Path) -> None:
    """Every frame calls a list of some hundred calls."""
    body = "\n".join([TRIANGLE] * 30)
    lists = f"glNewList(list = 1, mode = GL_COMPILE)\n{body}\nglEndList()"
    problems, summary, draws = replayed(tmp_path, texture(1), lists, *["glCallList(list = 1)\nglFlush()"] * 500)
    assert (problems, draws) == ([], 15_000)
    assert not any(line.startswith("not expanded") for line in summary)


def macros(levels: int, form: str = "A{0} A{0}", head: str = "") -> str:
    lines = [f"#define A{n}{head} {form.format(n - 1)}" for n in range(1, levels + 1)]
    return "\n".join([f"#define A0{head} x", *lines, ""])


# fmt: off
SOURCES = {
    "macros": macros(24) + SAMPLED.format("A24"),
    "macros with arguments": macros(24, "A{0}(y) A{0}(y)", "(y)") + SAMPLED.format("A24(z)"),
    "a macro in itself": "#define F(x) x x\n" + SAMPLED.format("F(" * 30 + "y" + ")" * 30),
    "macros of conditions": macros(24, "A{0} + A{0}") + "#if A24\n#endif\n" + SAMPLED.format(""),
    "a wide macro": f"#define A {'x ' * 2000}\n#define B {'A ' * 2000}\n" + SAMPLED.format("B"),
}
# fmt: on


@pytest.mark.parametrize("kind", SOURCES)
def test_macros_that_double_are_left_as_they_are(kind: str) -> None:
    """And what is said of the sampler is still there."""
    start = time.process_time()
    linked = link_sources({"fragment": [SOURCES[kind]]})
    assert time.process_time() - start < 10
    assert linked.problems == ("fragment: the preprocessor stops: macros make more than 50,000 tokens",)
    assert [sampler.name for sampler in linked.samplers] == ["s"]
    assert linked.cost > 30_000


@pytest.mark.parametrize("dims", ["[1000]" * 4, "[100]" * 6, "[4096][4096]", "[2]" * 30, "[17][1000]"])
def test_arrays_of_arrays_have_no_more_elements_than_gl_allows(dims: str) -> None:
    start = time.process_time()
    first = "[0]" * dims.count("[")
    source = f"#version 450\nuniform sampler2D t{dims}; void main() {{ texture(t{first}, vec2(0)); }}"
    linked = link_sources({"fragment": [source]})
    assert time.process_time() - start < 10
    assert sum(sampler.size for sampler in linked.samplers) <= MOST_ELEMENTS
    assert [problem[:59] for problem in linked.problems] == [
        "fragment: the uniforms have more than 16,384 elements; left"
    ]


def test_locations_between_those_of_layouts_are_found_in_time() -> None:
    """One first fit for each size, not one for each uniform."""
    fixed = "".join(f"layout(location = {2 * n}) uniform float f{n};" for n in range(1500))
    pairs = "".join(f"uniform float g{n}[2];" for n in range(1500))
    uses = "".join(f"f{n}; g{n};" for n in range(1500))
    start = time.process_time()
    linked = link_sources({"fragment": [f"#version 450\n{fixed}{pairs}void main() {{ {uses} }}"]})
    assert time.process_time() - start < 10
    assert (linked.locations["f1499"], linked.locations["g0[0]"], linked.locations["g1499[1]"]) == (2998, 2999, 5998)


def test_shaders_of_a_recording_share_its_allowance(tmp_path: Path) -> None:
    """Each is bounded for itself; of many, the last are left out."""
    shaders = [
        program(n, fragment=(macros(11) + SAMPLED.format(f"A11 y{n};")).replace("\n", "\\n")) for n in range(1, 9)
    ]
    problems, summary, _ = replayed(tmp_path, texture(1), *shaders)
    assert len([problem for problem in problems if "shaders expand to more than" in problem]) == 1
    assert any(line.startswith("not expanded: shaders (") for line in summary)


def test_texts_that_include_each_other_twice_are_counted_too(tmp_path: Path) -> None:
    named = 'glNamedStringARB(type = GL_SHADER_INCLUDE_ARB, namelen = -1, name = "/{}", stringlen = -1, string = "{}")'
    texts = [named.format(0, "x")]
    texts += [named.format(n, f"#include </{n - 1}>\\n#include </{n - 1}>\\n") for n in range(1, 30)]
    source = "#extension GL_ARB_shading_language_include : require\\n#include </29>\\nvoid main() {}"
    problems, summary, _ = replayed(tmp_path, *texts, program(1, fragment=source))
    assert "included texts expand to more than" in problems[0]
    assert any(line.startswith("not expanded: included texts (1)") for line in summary)
