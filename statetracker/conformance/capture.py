"""Following a capture of Vulkan calls while the program that is captured runs: which samplers it creates.

`layered` gives the environment that loads gfxreconstruct's capture layer; `CaptureTail` follows its file, with exact
bits. `InfoTail` says which samplers belong to which state of the trace: a state that is made makes its sampler before
the call returns, and perhaps a second one. Source: docs/conformance.md (gfxreconstruct 0.9.18).
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct, pack, unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_formats import format_name
from statetracker.conformance.pipe_tail import Tail
from statetracker.errors import FileError
from statetracker.frontend.vulkan_view import plain
from statetracker.vulkan import enums as vk
from statetracker.vulkan.enums import vk_name
from statetracker.vulkan.info import MEMBERS
from statetracker.vulkan.ranges import ColorRange, into_range
from statetracker.vulkan.reading import CHAINED, CREATE_INFO, CREATE_INFO_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LAYER: Final = "VK_LAYER_LUNARG_gfxreconstruct"
FILE_VARIABLE: Final = "GFXRECON_CAPTURE_FILE"
_LAYERS: Final = "VK_INSTANCE_LAYERS"

_MAGIC: Final = b"GFXR"
_START: Final = Struct("<4sIII")  # magic, version, and how many options
_OPTION: Final = Struct("<II")
_COMPRESSION: Final = 1
_BLOCK: Final = Struct("<QI")  # bytes after these, type
_FUNCTION: Final = 4
_CALL: Final = Struct("<IQ")  # function, thread
_CREATE_SAMPLER: Final = 0x11046
_NULL: Final = 0x01  # of a pointer's attributes

_UNIT: Final = ColorRange("float", ((0.0, 1.0),) * 4)
#: Number of a structure's type -> its name, and what `CHAINED` calls it.
_CHAINED: Final = {number: (name, what) for name, (number, what) in CHAINED.items()}


class Created(NamedTuple):
    """One vkCreateSampler.

    Attributes:
        info: The create info as `plain` gives it.
        result: The VkResult's number.
    """

    info: dict[str, Any]
    result: int


def layered(file: str, before: str = "") -> dict[str, str]:
    """Return the variables with which a process is captured.

    Where the layer is not installed, the loader goes on without it, and no file is written.

    Args:
        file: What is written.
        before: What VK_INSTANCE_LAYERS says already; those layers stay.
    """
    return {
        _LAYERS: f"{before}:{LAYER}" if before else LAYER,
        FILE_VARIABLE: file,
        "GFXRECON_CAPTURE_FILE_TIMESTAMP": "false",
        "GFXRECON_CAPTURE_FILE_FLUSH": "true",  # every call is in the file when it returns
        "GFXRECON_CAPTURE_COMPRESSION_TYPE": "NONE",
        "GFXRECON_MEMORY_TRACKING_MODE": "assisted",  # watches no pages, so a crash is the driver's
        "GFXRECON_LOG_LEVEL": "error",
    }


class CaptureTail(Tail):
    """Reads a capture as it grows. Raises `FileError` for a file that is none, or is compressed.

    The file need not be there yet.
    """

    @property
    def exists(self) -> bool:
        """True where the layer has started to write; it may not be installed."""
        return Path(self.path).is_file()

    def new(self) -> list[Created]:
        """Return the samplers created by the complete calls written since the last time, in order."""
        if not self.exists:
            return []
        data, at = self.unread(), 0
        if not self._place:
            at = self._start(data)
            if not at:
                return []
        created = []
        while at + _BLOCK.size <= len(data):
            size, kind = _BLOCK.unpack_from(data, at)
            end = at + _BLOCK.size + size
            if end > len(data):
                break
            first = at + _BLOCK.size
            if kind == _FUNCTION and _CALL.unpack_from(data, first)[0] == _CREATE_SAMPLER:
                created.append(_created(data[first + _CALL.size : end], self.path))
            at = end
        self._place += at
        return created

    def _start(self, data: bytes) -> int:
        """Return the bytes of the file's header; 0 where it is not yet whole."""
        if len(data) < _START.size:
            return 0
        magic, _, _, options = _START.unpack_from(data)
        if magic != _MAGIC:
            raise FileError(self.path, None, f"is no capture of Vulkan calls: it begins with {magic!r}, not {_MAGIC!r}")
        end = _START.size + options * _OPTION.size
        for place in range(_START.size, min(end, len(data) - _OPTION.size + 1), _OPTION.size):
            option, value = _OPTION.unpack_from(data, place)
            if option == _COMPRESSION and value:
                raise FileError(self.path, None, "is a compressed capture; GFXRECON_CAPTURE_COMPRESSION_TYPE=NONE")
        return end if end <= len(data) else 0


