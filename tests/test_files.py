"""`statetracker.files`: a file is written whole, or what was there before stays; tables are read without remarks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from statetracker.errors import FileError
from statetracker.files import csv_rows, file_errors, uninterrupted, write_whole, written_whole

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("before", [None, b"before"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_what_is_not_written_to_its_end_leaves_what_was_there(
    tmp_path: Path, before: bytes | None, error: BaseException
) -> None:
    place = tmp_path / "a.bin"
    if before is not None:
        place.write_bytes(before)

    def write() -> None:
        with written_whole(place) as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(type(error)):
        write()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_link_stays_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    place, link = tmp_path / "a.bin", tmp_path / "link"
    place.touch(mode=0o640)
    link.symlink_to(place)
    write_whole(link, b"new")
    assert (link.is_symlink(), place.read_bytes(), place.stat().st_mode & 0o777) == (True, b"new", 0o640)


def test_a_new_file_has_the_permissions_that_any_other_gets(tmp_path: Path) -> None:
    write_whole(tmp_path / "ours", b"")
    (tmp_path / "any").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_pipes_and_devices_are_written_to_directly(tmp_path: Path) -> None:
    code = "import sys; from statetracker.files import write_whole; write_whole(sys.argv[1], b'whole')"
    for name in ("/dev/stdout", "/dev/fd/1"):
        assert subprocess.check_output([sys.executable, "-c", code, name], cwd=ROOT) == b"whole"
        with (tmp_path / "out").open("wb") as out:
            subprocess.check_call([sys.executable, "-c", code, name], cwd=ROOT, stdout=out)
        assert (tmp_path / "out").read_bytes() == b"whole"
    os.mkfifo(fifo := tmp_path / "fifo")  # no device of the machine: a fault in what is tested would replace it
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(fifo, b"gone")
    assert (os.read(reader, 9), fifo.is_fifo()) == (b"gone", True)
    os.close(reader)


def test_a_name_as_long_as_names_may_be_is_written(tmp_path: Path) -> None:
    write_whole(tmp_path / ("n" * 255), b"x")
    assert [len(path.name) for path in tmp_path.iterdir()] == [255]


@pytest.mark.parametrize("place", ["", "nowhere/a.bin"])
def test_what_cannot_be_a_file_is_an_os_error(tmp_path: Path, place: str) -> None:
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / place, b"x")


@pytest.mark.parametrize("error", [None, OSError("disk full")])
def test_an_interrupt_waits_until_the_block_has_ended(error: OSError | None) -> None:
    done, handler = [], signal.getsignal(signal.SIGINT)

    def work() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("block")
            if error is not None:
                raise error
        done.append("after")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["block"]
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_signal_that_ends_the_process_or_is_ignored_still_does_and_is() -> None:
    code = (
        "import signal; from statetracker.files import uninterrupted\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "with uninterrupted():\n"
        "    signal.raise_signal(signal.SIGINT); signal.raise_signal(signal.SIGTERM)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == -signal.SIGTERM


def test_other_threads_hold_nothing_back() -> None:
    seen = []

    def work() -> None:
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_what_the_system_says_of_a_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="none: cannot be read: No such file or directory"), file_errors("none", "read"):
        (tmp_path / "none").read_bytes()


def test_remarks_of_a_table_are_no_rows(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("# What it is.\nname,number\n# A kind.\nNONE,0\n")
    assert csv_rows(table) == [{"name": "NONE", "number": "0"}]
