"""Agreement of anybody's conversion with ours: what was compared, what differs, and short counterexamples."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from statetracker.errors import ArgumentError
from statetracker.frontend import convert
from statetracker.pipe.state import FIELD_NAMES
from statetracker.vulkan.info import CHAINED, MEMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen
    from statetracker.conformance.live import Failure
    from statetracker.conformance.states import State
    from statetracker.frontend import Result
    from statetracker.replay.comparison import Difference

#: What is compared -> the member of a program's answer that has it.
ANSWERS: Final = {"bytes": "state", "members": "fields", "info": "info"}

#: The test that there are answers, beside one for each member.
ANSWERS_TEST: Final = "answers"

_INFO_NAMES: Final = (*(member.name for member in MEMBERS), *(member.name for member in CHAINED), "format")

#: What XML cannot hold.
_CONTROL: Final = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Oracle(NamedTuple):
    """By whose rules ours is made, and what of it is compared.

    Attributes:
        compare: ``bytes`` (all 36), ``members`` (those that the answer has), ``info`` (the VkSamplerCreateInfo), or
            names of members, of one or the other, with commas between them.
        dialect: Whose rules ours follows.
        screen: The one that ours is made for.
        vulkan_dialect: Whose rules, for ``info``.
    """

    screen: Screen
    dialect: str = "mesa22"
    compare: str = "bytes"
    vulkan_dialect: str = "native"

    def convert(self, state: State) -> Result:
        """Our own result."""
        return convert(
            state.sampler,
            state.texture,
            self.screen,
            dialect=self.dialect,
            vulkan_dialect=self.vulkan_dialect,
            **state.unit,
        )

    def __str__(self) -> str:
        """``mesa22 on llvmpipe``."""
        rules = f"{self.dialect}, {self.vulkan_dialect}" if of_info(self.compare) else self.dialect
        return f"{rules} on {self.screen.name}"


class Counterexample(NamedTuple):
    """A state on which they differ, shrunk: what differs, or how they failed; ``reasons`` say why ours is as it is."""

    state: State
    differences: tuple[Difference, ...] = ()
    failure: Failure | None = None
    reasons: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of what differs."""
        return frozenset({self.failure.kind} if self.failure else {one.what for one in self.differences})

    def __str__(self) -> str:
        """Return what differs, and the calls that matter: two lines, and one for each further call or reason."""
        if self.failure is not None:
            lines = [f"{self.failure.kind}: {self.failure.detail}"]
        else:
            lines = [f"{one.what}: expected {one.expected!r}, got {one.got!r}" for one in self.differences[:4]]
            more = len(self.differences) - len(lines)
            lines += [f"and {more} more members"] if more else []
        calls = self.state.calls() or ["(everything at GL's defaults)"]
        return "\n    ".join([*lines, *calls, *self.reasons])


@dataclass(eq=False)
class Agreement:
    """The result of a search.

    Attributes:
        name: The candidate's.
        oracle: Whose rules it was compared with.
        seed: Of the random states.
        cases: States that were compared.
        compared: Name of a member -> in how many states it was compared.
        differ: Name -> in how many it differed; ``crash``, ``hang``, ``invalid answer``, ``refused``, ``raised``: in
            how many there was no answer.
        examples: Name -> its shrunk counterexample.
        note: A sentence where the search ended early.
        skipped: Those that the candidate passed over.
    """

    name: str
    oracle: Oracle
    seed: int
    cases: int = 0
    skipped: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    examples: dict[str, Counterexample] = field(default_factory=dict)
    note: str = ""

    def add(self, outcome: tuple[Counterexample, tuple[str, ...]] | None) -> None:
        """Count a state: the outcome and the names that were compared; None: they passed it over."""
        if outcome is None:
            self.skipped += 1
            return
        self.cases += 1
        self.compared.update(outcome[1])
        self.differ.update(outcome[0].names)

    @property
    def agrees(self) -> bool:
        """True where nothing differed."""
        return not self.differ

    @property
    def counterexamples(self) -> list[Counterexample]:
        """The shrunk counterexamples, each once."""
        return list({id(one): one for one in self.examples.values()}.values())

    def results(self) -> Iterator[tuple[str, int, int, Counterexample | None]]:
        """For each thing that is tested: its name, in how many states, in how many it differed, and an example.

        First come the ``answers``: that there were any, and that they make sense.
        """
        members = compared_names(self.oracle.compare)
        lost = [name for name in self.differ if name not in members]
        example = next((self.examples[name] for name in lost if name in self.examples), None)
        yield ANSWERS_TEST, self.cases, sum(self.differ[name] for name in lost), example
        for name in members:
            yield name, self.compared[name], self.differ[name], self.examples.get(name)

    def __str__(self) -> str:
        """Return a line for whom and what, then at most three counterexamples."""
        heading = f"{self.name} differs from {self.oracle} (seed {self.seed}, {self.cases} different states):"
        shown = [f"  {one}" for one in self.counterexamples[:3]]
        known = frozenset[str]().union(*(one.names for one in self.counterexamples[:3]))
        others = [name for name in self.differ if name not in known]
        return "\n".join([heading, *shown, *([f"  also different: {', '.join(others)}"] if others else [])])

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.name,
            "dialect": self.oracle.dialect,
            "screen": self.oracle.screen.name,
            "compare": self.oracle.compare,
            "seed": self.seed,
            "cases": self.cases,
            "skipped": self.skipped,
            "compared": dict(self.compared),
            "differ": dict(self.differ),
            "note": self.note,
            "counterexamples": [
                {
                    "differences": [one._asdict() for one in example.differences],
                    "failure": example.failure and example.failure._asdict(),
                    "calls": example.state.calls(),
                    "state": example.state.description(),
                }
                for example in self.counterexamples
            ],
        }


def compared_names(compare: str) -> tuple[str, ...]:
    """Return the members that can differ; raises `ArgumentError` where ``compare`` is nothing that can be chosen."""
    if compare in ANSWERS:
        return _INFO_NAMES if compare == "info" else FIELD_NAMES
    names = tuple(name.strip() for name in compare.split(","))
    if not any(set(names) <= set(each) for each in (FIELD_NAMES, _INFO_NAMES)):
        each = f"of {', '.join(FIELD_NAMES)}, or of {', '.join(_INFO_NAMES)}"
        raise ArgumentError("compare", compare, accepted=f"{', '.join(ANSWERS)}, or {each}")
    return names


def of_info(compare: str) -> bool:
    """Return whether members of create infos are compared, not of records; raises as `compared_names`."""
    return compared_names(compare)[0] in _INFO_NAMES


def junit(agreement: Agreement) -> bytes:
    """Return the agreement as a JUnit file, for continuous integration: a test for each member."""
    suite = ET.Element("testsuite", name=f"{agreement.name} and {agreement.oracle}", errors="0")
    for name, count, differ, example in agreement.results():
        test = ET.SubElement(suite, "testcase", classname=f"statetracker.{agreement.name}", name=name)
        if differ:
            failure = ET.SubElement(test, "failure", message=f"{differ} of {count} states differ")
            failure.text = _CONTROL.sub("?", str(example or ""))
        elif not count:
            ET.SubElement(test, "skipped", message="no answer has it")
    for name, tests in (("tests", "*"), ("failures", "*/failure"), ("skipped", "*/skipped")):
        suite.set(name, str(len(suite.findall(tests))))
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    return bytes(ET.tostring(suites, encoding="utf-8", xml_declaration=True))
