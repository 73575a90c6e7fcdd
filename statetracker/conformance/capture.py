"""Following a capture of Vulkan calls while the program that is captured runs: which samplers it creates.

The capture layer of gfxreconstruct (Debian: gfxreconstruct) lies between a driver on top of Vulkan, such as zink, and
the device. `layered` gives the environment that loads it; it writes every call to a file as it happens, and
`CaptureTail` follows that file. Unlike ``gfxrecon-convert``, which prints six decimals, this gives the exact bits.

The file is blocks of a size and a type; that of a function call has the function's number, the thread, and the
arguments in order. A pointer is a word of attributes, its address unless it is null, and what it points at.

Source: docs/conformance.md (gfxreconstruct 0.9.18, files held against ``gfxrecon-convert``).
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.vulkan_names import format_name
from statetracker.errors import FileError
from statetracker.frontend.create_infos import plain
from statetracker.vulkan import enums as vk
from statetracker.vulkan.enums import vk_name

if TYPE_CHECKING:
    from collections.abc import Callable

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

_STYPE: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
_INFO: Final = 31
_CUSTOM: Final = 1000287000
_REDUCTION: Final = 1000130001
_FLOAT: Final = Struct("<f")


class Created(NamedTuple):
    """One vkCreateSampler.

    info     the create info as `plain` gives it
    result   the VkResult's number
    """

    info: dict[str, Any]
    result: int


def layered(file: str, before: str = "") -> dict[str, str]:
    """Give the variables with which a process is captured.

    file     what is written
    before   what VK_INSTANCE_LAYERS says already; those layers stay

    Where the layer is not installed, the loader goes on without it, and no file is written.
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


class CaptureTail:
    """Reads a capture as it grows. Raises `FileError` for a file that is none, or is compressed."""

    def __init__(self, path: str) -> None:
        """Start at the beginning of the file; it need not be there yet."""
        self.path = path
        self._place = 0

    @property
    def exists(self) -> bool:
        """Whether the layer has started to write."""
        return Path(self.path).is_file()

    def new(self) -> list[Created]:
        """The samplers created by the complete calls written since the last time, in order."""
        if not self.exists:
            return []
        with Path(self.path).open("rb") as stream:
            stream.seek(self._place)
            data = stream.read()
        at = 0
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
                created.append(_created(_Reader(data[first + _CALL.size : end]), self.path))
            at = end
        self._place += at
        return created

    def _start(self, data: bytes) -> int:
        """Give the bytes of the file's header; 0 where it is not yet whole."""
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


class _Reader:
    """Takes a call's arguments one after another."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def word(self) -> int:
        self.at += 4
        return int.from_bytes(self.data[self.at - 4 : self.at], "little")

    def number(self) -> float:
        value: float = _FLOAT.unpack(self.word().to_bytes(4, "little"))[0]
        return value

    def wide(self) -> int:
        return self.word() | self.word() << 32

    def pointed(self) -> bool:
        """Take a pointer's attributes and address; whether it is not null."""
        if self.word() & _NULL:
            return False
        self.wide()
        return True


def _created(reader: _Reader, path: str) -> Created:
    reader.wide()  # the device
    if not reader.pointed() or reader.word() != _INFO:
        raise FileError(path, None, "vkCreateSampler without a VkSamplerCreateInfo")
    info = {"sType": f"{_STYPE}CREATE_INFO", "pNext": _chain(reader, path)}
    info |= {name: take(reader) for name, take in _TAKEN.items()}
    result = int.from_bytes(reader.data[-4:], "little", signed=True)
    return Created(plain(info), result)


def _chain(reader: _Reader, path: str) -> dict[str, Any] | None:
    if not reader.pointed():
        return None
    kind = reader.word()
    following = _chain(reader, path)
    if kind == _REDUCTION:
        mode = vk_name(vk.SamplerReductionMode, reader.word())
        return {"sType": f"{_STYPE}REDUCTION_MODE_CREATE_INFO", "pNext": following, "reductionMode": mode}
    if kind == _CUSTOM:
        reader.pointed()
        reader.wide()  # how many words there are
        color = {"uint32": [reader.word() for _ in range(4)]}
        return {
            "sType": f"{_STYPE}CUSTOM_BORDER_COLOR_CREATE_INFO_EXT",
            "pNext": following,
            "customBorderColor": color,
            "format": f"VK_FORMAT_{format_name(reader.word())}",
        }
    raise FileError(path, None, f"vkCreateSampler with a chained structure of type {kind}, which is not known here")


def _enum(enum: Any) -> Callable[[_Reader], Any]:
    return lambda reader: vk_name(enum, reader.word())


# fmt: off
_TAKEN: Final[dict[str, Callable[[_Reader], Any]]] = {
    "flags":                   _Reader.word,
    "magFilter":               _enum(vk.Filter),
    "minFilter":               _enum(vk.Filter),
    "mipmapMode":              _enum(vk.SamplerMipmapMode),
    "addressModeU":            _enum(vk.SamplerAddressMode),
    "addressModeV":            _enum(vk.SamplerAddressMode),
    "addressModeW":            _enum(vk.SamplerAddressMode),
    "mipLodBias":              _Reader.number,
    "anisotropyEnable":        _Reader.word,
    "maxAnisotropy":           _Reader.number,
    "compareEnable":           _Reader.word,
    "compareOp":               _enum(vk.CompareOp),
    "minLod":                  _Reader.number,
    "maxLod":                  _Reader.number,
    "borderColor":             _enum(vk.BorderColor),
    "unnormalizedCoordinates": _Reader.word,
}
# fmt: on
