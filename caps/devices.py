"""The device corpus: what 7,003 publicly reported Vulkan devices offer a sampler. Source: docs/vulkan_screens.md.

Projected from the reports of vulkan.gpuinfo.org up to May 2025, licence CC BY 4.0; the attribution is in
``vulkan_devices.README.md`` beside the file, which is read on first use. A row is one (name, vendor, device,
capabilities). Old reports count like new ones, and one made before an extension existed cannot list it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.caps.facts import FormatMasks, VulkanFacts
from statetracker.caps.vulkan_formats import format_name
from statetracker.errors import AmbiguousName, ArgumentError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FILE: Final = "vulkan_devices.json.gz"
_REPORT: Final = re.compile(r"#(\d{1,9})")
_IDS: Final = re.compile(r"(?:0x)?([0-9a-f]{1,8}):(?:0x)?([0-9a-f]{1,8})", re.IGNORECASE)
_MARKS: Final = re.compile(r"\((?:tm|r|c)\)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[^0-9a-z]+")
_NEAR: Final = 5  # names suggested
_LISTED: Final = 12  # candidates in an error's text; its attribute has all
_format: Final = cache(lambda number: format_name(int(number)))
_masks: Final = cache(lambda optimal, linear: FormatMasks(linear, optimal))  # two dozen pairs in all


class DeviceRow(NamedTuple):
    """One row of the corpus.

    Attributes:
        name: ``deviceName``.
        vendor_id: PCI or Khronos vendor.
        device_id: The vendor's number for the device.
        vector: Index of its capabilities; rows with the same index offer the same.
        reports: How many reports were seen.
        newest_report: Number of the newest on vulkan.gpuinfo.org.
        api: Highest Vulkan version reported, as text.
        drivers: Up to three of the driver versions reported, as text.
    """

    name: str
    vendor_id: int
    device_id: int
    vector: int
    reports: int
    newest_report: int
    api: str
    drivers: tuple[str, ...]

    @property
    def ids(self) -> tuple[int, int]:
        """Vendor and device."""
        return (self.vendor_id, self.device_id)

    def __str__(self) -> str:
        """``Adreno (TM) 640 [5143:6040001], Vulkan 1.1.128, report 38434, driver 512.490.0``."""
        driver = f", driver {', '.join(self.drivers)}" if self.drivers else ""
        ids = f"{self.vendor_id:04x}:{self.device_id:04x}"
        return f"{self.name} [{ids}], Vulkan {self.api}, report {self.newest_report}{driver}"


class CorpusChoice(NamedTuple):
    """The row of the corpus that a screen was made from, and the others of the same device.

    Attributes:
        row: The one that was taken.
        others: Newest report first; ``driver=`` or ``report=`` takes one of them.
    """

    row: DeviceRow
    others: tuple[DeviceRow, ...]

    @property
    def differences(self) -> dict[int, tuple[str, ...]]:
        """Newest report of each other row -> what it offers otherwise, as `row_differences` names it."""
        return {other.newest_report: row_differences(self.row, other) for other in self.others}


class _Corpus(NamedTuple):
    rows: tuple[DeviceRow, ...]
    vectors: Sequence[str]
    bits: int


@cache
def _loaded() -> _Corpus:
    """Read the rows; the vectors, a line of the file each, stay text until `_vector` reads one."""
    import gzip
    from pathlib import Path

    lines = gzip.decompress(Path(__file__).with_name(_FILE).read_bytes()).decode().splitlines()
    vectors, devices = lines.index('"vectors":['), lines.index('"devices":[')
    bits = 0
    for mask in json.loads(f"{lines[0].rstrip(',')}}}")["format_bits"].values():
        bits |= mask
    data = json.loads(f"[{''.join(lines[devices + 1 : -1])}]")
    rows = tuple(DeviceRow(**row | {"drivers": tuple(row["drivers"])}) for row in data)
    return _Corpus(rows, lines[vectors + 1 : devices - 1], bits)


def corpus() -> tuple[DeviceRow, ...]:
    """Every row, in the order of the reports that first showed it."""
    return _loaded().rows


def device_facts(row: DeviceRow) -> VulkanFacts:
    """Return the facts of a device of the corpus; of its limits, only those of samplers."""
    limits, features, extensions, formats = _vector(row.vector)
    major, minor, patch = _numbers(row.api)
    return VulkanFacts(
        device=row.name,
        vendor_id=row.vendor_id,
        device_id=row.device_id,
        api=(major, minor, patch),
        driver=", ".join(row.drivers),
        limits=limits,
        features=features,
        extensions=extensions,
        formats=formats,
        format_bits=_loaded().bits,
    )


@cache
def _vector(index: int) -> tuple[dict[str, int | float], frozenset[str], frozenset[str], dict[str, FormatMasks]]:
    vector = json.loads(_loaded().vectors[index].rstrip(","))
    limits = {name: value for name, value in vector["limits"].items() if value is not None}
    formats = {_format(number): _masks(*masks) for number, masks in vector["formats"].items()}
    return limits, frozenset(vector["features"]), frozenset(vector["extensions"]), formats


def row_differences(one: DeviceRow, other: DeviceRow) -> tuple[str, ...]:
    """Name what two rows offer otherwise: limits, features and extensions; of formats how many."""
    if one.vector == other.vector:
        return ()
    here, there = _vector(one.vector), _vector(other.vector)
    numbers = (name for name in sorted({*here[0], *there[0]}) if here[0].get(name) != there[0].get(name))
    names = sorted((here[1] ^ there[1]) | (here[2] ^ there[2]))
    count = sum(here[3].get(name) != there[3].get(name) for name in {*here[3], *there[3]})
    return (*numbers, *names, *([f"{count} formats"] if count else []))


def report_number(text: str) -> int | None:
    """Read ``#38434``, the number of a report on vulkan.gpuinfo.org; None for any other text."""
    report = _REPORT.fullmatch(text.strip())
    return int(report[1]) if report else None