def _created(data: bytes, path: str) -> Created:
    """Read a call's arguments, which are words one after another."""
    words = iter(unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))
    _wide(words)  # the device
    if not _pointed(words) or next(words, 0) != CREATE_INFO_NUMBER:
        raise FileError(path, None, "vkCreateSampler without a VkSamplerCreateInfo")
    info: dict[str, Any] = {"sType": CREATE_INFO, "pNext": _chain(words, path)}
    for member in MEMBERS:
        word = next(words, 0)
        if member.type is float:
            (info[member.name],) = unpack("<f", pack("<I", word))
        else:
            info[member.name] = word if member.type is int else vk_name(member.type, word)
    return Created(plain(info), int.from_bytes(data[-4:], "little", signed=True))


def _chain(words: Iterator[int], path: str) -> dict[str, Any] | None:
    if not _pointed(words):
        return None
    kind = next(words, 0)
    name, what = _CHAINED.get(kind, ("", ""))
    struct: dict[str, Any] = {"sType": name, "pNext": _chain(words, path)}
    if what == "reduction":
        return struct | {"reductionMode": vk_name(vk.SamplerReductionMode, next(words, 0))}
    if what == "custom":
        _pointed(words)
        _wide(words)  # how many words there are
        colour = [next(words, 0) for _ in range(4)]
        return struct | {"customBorderColor": {"uint32": colour}, "format": f"VK_FORMAT_{format_name(next(words, 0))}"}
    raise FileError(path, None, f"vkCreateSampler with a chained structure of type {kind}, which is not known here")


def _wide(words: Iterator[int]) -> None:
    """Pass over 64 bits."""
    next(words, 0)
    next(words, 0)


def _pointed(words: Iterator[int]) -> bool:
    """Take a pointer's attributes and address; whether it is not null."""
    if next(words, 0) & _NULL:
        return False
    _wide(words)
    return True


class InfoTail(CaptureTail):
    """Follows a capture beside the trace; ``of`` gives what a handle was made with.

    What is in the capture at the start is left out: the driver's internal samplers.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._made: dict[int, list[Created]] = {}
        self.new()

    def follow(self, handles: Sequence[int]) -> str:
        """Take the samplers made since the last time for these new states, in order; a sentence if they do not fit."""
        created = self.new()
        pairs = paired(created, len(handles))
        if pairs is None:
            return f"{len(handles)} states were made, and {len(created)} samplers"
        self._made |= dict(zip(handles, pairs, strict=True))
        return ""

    def of(self, handle: int) -> dict[str, Any]:
        """Return the members of a case that a state's samplers give: ``vk``, and ``vk_result`` where one failed."""
        made = self._made.get(handle)
        if made is None:
            return {}
        failed = [one.result for one in made if one.result]
        return {"vk": [one.info for one in made]} | ({"vk_result": failed[0]} if failed else {})


def paired(made: Sequence[Created], states: int) -> list[list[Created]] | None:
    """Share samplers out among states, in order: one each, and second ones to the state before; None if impossible."""
    spare = len(made) - states
    groups: list[list[Created]] = []
    for one in made:
        if spare > 0 and groups and len(groups[-1]) == 1 and is_second(one.info, groups[-1][0].info):
            groups[-1].append(one)
            spare -= 1
        else:
            groups.append([one])
    return groups if len(groups) == states else None


def is_second(info: dict[str, Any], first: dict[str, Any]) -> bool:
    """Return whether an info may be the second sampler's: the first's, with its clamped red in all channels."""
    mine, other = _words(info), _words(first)
    if mine is None or other is None:
        return False
    same = all(info[name] == value for name, value in first.items() if name != "pNext")
    return same and tuple(mine) == into_range(_UNIT, other[:1] * 4)


def _words(info: dict[str, Any]) -> list[int] | None:
    part = info["pNext"]
    while part is not None and "customBorderColor" not in part:
        part = part["pNext"]
    return None if part is None else part["customBorderColor"]["uint32"]
