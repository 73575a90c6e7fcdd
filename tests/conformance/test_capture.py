"""Captures of Vulkan's calls: what is read out of them, held against the layer's own converter; zink against ours."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from statetracker.caps import Screen
from statetracker.conformance import drivers, live
from statetracker.conformance.capture import LAYER, CaptureTail, Created, is_second, layered, paired
from statetracker.conformance.generate import cases_from
from statetracker.conformance.run import conform
from statetracker.conformance.tally import render
from statetracker.errors import FileError
from statetracker.frontend.vulkan_view import our_infos, plain
from statetracker.pipe import SamplerState
from tests.vulkan.devices import screen_without

ZINK = Screen.named("zink-lavapipe")
RED = (0x3F000000, 0, 0, 0x3F800000)
BORDERED = SamplerState(wrap_s="CLAMP_TO_BORDER", border_color=RED)


# Pairing


def made(state: SamplerState, screen: Screen = ZINK) -> list[Created]:
    return [Created(info, 0) for info in our_infos(bytes(state), screen, "zink22")]


def test_states_and_samplers_pair_in_order() -> None:
    one, two = made(BORDERED), made(SamplerState())
    assert paired([*one, *two], 2) == [one, two]
    assert paired([], 0) == []


def test_a_second_sampler_stays_with_its_first() -> None:
    """On a device without D24S8 a custom float colour makes two samplers; predefined ones make one."""
    screen = screen_without(formats=("D24_UNORM_S8_UINT",))
    first, plainly, both = made(BORDERED, screen), made(SamplerState(), screen), made(BORDERED, screen)
    assert [len(part) for part in (first, plainly, both)] == [2, 1, 2]
    assert is_second(first[1].info, first[0].info)
    assert not is_second(first[0].info, first[1].info)
    assert paired([*first, *plainly, *both], 3) == [first, plainly, both]


def test_a_state_too_many_or_a_sampler_too_many_pairs_with_nothing() -> None:
    one = made(BORDERED)
    assert paired(one, 2) is None
    assert paired([*one, *made(SamplerState())], 1) is None


# Files


def captured(*blocks: bytes, options: tuple[tuple[int, int], ...] = ()) -> bytes:
    head = struct.pack("<4sIII", b"GFXR", 0, 0, len(options))
    return head + b"".join(struct.pack("<II", *option) for option in options) + b"".join(blocks)


def test_a_file_that_is_not_there_yet_or_not_whole_has_no_samplers(tmp_path: Path) -> None:
    file = tmp_path / "vulkan.gfxr"
    tail = CaptureTail(str(file))
    assert (tail.exists, tail.new()) == (False, [])
    for size in (4, 15, 20):
        file.write_bytes(captured(options=((2, 0),))[:size])
        assert tail.new() == []
    file.write_bytes(captured(struct.pack("<QI", 100, 4), options=((2, 0),)))
    assert (tail.exists, tail.new()) == (True, [])


@pytest.mark.parametrize("data", [b"<?xml version='1.0'?>", captured(options=((1, 2),))], ids=["foreign", "compressed"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "vulkan.gfxr"
    file.write_bytes(data)
    with pytest.raises(FileError, match="capture"):
        CaptureTail(str(file)).new()


def test_the_layer_is_added_to_those_that_are_there() -> None:
    assert layered("f")["VK_INSTANCE_LAYERS"] == LAYER
    assert layered("f", "VK_LAYER_KHRONOS_validation")["VK_INSTANCE_LAYERS"] == f"VK_LAYER_KHRONOS_validation:{LAYER}"
    for name in ("llvmpipe", "softpipe"):
        assert "GFXRECON_CAPTURE_FILE" not in drivers.environment(drivers.driver(name), "trace", "capture")


# Live


@pytest.mark.live("egl:zink", "capture")
def test_every_create_info_of_zink_is_ours_member_by_member() -> None:
    """The two members that the trace does not print among them; custom colours and reductions among the infos."""
    tally = conform("zink", count=400, seed=31)
    assert [one.differences for one in tally.mismatches] == []
    assert (tally.cases, tally.agree) == (400, 400)
    assert tally.infos == tally.compared["printed"] > 370
    assert tally.header["vulkan"]["capabilities"]
    assert {"FLOAT_CUSTOM_EXT", "INT_CUSTOM_EXT", "REDUCTION_MODE_MIN", "REDUCTION_MODE_MAX"} <= set(tally.info_shapes)
    page = " ".join(render([tally], seed=31).split())
    assert "They are checked by the VkSamplerCreateInfo that the driver passed to Vulkan" in page
    assert "border_color_is_integer and reduction_mode by create infos" in page


@pytest.mark.live("egl:zink", "capture", "gfxrecon-convert")
def test_what_is_read_is_what_the_converter_of_the_layer_prints(tmp_path: Path) -> None:
    file, out = str(tmp_path / "vulkan.gfxr"), str(tmp_path / "calls.jsonl")
    worker = live.Worker(drivers.driver("zink"), str(tmp_path))
    answers = [worker.ask(case) for case in cases_from(32, 120)]
    worker.close()
    assert [one for one in answers if isinstance(one, live.Failure)] == []
    converter = shutil.which("gfxrecon-convert")
    assert converter is not None
    subprocess.run([converter, "--output", out, file], check=True, capture_output=True)
    numbers = re.compile(r"(?<=[:,\[])-?(?:nan|inf)\b")
    with Path(out).open(encoding="utf-8") as lines:
        calls = [json.loads(numbers.sub("null", line)) for line in lines if '"vkCreateSampler"' in line]
    theirs = [rounded(plain(call["vkFunc"]["args"]["pCreateInfo"])) for call in calls]
    mine = [rounded(one.info) for one in CaptureTail(file).new()]
    assert len(mine) > 100
    assert mine == theirs


def rounded(info: dict[str, Any]) -> dict[str, Any]:
    """As the converter prints it: six decimals."""
    return {
        name: rounded(value)
        if isinstance(value, dict)
        else float(f"{value:.6f}")
        if isinstance(value, float)
        else value
        for name, value in info.items()
    }
