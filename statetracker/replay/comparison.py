"""Recorded cases compared with their replays: errors, record, create infos.

A case may have ``vk``: the create info that was made from its record, then the second sampler's where there is one
(docs/case_files.md); these are compared by the bits, floats and border colours too.
"""

from __future__ import annotations

from struct import error as StructError  # noqa: N812 (an exception, named as one)
from struct import pack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import ArgumentError, UnknownName
from statetracker.frontend.vulkan_view import our_infos
from statetracker.pipe import SamplerState
from statetracker.pipe.layout import SHIFTS, WORD0, number_in
from statetracker.unpacking import integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statetracker.caps import Screen
    from statetracker.frontend.stage import StageResult
    from statetracker.gl import Context
    from statetracker.pipe.layout import Field

#: Members of the record that Mesa's trace does not print and a create info shows: the border colour's kind, the chain.
CHECKED_BY_INFOS: Final = ("border_color_is_integer", "reduction_mode")

_FORMAT: Final = 32  # where border_color_format starts
_FORMAT_NAME: Final = "border_color_format"
_PREFIX: Final = "PIPE_FORMAT_"

_TYPE: Final = "VK_STRUCTURE_TYPE_SAMPLER_"
#: What a chained structure is called, by its type without prefix; the create info itself comes first.
_STRUCTS: Final = {
    "CREATE_INFO": "VkSamplerCreateInfo",
    "CUSTOM_BORDER_COLOR_CREATE_INFO_EXT": "VkSamplerCustomBorderColorCreateInfoEXT",
    "REDUCTION_MODE_CREATE_INFO": "VkSamplerReductionModeCreateInfo",
    "BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT": "VkSamplerBorderColorComponentMappingCreateInfoEXT",
}


class CaseResult(NamedTuple):
    """The result of a case.

    Attributes:
        errors: One GL error name a call, in order.
        record: The 36 bytes bound to fragment slot 0; None where nothing was drawn or nothing is bound.
        stage: The whole stage, None where nothing was drawn.
        context: The context after the calls.
    """

    errors: list[str]
    record: bytes | None
    stage: StageResult | None
    context: Context

    def to_dict(self) -> dict[str, object]:
        """Errors and record, as a line of JSON has them."""
        return {"errors": self.errors, "state": None if self.record is None else self.record.hex()}


class Difference(NamedTuple):
    """One difference from the recording.

    Attributes:
        what: The field, or the call.
        expected: The recorded value.
        got: Ours.
    """

    what: str
    expected: object
    got: object


def _fitting(value: int, field: Field) -> int:
    if not 0 <= value < 1 << field.bits:
        raise ArgumentError(f"raw.{field.name}", value, accepted=f"0 to {(1 << field.bits) - 1}")
    return value


def expected_record(raw: dict[str, Any]) -> bytes:
    """Pack a recording's ``raw`` member into 36 bytes; raises `ArgumentError` where a member is missing or bad."""
    try:
        word = 0
        for field in WORD0:
            word |= _fitting(int(raw[field.name]), field) << SHIFTS[field.name]
        floats = [int(raw[name], 16) for name in ("lod_bias", "min_lod", "max_lod")]
        border = [int(part, 16) for part in raw["border_color"]]
        return pack("<9I", word, *floats, *border, raw["border_color_format"])
    except ArgumentError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, StructError) as error:
        raise ArgumentError("raw", raw, accepted="the members of the struct", hint=f"({error!r})") from None


def compare(data: dict[str, Any], result: CaseResult, *, release: str = "22.3") -> list[Difference] | None:
    """Compare with what was recorded, field by field; None where the recording has nothing to compare with.

    Args:
        data: The case, as `Case.data` has it.
        result: What its replay gave.
        release: Of Mesa, by whose numbers of formats the recording's struct goes.

    Raises:
        ArgumentError: The recording's struct makes no sense.
    """
    errors = [call.get("err") for call in data["calls"]]
    known = any(err is not None for err in errors)
    differences = [
        Difference(f"call {n} ({call['fn']})", err, got)
        for n, (call, err, got) in enumerate(zip(data["calls"], errors, result.errors, strict=True))
        if err is not None and err != got
    ]
    if "raw" in data:
        expected = None if data["raw"] is None else expected_record(data["raw"])
        named = (data.get("pipe_sampler_state") or {}).get(_FORMAT_NAME)
        differences += record_differences(expected, result.record, named=named, release=release)
        known = True
    elif data.get("pipe_sampler_state") is not None:
        differences += _compare_printed(data["pipe_sampler_state"], result.record)
        known = True
    elif "skipped" in data and result.record is not None:
        differences.append(Difference("state", None, result.record.hex()))
    return differences if known else None


