"""What zink was recorded to make of a record, on the embedded screen of the same machine."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from struct import pack, unpack
from typing import Any, Final

import statetracker as st
from statetracker.vulkan import create_info

PAIRS: Final = Path(__file__).parents[1] / "data" / "vulkan" / "zink_pairs.jsonl.gz"
CHAINED: Final = "VK_STRUCTURE_TYPE_SAMPLER_"


def pairs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.open(PAIRS, "rt", encoding="utf-8")]


def chain(info: dict[str, Any]) -> Iterator[dict[str, Any]]:
    entry = info["pNext"]
    while entry is not None:
        yield entry
        entry = entry["pNext"]


def state_of(pair: dict[str, Any]) -> st.SamplerState:
    """The record: what the trace leaves out, and digits it rounds away, are read off the other side."""
    pipe, vk = dict(pair["pipe"]), pair["vk"]
    floats = [float("nan") if part is None else part for part in pipe.pop("border_color.f")]
    words = unpack("<4I", pack("<4f", *floats))
    for entry in chain(vk):
        words = tuple(entry["customBorderColor"]["uint32"]) if "customBorderColor" in entry else words
        if "reductionMode" in entry:
            pipe["reduction_mode"] = entry["reductionMode"].removeprefix("VK_SAMPLER_REDUCTION_MODE_")
    fields = {name: value for name, value in pipe.items() if name != "border_color_format"}
    fields["lod_bias"] = round(pipe["lod_bias"] * 256) / 256  # a multiple of 1/256, printed with six digits
    fields["border_color_is_integer"] = "_INT_" in vk["borderColor"]
    fields["border_color_format"] = pipe["border_color_format"]
    return st.SamplerState(**fields, border_color=words)


def rounded(info: dict[str, Any]) -> dict[str, Any]:
    """As the recording prints it: six decimals, colours by their words."""
    if "customBorderColor" in info:
        info = {**info, "customBorderColor": info["customBorderColor"]["uint32"]}
    return {
        name: rounded(value) if isinstance(value, dict) else round(value, 6) if isinstance(value, float) else value
        for name, value in info.items()
    }


def test_every_recorded_pair_is_equal_under_zink22() -> None:
    """Members are in the recording's order, too."""
    screen = st.Screen.named("zink-lavapipe")
    recorded = pairs()
    wrong = [
        pair
        for pair in recorded
        if repr(rounded(create_info(state_of(pair), screen, dialect="zink22").to_dict())) != repr(rounded(pair["vk"]))
    ]
    assert len(recorded) == 885
    assert wrong == []


def test_recorded_pairs_cover_every_kind_of_chain() -> None:
    kinds = {tuple(entry["sType"] for entry in chain(pair["vk"])) for pair in pairs()}
    custom, reduction = f"{CHAINED}CUSTOM_BORDER_COLOR_CREATE_INFO_EXT", f"{CHAINED}REDUCTION_MODE_CREATE_INFO"
    assert kinds == {(), (custom,), (reduction,), (custom, reduction)}
