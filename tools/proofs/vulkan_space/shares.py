"""The shares of the whole space, kept in shares.csv for docs/portability.md, and what a run has done so far."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.files import write_whole
from statetracker.survey.outcomes import KINDS
from statetracker.survey.report import Share
from statetracker.survey.space import TEXTURES
from tools.proofs.vulkan_space.judge import Judged, part_id, space_classes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Kept", "Row", "shares", "stored", "write"]

_ROOT: Final = Path(__file__).resolve().parents[3]
_STORED: Final = Path(__file__).with_name("shares.csv")
_KEPT: Final = _ROOT / "build" / "space.jsonl"
_SOURCES: Final = (
    "caps",
    "statetracker/pipe",
    "statetracker/sampler",
    "statetracker/vulkan",
    "statetracker/survey",
    "tools/proofs/vulkan_space",
)


class Row(NamedTuple):
    """What becomes of the states of one texture.

    kind           of outcome
    states         pairs of a state and a capability vector that have it
    share_vectors  of all such pairs
    share_reports  ... where a vector counts by its public reports
    """

    texture: str
    kind: str
    states: int
    share_vectors: float
    share_reports: float


class Kept(dict[str, Judged]):
    """What a run has done: id of a part -> `Judged`; in a file of lines, too, which is for these sources only."""

    _file: Path | None = None

    @classmethod
    def opened(cls, *, again: bool, to_file: bool) -> Kept:
        """Read what an earlier run has done, unless the sources have changed since, or it is to be forgotten."""
        kept = cls()
        if not to_file:
            return kept
        text = _KEPT.read_text(encoding="utf-8") if _KEPT.exists() and not again else ""
        first, *lines = text.split("\n")[:-1] or [""]  # a line without an end was being written when the run died
        known = [json.loads(line) for line in lines] if first == _fingerprint() else []
        _KEPT.parent.mkdir(exist_ok=True)
        write_whole(_KEPT, f"{_fingerprint()}\n".encode())
        kept._file = _KEPT
        for part, *counts in known:
            kept[part] = Judged(*map(Counter, counts))
        return kept

    def __setitem__(self, part: str, counts: Judged) -> None:
        super().__setitem__(part, counts)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([part, *counts]) + "\n")


def _fingerprint() -> str:
    """A word for the sources of the conversion."""
    digest = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted((_ROOT / folder).glob("*.[pc]*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def shares(done: Mapping[str, Judged]) -> list[Row]:
    """The shares of each texture, by kind."""
    counted = []
    for name in TEXTURES:
        states, weighed = Counter[str](), Counter[str]()
        for number, devices in enumerate(space_classes(name)):
            share = Share.of(devices.rows)
            for kind, count in done[part_id(name, number)].kinds.items():
                states[kind] += count * share.vectors
                weighed[kind] += count * share.reports
        whole = max(states.total(), 1), max(weighed.total(), 1)
        for kind in KINDS:
            parts = round(states[kind] / whole[0], 6), round(weighed[kind] / whole[1], 6)
            counted.append(Row(name, kind, states[kind], *parts))
    return counted


def write(counted: Sequence[Row]) -> None:
    """Keep the shares of a whole run."""
    with _STORED.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(Row._fields)
        rows.writerows(counted)


def stored() -> list[Row]:
    """What is kept."""
    if not _STORED.exists():
        return []
    with _STORED.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Row(name, kind, int(states), float(one), float(two)) for name, kind, states, one, two in rows]
