"""Everything this library raises on purpose.

One root, a shallow tree::

    StateTrackerError
    ├── ArgumentError (also ValueError)   a value the caller gave cannot be used
    │   ├── UnknownName                   ... because nothing of that name or number exists
    │   ├── SurfaceRefused                ... because no hardware surface is like that
    │   └── AmbiguousName                 ... because several things answer to it
    ├── GLError                           a GL call was wrong; raised only by a strict gl.Context
    ├── UnmodelledCall (also AttributeError)   a GL call this library knows nothing about
    ├── DriverError                       a driver's callback raised, or made nothing
    ├── InvalidCallOrder                  a call that makes no sense now: a restore without a save, a use after destroy
    ├── FileError                         a file could not be read as what it should be
    │   ├── RecordingError                ... a recording of GL calls
    │   ├── ScreenError                   ... a description of a screen
    │   └── InputTooLarge                 ... because it passes a limit of reading
    ├── ModuleError                       a SPIR-V module is broken
    │   └── NotLowered                    ... or sound, and holds what cannot be lowered
    ├── WorkerLost                        a part of a run killed each process that it was given to
    ├── MissingExtra (also ImportError)   a part that needs an optional package
    ├── BrokenInstallation (also ImportError)   a file of this library is missing, or another project's
    └── LiveError                         a C library or a device of this machine failed
        ├── LibraryMissing                ... the library is not there
        ├── WrongLibrary                  ... what is there is another library
        ├── SamplerLimitExceeded          ... a limit of the device, or a budget below it, would be passed
        ├── NoDevice                      ... it has no device, display or context that would do
        └── CallFailed                    ... one of its calls answered with an error code
            └── DeviceLost                ... the device is gone; everything made on it is lost

Every error carries what it says as attributes (``field``, ``value``, ``accepted``, ``hint``), so that a
program can act on it without reading the text.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "AmbiguousName",
    "ArgumentError",
    "BrokenInstallation",
    "CallFailed",
    "DeviceLost",
    "DriverError",
    "FileError",
    "GLError",
    "InputTooLarge",
    "InvalidCallOrder",
    "LibraryMissing",
    "LiveError",
    "MissingExtra",
    "ModuleError",
    "NoDevice",
    "NotLowered",
    "RecordingError",
    "SamplerLimitExceeded",
    "ScreenError",
    "StateTrackerError",
    "SurfaceRefused",
    "UnknownName",
    "UnmodelledCall",
    "WorkerLost",
    "WrongLibrary",
]


#: Characters of a value that a message shows.
_SHOWN: Final = 300


def _shown(value: object) -> str:
    """Show a value as Python does, a long one shortened; not thousands of digits, or lists too deep."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"<{type(value).__name__} that is too large to be shown>"
    if len(text) <= _SHOWN:
        return text
    return f"{text[: _SHOWN * 2 // 3]} ... {text[-_SHOWN // 6 :]} ({len(text):,} characters)"


def _restored(kind: type[StateTrackerError], arguments: tuple[object, ...]) -> StateTrackerError:
    return kind.__new__(kind, *arguments)


