"""Where a test stands: tests/<room>/test_x.py is of statetracker/<room>/x.py."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
TESTS: Final = ROOT / "tests"

#: Folders of tests that are of no room: of several at once, and what tests read.
OTHER: Final = {"integration", "data"}

#: Tests in a room that are of several of its modules -> what they are about.
ACROSS: Final = {
    "geometry/allocator/test_exact.py": "the allocator beside an exact solver",
    "geometry/test_certificate.py": "certificates of whole decisions",
    "geometry/shader/test_families.py": "shaders by family",
    "geometry/shader/test_random.py": "random shaders",
    "cli/test_limits.py": "limits of reading",
    "geometry/shader/test_shaders.py": "real shaders",
    "geometry/shader/test_snippets.py": "forms of code, each in a small shader",
    "replay/test_damaged_calls.py": "calls with damage",
    "replay/test_gles.py": "GLES contexts",
    "replay/test_releases.py": "recordings of releases",
    "sampler/test_dialect_differences.py": "what differs between releases",
    "sampler/test_traps.py": "where a port goes wrong",
    "sampler/test_worked_examples.py": "the worked examples",
    "shader/test_bad_requests.py": "requests that cannot be met",
    "shader/test_cost.py": "samples of each form",
    "shader/test_damage.py": "damaged modules",
    "shader/test_dynamic.py": "states that are read of the block",
    "shader/test_examples.py": "the worked examples",
    "shader/test_generated.py": "generated shaders",
    "shader/test_linkage.py": "modules that other modules are linked with",
    "shader/test_offsets.py": "offsets folded into coordinates",
    "shader/test_remarks.py": "what is said to be inexact",
    "shader/test_residency.py": "residency codes of several samples",
    "shader/test_traps.py": "where a lowering goes wrong",
    "gl/test_calls_live.py": "tools/proofs/gl_calls",
    "vulkan/test_host_live.py": "a host with the vulkan package",
    "vulkan/test_live.py": "tools/proofs/vulkan_live",
    "vulkan/test_pairs.py": "what zink was recorded to make",
    "vulkan/test_properties.py": "what holds for every device, record and view",
    "vulkan/test_boundary.py": "states in which every pair of values meets",
    "vulkan/test_what_went_wrong.py": "what went wrong elsewhere",
}


def mirrored(test: Path) -> bool:
    """Whether a test is named after a module, with or without an aspect: test_context, test_context_threads."""
    room = ROOT / "statetracker" / test.parent.relative_to(TESTS)
    words = test.stem.removeprefix("test_").split("_")
    return any((room / f"{'_'.join(words[:n])}.py").is_file() for n in range(1, len(words) + 1))


def room_tests() -> list[Path]:
    return [
        test
        for test in TESTS.rglob("test_*.py")
        if test.parent != TESTS and test.relative_to(TESTS).parts[0] not in OTHER
    ]


def test_a_test_in_a_room_is_named_after_a_module_or_listed() -> None:
    alone = {test.relative_to(TESTS).as_posix() for test in room_tests() if not mirrored(test)}
    assert alone == set(ACROSS), "name it after a module, move it to tests/integration, or list it"


def test_a_folder_of_tests_is_named_after_a_room() -> None:
    folders = {test.parent.relative_to(TESTS).as_posix() for test in room_tests()}
    assert [name for name in folders if not (ROOT / "statetracker" / name).is_dir()] == []
