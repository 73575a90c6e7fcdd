"""Reducing a mismatch to the fewest calls that still show it, and printing it as a test that can be pasted.

Calls are removed in ever smaller groups (delta debugging), then values are simplified one by one. The frame of a case
stays: choosing the unit, binding the texture, its storage, and the draw. States are reduced by the same two functions,
`simplest` and `groups`.
"""

from __future__ import annotations

from pprint import pformat
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

#: Calls that every case has, by how their names begin.
FRAME: Final = ("glActiveTexture", "glBindTexture", "glTexImage", "glTexStorage", "glBindSampler")

_PLAIN_FORMS: Final = {"fv": "f", "iv": "i", "Iiv": "i", "Iuiv": "i"}


def shrink(case: dict[str, Any], shows: Callable[[dict[str, Any]], bool], *, budget: int = 400) -> dict[str, Any]:
    """Reduce a case.

    Args:
        case: Shows a mismatch.
        shows: Whether a smaller case still shows it; it runs the driver.
        budget: Runs at most.

    Returns:
        The smallest case that still differs; ``case`` itself where nothing could be removed.
    """
    left = [budget]

    def asks(smaller: dict[str, Any]) -> bool:
        left[0] -= 1
        return left[0] >= 0 and shows(smaller)

    best = case
    for simpler in (_fewer_calls, _simpler_unit, _simpler_levels, _simpler_sampler, _simpler_calls, _fewer_calls):
        best = simplest(best, asks, simpler)
    return best


def paste(case: dict[str, Any], differences: list[Any], *, driver: str) -> str:
    """Write a case as a Python test that needs this package and the driver, and nothing else."""
    calls = [{"fn": call["fn"], "args": call["args"]} for call in case["calls"]]
    kept: dict[str, Any] = {name: case[name] for name in ("id", "unit", "shader", "texture") if name in case}
    lines = "\n".join(f"    #   {one.what}: {driver} {one.expected!r}, ours {one.got!r}" for one in differences)
    body = pformat({**kept, "calls": calls}, width=112, sort_dicts=False).replace("\n", "\n    ")
    return f'''\
def test_case_{_identifier(case.get("id", "shrunk"))}_agrees_with_{driver}() -> None:
    """Seen in a live run against {driver}."""
    from statetracker.conformance.plugin import check_live_case

    # Differences when it was recorded:
{lines}
    case = {body}
    check_live_case(case, driver="{driver}")
'''


def _identifier(value: object) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in str(value))


def _fewer_calls(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without some of the calls outside the frame."""
    calls = list(enumerate(case["calls"]))
    for gone in groups([place for place, call in calls if _removable(case, call)]):
        yield case | {"calls": [call for place, call in calls if place not in gone]}


def _removable(case: dict[str, Any], call: dict[str, Any]) -> bool:
    if call["fn"] == "glBindSampler":
        return not any("smp" in other["args"] for other in case["calls"] if other is not call)
    if call["fn"] == "glEnable" and case["shader"]["fixed_function"]:
        return bool(call["args"] == ["GL_TEXTURE_CUBE_MAP_SEAMLESS"])
    return not call["fn"].startswith(FRAME)


def simplest(
    case: dict[str, Any],
    shows: Callable[[dict[str, Any]], bool],
    simpler: Callable[[dict[str, Any]], Iterator[dict[str, Any]]],
) -> dict[str, Any]:
    """Take the first simpler one that still shows it, again and again, until none does."""
    best = case
    again = True
    while again:
        again = False
        for smaller in simpler(best):
            if shows(smaller):
                best, again = smaller, True
                break
    return best


def groups(parts: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return what may go at once: all of the parts, halves, quarters, ... each."""
    size = len(parts)
    while size:
        for start in range(0, len(parts), size):
            yield parts[start : start + size]
        size //= 2


def _simpler_unit(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if case.get("unit"):
        calls = [
            call | {"args": [0, *call["args"][1:]]} if call["fn"] in {"glActiveTexture", "glBindSampler"} else call
            for call in case["calls"]
        ]
        yield case | {"calls": calls, "unit": 0}


def _simpler_levels(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Only the base level's images."""
    images = [call for call in case["calls"] if call["fn"].startswith("glTexImage") and call["args"][1] > 0]
    if images:
        texture = case.get("texture", {}) | {"levels": 1}
        yield case | {"calls": [call for call in case["calls"] if call not in images], "texture": texture}


def _simpler_sampler(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the texture's own parameters instead of a sampler object."""
    target = case.get("texture", {}).get("target")
    if target is None or not any("smp" in call["args"] for call in case["calls"]):
        return
    calls = [
        {"fn": call["fn"].replace("Sampler", "Tex"), "args": [target, *call["args"][1:]]}
        if call["fn"].startswith("glSamplerParameter")
        else call
        for call in case["calls"]
        if call["fn"] != "glBindSampler"
    ]
    yield case | {"calls": calls}


def _simpler_calls(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One call at a time with a plainer form or a plainer value."""
    for place, call in enumerate(case["calls"]):
        for plainer in _plainer(call):
            yield case | {"calls": [*case["calls"][:place], plainer, *case["calls"][place + 1 :]]}


def _plainer(call: dict[str, Any]) -> Iterator[dict[str, Any]]:
    fn, args = call["fn"], call["args"]
    if "Parameter" not in fn and not fn.startswith("glTexEnv"):
        return
    value = args[-1]
    if isinstance(value, list):
        for channel, part in enumerate(value):
            if isinstance(part, int | float | str) and part not in (0, 0.0, 1, 1.0) and not str(part).startswith("GL_"):
                one = 1.0 if fn.endswith("fv") else 1
                for plain in (one * 0, one):
                    yield call | {"args": [*args[:-1], [*value[:channel], plain, *value[channel + 1 :]]]}
        return
    for form, plain_form in _PLAIN_FORMS.items():
        if fn.endswith(f"Parameter{form}"):
            yield {"fn": fn.removesuffix(form) + plain_form, "args": args}
            break
    if isinstance(value, float) and value not in {0.0, 1.0}:
        for plain in (0.0, 1.0, float(round(value)) if abs(value) < 1e6 and value != round(value) else 1.0):
            yield call | {"args": [*args[:-1], plain]}
