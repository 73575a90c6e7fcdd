"""The documentation says what the code says: tables, names, links, examples, commands."""

from __future__ import annotations

import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import statetracker as st
from statetracker import cso
from statetracker.cli import main
from statetracker.gl import UnitFacts
from statetracker.sampler import DIALECTS, RULES, explain
from tools.codegen import make_docs
from tools.codegen.doc_api import described, public_packages
from tools.codegen.doc_rules import anchored_rules
from tools.codegen.doc_tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _pytest.mark import ParameterSet

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
CODE = ("statetracker", "caps", "cso", "bindings", "tools", "tests", "examples", "benchmarks")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
#: Pages and examples whose programs ask for something of the machine.
LIVE = dict.fromkeys(("docs/host_wgpu.md", "examples/hello_wgpu.py"), ("wgpu", "glslangValidator"))
#: Pages that are read on their own; tests/test_tutorials.py follows the others from the first step to the last.
ALONE = [page for page in PAGES if not page.name.startswith("tutorial_")]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGE = re.compile(r"\bdocs/[a-z_/]+\.md")
LINK = re.compile(r"\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def live(files: Iterable[Path], needs: Mapping[str, tuple[str, ...]]) -> list[ParameterSet]:
    """Parameters, each with what it asks of the machine."""
    marks = {file: [pytest.mark.live(*needs[name_of(file)])] if name_of(file) in needs else [] for file in files}
    return [pytest.param(file, marks=marks[file], id=name_of(file)) for file in files]


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


def anchors(page: Path) -> set[str]:
    """As the usual renderers make them: lower case, no punctuation, dashes for spaces."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    named = re.findall(r'<a id="([\w-]+)"></a>', prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings} | set(named)


def run(source: str) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(source, "<block>", "exec"), {"__name__": "__main__"})  # noqa: S102 (our own documentation)
    return printed.getvalue()


#: Runs programs one after another, each by itself; the last line is what each printed.
RUNNER = """
import contextlib, io, json, sys
outputs = []
for number, program in enumerate(json.load(sys.stdin), 1):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, f"<program {number}>", "exec"), {"__name__": "__main__"})
    outputs.append(printed.getvalue())
print(json.dumps(outputs))
"""


def run_installed(programs: list[str], wheel: Path, folder: Path) -> list[str]:
    """Run programs as a reader does: in a process of their own, in an empty folder, by what the wheel has."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(programs), cwd=folder, capture_output=True, text=True,
        check=False, timeout=300, env=os.environ | {"PYTHONPATH": str(wheel)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outputs: list[str] = json.loads(done.stdout.splitlines()[-1])
    return outputs


def test_tables_are_what_the_code_says() -> None:
    assert make_docs.main(["--check"]) == 0, "run: python tools/codegen/make_docs.py"


def test_a_page_with_a_table_that_does_not_exist_or_end_is_refused() -> None:
    for text in ("<!-- table: nothing -->\n<!-- end -->\n", "<!-- table: wrap -->\n"):
        with pytest.raises(make_docs.BadPage):
            make_docs.rendered(text)


def test_every_table_stands_in_some_page() -> None:
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in TABLES if f"<!-- table: {name} -->" not in written] == []


def test_every_page_that_is_named_exists() -> None:
    files = [file for folder in CODE for kind in ("py", "csv", "md") for file in (ROOT / folder).rglob(f"*.{kind}")]
    named = {
        (page, name_of(file))
        for file in [*files, *PAGES]
        for page in PAGE.findall(file.read_text(encoding="utf-8"))
        if not (ROOT / page).is_file()
    }
    assert sorted(named) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name_of(page)}: {link}"
        assert not anchor or anchor in anchors(target), f"{name_of(page)}: {link}"


def test_every_page_is_in_the_index() -> None:
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in LINK.findall(prose(DOCS / "README.md"))}
    assert [
        name_of(page) for page in sorted(DOCS.rglob("*.md")) if page.resolve() not in linked | {DOCS / "README.md"}
    ] == []


