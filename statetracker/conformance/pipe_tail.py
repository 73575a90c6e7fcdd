"""Following Mesa's own trace while the program that writes it runs: which state and view a draw was made with.

Mesa ends every call in the file as it happens, so reading on from the last place gives whole calls.

Source: docs/traces.md (Mesa 22.3.6).
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.pipe import SamplerState
from statetracker.pipe.layout import RECORD_BYTES, WORD0
from statetracker.spellings import OLDER_STAGES
from statetracker.trace.gallium import (
    BindSamplers,
    CreateSampler,
    DeleteSampler,
    Draw,
    GalliumTrace,
    OtherCall,
    pointer,
    pointers,
)

if TYPE_CHECKING:
    from statetracker.trace.gallium import Member

_END: Final = b"</call>"
_VIEWS: Final = frozenset({"resource_create", "create_sampler_view", "set_sampler_views"})
_ANSWERS: Final = {"get_param": "caps", "get_paramf": "capsf"}
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


class Tail:
    """A file that is read as it grows.

    Args:
        path: Of the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._place = 0

    def unread(self) -> bytes:
        """Return what stands behind the place up to which it was read."""
        with Path(self.path).open("rb") as stream:
            stream.seek(self._place)
            return stream.read()


class PipeTail(Tail):
    """Reads a trace as it grows."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._states: dict[int, dict[str, Any]] = {}
        self._resources: dict[int, dict[str, Any]] = {}
        self._views: dict[int, dict[str, Any]] = {}
        self._bound: dict[int, int | None] = {}
        self._viewed: dict[int, int | None] = {}
        self._fresh: set[int] = set()
        self._made: list[int] = []

    def new(self) -> bytes:
        """Return the whole calls written since the last time."""
        text = self.unread()
        end = text.rfind(_END) + len(_END)
        whole = text[:end] if end >= len(_END) else b""
        self._place += len(whole)
        return whole

    def poll(self) -> Seen:
        """Follow what is new, and give the state of its last draw."""
        seen = Seen({}, 0, frozenset())
        self._fresh.clear()
        created: set[int] = set()
        for event in GalliumTrace(self.path, BytesIO(self.new()), also=_VIEWS).every():
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
                case OtherCall(method="resource_create"):
                    self._resources[pointer(event.result)] = _members(event.arguments.get("templat"))
                case OtherCall(method="create_sampler_view"):
                    self._views[pointer(event.result)] = self._describe(event.arguments)
                case OtherCall(method="set_sampler_views"):
                    self._set_views(event.arguments)
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

    def _describe(self, arguments: dict[str, Member]) -> dict[str, Any]:
        members = _members(arguments.get("templ"))
        return {
            "format": members.get("format"),
            "target": members.get("target"),
            "swizzle": "".join(_SWIZZLE[members.get(f"swizzle_{channel}", 0)] for channel in "rgba"),
            **{name: members.get(name, 0) for name in _RANGE},
            "resource": self._resources.get(pointer(arguments.get("resource")), {}),
        }

    def _set_views(self, arguments: dict[str, Member]) -> None:
        shader = arguments.get("shader")  # newer Mesas have stages that samplers here have not
        if not str(shader).endswith("_FRAGMENT") and shader != OLDER_STAGES.index("fragment"):
            return
        views, start = pointers(arguments.get("views")), pointer(arguments.get("start"))
        trailing = [None] * pointer(arguments.get("unbind_num_trailing_slots"))
        self._viewed.update(enumerate([*views, *trailing], start))
        self._fresh |= {slot for slot, view in enumerate(views, start) if view is not None}


def _members(struct: Member) -> dict[str, Any]:
    """Return the members of a structure and of those in it."""
    members: dict[str, Any] = {}
    for name, value in struct.items() if isinstance(struct, dict) else ():
        members |= _members(value) if isinstance(value, dict) else {name: value}
    return members


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
    for call in GalliumTrace("", BytesIO(trace), also=frozenset(_ANSWERS)).every():
        if isinstance(call, OtherCall) and call.result is not None:
            answers[_ANSWERS[call.method]][str(call.arguments.get("param"))] = call.result
    return answers