class StateTrackerError(Exception):
    """The root: what was wrong, with which value, what would have been accepted, and what to do.

    Args:
        field: What was wrong: an argument, a member, a vocabulary, a library.
        value: What was given, or None where there is none to show; the text shows 300 characters of it.
        accepted: What would have been accepted, in words; empty: the text leaves it out.
        hint: What to do about it, a sentence; empty: the text leaves it out.
    """

    def __init__(self, field: str, value: object = None, *, accepted: str = "", hint: str = "") -> None:
        super().__init__(field, value)
        self.field = field
        self.value = value
        self.accepted = accepted
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and unpickle with all that it carries: a worker process can raise it."""
        return _restored, (type(self), self.args), self.__dict__

    def subject(self) -> str:
        """Say what was wrong, without the way out."""
        return f"{self.field}={_shown(self.value)} cannot be used"

    def __str__(self) -> str:
        """One line: the subject, what is accepted, what to do."""
        text = self.subject()
        if self.accepted:
            text += f"; accepted: {self.accepted}"
        return f"{text}. {self.hint}" if self.hint else text


#: What Vulkan and WebGPU call a field, without dashes -> what it is here.
_ELSEWHERE: Final = {
    "addressmode": ("wrap",),
    "addressmodeu": ("wrap-s",),
    "addressmodev": ("wrap-t",),
    "addressmodew": ("wrap-r",),
    "anisotropy": ("force-anisotropy", "max-anisotropy"),
    "compare": ("compare-func",),
    "compareop": ("compare-func",),
    "lodminclamp": ("min-lod",),
    "lodmaxclamp": ("max-lod",),
    "mipmapfilter": ("force-mip-filter", "min-filter"),
    "mipmapmode": ("force-mip-filter", "min-filter"),
    "miplodbias": ("force-lod-bias", "lod-bias"),
}


class ArgumentError(StateTrackerError, ValueError):
    """A value given by the caller cannot be used.

    Where no hint is given, the text asks for the accepted word that is nearest to a wrong one.
    """

    def __str__(self) -> str:
        """One line, with the nearest accepted word if there is no hint."""
        text = super().__str__()
        near = "" if self.hint else self.nearest
        return f"{text}. Did you mean {near!r}?" if near else text

    @property
    def nearest(self) -> str:
        """The accepted word that is most like the value, whatever the case and the dashes; empty without one."""
        if not isinstance(self.value, str) or len(self.value) > _SHOWN:
            return ""
        from difflib import get_close_matches

        words = [word.strip("'") for word in self.accepted.split(", ")]
        plain = {word.lower().replace("_", "-"): word for word in words if " " not in word}
        value = self.value.lower().replace("_", "-")
        same = [word for word in _ELSEWHERE.get(value.replace("-", ""), ()) if word in plain]
        close = same or get_close_matches(value, plain, n=1)
        return plain[close[0]] if close else ""


class UnknownName(ArgumentError):
    """Nothing of that name or number exists."""

    def subject(self) -> str:
        """Name the vocabulary and the unknown word."""
        return f"{self.field}: {_shown(self.value)} is not known"


class SurfaceRefused(ArgumentError):
    """No hardware surface is like that: ``reason`` names the rule, a row of `statetracker.surface.REFUSALS`."""

    def __init__(self, reason: str, field: str, value: object, *, accepted: str = "", hint: str = "") -> None:
        super().__init__(field, value, accepted=accepted, hint=hint)
        self.reason = reason

    def subject(self) -> str:
        """``no surface (pitch_too_large): row_pitch_B=262272 cannot be used``."""
        return f"no surface ({self.reason}): {super().subject()}"


class AmbiguousName(ArgumentError):
    """Several things answer to a name; ``candidates`` has the names of all.

    Args:
        field: What was looked up.
        value: The name.
        candidates: The names of all that answer to it.
        shown: How many of them the text lists, at most.
    """

    def __init__(self, field: str, value: object, *, candidates: tuple[str, ...], shown: int = 12) -> None:
        more = f" and {len(candidates) - shown} more" if len(candidates) > shown else ""
        super().__init__(field, value, accepted=f"one of {', '.join(candidates[:shown])}{more}")
        self.candidates = candidates

    def subject(self) -> str:
        """Name the vocabulary, the word, and how many answer to it."""
        return f"{self.field}: {_shown(self.value)} fits {len(self.candidates)}"


class GLError(StateTrackerError):
    """A GL call was wrong: ``error`` is the GL error's name, ``call`` the function, ``message`` what was wrong."""

    def __init__(self, error: str, call: str, message: str) -> None:
        super().__init__(call, error, hint=message)
        self.error = error
        self.call = call
        self.message = message

    def __str__(self) -> str:
        """``GL_INVALID_ENUM in glTexParameteri: ...``."""
        return f"{self.error} in {self.call}: {self.message}"


class UnmodelledCall(StateTrackerError, AttributeError):
    """A GL call this library knows nothing about: called by name, or as a method that a context does not have."""

    def subject(self) -> str:
        """Name the call."""
        return f"{self.value} is not a modelled GL call"


class DriverError(StateTrackerError):
    """A driver's callback raised (``__cause__`` is what it raised), or gave no handle.

    ``call`` is the callback, ``problem`` what it did, ``handles`` the handles it was called with: for a delete, those
    that may still exist in the driver.
    """

    def __init__(self, call: str, problem: str, *, handles: tuple[object, ...] = (), hint: str = "") -> None:
        super().__init__("driver", call, hint=hint)
        self.call = call
        self.problem = problem
        self.handles = handles

    def subject(self) -> str:
        """Say which callback did what."""
        return f"the driver's {self.call} {self.problem}"


class InvalidCallOrder(StateTrackerError):
    """A call that makes no sense now; ``problem`` says why, ``hint`` what has to come first."""

    def __init__(self, call: str, problem: str, *, hint: str = "") -> None:
        super().__init__("call", call, hint=hint)
        self.call = call
        self.problem = problem

    def subject(self) -> str:
        """Name the call and what is in its way."""
        return f"{self.call} cannot be called now: {self.problem}"


class FileError(StateTrackerError):
    """A file could not be read; ``file`` and ``line`` (from 1, None for the whole file) say where, ``problem`` why."""

    def __init__(self, file: str, line: int | None, problem: str, *, hint: str = "") -> None:
        text = "\n" in file and problem.startswith("cannot be ")
        super().__init__("file", file, hint="This is a text; pass the name of a file that has it" if text else hint)
        self.file = file
        self.line = line
        self.problem = problem

    def subject(self) -> str:
        """``cases.jsonl:7: problem``."""
        file = _shown(self.file) if "\n" in self.file else self.file
        place = file if self.line is None else f"{file}:{self.line}"
        return f"{place}: {self.problem}"


class RecordingError(FileError):
    """A recording of GL calls that is damaged, or is no recording."""