def test_every_rule_and_every_step_of_an_explanation_has_its_section() -> None:
    sampler = st.Sampler(wrap="clamp", min_lod=5, max_lod=2, lod_bias=0.1, border_color=(1, 0, 0, 1))
    bound = ((st.Texture(internal_format="ALPHA8"), False), (st.Texture("buffer", "RGBA8"), True))
    steps = [
        step
        for screen in ("seed", "zink-lavapipe", "nv50")
        for dialect in DIALECTS
        for what, bindless in bound
        for step in explain(
            sampler, what, st.Screen.named(screen), dialect=dialect, unit=UnitFacts.of(1.0, bindless=bindless)
        ).steps
    ]
    page = DOCS / "rules" / "conversion.md"
    assert {*(rule.section for rule in RULES), *(step.section for step in steps)} <= anchors(page)
    names = {*(rule.name for rule in RULES), *(step.rule for step in steps)}
    assert [name for name in names if f"`{name}`" not in page.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("page", ["rules/conversion.md", "vulkan_samplers.md"])
def test_every_rule_that_an_explanation_names_has_its_anchor(page: str) -> None:
    assert anchored_rules(page) <= anchors(DOCS / page)
    text = prose(DOCS / page)
    assert [name for name in anchored_rules(page) if text.count(f'<a id="{name}"></a>') > 1] == []


def test_a_step_says_where_its_rule_is_described() -> None:
    sampler = st.Sampler(wrap="clamp", max_anisotropy=8, border_color=(1, 0, 0, 1))
    policy = st.Policy(force_nearest=True, max_anisotropy=2)
    result = st.convert(sampler, st.Texture(internal_format="R8"), st.Screen.named("zink-lavapipe"), policy=policy)
    pages = [step.page for step in result.explain().steps] + [step.page for step in result.explain_vulkan().steps]
    for page in pages:
        file, _, anchor = page.partition("#")
        assert anchor in anchors(ROOT / file), page
    assert result.explain().last("max_anisotropy").page.startswith("docs/rules/conversion.md#policy-")


def test_the_readmes_picture_is_drawn_by_the_description_beside_it(tmp_path: Path) -> None:
    (shown,) = blocks(README, "toml")
    assert shown == (ROOT / "examples/mirror.toml").read_text(encoding="utf-8")
    file, picture = tmp_path / "mirror.toml", tmp_path / "mirror.png"
    file.write_text(shown, encoding="utf-8")
    assert main(["preview", str(file), "-o", str(picture), "--quiet"]) == 0
    with Image.open(picture) as drawn, Image.open(DOCS / "images/mirror.png") as kept:
        assert drawn.tobytes() == kept.tobytes()


@pytest.mark.parametrize("page", live(ALONE, LIVE))
def test_python_in_pages_runs_and_prints_what_it_says(page: Path, wheel: Path, tmp_path: Path) -> None:
    """In an empty folder, by the installed wheel."""
    programs = blocks(page, "python")
    for program, printed in zip(programs, run_installed(programs, wheel, tmp_path), strict=True):
        for said in re.findall(r"^print\(.*\) +# ([A-Z0-9\[(][^:\n]*)", program, re.MULTILINE):
            assert said in printed


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_programs_in_pages_fit_76_columns(page: Path) -> None:
    lines = [line for program in blocks(page, "python") for line in program.splitlines()]
    assert [line for line in lines if len(line) > 76] == []


def test_programs_run_by_the_wheel_and_not_by_the_checkout(wheel: Path, tmp_path: Path) -> None:
    program = "import statetracker, statetracker.caps; print(statetracker.__file__, statetracker.caps.__file__)"
    (printed,) = run_installed([program], wheel, tmp_path)
    assert [Path(file).is_relative_to(wheel) for file in printed.split()] == [True, True]


@pytest.mark.parametrize("page", ALONE, ids=name_of)
def test_commands_in_pages_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    for block in blocks(page, "console"):
        for command in re.findall(r"^\$ statetracker ([^#\n]*)", block, re.MULTILINE):
            if not command.startswith(("bench", "conform", "probe", "surface --help")):  # long, or the machine's own
                placed = re.sub(r"(-o|--html|--chart) ", rf"\1 {tmp_path}/", command)
                assert main(shlex.split(placed)) == 0, f"{command}: {capsys.readouterr().err}"
                capsys.readouterr()


def test_the_page_of_the_command_line_says_which_page_describes_each_command() -> None:
    from statetracker.cli.commands import COMMANDS

    page = (ROOT / "docs/command_line.md").read_text(encoding="utf-8")
    rows = "".join(line for line in page.splitlines() if line.startswith("|"))
    one_word = {name.split()[0] for name in COMMANDS} - {"examples"}  # which the page itself describes
    assert [name for name in sorted(one_word) if f"`{name}`" not in rows] == [], "a row in docs/command_line.md"


def test_every_public_name_is_exported_once_and_described() -> None:
    for room in public_packages():
        names = list(room.__all__)
        assert len(names) == len(set(names)), room.__name__
        for name in names:
            assert described(room, name), f"{room.__name__}.{name} has no docstring"


def test_a_public_name_is_the_same_thing_in_the_package_and_in_its_room() -> None:
    rooms = [room for room in public_packages() if room is not st]
    for name in st.__all__:
        homes = [room for room in rooms if name in room.__all__ and getattr(room, name) is getattr(st, name)]
        assert homes, name
        if inspect.isclass(getattr(st, name)):
            assert len(homes) == 1, f"{name} is exported by {', '.join(room.__name__ for room in homes)}"


def test_the_page_of_the_cache_names_everything_public_and_its_example_prints_what_it_says() -> None:
    page = (DOCS / "cso.md").read_text(encoding="utf-8")
    assert [name for name in cso.__all__ if f"`{name}`" not in page] == ["CsoContext"]
    assert "CsoContext(driver" in page
    methods = [name for name in vars(cso.CsoContext) if not name.startswith("_") and name != "cache"]
    assert [name for name in methods if f"`{name}" not in page] == []
    program, printed = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)[:2]
    assert run(program) == printed


