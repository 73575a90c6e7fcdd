"""The result of a search as a JUnit file, as continuous integration shows it: a test for each member."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from statetracker.conformance.agreement import Agreement

__all__ = ["write_junit"]

#: What XML cannot hold.
_CONTROL: Final = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: str, agreement: Agreement) -> None:
    """Write it; raises `OSError`."""
    suite = ET.Element("testsuite", name=f"{agreement.name} and {agreement.oracle}", errors="0")
    counts = {"tests": 0, "failures": 0, "skipped": 0}
    for name, count, differ, example in agreement.results():
        test = ET.SubElement(suite, "testcase", classname=f"statetracker.{agreement.name}", name=name)
        counts["tests"] += 1
        if differ:
            counts["failures"] += 1
            failure = ET.SubElement(test, "failure", message=f"{differ} of {count} states differ")
            failure.text = _CONTROL.sub("?", str(example or ""))
        elif not count:
            counts["skipped"] += 1
            ET.SubElement(test, "skipped", message="no answer has it")
    suite.attrib |= {name: str(count) for name, count in counts.items()}
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    Path(path).write_bytes(ET.tostring(suites, encoding="utf-8", xml_declaration=True))
