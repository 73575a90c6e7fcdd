"""Descriptors are mappings by wgpu-py's names, which a device takes as keywords."""

from __future__ import annotations

import pytest

from statetracker.vulkan.info import Members
from statetracker.webgpu.conversion import SamplerDescriptor
from statetracker.webgpu.texture_views import TextureViewDescriptor


class Two(Members):
    def __init__(self) -> None:
        self._members = {"mag_filter": "linear", "lod_min_clamp": 0.0}


def test_a_descriptor_is_a_mapping_in_the_order_of_its_members() -> None:
    made = Two()
    assert (list(made), len(made), dict(**made)) == (["mag_filter", "lod_min_clamp"], 2, {**made})
    assert made["mag_filter"] == "linear"
    with pytest.raises(KeyError):
        made["magFilter"]


def test_its_repr_names_the_class_and_the_members() -> None:
    assert repr(Two()) == "Two(mag_filter='linear', lod_min_clamp=0.0)"


def test_both_descriptors_are() -> None:
    assert issubclass(SamplerDescriptor, Members)
    assert issubclass(TextureViewDescriptor, Members)