class ScreenError(FileError):
    """A description of a screen that is damaged, or is none."""


class InputTooLarge(FileError):
    """A file that passes a limit of `statetracker.unpacking`: a line too long, or a packed file that grows too much."""


class ModuleError(StateTrackerError):
    """A SPIR-V module that is broken: ``offset`` is the word (from 0, the header's first), ``instruction`` its name.

    Args:
        offset: The word at fault, from 0, the header's first.
        problem: What is wrong with it, in words.
        instruction: Its name, or empty.
        hint: What to do about it.
    """

    def __init__(self, offset: int, problem: str, *, instruction: str = "", hint: str = "") -> None:
        super().__init__("module", offset, hint=hint)
        self.offset = offset
        self.problem = problem
        self.instruction = instruction

    def subject(self) -> str:
        """``word 17 (OpLoad): problem``."""
        place = f"word {self.offset}" + (f" ({self.instruction})" if self.instruction else "")
        return f"{place}: {self.problem}"


class NotLowered(ModuleError):
    """A sound SPIR-V module holds what cannot be lowered; ``hint`` says how to write it otherwise."""


class WorkerLost(StateTrackerError):
    """A part of a run that could not be done: ``part`` is its id, ``problem`` what became of it.

    What the others gave is kept where the run keeps results.
    """

    def __init__(self, part: str, problem: str, *, hint: str = "") -> None:
        super().__init__("part", part, hint=hint)
        self.part = part
        self.problem = problem

    def subject(self) -> str:
        """``part 'space 3': its process died 3 times``."""
        return f"part {self.part!r}: {self.problem}"


class MissingExtra(StateTrackerError, ImportError):
    """A part that needs an optional package; ``hint`` is the command that installs it.

    Args:
        part: What needs it, in words.
        package: As PyPI has it.
        extra: Of this library, which brings it.
    """

    def __init__(self, part: str, package: str, extra: str) -> None:
        super().__init__(part, package, hint=f"Install it with: pip install {package}")
        self.package = package
        self.extra = extra

    def subject(self) -> str:
        """Name the part and the package."""
        return f"{self.field} needs the package {self.package}"


class BrokenInstallation(StateTrackerError, ImportError):
    """A file of this library is missing or was overwritten, as by another project named ``statetracker``."""

    def __init__(self, file: str, *, hint: str = "") -> None:
        super().__init__("file", file, hint=hint)
        self.file = file

    def subject(self) -> str:
        """Name the file and what is wrong with it."""
        return f"{self.file} is missing, or is not gallium-statetracker's"


class LiveError(StateTrackerError):
    """A C library or a device of this machine failed; ``hint`` says what to install or try.

    Args:
        library: ``Vulkan``, ``EGL``.
        problem: What it could not do.
        value: What it was given or answered, or None.
        hint: What to install or try.
    """

    def __init__(self, library: str, problem: str, *, value: object = None, hint: str = "") -> None:
        super().__init__(library, value, hint=hint)
        self.library = library
        self.problem = problem

    def subject(self) -> str:
        """``Vulkan: no device``."""
        return f"{self.library}: {self.problem}"


class LibraryMissing(LiveError):
    """The library is at none of the places; ``tried`` lists them, ``package`` is Debian's name for it.

    Args:
        library: ``Vulkan``, ``EGL``.
        tried: The places.
        package: Debian's package that brings it.
        reason: What the dynamic linker said of the last place; empty: nothing.
    """

    def __init__(self, library: str, tried: tuple[str, ...], *, package: str, reason: str = "") -> None:
        places = ", ".join(tried)
        why = f" ({reason})" if reason else ""
        super().__init__(
            library,
            f"there is no library; tried {places}{why}",
            value=tried,
            hint=f"Debian, Ubuntu: apt-get install {package}",
        )
        self.tried = tried
        self.package = package


class WrongLibrary(LiveError):
    """A file that is a library, but of another kind: the functions that make it this one are missing."""


class NoDevice(LiveError):
    """The library is there; the device, display or kind of context that was requested is not."""


class SamplerLimitExceeded(LiveError):
    """One more would pass a limit of the device, or the budget set below it; nothing was made.

    ``what`` is counted, ``live`` is how many there are, ``budget`` how many there may be.
    """

    def __init__(self, what: str, live: int, budget: int, *, library: str = "Vulkan", hint: str = "") -> None:
        hint = hint or "Delete some first; a cache with max_size=driver.max_states does it in time"
        super().__init__(library, f"{live} of {budget} {what} exist, one more is too many", value=live, hint=hint)
        self.what = what
        self.live = live
        self.budget = budget


class CallFailed(LiveError):
    """A call of the library answered with an error; ``call`` is its name, ``code`` the answer's name or number."""

    def __init__(self, library: str, call: str, code: str | int, *, hint: str = "") -> None:
        super().__init__(library, f"{call} answered {code}", value=code, hint=hint)
        self.call = call
        self.code = code


class DeviceLost(CallFailed):
    """The device is gone, and with it everything that was made on it."""
