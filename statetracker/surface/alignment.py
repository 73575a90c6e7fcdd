"""The depth/stencil alignment workaround: whether an offset does, or a temporary surface is needed.

Before generation 7 the depth packets know neither level nor layer: a driver moves the base address by whole tiles plus
an offset (x, y) that depth, HiZ and stencil share and whose low three bits are zero; where the remainders disagree, the
image is copied. Policies: as the driver, with and without `QUIRKS`, and generation 7's path. See docs/surfaces.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from statetracker.errors import ArgumentError
from statetracker.spellings import looked_up
from statetracker.surface.attachments import POLICIES, Policy
from statetracker.surface.copies import Move
from statetracker.surface.level_layer import level_layer
from statetracker.surface.tilings import TILE_B
from statetracker.surface.units import Reason

if TYPE_CHECKING:
    from statetracker.surface.attachments import Attachment, Framebuffer, Storage
    from statetracker.surface.older import Miptree

XY = tuple[int, int]

#: Why nothing is done from generation 7 on.
NOT_NEEDED: Final = "not needed: from generation 7 on the depth packets name level and layer themselves"


class Decision(NamedTuple):
    """The answer. Offsets in bytes from the base of the tree that is rendered to; tile_x and tile_y in pixels.

    Attributes:
        needed: Whether offsets had to be worked out: not where the packets name level and layer themselves.
        mask: Low bits of x and y that whole tiles cannot express.
        moves: The images that go to temporary trees, in order.
        depth_offset: Of the depth buffer, whole tiles.
        hiz_offset: Of the HiZ buffer.
        stencil_offset: Of the stencil buffer.
        warn_unaligned: tile_x or tile_y is no multiple of 8 even in a temporary tree: rendering may go wrong.
        warn_mismatch: Depth and stencil do not lie alike: one of them is rendered to in the wrong place.
        depth_draw: Where the depth image lies in its tree, in pixels; or None.
        stencil_draw: Where the stencil image lies, likewise.
        depth_storage: The trees that depth is rendered to.
        stencil_storage: The tree that stencil is rendered to.
        steps: What was decided, with the reasons.
    """

    needed: bool
    mask: XY
    moves: tuple[Move, ...]
    tile_x: int
    tile_y: int
    depth_offset: int
    hiz_offset: int
    stencil_offset: int
    warn_unaligned: bool
    warn_mismatch: bool
    depth_draw: XY | None
    stencil_draw: XY | None
    depth_storage: Storage | None
    stencil_storage: Storage | None
    steps: tuple[Reason, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the form of the recordings (``out``)."""
        offsets = ("tile_x", "tile_y", "depth_offset", "hiz_offset", "stencil_offset")
        plain = {name: getattr(self, name) for name in (*offsets, "warn_unaligned", "warn_mismatch")}
        return {"moves": [move.to_dict() for move in self.moves], **plain}


