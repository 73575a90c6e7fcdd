"""Saving a screen as a file that `Screen.load` reads again exactly; reading the facts that this package ships."""

from __future__ import annotations

import gzip
import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.facts import FormatMasks, VulkanFacts
from statetracker.caps.fields import FIELDS, FormatFeatures
from statetracker.errors import ArgumentError, ScreenError
from statetracker.files import write_whole

if TYPE_CHECKING:
    from statetracker.caps.screen import Screen

#: What a file says for the hook that is the device's format table.
VULKAN_HOOK: Final = "vulkan"

#: Fields that the file holds elsewhere.
_ELSEWHERE: Final = ("caps", "capsf", "vulkan", "corpus", "linear_filtering", "extensions")


def saved(screen: Screen) -> dict[str, Any]:
    """Everything about a screen as plain JSON data; see `Screen.to_json`."""
    fields = {field: _plain(getattr(screen, field)) for field in FIELDS if field not in _ELSEWHERE}
    fields |= {"linear_filtering": _hook(screen), "extensions": sorted(screen.extensions)}
    data: dict[str, Any] = {
        "name": screen.name,
        "caps": dict(screen.caps),
        "capsf": {name: _plain(value) for name, value in dict(screen.capsf).items()},
        "screen": fields,
    }
    if screen.vulkan is not None:
        data["vulkan"] = screen.vulkan.to_dict()
    if screen.corpus is not None:
        rows = (screen.corpus.row, *screen.corpus.others)
        data["corpus"] = [row._asdict() for row in rows]
    return data


def _hook(screen: Screen) -> object:
    from statetracker.caps.derivation import VulkanFiltering

    hook = screen.linear_filtering
    if hook is None:
        return None
    if isinstance(hook, FormatFeatures):
        return {"linear": hook.linear, "default": hook.default}
    if isinstance(hook, VulkanFiltering) and hook.facts == screen.vulkan:
        return VULKAN_HOOK
    hint = "A function cannot be saved: replace(linear_filtering=FormatFeatures({...})) can."
    raise ArgumentError("linear_filtering", hook, accepted="None, FormatFeatures or the device's formats", hint=hint)


def _plain(value: Any) -> Any:  # noqa: ANN401 (any field)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def write(screen: Screen, path: str | Path) -> None:
    """Write a screen to a file; see `Screen.save`."""
    text = json.dumps(saved(screen), indent=1, allow_nan=False) + "\n"
    data = gzip.compress(text.encode(), mtime=0) if str(path).endswith(".gz") else text.encode()
    try:
        write_whole(path, data)
    except OSError as error:
        raise ScreenError(str(path), None, f"cannot be written: {error.strerror or error}") from None


@cache
def lavapipe_facts() -> VulkanFacts:
    """Return what lavapipe of Mesa 22.3.6 reports by vulkaninfo, as ``tools/codegen/make_vulkan_facts.py`` wrote it."""
    data = json.loads(gzip.decompress(Path(__file__).with_name("lavapipe.json.gz").read_bytes()))
    sets = {name: frozenset(data[name]) for name in ("features", "extensions")}
    formats = {name: FormatMasks(*masks) for name, masks in data["formats"].items()}
    return VulkanFacts(**{**data, **sets, "api": tuple(data["api"]), "formats": formats})
