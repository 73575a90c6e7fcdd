"""A conversion under test: a function of Python, or a program that answers lines of JSON.

Both are asked the same way, and nothing that they do is an exception here: a function that raises, a program that ends,
hangs or gives an invalid answer gives a `Failure`.
"""

from __future__ import annotations

import inspect
import shlex
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from statetracker.conformance.agreement import ANSWERS, of_info
from statetracker.conformance.live import Child, Failure
from statetracker.conformance.states import UNIT_OPTIONS
from statetracker.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statetracker.caps import Screen
    from statetracker.conformance.states import State

    Convert: TypeAlias = Callable[..., Any]


class Function:
    """A function: (sampler, texture, screen), and of ``unit_lod_bias``, ``seamless`` and ``glsl130`` what it names.

    ``name`` is for people, ``options`` what it reads of a unit; `Program` has the same.

    Args:
        convert: The function.
        name: For people; empty: the function's own.

    Raises:
        ArgumentError: It cannot be called.
    """

    def __init__(self, convert: Convert, name: str = "") -> None:
        if not callable(convert):
            raise ArgumentError("convert", convert, accepted="a function of a sampler, a texture and a screen")
        self.name = name or getattr(convert, "__name__", type(convert).__name__)
        self.options = _options(convert)
        self._convert = convert

    def ask(self, state: State, screen: Screen, compare: str) -> Any:  # noqa: ARG002 (a function knows what it gives)
        """Call it, with copies; ``NotImplemented`` where it passes the state over, or a `Failure`."""
        try:
            return self._convert(state.sampler.copy(), state.texture.copy(), screen, **state.unit)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (anybody's function)
            last = traceback.extract_tb(error.__traceback__)[-1]
            text = " ".join(str(error).split())[:200]
            where = f"{Path(last.filename).name}:{last.lineno}"
            return Failure("raised", f"{type(error).__name__}: {text} ({where}, in {last.name})")

    def close(self) -> None:
        """Nothing was started."""


class Program:
    """A program: a line of JSON in for each state, a line with the same ``id`` out (docs/your_code.md).

    It is started when it is first asked, and again after it ended or was ended.

    Args:
        command: As a shell would split it, or in parts.
        limit_s: Seconds that an answer may take.

    Raises:
        ArgumentError: An empty command, or one with a quote that is not closed.
    """

    def __init__(self, command: str | Sequence[str], *, limit_s: float = 20.0) -> None:
        try:
            self._command = shlex.split(command) if isinstance(command, str) else [*command]
        except ValueError as error:
            raise ArgumentError("command", command, accepted="words as a shell has them", hint=f"({error})") from None
        if not self._command:
            raise ArgumentError("command", command, accepted="a program, and perhaps its arguments")
        self.name = Path(self._command[0]).name
        self.options = frozenset(UNIT_OPTIONS)
        self._child = Child(self._command, limit_s=limit_s)
        self._asked = 0

    def ask(self, state: State, screen: Screen, compare: str) -> Any:
        """Send it a state; raises `ArgumentError` where it cannot be started.

        Args:
            state: As `strategies.states` makes them.
            screen: By whose name it is to answer.
            compare: What of the answer is compared, as `check_case` has it.
        """
        self._asked += 1
        case = {"id": self._asked, "screen": screen.name, "compare": compare, **state.to_dict()}
        try:
            answer = self._child.ask(case)
        except OSError as error:
            raise ArgumentError("command", self._command[0], accepted="a program", hint=f"({error.strerror})") from None
        if isinstance(answer, Failure):
            return answer
        if answer.get("skipped"):
            return NotImplemented
        names = [ANSWERS[compare]] if compare in ANSWERS else ["info"] if of_info(compare) else ["fields", "state"]
        for name in names:
            if name in answer:
                return answer[name]
        return Failure("invalid answer", f"an answer without {names[0]!r}; it has {', '.join(map(repr, answer))[:80]}")

    def close(self) -> None:
        """End the process."""
        self._child.close()


#: A conversion under test.
Candidate: TypeAlias = Function | Program


def function_named(name: str) -> Function:
    """Import a function by ``package.module:name``, from the current folder too; raises `ArgumentError`."""
    module, _, attribute = name.partition(":")
    wanted = "package.module:function"
    if not module or not attribute:
        raise ArgumentError("convert", name, accepted=wanted)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        loaded: Any = import_module(module)
        for part in attribute.split("."):
            loaded = getattr(loaded, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (anybody's module)
        raise ArgumentError("convert", name, accepted=wanted, hint=f"({type(error).__name__}: {error})") from None
    return Function(loaded, name)


def _options(convert: Convert) -> frozenset[str]:
    """Return what a function reads of a unit: the options that it names, all of them where it takes any."""
    try:
        parameters = inspect.signature(convert).parameters
    except (TypeError, ValueError):  # one of C
        return frozenset()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return frozenset(UNIT_OPTIONS)
    return frozenset(UNIT_OPTIONS) & parameters.keys()
