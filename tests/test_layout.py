"""Where a test stands: tests/<room>/test_x.py is of statetracker/<room>/x.py."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
TESTS: Final = ROOT / "tests"

#: Folders of tests that are of no room: of several at once, and what tests read.
OTHER: Final = {"integration", "data"}

#: Tests in a room that are of several of its modules, which the first line of each says.
ACROSS: Final = {
    "cli": "limits",
    "geometry": "certificate",
    "geometry/allocator": "exact",
    "geometry/shader": "families random shaders snippets",
    "gl": "calls_live",
    "replay": "damaged_calls gles releases",
    "sampler": "dialect_differences traps worked_examples",
    "shader": "bad_requests cost damage dynamic examples generated linkage offsets remarks residency traps",
    "vulkan": "boundary host_live live pairs properties what_went_wrong",
}


def mirrored(test: Path) -> bool:
    """Whether a test is named after a module, with or without an aspect: test_context, test_context_threads."""
    room = ROOT / "statetracker" / test.parent.relative_to(TESTS)
    words = test.stem.removeprefix("test_").split("_")
    return any((room / f"{'_'.join(words[:n])}.py").is_file() for n in range(1, len(words) + 1))


def test_a_test_in_a_room_is_named_after_a_module_or_listed() -> None:
    tests = [test for test in TESTS.rglob("test_*.py") if test.relative_to(TESTS).parts[0] not in OTHER]
    alone = {test.relative_to(TESTS).as_posix() for test in tests if test.parent != TESTS and not mirrored(test)}
    listed = {f"{room}/test_{name}.py" for room, names in ACROSS.items() for name in names.split()}
    assert alone == listed, "name it after a module, move it to tests/integration, or list it"
    folders = {test.parent.relative_to(TESTS) for test in tests}
    assert [folder for folder in folders if not (ROOT / "statetracker" / folder).is_dir()] == []
