"""The parent's side of a live run: workers with time limits, replaced when one crashes, hangs or answers wrongly.

A worker serves `PER_PROCESS` cases, then a new one is started: GL's counters of a process start again there, as in
recorded files. A driver that crashes, hangs or gives an invalid answer loses one case, which becomes a `Failure`; the
run goes on with a new worker.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, TypeAlias, cast

from statetracker.caps import Screen
from statetracker.conformance.drivers import Driver, environment
from statetracker.conformance.judge import Judge, Verdict
from statetracker.errors import LiveError, NoDevice
from statetracker.files import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

#: Cases that one worker serves: what recorded files count, too.
PER_PROCESS: Final = 150
_START_S: Final = 60.0
#: Eleven days; a selector takes no times that are much longer, nor infinite ones.
_FOREVER_S: Final = 1e6
_LONGEST: Final = 1 << 20
_SIGNALS: Final = {4: "illegal instruction", 6: "abort", 8: "arithmetic", 9: "killed", 11: "segmentation fault"}


class Failure(NamedTuple):
    """A case that a driver or a conversion under test did not survive.

    Attributes:
        kind: ``crash``, ``hang``, ``invalid answer``, ``refused`` (it says that it cannot run the case), or ``raised``.
        detail: What was seen: a signal, a time, the first of what it printed.
    """

    kind: str
    detail: str


class Answer(NamedTuple):
    """One case: with the driver's answers, or with its failure."""

    place: int
    case: dict[str, Any]
    failure: Failure | None = None


#: An answer, and how it compares; a failure has no verdict.
Judged: TypeAlias = tuple[Answer, Verdict | None]


