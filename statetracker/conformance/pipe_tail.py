"""Following Mesa's own trace while the program that writes it runs: which state and view a draw was made with.

Mesa ends every call in the file as it happens, so reading on from the last place gives whole calls.

Source: docs/traces.md (Mesa 22.3.6).
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.pipe import SamplerState
from statetracker.pipe.layout import RECORD_BYTES, WORD0
from statetracker.spellings import OLDER_STAGES
from statetracker.trace.gallium import BindSamplers, CreateSampler, DeleteSampler, Draw, GalliumTrace

if TYPE_CHECKING:
    from collections.abc import Iterator

_END: Final = b"</call>"
_CALL: Final = re.compile(rb"<call no='\d+' class='\w+' method='(\w+)'.*?</call>", re.DOTALL)
_RETURN: Final = re.compile(rb"<ret><ptr>(0x[0-9a-f]+)</ptr></ret>")
_VIEWS: Final = re.compile(rb"<arg name='views'>(.*?)</arg>", re.DOTALL)
_NUMBER: Final = rb"<arg name='%s'><uint>(\d+)</uint>"
_SLOTS: Final = re.compile(rb"<elem>(?:<ptr>(0x[0-9a-f]+)</ptr>|<null/>)</elem>")
_FRAGMENT: Final = re.compile(rb"<arg name='shader'><(enum>\w+_FRAGMENT|uint>%d)<" % OLDER_STAGES.index("fragment"))
_MEMBER: Final = re.compile(rb"<member name='(\w+)'>(?:<enum>(\w+)</enum>|<uint>(\d+)</uint>)</member>")
_PARAM: Final = re.compile(
    rb"method='get_param(f?)'>.*?<enum>(\w+)</enum></arg>\s*<ret><(?:int|float)>([^<]*)</(?:int|float)></ret>",
    re.DOTALL,
)
_RESOURCE: Final = re.compile(rb"<arg name='resource'><ptr>(0x[0-9a-f]+)</ptr>")
_SWIZZLE: Final = "RGBA01"
_RANGE: Final = ("first_level", "last_level", "first_layer", "last_layer")


class Slot(NamedTuple):
    """A fragment slot: the bound state, as the trace prints it, and the bound view; None for what is not bound.

    ``fresh`` means that the view was bound for this draw; others may be left from an earlier one.
    """

    handle: int | None = None
    state: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    fresh: bool = False

    def raw(self) -> dict[str, Any] | None:
        """Return the driver's own copy of the 36 bytes, as the ``raw`` member of a recorded case.

        Some drivers (llvmpipe, softpipe) keep the record that they were given, where the handle points. It is believed
        only where its bytes say what the trace printed of it; None for a driver that keeps none, or something else.
        """
        if self.handle is None or self.state is None:
            return None
        try:
            with open("/proc/self/mem", "rb", buffering=0) as memory:  # noqa: PTH123 (no buffering)
                memory.seek(self.handle)
                record = memory.read(RECORD_BYTES)
        except (OSError, ValueError, OverflowError):
            return None
        if len(record) != RECORD_BYTES:
            return None
        members = SamplerState.from_bytes(record).to_trace()
        return raw_members(record) if all(members.get(name) == value for name, value in self.state.items()) else None


class Seen(NamedTuple):
    """The driver's fragment slots at the last draw: slot -> what is bound there."""

    slots: dict[int, Slot]
    draws: int
    created: frozenset[int]