def matching(text: str) -> list[DeviceRow]:
    """Rows whose name fits a text, best kind of fit only; the newest report first.

    The kinds, best first: the ids; the name to the letter; but for case and marks; all of its words; any part of it.

    Args:
        text: A name, parts of one in any order and case without ``(TM)`` and the like, or ``vendor:device`` in
            hexadecimal, as ``5143:6040001``.
    """
    ids = _IDS.fullmatch(text.strip())
    if ids is not None:
        vendor, device = int(ids[1], 16), int(ids[2], 16)
        rows = [row for row in corpus() if row.ids == (vendor, device)]
        if rows:
            return _newest_first(rows)
    if not text.strip():
        return []
    for fits in _kinds(text):
        rows = [row for row in corpus() if fits(row.name)]
        if rows:
            return _newest_first(rows)
    return []


def searching(text: str) -> list[DeviceRow]:
    """Rows whose name has every word of a text, as a part of it, or whose ids it names; the newest report first.

    Broader than `matching`, which keeps to the best kind of fit: for looking around.

    Args:
        text: ``#38434`` means the row with that newest report.
    """
    report = report_number(text)
    if report is not None:
        return [row for row in corpus() if row.newest_report == report]
    words = _plain(text).split()
    rows = [row for row in corpus() if words and all(word in _plain(row.name) for word in words)]
    return _newest_first(rows) or matching(text)


def _kinds(text: str) -> tuple[Callable[[str], bool], ...]:
    plain, words = _plain(text), set(_plain(text).split())
    return (
        lambda name: name == text,
        lambda name: bool(plain) and _plain(name) == plain,
        lambda name: words <= set(_plain(name).split()) and bool(words),
        lambda name: bool(plain) and plain.replace(" ", "") in _plain(name).replace(" ", ""),
    )


@lru_cache(1 << 14)  # twice the rows, for what is asked for is kept here too
def _plain(name: str) -> str:
    return _BETWEEN.sub(" ", _MARKS.sub(" ", name).lower()).strip()


def newest_row(rows: list[DeviceRow]) -> DeviceRow:
    """Return the row of the newest Vulkan version; of several, that of the newest driver, then of the newest report.

    Versions of drivers compare where name, vendor and the count of numbers are the same. Only rows of the vendor with
    the most reports count: some drivers of others, an emulator's, report the names of devices that they are not.
    """
    reports: Counter[int] = Counter()
    for row in rows:
        reports[row.vendor_id] += row.reports
    usual = [row for row in _newest_first(rows) if row.vendor_id == reports.most_common(1)[0][0]]
    api = max(_numbers(row.api) for row in usual)
    latest, *others = (row for row in usual if _numbers(row.api) == api)
    alike = [row for row in others if (row.name, len(_driver(row))) == (latest.name, len(_driver(latest)))]
    return max([latest, *alike], key=_driver)