class _Dead(Exception):
    """A worker that will not answer any more."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class Child:
    """A process that answers lines of JSON with lines of JSON, one a case, each within a time.

    It is started when it is first asked, and again after it was lost or ended.

    Args:
        command: The program and its arguments.
        limit_s: Seconds that an answer may take.
        folder: For what it prints to standard error.
        env: Its environment; None: this process's.
    """

    #: What it is called in a failure.
    name: ClassVar[str] = "the program"

    def __init__(
        self, command: Sequence[str], *, limit_s: float, folder: str | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self.limit_s = min(_FOREVER_S, limit_s)
        self._command, self._folder, self._env = [*command], folder, env
        self._process: subprocess.Popen[bytes] | None = None
        self._input: IO[bytes]
        self._output: IO[bytes]

    def start(self) -> None:
        """Start it; raises `OSError` where that cannot be done."""
        self._pending = b""
        self._errors = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed with the process)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603 (ours, or what the user asks for)
                self._command, stdin=pipe, stdout=pipe, stderr=self._errors, env=self._env
            )
        except OSError:
            self._errors.close()
            raise
        self._input, self._output = cast("list[IO[bytes]]", [self._process.stdin, self._process.stdout])

    def ask(self, case: dict[str, Any]) -> dict[str, Any] | Failure:
        """Send it a case and wait for the answer, at most ``limit_s`` seconds; raises as `start`."""
        if self._process is None:
            self.start()
        try:
            self._input.write(json.dumps(case).encode() + b"\n")
            self._input.flush()
            answer = self._line(self.limit_s)
        except OSError:
            failure = self._ended().failure
        except _Dead as dead:
            failure = dead.failure
        else:
            if (got := answer.get("id")) == (wanted := case.get("id")):
                return Failure("refused", str(answer["failed"])) if "failed" in answer else answer
            failure = Failure("invalid answer", f"an answer to case {got!r} instead of {wanted!r}")
        self.close()
        return failure

    def close(self) -> None:
        """End it; kill it where it does not exit by itself."""
        if self._process is None:
            return
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(timeout=0.5 if self._process.poll() is None else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        self._errors.close()
        self._process = None

    def _line(self, limit_s: float) -> dict[str, Any]:
        text = self._read_line(limit_s)
        try:
            message = json.loads(text, parse_int=_integer)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise _Dead(Failure("invalid answer", f"{len(text)} bytes that are no answer: {text[:80]!r}"))
        return message

    def _read_line(self, limit_s: float) -> bytes:
        number = self._output.fileno()
        deadline = time.monotonic() + limit_s
        with selectors.DefaultSelector() as selector:
            selector.register(number, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise _Dead(Failure("hang", f"no answer within {limit_s:g} s"))
                part = os.read(number, 1 << 20)
                if not part:
                    raise self._ended()
                self._pending += part
                if len(self._pending) > _LONGEST:
                    raise _Dead(Failure("invalid answer", f"more than {_LONGEST:,} bytes without an end of line"))
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _ended(self) -> _Dead:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return _Dead(Failure("crash", f"{self.name} closed its end of a pipe, and runs on"))
        self._errors.seek(0)
        printed = self._errors.read().decode(errors="replace").strip().splitlines()
        last = f": {printed[-1][:200]}" if printed else ""
        how = f"signal {-code} ({_SIGNALS.get(-code, 'unknown')})" if code < 0 else f"exit code {code}"
        return _Dead(Failure("crash", f"{self.name} ended with {how}{last}"))


class Worker(Child):
    """A child process with a driver, which ``header`` describes; raises `NoDevice` where it cannot be started."""

    name = "the driver's process"

    def __init__(self, driver: Driver, folder: str, *, command: Sequence[str] = (), limit_s: float = 20.0) -> None:
        self.driver, self.header = driver, dict[str, Any]()
        self._files = [Path(folder) / name for name in ("pipe.xml", "vulkan.gfxr")]
        super().__init__(
            command or (*driver.launcher, sys.executable, "-m", "statetracker.conformance.worker"),
            limit_s=limit_s,
            folder=folder,
            env=environment(driver, *map(str, self._files)),
        )

    def start(self) -> None:
        """Start it, and read its header."""
        for file in self._files:
            file.unlink(missing_ok=True)
        try:
            super().start()
        except OSError as error:
            problem = f"{self.driver.name} could not be started: {self._command[0]}: {error.strerror or error}"
            raise NoDevice("Mesa", problem, value=self.driver.name) from None
        try:
            self.header = self._line(max(self.limit_s, _START_S))
        except _Dead as dead:
            self.close()
            hint = f"Debian, Ubuntu: apt-get install {self.driver.packages}"
            problem = f"{self.driver.name} could not be started: {dead.failure.detail}"
            raise NoDevice("Mesa", problem, value=self.driver.name, hint=hint) from None
        except BaseException:
            self.close()
            raise
        if "failed" in self.header:
            self.close()
            hint = str(self.header.get("hint", ""))
            raise NoDevice("Mesa", str(self.header["failed"]), value=self.driver.name, hint=hint)


def _integer(text: str) -> int | float:
    """Return an integer; C prints the float -0.0 as one, too."""
    return -0.0 if text == "-0" else int(text)


def _device_report(renderer: str) -> dict[str, Any]:
    """Return a header's report of the Vulkan device whose name is in a GL renderer's; empty without one."""
    from statetracker.bindings import vulkan

    try:
        with vulkan.Instance() as instance:
            for device in instance.devices():
                if device.name in renderer:
                    return {"vulkan": vulkan.report_of(device)}
    except LiveError:
        pass
    return {}


class LiveRun:
    """Runs cases on one driver; a context manager.

    Args:
        driver: From `drivers.driver`.
        limit_s: Seconds a case may take.
        command: Another program that speaks the worker's language, for tests.
        dialect: Whose rules to compare with; None: the driver's own.

    Raises:
        NoDevice: The driver cannot be started.
    """

    def __init__(
        self, driver: Driver, *, limit_s: float = 20.0, command: Sequence[str] = (), dialect: str | None = None
    ) -> None:
        self.driver = driver
        with uninterrupted():
            self._folder = tempfile.TemporaryDirectory(prefix="statetracker-")
        self._worker = Worker(driver, self._folder.name, command=command, limit_s=limit_s)
        try:
            self._worker.start()
            self.header = self._worker.header
            if not self.header.get("caps"):  # from Mesa 25.0 on the trace has none
                known = Screen.named(driver.screen)
                self.header |= {"caps": dict(known.caps), "capsf": dict(known.capsf), "caps_from": driver.screen}
            if self.header.get("create_infos"):  # they depend on the device
                self.header |= _device_report(str(self.header.get("gl_renderer")))
            self.judge = Judge(self.header, dialect=dialect)
        except BaseException:
            self.close()
            raise

    def run(self, cases: Iterable[dict[str, Any]]) -> Iterator[Answer]:
        """Run cases in order; each gives one `Answer`. ``place`` counts from 0 over the whole run."""
        for place, case in enumerate(cases):
            if place and place % PER_PROCESS == 0:
                self.renew()
            outcome = self._worker.ask(case)
            yield Answer(place, case, outcome) if isinstance(outcome, Failure) else Answer(place, outcome)

    def judged(self, cases: Iterable[dict[str, Any]]) -> Iterator[Judged]:
        """Run cases in order, and compare each."""
        for answer in self.run(cases):
            yield answer, None if answer.failure else self.judge.judge(answer.place % PER_PROCESS, answer.case)

    def renew(self) -> None:
        """End the worker; the next case runs in a new one."""
        self._worker.close()

    def close(self) -> None:
        """End the worker and remove its files."""
        self._worker.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