class PipeTail:
    """Reads a trace as it grows."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._place = 0
        self._states: dict[int, dict[str, Any]] = {}
        self._resources: dict[int, dict[str, Any]] = {}
        self._views: dict[int, dict[str, Any]] = {}
        self._bound: dict[int, int | None] = {}
        self._viewed: dict[int, int | None] = {}
        self._fresh: set[int] = set()
        self._made: list[int] = []

    def new(self) -> bytes:
        """Return the whole calls written since the last time."""
        with Path(self.path).open("rb") as stream:
            stream.seek(self._place)
            text = stream.read()
        end = text.rfind(_END) + len(_END)
        whole = text[:end] if end >= len(_END) else b""
        self._place += len(whole)
        return whole

    def poll(self) -> Seen:
        """Follow what is new, and give the state of its last draw."""
        seen = Seen({}, 0, frozenset())
        self._fresh.clear()
        created: set[int] = set()
        for call in _CALL.finditer(self.new()):
            for event in self._follow(call[1].decode(), call[0]):
                match event:
                    case CreateSampler():
                        self._states[event.handle] = event.state
                        created.add(event.handle)
                        self._made.append(event.handle)
                    case DeleteSampler():
                        self._states.pop(event.handle, None)
                    case BindSamplers() if event.stage == "fragment":
                        self._bound.update(enumerate(event.handles, event.start))
                    case Draw():
                        seen = Seen(self._slots(), seen.draws + 1, frozenset(created))
        return seen

    def made(self) -> list[int]:
        """Return the handles of the states that were made since the last time, in order, as far as `poll` has read."""
        made, self._made = self._made, []
        return made

    def _slots(self) -> dict[int, Slot]:
        slots = {}
        for slot in sorted({*self._bound, *self._viewed}):
            handle, view = self._bound.get(slot), self._viewed.get(slot)
            if handle is not None or view is not None:
                state, described = self._states.get(handle or 0), self._views.get(view or 0)
                slots[slot] = Slot(handle, state, described, fresh=slot in self._fresh)
        return slots

    def _follow(self, method: str, call: bytes) -> Iterator[Any]:
        if method == "resource_create":
            self._resources[_returned(call)] = _members(call)
        elif method == "create_sampler_view":
            self._views[_returned(call)] = self._describe(call)
        elif method == "set_sampler_views":
            self._set_views(call)
        else:
            yield from GalliumTrace(self.path, BytesIO(call))

    def _describe(self, call: bytes) -> dict[str, Any]:
        members, resource = _members(call), _RESOURCE.search(call)
        of = self._resources.get(int(resource[1], 16), {}) if resource else {}
        return {
            "format": members.get("format"),
            "target": members.get("target"),
            "swizzle": "".join(_SWIZZLE[int(members.get(f"swizzle_{channel}", 0))] for channel in "rgba"),
            **{name: int(members.get(name, 0)) for name in _RANGE},
            "resource": {name: value if name in {"format", "target"} else int(value) for name, value in of.items()},
        }

    def _set_views(self, call: bytes) -> None:
        array = _VIEWS.search(call)
        if not _FRAGMENT.search(call):
            return
        views = [int(slot, 16) if slot else None for slot in _SLOTS.findall(array[1] if array else b"")]
        trailing = [None] * _argument(call, b"unbind_num_trailing_slots")
        start = _argument(call, b"start")
        self._viewed.update(enumerate([*views, *trailing], start))
        self._fresh |= {slot for slot, view in enumerate(views, start) if view is not None}


def _argument(call: bytes, name: bytes) -> int:
    match = re.search(_NUMBER % name, call)
    return int(match[1]) if match else 0


def raw_members(record: bytes) -> dict[str, Any]:
    """Spell a record as the ``raw`` member of a recorded case."""
    word, *words = unpack("<9I", record)
    members = {}
    for field in WORD0:
        members[field.name] = word & (1 << field.bits) - 1
        word >>= field.bits
    spelt = [f"{one:#010x}" for one in words[:7]]
    floats = dict(zip(("lod_bias", "min_lod", "max_lod"), spelt, strict=False))
    return {**members, "pad": word, **floats, "border_color": spelt[3:], "border_color_format": words[7]}


def screen_answers(trace: bytes) -> dict[str, dict[str, Any]]:
    """Return the caps that a trace shows the screen to have answered: ``caps`` as integers, ``capsf`` as printed."""
    answers: dict[str, dict[str, Any]] = {"caps": {}, "capsf": {}}
    for call in _CALL.finditer(trace):
        param = _PARAM.search(call[0]) if call[1] in {b"get_param", b"get_paramf"} else None
        if param:
            name, value = param[2].decode(), param[3].decode()
            answers["capsf" if param[1] else "caps"][name] = value if param[1] else int(value)
    return answers


def _returned(call: bytes) -> int:
    match = _RETURN.search(call)
    return int(match[1], 16) if match else 0


def _members(call: bytes) -> dict[str, Any]:
    return {name.decode(): (enum or number).decode() for name, enum, number in _MEMBER.findall(call)}