def tile_mask(fb: Framebuffer) -> XY:
    """Low bits of x and y that whole tiles cannot express, the worst over the buffers attached."""
    x = y = 0
    if fb.depth is not None:
        x = 128 // fb.depth.storage.mt.format.cpp - 1
        y = 63 if fb.generation.hiz else 31  # a row of HiZ stands for two of pixels
    if fb.stencil is not None:
        tree = fb.stencil.storage.stencil_mt
        width, height = (64, 64) if tree.tiling == "W" else (128 // tree.format.cpp, 32)
        x, y = x | width - 1, y | height - 1
    return x, y


def decide(fb: Framebuffer, policy: Policy | str = "safe") -> Decision:
    """Decide for a framebuffer; its attachments are left as they were.

    Args:
        fb: The framebuffer.
        policy: ``"safe"``; ``"i965-2014"``: what the driver did; ``"level-layer"``: generation 6 names level and layer
            in the packet, as generation 7 does. Then nothing moves, offsets are those of surfaces of `layout`, the
            trees of the attachments are not used (None), and the steps say what the layout takes and the moves would
            copy.

    Raises:
        UnknownName: Another policy.
        ArgumentError: There is no attachment.
    """
    if isinstance(policy, str):
        policy = looked_up("policy", policy, POLICIES)
    if fb.depth is None and fb.stencil is None:
        raise ArgumentError("framebuffer", None, accepted="a depth or stencil attachment")
    return _Run(fb, policy).run()


class _Run:
    """One decision: the steps of the routine, in its order."""

    def __init__(self, fb: Framebuffer, policy: Policy) -> None:
        self.fb = fb
        self.quirks = policy.quirks
        self.level_layer = policy.level_layer
        self.depth = fb.depth and replace(fb.depth)
        self.stencil = self.depth if fb.stencil is fb.depth else fb.stencil and replace(fb.stencil)
        self.stencil_storage = None if fb.stencil is None else fb.stencil.storage
        self.mask = tile_mask(fb)
        self.why_bad = "is no multiple of 8" if fb.generation.tile_offset else "cannot be expressed by generation 4"
        self.t: XY = (0, 0)
        self.ts: XY = (0, 0)
        self.rebased_depth = False
        self.moves: list[Move] = []
        self.mismatch = False
        self.steps: list[Reason] = []

    def say(self, field: str, value: object, reason: str) -> None:
        self.steps.append(Reason(field, value, reason))

    def low(self, draw: XY) -> XY:
        return draw[0] & self.mask[0], draw[1] & self.mask[1]

    def bad(self, t: XY) -> bool:
        return t[0] % 8 != 0 or t[1] % 8 != 0 or (not self.fb.generation.tile_offset and t != (0, 0))

    def run(self) -> Decision:
        self.say("mask", self.mask, "low bits that whole tiles of the attached buffers cannot express")
        if self.fb.generation.level_layer:
            self.say("moves", (), NOT_NEEDED)
            return self._answer(unaligned=False, needed=False)
        if self.level_layer and self.fb.generation.flat_stencil_hiz:
            return self._by_level_and_layer()
        self._then_stencil(wrong=self._depth_first())
        if self.depth is None:
            self.t = self.ts
        unaligned = self.t[0] % 8 != 0 or self.t[1] % 8 != 0
        if unaligned:
            self.say("warn_unaligned", self.t, "no multiple of 8 even in a temporary: cut off, rendering may go wrong")
            self.t = self.t[0] & ~7, self.t[1] & ~7
        return self._answer(unaligned=unaligned, needed=True)

    def _by_level_and_layer(self) -> Decision:
        named = level_layer(self.fb)
        self.steps += named.steps
        saved = decide(self.fb).moves
        copied = sum(one.size_B for move in saved for one in (*move.copies, *move.copies_back))
        self.say("moves", (), f"under policy safe there are {len(saved)}, which copy {copied} bytes, there and back")
        self.mismatch = named.mismatch
        if named.mismatch:
            self.say("warn_mismatch", True, "one packet names the layer of depth and stencil, which differ")
        self.depth = self.stencil = None
        answer = self._answer(unaligned=False, needed=False)
        return answer._replace(hiz_offset=named.hiz_offset, stencil_offset=named.stencil_offset)

    def _keeps_depth(self) -> bool:
        """Return whether depth's content has to be copied."""
        fb = self.fb
        if not fb.clear_depth or fb.depth is None:
            return True
        together = fb.stencil is not None and fb.stencil.storage is fb.depth.storage
        return fb.depth.storage.packed and not (fb.clear_stencil and together)

    def _keeps_stencil(self) -> bool:
        fb = self.fb
        packed = fb.stencil is not None and fb.stencil.storage.packed
        return not fb.clear_stencil or (packed and not fb.clear_depth and "discards_depth" not in self.quirks)

    def move(self, attachment: Attachment, *, copied: bool, why: str, followed: bool = False) -> None:
        old = attachment.storage
        level, layer = attachment.image
        new = old.texture.temporary(level, one_image="all_layers" not in self.quirks)
        attachment.storage = new
        parts = ("depth", "stencil") if followed else tuple(attachment.name.split("_"))
        self.moves.append(Move(attachment.name, copied, level, layer, new, old, parts))
        self.say(f"move {attachment.name}", "copied" if copied else "not copied", why)

    def _depth_first(self) -> bool:
        """Depth's remainder, and depth moved if that is bad. Returns whether stencil's then differs."""
        depth, stencil = self.depth, self.stencil
        if depth is None:
            return False
        self.t = self.low(depth.depth_draw())
        self.say("depth remainder", self.t, f"depth lies at {depth.depth_draw()}")
        if self.bad(self.t):
            self.rebased_depth = True
            follows = stencil is not depth and self._follows()
            self.move(depth, copied=self._keeps_depth(), why=f"remainder {self.t} {self.why_bad}", followed=follows)
            if stencil is not None and follows:
                stencil.storage = depth.storage
                self.say("stencil", stencil.stencil_draw(), "on the same tree: follows depth to the temporary")
            self.t = self.low(depth.depth_draw())
        return stencil is not None and self.low(stencil.stencil_draw()) != self.t

    def _follows(self) -> bool:
        """Return whether a temporary made for depth holds stencil's image too."""
        if self.depth is None or self.stencil is None or self.stencil.storage is not self.depth.storage:
            return False
        return "all_layers" in self.quirks or self.stencil.image == self.depth.image

    def _then_stencil(self, *, wrong: bool) -> None:
        depth, stencil = self.depth, self.stencil
        if stencil is None:
            return
        self.ts = self.low(stencil.stencil_draw())
        self.say("stencil remainder", self.ts, f"stencil lies at {stencil.stencil_draw()}")
        if wrong or self.bad(self.ts):
            why = f"differs from depth's {self.t}" if wrong else self.why_bad
            self._rebase_stencil(depth, stencil, because=f"remainder {self.ts} {why}")
        one_packed = stencil.storage.s8 is None and stencil.storage.mt.format.packed
        if "all_layers" not in self.quirks and one_packed and depth is not None and stencil.image != depth.image:
            self.mismatch = True
            self.say("warn_mismatch", True, "one packed buffer cannot show depth and stencil of two layers")

    def _rebase_stencil(self, depth: Attachment | None, stencil: Attachment, *, because: str) -> None:
        same = stencil is depth
        moved_already = bool(self.moves) and (same or stencil.storage is not self.stencil_storage)
        if "double_move" in self.quirks or not moved_already:
            helps = depth is None or same or self.ts != (0, 0)  # the driver does not ask
            if helps or "second_move" in self.quirks:
                self.move(stencil, copied=self._keeps_stencil(), why=because)
            self.ts = self.low(stencil.stencil_draw())
        if depth is None:
            return
        if same:
            if "stale_remainder" not in self.quirks:
                self.t = self.low(depth.depth_draw())
        elif not self.rebased_depth and self.t != self.ts:
            self.rebased_depth = True
            self.move(depth, copied=self._keeps_depth(), why=f"stencil's remainder is {self.ts}, depth's {self.t}")
            self.t = self.low(depth.depth_draw())
            self.mismatch = self.ts != self.t
            if self.mismatch:
                self.say("warn_mismatch", (self.t, self.ts), "depth and stencil still disagree")

    def _answer(self, *, unaligned: bool, needed: bool) -> Decision:
        depth, stencil = self.depth, self.stencil
        offsets = self._offsets() if needed else (0, 0, 0)
        return Decision(
            needed, self.mask, tuple(self.moves), *self.t, *offsets, unaligned, self.mismatch,
            depth.depth_draw() if depth else None, stencil.stencil_draw() if stencil else None,
            depth.storage if depth else None, stencil.storage if stencil else None, tuple(self.steps),
        )  # fmt: skip

    def _offsets(self) -> tuple[int, int, int]:
        depth, stencil, (mx, my) = self.depth, self.stencil, self.mask
        depth_offset = hiz_offset = stencil_offset = 0
        if depth is not None:
            x, y = depth.depth_draw()
            depth_offset = _y_offset(depth.storage.mt, x & ~mx, y & ~my)
            if self.fb.generation.hiz:
                hiz_offset = _y_offset(depth.storage.mt, x & ~mx, (y & ~my) // 2)
                self.say("hiz_offset", hiz_offset, "tiles left of and above the image, half of its rows")
        if stencil is not None:
            x, y = stencil.stencil_draw()
            mt = stencil.storage.stencil_mt
            if mt.format.name == "S8":
                stencil_offset = (y & ~my) * mt.pitch + (x & ~mx) * 64
                self.say("stencil_offset", stencil_offset, "whole W tiles left of and above the image")
            elif depth is None and "stencil_only_page_lost" not in self.quirks:
                depth_offset = _y_offset(mt, x & ~mx, y & ~my)
        self.say("depth_offset", depth_offset, "whole tiles left of and above the image")
        self.say("tile_x, tile_y", self.t, "the remainder inside the tile, shared by all buffers")
        return depth_offset, hiz_offset, stencil_offset


def _y_offset(mt: Miptree, x: int, y: int) -> int:
    """Bytes to the tile of a Y-tiled tree that holds a pixel."""
    return y * mt.pitch + x // (128 // mt.format.cpp) * TILE_B