def _driver(row: DeviceRow) -> tuple[int, ...]:
    return max(map(_numbers, row.drivers), default=())


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _newest_first(rows: list[DeviceRow]) -> list[DeviceRow]:
    return sorted(rows, key=lambda row: -row.newest_report)


def choose(
    name: str | None = None,
    *,
    vendor_id: int | None = None,
    device_id: int | None = None,
    driver: str | None = None,
    report: int | None = None,
) -> CorpusChoice:
    """Choose one device, and one of its rows.

    One name (but for case and marks) is one device, whatever ids it was reported with; so is one pair of ids, whatever
    the name. Of the rows that are left, `newest_row` takes one.

    Arguments and errors are as in `Screen.device`. A name is as in `matching`, or ``#38434``: the row with that newest
    report; both ids suffice without a name. Raises `ArgumentError` where nothing is named.
    """
    given = (
        ("device", name, str),
        ("driver", driver, str),
        ("vendor_id", vendor_id, int),
        ("device_id", device_id, int),
    )
    for field, value, kind in given:
        if value is not None and not (isinstance(value, kind) or (kind is int and hasattr(value, "__index__"))):
            raise ArgumentError(field, value, accepted="text" if kind is str else "a whole number")
    number = None if name is None or report is not None else report_number(name)
    if number is not None:
        name, report = None, number
    if all(one is None for one in (name, vendor_id, device_id, report)):
        raise ArgumentError("device", name, accepted="a name, vendor_id, device_id or report")
    rows = list(corpus()) if name is None else matching(name)
    if not rows:
        raise _unknown(name or "")
    narrowed = [row for row in rows if vendor_id in (None, row.vendor_id) and device_id in (None, row.device_id)]
    if not narrowed:
        there = ", ".join(sorted({f"{row.vendor_id:#x}:{row.device_id:#x}" for row in rows[:_LISTED]}))
        raise UnknownName("device", _ids(vendor_id, device_id), accepted=f"ids of the corpus; near are {there}")
    wanted = _wanted(narrowed, driver, report)
    if len({_plain(row.name) for row in wanted}) > 1 and len({row.ids for row in wanted}) > 1:
        names = dict.fromkeys(row.name for row in _newest_first(wanted))
        called = name if name is not None else _ids(vendor_id, device_id)
        raise AmbiguousName("device", called, candidates=tuple(names), shown=_LISTED)
    row = newest_row(wanted)
    one = len({row.ids for row in narrowed}) == 1
    pool = [other for other in narrowed if one or _plain(other.name) == _plain(row.name)]
    return CorpusChoice(row, tuple(other for other in _newest_first(pool) if other != row))


def _ids(vendor_id: int | None, device_id: int | None) -> str:
    return ":".join("*" if part is None else f"{part:#x}" for part in (vendor_id, device_id))


def _wanted(rows: list[DeviceRow], driver: str | None, report: int | None) -> list[DeviceRow]:
    matches = [row for row in rows if report in (None, row.newest_report)]
    if not matches:
        there = ", ".join(str(row.newest_report) for row in _newest_first(rows)[:_LISTED])
        raise UnknownName("report", report, accepted=f"the newest report of a row: {there}")
    if driver is None:
        return matches
    exact = [row for row in matches if driver in row.drivers]
    begun = exact or [row for row in matches if any(known.startswith(driver) for known in row.drivers)]
    if not driver or not begun:
        there = ", ".join(dict.fromkeys(known for row in _newest_first(matches) for known in row.drivers))
        raise UnknownName("driver", driver, accepted=there if len(there) < 400 else f"{there[:400]}...")
    return begun


def _unknown(name: str) -> UnknownName:
    from difflib import get_close_matches

    plain = {_plain(row.name): row.name for row in corpus()}
    near = [plain[word] for word in get_close_matches(_plain(name), plain, n=_NEAR) if word]
    hint = f"Did you mean {', '.join(near)}?" if near else "statetracker screens --device TEXT searches the corpus."
    return UnknownName("device", name, accepted="a device of the corpus", hint=hint)