def test_every_gl_function_is_in_its_page() -> None:
    written = (DOCS / "gl_calls.md").read_text(encoding="utf-8")
    functions = [name for name in dir(st.Context) if name.startswith("gl") and callable(getattr(st.Context, name))]
    assert len(functions) > 100
    assert [name for name in functions if f"`{name}`" not in written or not getattr(st.Context, name).__doc__] == []


@pytest.mark.parametrize("example", live(EXAMPLES, LIVE))
def test_examples_run_and_print_something(example: Path, tmp_path: Path) -> None:
    words = [sys.executable, str(example)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_pages_have_every_inexact_remark_of_the_shader_lowering_and_no_other() -> None:
    """Remarks that are whole texts; of the clamped coordinate in the page beside it."""
    code = "".join(file.read_text("utf-8") for file in (ROOT / "statetracker/shader").glob("*.py"))
    lowering, clamp = ((DOCS / name).read_text(encoding="utf-8") for name in ("shader_lowering.md", "shader_clamp.md"))
    texts = set(re.findall(r'remarks\.append\("([^"]+)"\)', code))
    assert len(texts) > 10
    assert [text for text in sorted(texts) if text not in lowering + clamp] == []
    rows = lowering.partition("| `inexact` says | when |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    said = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert len(said) > 8
    assert [text for text in said if text not in code] == []


def test_every_departure_names_tests_that_exist() -> None:
    page = (DOCS / "departures.md").read_text(encoding="utf-8")
    sections = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    assert sections
    for section in sections:
        named = TEST.findall(section)
        assert named, section.partition("\n")[0]
        for file, test in named:
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{test}"


def test_convert_takes_an_incomplete_texture_as_it_is_and_says_so() -> None:
    texture = st.Texture(internal_format="R8", size=(4, 4), levels=1)
    sampler = st.Sampler(wrap="clamp-to-border", border_color=(0.5, 0.5, 0.5, 0.5))
    result = st.convert(sampler, texture, st.Screen.named("llvmpipe"))
    assert result.incomplete == "level 1 is missing (of 0..2)"
    assert result.pipe.border_color_f == (0.5, 0.0, 0.0, 1.0)
    assert "GL would sample its black fallback texture instead" in str(result.explain())


@pytest.mark.parametrize("name", ["host_vulkan", "hello_wgpu"])
def test_the_page_of_a_host_begins_with_its_example(name: str) -> None:
    source = (ROOT / f"examples/{name}.py").read_text(encoding="utf-8")
    assert blocks(DOCS / f"{name.replace('hello', 'host')}.md", "python")[0] == source
    assert len(source.splitlines()) <= 60