def _compare_printed(printed: dict[str, Any], record: bytes | None) -> list[Difference]:
    """Compare with what Mesa's trace prints, where the bytes themselves were not kept: floats have six digits there."""
    if record is None:
        return [Difference("state", printed, None)]
    made = SamplerState.from_bytes(record).to_trace()
    return [Difference(name, value, made.get(name)) for name, value in printed.items() if made.get(name) != value]


def record_differences(
    expected: bytes | None, record: bytes | None, *, named: object = None, release: str = ""
) -> list[Difference]:
    """Compare two records member by member; where the members say the same and the bits do not, as a whole.

    With a ``release``, the border colour's format is compared by the name that was printed, and by that release's
    number where it is known.
    """
    if expected is None or record is None:
        return [] if expected is record else [Difference("state", expected and expected.hex(), record and record.hex())]
    end = _FORMAT if release else len(expected)
    differences: list[Difference] = []
    if expected[:end] != record[:end]:
        wanted, made = SamplerState.from_bytes(expected).to_dict(), SamplerState.from_bytes(record).to_dict()
        names = [name for name in wanted if repr(wanted[name]) != repr(made[name])]
        differences = [Difference(n, wanted[n], made[n]) for n in names if not (release and n == _FORMAT_NAME)]
        differences = differences or [Difference("state", expected.hex(), record.hex())]
    return [*differences, *_format_differs(named, expected, record, release)] if release else differences


def _format_differs(named: object, expected: bytes, record: bytes, release: str) -> list[Difference]:
    number = int.from_bytes(expected[_FORMAT:], "little")
    made = SamplerState.from_bytes(record).border_color_format
    if named is not None and not isinstance(named, str):
        raise ArgumentError(_FORMAT_NAME, named, accepted="a format's name")
    if named is not None and named.removeprefix(_PREFIX) != made:
        return [Difference(_FORMAT_NAME, named.removeprefix(_PREFIX), made)]
    try:
        ours = number_in(made, release)
    except UnknownName:
        return []
    return [] if number == ours else [Difference(_FORMAT_NAME, number, f"{made}, {ours}")]


def slot_differences(data: dict[str, Any], records: Sequence[bytes | None], release: str) -> list[Difference]:
    """Compare every slot with a case's ``slots``, which only some recordings have: slot -> the struct bound there.

    Raises `ArgumentError` for ``slots`` that are no object with slots' numbers.
    """
    slots = data.get("slots")
    if slots is None:
        return []
    if not isinstance(slots, dict) or not all(slot.isdecimal() for slot in slots):
        raise ArgumentError("slots", slots, accepted="an object: slot -> the members of the struct")
    ours = {slot: record for slot, record in enumerate(records) if record is not None}
    there = {integer(slot, field="slot"): expected_record(raw) for slot, raw in slots.items()}
    different = []
    for slot in sorted({*ours, *there}):
        for one in record_differences(there.get(slot), ours.get(slot), release=release):
            whole = slot not in ours or slot not in there
            different.append(one._replace(what=f"slot {slot}" if whole else f"slot {slot} {one.what}"))
    return different


def info_differences(
    data: dict[str, Any], record: bytes | None, screen: Screen, dialect: str
) -> list[Difference] | None:
    """Compare a case's ``vk`` with ours, member by member; None where it has none, or we have no record.

    ``screen`` is where it ran, the dialect zink21 or zink22. Raises `ArgumentError` for a ``vk`` that is no list of
    objects.
    """
    recorded = data.get("vk")
    if not recorded or record is None:
        return None
    if not isinstance(recorded, list) or not all(isinstance(one, dict) for one in recorded):
        raise ArgumentError("vk", recorded, accepted="a list of create infos, each as SamplerCreateInfo.to_dict has it")
    ours = our_infos(record, screen, dialect)
    differences = []
    for place, (old, new) in enumerate(zip(recorded, ours, strict=False)):
        second = "second sampler's " if place else ""
        before, after = dict(_members(old)), dict(_members(new))
        for name in dict.fromkeys((*before, *after)):
            was, made = before.get(name, "(absent)"), after.get(name, "(absent)")
            if repr(was) != repr(made):  # -0.0 differs from 0.0
                differences.append(Difference(f"{second}{name}", was, made))
    if len(recorded) != len(ours):
        differences.append(Difference("samplers made", len(recorded), len(ours)))
    return differences


def _members(info: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Name every member of an info and its chain, in order: (struct.member, value)."""
    part: object = info
    while isinstance(part, dict):
        kind = str(part.get("sType"))
        struct = _STRUCTS.get(kind.removeprefix(_TYPE), kind)
        for name, value in part.items():
            if name not in {"sType", "pNext"}:
                yield f"{struct}.{name}", value
        part = part.get("pNext")
