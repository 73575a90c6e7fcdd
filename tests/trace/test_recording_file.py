"""What a file is, by its content."""

from __future__ import annotations

from pathlib import Path

from statetracker.trace.recording_file import kind_of

DATA = Path(__file__).parents[1] / "data"
PROGRAMS = DATA / "programs"


def test_the_kind_of_a_file_follows_from_its_content() -> None:
    assert kind_of(PROGRAMS / "texwrap.dump.txt.gz") == "dump"
    assert kind_of(PROGRAMS / "texwrap.xml.gz") == "xml"
    assert kind_of(PROGRAMS / "texwrap.states.jsonl.gz") == "states"
    assert kind_of(DATA / "mesa" / "zink.jsonl.gz") == "cases"
