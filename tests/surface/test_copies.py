"""`statetracker.surface.copies`: an image into its small tree and back, on memory, pixel by pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from statetracker.errors import ArgumentError
from statetracker.surface import ImageCopy, decide, framebuffer, run_copy
from statetracker.surface.tilings import address
from tests.surface.strategies import framebuffers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from statetracker.surface.older import Miptree


def where(tree: Miptree, attachment: Any) -> NDArray[Any]:
    """Addresses of an attachment's bytes in a tree."""
    cpp, (x, y) = tree.format.cpp, tree.place(*attachment.image)
    width, height = attachment.storage.texture.level_size(attachment.image.level)
    ys, xs = np.mgrid[:height, : width * cpp]
    seen: NDArray[Any] = address(tree.tiling, xs + x * cpp, ys + y, tree.row_pitch_B)
    return seen


def check_and_render(part: str, fb: Any, seen: Any, memory: Any, then: Any, random: Any) -> None:
    """The copy has arrived where a copy was due; other pixels go where it is rendered to."""
    attachment, name = getattr(fb, part), "mt" if part == "depth" else "stencil_mt"
    old, new = (getattr(storage, name) for storage in (attachment.storage, getattr(seen, f"{part}_storage")))
    at, now = where(old, attachment), where(new, attachment)
    if all(move.copied for move in seen.moves if part in move.parts):
        assert (memory[id(new)][now] == then[id(old)][at]).all()
    memory[id(new)][now] = then[id(old)][at] = random.integers(0, 256, now.shape, np.uint8)


@given(framebuffers(most=70, mipmapped=True), some.integers(0, 2**32 - 1))
def test_what_is_rendered_in_the_temporary_is_in_the_texture_afterwards(fb: Any, seed: int) -> None:
    """Read there what was copied, write something else, copy it back: the image has it and nothing else has changed."""
    seen = decide(fb)
    random = np.random.default_rng(seed)
    storages = [s for move in seen.moves for s in (move.source, move.temporary)]
    storages += [one.storage for one in (fb.depth, fb.stencil) if one is not None]
    trees = {id(t): t for s in storages for t in (s.mt, s.s8) if t is not None}
    memory = {key: random.integers(0, 256, tree.size_B, np.uint8) for key, tree in trees.items()}
    then = {key: bytes_.copy() for key, bytes_ in memory.items()}
    for move in seen.moves:
        for copy in move.copies:
            run_copy(copy, memory[id(copy.source)], memory[id(copy.target)])
    for part in ("depth", "stencil"):
        if getattr(fb, part) is not None:
            check_and_render(part, fb, seen, memory, then, random)
    for move in reversed(seen.moves):
        for copy in move.copies_back:
            run_copy(copy, memory[id(copy.source)], memory[id(copy.target)])
    for attachment in (fb.depth, fb.stencil):
        if attachment is not None:
            for tree in (attachment.storage.mt, attachment.storage.s8):
                assert tree is None or (memory[id(tree)] == then[id(tree)]).all()


def test_only_the_image_and_what_is_rendered_of_it_is_copied() -> None:
    """Level 1 of 33x15 has 16x7 pixels; of a packed texture the half that stays where it is is not touched."""
    (move,) = decide(framebuffer("4", "2D", "Z32F", 33, 15, levels=2, level=1)).moves
    (copy,) = move.copies
    assert (copy.source_xy, copy.target_xy, copy.size_B) == ((0, 16), (0, 0), 16 * 7 * 4)
    assert move.copies_back == (copy.back,)
    assert f"{16 * 7 * 4} bytes" in move.sentences()[1]
    (move,) = decide(framebuffer("6", "2D", "Z24S8", 15, 17, levels=3, level=2, attach="depth_only")).moves
    assert [one.source.format.name for one in move.copies] == ["Z24X8"]
    (move,) = decide(framebuffer("6", "2D", "Z24S8", 15, 17, levels=3, level=2, attach="same_texture")).moves
    assert [one.source.format.name for one in move.copies] == ["Z24X8", "S8"]
    assert move.sentences()[0] == "allocate Z24X8 3x4, pitch 128 and S8 3x4, pitch 64"
    (move,) = decide(framebuffer("6", "2D", "Z24S8", 15, 17, levels=3, level=2, attach="stencil_only")).moves
    assert move.sentences()[0] == "allocate S8 3x4, pitch 64"


def test_what_is_cleared_goes_back_only() -> None:
    (move,) = decide(framebuffer("5", "2D", "Z16", 15, 100, levels=2, level=1, clear_depth=True)).moves
    assert (move.copies, len(move.copies_back)) == ((), 1)


def test_an_image_moved_twice_is_copied_from_temporary_to_temporary() -> None:
    """As the driver of 2014 did it."""
    texture: dict[str, Any] = {"layers": 2, "levels": 3, "level": 2, "layer": 1, "attach": "same_renderbuffer"}
    first, second = decide(framebuffer("5", "2D_ARRAY", "Z24S8", 32, 32, **texture), "i965-2014").moves
    assert second.source is first.temporary
    assert second.copies[0].source is first.temporary.mt


def test_memory_that_does_not_hold_its_tree_is_refused() -> None:
    """Before anything is read or written."""
    (move,) = decide(framebuffer("4", "2D", "Z32F", 33, 15, levels=2, level=1)).moves
    copy: ImageCopy = move.copies[0]
    with pytest.raises(ArgumentError, match="at least 4096 bytes"):
        run_copy(copy, np.zeros(1 << 16, np.uint8), np.zeros(4095, np.uint8))
