"""Bytes of a record that count, and the 32-bit word that Mesa's table is hashed by.

A record's *key* is the record with everything that does not count set to 0. So a record in its usual form, whose
ignored members are 0 already, is its own key and is looked up without being cut.
"""

from __future__ import annotations

from struct import unpack
from typing import TYPE_CHECKING, Final

from statetracker.errors import ArgumentError
from statetracker.pipe.layout import LAYOUTS, RECORD_BYTES, KeyRule, pack_as, unpack_from
from statetracker.pipe.state import SamplerState

if TYPE_CHECKING:
    from collections.abc import Callable

#: Mesa 22.3 for drivers that do not look at border_color_format.
DEFAULT_KEY: Final = KeyRule("22.3", 32)


def checked_rule(rule: KeyRule) -> KeyRule:
    """Return the rule back, or raise `ArgumentError` for one that no release could have."""
    if not isinstance(rule, tuple) or len(rule) != 2 or rule[0] not in LAYOUTS:
        raise ArgumentError("key", rule, accepted=f"a KeyRule, with a layout of {', '.join(LAYOUTS)}")
    layout, leading_bytes = rule
    size = LAYOUTS[layout].size
    if leading_bytes not in range(4, size + 1, 4):
        raise ArgumentError("key", rule, accepted=f"a multiple of 4 from 4 to {size} bytes for layout {layout}")
    return KeyRule(layout, leading_bytes)


def key_function(rule: KeyRule) -> Callable[[bytes], bytes]:
    """Return the function from a whole record to its key, also 36 bytes in the 22.3 layout."""
    layout, leading_bytes = rule
    ignored = bytes(LAYOUTS[layout].size - leading_bytes)

    def cut(record: bytes) -> bytes:
        return record if record.endswith(ignored) else record[:leading_bytes] + ignored

    def cut_in_layout(record: bytes) -> bytes:
        return unpack_from(pack_as(record, layout)[:leading_bytes] + ignored, layout)

    return cut if layout == "22.3" else cut_in_layout


def word_function(rule: KeyRule) -> Callable[[bytes], int]:
    """Return the function from a key to the XOR of its words, in the rule's own layout.

    Ignored members are 0 in a key and add nothing. Example: a word 0 of 0x0000C800 and a max_lod of 1000.0, all else
    0, give 0x447AC800.
    """

    def word(key: bytes) -> int:
        folded = 0
        for part in unpack(words, pack_as(key, rule.layout)):
            folded ^= part
        return folded

    words = f"<{LAYOUTS[rule.layout].size // 4}I"
    return word


def whole_record(record: object) -> bytes:
    """Return the 36 bytes of what a caller handed in; raises `ArgumentError` for what is no record."""
    if isinstance(record, (bytes, SamplerState)):
        data = bytes(record)
        if len(data) == RECORD_BYTES:
            return data
        record = f"{len(data)} bytes"
    raise no_record(record)


def no_record(given: object) -> ArgumentError:
    """Return the error for something given in place of a record."""
    return ArgumentError("record", given, accepted=f"a SamplerState, or {RECORD_BYTES} bytes")
