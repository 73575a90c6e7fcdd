"""Structs in C memory: bytes, addresses, and how long they stay."""

from __future__ import annotations

import ctypes
import gc
import weakref

import cffi

from statetracker.bindings.libraries import definitions
from statetracker.bindings.vulkan_calls import CStruct, copied
from tests.bindings.vulkan_infos import custom_info, plain_info


def test_the_bytes_are_those_that_the_pointer_shows() -> None:
    made = CStruct(plain_info())
    ffi = definitions().ffi
    assert made.struct == "VkSamplerCreateInfo"
    assert bytes(made) == bytes(ffi.buffer(made.pointer)) == ctypes.string_at(made.address, 80)
    assert made.pointer.sType == 31


def test_a_copy_of_another_cffi_keeps_the_chain_and_gives_it_up_with_itself() -> None:
    other = cffi.FFI()
    other.cdef("typedef struct { int sType; const void *pNext; int others[16]; } VkSamplerCreateInfo;")
    source = CStruct(custom_info())
    kept = weakref.ref(source)
    made = copied(other, source)
    assert bytes(other.buffer(other.addressof(made))) == bytes(source)
    del source
    gc.collect()
    assert kept() is not None
    assert ctypes.c_int.from_address(int(other.cast("uintptr_t", made.pNext))).value == 1000287000
    del made
    gc.collect()
    assert kept() is None
